//! The same condition twice under one `all` or `any`.

use lawful_syntax::Diagnostic;

use super::Part;

lawful_syntax::declare_codes! {
    DUPLICATE_CHILD = "duplicate-child", Warning, "an `all` or `any` has the same condition twice",
        "The second one changes nothing. It was probably meant to be another.\n\nRemove it, or correct it.";
}

pub(super) fn check(part: &Part<'_>) -> Option<Diagnostic> {
    part.children.iter().enumerate().find_map(|(at, child)| {
        let first =
            part.children.iter().take(at).find(|other| other.condition == child.condition)?;
        Some(
            Diagnostic::new(&DUPLICATE_CHILD, child.condition.span, "this stands twice")
                .label(first.condition.span, "first here")
                .help("remove it, or correct it"),
        )
    })
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
        check("all: [{a: 1}, {b: 1}]", "");
    }
}
