//! A word that the manifest bans.

use lawful_syntax::{Diagnostic, Span, escape};

use crate::book::Book;
use crate::compose::Compositions;

lawful_syntax::declare_codes! {
    BANNED_WORD = "banned-word", Warning, "a fragment contains a banned word",
        "`lint.banned-words` in `lawful.yaml` lists words that no prompt should contain. Only whole words match, and case is ignored.\n\nRephrase the text.";
}

pub(super) fn check(book: &Book, compositions: &Compositions) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (_, fragment) in compositions.fragments() {
        let body = book.sources.slice(fragment.body);
        for (word, listed) in &book.manifest.lint.banned_words {
            for at in whole_words(body, word) {
                let start = fragment.body.start as usize + at;
                let place = Span::new(fragment.body.file, start, start + word.len());
                let message = format!("the word `{}` is banned", escape::name(word));
                found.push(
                    Diagnostic::new(&BANNED_WORD, place, message)
                        .label(*listed, "banned here")
                        .help("rephrase the text"),
                );
            }
        }
    }
    found
}

/// The offsets of a whole word, ignoring case. Only ASCII case is folded, which keeps offsets
/// valid.
fn whole_words(text: &str, word: &str) -> Vec<usize> {
    let (lower, word) = (text.to_ascii_lowercase(), word.to_ascii_lowercase());
    if word.is_empty() {
        return Vec::new();
    }
    let in_word = |c: char| c.is_alphanumeric() || c == '_';
    let alone = |at: &usize| {
        let before = lower.get(..*at).and_then(|before| before.chars().next_back());
        let after = lower.get(at + word.len()..).and_then(|after| after.chars().next());
        !before.is_some_and(in_word) && !after.is_some_and(in_word)
    };
    lower.match_indices(&word).map(|(at, _)| at).filter(alone).collect()
}

#[cfg(test)]
mod tests {
    use super::super::check;

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
