//! Events: what happened, as data that patterns and conditions match.
//!
//! An event is an object with a `type`. Patterns do not match on who raised it, with one exception:
//! a `manual` rule fires only if the `trigger-rule` of another rule names it. That target is stored
//! beside the object, not in it.

use super::rules::RuleId;
use crate::value::{Map, Value};

/// `session:start`
pub(crate) const SESSION_START: &str = "session:start";
/// `message:user`, with `content`
pub(crate) const MESSAGE_USER: &str = "message:user";
/// `message:ai`, with `content`
pub(crate) const MESSAGE_AI: &str = "message:ai";
/// `turn:complete`, with `turn`
pub(crate) const TURN_COMPLETE: &str = "turn:complete";
/// `state:changed`, with `variableId`, `oldValue` and `newValue`
pub(crate) const STATE_CHANGED: &str = "state:changed";
/// `action:executed`, with `actionId`
pub(crate) const ACTION_EXECUTED: &str = "action:executed";
/// `rule:triggered`, with `ruleId`
pub(crate) const RULE_TRIGGERED: &str = "rule:triggered";

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The object: its `type` and its other fields.
    pub(super) body: Value,
    /// The firing that raised it, by its position in the trace; `None` for an event of the input.
    pub(super) by: Option<usize>,
    /// The manual rule that it triggers.
    pub(super) target: Option<RuleId>,
}

impl Event {
    /// An event from an object that has a `type`.
    pub(crate) fn of(body: Value) -> Self {
        Self { body, by: None, target: None }
    }

    pub(super) fn new<const N: usize>(kind: &str, fields: [(&str, Value); N]) -> Self {
        let mut body = Map::new();
        body.insert("type", kind.into());
        for (key, value) in fields {
            body.insert(key, value);
        }
        Self::of(Value::Map(body))
    }

    /// An event of the host, without the fields that are null.
    pub(crate) fn of_host<const N: usize>(kind: &str, fields: [(&str, Value); N]) -> Self {
        let mut body = Map::new();
        body.insert("type", kind.into());
        for (key, value) in fields {
            if value.present().is_some() {
                body.insert(key, value);
            }
        }
        Self::of(Value::Map(body))
    }

    pub(super) fn changed(variable: &str, old: Value, new: Value) -> Self {
        let fields = [("variableId", variable.into()), ("oldValue", old), ("newValue", new)];
        Self::new(STATE_CHANGED, fields)
    }

    /// Its type.
    pub fn kind(&self) -> &str {
        self.body.get("type").and_then(Value::as_text).unwrap_or_default()
    }

    /// The whole object, including its `type`.
    pub fn body(&self) -> &Value {
        &self.body
    }
}
