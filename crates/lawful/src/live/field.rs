//! The fields of the events that guards decide on: a closed set.

use super::kind::EventKind;
use super::moment::Action;

/// A field of an event.
#[derive(Debug)]
pub(crate) struct Field {
    pub name: &'static str,
    /// The events that have it.
    pub of: &'static [EventKind],
    /// The actions whose calls have it; empty for every action.
    pub actions: &'static [Action],
    /// Whether it belongs to one thing that a call touches, and not to the call.
    pub of_thing: bool,
    /// The type of its values.
    pub holds: Holds,
}

/// The type of the values of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holds {
    /// A string.
    Text,
    /// A list of strings.
    List,
    /// True or false.
    Truth,
    /// Whatever the harness sends.
    Anything,
}

const fn field(name: &'static str, of: &'static [EventKind], actions: &'static [Action]) -> Field {
    Field { name, of, actions, of_thing: false, holds: Holds::Text }
}

const fn list(name: &'static str, actions: &'static [Action]) -> Field {
    Field { holds: Holds::List, ..field(name, CALL, actions) }
}

const fn text_of_thing(name: &'static str, actions: &'static [Action]) -> Field {
    Field { of_thing: true, ..field(name, CALL, actions) }
}

const CALL: &[EventKind] = &[EventKind::ToolCall];
const SHELL: &[Action] = &[Action::Shell];
const FILES: &[Action] = &[Action::Read, Action::Write, Action::Edit, Action::Search];

/// Every field that a guard can name.
pub(crate) const FIELDS: [Field; 21] = [
    field(
        "type",
        &[EventKind::ToolCall, EventKind::MessageUser, EventKind::TurnStop, EventKind::AgentStop],
        &[],
    ),
    field("action", CALL, &[]),
    field("tool", CALL, &[]),
    field("agent", &[EventKind::ToolCall, EventKind::AgentStop], &[]),
    Field { holds: Holds::Anything, ..field("input", CALL, &[]) },
    field("command", CALL, SHELL),
    list("lines", SHELL),
    list("programs", SHELL),
    Field { holds: Holds::Truth, ..field("opaque", CALL, SHELL) },
    text_of_thing("line", SHELL),
    text_of_thing("program", SHELL),
    Field { of_thing: true, ..list("args", SHELL) },
    // In a condition, the files of one command; in the event, those of all.
    list("writes", SHELL),
    list("reads", SHELL),
    list("paths", FILES),
    text_of_thing("path", FILES),
    field("url", CALL, &[Action::Fetch]),
    field("server", CALL, &[Action::Mcp]),
    field("name", CALL, &[Action::Mcp]),
    field("content", &[EventKind::MessageUser], &[]),
    field("message", &[EventKind::TurnStop, EventKind::AgentStop], &[]),
];

impl Field {
    /// The field with this name.
    pub(crate) fn find(name: &str) -> Option<&'static Self> {
        FIELDS.iter().find(|field| field.name == name)
    }

    /// The fields whose value in a condition is that of one thing.
    pub(crate) fn of_things() -> impl Iterator<Item = &'static Self> {
        FIELDS.iter().filter(|field| field.of_thing || ["writes", "reads"].contains(&field.name))
    }
}
