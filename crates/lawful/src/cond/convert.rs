//! Conversions of conditions from and to text and `serde` types.

use std::str::FromStr;
use std::sync::Arc;

use lawful_syntax::{Diagnostic, Node, Sources, Span};
use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, Serializer};

use super::decode::decode_when;
use super::tree::{Condition, ConditionKind, to_node};
use crate::diagnostics::Diagnostics;
use crate::error::{Error, ErrorKind};
use crate::value::{Value, read_text};

/// Parses any form that a lawbook may use, in YAML or JSON.
///
/// ```
/// use lawful::cond::Condition;
///
/// let short: Condition = "{tier: vip}".parse()?;
/// let long: Condition = "{path: tier, op: equals, value: vip}".parse()?;
/// assert_eq!(short, long);
/// assert!("{path: tier, op: equalls, value: vip}".parse::<Condition>().is_err());
/// # Ok::<(), lawful::Error>(())
/// ```
impl FromStr for Condition {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let (node, sources) = read_text("condition", text)?;
        from_node(&node, sources)?;
        // The text is not kept, so later diagnostics must not point into it.
        Self::from_value(&Value::from_node(&node))
    }
}

fn from_node(node: &Node, sources: Arc<Sources>) -> Result<Condition, Error> {
    let (condition, mut problems) = decode_when(Some(node));
    problems.retain(Diagnostic::is_error);
    if problems.is_empty() {
        return Ok(condition);
    }
    Err(Error::new(ErrorKind::Input, Diagnostics::new(problems, sources)))
}

impl Condition {
    /// Decodes a condition from a value, in any form that a lawbook may use.
    pub fn from_value(value: &Value) -> Result<Self, Error> {
        from_node(&to_node(value), Arc::default())
    }
}

impl<'de> Deserialize<'de> for Condition {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        Self::from_value(&value).map_err(|error| {
            let messages = error.diagnostics().iter().map(|one| one.message.as_str());
            D::Error::custom(messages.collect::<Vec<_>>().join("; "))
        })
    }
}

/// The stored form.
impl Serialize for Condition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_value().serialize(serializer)
    }
}

/// An invalid value becomes a condition that does not compile; [`Condition::from_value`] reports
/// the errors instead.
impl From<serde_json::Value> for Condition {
    fn from(json: serde_json::Value) -> Self {
        let broken = Self { kind: ConditionKind::Broken, span: Span::NONE };
        Value::of(&json).and_then(|value| Self::from_value(&value)).unwrap_or(broken)
    }
}

/// The stored form.
impl From<Condition> for serde_json::Value {
    fn from(condition: Condition) -> Self {
        condition.to_value().into()
    }
}
