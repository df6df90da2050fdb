//! Compares what a rulespec reads under `observed` with what can be observed.
//!
//! A selector without an observation would leave its predicates undecided forever, so it is an
//! error.

use std::collections::BTreeSet;

use lawful_syntax::{Diagnostic, Node, Span, did_you_mean, escape};

use crate::book::{Manifest, Observable, unknown_command};
use crate::path::Path;
use crate::verify::{Asked, Key, NOT_ASKED_FOR, Rulespec, UNKNOWN_OBSERVED};

/// All selectors of a rulespec that cannot be observed. `is_law` says whether the stop hook judges
/// by this rulespec.
pub(super) fn check(
    node: &Node,
    rulespec: Option<&Rulespec>,
    manifest: &Manifest,
    is_law: bool,
) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    let mut known: BTreeSet<Key> = BTreeSet::new();
    for (key, span) in selectors(node) {
        problems.extend(problem(&key, span, manifest, is_law));
        known.insert(key);
    }
    // A `when` may also read paths through saved conditions and primitives.
    for predicate in rulespec.map_or(&[][..], |rulespec| &rulespec.predicates) {
        let read = rulespec.map(|rulespec| rulespec.keys_of_when(predicate)).unwrap_or_default();
        for key in read.into_iter().filter(|key| !known.contains(key)) {
            let found = problem(&key, predicate.span, manifest, is_law);
            problems.extend(found.map(|problem| problem.note("its `when` reads this")));
        }
    }
    problems
}

/// The keys of claims and relations that start with `observed`, with the places that name them.
fn selectors(node: &Node) -> Vec<(Key, Span)> {
    let mut found = Vec::new();
    let items = |list: &str| node.get(list).and_then(Node::as_list).unwrap_or_default();
    for selector in items("claims").iter().filter_map(|item| item.get("selector")) {
        found
            .extend(path(selector).and_then(|path| Key::of(&path)).map(|key| (key, selector.span)));
    }
    for relation in items("relations") {
        let Some(from) = relation.get("from") else { continue };
        let Some(start) = path(from) else { continue };
        let columns = relation.get("columns").and_then(Node::as_list).unwrap_or_default();
        let key = Key::of(&start);
        let longer: Vec<(Key, Span)> = columns
            .iter()
            .filter_map(|column| Some((Key::of_column(&start, Some(&path(column)?))?, column.span)))
            .filter(|(longer, _)| Some(longer) != key.as_ref())
            .collect();
        // If every column names a key of its own, `from` is only the start of them.
        if columns.is_empty() || longer.len() < columns.len() {
            found.extend(key.map(|key| (key, from.span)));
        }
        found.extend(longer);
    }
    found
}

/// A written path. Decoding has already reported an invalid one.
fn path(node: &Node) -> Option<Path> {
    node.as_text().and_then(|text| Path::parse(text).ok())
}

fn problem(key: &Key, span: Span, manifest: &Manifest, is_law: bool) -> Option<Diagnostic> {
    let declared = manifest.observed.iter().map(|name| &**name);
    let names: Vec<&str> = Observable::KEYS.iter().map(|(name, _)| *name).chain(declared).collect();
    let unknown = |message: String, help: String| {
        Some(Diagnostic::new(&UNKNOWN_OBSERVED, span, message).help(help))
    };
    let kind = match key.asked() {
        Asked::Other(name) if names.contains(&name) => {
            let place = manifest.hooks.stop_at.filter(|_| is_law)?;
            let message = format!("the stop hook does not observe the declared key `{key}`");
            let help = "judge it with `lawful verify --observed FILE` and another rulespec, or \
                        remove the selector";
            return Some(
                Diagnostic::new(&NOT_ASKED_FOR, span, message)
                    .label(place, "this hook judges by the rulespec")
                    .help(help),
            );
        }
        Asked::Other(name) => {
            let meant = did_you_mean("key", name, names.iter().copied());
            let help = format!(
                "{meant} (to observe a key in your own host, declare it in the manifest: `observed: [{}]`)",
                escape::name(name)
            );
            return unknown(format!("nothing observes `{key}`"), help);
        }
        Asked::Nothing => {
            let help = did_you_mean("key", "", names.iter().copied());
            return unknown(format!("`{key}` does not name an observation"), help);
        }
        Asked::Command(name) => {
            let commands: Vec<&str> = manifest.observe.iter().map(|one| &*one.name).collect();
            if !commands.contains(&name) {
                return Some(unknown_command(name, span, &commands));
            }
            Observable::Run
        }
        Asked::BuiltIn(_, kind) => kind,
    };
    let place = manifest.hooks.observe_at.filter(|_| is_law)?;
    let wanted = &manifest.hooks.stop.observe;
    let asked = match key.asked() {
        Asked::Command(name) => {
            wanted.run.as_ref().is_some_and(|names| names.iter().any(|known| known == name))
        }
        Asked::BuiltIn(..) | Asked::Other(_) | Asked::Nothing => wanted.asks_for(kind),
    };
    if asked {
        return None;
    }
    let add = match (kind, key.asked()) {
        (Observable::Git, _) => "git: BASE".to_owned(),
        (Observable::Run, Asked::Command(name)) => format!("run: [{}]", escape::name(name)),
        (Observable::Files | Observable::Junit | Observable::Run, _) => {
            format!("{}: […]", kind.name())
        }
    };
    let message = format!("`hooks.stop.observe` does not observe `{key}`");
    Some(
        Diagnostic::new(&NOT_ASKED_FOR, span, message)
            .label(place, "observed here")
            .help(format!("add `{add}` there, or remove the selector")),
    )
}

#[cfg(test)]
mod tests;
