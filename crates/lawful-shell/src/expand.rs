//! From words as written to the arguments that a program gets.
//!
//! Quotes are removed and braces expanded. Parameters, substitutions and patterns stay as they are
//! written, and the argument is marked as not known.

use crate::syntax::{Part, Word};

/// The most arguments that braces may produce in one word.
const MOST: usize = 512;

/// The most opening braces in one word.
const MOST_BRACES: usize = 64;

/// One argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Arg {
    pub(crate) text: String,
    pub(crate) kind: ArgKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ArgKind {
    /// The text is what the program gets.
    Known,
    /// The text has an expansion or a pattern.
    Expansion,
    /// The text is the name of a pipe to a substituted process.
    Process,
    /// More arguments of which nothing is known, such as those from `xargs`.
    Rest,
}

impl Arg {
    pub(crate) fn known(text: impl Into<String>) -> Self {
        Self { text: text.into(), kind: ArgKind::Known }
    }

    pub(crate) fn is_known(&self) -> bool {
        self.kind == ArgKind::Known
    }

    /// The text if it is known.
    pub(crate) fn literal(&self) -> Option<&str> {
        self.is_known().then_some(self.text.as_str())
    }
}

/// The arguments that a word becomes. An error if braces produce too many.
pub(crate) fn arguments(word: &Word) -> Result<Vec<Arg>, ()> {
    let units = units(word);
    let braces = units.iter().filter(|unit| matches!(unit, Unit::Plain('{'))).count();
    if braces == 0 {
        return Ok(vec![argument(&units)]);
    }
    // Each brace is matched by a pass over the rest of the word.
    if braces > MOST_BRACES {
        return Err(());
    }
    let mut expanded = Vec::new();
    braces_of(&units, &mut expanded, 0)?;
    Ok(expanded.iter().map(|units| argument(units)).collect())
}

/// A character or a text that braces do not take apart.
#[derive(Debug, Clone)]
enum Unit {
    Plain(char),
    Quoted(String),
    Expansion(String),
    Process(String),
}

fn units(word: &Word) -> Vec<Unit> {
    let mut units = Vec::new();
    for part in &word.parts {
        match part {
            Part::Plain(text) => units.extend(text.chars().map(Unit::Plain)),
            Part::Quoted(text) => units.push(Unit::Quoted(text.clone())),
            Part::Expansion { text, .. } => units.push(Unit::Expansion(text.clone())),
            Part::Process { text, .. } => units.push(Unit::Process(text.clone())),
        }
    }
    units
}

fn argument(units: &[Unit]) -> Arg {
    let mut text = String::new();
    let mut kind = ArgKind::Known;
    let mut bracket = false;
    for unit in units {
        match unit {
            Unit::Plain(character) => {
                text.push(*character);
                match character {
                    '*' | '?' => kind = ArgKind::Expansion,
                    '[' => bracket = true,
                    ']' if bracket => kind = ArgKind::Expansion,
                    _ => {}
                }
            }
            Unit::Quoted(quoted) => text.push_str(quoted),
            Unit::Expansion(expansion) => {
                text.push_str(expansion);
                kind = ArgKind::Expansion;
            }
            Unit::Process(process) => {
                text.push_str(process);
                if kind == ArgKind::Known {
                    kind = ArgKind::Process;
                }
            }
        }
    }
    // A line end of another system is no part of the last word.
    if text.ends_with('\r') {
        text.truncate(text.trim_end_matches('\r').len());
    }
    Arg { text, kind }
}

/// Expands the first braces and, in each result, the rest.
fn braces_of(units: &[Unit], out: &mut Vec<Vec<Unit>>, depth: usize) -> Result<(), ()> {
    if depth > 32 || out.len() > MOST {
        return Err(());
    }
    let mut from = 0;
    while let Some(open) = position(units, from, '{') {
        if let Some((close, choices)) = group(units, open)? {
            let before = units.get(..open).unwrap_or_default();
            let mut tails = Vec::new();
            braces_of(units.get(close + 1..).unwrap_or_default(), &mut tails, depth + 1)?;
            for choice in choices {
                let mut middles = Vec::new();
                braces_of(&choice, &mut middles, depth + 1)?;
                for middle in &middles {
                    for tail in &tails {
                        if out.len() >= MOST {
                            return Err(());
                        }
                        out.push([before, middle, tail].concat());
                    }
                }
            }
            return Ok(());
        }
        from = open + 1;
    }
    out.push(units.to_vec());
    Ok(())
}

