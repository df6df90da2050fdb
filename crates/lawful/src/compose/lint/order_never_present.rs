//! An `order` with an id that is never in the list.

use lawful_syntax::Diagnostic;

use super::{Action, Presence, Subject};

lawful_syntax::declare_codes! {
    ORDER_NEVER_PRESENT = "order-never-present", Warning, "an `order` names an id that is never in the list",
        "In no context is the id in the list when all rules have run, so the `order` never places it. An id that is in the list in some contexts only is not reported.\n\nCorrect the id, or remove it.";
}

pub(super) fn check(subject: &Subject<'_>, presence: &Presence) -> Vec<Diagnostic> {
    let composition = subject.composition;
    let own = composition.order.iter().flatten();
    let of_rules = composition.rules.iter().enumerate().filter(|(index, _)| presence.fires(*index));
    let of_rules = of_rules.flat_map(|(_, rule)| match &rule.action {
        Action::Order(ids) => ids.as_slice(),
        Action::Replace(_) | Action::Add { .. } | Action::Forbid(_) => &[],
    });
    presence.never_at_end(subject, own.chain(of_rules), (&ORDER_NEVER_PRESENT, "order"))
}

#[cfg(test)]
mod tests {
    use super::super::check;

    #[test]
    fn only_an_id_that_no_context_has_is_found() {
        check(
            "axes: {x: [1, 2]}\n",
            "base: [a, b, c]\norder: [b, e]\nrules:\n  - when: {x: 1}\n    add: [d]\n  - when: {x: 2}\n    order: [d, c]\n  - replace: {a: e}\n  - order: [a]\n",
            &[],
            "compositions/c.yaml:10:13 order-never-present: `a` is never in the list",
        );
    }
}
