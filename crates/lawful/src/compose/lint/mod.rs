//! Lints on compositions and fragments. Each lint is a file with its documentation, message and
//! test.

mod add_always_present;
mod always_forbidden;
mod anchor_never_present;
mod banned_word;
mod dangling_id;
mod dead_rule;
mod empty_persona;
mod forbid_never_present;
pub(super) mod layer_bleed;
mod order_never_present;
mod placeholder_in_core;
mod presence;
mod repeated_sentence;
mod replace_never_present;
mod roles;
mod run_on_core;
mod shared_paragraph;
mod token_budget;
mod undeclared_placeholder;
mod undone_replace;
mod unused_fragment;

use lawful_syntax::{Code, Diagnostic};

use self::presence::Presence;
use self::roles::Piece;
pub(crate) use self::roles::RoleLints;
use super::{Action, Composition, Compositions, FragmentId, Matrix};
use crate::book::Book;
use crate::cond::lint::analysis_skipped;
use crate::cond::lint_all;
use crate::cond::partition::{Caps, Domains};

/// The codes of all lints.
pub(crate) fn codes() -> impl Iterator<Item = &'static Code> {
    let tables = [
        add_always_present::ALL,
        always_forbidden::ALL,
        anchor_never_present::ALL,
        banned_word::ALL,
        dead_rule::ALL,
        empty_persona::ALL,
        forbid_never_present::ALL,
        layer_bleed::ALL,
        order_never_present::ALL,
        placeholder_in_core::ALL,
        repeated_sentence::ALL,
        replace_never_present::ALL,
        run_on_core::ALL,
        shared_paragraph::ALL,
        token_budget::ALL,
        undeclared_placeholder::ALL,
        undone_replace::ALL,
        unused_fragment::ALL,
    ];
    tables.into_iter().flatten().copied()
}

/// Every lint on the compositions and fragments of a book.
pub(crate) fn lint(book: &Book, compositions: &Compositions) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    let domains = Domains::of(&book.manifest);
    for composition in compositions.all() {
        let matrix = compositions.matrix(composition, &book.manifest);
        let skipped = matrix.as_ref().err();
        problems.extend(skipped.map(|why| analysis_skipped(why.span, &why.message)));
        let matrix = matrix.ok();
        let subject = Subject { book, compositions, composition, matrix };
        let whens = composition.rules.iter().map(|rule| &rule.when);
        let mut found = lint_all(whens, &book.registry, &domains, Caps::default());
        let dead = dead_rule::check(&subject, &domains, &mut found);
        problems.extend(found);
        let mut presence = Presence::new(&subject, &domains, dead);
        problems.extend(replace_never_present::check(&subject, &presence));
        problems.extend(add_always_present::check(&subject, &presence));
        problems.extend(order_never_present::check(&subject, &presence));
        problems.extend(forbid_never_present::check(&subject, &presence));
        problems.extend(anchor_never_present::check(&subject, &domains, &mut presence));
        if let (Some(_), Some(skipped)) = (&subject.matrix, &presence.skipped) {
            let message = format!("not every action was analysed: {skipped}");
            problems.push(analysis_skipped(composition.name_span, &message));
        }
        problems.extend(dangling_id::check(&subject));
        problems.extend(undone_replace::check(&subject, &domains));
        problems.extend(always_forbidden::check(&subject));
        problems.extend(token_budget::prompt(&subject));
        problems.extend(layer_bleed::check(&subject));
    }
    problems.extend(layer_bleed::personas(book, compositions));
    problems.extend(unused_fragment::check(compositions));
    problems.extend(undeclared_placeholder::check(book, compositions));
    problems.extend(banned_word::check(book, compositions));
    problems.extend(token_budget::fragments(book, compositions));
    problems
}

/// A composition and the inputs of its lints.
struct Subject<'s> {
    book: &'s Book,
    compositions: &'s Compositions,
    composition: &'s Composition,
    matrix: Option<Matrix>,
}

impl Subject<'_> {
    fn name(&self, id: FragmentId) -> &str {
        self.compositions.name(id)
    }

    /// Whether a fragment has this id; if not, that is reported, and nothing else about the id.
    fn knows(&self, id: FragmentId) -> bool {
        self.compositions.fragment(id).is_some()
    }
}

impl Action {
    /// Whether it can remove an id from the list while the rules run.
    fn removes(&self, id: FragmentId) -> bool {
        match self {
            Self::Replace(pairs) => pairs.iter().any(|(from, ..)| *from == id),
            // Forbidden ids stay until all rules have run.
            Self::Add { .. } | Self::Forbid(_) | Self::Order(_) => false,
        }
    }

    /// The ids that it can add to the list.
    fn brings(&self) -> Vec<FragmentId> {
        match self {
            Self::Replace(pairs) => pairs.iter().map(|(_, to, _)| *to).collect(),
            Self::Add { ids, .. } => ids.iter().map(|(id, _)| *id).collect(),
            Self::Forbid(_) | Self::Order(_) => Vec::new(),
        }
    }
}

/// Checks a book with this manifest and composition, and the fragments `a` to `e` with bodies.
#[cfg(test)]
fn check(manifest: &str, composition: &str, bodies: &[(&str, &str)], expected: &str) {
    let mut source = crate::book::MemorySource::new()
        .with("lawful.yaml", format!("name: test\n{manifest}"))
        .with("compositions/c.yaml", format!("name: c\n{composition}"));
    for id in ["a", "b", "c", "d", "e"] {
        let body = bodies.iter().find(|(known, _)| *known == id).map_or("text", |(_, body)| *body);
        let page = if body.starts_with("---") {
            body.to_owned()
        } else {
            format!("---\nid: {id}\n---\n{body}\n")
        };
        source = source.with(&format!("fragments/{id}.md"), page);
    }
    crate::check::check_source(&source, None, expected);
}

/// Checks a book with this core and these personas, each a Markdown file in the book's own folder.
#[cfg(test)]
fn check_roles(manifest: &str, core: &str, personas: &[(&str, &str)], expected: &str) {
    let mut written = "name: test\nconditioning:\n  core: core.md\n  personas:\n".to_owned();
    let mut source = crate::book::MemorySource::new().with("core.md", core);
    for (role, persona) in personas {
        written.extend(["    ", role, ": ", role, ".md\n"]);
        source = source.with(&format!("{role}.md"), *persona);
    }
    crate::check::check_source(&source.with("lawful.yaml", written + manifest), None, expected);
}

/// Checks a book with a Nickel record that evaluates to these prompts; the core is `Be exact.`
#[cfg(test)]
fn check_record(record: &str, prompts: &[(&str, &str)], expected: &str) {
    let source = crate::book::MemorySource::new()
        .with("lawful.yaml", "name: test\nconditioning: {nickel: all.ncl, core: core.md}\n")
        .with("core.md", "Be exact.\n")
        .with("all.ncl", record);
    let roles = prompts.iter().map(|(role, text)| ((*role).to_owned(), (*text).to_owned()));
    let nickel = super::Evaluated { texts: [].into(), roles: roles.collect() };
    crate::check::check_source(&source, Some(&nickel), expected);
}
