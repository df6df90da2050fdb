//! Checks of a whole lawbook, across documents.

mod observed;
mod untrusted;

use std::collections::BTreeMap;

use lawful_syntax::{Diagnostic, Severity, escape, sort};

use crate::book::{Book, Conditioning, Document, Part};
use crate::code::UNREADABLE;
use crate::compose::{
    Compositions, Evaluated, RolePrompt, Roles, UNKNOWN_COMPOSITION, lint as compose,
};
use crate::cond::lint::analysis_skipped;
use crate::cond::lint_all;
use crate::cond::partition::{Caps, Domains};
use crate::guard::{Guards, lint as guard};
use crate::insertion::Insertions;
use crate::react::{Rules, lint as react};
use crate::scenario::{self, Names, Scenarios};
use crate::value::Value;
use crate::verify::{NO_RULESPEC, Rulespec};

/// All problems in the compositions, roles and rules of a lawbook, and all lints, sorted by place.
/// Problems that loading reported are not repeated. Roles in Nickel are not checked: see
/// [`check_evaluated`].
pub fn check(book: &Book) -> Vec<Diagnostic> {
    let nickel = |conditioning: &Conditioning| {
        conditioning.nickel_record().is_some() || !conditioning.nickel_texts().is_empty()
    };
    let needed = book.manifest.conditioning.as_ref().is_some_and(nickel);
    work_through(book, (!needed).then(Evaluated::default).as_ref())
}

/// The same, given the values of the book's Nickel files.
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
    for document in rulespecs(book) {
        let (rulespec, found) = decode(book, document);
        problems.extend(found);
        if let Some(node) = &document.node {
            let is_law = is_law(book, document);
            problems.extend(observed::check(node, rulespec.as_ref(), &book.manifest, is_law));
            let mut never = rulespec.as_ref().and_then(Rulespec::never_passes);
            if let Some(problem) = never.as_mut().filter(|_| !is_law) {
                problem.severity = Severity::Warning;
            }
            problems.extend(never);
        }
    }
    problems.extend(lawless_stop(book));
    let (rules, found) = Rules::decode(book);
    problems.extend(found);
    problems.extend(react::lint(book, &rules));
    let (guards, found) = Guards::decode(book);
    problems.extend(found);
    problems.extend(guard::lint(book, &guards, &rules));
    problems.extend(untrusted::check(book, &compositions, &rules));
    let (scenarios, found) = Scenarios::decode(book);
    problems.extend(found);
    let law = rulespec(book).and_then(|(rulespec, _)| rulespec);
    let names = Names::of(book, &compositions, &rules, &guards, law.as_ref(), nickel);
    problems.extend(scenario::check(&scenarios, &names, &rules, (book, &compositions)));
    let domains = Domains::of_variables(&book.manifest);
    problems.extend(lint_all(scenarios.states(), &book.registry, &domains, Caps::default()));
    sort(&mut problems, &book.sources);
    problems.dedup();
    problems
}

/// The problems of all roles, in every prompt that rules and values can produce.
fn roles(book: &Book, compositions: &Compositions, nickel: &Evaluated) -> Vec<Diagnostic> {
    let none = Insertions::default();
    let first = Compositions::first_context(&book.manifest);
    let longest = Compositions::longest_context(&book.manifest);
    let mut problems = Vec::new();
    let (made, _) = match Roles::unchecked(book, compositions, &first, &none, nickel) {
        Ok(made) => made,
        Err(_) if book.manifest.conditioning.is_none() => return Vec::new(),
        Err(found) => {
            // The error in a composition comes first, not that its name is unknown.
            let broken =
                compositions.broken().iter().filter_map(|name| compositions.get(name).err());
            let echoes: Vec<String> = broken.map(|unknown| unknown.message).collect();
            let is_echo = |one: &Diagnostic| {
                one.code == &UNKNOWN_COMPOSITION && echoes.contains(&one.message)
            };
            // Loading has already reported a missing file.
            let is_new = |one: &Diagnostic| one.code != &UNREADABLE && !is_echo(one);
            return found.into_iter().filter(is_new).collect();
        }
    };
    let of_the_files =
        |warning: &&Diagnostic| ["layer-bleed", "unread-key"].contains(&warning.code.name);
    problems.extend(made.warnings.iter().filter(of_the_files).cloned());
    let mut lints = compose::RoleLints::new(book, &made.core);
    let mut left = Left { prompts: MOST_PROMPTS, bytes: MOST_BYTES };
    let mut look_at =
        |prompt: &RolePrompt, context: &Value, broken: Option<Diagnostic>| match broken {
            None => lints.look_at(prompt, context),
            Some(broken) => problems.push(broken),
        };
    for prompt in &made.prompts {
        look_at(prompt, &first, made.breach(book, prompt));
    }
    if longest != first
        && let Ok((made, _)) = Roles::unchecked(book, compositions, &longest, &none, nickel)
    {
        for prompt in &made.prompts {
            look_at(prompt, &longest, made.breach(book, prompt));
        }
    }
    let mut skipped = Vec::new();
    let mut matrices = BTreeMap::new();
    for role in &made.prompts {
        let composition = role.composition.as_deref().and_then(|name| compositions.get(name).ok());
        let Some(composition) = composition else { continue };
        // If its prompts cannot be listed, the check of the composition reports that.
        let matrix = matrices
            .entry(&composition.name)
            .or_insert_with(|| compositions.matrix(composition, &book.manifest).ok());
        let Some(matrix) = matrix else { continue };
        let all = matrix.classes.len();
        for (at, class) in matrix.classes.iter().enumerate() {
            let largest = compositions.largest_context(composition, class, &book.manifest);
            let witness = class.witness.as_ref().filter(|witness| **witness != largest);
            for context in witness.into_iter().chain([&largest]) {
                let sources = &book.sources;
                let persona = compositions.prompt(composition, &class.order, context, sources);
                let (prompt, broken) = made.with_persona(book, role, persona);
                left.take(&prompt);
                look_at(&prompt, context, broken);
            }
            if left.is_spent() && at + 1 < all {
                let message = format!(
                    "the role `{}` has {all} prompts, but only {} of them were checked",
                    escape::name(&role.role),
                    at + 1
                );
                skipped.push(analysis_skipped(composition.name_span, &message));
                break;
            }
        }
    }
    problems.extend(skipped);
    problems.extend(lints.finish());
    problems
}

