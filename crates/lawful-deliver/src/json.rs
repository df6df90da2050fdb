//! JSON that Lawful writes, with its keys in a fixed order.

use jsonc_parser::cst::{CstInputValue, CstNode};
use serde::{Serialize, Serializer};

/// A document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Json {
    Bool(bool),
    Number(u64),
    Text(String),
    List(Vec<Json>),
    Map(Vec<(&'static str, Json)>),
}

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl Json {
    /// The value as a part of a text that is edited.
    pub(crate) fn to_input(&self) -> CstInputValue {
        match self {
            Self::Bool(value) => CstInputValue::Bool(*value),
            Self::Number(value) => CstInputValue::Number(value.to_string()),
            Self::Text(text) => CstInputValue::String(text.clone()),
            Self::List(items) => CstInputValue::Array(items.iter().map(Self::to_input).collect()),
            Self::Map(entries) => CstInputValue::Object(
                entries.iter().map(|(key, value)| ((*key).to_owned(), value.to_input())).collect(),
            ),
        }
    }

    /// Whether a part of a text has this value, in any layout and order of keys.
    pub(crate) fn is_in(&self, node: &CstNode) -> bool {
        match self {
            Self::Bool(value) => node.as_boolean_lit().is_some_and(|lit| lit.value() == *value),
            Self::Number(value) => node.to_string() == value.to_string(),
            Self::Text(text) => {
                node.as_string_lit().and_then(|lit| lit.decoded_value().ok()).as_ref() == Some(text)
            }
            Self::List(items) => node.as_array().is_some_and(|array| {
                let found = array.elements();
                found.len() == items.len() && items.iter().zip(&found).all(|(a, b)| a.is_in(b))
            }),
            Self::Map(entries) => node.as_object().is_some_and(|object| {
                object.properties().len() == entries.len()
                    && entries.iter().all(|(key, value)| {
                        let found = object.get(key).and_then(|property| property.value());
                        found.is_some_and(|found| value.is_in(&found))
                    })
            }),
        }
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(value) => serializer.serialize_u64(*value),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(items) => serializer.collect_seq(items),
            Self::Map(entries) => {
                serializer.collect_map(entries.iter().map(|(key, value)| (key, value)))
            }
        }
    }
}
