//! Checks of a whole lawbook that need more than one document.

use lawful_syntax::{Diagnostic, sort};

use crate::book::Book;
use crate::compose::{Compositions, lint as compose};
use crate::cond::lint_all;
use crate::cond::partition::{Caps, Domains};
use crate::react::{Rules, lint as react};

/// Everything that is wrong with the compositions and rules of a lawbook, and every lint, sorted by
/// place. What loading reported is not repeated.
pub fn check(book: &Book) -> Vec<Diagnostic> {
    let domains = Domains::of(&book.manifest);
    let saved = book.registry.saved_trees();
    let mut problems = lint_all(saved, &book.registry, &domains, Caps::default());
    let (compositions, found) = Compositions::decode(book);
    problems.extend(found);
    problems.extend(compose::lint(book, &compositions));
    let (rules, found) = Rules::decode(book);
    problems.extend(found);
    problems.extend(react::lint(book, &rules));
    sort(&mut problems, &book.sources);
    problems
}
