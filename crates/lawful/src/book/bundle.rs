//! A lawbook as one sequence of bytes: the texts that decide, with their paths.
//!
//! The SHA-256 of the bytes is the fingerprint of the book, so a stored bundle can be verified
//! without knowing where it came from. Scenarios are left out: they test the rules and never decide.
//!
//! **Invariant:** a bundle loads to a book with the same fingerprint. It does not depend on the
//! location of the book, on line endings, on file times or on the order in which files were read.

use std::collections::BTreeMap;
use std::ops::{Bound, Range};
use std::sync::Arc;

use lawful_syntax::{File, FileId, Limits, Node};
use sha2::{Digest as _, Sha256};

use super::contents::{Book, hexadecimal};
use super::layout::Part;
use super::source::{Item, ItemKind, Source, SourceError, Stamp};
use super::trees::Trees;

/// The texts of a lawbook, with their paths. It is a [`Source`].
#[derive(Clone, Debug)]
pub struct Bundle {
    bytes: Arc<Vec<u8>>,
    /// Where each text is.
    files: Arc<BTreeMap<String, Range<usize>>>,
    fingerprint: String,
    /// The prefix of displayed paths.
    shown: String,
    /// What the texts parse to, if that was kept.
    trees: Option<Trees>,
}

/// Bytes that are not a bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it is not a bundle of a lawbook")]
pub struct NotABundle;

impl Bundle {
    /// The bundle of a loaded book.
    pub fn of(book: &Book) -> Self {
        let mut bytes = Vec::new();
        let mut files = BTreeMap::new();
        for (path, text) in texts(book) {
            put(&mut bytes, path);
            put(&mut bytes, text);
            files.insert(path.to_owned(), bytes.len() - text.len()..bytes.len());
        }
        Self::new(bytes, files)
    }

    /// Reads a bundle. The caller compares its [fingerprint](Self::fingerprint).
    pub fn read(bytes: Vec<u8>) -> Result<Self, NotABundle> {
        let mut files = BTreeMap::new();
        let mut rest = 0..bytes.len();
        while !rest.is_empty() {
            let path = take(&bytes, &mut rest).ok_or(NotABundle)?;
            let text = take(&bytes, &mut rest).ok_or(NotABundle)?;
            let path = bytes.get(path).and_then(|path| std::str::from_utf8(path).ok());
            let path = path.filter(|path| is_relative(path)).ok_or(NotABundle)?;
            // Sorted paths make the encoding of a book unique.
            if files.last_key_value().is_some_and(|(last, _): (&String, _)| **last >= *path) {
                return Err(NotABundle);
            }
            files.insert(path.to_owned(), text);
        }
        Ok(Self::new(bytes, files))
    }

    fn new(bytes: Vec<u8>, files: BTreeMap<String, Range<usize>>) -> Self {
        let fingerprint = hexadecimal(&Sha256::digest(&bytes));
        let (bytes, files) = (Arc::new(bytes), Arc::new(files));
        Self { bytes, files, fingerprint, shown: String::new(), trees: None }
    }

    /// Adds what its texts parse to, so that loading does not parse them again. The trees must have
    /// been [read](Trees::read) for the fingerprint of this bundle.
    #[must_use]
    pub fn with_trees(mut self, trees: Option<Trees>) -> Self {
        self.trees = trees;
        self
    }

    /// Sets the folder that diagnostics name its files by.
    #[must_use]
    pub fn shown_in(mut self, folder: &str) -> Self {
        self.shown = match folder {
            "" | "." => String::new(),
            folder => format!("{}/", folder.trim_end_matches('/')),
        };
        self
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The SHA-256 of the bytes, in hexadecimal: the fingerprint of the book.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// Every file with its bytes, sorted by path.
    pub fn files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.files.iter().map(|(path, range)| (&**path, self.slice(range)))
    }

    /// The bytes of a file.
    pub fn file(&self, path: &str) -> Option<&[u8]> {
        self.files.get(path).map(|range| self.slice(range))
    }

    fn slice(&self, range: &Range<usize>) -> &[u8] {
        self.bytes.get(range.clone()).unwrap_or_default()
    }
}

/// The fingerprint of a book, without its bundle.
pub(super) fn fingerprint(book: &Book) -> String {
    let mut hash = Sha256::new();
    for part in texts(book).into_iter().flat_map(|(path, text)| [path, text]) {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    hexadecimal(&hash.finalize())
}

/// The texts that decide, by path.
fn texts(book: &Book) -> BTreeMap<&str, &str> {
    let decides = |part: Part| !matches!(part, Part::Scenario | Part::Envelope);
    let documents = book.documents.iter().filter(|document| decides(document.part));
    let text = |file| book.sources.file(file).map_or("", File::text);
    documents.map(|document| (&*document.path, text(document.file))).collect()
}

/// Appends a text. The length prefix makes the encoding unambiguous.
fn put(bytes: &mut Vec<u8>, text: &str) {
    bytes.extend_from_slice(&(text.len() as u64).to_le_bytes());
    bytes.extend_from_slice(text.as_bytes());
}

/// Removes a text from the front of what is left, and returns where it is.
fn take(bytes: &[u8], rest: &mut Range<usize>) -> Option<Range<usize>> {
    let (length, _) = bytes.get(rest.clone())?.split_first_chunk::<8>()?;
    let start = rest.start + 8;
    let end = start.checked_add(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
    (end <= rest.end).then(|| {
        rest.start = end;
        start..end
    })
}

/// Whether a path can be one in a book.
fn is_relative(path: &str) -> bool {
    path.split('/').all(|part| !matches!(part, "" | "." | ".."))
}

impl Source for Bundle {
    fn list(&self, folder: &str) -> Result<Option<Vec<Item>>, SourceError> {
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let start = Bound::Included(prefix.as_str());
        let inside = self.files.range::<str, _>((start, Bound::Unbounded));
        let inside = inside.map_while(|(path, _)| path.strip_prefix(&*prefix));
        let mut items: Vec<Item> = Vec::new();
        for rest in inside {
            let (name, kind) = match rest.split_once('/') {
                Some((name, _)) => (name, ItemKind::Folder),
                None => (rest, ItemKind::File),
            };
            if items.last().is_none_or(|last| last.name != name) {
                items.push(Item { name: name.to_owned(), kind, linked: false });
            }
        }
        // Paths sort by their bytes, and `/` is not the lowest.
        items.sort_by(|a, b| a.name.cmp(&b.name));
        Ok((folder.is_empty() || !items.is_empty()).then_some(items))
    }

    fn read(&self, path: &str, limit: usize) -> Result<Vec<u8>, SourceError> {
        let bytes = self.file(path).ok_or(SourceError::Missing)?;
        if bytes.len() > limit { Err(SourceError::TooLarge) } else { Ok(bytes.to_vec()) }
    }

    fn shown(&self, path: &str) -> String {
        match (path, self.shown.trim_end_matches('/')) {
            ("", "") => ".".to_owned(),
            ("", folder) => folder.to_owned(),
            (path, _) => [&self.shown, path].concat(),
        }
    }

    fn stamp(&self, path: &str) -> Option<Stamp> {
        self.files.contains_key(path).then(|| Stamp::new(self.fingerprint.as_bytes()))
    }

    fn tree(&self, path: &str, file: FileId, limits: &Limits) -> Option<Node> {
        self.trees.as_ref()?.tree(path, file, limits)
    }
}

#[cfg(test)]
mod tests;
