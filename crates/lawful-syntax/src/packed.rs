//! A tree as bytes, for a host that keeps it to parse a text only once.
//!
//! A node is a tag, its place and its content; numbers are written in groups of seven bits, and
//! places relative to the one before.
//!
//! **Invariant:** unpacking what was packed gives the same tree with the same places. Other bytes give
//! `None` or some tree, never a panic, and no tree that is deeper than the limit.

use crate::{Entry, FileId, Kind, Node, Span};

const NULL: u8 = 0;
const FALSE: u8 = 1;
const TRUE: u8 = 2;
const INT: u8 = 3;
const FLOAT: u8 = 4;
const TEXT: u8 = 5;
const LIST: u8 = 6;
const MAP: u8 = 7;

/// Appends a tree. All of its places are in one file, which is not written.
pub fn pack(node: &Node, out: &mut Vec<u8>) {
    Packer { out, at: 0 }.node(node);
}

/// Takes a tree from the front of bytes. Its places are in this file. `None` if the bytes are not a
/// tree of at most this depth.
pub fn unpack(bytes: &mut &[u8], file: FileId, depth: usize) -> Option<Node> {
    let mut reader = Reader { bytes, file, at: 0 };
    let node = reader.node(depth)?;
    *bytes = reader.bytes;
    Some(node)
}

struct Packer<'o> {
    out: &'o mut Vec<u8>,
    /// Where the last place started.
    at: u32,
}

impl Packer<'_> {
    fn node(&mut self, node: &Node) {
        let tag = match &node.kind {
            Kind::Null => NULL,
            Kind::Bool(false) => FALSE,
            Kind::Bool(true) => TRUE,
            Kind::Int(_) => INT,
            Kind::Float(_) => FLOAT,
            Kind::Text(_) => TEXT,
            Kind::List(_) => LIST,
            Kind::Map(_) => MAP,
        };
        self.out.push(tag);
        self.span(node.span);
        match &node.kind {
            Kind::Null | Kind::Bool(_) => {}
            Kind::Int(value) => self.out.extend_from_slice(&value.to_le_bytes()),
            Kind::Float(value) => self.out.extend_from_slice(&value.to_bits().to_le_bytes()),
            Kind::Text(text) => self.text(text),
            Kind::List(items) => {
                self.number(items.len() as u64);
                for item in items {
                    self.node(item);
                }
            }
            Kind::Map(entries) => {
                self.number(entries.len() as u64);
                for Entry { key, key_span, value } in entries {
                    self.text(key);
                    self.span(*key_span);
                    self.node(value);
                }
            }
        }
    }

    /// The distance from the last start, with its sign in the lowest bit, and the length.
    fn span(&mut self, span: Span) {
        let forward = i64::from(span.start) - i64::from(self.at);
        self.number(forward.unsigned_abs() << 1 | u64::from(forward < 0));
        self.number(u64::from(span.end.saturating_sub(span.start)));
        self.at = span.start;
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.out.extend_from_slice(text.as_bytes());
    }

    fn number(&mut self, number: u64) {
        let mut rest = number;
        loop {
            let [low, ..] = rest.to_le_bytes();
            rest >>= 7;
            if rest == 0 {
                self.out.push(low & 0x7f);
                return;
            }
            self.out.push(low | 0x80);
        }
    }
}

struct Reader<'b> {
    bytes: &'b [u8],
    file: FileId,
    at: u32,
}

impl<'b> Reader<'b> {
    fn node(&mut self, depth: usize) -> Option<Node> {
        let depth = depth.checked_sub(1)?;
        let [tag, rest @ ..] = self.bytes else { return None };
        self.bytes = rest;
        let span = self.span()?;
        let kind = match *tag {
            NULL => Kind::Null,
            FALSE => Kind::Bool(false),
            TRUE => Kind::Bool(true),
            INT => Kind::Int(i64::from_le_bytes(self.eight()?)),
            FLOAT => Kind::Float(f64::from_bits(u64::from_le_bytes(self.eight()?))),
            TEXT => Kind::Text(self.text()?.into()),
            LIST => {
                let count = self.count()?;
                let mut items = Vec::with_capacity(count);
                for _ in 0..count {
                    items.push(self.node(depth)?);
                }
                Kind::List(items)
            }
            MAP => {
                let count = self.count()?;
                let mut entries = Vec::with_capacity(count);
                for _ in 0..count {
                    let key = self.text()?.into();
                    let key_span = self.span()?;
                    entries.push(Entry { key, key_span, value: self.node(depth)? });
                }
                Kind::Map(entries)
            }
            _ => return None,
        };
        Some(Node { kind, span })
    }

    fn span(&mut self) -> Option<Span> {
        let distance = self.number()?;
        let forward = u32::try_from(distance >> 1).ok()?;
        let start = if distance & 1 == 0 {
            self.at.checked_add(forward)?
        } else {
            self.at.checked_sub(forward)?
        };
        self.at = start;
        let end = start.checked_add(u32::try_from(self.number()?).ok()?)?;
        Some(Span { file: self.file, start, end })
    }

    fn text(&mut self) -> Option<&'b str> {
        let length = usize::try_from(self.number()?).ok()?;
        let (text, rest) = self.bytes.split_at_checked(length)?;
        self.bytes = rest;
        std::str::from_utf8(text).ok()
    }

    fn eight(&mut self) -> Option<[u8; 8]> {
        let (eight, rest) = self.bytes.split_first_chunk()?;
        self.bytes = rest;
        Some(*eight)
    }

    /// A number of items. Each has at least three bytes, so it asks for no more memory than there are
    /// bytes.
    fn count(&mut self) -> Option<usize> {
        let count = usize::try_from(self.number()?).ok()?;
        (count <= self.bytes.len() / 3).then_some(count)
    }

    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let [byte, rest @ ..] = self.bytes else { return None };
            self.bytes = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests;
