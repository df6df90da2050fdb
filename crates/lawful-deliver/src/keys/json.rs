//! JSON with comments.

use jsonc_parser::ast::{Object, ObjectProp, Value};
use jsonc_parser::common::{Range, Ranged as _};
use jsonc_parser::{CollectOptions, ParseResult, parse_to_ast};

use super::Held;
use crate::EditError;
use crate::edit::{member, parse, top};
use crate::jsonc::{OPTIONS, next_comma};
use crate::separators::{Separators, cut_out, without_prefix, without_suffix};
use crate::text::{line_end, mark};

pub(crate) fn get(file: &str, key: &str) -> Result<Option<Held>, EditError> {
    let (_, body) = mark(file);
    if body.trim().is_empty() {
        return Ok(None);
    }
    let value = member(&top(&parse(body)?)?, key)?;
    Ok(value.map(|value| {
        let text = value.as_string_lit().and_then(|text| text.decoded_value().ok());
        Held { raw: value.to_string(), text }
    }))
}

pub(super) fn set(
    file: &str,
    key: &str,
    text: &str,
) -> Result<(String, Option<Separators>), EditError> {
    let raw = serde_json::to_string(text).map_err(|error| EditError::NotJson(error.to_string()))?;
    put(file, key, &raw)
}

/// Replaces a value, or adds the key as the first one. Nothing else changes.
pub(crate) fn put(
    file: &str,
    key: &str,
    raw: &str,
) -> Result<(String, Option<Separators>), EditError> {
    let (mark, body) = mark(file);
    let new = format!("\"{key}\": {raw}");
    if body.trim().is_empty() {
        let separators =
            Separators { before: "{\n  ".to_owned(), after: "\n}\n".to_owned(), ended: false };
        return Ok((
            format!("{file}{}{new}{}", separators.before, separators.after),
            Some(separators),
        ));
    }
    // With a duplicate key, it is unknown which one counts.
    member(&top(&parse(body)?)?, key)?;
    let object = object(body)?;
    let (at, new, separators) = match (object.get(key), object.properties.first()) {
        (Some(property), _) => (property.value.range(), raw.to_owned(), None),
        (None, first) => {
            let after = object.range.start + 1;
            let end = line_end(body);
            let (at, before, behind) = match (first, indent(body)) {
                (None, _) => (after, format!("{end}  "), end),
                (Some(_), Some(indent)) => (after, format!("{end}{indent}"), ","),
                (Some(first), None) => (first.range.start, String::new(), ", "),
            };
            let separators = Separators { before, after: behind.to_owned(), ended: false };
            (
                Range::new(at, at),
                format!("{}{new}{}", separators.before, separators.after),
                Some(separators),
            )
        }
    };
    let head = body.get(..at.start).unwrap_or_default();
    let tail = body.get(at.end..).unwrap_or_default();
    Ok((format!("{mark}{head}{new}{tail}"), separators))
}

/// The indentation of a new key, if it gets its own line.
pub(crate) fn indent(file: &str) -> Option<String> {
    let (_, body) = mark(file);
    let Ok(object) = object(body) else { return Some("  ".to_owned()) };
    let Some(first) = object.properties.first() else { return Some("  ".to_owned()) };
    let gap = body.get(object.range.start + 1..first.range.start)?;
    let (_, line) = gap.rsplit_once('\n')?;
    // A comment before the first key is not part of the layout.
    Some(line.chars().take_while(|c| c.is_whitespace()).collect())
}

/// The separators that were probably added around a key: it was put first, on a line of its own if
/// there are others.
pub(super) fn around(file: &str, key: &str) -> Separators {
    let (_, body) = mark(file);
    let start = object(body).ok().and_then(|object| {
        let property = object.properties.iter().find(|property| property.name.as_str() == key)?;
        Some(property.range.start)
    });
    let head = start.and_then(|start| body.get(..start)).unwrap_or_default();
    let gap = head.trim_end_matches([' ', '\t']);
    let line = gap.strip_suffix('\n').map(|line| line.strip_suffix('\r').unwrap_or(line).len());
    let before = line.and_then(|line| head.get(line..)).unwrap_or_default().to_owned();
    let after = if before.is_empty() { ", " } else { "," };
    Separators { before, after: after.to_owned(), ended: false }
}

