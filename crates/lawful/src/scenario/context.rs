//! Checks the contexts that scenarios write.
//!
//! A host may pass one context to several lawbooks, so a key that this one does not know is only a
//! warning there. A scenario is written for its own lawbook: such a key is misspelled, and what the
//! step expects would hold by accident. It is an error, unless the scenario expects the warning.

use std::collections::BTreeSet;

use lawful_syntax::{Diagnostic, Node, Severity};

use crate::book::Book;
use crate::compose::{ContextKeys, key_place, replaced_by_session};
use crate::react::Rules;

/// A context that a scenario writes.
#[derive(Clone, Debug)]
pub(super) struct WrittenContext {
    node: Node,
    /// The codes of the diagnostics that are expected of it.
    expected: BTreeSet<Box<str>>,
}

/// The contexts of a scenario: that of `given`, and those of its steps.
pub(super) fn written_contexts(scenario: &Node) -> Vec<WrittenContext> {
    let steps = scenario.get("steps").and_then(Node::as_list).unwrap_or_default();
    let mut all: BTreeSet<Box<str>> = BTreeSet::new();
    let mut found = Vec::new();
    for step in steps {
        let expected = expected_codes(step);
        all.extend(expected.iter().cloned());
        if let Some(node) = step.get("compose").and_then(|compose| compose.get("context")) {
            found.push(WrittenContext { node: node.clone(), expected });
        }
    }
    if let Some(node) = scenario.get("given").and_then(|given| given.get("context")) {
        found.push(WrittenContext { node: node.clone(), expected: all });
    }
    found
}

/// The errors in a context.
pub(super) fn check_context(
    written: &WrittenContext,
    keys: &ContextKeys,
    book: &Book,
    rules: &Rules,
) -> Vec<Diagnostic> {
    let mut problems = keys.check_written(&written.node, book);
    for (key, _) in rules.context(&rules.start()).iter() {
        if written.node.get(key).is_some() {
            let span = key_place(&written.node, key);
            let help = "remove it; to set a variable, write it under `given.state`".to_owned();
            let help = Some(help);
            problems.push(Diagnostic { span, help, ..replaced_by_session(key) });
        }
    }
    problems.retain(|problem| !written.expected.contains(problem.code.name));
    for problem in &mut problems {
        problem.severity = Severity::Error;
    }
    problems
}

/// The codes that a step expects.
fn expected_codes(step: &Node) -> BTreeSet<Box<str>> {
    let listed = step.get("expect").and_then(|expect| expect.get("diagnostics"));
    let listed = listed.map(|listed| listed.get("exactly").unwrap_or(listed));
    let codes = listed.and_then(Node::as_list).unwrap_or_default();
    codes.iter().filter_map(|code| code.as_text().map(Box::from)).collect()
}
