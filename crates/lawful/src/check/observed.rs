//! What a rulespec reads under `observed`, against what can be observed there.
//!
//! A selector that nothing can ever fill would leave its predicates undecided for ever, so it is an
//! error before anything is judged.

use std::collections::BTreeSet;

use lawful_syntax::{Diagnostic, Node, Span, did_you_mean, escape};

use crate::book::{Manifest, Observable, unknown_command};
use crate::path::Path;
use crate::verify::{Asked, Key, NOT_ASKED_FOR, Rulespec, UNKNOWN_OBSERVED};

/// Everything that a rulespec reads and that cannot be observed. `is_law` says that an agent is held to it
/// when it stops.
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
    // A `when` may also read through saved conditions and primitives, which have paths of their own.
    for predicate in rulespec.map_or(&[][..], |rulespec| &rulespec.predicates) {
        let read = rulespec.map(|rulespec| rulespec.keys_of_when(predicate)).unwrap_or_default();
        for key in read.into_iter().filter(|key| !known.contains(key)) {
            let found = problem(&key, predicate.span, manifest, is_law);
            problems.extend(found.map(|problem| problem.note("its `when` reads this")));
        }
    }
    problems
}

/// The selectors of claims and relations that have a key, with their places.
fn selectors(node: &Node) -> Vec<(Key, Span)> {
    let mut found = Vec::new();
    for (list, field) in [("claims", "selector"), ("relations", "from")] {
        let items = node.get(list).and_then(Node::as_list).unwrap_or_default();
        for selector in items.iter().filter_map(|item| item.get(field)) {
            // One that is no path was reported by decoding.
            let path = selector.as_text().and_then(|text| Path::parse(text).ok());
            found.extend(path.and_then(|path| Key::of(&path)).map(|key| (key, selector.span)));
        }
    }
    found
}

fn problem(key: &Key, span: Span, manifest: &Manifest, is_law: bool) -> Option<Diagnostic> {
    let declared = manifest.observed.iter().map(|name| &**name);
    let names: Vec<&str> = Observable::KEYS.iter().map(|(name, _)| *name).chain(declared).collect();
    let unknown = |message: String, help: String| {
        Some(Diagnostic::new(&UNKNOWN_OBSERVED, span, message).help(help))
    };
    let kind = match key.asked() {
        Asked::Other(name) if names.contains(&name) => return None,
        Asked::Other(name) => {
            let meant = did_you_mean("key", name, names.iter().copied());
            let help = format!(
                "{meant} (a host's own is declared in the manifest: `observed: [{}]`)",
                escape::name(name)
            );
            return unknown(format!("nothing observes `{key}`"), help);
        }
        Asked::Nothing => {
            let help = did_you_mean("key", "", names.iter().copied());
            return unknown(format!("`{key}` names nothing that is observed"), help);
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
    let message = format!("`hooks.stop.observe` does not ask for `{key}`");
    Some(
        Diagnostic::new(&NOT_ASKED_FOR, span, message)
            .label(place, "this is what is asked for")
            .help(format!("add `{add}` there, or take the selector out")),
    )
}

#[cfg(test)]
mod tests;
