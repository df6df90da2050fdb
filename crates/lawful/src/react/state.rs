//! Decodes a session from a document. Every field is optional, and every problem is reported.

use std::collections::BTreeMap;
use std::sync::Arc;

use lawful_syntax::{Diagnostic, Entry, Format, Node, Sources, parse, text as file_text};
use serde::de::{Deserialize, Deserializer, Error as _};

use super::decode::position::position;
use super::session::{ContextMessage, Directive, Fired, Session};
use crate::cond::to_node;
use crate::decode::{Fields, boolean, choice, id, list, text, whole, wrong_type};
use crate::diagnostics::Diagnostics;
use crate::error::{Error, ErrorKind};
use crate::insertion::Role;
use crate::limits::Limits;
use crate::value::Value;

const KEYS: [&str; 10] = [
    "turn",
    "step",
    "started",
    "variables",
    "untrusted",
    "directives",
    "entries",
    "rules",
    "fired",
    "context",
];

impl Session {
    /// Decodes a state, or a result that contains one as `state`. There is a session unless some
    /// problem is an error.
    pub fn decode(node: &Node) -> (Option<Self>, Vec<Diagnostic>) {
        let inner = node.get("state").filter(|state| state.as_map().is_some());
        let own = KEYS.iter().any(|key| node.get(key).is_some());
        let node = inner.filter(|_| !own).unwrap_or(node);
        let mut problems = Vec::new();
        let mut session = Self::new();
        if let Some(fields) = Fields::of(node, "a state", &KEYS, &mut problems) {
            session.read(&fields, &mut problems);
        }
        let sound = !problems.iter().any(Diagnostic::is_error);
        (sound.then_some(session), problems)
    }

    /// Reads a state from the text that [`StateView`](crate::view::StateView) produces.
    pub fn from_json(json: &str) -> Result<Self, Error> {
        let mut sources = Sources::default();
        let (file, unreadable) = file_text::add(&mut sources, "state", json.as_bytes());
        let limits = lawful_syntax::Limits { bytes: usize::MAX, ..Limits::default().document };
        let (node, mut problems) = parse(&sources, file, Format::Json, &limits);
        problems.extend(unreadable);
        let (session, found) = node.as_ref().map_or((None, Vec::new()), Self::decode);
        problems.extend(found);
        session.filter(|_| !problems.iter().any(Diagnostic::is_error)).ok_or_else(|| {
            Error::new(ErrorKind::Input, Diagnostics::new(problems, Arc::new(sources)))
        })
    }

    /// Decodes a state from a value.
    pub fn from_value(value: &Value) -> Result<Self, Error> {
        let (session, problems) = Self::decode(&to_node(value));
        session
            .ok_or_else(|| Error::new(ErrorKind::Input, Diagnostics::new(problems, Arc::default())))
    }

    fn read(&mut self, fields: &Fields<'_>, problems: &mut Vec<Diagnostic>) {
        let mut count =
            |key: &str| fields.get(key).and_then(|n| whole(n, &format!("`{key}`"), 0, problems));
        self.turn = count("turn").unwrap_or(0);
        self.step = count("step").unwrap_or(0);
        if let Some(node) = fields.get("started") {
            // After the first turn every session has started.
            let started = boolean(node, "`started`", problems).unwrap_or(false);
            self.started = started && self.turn == 0;
        }
        if let Some(node) = fields.get("variables") {
            match Value::from_node(node) {
                variables @ Value::Map(_) => self.variables = variables,
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) => {
                    problems.push(wrong_type(node, "`variables`", "a mapping"));
                }
                Value::List(_) => problems.push(wrong_type(node, "`variables`", "a mapping")),
            }
        }
        if let Some(node) = fields.get("untrusted") {
            for item in list(node, "`untrusted`", "names of variables", problems) {
                self.untrusted
                    .extend(text(item, "the name of a variable", problems).map(Into::into));
            }
        }
        if let Some(node) = fields.get("directives") {
            for item in list(node, "`directives`", "directives", problems) {
                let directive = directive(item, problems);
                // Of two directives with one id, the later one wins.
                if let Some(directive) = directive {
                    self.directives.retain(|known| known.id != directive.id);
                    self.directives.push(directive);
                }
            }
        }
        self.entries = switches(fields, "entries", problems);
        self.rules = switches(fields, "rules", problems);
        if let Some(node) = fields.get("fired") {
            for entry in entries(node, "`fired`", problems) {
                let fired = fired(&entry.value, problems);
                self.fired.extend(fired.map(|fired| (entry.key.clone(), fired)));
            }
        }
        if let Some(node) = fields.get("context") {
            for item in list(node, "`context`", "messages", problems) {
                self.context.extend(context(item, problems));
            }
        }
    }
}

