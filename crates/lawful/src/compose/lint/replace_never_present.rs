//! A `replace` of an id that is never in the list.

use lawful_syntax::Diagnostic;

use super::{Action, Presence, Subject};

lawful_syntax::declare_codes! {
    REPLACE_NEVER_PRESENT = "replace-never-present", Warning, "a `replace` names an id that is never in the list",
        "In no context in which the rule fires is the id in the list: neither the base list nor an earlier rule adds it, or another rule always replaces it first. The pair has no effect.\n\nCorrect the id, move the rule, or remove the pair.";
}

pub(super) fn check(subject: &Subject<'_>, presence: &Presence) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (index, rule) in subject.composition.rules.iter().enumerate() {
        let Action::Replace(pairs) = &rule.action else { continue };
        for (from, _, span) in pairs {
            if subject.knows(*from) && presence.before(index, *from).is_never() {
                let message = format!("`{}` is never in the list here", subject.name(*from));
                found.push(
                    Diagnostic::new(&REPLACE_NEVER_PRESENT, *span, message)
                        .help("correct the id, move the rule, or remove the pair"),
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
    fn a_source_that_another_rule_always_takes_is_found() {
        let rules = |first: &str, second: &str| {
            format!(
                "base: [a, c, d]\nrules:\n  - when: {first}\n    replace: {{a: b}}\n  - when: {second}\n    replace: {{a: e}}\n"
            )
        };
        let dead = "compositions/c.yaml:7:15 replace-never-present: `a` is never in the list here";
        check("", &rules("{x: 1}", "{x: 1, y: 1}"), &[], dead);
        check("axes: {x: [1, 2]}\n", &rules("{x: 1}", "{x: 2}"), &[], "");
        check("", &rules("{x: 1}", "{y: 1}"), &[], "");
        // A context may lack `x`.
        let either = "{path: x, op: any_of, value: [1, 2]}";
        check("axes: {x: [1, 2]}\n", &rules(either, "{}"), &[], "");
    }
}
