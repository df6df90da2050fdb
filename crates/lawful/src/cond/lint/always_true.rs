//! A condition that every context satisfies.

use lawful_syntax::Diagnostic;

use super::{Part, Partition};
use crate::cond::ConditionKind;

lawful_syntax::declare_codes! {
    ALWAYS_TRUE = "always-true", Warning, "a condition is always true",
        "Every context makes the condition true, so it decides nothing. Examples: a value that exists or does not exist, a number that is at least 3 or is not.\n\nFor a rule that always applies, omit `when`.";
}

pub(super) fn check(part: &Part<'_>, partition: &Partition<'_>) -> Option<Diagnostic> {
    let meant = match &part.condition.kind {
        ConditionKind::Always => true,
        ConditionKind::All(rules) => rules.is_empty(),
        ConditionKind::Any(_) | ConditionKind::Not(_) | ConditionKind::Ref(_) => false,
        ConditionKind::Broken => true,
    };
    let always = !meant && partition.is_always(part.id);
    always.then(|| {
        Diagnostic::new(&ALWAYS_TRUE, part.condition.span, "this condition is always true")
            .help("correct or remove it; it decides nothing")
    })
}

#[cfg(test)]
mod tests {
    use super::super::check;

    #[test]
    fn a_tautology_is_found() {
        check(
            "any: [{path: n, op: exists}, {path: n, op: not_exists}]",
            "1:1 always-true: this condition is always true",
        );
        check(
            "{path: a, op: none_of, value: []}",
            "1:1 always-true: this condition is always true",
        );
        check(
            "all:\n  - {a: 1}\n  - not: {all: [{path: n, op: gte, value: 3}, {path: n, op: lt, value: 3}]}\n",
            "3:10 never-true: this condition is never true",
        );
    }

    #[test]
    fn what_is_meant_to_hold_is_left_alone() {
        check("{}", "");
        check("all: []", "");
        check("{path: health, op: gte, value: 0}", "");
    }
}
