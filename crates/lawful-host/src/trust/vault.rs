//! The private folder in which the registry and the trusted copies are kept.
//!
//! ```text
//! $XDG_STATE_HOME/lawful/trust/registry.json   what is registered
//! $XDG_STATE_HOME/lawful/trust/books/<sha256>  one file for each trusted copy
//! ```
//!
//! A copy is written before the registry names it, and both are replaced atomically, so a process that
//! is killed leaves the old registration or the new one. Copies that no entry names are removed by the
//! next registration.
//!
//! **Invariant:** nothing is read from a folder or a file that another user owns or can write to, or
//! through a symbolic link. A copy is used only if it has the fingerprint that it is named by.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use lawful::Limits;
use lawful::book::{Bundle, read_sized};
use lawful_deliver::{State, write_private};

use super::fingerprint::Fingerprint;
use super::registry::Registry;

/// The private folder of a user.
#[derive(Clone, Debug)]
pub(crate) struct Vault {
    /// The state folder.
    state: PathBuf,
    folder: PathBuf,
}

const REGISTRY: &str = "registry.json";
const BOOKS: &str = "books";
const LOCK: &str = "lock";
/// The maximal size of the registry.
const LARGEST: usize = 16 * 1024 * 1024;

impl Vault {
    pub(crate) fn of(state: &State) -> Self {
        let state = state.folder().to_owned();
        Self { folder: state.join("trust"), state }
    }

    /// What is registered.
    pub(crate) fn registry(&self) -> io::Result<Registry> {
        if !self.is_there()? {
            return Ok(Registry::default());
        }
        let path = self.folder.join(REGISTRY);
        let Some(bytes) = read(&path, LARGEST)? else { return Ok(Registry::default()) };
        serde_json::from_slice(&bytes).map_err(|error| {
            let path = path.display();
            let message = format!("`{path}` is damaged: {error}; delete it to trust nothing");
            io::Error::new(io::ErrorKind::InvalidData, message)
        })
    }

    /// The copy with this fingerprint, if it exists.
    pub(crate) fn copy(&self, fingerprint: &Fingerprint) -> io::Result<Option<Bundle>> {
        if !self.is_there()? || !is_private(&self.folder.join(BOOKS))? {
            return Ok(None);
        }
        let path = self.folder.join(BOOKS).join(fingerprint.digits());
        let Some(bytes) = read(&path, largest_copy())? else { return Ok(None) };
        match Bundle::read(bytes) {
            Ok(bundle) if bundle.fingerprint() == fingerprint.digits() => Ok(Some(bundle)),
            Ok(_) | Err(_) => {
                let message = format!("`{}` is not the copy that was trusted", path.display());
                Err(io::Error::new(io::ErrorKind::InvalidData, message))
            }
        }
    }

    /// Changes the registry, and stores a copy that it names from now on. Processes take turns.
    pub(crate) fn change<T>(
        &self,
        copy: Option<&Bundle>,
        change: impl FnOnce(&mut Registry) -> T,
    ) -> io::Result<T> {
        let books = self.folder.join(BOOKS);
        create_private(&books)?;
        self.is_there()?;
        is_private(&books)?;
        let _lock = lock(&self.folder.join(LOCK))?;
        let mut registry = self.registry()?;
        let before = registry.clone();
        let result = change(&mut registry);
        if let Some(copy) = copy {
            let path = books.join(copy.fingerprint());
            // A damaged copy is replaced.
            let stored = read(&path, largest_copy()).ok().flatten();
            if stored.is_none_or(|stored| stored != copy.bytes()) {
                write_private(&path, copy.bytes())?;
            }
        }
        if registry != before {
            let bytes = serde_json::to_vec_pretty(&registry).map_err(io::Error::other)?;
            write_private(&self.folder.join(REGISTRY), &bytes)?;
        }
        self.collect(&registry);
        Ok(result)
    }

