//! Lines `NAME=value`, as programs read them from a file `.env`.

use std::ops::Range;

use super::Held;
use crate::EditError;
use crate::separators::{Separators, cut};
use crate::text::line_end;

pub(super) fn get(file: &str, key: &str) -> Result<Option<Held>, EditError> {
    let Some(range) = find(file, key)? else { return Ok(None) };
    let raw = file.get(range).unwrap_or_default().to_owned();
    let text = raw.trim();
    let quoted = |quote: char| text.strip_prefix(quote).and_then(|text| text.strip_suffix(quote));
    let text = quoted('"').or_else(|| quoted('\'')).unwrap_or(text).to_owned();
    Ok(Some(Held { raw, text: Some(text) }))
}

pub(super) fn set(
    file: &str,
    key: &str,
    text: &str,
) -> Result<(String, Option<Separators>), EditError> {
    let plain = |c: char| c.is_alphanumeric() || "/._-+:@,".contains(c);
    let raw = if text.chars().all(plain) { text.to_owned() } else { format!("\"{text}\"") };
    put(file, key, &raw)
}

pub(super) fn put(
    file: &str,
    key: &str,
    raw: &str,
) -> Result<(String, Option<Separators>), EditError> {
    if let Some(range) = find(file, key)? {
        let head = file.get(..range.start).unwrap_or_default();
        let tail = file.get(range.end..).unwrap_or_default();
        return Ok((format!("{head}{raw}{tail}"), None));
    }
    let end = line_end(file);
    let ended = file.is_empty() || file.ends_with('\n');
    let start = if ended { "" } else { end };
    let separators = Separators { before: start.to_owned(), after: end.to_owned(), ended };
    Ok((format!("{file}{start}{key}={raw}{end}"), Some(separators)))
}

pub(super) fn remove(file: &str, key: &str, separators: &Separators) -> Result<String, EditError> {
    let Some(range) = find(file, key)? else { return Ok(file.to_owned()) };
    let head = file.get(..range.start).unwrap_or_default();
    let start = head.rfind('\n').map_or(0, |at| at + 1);
    Ok(cut(file, start..range.end, separators))
}

/// Where the value of a name is.
fn find(file: &str, key: &str) -> Result<Option<Range<usize>>, EditError> {
    let mut found = None;
    let mut at = 0;
    for whole in file.split_inclusive('\n') {
        let start = at;
        at += whole.len();
        let line = whole.trim_end_matches(['\r', '\n']);
        let Some((name, value)) = line.split_once('=') else { continue };
        let name = name.strip_prefix('\u{feff}').unwrap_or(name).trim();
        let name = name.strip_prefix("export ").unwrap_or(name).trim();
        if name != key {
            continue;
        }
        if found.is_some() {
            return Err(EditError::Twice(key.to_owned()));
        }
        let end = start + line.len();
        found = Some(end - value.len()..end);
    }
    Ok(found)
}
