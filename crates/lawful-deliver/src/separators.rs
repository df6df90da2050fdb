//! The separators that Lawful adds around its text, and removes with it.
//!
//! A block in a text or a key in a settings file is added at one place, with a line end or a comma
//! around it. Removing it means finding it, wherever it is now, and removing the separators that
//! are still there. Everything else keeps every byte.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// The separators around something.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct Separators {
    pub(crate) before: String,
    pub(crate) after: String,
    /// Whether the text before it ended its line.
    pub(crate) ended: bool,
}

/// Removes a range and its separators from a text of lines. The line ends may have changed.
pub(crate) fn cut(text: &str, at: Range<usize>, separators: &Separators) -> String {
    let (head, bare, tail) = apart(text, at, separators);
    let fits = |bare: &&str| is_bare(bare) || bare.ends_with('\n') == separators.ended;
    let Some(bare) = bare.filter(fits) else { return format!("{head}{tail}") };
    // Text that others added after it must not join the line before it.
    let joins = !is_bare(bare) && !bare.ends_with('\n');
    let joins = joins && !tail.is_empty() && !tail.starts_with(['\r', '\n']);
    let end = head.get(bare.len()..).and_then(|separators| separators.find('\n'));
    match end.and_then(|end| head.get(..=bare.len() + end)).filter(|_| joins) {
        Some(line) => format!("{line}{tail}"),
        None => format!("{bare}{tail}"),
    }
}

/// Like [`cut`], in a text where lines have no meaning.
pub(crate) fn cut_out(text: &str, at: Range<usize>, separators: &Separators) -> String {
    let (head, bare, tail) = apart(text, at, separators);
    format!("{}{tail}", bare.unwrap_or(head))
}

/// The text before a range, the same without its separators, and the text after both.
fn apart<'t>(
    text: &'t str,
    at: Range<usize>,
    separators: &Separators,
) -> (&'t str, Option<&'t str>, &'t str) {
    let head = text.get(..at.start).unwrap_or_default();
    let tail = text.get(at.end..).unwrap_or_default();
    let tail = without_prefix(tail, &separators.after).unwrap_or(tail);
    (head, without_suffix(head, &separators.before), tail)
}

/// Whether there is at most a byte order mark.
fn is_bare(text: &str) -> bool {
    text.is_empty() || text == "\u{feff}"
}

/// Removes a prefix, ignoring the kind of line ends.
pub(crate) fn without_prefix<'t>(text: &'t str, prefix: &str) -> Option<&'t str> {
    let mut rest = text;
    for c in prefix.chars().filter(|c| *c != '\r') {
        let line_end = (c == '\n').then(|| rest.strip_prefix("\r\n")).flatten();
        rest = match line_end {
            Some(rest) => rest,
            None => rest.strip_prefix(c)?,
        };
    }
    Some(rest)
}

/// Removes a suffix, ignoring the kind of line ends.
pub(crate) fn without_suffix<'t>(text: &'t str, suffix: &str) -> Option<&'t str> {
    let mut rest = text;
    for c in suffix.chars().rev().filter(|c| *c != '\r') {
        rest = rest.strip_suffix(c)?;
        if c == '\n' {
            rest = rest.strip_suffix('\r').unwrap_or(rest);
        }
    }
    Some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, before: &str, ended: bool, expected: &str) {
        let at = text.find('X').unwrap();
        let separators = Separators { before: before.to_owned(), after: "\n".to_owned(), ended };
        assert_eq!(cut(text, at..at + 1, &separators), expected, "{text:?}");
    }

    #[test]
    fn what_we_put_around_a_thing_goes_with_it() {
        check("a\n\nX\n", "\n", true, "a\n");
        check("a\r\n\r\nX\r\n", "\n", true, "a\r\n");
        check("a\r\n\r\nX", "\n", true, "a\r\n");
        check("a\n\nX\n", "\n\n", false, "a");
        check("\u{feff}X\n", "", true, "\u{feff}");
        check("X\r\n", "", true, "");
    }

    #[test]
    fn what_others_put_around_it_stays() {
        check("a\n\nb\nX\n", "\n", true, "a\n\nb\n");
        check("a\n\nX\nb\n", "\n", true, "a\nb\n");
        check("a\n\nX\nb", "\n\n", false, "a\nb");
        check("a\r\n\r\nX\r\nb", "\n\n", false, "a\r\nb");
        check("a\n\nX\n\nb", "\n\n", false, "a\nb");
    }
}
