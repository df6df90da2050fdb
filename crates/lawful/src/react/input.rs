//! The input of a step: a turn, an action of the user interface, an event of the host, live events
//! of a harness, or writes of the host.

use std::collections::BTreeMap;

use lawful_syntax::{Diagnostic, Entry, Kind, Node, Severity, Sources, Span, escape, is_dropped};

use super::codes::{BAD_EVENT, REFUSED_WRITE};
use super::decode::action::{Target, operation, operation_kind, target, with_value};
use super::event::{Event, MESSAGE_USER};
use super::operation::{Operation, OperationKind};
use crate::decode::{Fields, id, list, text, wrong_type};
use crate::path::Path;
use crate::value::{Map, Value};

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
    /// An action of the user interface.
    Action {
        /// Its id.
        id: Box<str>,
        /// The other fields of its event.
        fields: Map,
    },
    /// An event of the host.
    Event(Event),
    /// Live events of a harness, in order. The first of a session also raises `session:start`.
    Live(Vec<Event>),
    /// Writes of the host, in order. They may change protected variables.
    Set(Vec<Write>),
}

/// A change of a variable that the agent or the host requests, or why it is invalid.
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
    /// agent does not reject the turn; the step reports it. An invalid write of the host is an
    /// error.
    pub fn decode(node: &Node) -> (Option<Self>, Vec<Diagnostic>) {
        Self::decode_as(node, OnError::Reject)
    }

    /// Decodes an input of a stored step. It ran already, so the step refuses an invalid write of
    /// the host as it did then.
    pub fn decode_stored(node: &Node) -> (Option<Self>, Vec<Diagnostic>) {
        Self::decode_as(node, OnError::Refuse)
    }

    /// The input of a live event, and of the events that the decision on it raises.
    pub fn live(event: &crate::live::Event, raised: &[Event]) -> Self {
        let event = Event::of(event.body().clone());
        Self::Live(std::iter::once(event).chain(raised.iter().cloned()).collect())
    }

    fn decode_as(node: &Node, host: OnError) -> (Option<Self>, Vec<Diagnostic>) {
        let mut problems = Vec::new();
        let input = decode(node, host, &mut problems);
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
        if node.get("set").is_some() && !spoiled.is_empty() {
            let error = |problem| Diagnostic { severity: Severity::Error, ..problem };
            problems.extend(spoiled.into_values().map(error));
            return None;
        }
        let written = writes_of(node);
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
    let is_list = |entry: &&mut Entry| ["writes", "set"].contains(&&*entry.key);
    let writes = entries.iter_mut().find(is_list);
    match writes.map(|entry| &mut entry.value.kind) {
        Some(Kind::List(items)) => items,
        Some(_) | None => &mut [],
    }
}

/// The keys of an input.
const KEYS: [&str; 8] = ["user", "ai", "writes", "action", "event", "set", "prompt", "live"];
/// Those that cannot be fields of an action.
const NOT_OF_ACTION: [&str; 6] = ["user", "ai", "writes", "action", "event", "set"];
/// The keys of inputs that are not turns, and what they are called.
const ALONE: [(&str, &str); 5] = [
    ("action", "an action"),
    ("event", "an event"),
    ("set", "a write of the host"),
    ("prompt", "a prompt"),
    ("live", "a list of live events"),
];

fn decode(node: &Node, host: OnError, problems: &mut Vec<Diagnostic>) -> Option<Input> {
    let entries = node.as_map().unwrap_or_default();
    let given = |entry: &&Entry| !entry.value.is_null();
    let has_action = entries.iter().any(|entry| &*entry.key == "action" && given(&entry));
    // An action may have any other fields.
    let all: Vec<&str> = entries.iter().map(|entry| &*entry.key).collect();
    let fields = Fields::of(node, "an input", if has_action { &all } else { &KEYS }, problems)?;
    for (key, what) in ALONE {
        let Some(written) = fields.get(key) else { continue };
        let keys: &[&str] = if key == "action" { &NOT_OF_ACTION } else { &KEYS };
        let is_other = |entry: &&Entry| &*entry.key != key && keys.contains(&&*entry.key);
        if let Some(other) = entries.iter().filter(given).find(is_other) {
            let message = format!("{what} cannot be combined with `{}` in one input", other.key);
            problems.push(
                Diagnostic::new(&BAD_EVENT, other.key_span, message)
                    .label(written.span, "this is an input by itself")
                    .help("send them as two inputs"),
            );
            return None;
        }
        return match key {
            "action" => action(written, entries, problems),
            "event" => Event::decode(written, problems).map(Input::Event),
            "prompt" => prompt(written, problems),
            "live" => live(written, problems),
            _ => Some(Input::Set(writes(written, "`set`", (requested_by_host, host), problems))),
        };
    }
    let is_turn = ["user", "ai", "writes"].iter().any(|key| fields.written(key).is_some());
    let nothing = ALONE.iter().find_map(|(key, _)| Some((key, fields.written(key)?)));
    if let (Some((key, node)), false) = (nothing, is_turn) {
        let message = format!("`{key}` is null, and the input has nothing else");
        let help = match *key {
            "set" => "list the writes, or write `{}` for a turn without messages".to_owned(),
            "live" => "list the events, or write `{}` for a turn without messages".to_owned(),
            key => format!("name the {key}, or write `{{}}` for a turn without messages"),
        };
        problems.push(Diagnostic::new(&BAD_EVENT, node.span, message).help(help));
        return None;
    }
    let mut said = |key: &str| match fields.get(key) {
        None => Some(None),
        Some(node) => text(node, &format!("`{key}`"), problems).map(|text| Some(text.into())),
    };
    let (user, ai) = (said("user"), said("ai"));
    let writes = match fields.get("writes") {
        None => Vec::new(),
        Some(node) => writes(node, "`writes`", (requested, OnError::Refuse), problems),
    };
    Some(Input::Turn { user: user?, ai: ai?, writes })
}