/// The number of role prompts that are checked in a book, and their bytes. The rest is reported as
/// not checked.
const MOST_PROMPTS: usize = 10_000;
const MOST_BYTES: usize = 64 << 20;

/// The remainder of both budgets.
struct Left {
    prompts: usize,
    bytes: usize,
}

impl Left {
    fn take(&mut self, prompt: &RolePrompt) {
        self.prompts = self.prompts.saturating_sub(1);
        self.bytes = self.bytes.saturating_sub(prompt.text().len());
    }

    fn is_spent(&self) -> bool {
        self.prompts == 0 || self.bytes == 0
    }
}

/// The rulespec of a lawbook and its problems; `None` if there is no such document.
///
/// A lawbook has one rulespec in force, which also judges an agent that wants to stop: the default
/// one, unless the manifest names another.
pub fn rulespec(book: &Book) -> Option<(Option<Rulespec>, Vec<Diagnostic>)> {
    rulespecs(book).find(|document| is_law(book, document)).map(|document| decode(book, document))
}

fn is_law(book: &Book, document: &Document) -> bool {
    document.path == book.manifest.hooks.stop.rulespec()
}

/// A stop hook without a rulespec. Loading has already reported a hook that names a missing one.
fn lawless_stop(book: &Book) -> Option<Diagnostic> {
    let stop = &book.manifest.hooks.stop;
    let place = book.manifest.hooks.stop_at.filter(|_| stop.rulespec.is_none())?;
    if rulespecs(book).any(|document| is_law(book, document)) {
        return None;
    }
    let message = "`hooks.stop` has no rulespec, so an agent could never stop";
    Some(
        Diagnostic::new(&NO_RULESPEC, place, message)
            .help(format!("write `{}`, or name another with `rulespec: …`", stop.rulespec())),
    )
}

/// The default rulespec, and the one that the manifest names.
fn rulespecs(book: &Book) -> impl Iterator<Item = &Document> {
    let rulespecs = book.documents.iter().filter(|document| document.part == Part::Rulespec);
    rulespecs.map(|document| &**document)
}

fn decode(book: &Book, document: &Document) -> (Option<Rulespec>, Vec<Diagnostic>) {
    let node = document.node.as_ref();
    let decode =
        |node| Rulespec::decode(node, &book.sources, &book.registry, &book.manifest.limits);
    let (rulespec, problems) = node.map(decode).unwrap_or_default();
    (rulespec.filter(|_| document.sound), problems)
}

/// Asserts that a book has exactly these problems.
#[cfg(test)]
pub(crate) fn check_source(
    source: &crate::book::MemorySource,
    nickel: Option<&Evaluated>,
    expected: &str,
) {
    let (book, problems) = crate::book::load(source, crate::book::Options::default()).unwrap();
    assert!(problems.is_empty(), "{problems:?}");
    let line = |problem: &Diagnostic| {
        let (file, place) = book.sources.locate(problem.span).unwrap();
        let (name, code) = (file.name(), problem.code.name);
        format!("{name}:{}:{} {code}: {}", place.line, place.column, problem.message)
    };
    let problems = match nickel {
        Some(nickel) => check_evaluated(&book, nickel),
        None => check(&book),
    };
    assert_eq!(problems.iter().map(line).collect::<Vec<_>>().join("\n"), expected);
}