/// Whether there is only an empty mapping.
pub(crate) fn is_bare(file: &str) -> bool {
    let body = mark(file).1.trim();
    let inside = body.strip_prefix('{').and_then(|body| body.strip_suffix('}'));
    body.is_empty() || inside.is_some_and(|inside| inside.trim().is_empty())
}

/// Whether there is no key; there may be comments.
pub(crate) fn has_no_keys(file: &str) -> bool {
    let object = object(mark(file).1);
    is_bare(file) || object.is_ok_and(|object| object.properties.is_empty())
}

/// Removes a key, with its comma and its separators.
pub(crate) fn remove(file: &str, key: &str, separators: &Separators) -> Result<String, EditError> {
    let (mark, body) = mark(file);
    if body.trim().is_empty() {
        return Ok(file.to_owned());
    }
    member(&top(&parse(body)?)?, key)?;
    let object = object(body)?;
    let is_it = |property: &&ObjectProp<'_>| property.name.as_str() == key;
    let Some(at) = object.properties.iter().position(|property| is_it(&property)) else {
        return Ok(file.to_owned());
    };
    let Some(property) = object.properties.get(at) else { return Ok(file.to_owned()) };
    let (start, end) = (property.range.start, property.range.end);
    let (head, tail) = (body.get(..start).unwrap_or_default(), body.get(end..).unwrap_or_default());
    let made = separators.before.strip_prefix('{');
    if made.is_some()
        && let Some(head) = without_suffix(head, &separators.before)
        && let Some(tail) = without_prefix(tail, &separators.after)
    {
        return Ok(format!("{mark}{head}{tail}"));
    }
    // A mapping that has other content now stays.
    let before = made.unwrap_or(&separators.before).to_owned();
    let was_beside = separators.after.starts_with(',');
    let after = match (made, separators.after.strip_prefix(',')) {
        (Some(_), _) => "",
        (None, Some(after)) => after,
        (None, None) if object.properties.len() > 1 => "",
        (None, None) => &separators.after,
    };
    let separators = Separators { before, after: after.to_owned(), ended: false };
    let last = at.checked_sub(1).and_then(|last| object.properties.get(last));
    let (text, item) = match (next_comma(body, end), last) {
        // A comment before the comma stays.
        (Some(comma), _) if body.get(end..comma).is_some_and(|gap| gap.trim().is_empty()) => {
            (body.to_owned(), start..comma + 1)
        }
        (Some(comma), _) => (without(body, comma), start..end),
        // The last key has its comma before it.
        (None, Some(last)) => match next_comma(body, last.range.end) {
            Some(comma) => (without(body, comma), start - 1..end - 1),
            None => (body.to_owned(), start..end),
        },
        (None, None) => (body.to_owned(), start..end),
    };
    let left = cut_out(&text, item.clone(), &separators);
    // After a reformat, a line end of Lawful may end a comment of someone else.
    let names = |object: &Object<'_>| object.properties.len();
    let is_well = self::object(&left).is_ok_and(|left| names(&left) + 1 == names(&object));
    let left = if is_well { left } else { cut_out(&text, item, &Separators::default()) };
    // The key it was added next to is gone too, so the lines between the brackets are not needed.
    if was_beside && is_bare(&left) {
        let around = |c: char| left.split_once(c);
        if let (Some((head, _)), Some((_, tail))) = (around('{'), around('}')) {
            return Ok(format!("{mark}{head}{{}}{tail}"));
        }
    }
    Ok(format!("{mark}{left}"))
}

/// The text without one byte.
fn without(text: &str, at: usize) -> String {
    let head = text.get(..at).unwrap_or_default();
    format!("{head}{}", text.get(at + 1..).unwrap_or_default())
}

fn object(body: &str) -> Result<Object<'_>, EditError> {
    match parse_to_ast(body, &CollectOptions::default(), &OPTIONS) {
        Ok(ParseResult { value: Some(Value::Object(object)), .. }) => Ok(object),
        Ok(_) | Err(_) => Err(EditError::NotAMapping),
    }
}
