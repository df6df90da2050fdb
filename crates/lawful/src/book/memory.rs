//! What a load keeps for the next one.
//!
//! **Invariant:** what is taken over is what would be read, parsed and decoded again. A document is
//! taken over when its bytes, its place and the limits it was parsed under are the same; what was
//! worked out of documents, when they were taken over.

use std::collections::BTreeMap;
use std::sync::Arc;

use lawful_syntax::{Diagnostic, File, FileId, Limits, Sources};

use super::conditions::Conditions;
use super::contents::Document;
use super::layout::Written;
use super::load::Options;
use super::manifest::Manifest;
use super::parse::Place;
use super::source::{Item, Stamp};

/// Everything that is kept. The book has copies of its own, which its owner may change.
#[derive(Debug)]
pub(super) struct Memory {
    pub options: Options,
    pub sources: Sources,
    pub files: BTreeMap<Box<str>, Known>,
    pub folders: BTreeMap<Box<str>, Listed>,
    pub manifest: Decoded,
    pub conditions: Conditions,
}

/// The manifest, and what is wrong with it.
#[derive(Clone, Debug)]
pub(super) struct Decoded {
    pub document: Arc<Document>,
    pub manifest: Manifest,
    pub problems: Vec<Diagnostic>,
}

/// A path of the book that has been named, to the user or in a document.
#[derive(Debug)]
pub(super) struct Known {
    pub file: FileId,
    /// What was read there, if anything was.
    pub read: Option<Read>,
}

/// The items of a folder, if its stamp tells when they change.
#[derive(Clone, Debug)]
pub(super) struct Listed {
    pub stamp: Stamp,
    pub items: Arc<[Item]>,
}

/// A file that was read, and the document it is.
#[derive(Clone, Debug)]
pub(super) struct Read {
    /// What the source said of the file before it was read.
    pub stamp: Option<Stamp>,
    /// Its bytes, where they are not those of the text.
    pub raw: Option<Arc<[u8]>>,
    pub written: Option<Written>,
    pub limits: Limits,
    pub document: Arc<Document>,
}

impl Read {
    /// Whether the same bytes at this place make the same document.
    pub(super) fn fits(&self, place: Place<'_>, limits: &Limits) -> bool {
        self.document.part == place.part && self.written == place.written && self.limits == *limits
    }
}

impl Memory {
    /// What was read at a path, and its bytes.
    pub(super) fn read(&self, path: &str) -> Option<(&Read, &[u8])> {
        let read = self.files.get(path)?.read.as_ref()?;
        let text = || self.sources.file(read.document.file).map_or("", File::text).as_bytes();
        Some((read, read.raw.as_deref().unwrap_or_else(text)))
    }
}