fn position(units: &[Unit], from: usize, wanted: char) -> Option<usize> {
    let found = |unit: &Unit| matches!(unit, Unit::Plain(character) if *character == wanted);
    units.iter().skip(from).position(found).map(|index| index + from)
}

/// The position of the closing brace and what is between the commas, if the braces expand.
#[expect(clippy::type_complexity, reason = "a name for a position and a list explains nothing")]
fn group(units: &[Unit], open: usize) -> Result<Option<(usize, Vec<Vec<Unit>>)>, ()> {
    let mut depth = 0_usize;
    let mut choices = vec![Vec::new()];
    for (index, unit) in units.iter().enumerate().skip(open + 1) {
        match unit {
            Unit::Plain('{') => depth += 1,
            Unit::Plain('}') if depth == 0 => {
                if let [only] = choices.as_slice() {
                    return Ok(range(only)?.map(|range| (index, range)));
                }
                return Ok(Some((index, choices)));
            }
            Unit::Plain('}') => depth -= 1,
            Unit::Plain(',') if depth == 0 => {
                choices.push(Vec::new());
                continue;
            }
            Unit::Plain(_) | Unit::Quoted(_) | Unit::Expansion(_) | Unit::Process(_) => {}
        }
        if let Some(last) = choices.last_mut() {
            last.push(unit.clone());
        }
    }
    Ok(None)
}

/// `1..9`, `a..e`, `1..9..2`.
fn range(units: &[Unit]) -> Result<Option<Vec<Vec<Unit>>>, ()> {
    let mut text = String::new();
    for unit in units {
        match unit {
            Unit::Plain(character) => text.push(*character),
            Unit::Quoted(_) | Unit::Expansion(_) | Unit::Process(_) => return Ok(None),
        }
    }
    let mut ends = text.split("..");
    let (Some(first), Some(last), step, None) =
        (ends.next(), ends.next(), ends.next(), ends.next())
    else {
        return Ok(None);
    };
    let step = match step.map(str::parse::<i64>) {
        None => 1,
        Some(Ok(step)) => step.checked_abs().unwrap_or(1).max(1),
        Some(Err(_)) => return Ok(None),
    };
    let plain = |text: String| text.chars().map(Unit::Plain).collect::<Vec<_>>();
    let values = |from: i64, to: i64| -> Result<Vec<i64>, ()> {
        let count = from.abs_diff(to) / step.unsigned_abs();
        if count >= MOST as u64 {
            return Err(());
        }
        let signed = if from <= to { step } else { -step };
        Ok((0..=count)
            .filter_map(|index| from.checked_add(signed.checked_mul(i64::try_from(index).ok()?)?))
            .collect())
    };
    if let (Ok(from), Ok(to)) = (first.parse::<i64>(), last.parse::<i64>()) {
        let padded = |end: &str| {
            end.trim_start_matches('-').starts_with('0') && end.trim_start_matches('-').len() > 1
        };
        let width = if padded(first) || padded(last) { first.len().max(last.len()) } else { 0 };
        let numbers = values(from, to)?;
        return Ok(Some(numbers.iter().map(|number| plain(format!("{number:0width$}"))).collect()));
    }
    let letter = |end: &str| match end.as_bytes() {
        [letter] if letter.is_ascii_alphabetic() => Some(i64::from(*letter)),
        _ => None,
    };
    if let (Some(from), Some(to)) = (letter(first), letter(last)) {
        let letters = values(from, to)?;
        let character = |code: &i64| u8::try_from(*code).map_or('?', char::from).to_string();
        return Ok(Some(letters.iter().map(|code| plain(character(code))).collect()));
    }
    Ok(None)
}
