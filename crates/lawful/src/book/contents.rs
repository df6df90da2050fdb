//! The result of a load: a book and its documents.

use std::fmt::Write as _;
use std::sync::Arc;

use lawful_syntax::{Diagnostic, FileId, Node, Page, Sources, Span};

use super::bundle;
use super::layout::{FOLDERS, Part};
use super::manifest::Manifest;
use super::memory::Memory;
use crate::code;
use crate::cond::Registry;

/// A lawbook, loaded.
#[derive(Clone, Debug)]
pub struct Book {
    /// The manifest, with defaults for keys that have errors.
    pub manifest: Manifest,
    /// Every document that was read, in the order of the layout.
    pub documents: Vec<Arc<Document>>,
    /// Built-in operators, the host's primitives and the book's saved conditions.
    pub registry: Registry,
    /// The texts that diagnostics point into.
    pub sources: Sources,
    /// Whether every file of the book could be read from the source.
    pub complete: bool,
    /// The cache of the load that the book comes from.
    pub(super) memory: Arc<Memory>,
}

impl Book {
    /// The SHA-256 of the paths and texts of all documents but scenarios, in hexadecimal: that of its
    /// [`Bundle`](super::Bundle). It does not depend on the location of the book, on line endings or on
    /// the order of reading.
    pub fn fingerprint(&self) -> String {
        bundle::fingerprint(self)
    }

    /// The kind of document that a file would be that could not be read, by its folder.
    pub(crate) fn part_of_unread(&self, file: FileId) -> Option<Part> {
        let known = self.memory.files.iter().find(|(_, known)| known.file == file);
        let folder = known.and_then(|(path, _)| path.split('/').next())?;
        FOLDERS.iter().find(|known| known.name == folder).map(|known| known.part)
    }

    /// Whether it has guards or rules and no settings for the stop. Then it verifies nothing without a
    /// rulespec. One with neither, or with settings for the stop, was meant to verify.
    pub fn only_acts_live(&self) -> bool {
        let acts = |part: Part| matches!(part, Part::Guards | Part::Rules);
        let has_live = self.documents.iter().any(|document| acts(document.part));
        self.manifest.hooks.stop_at.is_none() && has_live
    }

    /// Whether a reloaded book shares all documents of these parts with another: the same ones, not
    /// merely equal ones. Then everything compiled from them is still valid.
    pub fn shares(&self, other: &Self, parts: &[Part]) -> bool {
        let of = |book: &Self| -> Vec<*const Document> {
            let wanted = book.documents.iter().filter(|document| parts.contains(&document.part));
            wanted.map(Arc::as_ptr).collect()
        };
        of(self) == of(other)
    }
}

/// Bytes in hexadecimal.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

/// One file of a lawbook.
#[derive(Debug)]
pub struct Document {
    /// Its path in the book.
    pub path: String,
    /// Its kind.
    pub part: Part,
    /// Its text.
    pub file: FileId,
    /// The tree of a data document; `None` for a page, for plain text, or if it does not parse.
    pub node: Option<Node>,
    /// The parts of a page.
    pub page: Option<Page>,
    /// Whether it was read and parsed without errors.
    pub sound: bool,
    /// Problems found while reading and parsing it.
    pub problems: Vec<Diagnostic>,
}

impl Document {
    /// The page and its front matter, for a page that requires an `id`; reports missing front
    /// matter.
    pub(crate) fn with_front(
        &self,
        what: &str,
        problems: &mut Vec<Diagnostic>,
    ) -> Option<(&Page, &Node)> {
        let page = self.page.as_ref()?;
        if page.front.is_none() && self.sound {
            let name = what.rsplit(' ').next().unwrap_or(what);
            let message = format!("{what} is missing the key `id`");
            problems.push(
                Diagnostic::new(&code::MISSING_KEY, Span::start_of(self.file), message).help(
                    format!("start the file with the lines `---`, `id: my-{name}` and `---`"),
                ),
            );
        }
        Some((page, page.front.as_ref()?))
    }
}
