//! Which events can reach a rule, as bytes that are matched without decoding the rule.
//!
//! **Invariant:** an event that triggers a rule reaches it. The opposite does not hold: only the type
//! of the event and one field are compared, and bytes that cannot be read are reached by every event.

use super::event::Event;
use super::trigger::{On, Test, Trigger};
use super::variables::root;
use crate::book::packing::{put, take_byte, take_text};
use crate::value::Value;

const MANUAL: u8 = 0;
const TYPE: u8 = 1;
const NAMESPACE: u8 = 2;

const ANY: u8 = 0;
const TEXT: u8 = 1;
const TRUE: u8 = 2;
const FALSE: u8 = 3;

/// What reaches a rule with this trigger.
pub(crate) fn pack(trigger: &Trigger) -> Vec<u8> {
    let mut out = Vec::new();
    match &trigger.on {
        On::Manual => out.push(MANUAL),
        On::Type(kind) => {
            out.push(TYPE);
            put(&mut out, kind.as_bytes());
        }
        On::Namespace(namespace) => {
            out.push(NAMESPACE);
            put(&mut out, namespace.as_bytes());
        }
    }
    match trigger.tests.iter().find_map(required) {
        Some((field, Required::Text(value))) => {
            out.push(TEXT);
            put(&mut out, field.as_bytes());
            put(&mut out, value.as_bytes());
        }
        Some((field, Required::Bool(value))) => {
            out.push(if value { TRUE } else { FALSE });
            put(&mut out, field.as_bytes());
        }
        None => out.push(ANY),
    }
    out
}

/// Whether an event can trigger the rule.
pub(crate) fn reaches(bytes: &[u8], event: &Event) -> bool {
    matches(bytes, event).unwrap_or(true)
}

fn matches(mut bytes: &[u8], event: &Event) -> Option<bool> {
    let bytes = &mut bytes;
    let kind = event.kind();
    let admits = match take_byte(bytes)? {
        // The rule that triggers it names it.
        MANUAL => return Some(false),
        TYPE => take_text(bytes)? == kind,
        NAMESPACE => kind.starts_with(take_text(bytes)?),
        _ => return None,
    };
    if !admits {
        return Some(false);
    }
    let wanted = take_byte(bytes)?;
    if wanted == ANY {
        return Some(true);
    }
    let value = event.body.get(take_text(bytes)?);
    Some(match wanted {
        TEXT => value.and_then(Value::as_text) == Some(take_text(bytes)?),
        TRUE => value == Some(&Value::Bool(true)),
        FALSE => value == Some(&Value::Bool(false)),
        _ => return None,
    })
}

/// A value that a field must have.
enum Required<'t> {
    Text(&'t str),
    Bool(bool),
}

/// The field that a test requires, and its value. Other tests can pass for any event.
fn required(test: &Test) -> Option<(&str, Required<'_>)> {
    match test {
        Test::Changed(path) | Test::Crossed { path, .. } => {
            Some(("variableId", Required::Text(root(path)?)))
        }
        Test::Fields { key, .. } => match key.as_ref()? {
            (field, Value::Text(value)) => Some((field, Required::Text(value))),
            (field, Value::Bool(value)) => Some((field, Required::Bool(*value))),
            (_, Value::Null | Value::Number(_) | Value::List(_) | Value::Map(_)) => None,
        },
        Test::Turn { .. } | Test::Keywords(_) => None,
    }
}
