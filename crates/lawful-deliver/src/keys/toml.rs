//! TOML. The parser locates a value; the text around it is never rewritten.

use std::ops::Range;

use toml_edit::{Document, Item, Value};

use super::Held;
use crate::EditError;
use crate::separators::{Separators, cut};
use crate::text::{line_end, mark};

pub(super) fn get(file: &str, key: &str) -> Result<Option<Held>, EditError> {
    let (_, body) = mark(file);
    let document = parse(body)?;
    let Some(span) = value_span(&document, key)? else { return Ok(None) };
    let raw = body.get(span).unwrap_or_default().to_owned();
    let text = document.get(key).and_then(Item::as_str).map(ToOwned::to_owned);
    Ok(Some(Held { raw, text }))
}

pub(super) fn set(
    file: &str,
    key: &str,
    text: &str,
) -> Result<(String, Option<Separators>), EditError> {
    put(file, key, &Value::from(text).to_string())
}

pub(super) fn put(
    file: &str,
    key: &str,
    raw: &str,
) -> Result<(String, Option<Separators>), EditError> {
    let (mark, body) = mark(file);
    let document = parse(body)?;
    let around = |range: Range<usize>| {
        (body.get(..range.start).unwrap_or_default(), body.get(range.end..).unwrap_or_default())
    };
    if let Some(span) = value_span(&document, key)? {
        let (head, tail) = around(span);
        return Ok((format!("{mark}{head}{raw}{tail}"), None));
    }
    // After the last key before the first table; what follows a table belongs to it.
    let last = document.iter().filter_map(|(_, item)| item.as_value()?.span());
    let at = last.map(|span| end_of_line(body, span.end)).max().unwrap_or(0);
    let (head, tail) = around(at..at);
    let end = line_end(body);
    let ended = head.is_empty() || head.ends_with('\n');
    let start = if ended { "" } else { end };
    let separators = Separators { before: start.to_owned(), after: end.to_owned(), ended };
    Ok((format!("{mark}{head}{start}{key} = {raw}{end}{tail}"), Some(separators)))
}

pub(super) fn remove(file: &str, key: &str, separators: &Separators) -> Result<String, EditError> {
    let (mark, body) = mark(file);
    let document = parse(body)?;
    let (Some((name, _)), Some(span)) = (document.get_key_value(key), value_span(&document, key)?)
    else {
        return Ok(file.to_owned());
    };
    let start = name.span().map_or(span.start, |name| name.start);
    Ok(format!("{mark}{}", cut(body, start..span.end, separators)))
}

/// The place of the value of a key.
fn value_span(document: &Document<&str>, key: &str) -> Result<Option<Range<usize>>, EditError> {
    match document.get(key) {
        None => Ok(None),
        Some(item) => {
            let span = item.as_value().and_then(Value::span);
            span.map(Some).ok_or_else(|| EditError::WrongType(key.to_owned(), "a value"))
        }
    }
}

fn end_of_line(text: &str, at: usize) -> usize {
    text.get(at..).and_then(|rest| rest.find('\n')).map_or(text.len(), |line| at + line + 1)
}

fn parse(text: &str) -> Result<Document<&str>, EditError> {
    Document::parse(text).map_err(|error| {
        let message = error.message().to_owned();
        EditError::NotToml(message)
    })
}
