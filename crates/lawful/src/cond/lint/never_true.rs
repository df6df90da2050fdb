//! A condition that no context satisfies.

use lawful_syntax::Diagnostic;

use super::{Part, Partition};
use crate::cond::ConditionKind;

lawful_syntax::declare_codes! {
    NEVER_TRUE = "never-true", Warning, "a condition can never hold",
        "No context makes the condition true, whatever its values: a number above 5 and below 3, a string that starts in two ways, a test of what is inside a value that is compared with a string. What it guards never happens.\n\nThe declared axes and variables count: a number that is at most 100 is never above 200.";
}

pub(super) fn check(part: &Part<'_>, partition: &Partition<'_>) -> Option<Diagnostic> {
    let empty = matches!(&part.condition.kind, ConditionKind::Any(rules) if rules.is_empty());
    let never = !empty && partition.is_never(part.id);
    never.then(|| {
        Diagnostic::new(&NEVER_TRUE, part.condition.span, "this can never be true")
            .help("what it guards never happens: correct it, or take it out")
    })
}

#[cfg(test)]
mod tests {
    use super::super::check;

    #[test]
    fn a_contradiction_is_found_at_its_smallest_part() {
        check(
            "any:\n  - all: [{path: n, op: gt, value: 5}, {path: n, op: lt, value: 3}]\n  - {a: 1}\n",
            "2:5 never-true: this can never be true",
        );
        check("{path: a, op: any_of, value: []}", "1:1 never-true: this can never be true");
        check("{path: health, op: gt, value: 100}", "1:1 never-true: this can never be true");
        check("{path: health, op: gte, value: 100}", "");
        check(
            "all: [{path: s, op: starts_with, value: a}, {path: s.x, op: exists}]",
            "1:1 never-true: this can never be true",
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
