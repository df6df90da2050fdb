//! A sentence of the core that a persona repeats.

use std::collections::BTreeSet;

use lawful_syntax::{Diagnostic, Span, escape};

use super::Piece;
use crate::compose::Core;
use crate::prose::{sentences, words};

lawful_syntax::declare_codes! {
    REPEATED_SENTENCE = "repeated-sentence", Warning, "a persona repeats a sentence of the core",
        "Every prompt already contains the core. A duplicate costs its tokens twice, and the two copies disagree as soon as one of them changes.\n\nRemove the sentence from the persona. One-word sentences, headings and code blocks are not compared.";
}

/// A single word may repeat by chance.
const SHORTEST: usize = 2;

/// The sentences of a core, as lists of words.
pub(super) struct Sentences(BTreeSet<Vec<String>>);

impl Sentences {
    pub(super) fn of(core: &Core) -> Self {
        Self(sentences(core.text()).filter_map(|(_, sentence)| long(sentence)).collect())
    }
}

fn long(sentence: &str) -> Option<Vec<String>> {
    Some(words(sentence)).filter(|words| words.len() >= SHORTEST)
}

pub(super) fn check(core: &Core, said: &Sentences, piece: &Piece<'_>) -> Vec<Diagnostic> {
    let found = sentences(piece.text)
        .filter(|(_, sentence)| long(sentence).is_some_and(|words| said.0.contains(&words)));
    let report = |(at, sentence): (usize, &str)| {
        let place = piece.place(at).unwrap_or(piece.prompt.span);
        let role = escape::name(&piece.prompt.role);
        let said = sentence.split_whitespace().collect::<Vec<_>>().join(" ");
        let message =
            format!("the persona of `{role}` repeats the core: `{}`", escape::name(&said));
        Diagnostic::new(&REPEATED_SENTENCE, place, message)
            .label(Span::start_of(core.file), "the core")
            .help("remove it; every prompt already contains the core")
    };
    found.map(report).collect()
}

#[cfg(test)]
mod tests {
    use super::super::check_roles;

    #[test]
    fn two_words_are_a_sentence_and_a_heading_or_code_is_none() {
        check_roles(
            "",
            "# The law\n\nNever guess. Stop.\n\n```\nmake all\n```\n",
            &[("lead", "# The law\n\nStop. Never guess.\n\n```\nmake all\n```\n")],
            "lead.md:3:1 repeated-sentence: the persona of `lead` repeats the core: `Never guess.`",
        );
    }

    #[test]
    fn every_one_of_many_findings_has_its_place() {
        let lines = 20_000;
        let persona = "Always say what you saw.\n".repeat(lines);
        let trees: Vec<String> = (0..lines).map(|n| format!("Ask before tree {n}.")).collect();
        let personas = [("lead", &*(persona + "\n" + &trees.join("\n\n"))), ("scout", "Look.")];
        let mut written = "name: t\nconditioning: {core: core.md, personas: {".to_owned();
        let mut source = crate::book::MemorySource::new()
            .with("core.md", "Always say what you saw. Stop there.");
        for (role, text) in personas {
            written.extend([role, ": ", role, ".md,"]);
            source = source.with(&format!("{role}.md"), text);
        }
        let source = source.with("lawful.yaml", written + "}}");
        let (book, _) = crate::book::load(&source, crate::book::Options::default()).unwrap();
        let found = crate::check(&book);
        let repeated = found.iter().filter(|problem| problem.code == &super::REPEATED_SENTENCE);
        let places: Vec<u32> = repeated.map(|problem| problem.span.start).collect();
        assert!(places.len() > 5_000, "{}", places.len());
        let line = "Always say what you saw.\n".len();
        assert!(places.iter().zip(0..).all(|(place, at)| *place as usize == at * line));
    }

    #[test]
    fn a_sentence_is_the_same_however_it_is_broken_and_cased() {
        check_roles(
            "",
            "Say what you saw. Never\nguess a number! Stop.\n",
            &[("lead", "You lead. Never GUESS\na number! Stop.\n"), ("scout", "Guess a number.\n")],
            "lead.md:1:1 repeated-sentence: the persona of `lead` repeats the core: `Never GUESS a number!`",
        );
    }
}
