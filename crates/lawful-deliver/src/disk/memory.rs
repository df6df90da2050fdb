//! A disk in memory, and a failing disk.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use super::{Disk, Kind, Mode, OsString, Path, PathBuf, io};

/// Files and folders by path; `None` is a folder. Links lead from one file to another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct MemoryDisk {
    nodes: RefCell<BTreeMap<PathBuf, Option<Vec<u8>>>>,
    links: RefCell<BTreeMap<PathBuf, PathBuf>>,
    closed: RefCell<Vec<PathBuf>>,
    /// The identities of folders.
    identities: RefCell<BTreeMap<PathBuf, String>>,
    /// Files that were not synced.
    waiting: RefCell<BTreeSet<PathBuf>>,
}

impl MemoryDisk {
    /// A disk with one empty folder.
    pub(crate) fn new(root: &str) -> Self {
        let disk = Self::default();
        for folder in Path::new(root).ancestors() {
            disk.nodes.borrow_mut().insert(folder.to_owned(), None);
        }
        disk
    }

    /// Adds a file, with its folders.
    pub(crate) fn put(&self, path: &Path, bytes: &[u8]) {
        for folder in path.ancestors().skip(1) {
            self.nodes.borrow_mut().entry(folder.to_owned()).or_insert(None);
        }
        self.nodes.borrow_mut().insert(path.to_owned(), Some(bytes.to_owned()));
    }

    /// Adds a link.
    pub(crate) fn link(&self, path: &Path, to: &Path) {
        self.links.borrow_mut().insert(path.to_owned(), to.to_owned());
    }

    /// Gives a folder an identity.
    pub(crate) fn identify(&self, path: &Path, identity: &str) {
        self.identities.borrow_mut().insert(path.to_owned(), identity.to_owned());
    }

    /// Makes a folder read-only.
    pub(crate) fn close(&self, path: &Path) {
        self.closed.borrow_mut().push(path.to_owned());
    }

    /// Truncates files that were not synced.
    pub(crate) fn lose_power(&self) {
        for path in self.waiting.take() {
            if let Some(Some(bytes)) = self.nodes.borrow_mut().get_mut(&path) {
                bytes.truncate(bytes.len() / 2);
            }
        }
    }

    fn real(&self, path: &Path) -> PathBuf {
        self.links.borrow().get(path).cloned().unwrap_or_else(|| path.to_owned())
    }

    pub(crate) fn text(&self, path: &Path) -> Option<String> {
        let bytes = self.nodes.borrow().get(path).cloned().flatten()?;
        Some(String::from_utf8(bytes).unwrap())
    }

    /// All files and folders.
    pub(crate) fn tree(&self) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
        self.nodes.borrow().clone()
    }

    fn children(&self, path: &Path) -> Vec<OsString> {
        let nodes = self.nodes.borrow();
        let inside = nodes.keys().filter(|node| node.parent() == Some(path));
        inside.filter_map(|node| node.file_name().map(ToOwned::to_owned)).collect()
    }
}

fn error<T>(kind: io::ErrorKind) -> io::Result<T> {
    Err(kind.into())
}

