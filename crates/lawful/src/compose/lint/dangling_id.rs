//! An unknown fragment. The warning is the same as in a trace.

use lawful_syntax::{Diagnostic, Span};

use super::{Action, Subject};
use crate::compose::FragmentId;

pub(super) fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let composition = subject.composition;
    let mut named: Vec<(FragmentId, Span)> = composition.base.clone();
    named.extend(composition.persona);
    named.extend(composition.order.iter().flatten().copied());
    for rule in &composition.rules {
        match &rule.action {
            Action::Replace(pairs) => {
                named.extend(
                    pairs.iter().flat_map(|(from, to, span)| [(*from, *span), (*to, *span)]),
                );
            }
            Action::Add { ids, after } => named.extend(ids.iter().chain(after).copied()),
            Action::Forbid(ids) | Action::Order(ids) => named.extend(ids.iter().copied()),
        }
    }
    // A duplicate in the base warns in every context.
    let mut found = subject.compositions.cascade(composition, &[], false).warnings;
    named.retain(|(id, _)| subject.compositions.fragment(*id).is_none());
    // Each id once, at its first place.
    named.sort_by_key(|(id, span)| (*id, span.start));
    named.dedup_by_key(|(id, _)| *id);
    found.extend(named.into_iter().map(|(id, span)| subject.compositions.unknown(id, span)));
    found
}

#[cfg(test)]
mod tests {
    use super::super::check;

    #[test]
    fn an_id_is_reported_once_at_its_first_place() {
        check(
            "",
            "rules:\n  - add: [e]\n    after: g\n  - forbid: [g, g]\nbase: [a, b, c, d, g]\n",
            &[],
            "compositions/c.yaml:4:12 unknown-fragment: unknown fragment `g`",
        );
    }

    #[test]
    fn every_id_is_looked_up() {
        check(
            "",
            "base: [a, b, c, d, e, nowhere]\norder: [c, g]\nrules:\n  - forbid: [f]\n",
            &[],
            "compositions/c.yaml:2:23 unknown-fragment: unknown fragment `nowhere`\n\
             compositions/c.yaml:3:12 unknown-fragment: unknown fragment `g`\n\
             compositions/c.yaml:5:14 unknown-fragment: unknown fragment `f`",
        );
    }
}
