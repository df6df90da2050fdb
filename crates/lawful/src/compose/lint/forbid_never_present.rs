//! A `forbid` of an id that is never in the list.

use lawful_syntax::Diagnostic;

use super::{Action, Presence, Subject};

lawful_syntax::declare_codes! {
    FORBID_NEVER_PRESENT = "forbid-never-present", Warning, "a `forbid` names an id that is never in the list",
        "In no context is the id in the list when all rules have run, so there is nothing to keep out. An id that is in the list in some contexts only is not reported, because a guard may have nothing to do.\n\nCorrect the id, or remove it.";
}

pub(super) fn check(subject: &Subject<'_>, presence: &Presence) -> Vec<Diagnostic> {
    let rules = subject.composition.rules.iter().enumerate();
    let forbidden = rules.filter(|(index, _)| presence.fires(*index)).flat_map(|(_, rule)| {
        match &rule.action {
            Action::Forbid(ids) => ids.as_slice(),
            Action::Replace(_) | Action::Add { .. } | Action::Order(_) => &[],
        }
    });
    presence.never_at_end(subject, forbidden, (&FORBID_NEVER_PRESENT, "forbid"))
}

#[cfg(test)]
mod tests {
    use super::super::check;

    #[test]
    fn only_an_id_that_no_context_has_is_found() {
        check(
            "axes: {x: [1, 2]}\n",
            "base: [a, b, c]\nrules:\n  - when: {x: 1}\n    add: [d]\n  - when: {x: 2}\n    forbid: [d]\n  - replace: {a: e}\n  - when: {x: 1}\n    forbid: [a]\n",
            &[],
            "compositions/c.yaml:10:14 forbid-never-present: `a` is never in the list",
        );
    }
}
