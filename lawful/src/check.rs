//! Checks of a whole lawbook that need more than one document: the lints.

use lawful_syntax::{Diagnostic, sort};

use crate::book::Book;
use crate::cond::lint_all;
use crate::cond::partition::{Caps, Domains};

/// Every lint on a lawbook, sorted by place. What loading reported is not repeated.
pub fn check(book: &Book) -> Vec<Diagnostic> {
    let domains = Domains::of(&book.manifest);
    let saved = book.registry.saved_trees();
    let mut problems = lint_all(saved, &book.registry, &domains, Caps::default());
    sort(&mut problems, &book.sources);
    problems
}
