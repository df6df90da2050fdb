//! Maps lines of a prompt to their sources, for diagnostics.

use lawful_syntax::{FileId, Sources, Span};

use super::render::Prompt;

/// The lines of one prompt, split once and looked up by offset.
pub(super) struct Places<'s> {
    sources: &'s Sources,
    /// The offset of each line in the prompt, and its line in a source file.
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

    /// The source line of the prompt line at an offset.
    pub(super) fn at(&self, offset: usize) -> Option<Span> {
        let after = self.lines.partition_point(|(start, _)| *start <= offset);
        let (_, place) = self.lines.get(after.checked_sub(1)?)?;
        let (file, number) = (*place)?;
        self.sources.line(file, number)
    }
}
