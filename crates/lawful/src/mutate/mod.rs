//! Mutants: a lawbook with one thing changed, to find what its scenarios do not test.
//!
//! A mutant is an edit of the tree of one document, so its place is exact and the changed document
//! is decoded by the same code as any other. What is changed:
//!
//! | change | where |
//! |---|---|
//! | removed | a rule, a reaction, a rule of a composition, a guard, a predicate, one action, one id of an `add`, `forbid` or `order`, one pair of a `replace` |
//! | negated | a condition, and each part of an `all` or `any`; a test of an event; a predicate |
//! | `all` for `any` | `all`, `any`, `conditionLogic` and an equality map with two keys or more |
//! | moved by one, up and down | the number of a comparison or length, `threshold`, `atTurn`, `everyNTurns`, `cooldownTurns`, `maxFireCount` |
//!
//! **Invariant:** generating mutants does not depend on scenarios, and the same book has the same
//! mutants in the same order. A mutant that does not compile, or whose condition is proved to be
//! true on the same contexts as the original, is not one: [`Lawbook::mutated`] returns `None`.
//!
//! [`Lawbook::mutated`]: crate::Lawbook::mutated

mod composition;
mod condition;
mod edit;
mod equivalent;
mod fate;
mod guards;
mod pattern;
mod rules;
mod rulespec;
mod saved;

use lawful_syntax::{Node, Span, escape};

use self::edit::Edit;
use crate::book::{Book, Part};
use crate::cond::Operator;

pub(crate) use self::equivalent::is_equivalent;
pub use self::fate::Fate;

/// One change of a lawbook.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// The change in words: "rule `greet` removed".
    pub change: String,
    /// Where it is.
    pub place: Span,
    /// What it belongs to.
    pub site: Site,
    /// The document, as an index into those of the book.
    document: usize,
    edit: Edit,
}

/// What a mutant changes. Only a scenario that reaches it can notice the change.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Site {
    /// A rule of a composition, by the name of the composition and the index of the rule.
    CompositionRule(Box<str>, usize, Aspect),
    /// A rule or reaction, by its id.
    Rule(Box<str>, Aspect),
    /// A guard, by its id.
    Guard(Box<str>, Aspect),
    /// A predicate, by its index.
    Predicate(usize, Aspect),
    /// A saved condition, by its id.
    Condition(Box<str>),
}

/// Which part of a rule changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Aspect {
    /// All of it: it is removed.
    Whole,
    /// When it is evaluated: its trigger, its cooldown, its maximum of firings.
    Trigger,
    /// Its condition.
    Condition,
    /// What it does.
    Action,
}

/// Every mutant of a book, in the order of its documents. Some may not compile.
pub(crate) fn mutants(book: &Book) -> Vec<Mutant> {
    let mut found = Vec::new();
    for (at, document) in book.documents.iter().enumerate() {
        let Some(node) = document.node.as_ref().filter(|_| document.sound) else { continue };
        let mut tree = Tree { book, document: at, found: &mut found };
        match document.part {
            Part::Composition => composition::mutants(node, &mut tree),
            Part::Rules => rules::mutants(node, &mut tree),
            Part::Guards => guards::mutants(node, &mut tree),
            Part::Rulespec => {
                // Only one rulespec judges; the others belong to other commands.
                if document.path == book.manifest.hooks.stop.rulespec() {
                    rulespec::mutants(node, &mut tree);
                }
            }
            Part::Conditions => saved::mutants(node, &mut tree),
            Part::Manifest | Part::Fragment | Part::Entry => {}
            Part::Conditioning | Part::Scenario | Part::Envelope => {}
        }
    }
    found
}

impl Mutant {
    /// The changed tree of its document.
    pub(crate) fn tree(&self, book: &Book) -> Option<(usize, Node)> {
        let mut tree = book.documents.get(self.document)?.node.clone()?;
        self.edit.apply(&mut tree).then_some((self.document, tree))
    }
}

/// The document that is being mutated.
struct Tree<'t> {
    book: &'t Book,
    document: usize,
    found: &'t mut Vec<Mutant>,
}

/// A place in the tree of a document: the number of the child at each level.
type Steps = Vec<usize>;

/// What the mutants of one place have in common.
#[derive(Clone)]
struct Owner {
    /// As the text of a change names it: "rule `greet`".
    name: String,
    site: Site,
}

impl Tree<'_> {
    fn add(&mut self, owner: &Owner, change: impl AsRef<str>, place: Span, edit: Edit) {
        let change = format!("{}: {}", owner.name, change.as_ref());
        let (site, document) = (owner.site.clone(), self.document);
        self.found.push(Mutant { change, place, site, document, edit });
    }

    /// Removes the whole of something.
    fn remove(&mut self, owner: &Owner, place: Span, steps: Steps) {
        let change = format!("{} removed", owner.name);
        let (site, document) = (owner.site.clone(), self.document);
        self.found.push(Mutant { change, place, site, document, edit: Edit::Remove(steps) });
    }

    /// Moves a number by one, in both directions.
    fn bound(&mut self, owner: &Owner, what: &str, node: &Node, steps: &Steps) {
        for by in [1, -1] {
            let Some(moved) = edit::moved(node, by) else { continue };
            let change = format!("{what} {} became {}", node.describe(), moved.describe());
            self.add(owner, change, node.span, Edit::Put(steps.clone(), moved));
        }
    }

    /// A part of the document as a change shows it: its text, on one line.
    fn shown(&self, node: &Node) -> String {
        let written = self.book.sources.slice(node.span).trim();
        let fits = !written.is_empty() && !written.contains('\n') && written.len() <= 60;
        if fits { format!("`{}`", escape::name(written)) } else { format!("`{}`", node.describe()) }
    }
}

/// Whether an operator compares numbers or lengths.
fn is_bound(operator: Operator) -> bool {
    match operator {
        Operator::GreaterThan | Operator::LessThan | Operator::AtLeast | Operator::AtMost => true,
        Operator::MinLength | Operator::MaxLength => true,
        Operator::Exists
        | Operator::NotExists
        | Operator::Equals
        | Operator::NotEquals
        | Operator::Contains
        | Operator::NotContains
        | Operator::AnyOf
        | Operator::NoneOf
        | Operator::Matches
        | Operator::NotMatches
        | Operator::StartsWith
        | Operator::EndsWith => false,
    }
}

/// The operator that is true where this one is false, for a value of the right type.
fn opposite(operator: Operator) -> Option<Operator> {
    const ORDER: [(Operator, Operator); 2] =
        [(Operator::GreaterThan, Operator::AtMost), (Operator::LessThan, Operator::AtLeast)];
    let swapped = ORDER.iter().flat_map(|(one, other)| [(one, other), (other, one)]);
    let beyond = swapped.into_iter().find(|(one, _)| **one == operator).map(|(_, other)| *other);
    let twin = || Operator::all().find(|twin| twin.complement_of() == Some(operator));
    beyond.or(operator.complement_of()).or_else(twin)
}

/// The steps to a child.
fn child(steps: &[usize], at: usize) -> Steps {
    steps.iter().copied().chain([at]).collect()
}

/// An entry of a mapping, with its number.
fn entry<'n>(node: &'n Node, key: &str) -> Option<(usize, &'n lawful_syntax::Entry)> {
    node.as_map()?.iter().enumerate().find(|(_, entry)| &*entry.key == key)
}

#[cfg(test)]
mod tests;
