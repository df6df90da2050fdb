//! Which problems of a lawbook stop which verb: one table, by [`Verb`] and [`Part`].
//!
//! A verb needs some documents of a book and not others. An error in a document that it needs stops
//! it; an error elsewhere does not, and `check` reports it. A warning never stops anything.

use lawful_syntax::Diagnostic;

use crate::book::{Book, Document, Part};

/// An operation on a lawbook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Verb {
    /// Report every problem of the book.
    Check,
    /// List what the book contains.
    List,
    /// Resolve a composition to a prompt.
    Compose,
    /// Compose the prompts of all roles.
    Roles,
    /// Read what a session inserts into a prompt.
    Insert,
    /// Take a step of a session.
    React,
    /// Repeat a stored step with the rules that were stored with it.
    Replay,
    /// Judge an envelope by the rulespec of the book.
    Verify,
    /// Judge an envelope by a rulespec outside the book.
    VerifyWith,
    /// Run the commands of the manifest and record what the host sees.
    Observe,
    /// Decide whether an agent may stop, according to the manifest.
    Stop,
    /// Decide on a live event by the guards of the book.
    Guard,
    /// Remove what `install` wrote.
    Uninstall,
}

impl Verb {
    /// Every verb.
    pub const ALL: [Self; 13] = [
        Self::Check,
        Self::List,
        Self::Compose,
        Self::Roles,
        Self::Insert,
        Self::React,
        Self::Replay,
        Self::Verify,
        Self::VerifyWith,
        Self::Observe,
        Self::Stop,
        Self::Guard,
        Self::Uninstall,
    ];
}

/// What a problem means for a verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Impact {
    /// The verb does not depend on it.
    Ignored,
    /// The verb ignores the broken part and reports the problem.
    Reported,
    /// The verb cannot run.
    Blocks,
}

/// Whether a problem of a book stops a verb.
pub fn blocks(verb: Verb, book: &Book, problem: &Diagnostic) -> bool {
    impact(verb, book, problem) == Impact::Blocks
}

/// What a problem of a book means for a verb.
pub fn impact(verb: Verb, book: &Book, problem: &Diagnostic) -> Impact {
    if !problem.is_error() {
        return Impact::Ignored;
    }
    match book.documents.iter().find(|document| document.file == problem.span.file) {
        Some(document) => impact_in(verb, book, document),
        // Nothing decides by a scenario.
        None if book.part_of_unread(problem.span.file) == Some(Part::Scenario) => Impact::Ignored,
        None => impact_of_unread(verb),
    }
}

/// What an error in a document means for a verb.
fn impact_in(verb: Verb, book: &Book, document: &Document) -> Impact {
    use Impact::{Blocks, Ignored, Reported};
    match verb {
        Verb::Check | Verb::Replay | Verb::Uninstall => Ignored,
        // What has errors is left out of the list.
        Verb::List => match document.part {
            Part::Manifest => Blocks,
            Part::Fragment | Part::Composition | Part::Conditions => Reported,
            Part::Rules | Part::Conditioning | Part::Guards => Reported,
            Part::Entry | Part::Rulespec | Part::Scenario | Part::Envelope => Ignored,
        },
        Verb::Compose => match document.part {
            Part::Manifest | Part::Fragment | Part::Composition | Part::Conditions => Blocks,
            Part::Rules | Part::Entry | Part::Conditioning => Ignored,
            Part::Rulespec | Part::Scenario | Part::Envelope | Part::Guards => Ignored,
        },
        Verb::Roles => match document.part {
            Part::Manifest | Part::Fragment | Part::Composition | Part::Conditions => Blocks,
            Part::Conditioning => Blocks,
            Part::Rules | Part::Entry | Part::Rulespec | Part::Scenario | Part::Envelope => Ignored,
            Part::Guards => Ignored,
        },
        Verb::Insert => match document.part {
            Part::Entry => Blocks,
            Part::Manifest | Part::Fragment | Part::Composition | Part::Conditions => Ignored,
            Part::Rules | Part::Conditioning | Part::Rulespec | Part::Scenario | Part::Envelope => {
                Ignored
            }
            Part::Guards => Ignored,
        },
        Verb::React => match document.part {
            Part::Manifest => Blocks,
            // An invalid rule is ignored. In text that does not parse, the rules are unknown.
            Part::Rules if document.sound => Reported,
            Part::Rules => Blocks,
            Part::Conditions | Part::Entry => Reported,
            Part::Fragment | Part::Composition | Part::Conditioning => Ignored,
            Part::Rulespec | Part::Scenario | Part::Envelope | Part::Guards => Ignored,
        },
        Verb::Verify => match document.part {
            Part::Manifest | Part::Conditions => Blocks,
            // Errors in other rulespecs are ignored.
            Part::Rulespec if document.path == book.manifest.hooks.stop.rulespec() => Blocks,
            Part::Rulespec | Part::Fragment | Part::Composition => Ignored,
            Part::Rules | Part::Entry | Part::Conditioning | Part::Scenario => Ignored,
            Part::Guards | Part::Envelope => Ignored,
        },
        Verb::VerifyWith => match document.part {
            Part::Manifest | Part::Conditions => Blocks,
            Part::Rulespec | Part::Fragment | Part::Composition => Ignored,
            Part::Rules | Part::Entry | Part::Conditioning | Part::Scenario => Ignored,
            Part::Guards | Part::Envelope => Ignored,
        },
        Verb::Observe | Verb::Stop => match document.part {
            Part::Manifest => Blocks,
            Part::Fragment | Part::Composition | Part::Conditions | Part::Rules => Ignored,
            Part::Entry | Part::Conditioning | Part::Rulespec | Part::Scenario | Part::Envelope => {
                Ignored
            }
            Part::Guards => Ignored,
        },
        Verb::Guard => match document.part {
            Part::Manifest => Blocks,
            // An invalid guard denies. In text that does not parse, the guards are unknown.
            Part::Guards if document.sound => Reported,
            Part::Guards => Blocks,
            // A guard that refers to a broken condition is invalid.
            Part::Conditions => Reported,
            Part::Fragment | Part::Composition | Part::Rules | Part::Entry => Ignored,
            Part::Conditioning | Part::Rulespec | Part::Scenario | Part::Envelope => Ignored,
        },
    }
}

/// What it means for a verb that a file of the book could not be read.
fn impact_of_unread(verb: Verb) -> Impact {
    match verb {
        Verb::List => Impact::Reported,
        // The file may have been a fragment, a rule or a guard.
        Verb::Compose | Verb::Roles | Verb::React | Verb::Guard => Impact::Blocks,
        Verb::Check | Verb::Insert | Verb::Replay | Verb::Uninstall => Impact::Ignored,
        Verb::Verify | Verb::VerifyWith | Verb::Observe | Verb::Stop => Impact::Ignored,
    }
}

#[cfg(test)]
mod tests;
