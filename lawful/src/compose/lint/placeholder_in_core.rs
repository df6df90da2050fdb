//! A placeholder in the core, where it stays as it is.

use lawful_syntax::Diagnostic;

use super::in_prompt;
use crate::book::Book;
use crate::compose::{Origin, Roles};

lawful_syntax::declare_codes! {
    PLACEHOLDER_IN_CORE = "placeholder-in-core", Warning, "the core has a placeholder, which nothing fills",
        "The core is the same for everybody, byte for byte, so nothing of a context enters it: `${path}` stays as it is written.\n\nMove the sentence to a persona, or write it without a placeholder.";
}

pub(super) fn check(book: &Book, roles: &Roles) -> Vec<Diagnostic> {
    let text = roles.core.text();
    let found = text.match_indices("${").filter(|(at, _)| {
        let inside = text.get(at + 2..).unwrap_or_default();
        inside.find(['}', '\n']).is_some_and(|close| inside.get(close..=close) == Some("}"))
    });
    let report = |(at, _): (usize, &str)| {
        let place = in_prompt(book, &roles.core.prompt, at)?;
        let message = "nothing fills a placeholder in the core, and it stays as it is";
        let help = "move the sentence to a persona";
        Some(Diagnostic::new(&PLACEHOLDER_IN_CORE, place, message).help(help))
    };
    debug_assert!(roles.core.prompt.sections.iter().all(|part| part.origin == Origin::Core));
    found.filter_map(report).collect()
}

#[cfg(test)]
mod tests {
    use super::super::check_roles;

    #[test]
    fn the_core_is_the_same_for_everybody() {
        check_roles(
            "",
            "Be exact.\n\nServe ${user}, and write ${ as it is.\n",
            &[("lead", "Lead ${team}.\n")],
            "core.md:3:1 placeholder-in-core: nothing fills a placeholder in the core, and it stays as it is",
        );
    }
}
