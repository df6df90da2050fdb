//! The cache that a load keeps for the next one.
//!
//! **Invariant:** reusing a cached result and computing it again give the same result. A document
//! is reused if its bytes, its path and its limits are unchanged. A derived result is reused if all
//! of its documents are.

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

/// The cache. The book has its own copies, which its owner may change.
#[derive(Debug)]
pub(super) struct Memory {
    pub options: Options,
    pub sources: Sources,
    pub files: BTreeMap<Box<str>, Known>,
    pub folders: BTreeMap<Box<str>, Listed>,
    pub manifest: Decoded,
    pub conditions: Conditions,
}

/// The manifest and its problems.
#[derive(Clone, Debug)]
pub(super) struct Decoded {
    pub document: Arc<Document>,
    pub manifest: Manifest,
    pub problems: Vec<Diagnostic>,
}

/// A path of the book that has an id.
#[derive(Debug)]
pub(super) struct Known {
    pub file: FileId,
    /// What was read there, if anything.
    pub read: Option<Read>,
}

/// The items of a folder that has a stamp.
#[derive(Clone, Debug)]
pub(super) struct Listed {
    pub stamp: Stamp,
    pub items: Arc<[Item]>,
}

/// A file that was read, and its document.
#[derive(Clone, Debug)]
pub(super) struct Read {
    /// The stamp of the file before it was read.
    pub stamp: Option<Stamp>,
    /// Its bytes, if they differ from the text.
    pub raw: Option<Arc<[u8]>>,
    pub written: Option<Written>,
    pub limits: Limits,
    pub document: Arc<Document>,
}

impl Read {
    /// Whether unchanged bytes give the same document here.
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
