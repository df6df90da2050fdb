//! What the store keeps, as values and views.
//!
//! A file may have been written by someone else, so nothing in it is taken to be well formed.

use lawful::react::{Input, Session};
use lawful::syntax::{Diagnostic, Format, Limits, Node, Sources, Span, parse, render, text};
use lawful::view::{ChangeView, FiringView, HitView, StateView, Told, request_text};
use lawful::{Map, Value, code};
use lawful_store::{Effect, Json, Record, Status};
use serde::Serialize;

use super::failure;
use crate::lawbook::Failure;

/// A value as the store keeps it.
pub(crate) fn json<T: Serialize + ?Sized>(value: &T) -> Result<Json, Failure> {
    Json::of(value).map_err(|error| damaged("what is to be kept", &error.to_string()))
}

/// A text of the store as a value.
pub(crate) fn value(json: &Json) -> Result<Value, Failure> {
    node(json).map(Value::from_owned_node)
}

/// The state that a text of the store says.
pub(crate) fn state(json: &Json) -> Result<Session, Failure> {
    Session::from_json(json.text()).map_err(|problems| damaged("a state", &said(&problems)))
}

/// The same as it is shown.
pub(crate) fn state_value(json: &Json) -> Result<Value, Failure> {
    let state = state(json)?;
    value(&self::json(&StateView::new(&state))?)
}

/// The input that a text of the store says.
pub(crate) fn input(json: &Json) -> Result<Input, Failure> {
    let (input, problems) = Input::decode(&node(json)?);
    input.ok_or_else(|| damaged("an input", &said(&problems)))
}

fn node(json: &Json) -> Result<Node, Failure> {
    let mut sources = Sources::default();
    let (file, _) = text::add(&mut sources, "a stored text", json.text().as_bytes());
    // A trace holds states, and nests deeper than any of them.
    let limits = Limits { bytes: usize::MAX, depth: 1024, ..Limits::default() };
    let (node, problems) = parse(&sources, file, Format::Json, &limits);
    let sound = !problems.iter().any(Diagnostic::is_error);
    node.filter(|_| sound).ok_or_else(|| damaged("a text", &said(&problems)))
}

fn said(problems: &[Diagnostic]) -> String {
    problems.first().map_or_else(String::new, |problem| problem.message.clone())
}

fn damaged(what: &str, why: &str) -> Failure {
    let message = format!("{what} in the file cannot be read: {why}");
    let problem = Diagnostic::new(&code::SESSION_FILE, Span::NONE, message);
    failure(problem.help("restore the file from a copy"))
}

/// `{"waves", "fired"}`
#[derive(Serialize)]
pub(crate) struct Trace {
    pub(crate) waves: Value,
    pub(crate) fired: Value,
}

impl Trace {
    pub(crate) fn of(record: &Record) -> Result<Self, Failure> {
        Ok(Self { waves: value(&record.events)?, fired: value(&record.changes)? })
    }

    /// A trace in which nothing happened.
    pub(crate) fn nothing() -> Self {
        Self { waves: Value::List(Vec::new()), fired: Value::List(Vec::new()) }
    }

    /// The rules that fired, as they are shown.
    pub(crate) fn firings(&self) -> Vec<FiringView<'_>> {
        items(Some(&self.fired)).iter().map(firing).collect()
    }
}

fn firing(stored: &Value) -> FiringView<'_> {
    let number = |value: &Value, key: &str| value.get(key).map_or(0, count);
    let matched = stored.get("matched").and_then(Value::present).map(|hit| HitView {
        keyword: word(hit, "keyword"),
        start: number(hit, "start"),
        end: number(hit, "end"),
        text: word(hit, "text"),
    });
    let changes = items(stored.get("changes")).iter().map(|change| ChangeView {
        action: number(change, "action"),
        path: word(change, "path"),
        before: change.get("before").unwrap_or(&Value::Null),
        after: change.get("after").unwrap_or(&Value::Null),
        note: change.get("note").and_then(Value::as_text),
    });
    FiringView {
        rule: word(stored, "rule"),
        wave: number(stored, "wave"),
        event: stored.get("event").unwrap_or(&Value::Null),
        matched,
        changes: changes.collect(),
    }
}

pub(crate) fn items(list: Option<&Value>) -> &[Value] {
    match list {
        Some(Value::List(items)) => items,
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::Map(_))
        | None => &[],
    }
}

pub(crate) fn word<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_text).unwrap_or_default()
}

fn count(value: &Value) -> usize {
    match value {
        Value::Number(number) => {
            number.as_count().and_then(|count| usize::try_from(count).ok()).unwrap_or_default()
        }
        Value::Null | Value::Bool(_) | Value::Text(_) | Value::List(_) | Value::Map(_) => 0,
    }
}

/// What is told of a stored step, as of one that was just taken.
pub(crate) fn told(
    before: &Session,
    snapshot: &Json,
    trace: &Trace,
    effects: &[Effect],
) -> Result<String, Failure> {
    let after = state(snapshot)?;
    let effects = effects.iter().map(effect_line).collect::<Result<_, _>>()?;
    let (fired, not_fired) = (trace.firings(), Vec::new());
    Ok(Told { fired, not_fired, before, after: &after, effects }.text())
}

/// `{"id", "type", …}`
pub(crate) fn effect(effect: &Effect) -> Result<Value, Failure> {
    let mut out = Map::new();
    out.insert("id", effect.id.to_string().as_str().into());
    if let Value::Map(body) = value(&effect.body)? {
        for (key, field) in body.iter() {
            out.insert(key, field.clone());
        }
    }
    Ok(Value::Map(out))
}

/// The effects that a turn hands to the host: not those that the host did when the turn was first
/// taken, and not those that were withdrawn since.
pub(crate) fn handed_out(effects: &[Effect]) -> Result<Vec<Value>, Failure> {
    let handed = effects.iter().filter(|effect| match effect.status {
        Status::Pending | Status::Acknowledged => true,
        Status::Withdrawn | Status::Repeated => false,
    });
    handed.map(effect).collect()
}

/// An effect on one line, with what became of it.
pub(crate) fn effect_line(stored: &Effect) -> Result<String, Failure> {
    let line = format!("{} {}", stored.id, body_line(&value(&stored.body)?));
    Ok(match stored.status {
        Status::Pending => line,
        Status::Acknowledged => format!("{line} (acknowledged)"),
        Status::Withdrawn => format!("{line} (withdrawn)"),
        Status::Repeated => format!("{line} (done before)"),
    })
}

/// What an effect asks for, on one line.
pub(crate) fn body_line(body: &Value) -> String {
    let fields = match body {
        Value::Map(map) => map.iter().filter(|(key, _)| *key != "type").collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_) => {
            Vec::new()
        }
    };
    request_text(word(body, "type"), fields)
}

/// Diagnostics as the store keeps them.
pub(crate) fn diagnostics(
    problems: &[Diagnostic],
    sources: &Sources,
) -> Vec<render::DiagnosticView> {
    problems.iter().map(|problem| render::view(problem, sources)).collect()
}
