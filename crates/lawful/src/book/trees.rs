//! The parsed documents of a bundle as bytes, so that a process that starts often parses them once.
//!
//! They belong to one bundle and to one build of the program, which the bytes name. Documents of
//! guards and rules are kept item by item, each with what can [reach](super::part) it.
//!
//! **Invariant:** a bundle loads to the same book with its trees and without them. A document with any
//! problem is parsed again, and reports again. Bytes that are damaged, or that belong to something
//! else, are no trees.

mod pack;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use lawful_syntax::{FileId, Limits, Node, unpack};

use super::items::{Slot, put_back};
use super::layout::Part;
use super::packing::{take, take_byte, take_text};

/// The trees of the documents of a bundle.
#[derive(Clone, Debug)]
pub struct Trees {
    bytes: Arc<Vec<u8>>,
    pub(super) limits: Limits,
    pub(super) documents: Arc<Vec<PackedDocument>>,
    /// What is known of the whole book; `None` if it has errors.
    facts: Option<Range<usize>>,
    by_path: Arc<OnceLock<BTreeMap<String, usize>>>,
}

/// A document of a bundle.
#[derive(Clone, Debug)]
pub(super) struct PackedDocument {
    path: Range<usize>,
    pub part: Part,
    /// Whether it has no problem, so that it need not be parsed.
    clean: bool,
    /// Its tree, if it has one.
    tree: Option<Range<usize>>,
}

impl PackedDocument {
    /// Whether it has a tree.
    pub(super) fn has_tree(&self) -> bool {
        self.tree.is_some()
    }
}

/// An item of a document.
pub(super) struct PackedItem<'b> {
    slot: Slot,
    /// What can reach it.
    pub reach: &'b [u8],
    /// The numbers of the rules that it needs.
    pub needs: &'b [u8],
    tree: &'b [u8],
}

const MAGIC: &[u8] = b"lawful trees 2\n";

/// The parts of a book by their numbers. Scenarios and their envelopes are not in a bundle.
const PARTS: [Part; 9] = [
    Part::Manifest,
    Part::Fragment,
    Part::Composition,
    Part::Conditions,
    Part::Rules,
    Part::Entry,
    Part::Conditioning,
    Part::Rulespec,
    Part::Guards,
];

impl Trees {
    /// Reads the trees of the bundle with a fingerprint, which this build of the program packed.
    pub fn read(bytes: Vec<u8>, fingerprint: &str, program: &str) -> Option<Self> {
        let body = bytes.strip_prefix(MAGIC)?;
        let (sum, body) = body.split_first_chunk::<8>()?;
        if u64::from_le_bytes(*sum) != checksum(body) {
            return None;
        }
        let mut rest = body;
        let rest = &mut rest;
        if take(rest)? != fingerprint.as_bytes() || take(rest)? != program.as_bytes() {
            return None;
        }
        let limits = read_limits(take(rest)?)?;
        let within = |part: &[u8], rest: &[u8]| {
            let end = bytes.len() - rest.len();
            end - part.len()..end
        };
        let facts = take(rest)?;
        let facts = (!facts.is_empty()).then(|| within(facts, rest));
        let mut documents = Vec::new();
        while !rest.is_empty() {
            let path = take(rest)?;
            let path = within(path, rest);
            let part = *PARTS.get(usize::from(take_byte(rest)?))?;
            let clean = take_byte(rest)? == 1;
            let tree = take(rest)?;
            let tree = (!tree.is_empty()).then(|| within(tree, rest));
            documents.push(PackedDocument { path, part, clean, tree });
        }
        let (documents, by_path) = (Arc::new(documents), Arc::default());
        Some(Self { bytes: Arc::new(bytes), limits, documents, facts, by_path })
    }

    /// The tree of a document that is parsed within these limits.
    pub(super) fn tree(&self, path: &str, file: FileId, limits: &Limits) -> Option<Node> {
        if *limits != self.limits {
            return None;
        }
        let by_path = self.by_path.get_or_init(|| {
            let all = self.documents.iter().enumerate();
            all.filter_map(|(at, document)| Some((self.path(document)?.to_owned(), at))).collect()
        });
        let document = self.documents.get(*by_path.get(path)?)?;
        document.clean.then(|| self.tree_of(document, file, |_| true))?
    }

    /// The path of a document.
    pub(super) fn path(&self, document: &PackedDocument) -> Option<&str> {
        std::str::from_utf8(self.bytes.get(document.path.clone())?).ok()
    }

