//! The same condition twice under one `all` or `any`.

use lawful_syntax::{Diagnostic, Span};

use super::Part;
use crate::value::Value;

lawful_syntax::declare_codes! {
    DUPLICATE_CHILD = "duplicate-child", Warning, "an `all` or `any` contains the same condition twice",
        "The second one has no effect. A different condition was probably intended.\n\nRemove it, or correct it.";
}

/// The children that repeat an earlier one, by index.
pub(super) fn check(part: &Part<'_>) -> Vec<(usize, Diagnostic)> {
    let mut seen: Vec<(Value, Span)> = Vec::new();
    let mut found = Vec::new();
    for (at, child) in part.children.iter().enumerate() {
        // The stored form does not depend on the spelling, and compares numbers by value.
        let stored = child.condition.to_value();
        match seen.iter().find(|(known, _)| *known == stored) {
            None => seen.push((stored, child.condition.span)),
            Some((_, first)) => found.push((
                at,
                Diagnostic::new(&DUPLICATE_CHILD, child.condition.span, "duplicate condition")
                    .label(*first, "first here")
                    .help("remove it, or correct it"),
            )),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::check;

    #[test]
    fn a_repetition_is_found_in_every_spelling() {
        check("any: [{a: 1}, {b: 1}, {a: 1}]", "1:23 duplicate-child: duplicate condition");
        check(
            "all:\n  - {path: a, op: eq, value: x}\n  - {type: ref, id: value.equals, args: {value: x, path: a}}\n",
            "3:5 duplicate-child: duplicate condition",
        );
        check("all: [{not: {a: 1}}, {not: {a: 1}}]", "1:22 duplicate-child: duplicate condition");
        check("all: [{n: 1}, {n: 1.0}]", "1:15 duplicate-child: duplicate condition");
        check(
            "any: [{a: 1}, {a: 1}, {b: 1}, {b: 1}]",
            "1:15 duplicate-child: duplicate condition\n1:31 duplicate-child: duplicate condition",
        );
        check("all: [{a: 1}, {b: 1}]", "");
    }
}
