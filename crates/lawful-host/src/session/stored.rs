//! Decoding what the store keeps.
//!
//! Someone else may have written the file, so nothing in it is assumed to be well formed.

use lawful::Value;
use lawful::react::{Input, Session};
use lawful::syntax::{Diagnostic, Format, Limits, Node, Sources, Span, parse, text};
use lawful_store::Json;
use serde::Serialize;

use crate::codes;
use crate::failure::Failure;

/// A value in the form that the store keeps.
pub(crate) fn json<T: Serialize + ?Sized>(value: &T) -> Result<Json, Failure> {
    Json::of(value).map_err(|error| damaged("a value to store", &error.to_string()))
}

/// Decodes a stored text as a value.
pub(crate) fn value(json: &Json) -> Result<Value, Failure> {
    node(json).map(Value::from_owned_node)
}

/// Decodes a stored text as a state.
pub(crate) fn state(json: &Json) -> Result<Session, Failure> {
    Session::from_json(json.text()).map_err(|error| damaged("a state", &said(error.diagnostics())))
}

/// Decodes a stored text as an input.
pub(crate) fn input(json: &Json) -> Result<Input, Failure> {
    let (input, problems) = Input::decode_stored(&node(json)?);
    input.ok_or_else(|| damaged("an input", &said(&problems)))
}

fn node(json: &Json) -> Result<Node, Failure> {
    let mut sources = Sources::default();
    let (file, _) = text::add(&mut sources, "a stored text", json.text().as_bytes());
    // A trace contains states, and nests deeper than they do.
    let limits = Limits { bytes: usize::MAX, depth: 1024, ..Limits::default() };
    let (node, problems) = parse(&sources, file, Format::Json, &limits);
    let sound = !problems.iter().any(Diagnostic::is_error);
    node.filter(|_| sound).ok_or_else(|| damaged("a text", &said(&problems)))
}

fn said(problems: &[Diagnostic]) -> String {
    problems.first().map_or_else(String::new, |problem| problem.message.clone())
}

pub(crate) fn damaged(what: &str, why: &str) -> Failure {
    let message = format!("cannot read {what} in the file: {why}");
    let problem = Diagnostic::new(&codes::SESSION_FILE, Span::NONE, message);
    Failure::of(problem.help("restore the file from a backup"))
}

/// The items of a list; empty for any other value.
pub(crate) fn items(list: Option<&Value>) -> &[Value] {
    match list {
        Some(Value::List(items)) => items,
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::Map(_))
        | None => &[],
    }
}
