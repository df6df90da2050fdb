//! A placeholder in the core, which is never filled.

use lawful_syntax::{Diagnostic, Span};

use crate::book::Book;
use crate::compose::Core;
use crate::compose::places::Places;

lawful_syntax::declare_codes! {
    PLACEHOLDER_IN_CORE = "placeholder-in-core", Warning, "the core has a placeholder, which is never filled",
        "The core is the same for every role, byte for byte, so no value of a context is inserted: `${path}` stays as written.\n\nMove the sentence to a persona, or write it without a placeholder.";
}

pub(super) fn check(book: &Book, core: &Core) -> Vec<Diagnostic> {
    let text = core.text();
    let places = Places::of(&book.sources, &core.prompt);
    let found = text.match_indices("${").filter(|(at, _)| {
        let inside = text.get(at + 2..).unwrap_or_default();
        inside.find(['}', '\n']).is_some_and(|close| inside.get(close..=close) == Some("}"))
    });
    let report = |(at, _): (usize, &str)| {
        let place = places.at(at).unwrap_or(Span::start_of(core.file));
        let message = "a placeholder in the core is never filled";
        let help = "move the sentence to a persona, or remove the placeholder";
        Diagnostic::new(&PLACEHOLDER_IN_CORE, place, message).help(help)
    };
    found.map(report).collect()
}

#[cfg(test)]
mod tests {
    use super::super::check_roles;
    use crate::book::MemorySource;
    use crate::check::check_source;
    use crate::compose::Evaluated;

    #[test]
    fn it_is_reported_where_the_line_cannot_be_found() {
        let source = MemorySource::new()
            .with("lawful.yaml", "name: t\nconditioning: {core: c.ncl, personas: {lead: l.md}}\n")
            .with("l.md", "Lead.\n")
            .with("c.ncl", "let x = \"Serve ${x}\" in\n\"%{x} well.\\nBe exact.\"\n");
        let texts = [("c.ncl".to_owned(), "Serve ${x} well.\nBe exact.".to_owned())].into();
        let nickel = Evaluated { texts, roles: [].into() };
        check_source(
            &source,
            Some(&nickel),
            "c.ncl:1:1 placeholder-in-core: a placeholder in the core is never filled",
        );
    }

    #[test]
    fn the_core_is_the_same_for_everybody() {
        check_roles(
            "",
            "Be exact.\n\nServe ${user}, and write ${ as it is.\n",
            &[("lead", "Lead ${team}.\n")],
            "core.md:3:1 placeholder-in-core: a placeholder in the core is never filled",
        );
    }
}
