//! A branch that another one makes redundant.

use lawful_syntax::Diagnostic;

use super::{Part, Partition, Skipped};
use crate::cond::ConditionKind;

lawful_syntax::declare_codes! {
    USELESS_BRANCH = "useless-branch", Warning, "a branch is redundant",
        "In an `all`, a condition is redundant if another one implies it: `n > 3` next to `n > 5`. In an `any`, a condition is redundant if it implies another one: `n > 5` next to `n > 3`.\n\nRemove it, or correct the one that is wrong.";
}

/// `left_out` has the children that a more severe lint reported already.
pub(super) fn check(
    part: &Part<'_>,
    partition: &mut Partition<'_>,
    left_out: &dyn Fn(usize) -> bool,
) -> Result<Vec<Diagnostic>, Skipped> {
    let all = matches!(part.condition.kind, ConditionKind::All(_));
    let mut useless: Vec<usize> = Vec::new();
    let mut found = Vec::new();
    for (at, child) in part.children.iter().enumerate() {
        for (other_at, other) in part.children.iter().enumerate() {
            let out = |at: usize| left_out(at) || useless.contains(&at);
            if at == other_at || out(at) || out(other_at) {
                continue;
            }
            let (from, to) = if all { (other.id, child.id) } else { (child.id, other.id) };
            // Of two equal branches, the later one is redundant.
            if partition.surely_implies(from, to)?
                && (other_at < at || !partition.surely_implies(to, from)?)
            {
                useless.push(at);
                let message = if all {
                    "this branch of the `all` is redundant: another one implies it"
                } else {
                    "this branch of the `any` is redundant: it implies another one"
                };
                found.push(
                    Diagnostic::new(&USELESS_BRANCH, child.condition.span, message)
                        .label(other.condition.span, "the other one")
                        .help("remove it, or correct the one that is wrong"),
                );
                break;
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::super::check;

    const ALL: &str = "this branch of the `all` is redundant: another one implies it";
    const ANY: &str = "this branch of the `any` is redundant: it implies another one";

    #[test]
    fn the_weaker_of_an_all_is_useless() {
        check(
            "all: [{path: n, op: gt, value: 3}, {path: n, op: gt, value: 5}]",
            &format!("1:7 useless-branch: {ALL}"),
        );
        check("all: [{a: 1}, {path: a, op: exists}]", &format!("1:15 useless-branch: {ALL}"));
        check(
            "all: [{path: s, op: starts_with, value: ab}, {path: s, op: contains, value: a}]",
            &format!("1:46 useless-branch: {ALL}"),
        );
    }

    #[test]
    fn the_stronger_of_an_any_is_useless() {
        check(
            "any: [{path: n, op: gt, value: 3}, {path: n, op: gt, value: 5}]",
            &format!("1:36 useless-branch: {ANY}"),
        );
        check(
            "any: [{tone: terse}, {path: tone, op: any_of, value: [warm, terse]}]",
            &format!("1:7 useless-branch: {ANY}"),
        );
    }

    #[test]
    fn of_two_equal_ones_the_later_is_useless() {
        check(
            "all: [{path: a, op: any_of, value: [1, 2]}, {any: [{a: 1}, {a: 2}]}]",
            &format!("1:45 useless-branch: {ALL}"),
        );
    }

    #[test]
    fn what_is_independent_is_left_alone() {
        check("all: [{path: n, op: gt, value: 3}, {path: m, op: gt, value: 5}]", "");
        check("any: [{path: n, op: gt, value: 3}, {path: n, op: lt, value: 2}]", "");
    }
}
