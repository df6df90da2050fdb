//! One path that must equal two values at once.

use lawful_syntax::{Diagnostic, Span};

use super::Part;
use crate::cond::Operator;
use crate::path::Path;
use crate::value::Value;

lawful_syntax::declare_codes! {
    CONTRADICTORY_EQUALITY = "contradictory-equality", Warning, "one path must equal two values at once",
        "All conditions of an `all`, and all keys of an equality map, must be true together, and a path has one value. So `{tone: terse}` and `{tone: warm}` are never both true.\n\nWrite `{path: tone, op: any_of, value: [terse, warm]}` for \"either\", or put the two under `any`.";
}

pub(super) fn check(part: &Part<'_>) -> Vec<Diagnostic> {
    let mut seen: Vec<(Path, Value, Span)> = Vec::new();
    let mut found = Vec::new();
    for child in &part.children {
        let Some((Operator::Equals, path, Some(value))) = child.test() else { continue };
        let value = Value::from_node(value);
        let other = seen.iter().find(|(known, other, _)| *known == path && *other != value);
        if let Some((_, other, place)) = other.filter(|_| !path.is_wild()) {
            let message = format!("`{path}` cannot equal {value} and {other} at once");
            found.push(
                Diagnostic::new(&CONTRADICTORY_EQUALITY, child.condition.span, message)
                    .label(*place, "the other one")
                    .help("for \"either\" write `any_of`, or put both under `any`"),
            );
        }
        seen.push((path, value, child.condition.span));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::check;

    #[test]
    fn two_values_for_one_path_are_a_contradiction() {
        check("all:\n  - {mood: calm, n: 1}\n  - {a: 1}\n", "");
        check(
            "all:\n  - {mood: calm}\n  - {a: 1}\n  - {mood: angry}\n",
            "4:5 contradictory-equality: `mood` cannot equal \"angry\" and \"calm\" at once",
        );
        check(
            "all: [{x: 1}, {x: 2}, {y: 1}, {y: 2}]",
            "1:15 contradictory-equality: `x` cannot equal 2 and 1 at once\n\
             1:31 contradictory-equality: `y` cannot equal 2 and 1 at once",
        );
        // A quantifier changes the meaning.
        check("all: [{path: a, op: eq, value: 1, quantifier: none}, {b: 2}]", "");
        check("any: [{mood: calm}, {mood: angry}]", "");
        check("all: [{'l[*]': 1}, {'l[*]': 2}]", "");
    }
}
