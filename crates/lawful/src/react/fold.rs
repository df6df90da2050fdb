//! Folded text for matching keywords: NFKC and full case folding, mapped back to the original.
//!
//! Folding may make text longer or shorter and may join adjacent characters. It never works across
//! a normalization boundary, so the text is folded segment by segment, and each segment stores its
//! origin.

use std::borrow::Cow;
use std::ops::Range;

use caseless::Caseless as _;
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::{canonical_combining_class, decompose_compatible};
use unicode_normalization::{IsNormalized, is_nfc_quick, is_nfkc_quick};

/// A folded text.
#[derive(Debug)]
pub(crate) struct Folded<'t> {
    /// The text that is compared.
    pub text: Cow<'t, str>,
    pieces: Vec<Piece>,
    original: usize,
}

/// A part of a folded text and the part of the original that it folds.
#[derive(Clone, Copy, Debug)]
struct Piece {
    folded: usize,
    original: usize,
    /// Whether each byte has the same offset as its original.
    same: bool,
}

/// Folds a text.
pub(crate) fn fold(text: &str) -> Folded<'_> {
    let original = text.len();
    if text.is_ascii() {
        let capital = text.bytes().any(|byte| byte.is_ascii_uppercase());
        let text = if capital { text.to_ascii_lowercase().into() } else { Cow::Borrowed(text) };
        return Folded { text, pieces: Vec::new(), original };
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut pieces: Vec<Piece> = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let at = text.len() - rest.len();
        let length = if first.is_ascii() { ascii_run(rest) } else { 0 };
        let same = length > 0;
        let length = if same { length } else { segment(rest) };
        let (part, behind) = rest.split_at_checked(length).unwrap_or((rest, ""));
        let start = out.len();
        pieces.push(Piece { folded: start, original: at, same });
        if same {
            out.push_str(part);
            if let Some(tail) = out.get_mut(start..) {
                tail.make_ascii_lowercase();
            }
        } else if part.len() == first.len_utf8()
            && let Some(folded) = one(first)
        {
            out.push(folded);
        } else {
            out.extend(part.nfkc().default_case_fold().nfkc());
        }
        rest = behind;
    }
    Folded { text: out.into(), pieces, original }
}

impl Folded<'_> {
    /// The part of the original for a part of the folded text, extended to whole segments.
    pub(crate) fn original(&self, range: Range<usize>) -> Range<usize> {
        if self.pieces.is_empty() {
            return range;
        }
        let before = |at: usize| self.pieces.partition_point(|piece| piece.folded <= at);
        let start = before(range.start).checked_sub(1).and_then(|at| self.pieces.get(at));
        let start = start.map_or(0, |piece| {
            piece.original + if piece.same { range.start - piece.folded } else { 0 }
        });
        // The last byte of the part determines where it ends.
        let after = before(range.end.saturating_sub(1).max(range.start));
        let next = self.pieces.get(after).map_or(self.original, |piece| piece.original);
        let end = match after.checked_sub(1).and_then(|at| self.pieces.get(at)) {
            Some(piece) if piece.same => piece.original + (range.end - piece.folded),
            Some(_) | None => next,
        };
        start..end.max(start)
    }
}

/// The folded form of a lone character, if it is one character too. Most are.
fn one(c: char) -> Option<char> {
    match c {
        // The letters of Western Europe, which are most of the text beyond ASCII.
        'À'..='Ö' | 'Ø'..='Þ' => return char::from_u32(u32::from(c) + 32),
        'à'..='ö' | 'ø'..='ÿ' => return Some(c),
        _ => {}
    }
    let is_normal = |c: char| is_nfkc_quick(std::iter::once(c)) == IsNormalized::Yes;
    let mut folded = std::iter::once(c).default_case_fold();
    let first = folded.next()?;
    (is_normal(c) && folded.next().is_none() && is_normal(first)).then_some(first)
}

