//! Checks of a whole lawbook that need more than one document.

use lawful_syntax::{Diagnostic, sort};

use crate::book::{Book, Document, Part};
use crate::compose::{Compositions, lint as compose};
use crate::cond::lint_all;
use crate::cond::partition::{Caps, Domains};
use crate::react::{Rules, lint as react};
use crate::verify::Rulespec;

/// Everything that is wrong with the compositions and rules of a lawbook, and every lint, sorted by
/// place. What loading reported is not repeated.
pub fn check(book: &Book) -> Vec<Diagnostic> {
    let domains = Domains::of(&book.manifest);
    let saved = book.registry.saved_trees();
    let mut problems = lint_all(saved, &book.registry, &domains, Caps::default());
    let (compositions, found) = Compositions::decode(book);
    problems.extend(found);
    problems.extend(compose::lint(book, &compositions));
    problems.extend(rulespecs(book).flat_map(|document| decode(book, document).1));
    let (rules, found) = Rules::decode(book);
    problems.extend(found);
    problems.extend(react::lint(book, &rules));
    sort(&mut problems, &book.sources);
    problems
}

/// The rulespec of a lawbook, and what is wrong with it; `None` if there is no such document.
pub fn rulespec(book: &Book) -> Option<(Option<Rulespec>, Vec<Diagnostic>)> {
    rulespecs(book).next().map(|document| decode(book, document))
}

/// The rulespec at a path of a lawbook, and what is wrong with it.
pub fn rulespec_at(book: &Book, path: &str) -> Option<(Option<Rulespec>, Vec<Diagnostic>)> {
    rulespecs(book).find(|document| document.path == path).map(|document| decode(book, document))
}

/// The usual one, and one that the manifest names.
fn rulespecs(book: &Book) -> impl Iterator<Item = &Document> {
    book.documents.iter().filter(|document| document.part == Part::Rulespec)
}

fn decode(book: &Book, document: &Document) -> (Option<Rulespec>, Vec<Diagnostic>) {
    let node = document.node.as_ref();
    let decode =
        |node| Rulespec::decode(node, &book.sources, &book.registry, &book.manifest.limits);
    let (rulespec, problems) = node.map(decode).unwrap_or_default();
    (rulespec.filter(|_| document.sound), problems)
}
