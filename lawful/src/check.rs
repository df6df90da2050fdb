//! Checks of a whole lawbook that need more than one document.

use lawful_syntax::{Diagnostic, sort};

use crate::book::{Book, Conditioning, Document, Part, Persona, RoleSource};
use crate::code::UNREADABLE;
use crate::compose::{Compositions, Evaluated, Refusal, Roles, lint as compose};
use crate::cond::lint_all;
use crate::cond::partition::{Caps, Domains};
use crate::react::{Rules, lint as react};
use crate::verify::Rulespec;

/// Everything that is wrong with the compositions, roles and rules of a lawbook, and every lint,
/// sorted by place. What loading reported is not repeated. Roles that are written in Nickel are not
/// looked at: see [`check_evaluated`].
pub fn check(book: &Book) -> Vec<Diagnostic> {
    let nickel = |conditioning: &Conditioning| {
        conditioning.nickel_record().is_some() || !conditioning.nickel_texts().is_empty()
    };
    let needed = book.manifest.conditioning.as_ref().is_some_and(nickel);
    work_through(book, (!needed).then(Evaluated::default).as_ref())
}

/// The same, with what the book's Nickel files came to.
pub fn check_evaluated(book: &Book, nickel: &Evaluated) -> Vec<Diagnostic> {
    work_through(book, Some(nickel))
}

fn work_through(book: &Book, nickel: Option<&Evaluated>) -> Vec<Diagnostic> {
    let domains = Domains::of(&book.manifest);
    let saved = book.registry.saved_trees();
    let mut problems = lint_all(saved, &book.registry, &domains, Caps::default());
    let (compositions, found) = Compositions::decode(book);
    problems.extend(found);
    problems.extend(compose::lint(book, &compositions));
    if let Some(nickel) = nickel {
        problems.extend(roles(book, &compositions, nickel));
    }
    problems.extend(rulespecs(book).flat_map(|document| decode(book, document).1));
    let (rules, found) = Rules::decode(book);
    problems.extend(found);
    problems.extend(react::lint(book, &rules));
    sort(&mut problems, &book.sources);
    problems.dedup();
    problems
}

/// What is wrong with the roles, in every context that leads to another prompt.
fn roles(book: &Book, compositions: &Compositions, nickel: &Evaluated) -> Vec<Diagnostic> {
    /// A book with more prompts has its first ones looked at; none is printed without a look.
    const MOST: usize = 256;
    let Some(conditioning) = &book.manifest.conditioning else { return Vec::new() };
    let mut contexts = vec![Compositions::first_context(&book.manifest)];
    if let RoleSource::Personas(personas) = &conditioning.roles {
        let named = personas.iter().filter_map(|(_, persona)| match persona {
            Persona::Composition(name, _) => compositions.get(name).ok(),
            Persona::File(..) => None,
        });
        for composition in named {
            let matrix = compositions.matrix(composition, &book.manifest);
            let classes = matrix.map(|matrix| matrix.classes).unwrap_or_default();
            contexts.extend(classes.into_iter().filter_map(|class| class.witness));
        }
    }
    let mut problems = Vec::new();
    for context in contexts.iter().take(MOST) {
        match Roles::compose(book, compositions, context, &[], nickel) {
            Ok(roles) => {
                problems.extend(compose::lint_roles(book, &roles));
                let bleeds = |warning: &Diagnostic| warning.code.name == "layer-bleed";
                problems.extend(roles.warnings.into_iter().filter(bleeds));
            }
            Err(Refusal::Broken(broken)) => problems.extend(broken),
            Err(Refusal::Undecided(found)) => {
                // A file that is not there was reported by loading.
                problems.extend(found.into_iter().filter(|problem| problem.code != &UNREADABLE));
                break;
            }
        }
    }
    problems
}

/// The rulespec of a lawbook, and what is wrong with it; `None` if there is no such document.
///
/// There is one law: it is the rulespec that an agent is held to when it stops, which is the usual
/// one unless the manifest names another.
pub fn rulespec(book: &Book) -> Option<(Option<Rulespec>, Vec<Diagnostic>)> {
    rulespecs(book).find(|document| is_law(book, document)).map(|document| decode(book, document))
}

fn is_law(book: &Book, document: &Document) -> bool {
    document.path == book.manifest.hooks.stop.rulespec()
}

/// Whether a problem of a lawbook is in the way of judging by its rulespec: it is in the manifest,
/// in a saved condition, or in that rulespec. What is wrong elsewhere is not.
pub fn is_in_the_way(book: &Book, problem: &Diagnostic) -> bool {
    let document = book.documents.iter().find(|document| document.file == problem.span.file);
    problem.is_error()
        && document.is_some_and(|document| match document.part {
            Part::Manifest | Part::Conditions => true,
            Part::Rulespec => is_law(book, document),
            Part::Fragment | Part::Composition | Part::Rules | Part::Entry => false,
            Part::Conditioning | Part::Scenario => false,
        })
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
