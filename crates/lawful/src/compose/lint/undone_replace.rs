//! Two replaces that undo each other.

use lawful_syntax::Diagnostic;

use super::{Action, Subject};
use crate::cond::Outcome;
use crate::cond::partition::{Caps, Domains, Partition};

lawful_syntax::declare_codes! {
    UNDONE_REPLACE = "undone-replace", Warning, "a `replace` undoes an earlier one",
        "One rule replaces `a` with `b`, and a later rule that can apply in the same context replaces `b` with `a`. In such a context neither has an effect.\n\nMake their conditions mutually exclusive, or remove one.";
}

pub(super) fn check(subject: &Subject<'_>, domains: &Domains) -> Vec<Diagnostic> {
    let rules = &subject.composition.rules;
    let mut found = Vec::new();
    for (at, later) in rules.iter().enumerate() {
        let Action::Replace(back) = &later.action else { continue };
        for earlier in rules.iter().take(at) {
            let Action::Replace(forth) = &earlier.action else { continue };
            let undone = back.iter().find(|(from, to, _)| {
                forth.iter().any(|(old, new, _)| old == to && new == from && from != to)
            });
            let Some((from, to, span)) = undone else { continue };
            let both = [earlier.condition, later.condition];
            let set = subject.compositions.conditions();
            let together = Partition::new(set, &both, domains, Caps::default())
                .and_then(|partition| partition.outcomes(&both))
                .is_ok_and(|classes| {
                    classes.iter().any(|class| class.outcomes == [Outcome::True, Outcome::True])
                });
            if together {
                let (from, to) = (subject.name(*from), subject.name(*to));
                let message = format!("this replaces `{from}` with `{to}` again");
                found.push(
                    Diagnostic::new(&UNDONE_REPLACE, *span, message)
                        .label(earlier.span, "the `replace` that it undoes")
                        .help("make their conditions mutually exclusive, or remove one"),
                );
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::check;

    #[test]
    fn only_rules_that_can_fire_together_undo_each_other() {
        let rules = |second: &str| {
            format!(
                "base: [a, c, d, e]\nrules:\n  - when: {{x: 1}}\n    replace: {{a: b}}\n  - when: {second}\n    replace: {{b: a}}\n"
            )
        };
        check(
            "",
            &rules("{y: 1}"),
            &[],
            "compositions/c.yaml:7:15 undone-replace: this replaces `b` with `a` again",
        );
        // Mutually exclusive, so the second has nothing to replace.
        check(
            "",
            &rules("{x: 2}"),
            &[],
            "compositions/c.yaml:7:15 replace-never-present: `b` is never in the list here",
        );
    }
}
