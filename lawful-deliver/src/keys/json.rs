//! JSON with comments.

use jsonc_parser::ast::Value;
use jsonc_parser::common::{Range, Ranged as _};
use jsonc_parser::{CollectOptions, ParseResult, parse_to_ast};

use super::Held;
use crate::EditError;
use crate::edit::{member, options, parse, top, wrong};
use crate::text::{line_end, mark};

pub(super) fn get(file: &str, key: &str) -> Result<Option<Held>, EditError> {
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

pub(super) fn set(file: &str, key: &str, text: &str) -> Result<String, EditError> {
    let raw = serde_json::to_string(text).map_err(|error| EditError::NotJson(error.to_string()))?;
    put(file, key, &raw)
}

pub(super) fn put_back(file: &str, key: &str, raw: Option<&str>) -> Result<String, EditError> {
    if let Some(raw) = raw {
        return put(file, key, raw);
    }
    let (mark, body) = mark(file);
    let root = parse(body)?;
    let top = top(&root)?;
    member(&top, key)?;
    if let Some(property) = top.get(key) {
        property.remove();
    }
    Ok(format!("{mark}{root}"))
}

/// Writes a value over the old one, or as the first of all. Nothing else is written anew.
fn put(file: &str, key: &str, raw: &str) -> Result<String, EditError> {
    let (mark, body) = mark(file);
    if body.trim().is_empty() {
        return Ok(format!("{mark}{{\n  \"{key}\": {raw}\n}}\n"));
    }
    // Of a key that is there twice there is no telling which one counts.
    member(&top(&parse(body)?)?, key)?;
    let Ok(ParseResult { value: Some(Value::Object(object)), .. }) =
        parse_to_ast(body, &CollectOptions::default(), &options())
    else {
        return Err(wrong("the document", "a mapping"));
    };
    let (at, new) = match (object.get(key), object.properties.first()) {
        (Some(property), _) => (property.value.range(), raw.to_owned()),
        (None, first) => {
            let after = object.range.start + 1;
            let end = line_end(body);
            let gap = body.get(after..first.map_or(after, |first| first.range.start));
            let indent = gap.and_then(|gap| gap.rsplit_once('\n')).map(|(_, indent)| indent);
            let (at, new) = match (first, indent) {
                (None, _) => (after, format!("{end}  \"{key}\": {raw}{end}")),
                (Some(_), Some(indent)) => (after, format!("{end}{indent}\"{key}\": {raw},")),
                (Some(first), None) => (first.range.start, format!("\"{key}\": {raw}, ")),
            };
            (Range::new(at, at), new)
        }
    };
    let head = body.get(..at.start).unwrap_or_default();
    let tail = body.get(at.end..).unwrap_or_default();
    Ok(format!("{mark}{head}{new}{tail}"))
}
