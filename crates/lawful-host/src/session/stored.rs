//! Reading back what the store keeps.
//!
//! A file may have been written by someone else, so nothing in it is taken to be well formed.

use lawful::react::{Input, Session};
use lawful::syntax::{Diagnostic, Format, Limits, Node, Sources, Span, parse, text};
use lawful::{Value, code};
use lawful_store::Json;
use serde::Serialize;

use crate::failure::Failure;

/// A value in the form that the store keeps.
pub(super) fn json<T: Serialize + ?Sized>(value: &T) -> Result<Json, Failure> {
    Json::of(value).map_err(|error| damaged("what is to be kept", &error.to_string()))
}

/// A text of the store as a value.
pub(super) fn value(json: &Json) -> Result<Value, Failure> {
    node(json).map(Value::from_owned_node)
}

/// A text of the store as a state.
pub(super) fn state(json: &Json) -> Result<Session, Failure> {
    Session::from_json(json.text()).map_err(|problems| damaged("a state", &said(&problems)))
}

/// A text of the store as an input.
pub(super) fn input(json: &Json) -> Result<Input, Failure> {
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

pub(super) fn damaged(what: &str, why: &str) -> Failure {
    let message = format!("{what} in the file cannot be read: {why}");
    let problem = Diagnostic::new(&code::SESSION_FILE, Span::NONE, message);
    Failure::of(problem.help("restore the file from a copy"))
}

/// The items of a list; none of anything else.
pub(super) fn items(list: Option<&Value>) -> &[Value] {
    match list {
        Some(Value::List(items)) => items,
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::Map(_))
        | None => &[],
    }
}
