//! Lints on the prompts of roles: what is said too often, or not at all.

use std::collections::BTreeSet;

use lawful_syntax::{Diagnostic, Span};

use super::{
    empty_persona, placeholder_in_core, repeated_sentence, run_on_core, shared_paragraph,
    token_budget,
};
use crate::book::Book;
use crate::compose::places::Places;
use crate::compose::{Core, Origin, RolePrompt};

/// What was seen of the prompts of a book. A role may have many, one for each outcome of its rules.
pub(crate) struct RoleLints<'b> {
    book: &'b Book,
    core: &'b Core,
    sentences: repeated_sentence::Sentences,
    paragraphs: shared_paragraph::Paragraphs,
    largest: token_budget::Largest,
    /// Roles and texts in them that were looked at: the outcomes of rules have most of them in common.
    looked_at: BTreeSet<(Box<str>, Box<str>)>,
    problems: Vec<Diagnostic>,
}

/// A part of a persona that says something by itself.
pub(super) struct Piece<'p> {
    pub(super) prompt: &'p RolePrompt,
    pub(super) text: &'p str,
    start: usize,
    places: &'p Places<'p>,
}

impl Piece<'_> {
    /// Where the line at an offset of the piece is written, if that is known.
    pub(super) fn place(&self, at: usize) -> Option<Span> {
        self.places.at(self.start + at)
    }
}

impl<'b> RoleLints<'b> {
    /// Looks at the core.
    pub(crate) fn new(book: &'b Book, core: &'b Core) -> Self {
        let mut problems = placeholder_in_core::check(book, core);
        problems.extend(token_budget::core(book, core));
        Self {
            book,
            core,
            sentences: repeated_sentence::Sentences::of(core),
            paragraphs: shared_paragraph::Paragraphs::default(),
            largest: token_budget::Largest::default(),
            looked_at: BTreeSet::new(),
            problems,
        }
    }

    /// Looks at a prompt that keeps the contract.
    pub(crate) fn look_at(&mut self, prompt: &RolePrompt) {
        self.largest.note(prompt);
        self.problems.extend(empty_persona::check(prompt));
        self.problems.extend(run_on_core::check(self.core, prompt));
        let pieces: Vec<(usize, &str)> = pieces(prompt)
            .into_iter()
            .filter(|(_, text)| self.looked_at.insert((prompt.role.clone(), (*text).into())))
            .collect();
        if pieces.is_empty() {
            return;
        }
        let places = Places::of(&self.book.sources, &prompt.prompt);
        for (start, text) in pieces {
            let piece = Piece { prompt, text, start, places: &places };
            self.problems.extend(repeated_sentence::check(self.core, &self.sentences, &piece));
            self.problems.extend(self.paragraphs.check(&piece));
        }
    }

    /// Everything that was found.
    pub(crate) fn finish(mut self) -> Vec<Diagnostic> {
        self.problems.extend(self.largest.check(self.book));
        self.problems
    }
}

/// The fragments of a composition, or the text of a persona, with where each starts in the prompt.
fn pieces(prompt: &RolePrompt) -> Vec<(usize, &str)> {
    if prompt.composition.is_none() {
        return vec![(prompt.text().len() - prompt.persona().len(), prompt.persona())];
    }
    let sections = prompt.prompt.sections.iter().filter(|section| section.origin != Origin::Core);
    sections.map(|section| (section.range.start, prompt.prompt.text_of(section))).collect()
}