    /// Removes copies that no entry names, and temporary files of processes that were killed. What
    /// cannot be removed now is removed later.
    fn collect(&self, registry: &Registry) {
        let named: Vec<Fingerprint> =
            registry.entries().iter().filter_map(super::registry::Entry::fingerprint).collect();
        let is_named = |name: &str| named.iter().any(|known| known.digits() == name);
        for entry in fs::read_dir(self.folder.join(BOOKS)).into_iter().flatten().flatten() {
            if !entry.file_name().to_str().is_some_and(is_named) {
                let _ = fs::remove_file(entry.path());
            }
        }
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            if entry.path().extension().is_some_and(|extension| extension == "tmp") {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// Where it is.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether the folder exists; an error if it is not private.
    pub(super) fn is_there(&self) -> io::Result<bool> {
        // The state folder itself may be a link that the user made.
        let state = match fs::metadata(&self.state) {
            Ok(state) => state,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(error),
        };
        check_owner(&self.state, &state)?;
        is_private(&self.folder)
    }
}

/// The maximal size of a copy: all texts of a lawbook, and their paths.
pub(super) fn largest_copy() -> usize {
    2 * Limits::default().book_bytes
}

/// Whether a folder exists; an error if it is a link, or if someone else owns it or can write to it.
pub(super) fn is_private(folder: &Path) -> io::Result<bool> {
    let metadata = match fs::symlink_metadata(folder) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
    };
    if !metadata.is_dir() {
        return Err(refused(folder, "is not a folder"));
    }
    check_owner(folder, &metadata).map(|()| true)
}

/// The bytes of a private file; `None` if it does not exist.
pub(super) fn read(path: &Path, limit: usize) -> io::Result<Option<Vec<u8>>> {
    let file = match open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(refused(path, "is not a file"));
    }
    check_owner(path, &metadata)?;
    let length = usize::try_from(metadata.len()).unwrap_or(usize::MAX);
    let bytes = read_sized(file, length, limit);
    bytes.map(Some).map_err(|error| refused(path, &format!("cannot be read: {error}")))
}

fn refused(path: &Path, why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, format!("`{}` {why}", path.display()))
}

/// Takes the lock of the folder. It ends with the process.
fn lock(path: &Path) -> io::Result<File> {
    /// How long to wait for other processes.
    const PATIENCE: Duration = Duration::from_secs(10);
    let file = create(path)?;
    let start = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(fs::TryLockError::WouldBlock) if start.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_millis(5));
            }
            Err(fs::TryLockError::WouldBlock) => {
                return Err(io::Error::new(
                    io::ErrorKind::TimedOut,
                    "another process is changing what is trusted",
                ));
            }
            Err(fs::TryLockError::Error(error)) => return Err(error),
        }
    }
}

#[cfg(unix)]
fn check_owner(path: &Path, metadata: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt as _;
    if metadata.uid() != rustix::process::geteuid().as_raw() {
        return Err(refused(path, "belongs to another user"));
    }
    if metadata.mode() & 0o022 != 0 {
        return Err(refused(path, "can be written to by other users"));
    }
    Ok(())
}

#[cfg(unix)]
fn open(path: &Path) -> io::Result<File> {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt as _;
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC).bits();
    let flags = i32::try_from(flags).map_err(io::Error::other)?;
    File::options().read(true).custom_flags(flags).open(path).map_err(|error| {
        // Opening a link fails with an error that does not say so.
        match fs::symlink_metadata(path) {
            Ok(metadata) if metadata.is_symlink() => refused(path, "is a symbolic link"),
            Ok(_) | Err(_) => error,
        }
    })
}

/// The file of the lock, created if it does not exist.
#[cfg(unix)]
fn create(path: &Path) -> io::Result<File> {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt as _;
    let flags = i32::try_from(OFlags::NOFOLLOW.bits()).map_err(io::Error::other)?;
    let mut options = File::options();
    options.create(true).truncate(false).write(true).mode(0o600).custom_flags(flags).open(path)
}

/// A new file that only the owner can read.
#[cfg(unix)]
pub(super) fn create_new(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt as _;
    File::options().write(true).create_new(true).mode(0o600).open(path)
}

#[cfg(not(unix))]
pub(super) fn create_new(path: &Path) -> io::Result<File> {
    File::options().write(true).create_new(true).open(path)
}

#[cfg(unix)]
pub(super) fn create_private(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

#[cfg(not(unix))]
fn check_owner(_path: &Path, _metadata: &fs::Metadata) -> io::Result<()> {
    Ok(())
}

#[cfg(not(unix))]
fn open(path: &Path) -> io::Result<File> {
    File::open(path)
}

#[cfg(not(unix))]
fn create(path: &Path) -> io::Result<File> {
    File::options().create(true).truncate(false).write(true).open(path)
}

#[cfg(not(unix))]
pub(super) fn create_private(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
