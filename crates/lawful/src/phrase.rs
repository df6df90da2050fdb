//! Finds phrases in prose.
//!
//! A phrase and a text are compared by canonical equivalence without case. Any white space matches
//! any other, so a phrase may continue on the next line, but not in the next paragraph. A phrase that begins or ends with a letter
//! or a digit matches only whole words there; at a symbol, and in scripts without spaces, any place
//! will do.
//!
//! **Invariant:** the time is bounded by the length of the text and the number of matches, whatever
//! the number of phrases.

use std::ops::Range;

use aho_corasick::AhoCorasick;
use caseless::Caseless as _;
use unicode_normalization::char::{canonical_combining_class, is_combining_mark};
use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfc_quick};

use crate::word::has_no_spaces;

/// Phrases to search for.
pub(crate) struct Phrases {
    automaton: Option<AhoCorasick>,
}

impl Phrases {
    /// A blank phrase matches nothing.
    pub(crate) fn of<'p>(phrases: impl IntoIterator<Item = &'p str>) -> Self {
        let folded: Vec<String> = phrases.into_iter().map(|phrase| fold(phrase).text).collect();
        Self { automaton: AhoCorasick::new(folded).ok() }
    }

    /// Every match in a text: the index of the phrase, and its place. Matches of one phrase do not
    /// overlap.
    pub(crate) fn find(&self, text: &str) -> Vec<(usize, Range<usize>)> {
        let Some(automaton) = &self.automaton else { return Vec::new() };
        let folded = fold(text);
        let mut ends = vec![0; automaton.patterns_len()];
        let mut found = Vec::new();
        for hit in automaton.find_overlapping_iter(&folded.text) {
            let Some(end) = ends.get_mut(hit.pattern().as_usize()) else { continue };
            if hit.is_empty() || hit.start() < *end || !is_whole(&folded.text, hit.range()) {
                continue;
            }
            *end = hit.end();
            found.push((hit.pattern().as_usize(), folded.original(hit.range())));
        }
        found
    }
}

/// Whether a part of a folded text neither begins nor ends inside a word.
fn is_whole(text: &str, range: Range<usize>) -> bool {
    let divides = |at: usize| {
        let (before, after) = text.split_at_checked(at).unwrap_or_default();
        let (before, after) = (before.chars().next_back(), after.chars().next());
        before.is_some_and(joins) && after.is_some_and(joins)
    };
    !divides(range.start) && !divides(range.end)
}

/// Whether a character belongs to one word with its neighbours.
fn joins(c: char) -> bool {
    (c.is_alphanumeric() || c == '_' || is_combining_mark(c)) && !has_no_spaces(c)
}

/// A text without case, with one space for each run of white space, or a newline if it contains an
/// empty line, and without white space at its ends.
struct Folded {
    text: String,
    /// For each part: where it starts here, and its place in the original.
    parts: Vec<(usize, Range<usize>)>,
}

fn fold(text: &str) -> Folded {
    let mut folded = Folded { text: String::with_capacity(text.len()), parts: Vec::new() };
    let mut rest = text.trim();
    let mut at = text.len() - text.trim_start().len();
    while let Some(first) = rest.chars().next() {
        let blank = first.is_whitespace();
        let next = if blank {
            rest.find(|c: char| !c.is_whitespace())
        } else {
            rest.char_indices().skip(1).find(|(_, c)| starts_part(*c)).map(|(at, _)| at)
        };
        let (part, behind) =
            rest.split_at_checked(next.unwrap_or(rest.len())).unwrap_or((rest, ""));
        folded.parts.push((folded.text.len(), at..at + part.len()));
        if blank {
            // A blank line ends the paragraph, and the sentence.
            let ends = part.bytes().filter(|byte| *byte == b'\n').count() > 1;
            folded.text.push(if ends { '\n' } else { ' ' });
        } else {
            folded.text.extend(part.nfd().default_case_fold().nfc());
        }
        at += part.len();
        rest = behind;
    }
    folded
}

