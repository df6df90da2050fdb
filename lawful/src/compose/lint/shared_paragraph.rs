//! One paragraph written in two personas.

use std::collections::BTreeMap;

use lawful_syntax::{Diagnostic, Span, escape};

use super::in_prompt;
use crate::book::Book;
use crate::compose::Roles;
use crate::prose::{paragraphs, words};

lawful_syntax::declare_codes! {
    SHARED_PARAGRAPH = "shared-paragraph", Warning, "two personas have the same paragraph",
        "What several roles must know is written once: in the core, if it binds every role, or in a fragment that their compositions share. A copy is changed in one place and forgotten in the other.\n\nA paragraph that both take from one place is written once, and is no copy.";
}

/// Shorter paragraphs are said by chance.
const SHORTEST: usize = 4;

pub(super) fn check(book: &Book, roles: &Roles) -> Vec<Diagnostic> {
    let mut first: BTreeMap<Vec<String>, (&str, Option<Span>)> = BTreeMap::new();
    let mut problems = Vec::new();
    for prompt in &roles.prompts {
        let offset = prompt.text().len() - prompt.persona().len();
        for (at, paragraph) in paragraphs(prompt.persona()) {
            let said = words(paragraph);
            if said.len() < SHORTEST || paragraph.starts_with('#') {
                continue;
            }
            let place = in_prompt(book, &prompt.prompt, offset + at);
            let Some((role, other)) = first.get(&said) else {
                first.insert(said, (&prompt.role, place));
                continue;
            };
            if *role == &*prompt.role || (place.is_some() && *other == place) {
                continue;
            }
            let message = format!(
                "the personas of `{}` and `{}` share a paragraph",
                escape::name(role),
                escape::name(&prompt.role)
            );
            let mut problem =
                Diagnostic::new(&SHARED_PARAGRAPH, place.unwrap_or(prompt.span), message);
            if let Some(other) = other {
                problem = problem.label(*other, "the other one");
            }
            problems.push(problem.help("write it once: in the core, or in a fragment of both"));
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::super::check_roles;

    #[test]
    fn a_copy_is_found_and_what_is_shared_is_not() {
        check_roles(
            "",
            "Be exact.\n",
            &[
                ("lead", "# How you work\n\nYou lead.\n\nAsk before you\ncut a tree.\n"),
                ("scout", "# How you work\n\nYou look.\n\nAsk before you cut a tree.\n"),
            ],
            "scout.md:5:1 shared-paragraph: the personas of `lead` and `scout` share a paragraph",
        );
    }
}
