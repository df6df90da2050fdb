//! Conversions of values from and to text and `serde` types.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use lawful_syntax::{Diagnostic, Format, Node, Sources, Span, parse, text};
use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::Serialize;

use super::serializer::ToValue;
use super::{Map, Number, Value};
use crate::code;
use crate::diagnostics::Diagnostics;
use crate::error::{Error, ErrorKind};
use crate::limits::Limits;

impl Value {
    /// Parses strict JSON without places; `None` if it has a problem. The parser is generic, so this
    /// is the one copy of it for values.
    pub fn from_json(text: &str, limits: &lawful_syntax::Limits) -> Option<Self> {
        lawful_syntax::parse_json(text, limits)
    }

    /// Converts anything that serialises to a value.
    ///
    /// An integer outside the signed 64-bit range, a float that is not finite, and a key that is
    /// not a string are errors. Nothing is rounded or dropped.
    ///
    /// ```
    /// use lawful::Value;
    ///
    /// #[derive(serde::Serialize)]
    /// struct Ticket { tier: &'static str, waited: u32 }
    ///
    /// let value = Value::of(&Ticket { tier: "vip", waited: 12 })?;
    /// assert_eq!(value, "{tier: vip, waited: 12}".parse()?);
    /// assert!(Value::of(&u64::MAX).is_err());
    /// # Ok::<(), lawful::Error>(())
    /// ```
    pub fn of(value: &(impl Serialize + ?Sized)) -> Result<Self, Error> {
        let converted = value.serialize(ToValue { room: Limits::default().document.depth });
        converted.map_err(|error| {
            let problem = Diagnostic::new(&code::BAD_VALUE, Span::NONE, error.to_string())
                .help("use 64-bit integers, finite floats and string keys");
            Error::without_place(ErrorKind::Input, problem)
        })
    }
}

/// Parses a YAML or JSON text to one node; fails on any error.
pub(crate) fn read_text(name: &str, yaml: &str) -> Result<(Node, Arc<Sources>), Error> {
    let mut sources = Sources::default();
    let (file, unreadable) = text::add(&mut sources, name, yaml.as_bytes());
    let limits = Limits::default().document;
    let (node, mut problems) = parse(&sources, file, Format::Yaml, &limits);
    problems.extend(unreadable);
    problems.retain(Diagnostic::is_error);
    let sources = Arc::new(sources);
    match node {
        Some(node) if problems.is_empty() => Ok((node, sources)),
        Some(_) | None => Err(Error::new(ErrorKind::Input, Diagnostics::new(problems, sources))),
    }
}

/// YAML 1.2 or JSON, in the same dialect as the documents of a lawbook.
impl FromStr for Value {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        read_text("value", text).map(|(node, _)| Self::from_owned_node(node))
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        Value::deserialize(deserializer)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Value, E> {
        let value = i64::try_from(value);
        value
            .map(Value::from)
            .map_err(|_| E::custom("the integer does not fit in a signed 64-bit integer"))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Value, E> {
        let number = Number::from_float(value);
        number.map(Value::Number).ok_or_else(|| E::custom("the number is not finite"))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::from(text))
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(Value::from(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some((key, value)) = entries.next_entry::<String, Value>()? {
            map.insert(key, value);
        }
        Ok(Value::Map(map))
    }
}

/// An integer over `i64::MAX` becomes the nearest float; [`Value::of`] returns an error instead.
impl From<serde_json::Value> for Value {
    fn from(json: serde_json::Value) -> Self {
        match json {
            serde_json::Value::Null => Self::Null,
            serde_json::Value::Bool(value) => Self::Bool(value),
            serde_json::Value::Number(number) => match number.as_i64() {
                Some(value) => Self::from(value),
                None => {
                    number.as_f64().and_then(Number::from_float).map_or(Self::Null, Self::Number)
                }
            },
            serde_json::Value::String(text) => Self::from(text),
            serde_json::Value::Array(items) => {
                Self::List(items.into_iter().map(Self::from).collect())
            }
            serde_json::Value::Object(entries) => Self::Map(
                entries
                    .into_iter()
                    .map(|(key, value)| (key.into_boxed_str(), Self::from(value)))
                    .collect(),
            ),
        }
    }
}

impl From<Value> for serde_json::Value {
    fn from(value: Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(value) => Self::Bool(value),
            Value::Number(number) => number.to_json(),
            Value::Text(text) => Self::String(text.into()),
            Value::List(items) => Self::Array(items.into_iter().map(Self::from).collect()),
            Value::Map(map) => Self::Object(
                map.iter()
                    .map(|(key, value)| (key.to_owned(), Self::from(value.clone())))
                    .collect(),
            ),
        }
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}
