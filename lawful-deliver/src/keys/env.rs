//! Lines `NAME=value`, as programs read them from a file `.env`.

use std::ops::Range;

use super::Held;
use crate::EditError;
use crate::text::line_end;

pub(super) fn get(file: &str, key: &str) -> Result<Option<Held>, EditError> {
    let Some(range) = find(file, key)? else { return Ok(None) };
    let raw = file.get(range).unwrap_or_default().to_owned();
    let text = raw.trim();
    let quoted = |quote: char| text.strip_prefix(quote).and_then(|text| text.strip_suffix(quote));
    let text = quoted('"').or_else(|| quoted('\'')).unwrap_or(text).to_owned();
    Ok(Some(Held { raw, text: Some(text) }))
}

pub(super) fn set(file: &str, key: &str, text: &str) -> Result<String, EditError> {
    let plain = |c: char| c.is_alphanumeric() || "/._-+:@,".contains(c);
    let raw = if text.chars().all(plain) { text.to_owned() } else { format!("\"{text}\"") };
    put_back(file, key, Some(&raw))
}

pub(super) fn put_back(file: &str, key: &str, raw: Option<&str>) -> Result<String, EditError> {
    match (find(file, key)?, raw) {
        (None, None) => Ok(file.to_owned()),
        (None, Some(raw)) => {
            let end = line_end(file);
            let start = if file.is_empty() || file.ends_with('\n') { "" } else { end };
            Ok(format!("{file}{start}{key}={raw}{end}"))
        }
        (Some(range), Some(raw)) => {
            let head = file.get(..range.start).unwrap_or_default();
            let tail = file.get(range.end..).unwrap_or_default();
            Ok(format!("{head}{raw}{tail}"))
        }
        (Some(range), None) => {
            let head = file.get(..range.start).unwrap_or_default();
            let head = head.rfind('\n').and_then(|at| head.get(..=at)).unwrap_or_default();
            let tail = file.get(range.end..).unwrap_or_default();
            let tail = tail.find('\n').and_then(|at| tail.get(at + 1..)).unwrap_or_default();
            Ok(format!("{head}{tail}"))
        }
    }
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
