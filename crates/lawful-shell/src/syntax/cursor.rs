//! The position in the text, and the limits that every step obeys.

use super::Dialect;
use super::heredoc::Pending;
use super::tree::{Simple, Word};

/// Bounds on the work for one text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// Constructs inside one another: groups, substitutions, quotes.
    pub(crate) depth: usize,
    /// Characters that the parser may pass, counting those that it passes again after it went back.
    pub(crate) steps: usize,
}

/// Why a text has no tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) reason: &'static str,
    /// Bytes from the start of the text.
    pub(crate) at: usize,
}

pub(crate) type Parse<T> = Result<T, Fault>;

/// A recursive-descent parser over one text.
pub(super) struct Parser<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    pub(super) depth: usize,
    pub(super) steps: usize,
    pub(super) dialect: Dialect,
    pub(super) simples: Vec<Simple>,
    /// Here-documents whose bodies start after the next line end.
    pub(super) pending: Vec<Pending>,
    /// The bodies of here-documents, by the index in their redirection.
    pub(super) bodies: Vec<Option<Word>>,
    pub(super) notes: Vec<(&'static str, String)>,
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str, dialect: Dialect, limits: Limits) -> Self {
        Self {
            text,
            at: 0,
            depth: limits.depth,
            steps: limits.steps,
            dialect,
            simples: Vec::new(),
            pending: Vec::new(),
            bodies: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// The character here, after line continuations.
    pub(super) fn peek(&mut self) -> Option<char> {
        while self.rest().starts_with("\\\n") {
            self.at += 2;
        }
        self.raw()
    }

    /// The character here, as written.
    pub(super) fn raw(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The text from a position up to here.
    pub(super) fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// Passes the character that [`Self::peek`] or [`Self::raw`] returned.
    pub(super) fn pass(&mut self, character: char) -> Parse<()> {
        self.spend(1)?;
        self.at += character.len_utf8();
        Ok(())
    }

    /// Passes a text if it comes next; line continuations may be inside it.
    pub(super) fn take(&mut self, wanted: &str) -> Parse<bool> {
        let start = self.at;
        for character in wanted.chars() {
            if self.peek() == Some(character) {
                self.pass(character)?;
            } else {
                self.at = start;
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a text comes next.
    pub(super) fn sees(&mut self, wanted: &str) -> Parse<bool> {
        let start = self.at;
        let found = self.take(wanted)?;
        self.at = start;
        Ok(found)
    }

    pub(super) fn spend(&mut self, steps: usize) -> Parse<()> {
        match self.steps.checked_sub(steps) {
            Some(left) => {
                self.steps = left;
                Ok(())
            }
            None => self.fail("it takes too long to read"),
        }
    }

    /// Runs a parser one level deeper.
    pub(super) fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        let Some(depth) = self.depth.checked_sub(1) else {
            return self.fail("it is nested too deeply");
        };
        self.depth = depth;
        let result = parse(self);
        self.depth = depth + 1;
        result
    }

    /// Parses a part of this text that had to be rewritten first, such as a command in backquotes.
    pub(super) fn rewritten<T>(
        &mut self,
        text: &str,
        parse: impl FnOnce(&mut Parser<'_>) -> Parse<T>,
    ) -> Parse<T> {
        let at = self.at;
        self.nested(|outer| {
            let mut inner = Parser {
                text,
                at: 0,
                depth: outer.depth,
                steps: outer.steps,
                dialect: outer.dialect,
                simples: std::mem::take(&mut outer.simples),
                pending: Vec::new(),
                bodies: std::mem::take(&mut outer.bodies),
                notes: std::mem::take(&mut outer.notes),
            };
            let result = parse(&mut inner);
            outer.steps = inner.steps;
            outer.simples = inner.simples;
            outer.bodies = inner.bodies;
            outer.notes = inner.notes;
            result.map_err(|fault| Fault { at, ..fault })
        })
    }

    pub(super) fn fail<T>(&self, reason: &'static str) -> Parse<T> {
        Err(Fault { reason, at: self.at.min(self.text.len()) })
    }

    /// Passes blanks, and a comment if one starts here.
    pub(super) fn blanks(&mut self) -> Parse<()> {
        while let Some(blank @ (' ' | '\t')) = self.peek() {
            self.pass(blank)?;
        }
        if self.peek() == Some('#') {
            // A backslash at the end of a comment continues nothing.
            let comment = self.rest().find('\n').unwrap_or(self.rest().len());
            self.spend(comment)?;
            self.at += comment;
        }
        Ok(())
    }

    /// Passes blanks, comments and line ends.
    pub(super) fn lines(&mut self) -> Parse<()> {
        loop {
            self.blanks()?;
            if self.peek() != Some('\n') {
                return Ok(());
            }
            self.line_end()?;
        }
    }

    /// Passes a line end and the here-documents that start after it.
    pub(super) fn line_end(&mut self) -> Parse<()> {
        self.pass('\n')?;
        self.read_pending()
    }
}

/// Whether a character ends a word outside quotes.
pub(super) fn is_delimiter(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\n' | ';' | '&' | '|' | '(' | ')' | '<' | '>')
}
