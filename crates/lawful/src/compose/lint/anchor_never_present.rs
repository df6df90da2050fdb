//! An `after` that names an id that is never in the list.

use lawful_syntax::Diagnostic;

use super::{Action, Subject};

lawful_syntax::declare_codes! {
    ANCHOR_NEVER_PRESENT = "anchor-never-present", Warning, "an `after` names an id that is never in the list",
        "Neither the base list nor an earlier rule adds the anchor, so the ids are always added at the default position: just before the last id.\n\nCorrect `after`, move the rule after the one that adds the anchor, or omit `after`.";
}

pub(super) fn check(subject: &Subject<'_>) -> Vec<Diagnostic> {
    let mut possible: Vec<_> = subject.composition.base.iter().map(|(id, _)| *id).collect();
    let mut found = Vec::new();
    for rule in &subject.composition.rules {
        if let Action::Add { after: Some((anchor, span)), .. } = &rule.action
            && !possible.contains(anchor)
            // An unknown fragment is reported as such.
            && subject.compositions.fragment(*anchor).is_some()
        {
            let message = format!("`{}` is never in the list here", subject.name(*anchor));
            found
                .push(Diagnostic::new(&ANCHOR_NEVER_PRESENT, *span, message).help(
                    "correct `after`, or add the anchor in the base list or an earlier rule",
                ));
        }
        possible.extend(rule.action.brings());
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
}
