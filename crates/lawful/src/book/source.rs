//! Where the files of a lawbook come from.

use std::collections::BTreeMap;
use std::sync::Arc;

use lawful_syntax::{FileId, Limits, Node};

/// A tree of files. Paths are relative to the book and use `/`; the empty path is the book itself.
pub trait Source {
    /// The items of a folder, sorted by name; `None` if the folder does not exist.
    fn list(&self, folder: &str) -> Result<Option<Vec<Item>>, SourceError>;

    /// The bytes of a file, up to `limit`.
    fn read(&self, path: &str, limit: usize) -> Result<Vec<u8>, SourceError>;

    /// A path as diagnostics display it.
    fn shown(&self, path: &str) -> String;

    /// A stamp that changes whenever the bytes of a file change, or the items of a folder that are
    /// not [links](Item::linked). A file or folder with an unchanged stamp is not read again, so a
    /// source that cannot guarantee this returns `None`.
    fn stamp(&self, _path: &str) -> Option<Stamp> {
        None
    }

    /// The tree of a data file that parses within these limits without any problem, if the source has
    /// kept it. Its places are in `file`.
    fn tree(&self, _path: &str, _file: FileId, _limits: &Limits) -> Option<Node> {
        None
    }
}

/// An identifier of the bytes of a file: a version, a digest or metadata.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp(Arc<[u8]>);

impl Stamp {
    /// A stamp from bytes that identify the content.
    pub fn new(mark: impl Into<Arc<[u8]>>) -> Self {
        Self(mark.into())
    }

    /// The bytes that identify the content.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// An item of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: ItemKind,
    /// Whether it is a symbolic link, whose target can change without the folder.
    pub linked: bool,
}

/// The kind of an item, with symbolic links to files followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// A file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link that leaves the book.
    Outside,
    /// A pipe, a device, a dangling link, a link to a folder, or a name that is not UTF-8.
    Other,
}

/// Why a source cannot read a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// It does not exist.
    #[error("there is no such file")]
    Missing,
    /// It is a folder, a pipe or a device.
    #[error("it is not a file")]
    NotAFile,
    /// It is outside the book.
    #[error("it leads out of the lawbook")]
    Outside,
    /// It has more bytes than the limit.
    #[error("it is larger than the limit")]
    TooLarge,
    /// The system returned another error.
    #[error("{0}")]
    Unreadable(String),
}

/// A lawbook in memory, for tests and for hosts that store it elsewhere.
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