impl TryFrom<serde_json::Value> for Session {
    type Error = Error;

    fn try_from(json: serde_json::Value) -> Result<Self, Error> {
        Self::from_value(&Value::of(&json)?)
    }
}

impl TryFrom<Value> for Session {
    type Error = Error;

    fn try_from(value: Value) -> Result<Self, Error> {
        Self::from_value(&value)
    }
}

impl<'de> Deserialize<'de> for Session {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_value(&Value::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

fn entries<'n>(node: &'n Node, what: &str, problems: &mut Vec<Diagnostic>) -> &'n [Entry] {
    let entries = node.as_map();
    if entries.is_none() {
        problems.push(wrong_type(node, what, "a mapping"));
    }
    entries.unwrap_or_default()
}

fn switches(
    fields: &Fields<'_>,
    key: &str,
    problems: &mut Vec<Diagnostic>,
) -> BTreeMap<Box<str>, bool> {
    let mut out = BTreeMap::new();
    let Some(node) = fields.get(key) else { return out };
    for entry in entries(node, &format!("`{key}`"), problems) {
        let on = boolean(&entry.value, "a switch", problems);
        out.extend(on.map(|on| (entry.key.clone(), on)));
    }
    out
}

fn directive(node: &Node, problems: &mut Vec<Diagnostic>) -> Option<Directive> {
    let what = "a directive";
    let keys = ["directiveId", "content", "values", "position", "depth", "from", "until"];
    let fields = Fields::of(node, what, &keys, problems)?;
    let name = fields.require("directiveId", what, problems);
    let name = name.and_then(|node| id(node, "`directiveId`", problems));
    let content = fields.require("content", what, problems);
    let content = content.and_then(|node| text(node, "`content`", problems));
    let values = values(&fields, problems);
    let position = position(&fields, problems);
    let mut turn = |key: &str| match fields.get(key) {
        None => Some(None),
        Some(node) => whole(node, &format!("`{key}`"), 0, problems).map(Some),
    };
    let (from, until) = (turn("from"), turn("until"));
    Some(Directive {
        id: name?.into(),
        content: content?.into(),
        values,
        position: position?,
        from: from?.unwrap_or(0),
        until: until?,
    })
}

fn fired(node: &Node, problems: &mut Vec<Diagnostic>) -> Option<Fired> {
    let fields = Fields::of(node, "a count of firings", &["count", "lastTurn"], problems)?;
    let mut count = |key: &str| match fields.get(key) {
        None => Some(0),
        Some(node) => whole(node, &format!("`{key}`"), 0, problems),
    };
    let (times, last_turn) = (count("count"), count("lastTurn"));
    Some(Fired { count: times?, last_turn: last_turn? })
}

fn context(node: &Node, problems: &mut Vec<Diagnostic>) -> Option<ContextMessage> {
    let fields = Fields::of(node, "a message", &["message", "values", "role"], problems)?;
    let message = fields.require("message", "a message", problems);
    let message = message.and_then(|node| text(node, "`message`", problems));
    let values = values(&fields, problems);
    let role = fields
        .get("role")
        .map_or(Some(Role::System), |node| choice(node, "role", &Role::NAMES, problems));
    Some(ContextMessage { message: message?.into(), values, role: role? })
}

/// The values that a text was given when it was injected.
fn values(fields: &Fields<'_>, problems: &mut Vec<Diagnostic>) -> BTreeMap<Box<str>, Value> {
    let Some(node) = fields.get("values") else { return BTreeMap::new() };
    let entries = entries(node, "`values`", problems).iter();
    entries.map(|entry| (entry.key.clone(), Value::from_node(&entry.value))).collect()
}