impl Disk for MemoryDisk {
    fn kind(&self, path: &Path) -> io::Result<Kind> {
        Ok(match self.nodes.borrow().get(&self.real(path)) {
            None => Kind::Missing,
            Some(None) => Kind::Folder,
            Some(Some(_)) => Kind::File,
        })
    }

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        Ok(self.real(path))
    }

    fn identity(&self, folder: &Path) -> Option<String> {
        self.identities.borrow().get(folder).cloned()
    }

    fn is_link(&self, path: &Path) -> bool {
        self.links.borrow().contains_key(path)
    }

    fn read_up_to(&self, path: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
        match self.nodes.borrow().get(&self.real(path)) {
            None => Ok(None),
            Some(None) => error(io::ErrorKind::IsADirectory),
            Some(Some(bytes)) if bytes.len() as u64 > most => error(io::ErrorKind::FileTooLarge),
            Some(Some(bytes)) => Ok(Some(bytes.clone())),
        }
    }

    fn names(&self, path: &Path) -> io::Result<Vec<OsString>> {
        Ok(self.children(path))
    }

    fn create_folder(&self, path: &Path, _mode: Mode<'_>) -> io::Result<()> {
        match (self.kind(path)?, self.kind(path.parent().unwrap())?) {
            (Kind::Missing, Kind::Folder) => {
                self.nodes.borrow_mut().insert(path.to_owned(), None);
                Ok(())
            }
            _ => error(io::ErrorKind::AlreadyExists),
        }
    }

    fn create_file(&self, path: &Path, bytes: &[u8], _mode: Mode<'_>) -> io::Result<()> {
        match (self.kind(path)?, self.kind(path.parent().unwrap())?) {
            (Kind::Missing, Kind::Folder) => {
                self.nodes.borrow_mut().insert(path.to_owned(), Some(bytes.to_owned()));
                self.waiting.borrow_mut().insert(path.to_owned());
                Ok(())
            }
            (Kind::Missing, _) => error(io::ErrorKind::NotFound),
            _ => error(io::ErrorKind::AlreadyExists),
        }
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        if let (Kind::Folder, Kind::Missing) = (self.kind(from)?, self.kind(to)?) {
            let moved = |path: PathBuf| match path.strip_prefix(from) {
                Ok(rest) if rest == Path::new("") => to.to_owned(),
                Ok(rest) => to.join(rest),
                Err(_) => path,
            };
            let nodes = self.nodes.take();
            *self.nodes.borrow_mut() =
                nodes.into_iter().map(|(path, node)| (moved(path), node)).collect();
            return Ok(());
        }
        let file = self.nodes.borrow_mut().remove(from);
        match (file, self.kind(to)?) {
            (Some(file @ Some(_)), Kind::Missing | Kind::File) => {
                self.nodes.borrow_mut().insert(to.to_owned(), file);
                self.waiting.borrow_mut().remove(to);
                if self.waiting.borrow_mut().remove(from) {
                    self.waiting.borrow_mut().insert(to.to_owned());
                }
                Ok(())
            }
            _ => error(io::ErrorKind::InvalidInput),
        }
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        match self.kind(path)? {
            Kind::File => {
                self.nodes.borrow_mut().remove(path);
                Ok(())
            }
            Kind::Missing | Kind::Folder | Kind::Other => error(io::ErrorKind::NotFound),
        }
    }

    fn remove_folder(&self, path: &Path) -> io::Result<()> {
        match self.kind(path)? {
            Kind::Folder if self.children(path).is_empty() => {
                self.nodes.borrow_mut().remove(path);
                Ok(())
            }
            Kind::Missing | Kind::File | Kind::Folder | Kind::Other => {
                error(io::ErrorKind::DirectoryNotEmpty)
            }
        }
    }

    fn sync(&self, paths: &[&Path]) -> io::Result<()> {
        for path in paths {
            if self.kind(path)? == Kind::Missing {
                return error(io::ErrorKind::NotFound);
            }
            self.waiting.borrow_mut().remove(*path);
        }
        Ok(())
    }

    fn is_open(&self, folder: &Path) -> bool {
        !self.closed.borrow().iter().any(|closed| closed == folder)
    }

    fn unkept(&self, _path: &Path) -> Vec<String> {
        Vec::new()
    }
}

/// How a disk fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// One call fails, and the process continues.
    Error,
    /// The machine stops: this call is half done, and later ones do nothing.
    Crash,
}

/// A disk whose n-th writing call fails.
pub(crate) struct FailingDisk<'d, D> {
    pub(crate) disk: &'d D,
    pub(crate) fault: Fault,
    pub(crate) at: usize,
    pub(crate) calls: Cell<usize>,
}

impl<'d, D: Disk> FailingDisk<'d, D> {
    pub(crate) fn new(disk: &'d D, fault: Fault, at: usize) -> Self {
        Self { disk, fault, at, calls: Cell::new(0) }
    }

    /// Whether the current call succeeds.
    fn call(&self) -> io::Result<()> {
        let number = self.calls.get();
        self.calls.set(number + 1);
        let fails = match self.fault {
            Fault::Error => number == self.at,
            Fault::Crash => number >= self.at,
        };
        if fails { error(io::ErrorKind::StorageFull) } else { Ok(()) }
    }
}

impl<D: Disk> Disk for FailingDisk<'_, D> {
    fn kind(&self, path: &Path) -> io::Result<Kind> {
        self.disk.kind(path)
    }

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        self.disk.resolve(path)
    }

    fn identity(&self, folder: &Path) -> Option<String> {
        self.disk.identity(folder)
    }

    fn is_link(&self, path: &Path) -> bool {
        self.disk.is_link(path)
    }

    fn read_up_to(&self, path: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
        self.disk.read_up_to(path, most)
    }

    fn names(&self, path: &Path) -> io::Result<Vec<OsString>> {
        self.disk.names(path)
    }

    fn create_folder(&self, path: &Path, mode: Mode<'_>) -> io::Result<()> {
        self.call()?;
        self.disk.create_folder(path, mode)
    }

    fn create_file(&self, path: &Path, bytes: &[u8], mode: Mode<'_>) -> io::Result<()> {
        let is_last = self.calls.get() == self.at && self.fault == Fault::Crash;
        if let Err(error) = self.call() {
            if is_last {
                self.disk.create_file(path, &bytes[..bytes.len() / 2], mode)?;
            }
            return Err(error);
        }
        self.disk.create_file(path, bytes, mode)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.call()?;
        self.disk.rename(from, to)
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        self.call()?;
        self.disk.remove_file(path)
    }

    fn remove_folder(&self, path: &Path) -> io::Result<()> {
        self.call()?;
        self.disk.remove_folder(path)
    }

    fn sync(&self, paths: &[&Path]) -> io::Result<()> {
        self.call()?;
        self.disk.sync(paths)
    }

    fn is_open(&self, folder: &Path) -> bool {
        self.disk.is_open(folder)
    }

    fn unkept(&self, path: &Path) -> Vec<String> {
        self.disk.unkept(path)
    }
}
