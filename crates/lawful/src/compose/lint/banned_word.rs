//! A word that the manifest bans.

use lawful_syntax::{Diagnostic, Span, escape};

use crate::book::Book;
use crate::compose::Compositions;
use crate::phrase::Phrases;

lawful_syntax::declare_codes! {
    BANNED_WORD = "banned-word", Warning, "a fragment contains a banned word",
        "`lint.banned-words` in `lawful.yaml` lists words, phrases and symbols that no fragment should contain. Case is ignored, and a phrase may continue on the next line. A letter or digit at the start or end of an entry matches only at the edge of a word. Symbols, and words of scripts without spaces between words, match anywhere.\n\nRephrase the text.";
}

pub(super) fn check(book: &Book, compositions: &Compositions) -> Vec<Diagnostic> {
    let banned = &book.manifest.lint.banned_words;
    if banned.is_empty() {
        return Vec::new();
    }
    let phrases = Phrases::of(banned.iter().map(|(word, _)| &**word));
    let mut found = Vec::new();
    for (_, fragment) in compositions.fragments() {
        for (at, place) in phrases.find(book.sources.slice(fragment.body)) {
            let Some((word, listed)) = banned.get(at) else { continue };
            let start = fragment.body.start as usize;
            let place = Span::new(fragment.body.file, start + place.start, start + place.end);
            let message = format!("the word `{}` is banned", escape::name(word));
            found.push(
                Diagnostic::new(&BANNED_WORD, place, message)
                    .label(*listed, "banned here")
                    .help("rephrase the text"),
            );
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::check;

    #[test]
    fn symbols_and_phrases_are_found_too() {
        check(
            "lint: {banned-words: [—, deep dive, 相乗効果]}\n",
            "base: [a, b, c, d, e]\n",
            &[("a", "A deep\ndive—or a 新相乗効果的."), ("b", "A deepdive – no.")],
            "fragments/a.md:4:3 banned-word: the word `deep dive` is banned\n\
             fragments/a.md:5:5 banned-word: the word `—` is banned\n\
             fragments/a.md:5:12 banned-word: the word `相乗効果` is banned",
        );
    }

    #[test]
    fn whole_words_are_found_in_any_case() {
        check(
            "lint: {banned-words: [synergy]}\n",
            "base: [a, b, c, d, e]\n",
            &[("a", "Some synergyless\ntext with Synergy, twice: SYNERGY.")],
            "fragments/a.md:5:11 banned-word: the word `synergy` is banned\n\
             fragments/a.md:5:27 banned-word: the word `synergy` is banned",
        );
    }
}
