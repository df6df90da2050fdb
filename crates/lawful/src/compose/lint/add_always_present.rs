//! An `add` of an id that is always in the list.

use lawful_syntax::Diagnostic;

use super::{Action, Presence, Subject};

lawful_syntax::declare_codes! {
    ADD_ALWAYS_PRESENT = "add-always-present", Warning, "an `add` names an id that is always in the list",
        "In every context in which the rule fires, the id is in the list already, so it stays where it is. The `add` has no effect on it.\n\nRemove the id from the `add`, or from the base list. To move it, use `order`.";
}

pub(super) fn check(subject: &Subject<'_>, presence: &Presence) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (index, rule) in subject.composition.rules.iter().enumerate() {
        let Action::Add { ids, .. } = &rule.action else { continue };
        for (id, span) in ids {
            if subject.knows(*id) && presence.before(index, *id).is_always() {
                let message = format!("`{}` is always in the list here already", subject.name(*id));
                found.push(
                    Diagnostic::new(&ADD_ALWAYS_PRESENT, *span, message)
                        .help("remove it here or from the base list; to move it, use `order`"),
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
    fn an_id_that_is_always_there_is_found() {
        let rules = |base: &str, second: &str| {
            format!(
                "base: [{base}]\nrules:\n  - when: {{x: 1}}\n    add: [e]\n  - when: {second}\n    add: [e]\n"
            )
        };
        let dead = |line: usize| {
            format!(
                "compositions/c.yaml:{line}:11 add-always-present: `e` is always in the list here already"
            )
        };
        check("", &rules("a, b, c, d, e", "{y: 1}"), &[], &format!("{}\n{}", dead(5), dead(7)));
        check("", &rules("a, b, c, d", "{x: 1, y: 1}"), &[], &dead(7));
        check("axes: {x: [1, 2]}\n", &rules("a, b, c, d", "{x: 2}"), &[], "");
        check("", &rules("a, b, c, d", "{y: 1}"), &[], "");
    }
}
