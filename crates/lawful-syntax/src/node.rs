//! The tree of a document, with spans.

use std::fmt::Write as _;

use crate::{Span, escape};

/// A value and its place.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is.
    pub kind: Kind,
    /// Where it is.
    pub span: Span,
}

/// The kind of a node. Numbers are exact integers or finite floats.
#[derive(Clone, Debug)]
pub enum Kind {
    /// `null`, `~` or an empty value.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A finite number that is not written as an integer.
    Float(f64),
    /// Text.
    Text(Box<str>),
    /// A list.
    List(Vec<Node>),
    /// A mapping, in the order it was written.
    Map(Vec<Entry>),
}

/// A key and its value.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The key.
    pub key: Box<str>,
    /// The place of the key.
    pub key_span: Span,
    /// The value.
    pub value: Node,
}

impl Node {
    /// A node without a place, for trees built in code.
    pub fn unplaced(kind: Kind) -> Self {
        Self { kind, span: Span::NONE }
    }

    /// Text with a place.
    pub fn text(text: impl Into<Box<str>>, span: Span) -> Self {
        Self { kind: Kind::Text(text.into()), span }
    }

    /// The text of a string.
    pub fn as_text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Text(text) => Some(text),
            Kind::Null | Kind::Bool(_) | Kind::Int(_) | Kind::Float(_) => None,
            Kind::List(_) | Kind::Map(_) => None,
        }
    }

    /// The elements of a list.
    pub fn as_list(&self) -> Option<&[Node]> {
        if let Kind::List(items) = &self.kind { Some(items) } else { None }
    }

    /// The entries of a mapping.
    pub fn as_map(&self) -> Option<&[Entry]> {
        if let Kind::Map(entries) = &self.kind { Some(entries) } else { None }
    }

    /// Whether it is null.
    pub fn is_null(&self) -> bool {
        matches!(self.kind, Kind::Null)
    }

    /// The value of a key in a mapping.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.as_map()?.iter().find(|entry| &*entry.key == key).map(|entry| &entry.value)
    }

    /// The kind of value, with its article: "a string", "null".
    pub fn kind_name(&self) -> &'static str {
        match self.kind {
            Kind::Null => "null",
            Kind::Bool(_) => "a boolean",
            Kind::Int(_) | Kind::Float(_) => "a number",
            Kind::Text(_) => "a string",
            Kind::List(_) => "a list",
            Kind::Map(_) => "a mapping",
        }
    }

    /// The value as messages show it: compact and truncated.
    pub fn describe(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, 60);
        escape::shorten(&out, 60).into_owned()
    }

    fn write(&self, out: &mut String, room: usize) {
        if out.len() > room * 4 {
            return;
        }
        match &self.kind {
            Kind::Null => out.push_str("null"),
            Kind::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Kind::Int(value) => {
                let _ = write!(out, "{value}");
            }
            Kind::Float(value) => {
                let _ = write!(out, "{value:?}");
            }
            Kind::Text(text) => {
                out.push('"');
                out.push_str(&escape::shorten(text, room));
                out.push('"');
            }
            Kind::List(items) => {
                out.push('[');
                for (at, item) in items.iter().enumerate() {
                    out.push_str(if at == 0 { "" } else { ", " });
                    item.write(out, room);
                }
                out.push(']');
            }
            Kind::Map(entries) => {
                out.push('{');
                for (at, entry) in entries.iter().enumerate() {
                    out.push_str(if at == 0 { "" } else { ", " });
                    out.push_str(&escape::shorten(&entry.key, room));
                    out.push_str(": ");
                    entry.value.write(out, room);
                }
                out.push('}');
            }
        }
    }
}

/// Nodes are equal if they are written the same. Places and key order do not matter, and an integer
/// is not equal to a float.
impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        match (&self.kind, &other.kind) {
            (Kind::Null, Kind::Null) => true,
            (Kind::Bool(a), Kind::Bool(b)) => a == b,
            (Kind::Int(a), Kind::Int(b)) => a == b,
            (Kind::Float(a), Kind::Float(b)) => a == b,
            (Kind::Text(a), Kind::Text(b)) => a == b,
            (Kind::List(a), Kind::List(b)) => a == b,
            (Kind::Map(a), Kind::Map(b)) => {
                a.len() == b.len()
                    && a.iter().all(|entry| other.get(&entry.key) == Some(&entry.value))
            }
            (
                Kind::Null
                | Kind::Bool(_)
                | Kind::Int(_)
                | Kind::Float(_)
                | Kind::Text(_)
                | Kind::List(_)
                | Kind::Map(_),
                _,
            ) => false,
        }
    }
}
