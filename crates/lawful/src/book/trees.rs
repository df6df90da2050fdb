//! The parsed documents of a bundle as bytes, so that a process that starts often parses them once.
//!
//! They belong to one bundle and to one build of the program, which the bytes name. Only documents
//! without any problem are in them; the others are parsed again, and report again.
//!
//! **Invariant:** a bundle loads to the same book with its trees and without them. Bytes that are
//! damaged, or that belong to something else, are no trees.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use lawful_syntax::{FileId, Limits, Node, pack, unpack};

use super::bundle::take;
use super::contents::{Book, Document};
use super::layout::Part;

/// The trees of the documents of a bundle.
#[derive(Clone, Debug)]
pub struct Trees {
    bytes: Arc<[u8]>,
    /// Where each tree is.
    files: Arc<BTreeMap<String, Range<usize>>>,
    limits: Limits,
}

const MAGIC: &[u8] = b"lawful trees 1\n";

impl Trees {
    /// The trees of a book as bytes. `program` identifies the build of the program, whose parser made
    /// them.
    pub fn pack(book: &Book, program: &str) -> Vec<u8> {
        let mut body = Vec::new();
        put(&mut body, book.fingerprint().as_bytes());
        put(&mut body, program.as_bytes());
        put(&mut body, &written(&book.manifest.limits.document));
        for document in &book.documents {
            let Some(node) = document.node.as_ref().filter(|_| is_packed(document)) else {
                continue;
            };
            let mut tree = Vec::new();
            pack(node, &mut tree);
            put(&mut body, document.path.as_bytes());
            put(&mut body, &tree);
        }
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&checksum(&body).to_le_bytes());
        bytes.extend_from_slice(&body);
        bytes
    }

    /// Reads the trees of the bundle with a fingerprint, which this build of the program packed.
    pub fn read(bytes: Vec<u8>, fingerprint: &str, program: &str) -> Option<Self> {
        let body = bytes.strip_prefix(MAGIC)?;
        let (sum, body) = body.split_first_chunk::<8>()?;
        if u64::from_le_bytes(*sum) != checksum(body) {
            return None;
        }
        let mut rest = bytes.len() - body.len()..bytes.len();
        let mut next = || take(&bytes, &mut rest);
        if bytes.get(next()?)? != fingerprint.as_bytes()
            || bytes.get(next()?)? != program.as_bytes()
        {
            return None;
        }
        let limits = read(bytes.get(next()?)?)?;
        let mut files = BTreeMap::new();
        while let Some(path) = next() {
            let path = std::str::from_utf8(bytes.get(path)?).ok()?;
            files.insert(path.to_owned(), next()?);
        }
        Some(Self { bytes: bytes.into(), files: Arc::new(files), limits })
    }

    /// The tree of a document that is parsed within these limits.
    pub(super) fn tree(&self, path: &str, file: FileId, limits: &Limits) -> Option<Node> {
        if *limits != self.limits {
            return None;
        }
        let mut bytes = self.bytes.get(self.files.get(path)?.clone())?;
        // A collection may be as deep as the limit, and a scalar is inside it.
        let node = unpack(&mut bytes, file, limits.depth.saturating_add(1))?;
        bytes.is_empty().then_some(node)
    }
}

/// Whether a document is kept as a tree. The manifest is not: it decides the limits of the others.
fn is_packed(document: &Document) -> bool {
    document.problems.is_empty()
        && document.page.is_none()
        && !matches!(document.part, Part::Manifest | Part::Scenario | Part::Envelope)
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

fn written(limits: &Limits) -> Vec<u8> {
    let Limits { bytes, depth, aliases } = *limits;
    [bytes, depth, aliases].iter().flat_map(|limit| (*limit as u64).to_le_bytes()).collect()
}

fn read(written: &[u8]) -> Option<Limits> {
    let (words, []) = written.as_chunks::<8>() else { return None };
    let [bytes, depth, aliases] = words else { return None };
    let number = |word: &[u8; 8]| usize::try_from(u64::from_le_bytes(*word)).ok();
    Some(Limits { bytes: number(bytes)?, depth: number(depth)?, aliases: number(aliases)? })
}

fn put(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
    out.extend_from_slice(bytes);
}

#[cfg(test)]
mod tests;
