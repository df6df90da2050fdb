//! `on`: the events that a guard decides on, by equality of fields.

use lawful_syntax::{Diagnostic, Entry, Kind, Node, did_you_mean, escape};

use crate::code;
use crate::decode::wrong_type;
use crate::guard::codes::BAD_GUARD;
use crate::guard::guards::On;
use crate::live::field::{FIELDS, Field};
use crate::live::{Action, EventKind};
use crate::value::Value;

/// The events that a guard can decide on.
pub(crate) const DECIDED: [EventKind; 4] =
    [EventKind::ToolCall, EventKind::MessageUser, EventKind::TurnStop, EventKind::AgentStop];

/// Decodes `on`. `None` if it has an error.
pub(super) fn on(node: &Node, problems: &mut Vec<Diagnostic>) -> Option<On> {
    let Some(entries) = node.as_map() else {
        let problem = wrong_type(node, "`on`", "a mapping of fields and values");
        problems.push(problem.help("write it as `{action: shell}`"));
        return None;
    };
    let mut on = On { span: Some(node.span), ..On::default() };
    let mut sound = true;
    if let Some(entry) = entries.iter().find(|entry| &*entry.key == "event") {
        match event(&entry.value, problems) {
            Some(event) => on.event = event,
            None => sound = false,
        }
    }
    for entry in entries.iter().filter(|entry| &*entry.key != "event") {
        sound &= field(entry, sound, &mut on, problems);
    }
    sound.then_some(on)
}

fn event(node: &Node, problems: &mut Vec<Diagnostic>) -> Option<EventKind> {
    let Some(written) = node.as_text() else {
        problems.push(wrong_type(node, "`event`", "a string"));
        return None;
    };
    let found = EventKind::NAMES.iter().find(|(name, _)| *name == written).map(|(_, kind)| *kind);
    if let Some(kind) = found.filter(|kind| DECIDED.contains(kind)) {
        return Some(kind);
    }
    let names = DECIDED.map(EventKind::name);
    let (message, help) = match found {
        Some(kind) => (
            format!("a guard cannot decide on `{}`", kind.name()),
            "write a rule with the trigger `event` to react to it".to_owned(),
        ),
        None => (
            format!("unknown event `{}`", escape::name(written)),
            did_you_mean("event", written, names),
        ),
    };
    problems.push(Diagnostic::new(&BAD_GUARD, node.span, message).help(help));
    None
}

/// Decodes one field. False if it has an error. The fields of an unknown event are not checked.
fn field(entry: &Entry, event_known: bool, on: &mut On, problems: &mut Vec<Diagnostic>) -> bool {
    let of_event = |field: &&Field| field.of.contains(&on.event) && !field.of_thing;
    let names = || FIELDS.iter().filter(of_event).map(|field| field.name);
    if !Field::find(&entry.key).is_some_and(|field| of_event(&field)) {
        if event_known {
            let name = escape::name(&entry.key);
            let message = format!("`{}` has no field `{name}`", on.event.name());
            let of_thing = Field::find(&entry.key).is_some_and(|field| field.of_thing);
            let help = if of_thing {
                format!("write it as a condition: `when: {{event.{name}: …}}`")
            } else {
                did_you_mean("field", &entry.key, names().chain(["event"]))
            };
            problems.push(Diagnostic::new(&code::UNKNOWN_KEY, entry.key_span, message).help(help));
        }
        return false;
    }
    let items: &[Node] = match &entry.value.kind {
        Kind::List(items) => items,
        Kind::Null | Kind::Bool(_) | Kind::Int(_) | Kind::Float(_) => {
            std::slice::from_ref(&entry.value)
        }
        Kind::Text(_) | Kind::Map(_) => std::slice::from_ref(&entry.value),
    };
    if items.is_empty() {
        let message = format!("`{}` has no values, so the guard never acts", entry.key);
        problems
            .push(Diagnostic::new(&BAD_GUARD, entry.value.span, message).help("list its values"));
        return false;
    }
    if &*entry.key == "action" {
        let mut sound = true;
        for item in items {
            let found =
                item.as_text().map(|name| Action::NAMES.iter().find(|(known, _)| *known == name));
            match found {
                Some(Some((_, action))) => on.actions.push(*action),
                Some(None) => {
                    sound = false;
                    let name = item.as_text().unwrap_or_default();
                    let message = format!("unknown action `{}`", escape::name(name));
                    let help = did_you_mean("action", name, Action::NAMES.map(|(name, _)| name));
                    problems.push(Diagnostic::new(&BAD_GUARD, item.span, message).help(help));
                }
                None => {
                    sound = false;
                    problems.push(wrong_type(item, "`action`", "a string"));
                }
            }
        }
        return sound;
    }
    let mut values = Vec::new();
    for item in items {
        let scalar =
            matches!(item.kind, Kind::Bool(_) | Kind::Int(_) | Kind::Float(_) | Kind::Text(_));
        if !scalar {
            let what = format!("`{}`", entry.key);
            let problem = wrong_type(item, &what, "a string, a number or a boolean");
            problems.push(problem.help("write other tests as a condition in `when`"));
            return false;
        }
        values.push(Value::from_node(item));
    }
    on.fields.push((entry.key.clone(), values));
    true
}
