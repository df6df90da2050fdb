//! What sets a step off: a turn, an action of the user interface, or an event of the host.

use lawful_syntax::{Diagnostic, Entry, Kind, Node, Span};

use super::codes::BAD_EVENT;
use super::decode::action::{Target, operation, target};
use super::event::Event;
use super::operation::Operation;
use crate::decode::{Fields, id, list, text};
use crate::path::Path;

/// One input of a session.
#[derive(Clone, Debug)]
pub enum Input {
    /// A turn: what the user said, what the agent said, and what the agent wrote.
    Turn {
        /// What the user said.
        user: Option<Box<str>>,
        /// What the agent said.
        ai: Option<Box<str>>,
        /// The agent's own writes, in order.
        writes: Vec<Write>,
    },
    /// An action of the user interface, by its id.
    Action(Box<str>),
    /// An event of the host.
    Event(Event),
}

/// A change of a variable that the agent asks for.
#[derive(Clone, Debug)]
pub struct Write {
    /// The variable, or a value in it; `None` for an `@` path, which is refused.
    pub(super) path: Option<Path>,
    /// The variable as it was written.
    pub(super) written: Box<str>,
    pub(super) operation: Operation,
    pub(super) span: Span,
}

impl Input {
    /// Reads an input. There is one unless some problem is an error.
    pub fn decode(node: &Node) -> (Option<Self>, Vec<Diagnostic>) {
        let mut problems = Vec::new();
        let input = decode(node, &mut problems);
        let sound = !problems.iter().any(Diagnostic::is_error);
        (input.filter(|_| sound), problems)
    }
}

fn decode(node: &Node, problems: &mut Vec<Diagnostic>) -> Option<Input> {
    let keys = ["user", "ai", "writes", "action", "event"];
    let fields = Fields::of(node, "an input", &keys, problems)?;
    let alone = node.as_map().unwrap_or_default().iter().filter(|entry| !entry.value.is_null());
    let alone: Vec<&Entry> = alone.filter(|entry| keys.contains(&&*entry.key)).collect();
    for (key, what) in [("action", "an action"), ("event", "an event")] {
        let Some(written) = fields.get(key) else { continue };
        if let Some(other) = alone.iter().find(|entry| &*entry.key != key) {
            let message = format!("{what} is an input of its own, and `{}` is another", other.key);
            problems.push(
                Diagnostic::new(&BAD_EVENT, other.key_span, message)
                    .label(written.span, "one input")
                    .help("give them one after the other"),
            );
            return None;
        }
        return match key {
            "action" => id(written, "`action`", problems).map(|id| Input::Action(id.into())),
            _ => Event::decode(written, problems).map(Input::Event),
        };
    }
    let mut said = |key: &str| match fields.get(key) {
        None => Some(None),
        Some(node) => text(node, &format!("`{key}`"), problems).map(|text| Some(text.into())),
    };
    let (user, ai) = (said("user"), said("ai"));
    let mut writes = Vec::new();
    if let Some(node) = fields.get("writes") {
        for item in list(node, "`writes`", "writes", problems) {
            writes.push(write(item, problems));
        }
    }
    let writes: Option<Vec<Write>> = writes.into_iter().collect();
    Some(Input::Turn { user: user?, ai: ai?, writes: writes? })
}

fn write(node: &Node, problems: &mut Vec<Diagnostic>) -> Option<Write> {
    let what = "a write";
    let fields = Fields::of(node, what, &["variableId", "operation", "value"], problems)?;
    let variable = fields.require("variableId", what, problems);
    let written = variable.and_then(|node| text(node, "`variableId`", problems));
    let path = variable.map(|node| match target(node, "`variableId`", problems) {
        Some(Target::Variable(path)) => Some(Some(path)),
        Some(Target::Effect) => Some(None),
        None => None,
    });
    let operation = operation(&fields, what, problems);
    Some(Write { path: path??, written: written?.into(), operation: operation?, span: node.span })
}

impl Event {
    /// Reads an event: a mapping with a `type`.
    pub(super) fn decode(node: &Node, problems: &mut Vec<Diagnostic>) -> Option<Self> {
        let kind = match (&node.kind, node.get("type")) {
            (Kind::Map(_), Some(kind)) => kind.as_text().filter(|kind| !kind.trim().is_empty()),
            (_, _) => None,
        };
        if kind.is_none() {
            let place = node.get("type").map_or(node.span, |kind| kind.span);
            let message = "an event is a mapping with a `type` that is a string";
            problems.push(
                Diagnostic::new(&BAD_EVENT, place, message)
                    .help("write `{type: spatial:zone-enter, zone: forest}`"),
            );
        }
        kind.map(|_| Self::of(crate::value::Value::from_node(node)))
    }
}