/// How many ASCII bytes at the start cannot join with what follows.
fn ascii_run(text: &str) -> usize {
    /// How many bytes are checked at once.
    const CHUNK: usize = 32;
    let chunks = text.as_bytes().chunks(CHUNK).take_while(|chunk| chunk.is_ascii()).count();
    let clear = (chunks * CHUNK).min(text.len());
    let rest = text.as_bytes().get(clear..).unwrap_or_default();
    let run = clear + rest.iter().position(|byte| !byte.is_ascii()).unwrap_or(rest.len());
    match text.get(run..).and_then(|rest| rest.chars().next()) {
        Some(next) if !starts_segment(next) => run - 1,
        Some(_) | None => run,
    }
}

/// The length of the first segment in bytes.
fn segment(text: &str) -> usize {
    let starts = text.char_indices().skip(1).find(|(_, c)| starts_segment(*c));
    starts.map_or(text.len(), |(at, _)| at)
}

/// Whether a character never joins with the one before it.
fn starts_segment(c: char) -> bool {
    // No combining mark has a smaller number.
    if c < '\u{300}' {
        return true;
    }
    if is_nfkc_quick(std::iter::once(c)) == IsNormalized::Yes {
        return canonical_combining_class(c) == 0;
    }
    let mut first = None;
    decompose_compatible(c, |c| {
        first.get_or_insert(c);
    });
    let first = first.unwrap_or(c);
    canonical_combining_class(first) == 0
        && is_nfc_quick(std::iter::once(first)) == IsNormalized::Yes
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, word: &str, expected: &str) {
        let folded = fold(text);
        let word = fold(word);
        let found = folded.text.find(&*word.text).expect("it is there");
        let range = folded.original(found..found + word.text.len());
        assert_eq!(text.get(range), Some(expected), "{text}");
    }

    #[test]
    fn a_match_leads_back_to_the_original() {
        check("The SWORD falls", "sword", "SWORD");
        check("Die Straße hier", "STRASSE", "Straße");
        check("ein ﬁnaler Stoß", "final", "ﬁnal");
        check("ein ﬁnaler Stoß", "inal", "ﬁnal");
        check("caf\u{65}\u{301} zu", "CAFÉ", "caf\u{65}\u{301}");
        check("ＷＩＤＥ letters", "wide", "ＷＩＤＥ");
        check("ｶﾞ and more", "ガ", "ｶﾞ");
        check("ÀÀ end", "end", "end");
        check("Ὀδυσσεύς", "ΟΔΥΣΣΕΎΣ".replace('Ο', "Ὀ").as_str(), "Ὀδυσσεύς");
    }

    #[test]
    fn every_character_folds_as_it_should_alone_and_among_others() {
        for c in
            ('\u{80}'..='\u{33ff}').chain('\u{a640}'..='\u{abff}').chain('\u{f900}'..='\u{ffef}')
        {
            let text = format!("E{c}a{c}");
            let whole: String = text.nfkc().default_case_fold().nfkc().collect();
            assert_eq!(fold(&text).text, whole, "U+{:04X}", u32::from(c));
        }
    }

    proptest! {
        #[test]
        fn folding_by_segments_is_folding_as_a_whole(text in "\\PC{0,12}") {
            let whole: String = text.nfkc().default_case_fold().nfkc().collect();
            prop_assert_eq!(fold(&text).text.into_owned(), whole);
        }

        #[test]
        fn every_part_has_an_original(text in "[aB é\u{301}ﬁｶﾞß漢]{0,10}") {
            let folded = fold(&text);
            let ends: Vec<usize> = (0..=folded.text.len())
                .filter(|at| folded.text.is_char_boundary(*at))
                .collect();
            for (at, start) in ends.iter().enumerate() {
                for end in &ends[at..] {
                    let range = folded.original(*start..*end);
                    prop_assert!(text.get(range.clone()).is_some(), "{:?}", range);
                }
            }
        }
    }
}
