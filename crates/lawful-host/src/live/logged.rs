//! The line of the log for a decision.

use std::time::{Duration, SystemTime};

use lawful::{Path, Segment, Value};
use lawful_deliver::{Event, Incoming};
use serde_json::Map;

use super::LiveRequest;
use super::decided::Decided;
use crate::decision_log::{
    DecisionKind, DecisionLog, LoggedDecision, kept_name, kept_text, kept_value, new_id,
    written_time,
};
use crate::workspace::Workspace;

/// The fields of an event that the log shows.
const SHOWN: [&str; 6] = ["command", "paths", "url", "server", "name", "content"];

/// What stands in the log instead of a masked value.
const MASK: &str = "***";

impl Workspace {
    /// Logs a decision. Returns its id, and why it could not be logged.
    pub(super) fn log_decision(
        &self,
        call: LiveRequest,
        incoming: Option<&Incoming>,
        decided: &Decided,
        took: Duration,
    ) -> (Result<(), String>, Option<String>) {
        if !is_worth_a_line(call.event, decided) {
            return (Ok(()), None);
        }
        let failed = |error: std::io::Error| format!("The decision could not be logged: {error}");
        let id = match new_id() {
            Ok(id) => id,
            Err(error) => return (Err(failed(error)), None),
        };
        let Ok(state) = self.state() else {
            return (
                Err("The decision could not be logged: there is no home folder".to_owned()),
                None,
            );
        };
        let line = line(&id, (call, incoming), decided, took);
        match DecisionLog::of(&state).append(&line) {
            Ok(()) => (Ok(()), Some(id)),
            Err(error) => (Err(failed(error)), None),
        }
    }
}

/// Whether an event is decided at all, or something happened that a person should see.
fn is_worth_a_line(event: Event, decided: &Decided) -> bool {
    match event {
        Event::ToolCall | Event::Prompt | Event::Stop | Event::AgentStop => true,
        Event::SessionStart | Event::ToolResult | Event::AgentStart | Event::Compact => {
            decided.outcome.decision != DecisionKind::None || !decided.outcome.by.is_empty()
        }
    }
}

fn line(
    id: &str,
    (call, incoming): (LiveRequest, Option<&Incoming>),
    decided: &Decided,
    took: Duration,
) -> LoggedDecision {
    let masked = Masked::of(decided);
    let event = decided.event.as_ref();
    let field = |name: &str| event.and_then(|event| event.get(name)).and_then(Value::as_text);
    let about: Map<String, serde_json::Value> = SHOWN
        .iter()
        .filter_map(|name| Some((*name, event?.get(name)?)))
        .map(|(name, value)| (name.to_owned(), kept_value(value, &|text| masked.text(text))))
        .collect();
    let reason = &decided.outcome.reason;
    LoggedDecision {
        id: id.to_owned(),
        time: written_time(SystemTime::now()),
        harness: call.harness.id.to_owned(),
        session: incoming.map_or_else(String::new, |incoming| kept_name(&incoming.session)),
        agent: incoming.map_or_else(String::new, |incoming| kept_name(&incoming.agent)),
        event: event_name(call.event).to_owned(),
        decision: decided.outcome.decision,
        by: decided.outcome.by.iter().map(|by| kept_name(by)).collect(),
        law: decided.law.clone(),
        ms: (took.as_secs_f64() * 10_000.0).round() / 10.0,
        mode: decided.mode,
        action: field("action").map(kept_name),
        tool: field("tool").map(kept_name),
        reason: (!reason.is_empty()).then(|| kept_text(&masked.text(reason))),
        about: (!about.is_empty()).then_some(about),
        call: decided.call.clone(),
        overrides: decided.overrides.clone(),
    }
}

/// The name of an event in the log.
pub(super) fn event_name(event: Event) -> &'static str {
    use lawful::live::EventKind;

    match event {
        Event::SessionStart => EventKind::SessionStart,
        Event::Prompt => EventKind::MessageUser,
        Event::ToolCall => EventKind::ToolCall,
        Event::ToolResult => EventKind::ToolResult,
        Event::AgentStart => EventKind::AgentStart,
        Event::AgentStop => EventKind::AgentStop,
        Event::Stop => EventKind::TurnStop,
        Event::Compact => EventKind::ContextCompact,
    }
    .name()
}

/// The texts that must not be shown. They are masked wherever they occur, because a command is a part
/// of the input and of the event, and a reason can quote it.
pub(super) struct Masked(Vec<String>);

impl Masked {
    pub(super) fn of(decided: &Decided) -> Self {
        let mut texts = Vec::new();
        if let Some(event) = &decided.event {
            for path in &decided.mask {
                collect(event, inside(path), &mut texts);
            }
        }
        texts.retain(|text| !text.is_empty());
        // A longer text may contain a shorter one.
        texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
        Self(texts)
    }

    /// Whether nothing is masked.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn text(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, secret| text.replace(secret, MASK))
    }
}

/// A path without the `event.` in front.
fn inside(path: &Path) -> &[Segment] {
    match path.segments() {
        [Segment::Key(root), rest @ ..] if **root == *"event" => rest,
        all => all,
    }
}

/// Every text at a path.
fn collect(value: &Value, path: &[Segment], texts: &mut Vec<String>) {
    let Some((first, rest)) = path.split_first() else {
        return all_texts(value, texts);
    };
    match (first, value) {
        (Segment::Key(key), Value::Map(map)) => {
            map.get(key).into_iter().for_each(|value| collect(value, rest, texts));
        }
        (Segment::Index(at), Value::List(items)) => {
            let item = usize::try_from(*at).ok().and_then(|at| items.get(at));
            if let Some(value) = item {
                collect(value, rest, texts);
            }
        }
        (Segment::Each, Value::List(items)) => {
            for value in items {
                collect(value, rest, texts);
            }
        }
        (Segment::Key(_) | Segment::Index(_) | Segment::Each, _) => {}
    }
}

fn all_texts(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::Text(text) => texts.push(text.to_string()),
        Value::Number(_) => texts.extend(serde_json::to_string(value).ok()),
        Value::List(items) => items.iter().for_each(|item| all_texts(item, texts)),
        Value::Map(map) => map.iter().for_each(|(_, value)| all_texts(value, texts)),
        Value::Null | Value::Bool(_) => {}
    }
}