/// Whether a character never composes with the one before it.
fn starts_part(c: char) -> bool {
    c < '\u{300}'
        || (canonical_combining_class(c) == 0
            && is_nfc_quick(std::iter::once(c)) == IsNormalized::Yes)
}

impl Folded {
    /// The place of a part in the original.
    fn original(&self, range: Range<usize>) -> Range<usize> {
        let part = |at: usize| {
            let after = self.parts.partition_point(|(start, _)| *start <= at);
            after.checked_sub(1).and_then(|at| self.parts.get(at)).map(|(_, place)| place)
        };
        let start = part(range.start).map_or(0, |place| place.start);
        let end = part(range.end.saturating_sub(1)).map_or(start, |place| place.end);
        start..end.max(start)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(phrase: &str, text: &str, expected: &[&str]) {
        let found = Phrases::of([phrase]).find(text);
        let found: Vec<&str> = found.into_iter().map(|(_, at)| text.get(at).unwrap()).collect();
        assert_eq!(found, expected, "{phrase} in {text}");
    }

    #[test]
    fn words_are_found_whole_in_any_case() {
        check(
            "synergy",
            "Some synergyless Synergy, and SYNERGY's synergy_x",
            &["Synergy", "SYNERGY"],
        );
        check("straße", "Die STRASSE hier", &["STRASSE"]);
        check("caf\u{e9}", "ein CAFE\u{301} und ein cafe\u{301}s", &["CAFE\u{301}"]);
        check("cafe", "ein cafe\u{301}", &[]);
        check("\u{3c3}\u{3bf}\u{3c6}\u{3cc}\u{3c2}", "ΣΟΦΌΣ", &["ΣΟΦΌΣ"]);
    }

    #[test]
    fn symbols_are_found_anywhere() {
        check("—", "one—two — three", &["—", "—"]);
        check("->", "a->b -> c", &["->", "->"]);
        check("C++", "C++17 and C++, not AC++", &["C++", "C++"]);
        check("…", "wait… but not ...", &["…"]);
        check("①", "1 and ①", &["①"]);
        check("--", "-----", &["--", "--"]);
        check("☐", "☐☐done", &["☐", "☐"]);
    }

    #[test]
    fn scripts_without_spaces_have_words_everywhere() {
        check("猫", "彼は猫が好き", &["猫"]);
        check("แมว", "ฉันรักแมว", &["แมว"]);
        check("cat", "新cat店 cats店", &["cat"]);
    }

    #[test]
    fn a_phrase_may_continue_on_the_next_line() {
        check(
            "deep  dive",
            "a Deep\n  dive, a deep\u{a0}dive, a deepdive",
            &["Deep\n  dive", "deep\u{a0}dive"],
        );
        check(" deep dive ", "deep dives deep\r\ndive", &["deep\r\ndive"]);
        check(
            "deep dive",
            "It is deep\n\ndive in; deep\r\n \r\ndive; deep \n dive",
            &["deep \n dive"],
        );
    }

    #[test]
    fn a_blank_phrase_matches_nothing() {
        check("", "a b", &[]);
        check(" \n", "a b", &[]);
    }

    proptest! {
        #[test]
        fn every_match_folds_to_its_phrase(
            phrase in "[aB é\u{301}—ßǅ猫\n]{1,3}",
            text in "[aB é\u{301}—ßǅ猫\n]{0,12}",
        ) {
            for (_, place) in Phrases::of([phrase.as_str()]).find(&text) {
                let found = fold(text.get(place).unwrap()).text;
                prop_assert!(found.contains(&fold(&phrase).text), "{:?} in {:?}", phrase, text);
            }
        }

        #[test]
        fn a_phrase_between_spaces_is_always_found(phrase in "\\PC{1,6}") {
            prop_assume!(!phrase.trim().is_empty());
            // A leading mark would join the space before it.
            prop_assume!(phrase.trim().chars().next().is_some_and(starts_part));
            let text = format!("x {phrase} y {}", phrase.trim());
            prop_assert!(Phrases::of([phrase.as_str()]).find(&text).len() >= 2);
        }
    }
}
