//! Calls of tools that a guard may decide on.

use super::draft::{Draft, variables};
use super::step;
use crate::guard::Guard;
use crate::live::{Action, EventKind};
use crate::value::{Map, Value};

/// A call, a prompt or a stop with the fields that a guard wants.
pub(super) fn draft(guard: &Guard, mut witness: Map) -> Draft {
    let state = variables(&mut witness);
    let mut event = match witness.remove("event") {
        Some(Value::Map(event)) => event,
        Some(_) | None => Map::new(),
    };
    for (field, values) in &guard.on.fields {
        if let (None, Some(value)) = (event.get(field), values.first()) {
            event.insert(field.clone(), value.clone());
        }
    }
    let fields = match guard.on.event {
        EventKind::MessageUser => step("prompt", text(&event, "content", "Hello.")),
        EventKind::TurnStop => step("stop", only("message", text(&event, "message", "Done."))),
        EventKind::AgentStop => {
            let mut stop = Map::new();
            stop.insert("type", EventKind::AgentStop.name().into());
            stop.insert("agent", text(&event, "agent", "main"));
            step("tool", Value::Map(stop))
        }
        EventKind::SessionStart
        | EventKind::ToolCall
        | EventKind::ToolResult
        | EventKind::AgentStart
        | EventKind::ContextCompact => step("tool", Value::Map(call(guard, &event))),
    };
    Draft { name: "guards".to_owned(), state, steps: vec![fields], joins: true }
}

fn call(guard: &Guard, event: &Map) -> Map {
    let named = event.get("action").and_then(Value::as_text);
    let named = named.and_then(|name| Action::NAMES.iter().find(|(known, _)| *known == name));
    let action = named.map(|(_, action)| *action).or(guard.on.actions.first().copied());
    let action = action.unwrap_or(Action::Shell);
    let mut call = Map::new();
    call.insert("action", action.name().into());
    match action {
        Action::Shell => call.insert("command", command(event)),
        Action::Read | Action::Write | Action::Edit | Action::Search => {
            let path = text(event, "path", "file.txt");
            call.insert("paths", Value::List(vec![path]));
        }
        Action::Fetch => call.insert("url", text(event, "url", "https://example.com/")),
        Action::Mcp => {
            call.insert("server", text(event, "server", "server"));
            call.insert("name", text(event, "name", "tool"));
        }
        Action::Agent | Action::Other => {}
    }
    for key in ["tool", "agent", "input"] {
        if let Some(value) = event.get(key) {
            call.insert(key, value.clone());
        }
    }
    call
}

/// A line that has the fields of the event, as far as one can.
fn command(event: &Map) -> Value {
    for key in ["command", "line"] {
        if let Some(line) = event.get(key).and_then(Value::as_text) {
            return line.into();
        }
    }
    let program = event.get("program").and_then(Value::as_text).unwrap_or("true");
    let mut words = vec![program.to_owned()];
    if let Some(Value::List(args)) = event.get("args") {
        words.extend(args.iter().filter_map(Value::as_text).map(str::to_owned));
    }
    words.join(" ").as_str().into()
}

fn text(event: &Map, key: &str, default: &str) -> Value {
    event.get(key).and_then(Value::as_text).unwrap_or(default).into()
}

fn only(key: &str, value: Value) -> Value {
    Value::Map(step(key, value))
}
