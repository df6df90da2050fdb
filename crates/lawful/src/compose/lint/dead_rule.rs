//! A rule that never fires.

use lawful_syntax::Diagnostic;

use super::Subject;
use crate::cond::partition::{Caps, Domains, Partition};

lawful_syntax::declare_codes! {
    DEAD_RULE = "dead-rule", Warning, "a rule of a composition never applies",
        "No context makes its `when` true, so the rule has no effect. The analysis uses the declared axes: a rule for a tone that no context has is dead.\n\nCorrect the condition, or remove the rule.";
}

/// Reports dead rules, and drops lints that report the same about the whole condition. Returns the
/// indexes of the dead rules.
pub(super) fn check(
    subject: &Subject<'_>,
    domains: &Domains,
    found: &mut Vec<Diagnostic>,
) -> Vec<usize> {
    let mut dead = Vec::new();
    let set = subject.compositions.conditions();
    for (index, rule) in subject.composition.rules.iter().enumerate() {
        let partition = Partition::new(set, &[rule.condition], domains, Caps::default());
        if !partition.is_ok_and(|partition| partition.is_never(rule.condition)) {
            continue;
        }
        dead.push(index);
        found.retain(|problem| {
            !(problem.code.name == "never-true" && problem.span == rule.when.span)
        });
        let inside = |problem: &Diagnostic| {
            let (span, when) = (problem.span, rule.when.span);
            span.file == when.file && when.start <= span.start && span.end <= when.end
        };
        // A lint on a part has already reported the reason.
        if !found.iter().any(inside) {
            found.push(
                Diagnostic::new(
                    &DEAD_RULE,
                    rule.span,
                    format!("{} never fires", subject.composition.rule_name(index)),
                )
                .help("correct its `when`, or remove the rule"),
            );
        }
    }
    dead
}

#[cfg(test)]
mod tests {
    use super::super::check;

    #[test]
    fn a_rule_whose_condition_cannot_hold_is_dead() {
        check(
            "axes: {n: [1, 2]}\n",
            "base: [a, b, c, d]\nrules:\n  - when: {path: n, op: gt, value: 2}\n    add: [e]\n  - when: {n: 3}\n    add: [e]\n",
            &[],
            "compositions/c.yaml:4:5 dead-rule: rule 0 never fires\n\
             compositions/c.yaml:6:15 value-off-axis: the axis `n` has no value 3",
        );
    }
}
