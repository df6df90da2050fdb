//! Mistakes that authors of other languages make, and what to write instead.

use std::ops::Range;

use super::Parser;
use crate::problem::{Problem, ProblemKind};

/// What can follow a term in arithmetic.
const ARITHMETIC: &[u8] = b"+-*/%^";

impl Parser<'_, '_> {
    /// `not edge(x)` or `\\+ edge(x)` for `!edge(x)`. The word or the sign has been read.
    pub(super) fn negation(&self, start: usize) -> Option<Box<Problem>> {
        let rest = self.rest().trim_start().trim_start_matches('(').trim_start();
        let name = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        let name = rest.get(..name.count()).filter(|name| !name.is_empty())?;
        let after = rest.get(name.len()..)?.trim_start();
        if !after.starts_with('(') {
            return None;
        }
        let atom = after.find(')').and_then(|end| after.get(..=end)).unwrap_or("(…)");
        let written = self.text.get(start..self.at).unwrap_or_default().trim_end();
        let message = "a negation is written with `!`";
        let here = start..start + written.len();
        Some(self.problem(here, message, &format!("write `!{name}{atom}`")))
    }

    /// `'a'` for `"a"`.
    pub(super) fn single_quotes(&self) -> Box<Problem> {
        let inside = self.text.get(self.at + 1..).unwrap_or_default();
        let line = inside.lines().next().unwrap_or_default();
        match line.find('\'') {
            Some(end) => {
                let text = line.get(..end).unwrap_or_default().replace('"', "\\\"");
                let here = self.at..self.at + end + 2;
                self.problem(
                    here,
                    "text is written in double quotes",
                    &format!("write `\"{text}\"`"),
                )
            }
            None => self.problem(
                self.at..self.at + 1,
                "text is written in double quotes",
                "write `\"…\"`",
            ),
        }
    }

    /// Something after a term that cannot be there: arithmetic, or text without quotes.
    pub(super) fn after_term(&mut self) -> Option<Box<Problem>> {
        let sign = self.peek()?;
        if let Some(here) = self.unquoted() {
            let text = self.text.get(here.clone()).unwrap_or_default();
            // Parsing continues after the text, which may contain a full stop.
            self.at = here.end;
            let message = format!("`{text}` is not a variable");
            return Some(self.problem(here, &message, &format!("write `\"{text}\"` for text")));
        }
        if !ARITHMETIC.contains(&sign) {
            return None;
        }
        let help = "state the result as a fact and select it as another column, such as `sum` in `edge(x, y, sum)`";
        Some(self.problem(self.at..self.at + 1, "arithmetic is not supported", help))
    }

    /// Text without quotes around the current place, such as `src/a.rs`.
    fn unquoted(&self) -> Option<Range<usize>> {
        let is_part = |byte: &u8| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'/' | b'.' | b':' | b'@')
        };
        let bytes = self.text.as_bytes();
        let before = bytes.get(..self.at)?.iter().rev().take_while(|byte| is_part(byte)).count();
        let after = bytes.get(self.at..)?.iter().take_while(|byte| is_part(byte)).count();
        let here = self.at - before..self.at + after;
        let text = self.text.get(here.clone())?;
        let text = text.trim_end_matches(['.', ':', '-']);
        let here = here.start..here.start + text.len();
        let is_word = text.starts_with(|c: char| c.is_ascii_alphabetic());
        // After the sign comes a letter: `x-1` is arithmetic.
        let next = text.get(before + 1..)?.starts_with(|c: char| c.is_ascii_alphabetic());
        // A variable that was used before is one.
        (before > 0 && is_word && next && !self.uses.is_last_again()).then_some(here)
    }

    /// A clause that ends without a full stop: the text ends, or another clause begins on a new
    /// line. The place is the end of the clause, not the start of the next one.
    pub(super) fn missing_stop(&self) -> Option<Box<Problem>> {
        let before = self.text.get(..self.at)?;
        let gap = before.get(before.trim_end().len()..)?;
        let rest = self.rest();
        let begins = rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '.');
        if !(rest.is_empty() || gap.contains('\n') && begins) {
            return None;
        }
        let end = before.trim_end().len();
        let last = before.get(..end)?.chars().next_back().map_or(0, char::len_utf8);
        let tail = before.get(before.get(..end)?.rfind('\n').map_or(0, |at| at + 1)..end)?;
        // A comment at the end of the line is not the end of the clause.
        if tail.contains("//") || tail.ends_with("*/") {
            return None;
        }
        let help = "add `.` after this";
        Some(self.problem(end - last..end, "the clause does not end with `.`", help))
    }

    /// A wrong use of `count`.
    pub(super) fn count_form(&self, here: Range<usize>) -> Box<Problem> {
        let help = "compare it with a whole number, such as `count : { edge(x, _) } >= 2`";
        self.problem(here, "`count` counts the facts of one atom", help)
    }
}

/// Where the variables of the current rule are, and how often they occur.
#[derive(Default)]
pub(super) struct Uses {
    /// For each variable its first place, and whether it occurs again.
    places: Vec<(Range<usize>, bool)>,
    /// The number of variables in the head.
    head: usize,
    /// Whether the last variable that was read had occurred before.
    last_again: bool,
}

impl Uses {
    pub(super) fn clear(&mut self) {
        *self = Self { places: std::mem::take(&mut self.places), ..Self::default() };
        self.places.clear();
    }

    /// The head has been read. A variable that is only there is an error of its own.
    pub(super) fn end_head(&mut self) {
        self.head = self.places.len();
    }

    pub(super) fn is_last_again(&self) -> bool {
        self.last_again
    }

    pub(super) fn add(&mut self, number: usize, here: Range<usize>) {
        match self.places.get_mut(number) {
            Some((_, again)) => {
                *again = true;
                self.last_again = true;
            }
            None => {
                self.places.push((here, false));
                self.last_again = false;
            }
        }
    }

    /// The place of the first variable.
    pub(super) fn first(&self) -> Option<Range<usize>> {
        self.places.first().map(|(here, _)| here.clone())
    }

    /// The variables that occur once, in the body.
    pub(super) fn single(&self) -> impl Iterator<Item = &Range<usize>> {
        let body = self.places.iter().skip(self.head);
        body.filter(|(_, again)| !again).map(|(here, _)| here)
    }
}

impl Parser<'_, '_> {
    /// Notes the variables that occur once in the rule that was read.
    pub(super) fn note_single_uses(&mut self) {
        let found: Vec<Range<usize>> = self.uses.single().cloned().collect();
        for here in found {
            let name = self.text.get(here.clone()).unwrap_or_default();
            if name.starts_with('_') {
                continue;
            }
            let message = format!(
                "the variable `{name}` occurs only once in the rule, so it matches any value"
            );
            let help = format!("write `\"{name}\"` for text, or `_` for any value");
            let problem = Problem::new(ProblemKind::SingleUse, self.place(here), message, help);
            self.program.single_uses.push(problem);
        }
    }
}
