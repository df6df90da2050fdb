//! Writes what happened as an expectation: for `--bless`, and for scenarios that are made of sessions.

use super::document::StepKind;
use super::happened::Happened;
use crate::cond::{Leaves, PATH};
use crate::path::{Path, Segment};
use crate::value::{Map, Value};

impl Happened {
    /// The `expect` of this step that holds and says as much as it can, in the order of its keys.
    pub fn expectation(&self) -> Map {
        let mut out = Map::new();
        let state = state(&self.changed);
        if let Some(state) = state {
            out.insert("state", state);
        }
        if self.kind.is_step() || self.kind == StepKind::Compose {
            out.insert("fired", exactly(&self.fired));
        }
        if let Some(decision) = self.decision {
            out.insert("decision", decision.name().into());
        }
        let mut some = |key: &str, names: &[Box<str>]| {
            if !names.is_empty() {
                out.insert(key, exactly(names));
            }
        };
        some("by", &self.by);
        if self.kind.is_step() {
            some("directives", &self.directives);
        }
        if !self.effects.is_empty() {
            let effects = self.effects.iter().map(without_id).collect();
            out.insert("effects", all(effects));
        }
        if let Some(verdict) = self.verdict {
            out.insert("verdict", verdict.name().into());
        }
        let mut some = |key: &str, names: &[Box<str>]| {
            if !names.is_empty() {
                out.insert(key, exactly(names));
            }
        };
        some("failed", &self.failed);
        some("skipped", &self.skipped);
        some("undecided", &self.undecided);
        let codes: Vec<Box<str>> =
            self.diagnostics.iter().map(|problem| problem.code.name.into()).collect();
        some("diagnostics", &codes);
        if let Some(prompt) = self.prompt.as_ref().filter(|prompt| !prompt.sections.is_empty()) {
            let mut order: Vec<Value> = Vec::new();
            for id in prompt.order().map(Value::from) {
                if !order.contains(&id) {
                    order.push(id);
                }
            }
            let mut test = Map::new();
            test.insert("order", Value::List(order));
            out.insert("prompt", Value::Map(test));
        }
        out
    }
}

/// All of a list.
fn all(items: Vec<Value>) -> Value {
    let mut map = Map::new();
    map.insert("exactly", Value::List(items));
    Value::Map(map)
}

fn exactly(names: &[Box<str>]) -> Value {
    let mut distinct: Vec<Value> = Vec::new();
    for name in names.iter().map(|name| Value::Text(name.clone())) {
        if !distinct.contains(&name) {
            distinct.push(name);
        }
    }
    all(distinct)
}

/// An effect without its id, which depends on every step before it.
fn without_id(effect: &Value) -> Value {
    let Value::Map(fields) = effect else { return effect.clone() };
    let kept = fields.iter().filter(|(key, value)| *key != "id" && value.present().is_some());
    Value::Map(kept.map(|(key, value)| (key.into(), value.clone())).collect())
}

/// A condition that holds for variables with these values.
fn state(changed: &Map) -> Option<Value> {
    if changed.is_empty() {
        return None;
    }
    let is_plain = |(key, value): (&str, &Value)| {
        let plain = key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
        let comparable = match value {
            Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::Map(_) => true,
            // Absence and lists need a test with an operator.
            Value::Null | Value::List(_) => false,
        };
        plain && comparable && !is_word(key) && !key.is_empty()
    };
    if changed.iter().all(is_plain) {
        return Some(Value::Map(changed.clone()));
    }
    let test = |(key, value): (&str, &Value)| {
        let mut test = Map::new();
        let path = Path::of(&[Segment::Key(key.into())]);
        test.insert("path", Value::Text(path.to_string().into()));
        match value.present() {
            None => test.insert("op", "not_exists".into()),
            Some(value) => {
                test.insert("op", "equals".into());
                test.insert("value", value.clone());
            }
        }
        Value::Map(test)
    };
    let mut out = Map::new();
    out.insert("all", Value::List(changed.iter().map(test).collect()));
    Some(Value::Map(out))
}

/// Whether a key is a word of the condition language.
fn is_word(key: &str) -> bool {
    let leaves = Leaves { tests: &[PATH], path: &|written, _| Some(written.clone()) };
    leaves.forms().any(|(word, _)| word == key)
}

/// A value as YAML on one line.
pub fn flow(value: &Value) -> String {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::Text(text) => scalar(text),
        Value::List(items) => {
            format!("[{}]", items.iter().map(flow).collect::<Vec<_>>().join(", "))
        }
        Value::Map(map) => {
            let entry = |(key, value): (&str, &Value)| format!("{}: {}", scalar(key), flow(value));
            format!("{{{}}}", map.iter().map(entry).collect::<Vec<_>>().join(", "))
        }
    }
}

/// A mapping as YAML, each key on a line of its own after this many blanks.
pub fn block(map: &Map, indent: usize) -> String {
    let blanks = " ".repeat(indent);
    let line = |(key, value): (&str, &Value)| format!("{blanks}{}: {}", scalar(key), flow(value));
    map.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// A string as YAML: without quotes if it can be nothing else.
fn scalar(text: &str) -> String {
    let starts = text.starts_with(|c: char| c.is_ascii_alphabetic());
    let plain =
        text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/'));
    let is_word = ["null", "true", "false"].iter().any(|word| text.eq_ignore_ascii_case(word));
    if starts && plain && !is_word { text.to_owned() } else { Value::from(text).to_string() }
}
