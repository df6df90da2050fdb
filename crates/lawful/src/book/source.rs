//! Where the files of a lawbook come from.

use std::collections::BTreeMap;
use std::sync::Arc;

/// A tree of files. Paths are relative to the book, with `/` between names; the book itself is the
/// empty path.
pub trait Source {
    /// What stands directly in a folder, sorted by name; `None` if there is no such folder.
    fn list(&self, folder: &str) -> Result<Option<Vec<Item>>, SourceError>;

    /// The bytes of a file, no more than `limit` of them.
    fn read(&self, path: &str, limit: usize) -> Result<Vec<u8>, SourceError>;

    /// The name a user knows a path by.
    fn shown(&self, path: &str) -> String;

    /// What tells the present bytes of a file, or the present items of a folder that are no
    /// [links](Item::linked), from all it had before and will have, without reading them. What has
    /// the stamp of the load before is not read again, so a source that cannot be sure answers
    /// `None`, and so does one that has no such thing.
    fn stamp(&self, _path: &str) -> Option<Stamp> {
        None
    }
}

/// A mark of the bytes of a file: a version, a digest, or what the disk keeps beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp(Arc<[u8]>);

impl Stamp {
    /// A stamp of whatever makes it unique.
    pub fn new(mark: impl Into<Arc<[u8]>>) -> Self {
        Self(mark.into())
    }
}

/// Something in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: ItemKind,
    /// Whether it is a symbolic link, so that what it is can change without its folder.
    pub linked: bool,
}

/// What an item is, symbolic links to files followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// A file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link that leaves the book.
    Outside,
    /// A pipe, a device, a link that is broken or leads to a folder, or a name that is not UTF-8.
    Other,
}

/// Why a source cannot hand something out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// It is not there.
    #[error("there is no such file")]
    Missing,
    /// It is a folder, a pipe or a device.
    #[error("it is not a file")]
    NotAFile,
    /// It leaves the book.
    #[error("it leads out of the lawbook")]
    Outside,
    /// It has more bytes than the limit.
    #[error("it is larger than the limit")]
    TooLarge,
    /// The system refused.
    #[error("{0}")]
    Unreadable(String),
}

/// A lawbook in memory, for hosts that keep it elsewhere and for tests.
#[derive(Clone, Debug, Default)]
pub struct MemorySource {
    files: BTreeMap<String, Vec<u8>>,
}

impl MemorySource {
    /// An empty book.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file.
    #[must_use]
    pub fn with(mut self, path: &str, bytes: impl Into<Vec<u8>>) -> Self {
        self.files.insert(path.to_owned(), bytes.into());
        self
    }
}

impl Source for MemorySource {
    fn list(&self, folder: &str) -> Result<Option<Vec<Item>>, SourceError> {
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let mut items: BTreeMap<&str, ItemKind> = BTreeMap::new();
        for path in self.files.keys() {
            if let Some(rest) = path.strip_prefix(&prefix) {
                match rest.split_once('/') {
                    Some((name, _)) => items.insert(name, ItemKind::Folder),
                    None => items.insert(rest, ItemKind::File),
                };
            }
        }
        let item =
            |(name, kind): (&str, ItemKind)| Item { name: name.to_owned(), kind, linked: false };
        let items: Vec<Item> = items.into_iter().map(item).collect();
        Ok((folder.is_empty() || !items.is_empty()).then_some(items))
    }

    fn read(&self, path: &str, limit: usize) -> Result<Vec<u8>, SourceError> {
        let bytes = self.files.get(path).ok_or(SourceError::Missing)?;
        if bytes.len() > limit { Err(SourceError::TooLarge) } else { Ok(bytes.clone()) }
    }

    fn shown(&self, path: &str) -> String {
        path.to_owned()
    }
}
