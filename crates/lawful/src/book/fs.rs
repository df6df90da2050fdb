//! The file system: the only module of this crate that uses it.
//!
//! A path is resolved before it is opened. A path outside the book is rejected, whether it uses
//! `..`, is absolute or follows a symbolic link. Only regular files are read, so a pipe cannot
//! block a load.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::source::{Item, ItemKind, Source, SourceError, Stamp};

/// A lawbook in a folder.
#[derive(Clone, Debug)]
pub struct FolderSource {
    root: PathBuf,
    /// The prefix of displayed paths.
    shown: String,
    /// The resolved paths of folders, cached during a load.
    folders: Arc<Mutex<BTreeMap<String, PathBuf>>>,
}

impl FolderSource {
    /// Opens a folder. Diagnostics name its files by the path given here.
    pub fn open(folder: &Path) -> io::Result<Self> {
        let root = folder.canonicalize()?;
        if !root.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        let shown = if folder == Path::new(".") {
            String::new()
        } else {
            folder.join("").display().to_string()
        };
        Ok(Self { root, shown, folders: Arc::default() })
    }

    /// The path of a file relative to the book, if it is inside.
    pub fn relative(&self, path: &Path) -> Option<String> {
        let inside = path.canonicalize().ok()?;
        let parts: Option<Vec<&str>> =
            inside.strip_prefix(&self.root).ok()?.iter().map(|part| part.to_str()).collect();
        Some(parts?.join("/"))
    }

    /// The resolved path of a file and its metadata. Folders are resolved once per load; a file
    /// needs no resolving unless it is a link.
    fn resolve(&self, path: &str) -> Result<(PathBuf, fs::Metadata), SourceError> {
        let (folder, name) = match path.bytes().rposition(|byte| byte == b'/') {
            Some(at) => path.split_at(at),
            None => ("", path),
        };
        let name = name.strip_prefix('/').unwrap_or(name);
        if matches!(name, "" | "." | "..") {
            return self.resolve_link(path);
        }
        let file = self.in_folder(folder, name)?;
        let metadata = fs::symlink_metadata(&file).map_err(|error| of_io(&error))?;
        if metadata.is_symlink() { self.resolve_link(path) } else { Ok((file, metadata)) }
    }

    fn resolve_link(&self, path: &str) -> Result<(PathBuf, fs::Metadata), SourceError> {
        let real = self.canonical(path)?;
        let metadata = fs::metadata(&real).map_err(|error| of_io(&error))?;
        Ok((real, metadata))
    }

    fn in_folder(&self, folder: &str, name: &str) -> Result<PathBuf, SourceError> {
        let mut folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = folders.get(folder) {
            return Ok(joined(known, name));
        }
        let real = self.canonical(folder)?;
        let file = joined(&real, name);
        folders.insert(folder.to_owned(), real);
        Ok(file)
    }

    fn canonical(&self, path: &str) -> Result<PathBuf, SourceError> {
        let real = self.root.join(path).canonicalize().map_err(|error| of_io(&error))?;
        if real.starts_with(&self.root) { Ok(real) } else { Err(SourceError::Outside) }
    }
}

/// The path of a name in a folder, in one allocation.
fn joined(folder: &Path, name: &str) -> PathBuf {
    let mut path = PathBuf::with_capacity(folder.as_os_str().len() + 1 + name.len());
    path.push(folder);
    path.push(name);
    path
}

impl Source for FolderSource {
    fn list(&self, folder: &str) -> Result<Option<Vec<Item>>, SourceError> {
        if folder.is_empty() {
            // At the start of a load, forget resolved folders: any may have become a link.
            self.folders.lock().unwrap_or_else(PoisonError::into_inner).clear();
        }
        let real = match self.resolve(folder) {
            Ok((real, metadata)) if metadata.is_dir() => real,
            Ok(_) => return Err(SourceError::NotAFile),
            Err(SourceError::Missing) => return Ok(None),
            Err(error) => return Err(error),
        };
        let mut items = Vec::new();
        for entry in fs::read_dir(&real).map_err(|error| of_io(&error))? {
            let entry = entry.map_err(|error| of_io(&error))?;
            items.push(self.item(&entry));
        }
        items.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(Some(items))
    }

    fn read(&self, path: &str, limit: usize) -> Result<Vec<u8>, SourceError> {
        let (real, metadata) = self.resolve(path)?;
        if !metadata.is_file() {
            return Err(SourceError::NotAFile);
        }
        read_bounded(&real, limit)
    }

