//! The input of a step: a turn, an action of the user interface, or an event of the host.

use std::collections::BTreeMap;

use lawful_syntax::{Diagnostic, Entry, Kind, Node, Sources, Span, escape, is_dropped};

use super::codes::{BAD_EVENT, REFUSED_WRITE};
use super::decode::action::{Target, operation, target};
use super::event::Event;
use super::operation::Operation;
use crate::decode::{Fields, id, text, wrong_type};
use crate::path::Path;

/// One input of a session.
#[derive(Clone, Debug)]
pub enum Input {
    /// A turn: the message of the user, the message of the agent, and the writes of the agent.
    Turn {
        /// The message of the user.
        user: Option<Box<str>>,
        /// The message of the agent.
        ai: Option<Box<str>>,
        /// The writes of the agent, in order.
        writes: Vec<Write>,
    },
    /// An action of the user interface, by its id.
    Action(Box<str>),
    /// An event of the host.
    Event(Event),
}

/// A change of a variable that the agent requests, or why it is invalid.
#[derive(Clone, Debug)]
pub struct Write {
    pub(super) requested: Result<Requested, Box<Diagnostic>>,
    pub(super) span: Span,
}

/// A change of a variable.
#[derive(Clone, Debug)]
pub(super) struct Requested {
    /// The variable, or a value inside it; `None` for an `@` path, which is refused.
    pub path: Option<Path>,
    /// The variable as it was written.
    pub written: Box<str>,
    pub operation: Operation,
}

impl Input {
    /// Decodes an input. There is one unless some problem is an error. An invalid write of the
    /// agent does not reject the turn; the step reports it.
    pub fn decode(node: &Node) -> (Option<Self>, Vec<Diagnostic>) {
        let mut problems = Vec::new();
        let input = decode(node, &mut problems);
        let sound = !problems.iter().any(Diagnostic::is_error);
        (input.filter(|_| sound), problems)
    }

    /// Decodes an input from a document that was parsed with problems. A problem inside a write
    /// belongs to that write, which is replaced by its source text. So decoding the stored document
    /// again gives the same result.
    pub fn decode_parsed(
        node: &mut Node,
        sources: &Sources,
        problems: &mut Vec<Diagnostic>,
    ) -> Option<Self> {
        let written = writes_of(node);
        let mut spoiled: BTreeMap<usize, Diagnostic> = BTreeMap::new();
        problems.retain(|problem| {
            let before = written.partition_point(|write| write.span.start <= problem.span.start);
            let at = before.checked_sub(1).filter(|at| {
                let write = written.get(*at);
                (problem.is_error() || is_dropped(problem))
                    && write.is_some_and(|write| write.span.holds(problem.span))
            });
            if let Some(at) = at {
                spoiled.entry(at).or_insert_with(|| problem.clone());
            }
            at.is_none()
        });
        for at in spoiled.keys() {
            if let Some(write) = written.get_mut(*at) {
                // What was refused only has to be recognisable in the log.
                let written = escape::shorten(sources.slice(write.span), MOST_KEPT);
                write.kind = Kind::Text(written.into());
            }
        }
        let (mut input, found) = Self::decode(node);
        problems.extend(found);
        if let Some(Self::Turn { writes, .. }) = &mut input {
            for (at, problem) in spoiled {
                if let Some(write) = writes.get_mut(at) {
                    write.requested = Err(Box::new(refused(&problem)));
                }
            }
        }
        input
    }
}

/// How many characters of a refused write are kept.
const MOST_KEPT: usize = 1_000;

/// The writes of an input, if it has any.
fn writes_of(node: &mut Node) -> &mut [Node] {
    let Kind::Map(entries) = &mut node.kind else { return &mut [] };
    let writes = entries.iter_mut().find(|entry| &*entry.key == "writes");
    match writes.map(|entry| &mut entry.value.kind) {
        Some(Kind::List(items)) => items,
        Some(_) | None => &mut [],
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
            let message = format!("{what} cannot be combined with `{}` in one input", other.key);
            problems.push(
                Diagnostic::new(&BAD_EVENT, other.key_span, message)
                    .label(written.span, "this is an input by itself")
                    .help("send them as two inputs"),
            );
            return None;
        }
        return match key {
            "action" => id(written, "`action`", problems).map(|id| Input::Action(id.into())),
            _ => Event::decode(written, problems).map(Input::Event),
        };
    }
    let is_turn = ["user", "ai", "writes"].iter().any(|key| fields.written(key).is_some());
    let nothing = ["action", "event"].iter().find_map(|key| Some((key, fields.written(key)?)));
    if let (Some((key, node)), false) = (nothing, is_turn) {
        let message = format!("`{key}` is null, and the input has nothing else");
        problems.push(
            Diagnostic::new(&BAD_EVENT, node.span, message)
                .help(format!("name the {key}, or write `{{}}` for a turn without messages")),
        );
        return None;
    }
    let mut said = |key: &str| match fields.get(key) {
        None => Some(None),
        Some(node) => text(node, &format!("`{key}`"), problems).map(|text| Some(text.into())),
    };
    let (user, ai) = (said("user"), said("ai"));
    let writes = match fields.get("writes") {
        None => Vec::new(),
        Some(node) => match node.as_list() {
            Some(items) => items.iter().map(|item| write(item, problems)).collect(),
            // Any error in it is the agent's, so it is reported and refused.
            None => {
                let problem = wrong_type(node, "`writes`", "a list");
                vec![Write { requested: Err(Box::new(refused(&problem))), span: node.span }]
            }
        },
    };
    Some(Input::Turn { user: user?, ai: ai?, writes })
}

fn write(node: &Node, problems: &mut Vec<Diagnostic>) -> Write {
    let mut found = Vec::new();
    let requested = requested(node, &mut found);
    let wrong = found.iter().find(|problem| problem.is_error()).map(refused);
    problems.extend(found.into_iter().filter(|problem| !problem.is_error()));
    let requested = match (requested, wrong) {
        (Some(requested), None) => Ok(requested),
        (_, Some(wrong)) => Err(Box::new(wrong)),
        (None, None) => Err(Box::new(refused(&wrong_type(node, "a write", "a mapping")))),
    };
    Write { requested, span: node.span }
}

fn requested(node: &Node, problems: &mut Vec<Diagnostic>) -> Option<Requested> {
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
    Some(Requested { path: path??, written: written?.into(), operation: operation? })
}

/// The warning for a write that cannot be decoded.
fn refused(problem: &Diagnostic) -> Diagnostic {
    let message = format!("a write is refused: {}", problem.message);
    let told = Diagnostic::new(&REFUSED_WRITE, problem.span, message);
    match &problem.help {
        Some(help) => told.help(help.clone()),
        None => told,
    }
}

impl Event {
    /// Decodes an event: a mapping with a `type`.
    pub(super) fn decode(node: &Node, problems: &mut Vec<Diagnostic>) -> Option<Self> {
        let kind = match (&node.kind, node.get("type")) {
            (Kind::Map(_), Some(kind)) => kind.as_text().filter(|kind| !kind.trim().is_empty()),
            (_, _) => None,
        };
        if kind.is_none() {
            let place = node.get("type").map_or(node.span, |kind| kind.span);
            let message = "an event needs a `type` that is a string";
            problems.push(
                Diagnostic::new(&BAD_EVENT, place, message)
                    .help("write `{type: spatial:zone-enter, zone: forest}`"),
            );
        }
        kind.map(|_| Self::of(crate::value::Value::from_node(node)))
    }
}
