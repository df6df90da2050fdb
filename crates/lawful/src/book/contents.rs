//! What a load comes to: a book and its documents.

use std::fmt::Write as _;
use std::sync::Arc;

use lawful_syntax::{Diagnostic, File, FileId, Node, Page, Sources, Span};
use sha2::{Digest as _, Sha256};

use super::layout::Part;
use super::manifest::Manifest;
use super::memory::Memory;
use crate::code;
use crate::cond::Registry;

/// A lawbook, loaded.
#[derive(Debug)]
pub struct Book {
    /// What `lawful.yaml` says; the defaults where it could not be read as meant.
    pub manifest: Manifest,
    /// Every document that was read, in the order of the layout.
    pub documents: Vec<Arc<Document>>,
    /// Built-in operators, the host's primitives and the book's saved conditions.
    pub registry: Registry,
    /// The texts that diagnostics point into.
    pub sources: Sources,
    /// Whether every file of the book could be read from the source.
    pub complete: bool,
    pub(super) memory: Memory,
}

impl Book {
    /// A mark of everything that was read, by which two books can be told apart: the SHA-256 of
    /// the paths and texts of all documents, in hexadecimal. It does not depend on where the book
    /// is, nor on how its lines end.
    pub fn fingerprint(&self) -> String {
        let mut hash = Sha256::new();
        for document in &self.documents {
            let text = self.sources.file(document.file).map_or("", File::text);
            for part in [&*document.path, text] {
                // With its length before it, no part can pass for another.
                hash.update((part.len() as u64).to_le_bytes());
                hash.update(part.as_bytes());
            }
        }
        hash.finalize().iter().fold(String::new(), |mut out, byte| {
            let _ = write!(out, "{byte:02x}");
            out
        })
    }

    /// Whether a book that was reloaded has exactly the documents of these parts that another has:
    /// the same ones, not merely equal ones. What was worked out of them then still holds.
    pub fn shares(&self, other: &Self, parts: &[Part]) -> bool {
        let of = |book: &Self| -> Vec<*const Document> {
            let wanted = book.documents.iter().filter(|document| parts.contains(&document.part));
            wanted.map(Arc::as_ptr).collect()
        };
        of(self) == of(other)
    }
}

/// One file of a lawbook.
#[derive(Debug)]
pub struct Document {
    /// Its path in the book.
    pub path: String,
    /// What it is.
    pub part: Part,
    /// Its text.
    pub file: FileId,
    /// The tree of a data document; `None` for a page or plain text, or where there is no tree.
    pub node: Option<Node>,
    /// The parts of a page.
    pub page: Option<Page>,
    /// Whether it was read and parsed without errors.
    pub sound: bool,
    /// What reading and parsing it found.
    pub problems: Vec<Diagnostic>,
}

impl Document {
    /// The page and its front matter, for a kind of page that has an `id`; what is missing is said.
    pub(crate) fn with_front(
        &self,
        what: &str,
        problems: &mut Vec<Diagnostic>,
    ) -> Option<(&Page, &Node)> {
        let page = self.page.as_ref()?;
        if page.front.is_none() && self.sound {
            let name = what.rsplit(' ').next().unwrap_or(what);
            let message = format!("{what} needs the key `id`");
            problems.push(
                Diagnostic::new(&code::MISSING_KEY, Span::start_of(self.file), message)
                    .help(format!("start the file with a line `---`, `id: my-{name}` and `---`")),
            );
        }
        Some((page, page.front.as_ref()?))
    }
}
