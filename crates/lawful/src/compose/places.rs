//! Where the lines of a prompt are written, for diagnostics that point at them.

use lawful_syntax::{FileId, Sources, Span};

use super::render::Prompt;

/// The lines of one prompt. Looked up by offset, so that many findings cost one reading.
pub(super) struct Places<'s> {
    sources: &'s Sources,
    /// Where each line starts in the prompt, and the line of a file that it comes from.
    lines: Vec<(usize, Option<(FileId, usize)>)>,
}

impl<'s> Places<'s> {
    pub(super) fn of(sources: &'s Sources, prompt: &Prompt) -> Self {
        let mut start = 0;
        let lines = prompt.lines().into_iter().map(|line| {
            let at = start;
            start += line.text.len() + 1;
            (at, line.place)
        });
        Self { sources, lines: lines.collect() }
    }

    /// The line of a file on which the line of the prompt at an offset is written.
    pub(super) fn at(&self, offset: usize) -> Option<Span> {
        let after = self.lines.partition_point(|(start, _)| *start <= offset);
        let (_, place) = self.lines.get(after.checked_sub(1)?)?;
        let (file, number) = (*place)?;
        self.sources.line(file, number)
    }
}
