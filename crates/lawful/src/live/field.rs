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
}

const fn field(name: &'static str, of: &'static [EventKind], actions: &'static [Action]) -> Field {
    Field { name, of, actions, of_thing: false }
}

const fn of_thing(name: &'static str, actions: &'static [Action]) -> Field {
    Field { name, of: CALL, actions, of_thing: true }
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
    field("input", CALL, &[]),
    field("command", CALL, SHELL),
    field("lines", CALL, SHELL),
    field("programs", CALL, SHELL),
    field("opaque", CALL, SHELL),
    of_thing("line", SHELL),
    of_thing("program", SHELL),
    of_thing("args", SHELL),
    // In a condition, the files of one command; in the event, those of all.
    field("writes", CALL, SHELL),
    field("reads", CALL, SHELL),
    field("paths", CALL, FILES),
    of_thing("path", FILES),
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
}
