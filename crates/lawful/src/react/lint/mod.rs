//! Lints on rules. Each is one file with its documentation, message and test.

mod needless_cooldown;
mod not_manual;
mod one_shot_directive;
pub(crate) mod placeholder;
mod rule_cycle;
mod same_wave_race;
mod unknown_id;
mod unknown_variable;
mod unreachable_threshold;
mod untriggered_rule;
mod variable_type;

use lawful_syntax::{Code, Diagnostic};

pub(crate) use self::unknown_variable::KnownVariables;
use super::rules::Rules;
use crate::book::Book;
use crate::cond::lint_all;
use crate::cond::partition::{Caps, Domains};

/// The codes of all lints.
pub(crate) fn codes() -> impl Iterator<Item = &'static Code> {
    let tables = [
        needless_cooldown::ALL,
        not_manual::ALL,
        one_shot_directive::ALL,
        placeholder::ALL,
        rule_cycle::ALL,
        same_wave_race::ALL,
        unknown_id::ALL,
        unknown_variable::ALL,
        unreachable_threshold::ALL,
        untriggered_rule::ALL,
        variable_type::ALL,
    ];
    tables.into_iter().flatten().copied()
}

/// Runs every lint on the rules and reactions of a lawbook.
pub(crate) fn lint(book: &Book, rules: &Rules) -> Vec<Diagnostic> {
    let domains = Domains::of_variables(&book.manifest);
    let whens = rules.all().map(|(_, rule)| &rule.when);
    let mut problems = lint_all(whens, &book.registry, &domains, Caps::default());
    problems.extend(needless_cooldown::check(rules));
    problems.extend(not_manual::check(rules));
    problems.extend(one_shot_directive::check(rules));
    problems.extend(placeholder::check(rules));
    problems.extend(rule_cycle::check(rules));
    problems.extend(same_wave_race::check(rules, &book.registry, &domains));
    problems.extend(unknown_id::check(rules));
    problems.extend(unknown_variable::check(rules, &book.registry));
    problems.extend(unreachable_threshold::check(rules));
    problems.extend(untriggered_rule::check(rules));
    problems.extend(variable_type::check(rules));
    problems
}

/// Checks a lawbook with this manifest, these rules, and one entry `lore`.
#[cfg(test)]
fn check(manifest: &str, rules: &str, expected: &str) {
    let source = crate::book::MemorySource::new()
        .with("lawful.yaml", format!("name: test\n{manifest}"))
        .with("entries/lore.md", "---\nid: lore\n---\nLore.\n")
        .with("rules/r.yaml", rules);
    crate::check::check_source(&source, None, expected);
}
