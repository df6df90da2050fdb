//! The same condition twice under one `all` or `any`.

use lawful_syntax::{Diagnostic, Span};

use super::Part;
use crate::value::Value;

lawful_syntax::declare_codes! {
    DUPLICATE_CHILD = "duplicate-child", Warning, "an `all` or `any` has the same condition twice",
        "The second one changes nothing. It was probably meant to be another.\n\nRemove it, or correct it.";
}

/// The children that repeat an earlier one, by their position.
pub(super) fn check(part: &Part<'_>) -> Vec<(usize, Diagnostic)> {
    let mut seen: Vec<(Value, Span)> = Vec::new();
    let mut found = Vec::new();
    for (at, child) in part.children.iter().enumerate() {
        // The stored form is the same however it was written, and compares numbers by value.
        let stored = child.condition.to_value();
        match seen.iter().find(|(known, _)| *known == stored) {
            None => seen.push((stored, child.condition.span)),
            Some((_, first)) => found.push((
                at,
                Diagnostic::new(&DUPLICATE_CHILD, child.condition.span, "this stands twice")
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
        check("any: [{a: 1}, {b: 1}, {a: 1}]", "1:23 duplicate-child: this stands twice");
        check(
            "all:\n  - {path: a, op: eq, value: x}\n  - {type: ref, id: value.equals, args: {value: x, path: a}}\n",
            "3:5 duplicate-child: this stands twice",
        );
        check("all: [{not: {a: 1}}, {not: {a: 1}}]", "1:22 duplicate-child: this stands twice");
        check("all: [{n: 1}, {n: 1.0}]", "1:15 duplicate-child: this stands twice");
        check(
            "any: [{a: 1}, {a: 1}, {b: 1}, {b: 1}]",
            "1:15 duplicate-child: this stands twice\n1:31 duplicate-child: this stands twice",
        );
        check("all: [{a: 1}, {b: 1}]", "");
    }
}
