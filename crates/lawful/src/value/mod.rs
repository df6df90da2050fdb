//! Values: the data of documents, contexts, sessions and envelopes.
//!
//! **Null is absent.** A null, a missing key and an index past the end are equivalent, so no lookup
//! returns null. There is no coercion: a number never equals a string, and integers and floats
//! compare exactly.

mod convert;
mod map;
mod number;
mod serializer;

use std::fmt;

use lawful_syntax::{Kind, Node, Span, Tree};
use serde::{Serialize, Serializer};

pub(crate) use convert::read_text;
pub use map::Map;
pub(crate) use map::{FirstPlace, is_same};
pub use number::Number;

/// A value.
#[derive(Clone, Debug, Default)]
pub enum Value {
    /// Null, which counts as absent.
    #[default]
    Null,
    /// A boolean.
    Bool(bool),
    /// A number.
    Number(Number),
    /// Text.
    Text(Box<str>),
    /// A list.
    List(Vec<Value>),
    /// An object.
    Map(Map),
}

impl Value {
    /// The value of a node, without the places.
    pub fn from_node(node: &Node) -> Self {
        match &node.kind {
            Kind::Null => Self::Null,
            Kind::Bool(value) => Self::Bool(*value),
            Kind::Int(value) => Self::Number(Number::from(*value)),
            Kind::Float(value) => Number::from_float(*value).map_or(Self::Null, Self::Number),
            Kind::Text(text) => Self::Text(text.clone()),
            Kind::List(items) => Self::List(items.iter().map(Self::from_node).collect()),
            Kind::Map(entries) => Self::Map(
                entries.iter().map(|e| (e.key.clone(), Self::from_node(&e.value))).collect(),
            ),
        }
    }

    /// The value of a node, reusing its strings.
    pub fn from_owned_node(node: Node) -> Self {
        match node.kind {
            Kind::Text(text) => Self::Text(text),
            Kind::List(items) => Self::List(items.into_iter().map(Self::from_owned_node).collect()),
            Kind::Map(entries) => Self::Map(
                entries.into_iter().map(|e| (e.key, Self::from_owned_node(e.value))).collect(),
            ),
            Kind::Null | Kind::Bool(_) | Kind::Int(_) | Kind::Float(_) => Self::from_node(&node),
        }
    }

    /// The value itself, or `None` for null.
    pub fn present(&self) -> Option<&Self> {
        if matches!(self, Self::Null) { None } else { Some(self) }
    }

    /// The value of a key, if this is an object that has it and it is not null.
    pub fn get(&self, key: &str) -> Option<&Self> {
        if let Self::Map(map) = self { map.get(key)?.present() } else { None }
    }

    /// How deeply lists and objects nest in it; 0 for anything else.
    pub fn depth(&self) -> usize {
        match self {
            Self::Null | Self::Bool(_) | Self::Number(_) | Self::Text(_) => 0,
            Self::List(items) => 1 + items.iter().map(Self::depth).max().unwrap_or(0),
            Self::Map(map) => 1 + map.iter().map(|(_, value)| value.depth()).max().unwrap_or(0),
        }
    }

    /// The text of a string.
    pub fn as_text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// What kind of value it is, with its article: "a string", "null".
    pub fn kind_name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::Text(_) => "a string",
            Self::List(_) => "a list",
            Self::Map(_) => "an object",
        }
    }
}

/// Parses JSON without places; parse to a [`Node`] to keep them.
impl Tree for Value {
    type Entry = (Box<str>, Self);

    fn scalar(kind: Kind, span: Span) -> Self {
        match kind {
            Kind::Text(text) => Self::Text(text),
            Kind::Bool(value) => Self::Bool(value),
            Kind::Int(value) => Self::Number(Number::from(value)),
            Kind::Null | Kind::Float(_) | Kind::List(_) | Kind::Map(_) => {
                Self::from_owned_node(Node { kind, span })
            }
        }
    }

    fn list(items: Vec<Self>, _: Span) -> Self {
        Self::List(items)
    }

    fn entry(key: Box<str>, _: Span, value: Self) -> Self::Entry {
        (key, value)
    }

    fn key((key, _): &Self::Entry) -> (&str, Span) {
        (key, Span::NONE)
    }

    fn map(entries: Vec<Self::Entry>, _: Span) -> Self {
        Self::Map(Map::of_distinct(entries))
    }
}

/// Equality by meaning: the order of keys is ignored, a null key equals a missing one, and `1`
/// equals `1.0`. Inside a list, null equals null.
impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Number(a), Self::Number(b)) => a == b,
            (Self::Text(a), Self::Text(b)) => a == b,
            (Self::List(a), Self::List(b)) => a == b,
            (Self::Map(a), Self::Map(b)) => a == b,
            (
                Self::Null
                | Self::Bool(_)
                | Self::Number(_)
                | Self::Text(_)
                | Self::List(_)
                | Self::Map(_),
                _,
            ) => false,
        }
    }
}

impl Eq for Value {}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Number(value.into())
    }
}

impl From<Vec<Value>> for Value {
    fn from(items: Vec<Value>) -> Self {
        Self::List(items)
    }
}

impl From<Map> for Value {
    fn from(map: Map) -> Self {
        Self::Map(map)
    }
}

/// Compact JSON.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(text) => write_text(f, text),
            Self::List(items) => {
                f.write_str("[")?;
                for (at, item) in items.iter().enumerate() {
                    f.write_str(if at == 0 { "" } else { ", " })?;
                    write!(f, "{item}")?;
                }
                f.write_str("]")
            }
            Self::Map(map) => {
                f.write_str("{")?;
                for (at, (key, value)) in map.iter().enumerate() {
                    f.write_str(if at == 0 { "" } else { ", " })?;
                    write_text(f, key)?;
                    write!(f, ": {value}")?;
                }
                f.write_str("}")
            }
        }
    }
}

fn write_text(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    use fmt::Write as _;
    f.write_char('"')?;
    for c in text.chars() {
        match c {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\r' => f.write_str("\\r")?,
            '\t' => f.write_str("\\t")?,
            _ if lawful_syntax::escape::is_unsafe(c) => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    write!(f, "\\u{unit:04x}")?;
                }
            }
            _ => f.write_char(c)?,
        }
    }
    f.write_char('"')
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(number) => number.serialize(serializer),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(items) => items.serialize(serializer),
            Self::Map(map) => serializer.collect_map(map.iter()),
        }
    }
}

#[cfg(test)]
mod tests;