    fn shown(&self, path: &str) -> String {
        match (path, self.shown.trim_end_matches('/')) {
            // The root folder, where the book is named by it.
            ("", "") if self.shown == "/" => "/".to_owned(),
            ("", "") => ".".to_owned(),
            ("", folder) => folder.to_owned(),
            (path, _) => [&self.shown, path].concat(),
        }
    }

    fn stamp(&self, path: &str) -> Option<Stamp> {
        let (_, metadata) = self.resolve(path).ok()?;
        if metadata.is_file() || metadata.is_dir() { stamp(&metadata) } else { None }
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
                // A link to a folder is not followed, because it could form a cycle.
                Ok(_) | Err(_) => ItemKind::Other,
            },
            (Some(_), Ok(_)) => ItemKind::Other,
        };
        let linked = entry.file_type().is_ok_and(|kind| kind.is_symlink());
        Item { name, kind, linked }
    }
}

/// A stamp from the metadata of a file or folder. Every write sets the ctime, which programs cannot
/// choose, so two writes have the same stamp only if they fall into one clock tick. A file that has
/// just changed may change again in the same tick, so it has no stamp yet.
#[cfg(unix)]
fn stamp(metadata: &fs::Metadata) -> Option<Stamp> {
    use std::os::unix::fs::MetadataExt as _;
    use std::time::{Duration, SystemTime};

    /// Longer than a clock tick of any file system.
    const MOMENT: Duration = Duration::from_secs(2);
    let seconds = Duration::from_secs(u64::try_from(metadata.ctime()).ok()?);
    let fraction = Duration::from_nanos(u64::try_from(metadata.ctime_nsec()).ok()?);
    let age = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH + seconds + fraction).ok()?;
    if age < MOMENT {
        return None;
    }
    let numbers = [
        metadata.dev().to_le_bytes(),
        metadata.ino().to_le_bytes(),
        metadata.size().to_le_bytes(),
        metadata.ctime().to_le_bytes(),
        metadata.ctime_nsec().to_le_bytes(),
        metadata.mtime().to_le_bytes(),
        metadata.mtime_nsec().to_le_bytes(),
    ];
    Some(Stamp::new(numbers.as_flattened()))
}

/// No stamp: the metadata is not reliable enough on this platform.
#[cfg(not(unix))]
fn stamp(_metadata: &fs::Metadata) -> Option<Stamp> {
    None
}

/// Reads a file that the user named, anywhere on disk. Pipes are allowed.
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

/// Reads everything from a reader, up to `limit` bytes.
pub fn read_from(reader: impl Read, limit: usize) -> Result<Vec<u8>, SourceError> {
    read_sized(reader, 0, limit)
}

/// Like [`read_from`], if the length is probably known.
pub fn read_sized(reader: impl Read, length: usize, limit: usize) -> Result<Vec<u8>, SourceError> {
    let mut bytes = Vec::with_capacity(length.min(limit).saturating_add(1));
    let one_more = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    reader.take(one_more).read_to_end(&mut bytes).map_err(|error| of_io(&error))?;
    if bytes.len() > limit { Err(SourceError::TooLarge) } else { Ok(bytes) }
}

fn of_io(error: &io::Error) -> SourceError {
    #[expect(clippy::wildcard_enum_match_arm, reason = "the system has many words for no")]
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => SourceError::Missing,
        io::ErrorKind::PermissionDenied => SourceError::Unreadable("permission is denied".into()),
        // The message of the system, without the trailing error number.
        _ => {
            let text = error.to_string();
            let text = text.split(" (os error").next().unwrap_or_default();
            SourceError::Unreadable(text.to_lowercase())
        }
    }
}

/// Whether a folder contains an item of this name, with symbolic links followed.
pub(super) fn has(folder: &Path, name: &str) -> bool {
    folder.join(name).exists()
}

/// Whether a path is a folder and not a link to one.
pub(super) fn is_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir())
}

/// The owner of a folder, if the system has owners.
#[cfg(unix)]
pub(super) fn owner(folder: &Path) -> Option<u32> {
    use std::os::unix::fs::MetadataExt as _;
    fs::metadata(folder).ok().map(|metadata| metadata.uid())
}

/// The owner of a folder, if the system has owners.
#[cfg(not(unix))]
pub(super) fn owner(_folder: &Path) -> Option<u32> {
    None
}
