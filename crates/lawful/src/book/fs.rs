//! The disk: the only module of this crate that touches it.
//!
//! A path is resolved before it is opened, and what resolves to a place outside the book is
//! refused, whether by `..`, an absolute path or a symbolic link. Only ordinary files are read, so
//! a pipe cannot make a load wait for ever.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::source::{Item, ItemKind, Source, SourceError};

/// A lawbook in a folder.
#[derive(Clone, Debug)]
pub struct FolderSource {
    root: PathBuf,
    shown: PathBuf,
    folders: RefCell<BTreeMap<String, PathBuf>>,
}

impl FolderSource {
    /// Opens a folder. Diagnostics name its files by the path given here.
    pub fn open(folder: &Path) -> io::Result<Self> {
        let root = folder.canonicalize()?;
        let shown = if folder == Path::new(".") { PathBuf::new() } else { folder.to_owned() };
        Ok(Self { root, shown, folders: RefCell::default() })
    }

    /// The path of a file relative to the book, if it is in it.
    pub fn relative(&self, path: &Path) -> Option<String> {
        let inside = path.canonicalize().ok()?;
        let parts: Option<Vec<&str>> =
            inside.strip_prefix(&self.root).ok()?.iter().map(|part| part.to_str()).collect();
        Some(parts?.join("/"))
    }

    /// The real place of a path in the book. Folders are resolved once; a file in one is where its
    /// name says, unless it is a link.
    fn resolve(&self, path: &str) -> Result<PathBuf, SourceError> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        if matches!(name, "" | "." | "..") {
            return self.canonical(path);
        }
        let known = self.folders.borrow().get(folder).cloned();
        let folder_path = match known {
            Some(known) => known,
            None => {
                let real = self.canonical(folder)?;
                self.folders.borrow_mut().insert(folder.to_owned(), real.clone());
                real
            }
        };
        let file = folder_path.join(name);
        let metadata = fs::symlink_metadata(&file).map_err(|error| of_io(&error))?;
        if metadata.is_symlink() { self.canonical(path) } else { Ok(file) }
    }

    fn canonical(&self, path: &str) -> Result<PathBuf, SourceError> {
        let real = self.root.join(path).canonicalize().map_err(|error| of_io(&error))?;
        if real.starts_with(&self.root) { Ok(real) } else { Err(SourceError::Outside) }
    }
}

impl Source for FolderSource {
    fn list(&self, folder: &str) -> Result<Option<Vec<Item>>, SourceError> {
        let real = match self.resolve(folder) {
            Ok(real) => real,
            Err(SourceError::Missing) => return Ok(None),
            Err(error) => return Err(error),
        };
        if !real.is_dir() {
            return Err(SourceError::NotAFile);
        }
        let mut items = Vec::new();
        for entry in fs::read_dir(&real).map_err(|error| of_io(&error))? {
            let entry = entry.map_err(|error| of_io(&error))?;
            items.push(self.item(&entry));
        }
        items.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(Some(items))
    }

    fn read(&self, path: &str, limit: usize) -> Result<Vec<u8>, SourceError> {
        let real = self.resolve(path)?;
        let metadata = fs::metadata(&real).map_err(|error| of_io(&error))?;
        if !metadata.is_file() {
            return Err(SourceError::NotAFile);
        }
        read_bounded(&real, limit)
    }

    fn shown(&self, path: &str) -> String {
        self.shown.join(path).display().to_string()
    }
}

impl FolderSource {
    fn item(&self, entry: &fs::DirEntry) -> Item {
        let os_name = entry.file_name();
        let name = os_name.to_string_lossy().into_owned();
        let kind = match (os_name.to_str(), entry.file_type()) {
            (None, _) | (_, Err(_)) => ItemKind::Other,
            (Some(_), Ok(kind)) if kind.is_file() => ItemKind::File,
            (Some(_), Ok(kind)) if kind.is_dir() => ItemKind::Folder,
            (Some(_), Ok(kind)) if kind.is_symlink() => match entry.path().canonicalize() {
                Ok(real) if !real.starts_with(&self.root) => ItemKind::Outside,
                Ok(real) if real.is_file() => ItemKind::File,
                // A link to a folder is not followed: it could lead round in a circle.
                Ok(_) | Err(_) => ItemKind::Other,
            },
            (Some(_), Ok(_)) => ItemKind::Other,
        };
        Item { name, kind }
    }
}

/// Reads a file that the user named, wherever it is: pipes are welcome, folders are not.
pub fn read_file(path: &Path, limit: usize) -> Result<Vec<u8>, SourceError> {
    let metadata = fs::metadata(path).map_err(|error| of_io(&error))?;
    if metadata.is_dir() {
        return Err(SourceError::NotAFile);
    }
    read_bounded(path, limit)
}

fn read_bounded(path: &Path, limit: usize) -> Result<Vec<u8>, SourceError> {
    read_from(fs::File::open(path).map_err(|error| of_io(&error))?, limit)
}

/// Everything from a reader, no more than `limit` bytes of it.
pub fn read_from(reader: impl Read, limit: usize) -> Result<Vec<u8>, SourceError> {
    let mut bytes = Vec::new();
    let one_more = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    reader.take(one_more).read_to_end(&mut bytes).map_err(|error| of_io(&error))?;
    if bytes.len() > limit { Err(SourceError::TooLarge) } else { Ok(bytes) }
}

fn of_io(error: &io::Error) -> SourceError {
    #[expect(clippy::wildcard_enum_match_arm, reason = "the system has many words for no")]
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => SourceError::Missing,
        io::ErrorKind::PermissionDenied => SourceError::Unreadable("permission is denied".into()),
        // The system's words, without the number it ends in.
        _ => {
            let text = error.to_string();
            let text = text.split(" (os error").next().unwrap_or_default();
            SourceError::Unreadable(text.to_lowercase())
        }
    }
}

/// Whether a folder holds something of this name; symbolic links count as what they lead to.
pub(super) fn has(folder: &Path, name: &str) -> bool {
    folder.join(name).exists()
}

/// The owner of a folder, where the system has such a thing.
#[cfg(unix)]
pub(super) fn owner(folder: &Path) -> Option<u32> {
    use std::os::unix::fs::MetadataExt as _;
    fs::metadata(folder).ok().map(|metadata| metadata.uid())
}

/// The owner of a folder, where the system has such a thing.
#[cfg(not(unix))]
pub(super) fn owner(_folder: &Path) -> Option<u32> {
    None
}
