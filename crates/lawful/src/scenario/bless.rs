//! `--bless`: fills every empty `expect: {}` with what happened.
//!
//! **Invariant:** every byte outside of these braces stays as it is.

use std::ops::Range;

use lawful_syntax::{Diagnostic, Span};

use super::codes::BAD_SCENARIO;
use super::document::Scenario;
use super::play::Played;
use super::write::{block, flow};
use crate::value::Value;

/// A part of a text, and what replaces it.
type Edit = (Range<usize>, String);

/// The bytes of a scenario's file with every empty `expect: {}` filled; `None` if there is nothing to
/// fill. `text` is the text that the scenario was decoded from, `bytes` the file.
pub fn bless(bytes: &[u8], text: &str, scenario: &Scenario, played: &Played) -> Option<Vec<u8>> {
    let is_json = scenario.path.ends_with(".json");
    let steps = scenario.steps.iter().zip(&played.steps);
    let edits: Vec<Edit> = steps
        .filter_map(|(step, happened)| {
            let expect = step.expect.as_ref().filter(|expect| expect.is_empty())?;
            let range = expect.span.start as usize..expect.span.end as usize;
            let written = text.get(range.clone())?;
            let inside = written.strip_prefix('{')?.strip_suffix('}')?;
            if !inside.trim().is_empty() {
                return None;
            }
            let expectation = happened.expectation();
            if expectation.is_empty() {
                return None;
            }
            let indent = indent(text, range.start).filter(|_| !is_json);
            Some(match indent {
                _ if is_json => (range, Value::Map(expectation).to_string()),
                None => (range, flow(&Value::Map(expectation))),
                Some((start, indent)) => {
                    (start..range.end, format!("\n{}", block(&expectation, indent + 2)))
                }
            })
        })
        .collect();
    if edits.is_empty() {
        return None;
    }
    applied(bytes, text, edits)
}

/// Why the empty expectations of a scenario cannot be filled: several steps share one by an anchor and
/// an alias, and what one step does is not what the others do.
pub fn cannot_bless(text: &str, scenario: &Scenario) -> Option<Diagnostic> {
    let empty: Vec<Span> = scenario
        .steps
        .iter()
        .filter_map(|step| step.expect.as_ref())
        .filter(|expect| expect.is_empty())
        .map(|expect| expect.span)
        .collect();
    let is_shared = |span: &&Span| {
        let (start, end) = (span.start as usize, span.end as usize);
        let written = text.get(start..end).unwrap_or_default();
        let before = text.get(..start).unwrap_or_default();
        let word = before.split_whitespace().next_back().unwrap_or_default();
        let repeated = empty.iter().filter(|other| other == span).count() > 1;
        repeated || word.starts_with('&') || !written.starts_with('{')
    };
    let span = *empty.iter().find(is_shared)?;
    let message = "an expectation that has an anchor or is an alias cannot be filled";
    Some(Diagnostic::new(&BAD_SCENARIO, span, message).help("write `expect: {}` in each step"))
}

/// Where the value of a key starts after its colon, and the column of the key, if the key starts its
/// line.
fn indent(text: &str, value: usize) -> Option<(usize, usize)> {
    let before = text.get(..value)?;
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    let key = before.get(line..)?.trim_end_matches(' ').strip_suffix(':')?;
    let column = key.rfind(|c: char| !(c.is_alphanumeric() || c == '"' || c == '\''));
    let column = column.map_or(0, |at| at + 1);
    let lead = key.get(..column)?;
    lead.chars().all(|c| c == ' ' || c == '-').then_some((line + key.len() + 1, column))
}

/// Applies edits of a text to the bytes that it was read from.
fn applied(bytes: &[u8], text: &str, edits: Vec<Edit>) -> Option<Vec<u8>> {
    let raw = std::str::from_utf8(bytes).ok()?;
    let newline = if raw.contains("\r\n") { "\r\n" } else { "\n" };
    let places = places(raw, text)?;
    let mut out = Vec::with_capacity(bytes.len());
    let mut done = 0;
    for (range, new) in edits {
        let (start, end) = (*places.get(range.start)?, *places.get(range.end)?);
        out.extend_from_slice(bytes.get(done..start)?);
        out.extend_from_slice(new.replace('\n', newline).as_bytes());
        done = end;
    }
    out.extend_from_slice(bytes.get(done..)?);
    Some(out)
}

/// For each byte of a text, and for its end, where it is in the bytes that it was read from: without
/// a byte order mark, and with other line ends.
fn places(raw: &str, text: &str) -> Option<Vec<usize>> {
    let mut places = Vec::with_capacity(text.len() + 1);
    let mut at = if raw.starts_with('\u{feff}') && !text.starts_with('\u{feff}') { 3 } else { 0 };
    let raw = raw.as_bytes();
    for byte in text.bytes() {
        places.push(at);
        match (byte, raw.get(at)?) {
            (b'\n', b'\r') => at += if raw.get(at + 1) == Some(&b'\n') { 2 } else { 1 },
            (byte, found) if byte == *found => at += 1,
            _ => return None,
        }
    }
    places.push(at);
    Some(places)
}
