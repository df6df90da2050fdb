//! JSON, with the comments and trailing commas that some clients accept.

use std::fmt::Write as _;
use std::ops::Range;

use jsonc_parser::ast::{Object, ObjectProp, Value};
use jsonc_parser::common::Ranged as _;
use jsonc_parser::{CollectOptions, parse_to_ast};
use lawful_deliver::jsonc::{OPTIONS, next_comma};

use super::names::{is_essence, is_forbidden};

/// The text without harmful members, and their paths.
pub(super) fn without(text: &str, forbidden: &[&str]) -> Option<(String, Vec<String>)> {
    let Some(value) = parse(text)? else { return Some((text.to_owned(), Vec::new())) };
    let mut cutter = Cutter { text, forbidden, cuts: Vec::new(), removed: Vec::new() };
    cutter.value(&value, &mut Vec::new());
    let Cutter { mut cuts, removed, .. } = cutter;
    cuts.sort_by_key(|cut| cut.start);
    let (mut left, mut at) = (String::new(), 0);
    for cut in cuts {
        left.push_str(text.get(at..cut.start)?);
        at = cut.end;
    }
    left.push_str(text.get(at..)?);
    Some((left, removed))
}

/// The strings at any depth.
pub(super) fn strings(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    if let Some(Some(value)) = parse(text) {
        collect(&value, &mut found);
    }
    found
}

/// A JSON text with the members of another one, which win. Other bytes stay. A text that is not a
/// mapping is replaced.
pub fn with_members(file: &str, added: &serde_json::Value) -> String {
    let (mark, body) = super::mark(file);
    let Some(Some(Value::Object(object))) = parse(body) else { return added.to_string() };
    let mut edits = Vec::new();
    add(&object, added, &mut edits);
    edits.sort_by_key(|(at, _): &(Range<usize>, String)| std::cmp::Reverse(at.start));
    let mut text = body.to_owned();
    for (at, new) in edits {
        let (head, tail) = (text.get(..at.start), text.get(at.end..));
        text = format!("{}{new}{}", head.unwrap_or_default(), tail.unwrap_or_default());
    }
    format!("{mark}{text}")
}

/// The value of a text; the inner `None` if it is empty.
fn parse(text: &str) -> Option<Option<Value<'_>>> {
    parse_to_ast(text, &CollectOptions::default(), &OPTIONS).ok().map(|parsed| parsed.value)
}

fn collect(value: &Value<'_>, found: &mut Vec<String>) {
    match value {
        Value::StringLit(text) => found.push(text.value.to_string()),
        Value::Array(array) => array.elements.iter().for_each(|item| collect(item, found)),
        Value::Object(object) => {
            object.properties.iter().for_each(|property| collect(&property.value, found));
        }
        Value::NumberLit(_) | Value::BooleanLit(_) | Value::NullKeyword(_) => {}
    }
}

fn add(object: &Object<'_>, added: &serde_json::Value, edits: &mut Vec<(Range<usize>, String)>) {
    let mut new = String::new();
    for (name, value) in added.as_object().into_iter().flatten() {
        let there = object.properties.iter().rfind(|property| name_of(property) == *name);
        match there.map(|property| (&property.value, property.value.range())) {
            Some((Value::Object(inner), _)) if value.is_object() => add(inner, value, edits),
            Some((_, range)) => edits.push((range.start..range.end, value.to_string())),
            None => {
                let comma = if new.is_empty() { "" } else { "," };
                let name = serde_json::Value::from(name.as_str());
                let _ = write!(new, "{comma}{name}:{value}");
            }
        }
    }
    if !new.is_empty() {
        let comma = if object.properties.is_empty() { "" } else { "," };
        let at = object.range.start + 1;
        edits.push((at..at, format!("{new}{comma}")));
    }
}

/// A name without escapes.
fn name_of(property: &ObjectProp<'_>) -> String {
    property.name.as_str().to_owned()
}

/// Finds what to cut out of a text.
struct Cutter<'t> {
    text: &'t str,
    forbidden: &'t [&'t str],
    cuts: Vec<Range<usize>>,
    removed: Vec<String>,
}

impl Cutter<'_> {
    fn value(&mut self, value: &Value<'_>, path: &mut Vec<String>) {
        match value {
            Value::Object(object) => self.object(object, path),
            Value::Array(array) => {
                array.elements.iter().for_each(|item| self.value(item, path));
            }
            Value::StringLit(_)
            | Value::NumberLit(_)
            | Value::BooleanLit(_)
            | Value::NullKeyword(_) => {}
        }
    }

    fn object(&mut self, object: &Object<'_>, path: &mut Vec<String>) {
        let mut goes = Vec::new();
        for property in &object.properties {
            path.push(name_of(property));
            let names: Vec<&str> = path.iter().map(String::as_str).collect();
            let is_harmful = can_act(&property.value)
                && (is_forbidden(&names, self.forbidden) || has_essence(&property.value));
            if is_harmful {
                self.removed.push(path.join("."));
            } else {
                self.value(&property.value, path);
            }
            goes.push(is_harmful);
            path.pop();
        }
        // One comma fewer for each, and a comma after the last member stays.
        let last = object.properties.len().saturating_sub(1);
        for (index, (property, gone)) in object.properties.iter().zip(&goes).enumerate() {
            if *gone {
                self.cuts.push(property.range.start..property.range.end);
            }
            let stays_last = goes.iter().skip(index + 1).all(|gone| *gone);
            if index < last
                && (*gone || stays_last)
                && let Some(comma) = next_comma(self.text, property.range.end)
            {
                self.cuts.push(comma..comma + 1);
            }
        }
    }
}

/// Whether a value can name something to run or to reach.
fn can_act(value: &Value<'_>) -> bool {
    match value {
        Value::StringLit(_) | Value::Object(_) | Value::Array(_) => true,
        Value::NumberLit(_) | Value::BooleanLit(_) | Value::NullKeyword(_) => false,
    }
}

/// Whether a value describes something to run.
fn has_essence(value: &Value<'_>) -> bool {
    match value {
        Value::Object(object) => object
            .properties
            .iter()
            .any(|property| can_act(&property.value) && is_essence(&name_of(property))),
        Value::Array(array) => array.elements.iter().any(has_essence),
        Value::StringLit(_)
        | Value::NumberLit(_)
        | Value::BooleanLit(_)
        | Value::NullKeyword(_) => false,
    }
}
