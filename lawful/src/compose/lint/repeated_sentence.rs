//! A sentence of the core again in a persona.

use std::collections::BTreeSet;

use lawful_syntax::{Diagnostic, Span, escape};

use super::in_prompt;
use crate::book::Book;
use crate::compose::{RolePrompt, Roles};
use crate::prose::{sentences, words};

lawful_syntax::declare_codes! {
    REPEATED_SENTENCE = "repeated-sentence", Warning, "a persona repeats a sentence of the core",
        "Every role has the core already. A sentence that is written twice costs its tokens twice, and the day one of them changes, the two disagree.\n\nTake it out of the persona.";
}

/// Shorter sentences are said by chance.
const SHORTEST: usize = 3;

pub(super) fn check(book: &Book, roles: &Roles) -> Vec<Diagnostic> {
    let long = |sentence: &str| Some(words(sentence)).filter(|words| words.len() >= SHORTEST);
    let core: BTreeSet<Vec<String>> =
        sentences(roles.core.text()).filter_map(|(_, sentence)| long(sentence)).collect();
    let repeated = |prompt: &RolePrompt| -> Vec<Diagnostic> {
        let offset = prompt.text().len() - prompt.persona().len();
        let found = sentences(prompt.persona())
            .filter(|(_, sentence)| long(sentence).is_some_and(|words| core.contains(&words)));
        let report = |(at, sentence): (usize, &str)| {
            let place = in_prompt(book, &prompt.prompt, offset + at).unwrap_or(prompt.span);
            let role = escape::name(&prompt.role);
            let message =
                format!("the persona of `{role}` repeats the core: `{}`", escape::name(sentence));
            Diagnostic::new(&REPEATED_SENTENCE, place, message)
                .label(Span::start_of(roles.core.file), "the core")
                .help("take it out; every role has the core already")
        };
        found.map(report).collect()
    };
    roles.prompts.iter().flat_map(repeated).collect()
}

#[cfg(test)]
mod tests {
    use super::super::check_roles;

    #[test]
    fn a_sentence_is_the_same_however_it_is_broken_and_cased() {
        check_roles(
            "",
            "Say what you saw. Never\nguess a number! Stop.\n",
            &[("lead", "You lead. Never GUESS\na number! Stop.\n"), ("scout", "Guess a number.\n")],
            "lead.md:1:1 repeated-sentence: the persona of `lead` repeats the core: `Never GUESS\\na number!`",
        );
    }
}