    /// What is known of the whole book.
    pub(super) fn facts(&self) -> Option<&[u8]> {
        self.bytes.get(self.facts.clone()?)
    }

    /// The tree of a document, with the items that are wanted.
    pub(super) fn tree_of(
        &self,
        document: &PackedDocument,
        file: FileId,
        mut wanted: impl FnMut(&PackedItem<'_>) -> bool,
    ) -> Option<Node> {
        // A collection may be as deep as the limit, and a scalar is inside it.
        let depth = self.limits.depth.saturating_add(1);
        let whole = |mut bytes: &[u8]| unpack(&mut bytes, file, depth).filter(|_| bytes.is_empty());
        let bytes = self.bytes.get(document.tree.clone()?)?;
        if !has_items(document.part) {
            return whole(bytes);
        }
        let mut rest = bytes;
        let mut node = whole(take(&mut rest)?)?;
        while !rest.is_empty() {
            let item = item(&mut rest)?;
            if wanted(&item) {
                put_back(&mut node, item.slot, whole(item.tree)?)?;
            }
        }
        Some(node)
    }

    /// Calls a function with every item of the documents of one part; `None` if they cannot be read.
    pub(super) fn each_item(&self, part: Part, mut see: impl FnMut(&PackedItem<'_>)) -> Option<()> {
        for document in self.documents.iter().filter(|document| document.part == part) {
            let Some(tree) = document.tree.clone() else { continue };
            let mut rest = self.bytes.get(tree)?;
            take(&mut rest)?;
            while !rest.is_empty() {
                see(&item(&mut rest)?);
            }
        }
        Some(())
    }
}

fn item<'b>(rest: &mut &'b [u8]) -> Option<PackedItem<'b>> {
    let slot = take_byte(rest)?;
    Some(PackedItem { slot, reach: take(rest)?, needs: take(rest)?, tree: take(rest)? })
}

/// Whether the documents of a part are kept item by item.
fn has_items(part: Part) -> bool {
    matches!(part, Part::Guards | Part::Rules)
}

/// Detects damage, not malice: who can write this file can also write the registration of a lawbook.
fn checksum(bytes: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |sum: u64, word: u64| (sum ^ word).wrapping_mul(FACTOR).rotate_left(29);
    let (words, rest) = bytes.as_chunks::<8>();
    let sum =
        words.iter().fold(bytes.len() as u64, |sum, word| mix(sum, u64::from_le_bytes(*word)));
    rest.iter().fold(sum, |sum, byte| mix(sum, u64::from(*byte)))
}

fn read_limits(written: &[u8]) -> Option<Limits> {
    let (words, []) = written.as_chunks::<8>() else { return None };
    let [bytes, depth, aliases] = words else { return None };
    let number = |word: &[u8; 8]| usize::try_from(u64::from_le_bytes(*word)).ok();
    Some(Limits { bytes: number(bytes)?, depth: number(depth)?, aliases: number(aliases)? })
}

/// The numbers of rules, as an item has them.
pub(super) fn numbers(needs: &[u8]) -> impl Iterator<Item = usize> {
    needs.as_chunks::<4>().0.iter().map(|number| u32::from_le_bytes(*number) as usize)
}

/// What is known of a whole book: flags, and texts.
pub(super) struct Facts<'b> {
    pub has_rules: bool,
    pub reads_state: bool,
    pub has_shell: bool,
    /// The variables whose values may stand in the system layer.
    pub trusted: Vec<&'b str>,
    /// The names of variables that the book uses.
    pub names: Vec<&'b str>,
}

impl<'b> Facts<'b> {
    pub(super) fn read(bytes: &'b [u8]) -> Option<Self> {
        let mut rest = bytes;
        let rest = &mut rest;
        let mut flag = || Some(take_byte(rest)? == 1);
        let (has_rules, reads_state, has_shell) = (flag()?, flag()?, flag()?);
        let texts = |mut bytes: &'b [u8]| {
            let mut texts = Vec::new();
            while !bytes.is_empty() {
                texts.push(take_text(&mut bytes)?);
            }
            Some(texts)
        };
        let (trusted, names) = (texts(take(rest)?)?, texts(take(rest)?)?);
        Some(Self { has_rules, reads_state, has_shell, trusted, names })
    }
}

#[cfg(test)]
mod tests;