/// A prompt that was submitted: its event.
fn prompt(node: &Node, problems: &mut Vec<Diagnostic>) -> Option<Input> {
    let content = text(node, "`prompt`", problems)?;
    let event = Event::new(MESSAGE_USER, [("content", Value::Text(content.into()))]);
    Some(Input::Live(vec![event]))
}

/// Live events.
fn live(node: &Node, problems: &mut Vec<Diagnostic>) -> Option<Input> {
    let items = list(node, "`live`", "events", problems);
    let events: Vec<Option<Event>> =
        items.iter().map(|item| Event::decode(item, problems)).collect();
    events.into_iter().collect::<Option<Vec<Event>>>().map(Input::Live)
}

/// An action: its id, and the other keys as fields of its event.
fn action(node: &Node, entries: &[Entry], problems: &mut Vec<Diagnostic>) -> Option<Input> {
    let id = id(node, "`action`", problems)?;
    let mut fields = Map::new();
    for entry in entries.iter().filter(|entry| !NOT_OF_ACTION.contains(&&*entry.key)) {
        if ["type", "actionId"].contains(&&*entry.key) {
            let message = format!("`{}` is not a valid field of an action", entry.key);
            let problem = Diagnostic::new(&BAD_EVENT, entry.key_span, message);
            problems.push(problem.help("rename it; the event of the action uses this name"));
            return None;
        }
        fields.insert(entry.key.clone(), Value::from_node(&entry.value));
    }
    Some(Input::Action { id: id.into(), fields })
}

/// How a write is decoded, and what an error in it means.
type Request = (fn(&Node, &mut Vec<Diagnostic>) -> Option<Requested>, OnError);

/// What an error in a write means.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OnError {
    /// The input is rejected.
    Reject,
    /// The step reports the write and leaves it out.
    Refuse,
}

/// A list of writes.
fn writes(
    node: &Node,
    what: &str,
    requested: Request,
    problems: &mut Vec<Diagnostic>,
) -> Vec<Write> {
    match node.as_list() {
        Some(items) => items.iter().map(|item| write(item, requested, problems)).collect(),
        None => {
            let problem = wrong_type(node, what, "a list");
            if requested.1 == OnError::Reject {
                problems.push(problem.help("write `[{path: …, value: …}]`"));
                return Vec::new();
            }
            vec![Write { requested: Err(Box::new(refused(&problem))), span: node.span }]
        }
    }
}

fn write(node: &Node, (requested, on_error): Request, problems: &mut Vec<Diagnostic>) -> Write {
    let mut found = Vec::new();
    let requested = requested(node, &mut found);
    let wrong = found.iter().find(|problem| problem.is_error()).map(refused);
    if on_error == OnError::Reject {
        problems.extend(found.iter().filter(|problem| problem.is_error()).cloned());
    }
    problems.extend(found.into_iter().filter(|problem| !problem.is_error()));
    let requested = match (requested, wrong) {
        (Some(requested), None) => Ok(requested),
        (_, Some(wrong)) => Err(Box::new(wrong)),
        (None, None) => Err(Box::new(refused(&wrong_type(node, "a write", "a mapping")))),
    };
    Write { requested, span: node.span }
}

/// A write of the agent: `variableId`, `operation` and `value`.
fn requested(node: &Node, problems: &mut Vec<Diagnostic>) -> Option<Requested> {
    let what = "a write";
    let fields = Fields::of(node, what, &["variableId", "operation", "value"], problems)?;
    let variable = fields.require("variableId", what, problems);
    let variable = written_variable(variable, "`variableId`", problems);
    let operation = operation(&fields, what, problems);
    let (path, written) = variable?;
    Some(Requested { path, written, operation: operation? })
}

/// A write of the host: `path` or `variableId`, `value`, and an `operation` that defaults to `set`.
fn requested_by_host(node: &Node, problems: &mut Vec<Diagnostic>) -> Option<Requested> {
    let what = "a write";
    let keys = ["path", "variableId", "operation", "value"];
    let fields = Fields::of(node, what, &keys, problems)?;
    let (key, variable) = match fields.get("variableId") {
        Some(variable) if fields.get("path").is_none() => ("`variableId`", Some(variable)),
        Some(variable) => {
            let message = "`path` and `variableId` cannot be combined";
            problems.push(
                Diagnostic::new(&crate::code::BAD_VALUE, variable.span, message)
                    .help("remove one of them"),
            );
            return None;
        }
        None => ("`path`", fields.require("path", what, problems)),
    };
    let variable = written_variable(variable, key, problems);
    let kind = match fields.get("operation") {
        None => Some(OperationKind::Set),
        Some(node) => operation_kind(node, problems),
    };
    let operation = kind.and_then(|kind| with_value(kind, &fields, what, problems));
    let (path, written) = variable?;
    Some(Requested { path, written, operation: operation? })
}

/// The variable that a write names, with its text; without a path if it is an `@` path.
fn written_variable(
    node: Option<&Node>,
    key: &str,
    problems: &mut Vec<Diagnostic>,
) -> Option<(Option<Path>, Box<str>)> {
    let node = node?;
    let written = text(node, key, problems);
    let path = match target(node, key, problems)? {
        Target::Variable(path) => Some(path),
        Target::Effect => None,
    };
    Some((path, written?.into()))
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
        kind.map(|_| Self::of(Value::from_node(node)))
    }
}
