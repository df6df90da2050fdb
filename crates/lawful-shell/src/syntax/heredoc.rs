//! Here-documents: the delimiter in the command, the body after the line.

use super::cursor::{Parse, Parser};
use super::tree::{Part, Word};
use super::word::Position;

/// A here-document whose body was not read yet.
pub(super) struct Pending {
    pub(super) delimiter: String,
    /// `<<-`
    pub(super) strip_tabs: bool,
    /// The delimiter is quoted, so nothing in the body expands.
    pub(super) literal: bool,
    /// Where the body goes.
    pub(super) index: usize,
}

impl Parser<'_> {
    /// The delimiter after `<<`, and whether a part of it is quoted.
    pub(super) fn delimiter(&mut self) -> Parse<(String, bool)> {
        let start = self.at;
        let word = self.word(Position::Argument)?;
        let Some(delimiter) = word.literal() else {
            self.at = start;
            return self.fail("the delimiter of a here-document is an expansion");
        };
        if delimiter.contains('\n') {
            return self.fail("the delimiter of a here-document holds a line end");
        }
        let literal = word.parts.iter().any(|part| matches!(part, Part::Quoted(_)));
        Ok((delimiter, literal))
    }

    /// Reads the bodies that start here.
    pub(super) fn read_pending(&mut self) -> Parse<()> {
        for document in std::mem::take(&mut self.pending) {
            let lines = self.document_lines(&document)?;
            let mut body = Word::default();
            if document.literal {
                body.parts.push(Part::Quoted(lines));
            } else {
                body = self.rewritten(&lines, |inner| {
                    let mut body = Word::default();
                    while let Some(character) = inner.peek() {
                        inner.quoted_piece(&mut body, character, false)?;
                    }
                    Ok(body)
                })?;
            }
            if let Some(place) = self.bodies.get_mut(document.index) {
                *place = Some(body);
            }
        }
        Ok(())
    }

    /// The lines up to the delimiter or the end of the text.
    fn document_lines(&mut self, document: &Pending) -> Parse<String> {
        let mut lines = String::new();
        while !self.rest().is_empty() {
            let mut line = String::new();
            loop {
                let (physical, ended) = match self.rest().split_once('\n') {
                    Some((physical, _)) => (physical, true),
                    None => (self.rest(), false),
                };
                self.spend(physical.len() + 1)?;
                self.at += physical.len() + usize::from(ended);
                line.push_str(physical);
                let backslashes = line.bytes().rev().take_while(|byte| *byte == b'\\').count();
                if document.literal || !ended || backslashes % 2 == 0 {
                    break;
                }
                line.pop();
            }
            let stripped =
                if document.strip_tabs { line.trim_start_matches('\t') } else { line.as_str() };
            if stripped == document.delimiter {
                return Ok(lines);
            }
            lines.push_str(stripped);
            lines.push('\n');
        }
        Ok(lines)
    }
}
