//! A condition that no context satisfies.

use lawful_syntax::Diagnostic;

use super::{Part, Partition};
use crate::cond::ConditionKind;

lawful_syntax::declare_codes! {
    NEVER_TRUE = "never-true", Warning, "a condition is never true",
        "No context makes the condition true. Examples: a number above 5 and below 3, a string with two different prefixes, a test inside a value that is compared with a string. A rule with this condition never applies.\n\nThe analysis uses the declared axes and variables: a number that is at most 100 is never above 200.";
}

pub(super) fn check(part: &Part<'_>, partition: &Partition<'_>) -> Option<Diagnostic> {
    let empty = matches!(&part.condition.kind, ConditionKind::Any(rules) if rules.is_empty());
    let never = !empty && partition.is_never(part.id);
    never.then(|| {
        Diagnostic::new(&NEVER_TRUE, part.condition.span, "this condition is never true")
            .help("correct or remove it; a rule with this condition never applies")
    })
}

#[cfg(test)]
mod tests {
    use super::super::check;

    #[test]
    fn a_contradiction_is_found_at_its_smallest_part() {
        check(
            "any:\n  - all: [{path: n, op: gt, value: 5}, {path: n, op: lt, value: 3}]\n  - {a: 1}\n",
            "2:5 never-true: this condition is never true",
        );
        check("{path: a, op: any_of, value: []}", "1:1 never-true: this condition is never true");
        check("{path: health, op: gt, value: 100}", "1:1 never-true: this condition is never true");
        check("{path: health, op: gte, value: 100}", "");
        check(
            "all: [{path: s, op: starts_with, value: a}, {path: s.x, op: exists}]",
            "1:1 never-true: this condition is never true",
        );
    }

    #[test]
    fn what_can_be_is_left_alone() {
        check("all: [{path: n, op: gt, value: 3}, {path: n, op: lt, value: 5}]", "");
        check("all: [{path: s, op: matches, value: a}, {path: s, op: matches, value: b}]", "");
        check("all: [{path: 'n[*]', op: gt, value: 5}, {path: 'n[*]', op: lt, value: 3}]", "");
        check("any: []", "");
    }
}
