//! The same paragraph in two personas.

use std::collections::BTreeMap;

use lawful_syntax::{Diagnostic, Span, escape};

use super::Piece;
use crate::prose::{paragraphs, words};

lawful_syntax::declare_codes! {
    SHARED_PARAGRAPH = "shared-paragraph", Warning, "two personas contain the same paragraph",
        "Write shared text once: in the core, if it applies to every role, or in a fragment that several compositions use. Otherwise one copy changes and the other does not.\n\nA paragraph that both personas take from one source is not reported. Neither is one from Nickel, where Lawful cannot tell whether it is written twice. One-word paragraphs, headings and code blocks are not compared.";
}

/// A single word may repeat by chance.
const SHORTEST: usize = 2;

/// The paragraphs of all personas so far, each with its first role and place.
#[derive(Default)]
pub(super) struct Paragraphs(BTreeMap<Vec<String>, (Box<str>, Span)>);

impl Paragraphs {
    pub(super) fn check(&mut self, piece: &Piece<'_>) -> Vec<Diagnostic> {
        let mut problems = Vec::new();
        let role = &piece.prompt.role;
        for (at, paragraph) in paragraphs(piece.text) {
            let said = words(paragraph);
            // Without a place, it may be written once and included twice.
            let Some(place) = piece.place(at).filter(|_| said.len() >= SHORTEST) else { continue };
            let Some((first, other)) = self.0.get(&said) else {
                self.0.insert(said, (role.clone(), place));
                continue;
            };
            if first == role || *other == place {
                continue;
            }
            let (first, role) = (escape::name(first), escape::name(role));
            let message = format!("the personas of `{first}` and `{role}` share a paragraph");
            problems.push(
                Diagnostic::new(&SHARED_PARAGRAPH, place, message)
                    .label(*other, "the other one")
                    .help("write it once: in the core, or in a fragment that both use"),
            );
        }
        problems
    }
}

#[cfg(test)]
mod tests {
    use super::super::{check_record, check_roles};

    #[test]
    fn two_words_are_a_paragraph_and_code_is_none() {
        check_roles(
            "",
            "Be exact.\n",
            &[
                ("lead", "You lead.\n\nBe kind.\n\n```\nmake all\n\nmake clean\n```\n\nThanks!\n"),
                ("scout", "You look.\n\nBe kind.\n\n```\nmake all\n\nmake clean\n```\n\nThanks!\n"),
            ],
            "scout.md:3:1 shared-paragraph: the personas of `lead` and `scout` share a paragraph",
        );
    }

    #[test]
    fn what_is_written_once_and_taken_in_twice_is_no_copy() {
        let prompt = |who: &str| format!("Be exact.\n\nYou {who}.\n\nAsk before you cut a tree.");
        let (lead, look) = (prompt("lead"), prompt("look"));
        check_record(
            "let rule = \"Ask before you cut a tree.\" in\n{ a = \"…\" ++ rule, b = \"…\" ++ rule }\n",
            &[("a", &lead), ("b", &look)],
            "",
        );
    }

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
