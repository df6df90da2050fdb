//! The disk: the only module of this crate that touches it.
//!
//! A path is resolved before it is opened, and what resolves to a place outside the book is
//! refused, whether by `..`, an absolute path or a symbolic link. Only ordinary files are read, so
//! a pipe cannot make a load wait for ever.

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
    /// What stands before the path of a file that is shown.
    shown: String,
    /// Where folders really are, for as long as a load takes.
    folders: Arc<Mutex<BTreeMap<String, PathBuf>>>,
}

impl FolderSource {
    /// Opens a folder. Diagnostics name its files by the path given here.
    pub fn open(folder: &Path) -> io::Result<Self> {
        let root = folder.canonicalize()?;
        let shown = if folder == Path::new(".") {
            String::new()
        } else {
            folder.join("").display().to_string()
        };
        Ok(Self { root, shown, folders: Arc::default() })
    }

    /// The path of a file relative to the book, if it is in it.
    pub fn relative(&self, path: &Path) -> Option<String> {
        let inside = path.canonicalize().ok()?;
        let parts: Option<Vec<&str>> =
            inside.strip_prefix(&self.root).ok()?.iter().map(|part| part.to_str()).collect();
        Some(parts?.join("/"))
    }

    /// The real place of a path in the book, and what is there. Folders are resolved once in a
    /// load; a file in one is where its name says, unless it is a link.
    fn resolve(&self, path: &str) -> Result<(PathBuf, fs::Metadata), SourceError> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
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
            return Ok(known.join(name));
        }
        let real = self.canonical(folder)?;
        let file = real.join(name);
        folders.insert(folder.to_owned(), real);
        Ok(file)
    }

    fn canonical(&self, path: &str) -> Result<PathBuf, SourceError> {
        let real = self.root.join(path).canonicalize().map_err(|error| of_io(&error))?;
        if real.starts_with(&self.root) { Ok(real) } else { Err(SourceError::Outside) }
    }
}

impl Source for FolderSource {
    fn list(&self, folder: &str) -> Result<Option<Vec<Item>>, SourceError> {
        if folder.is_empty() {
            // A load starts, and since the last one any folder may have become a link.
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
        format!("{}{path}", self.shown)
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
                // A link to a folder is not followed: it could lead round in a circle.
                Ok(_) | Err(_) => ItemKind::Other,
            },
            (Some(_), Ok(_)) => ItemKind::Other,
        };
        let linked = entry.file_type().is_ok_and(|kind| kind.is_symlink());
        Item { name, kind, linked }
    }
}

/// What the disk keeps beside the bytes of a file or the names of a folder. Every write sets the time
/// of change, which nobody can choose; so two writes give the same stamp only if they fall into one tick of the clock. A file
/// that changed a moment ago may change once more in the same tick, and has no stamp yet.
#[cfg(unix)]
fn stamp(metadata: &fs::Metadata) -> Option<Stamp> {
    use std::os::unix::fs::MetadataExt as _;
    use std::time::{Duration, SystemTime};

    /// Longer than a tick of the clock of any file system.
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

/// What the disk keeps beside the bytes of a file, where it is enough to go by.
#[cfg(not(unix))]
fn stamp(_metadata: &fs::Metadata) -> Option<Stamp> {
    None
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
