//! An id that is forbidden wherever it is added.

use lawful_syntax::{Diagnostic, Span};

use super::{Action, Subject};
use crate::compose::FragmentId;

lawful_syntax::declare_codes! {
    ALWAYS_FORBIDDEN = "always-forbidden", Warning, "an id is forbidden wherever it is added",
        "`forbid` overrides every `add`. In every context in which a rule adds this id, another rule forbids it, so the `add` has no effect.\n\nCorrect one of the two conditions, or remove the `add`.";
}

pub(super) fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let Some(matrix) = &subject.matrix else { return Vec::new() };
    let places = |id| -> Vec<Span> {
        let of_rule = |action: &Action| match action {
            Action::Add { ids, .. } => {
                ids.iter().find(|(known, _)| *known == id).map(|(_, span)| *span)
            }
            Action::Replace(_) | Action::Forbid(_) | Action::Order(_) => None,
        };
        subject.composition.rules.iter().filter_map(|rule| of_rule(&rule.action)).collect()
    };
    let report = |(id, span)| {
        let message = format!("`{}` is forbidden wherever it is added", subject.name(id));
        Diagnostic::new(&ALWAYS_FORBIDDEN, span, message)
            .help("correct one of the two conditions, or remove the `add`")
    };
    // An unknown fragment is reported as such.
    let is_known = |id: &&FragmentId| subject.compositions.fragment(**id).is_some();
    let ids = matrix.always_forbidden.iter().filter(is_known);
    ids.flat_map(|id| places(*id).into_iter().map(move |span| (*id, span))).map(report).collect()
}

#[cfg(test)]
mod tests {
    use super::super::check;

    #[test]
    fn a_forbid_that_covers_every_add_is_found() {
        let rules = |forbid: &str| {
            format!(
                "base: [a, b, c, d]\nrules:\n  - when: {{n: 1}}\n    add: [e]\n  - when: {forbid}\n    forbid: [e]\n"
            )
        };
        let axes = "axes: {n: [1, 2, 3]}\n";
        check(
            axes,
            &rules("{path: n, op: lt, value: 3}"),
            &[],
            "compositions/c.yaml:5:11 always-forbidden: `e` is forbidden wherever it is added",
        );
        check(axes, &rules("{n: 2}"), &[], "");
    }
}
