//! Lints on the prompts of roles.

use std::collections::BTreeSet;

use lawful_syntax::{Diagnostic, Span};

use super::{
    empty_persona, placeholder_in_core, repeated_sentence, run_on_core, shared_paragraph,
    token_budget,
};
use crate::book::Book;
use crate::compose::places::Places;
use crate::compose::{Core, Origin, RolePrompt};
use crate::value::Value;

/// The lints of all prompts of a book. A role may have many prompts, one for each outcome of its
/// rules.
pub(crate) struct RoleLints<'b> {
    book: &'b Book,
    core: &'b Core,
    sentences: repeated_sentence::Sentences,
    paragraphs: shared_paragraph::Paragraphs,
    largest: token_budget::Largest,
    /// The texts of each role that were checked already. Outcomes of rules share most of them.
    looked_at: BTreeSet<(Box<str>, Box<str>)>,
    problems: Vec<Diagnostic>,
}

/// A part of a persona: a fragment or the whole text.
pub(super) struct Piece<'p> {
    pub(super) prompt: &'p RolePrompt,
    pub(super) text: &'p str,
    start: usize,
    places: &'p Places<'p>,
}

impl Piece<'_> {
    /// The source place of the line at an offset, if known.
    pub(super) fn place(&self, at: usize) -> Option<Span> {
        self.places.at(self.start + at)
    }
}

impl<'b> RoleLints<'b> {
    /// Checks the core.
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

    /// Checks a prompt, made in a context, that satisfies the contract.
    pub(crate) fn look_at(&mut self, prompt: &RolePrompt, context: &Value) {
        self.largest.note(prompt, context);
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

    /// Returns all findings.
    pub(crate) fn finish(mut self) -> Vec<Diagnostic> {
        self.problems.extend(self.largest.check(self.book));
        self.problems
    }
}

/// The fragments of a composition, or the text of a persona, each with its offset in the prompt.
fn pieces(prompt: &RolePrompt) -> Vec<(usize, &str)> {
    if prompt.composition.is_none() {
        return vec![(prompt.text().len() - prompt.persona().len(), prompt.persona())];
    }
    let sections = prompt.prompt.sections.iter().filter(|section| section.origin != Origin::Core);
    sections.map(|section| (section.range.start, prompt.prompt.text_of(section))).collect()
}
