//! Checks of a whole lawbook that need more than one document.

use lawful_syntax::{Diagnostic, sort};

use crate::book::{Book, Part};
use crate::compose::{Compositions, lint as compose};
use crate::cond::lint_all;
use crate::cond::partition::{Caps, Domains};
use crate::verify::Rulespec;

/// Everything that is wrong with the compositions of a lawbook, and every lint, sorted by place.
/// What loading reported is not repeated.
pub fn check(book: &Book) -> Vec<Diagnostic> {
    let domains = Domains::of(&book.manifest);
    let saved = book.registry.saved_trees();
    let mut problems = lint_all(saved, &book.registry, &domains, Caps::default());
    let (compositions, found) = Compositions::decode(book);
    problems.extend(found);
    problems.extend(compose::lint(book, &compositions));
    problems.extend(rulespec(book).map(|(_, found)| found).unwrap_or_default());
    sort(&mut problems, &book.sources);
    problems
}

/// The rulespec of a lawbook, and what is wrong with it; `None` if there is no such document.
pub fn rulespec(book: &Book) -> Option<(Option<Rulespec>, Vec<Diagnostic>)> {
    let document = book.documents.iter().find(|document| document.part == Part::Rulespec)?;
    let node = document.node.as_ref();
    let decode =
        |node| Rulespec::decode(node, &book.sources, &book.registry, &book.manifest.limits);
    let (rulespec, problems) = node.map(decode).unwrap_or_default();
    Some((rulespec.filter(|_| document.sound), problems))
}
