//! JSON that Lawful writes, with its keys in a fixed order.

use serde::{Serialize, Serializer};

/// A document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Json {
    Bool(bool),
    Text(String),
    Map(Vec<(&'static str, Json)>),
}

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Map(entries) => {
                serializer.collect_map(entries.iter().map(|(key, value)| (key, value)))
            }
        }
    }
}
