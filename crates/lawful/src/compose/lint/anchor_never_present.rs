//! An `after` that names an id that is never in the list when the rule fires.

use lawful_syntax::Diagnostic;

use super::{Action, Presence, Subject};
use crate::cond::partition::Domains;

lawful_syntax::declare_codes! {
    ANCHOR_NEVER_PRESENT = "anchor-never-present", Warning, "an `after` names an id that is never in the list",
        "In no context in which the rule fires is the anchor in the list at that point, so the ids are always added at the default position: just before the last id.\n\nCorrect `after`, move the rule after the one that adds the anchor, or omit `after`.";
}

pub(super) fn check(
    subject: &Subject<'_>,
    domains: &Domains,
    presence: &mut Presence,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (index, rule) in subject.composition.rules.iter().enumerate() {
        let Action::Add { after: Some((anchor, span)), .. } = &rule.action else { continue };
        // An unknown fragment is reported as such.
        if subject.knows(*anchor)
            && presence.fires(index)
            && presence.at_anchor(subject, domains, index, *anchor).is_never()
        {
            let message = format!("`{}` is never in the list here", subject.name(*anchor));
            let help = "correct `after`, or add the anchor in the base list or an earlier rule";
            found.push(Diagnostic::new(&ANCHOR_NEVER_PRESENT, *span, message).help(help));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::check;

    #[test]
    fn an_anchor_must_come_before_what_it_anchors() {
        check(
            "",
            "base: [a, b, c]\nrules:\n  - when: {x: 1}\n    add: [d]\n    after: e\n  - when: {y: 1}\n    add: [e]\n    after: d\n",
            &[],
            "compositions/c.yaml:6:12 anchor-never-present: `e` is never in the list here",
        );
    }

    #[test]
    fn only_contexts_in_which_the_rule_fires_count() {
        let rules = |when: &str| {
            format!(
                "base: [a, b, c]\nrules:\n  - when: {{x: 1}}\n    add: [d]\n  - when: {when}\n    add: [e]\n    after: d\n"
            )
        };
        let axes = "axes: {x: [1, 2], y: [1, 2]}\n";
        let found = "compositions/c.yaml:8:12 anchor-never-present: `d` is never in the list here";
        check(axes, &rules("{x: 2}"), &[], found);
        check(axes, &rules("{y: 2}"), &[], "");
        check(axes, &rules("{x: 1}"), &[], "");
    }

    #[test]
    fn a_rule_that_never_fires_says_nothing_of_its_anchor() {
        check(
            "axes: {x: [1, 2]}\n",
            "base: [a, b, c, d]\nrules:\n  - when: {path: x, op: gt, value: 2}\n    add: [e]\n    after: e\n",
            &[],
            "compositions/c.yaml:4:5 dead-rule: rule 0 never fires",
        );
    }

    #[test]
    fn an_anchor_that_was_replaced_is_gone() {
        check(
            "axes: {x: [1, 2]}\n",
            "base: [a, b, c]\nrules:\n  - when: {x: 1}\n    replace: {a: d}\n  - when: {x: 1}\n    add: [e]\n    after: a\n",
            &[],
            "compositions/c.yaml:8:12 anchor-never-present: `a` is never in the list here",
        );
    }
}
