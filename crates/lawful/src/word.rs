//! Word boundaries.
//!
//! Unicode defines the boundaries. In scripts without spaces they cannot be found without a
//! dictionary, so every place beside one of their characters counts as a boundary.

use std::cell::OnceCell;
use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation as _;

/// A text whose word boundaries are computed on first use.
pub(crate) struct Words<'t> {
    text: &'t str,
    edges: OnceCell<Vec<bool>>,
}

impl<'t> Words<'t> {
    pub(crate) fn of(text: &'t str) -> Self {
        Self { text, edges: OnceCell::new() }
    }

    /// Whether a part of the text begins and ends at word boundaries.
    pub(crate) fn is_whole(&self, range: &Range<usize>) -> bool {
        self.is_edge(range.start) && self.is_edge(range.end)
    }

    /// Whether a word may begin or end here.
    pub(crate) fn is_edge(&self, at: usize) -> bool {
        self.edges().get(at).is_some_and(|edge| *edge)
    }

    /// The first boundary at or after this place.
    pub(crate) fn next_edge(&self, from: usize) -> Option<usize> {
        let ahead = self.edges().get(from..)?;
        ahead.iter().position(|edge| *edge).map(|ahead| from + ahead)
    }

    fn edges(&self) -> &[bool] {
        self.edges.get_or_init(|| edges(self.text))
    }
}

/// For every byte of a text and its end, whether it is a boundary.
fn edges(text: &str) -> Vec<bool> {
    let mut edges = vec![false; text.len() + 1];
    let mut mark = |at: usize| {
        if let Some(edge) = edges.get_mut(at) {
            *edge = true;
        }
    };
    mark(text.len());
    for (at, _) in text.split_word_bound_indices() {
        mark(at);
    }
    for (at, c) in text.char_indices().filter(|(_, c)| has_no_spaces(*c)) {
        mark(at);
        mark(at + c.len_utf8());
    }
    edges
}

/// Whether a character belongs to a script without spaces between words.
pub(crate) fn has_no_spaces(c: char) -> bool {
    matches!(c,
        '\u{e00}'..='\u{eff}'                                 // Thai, Lao
        | '\u{f00}'..='\u{fff}'                               // Tibetan
        | '\u{1000}'..='\u{109f}' | '\u{a9e0}'..='\u{a9ff}' | '\u{aa60}'..='\u{aa7f}' // Myanmar
        | '\u{1780}'..='\u{17ff}' | '\u{19e0}'..='\u{19ff}'   // Khmer
        | '\u{1950}'..='\u{19df}' | '\u{1a20}'..='\u{1aaf}' | '\u{aa80}'..='\u{aadf}' // Tai
        | '\u{3005}'..='\u{3007}' | '\u{3021}'..='\u{3029}' | '\u{3031}'..='\u{303b}'
        | '\u{3041}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' | '\u{ff66}'..='\u{ff9f}' // kana
        | '\u{3100}'..='\u{312f}'                             // Bopomofo
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}'                           // Han
        | '\u{a000}'..='\u{a4cf}'                             // Yi
        | '\u{1aff0}'..='\u{1b16f}'                           // kana, supplements
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, word: &str, expected: bool) {
        let at = text.find(word).expect("it is there");
        assert_eq!(Words::of(text).is_whole(&(at..at + word.len())), expected, "{word} in {text}");
    }

    #[test]
    fn unicode_defines_word_boundaries() {
        check("a cat sat", "cat", true);
        check("concatenate", "cat", false);
        check("cat", "cat", true);
        check("the cat's tail", "cat", false);
        check("cat-like", "cat", true);
        check("naïveté", "naïve", false);
        check("кот и котик", "кот", true);
        check("a котик", "кот", false);
    }

    #[test]
    fn scripts_without_spaces_have_boundaries_everywhere() {
        check("彼は猫が好き", "猫", true);
        check("スーパーマーケット", "マーケ", true);
        check("ฉันรักแมว", "แมว", true);
        check("新cat店", "cat", true);
        check("新cats店", "cat", false);
    }
}
