//! What we put around a thing of ours to set it off, and take away with it.
//!
//! A block in a text, a key in a settings file: each is put in at one place, with a line end or a
//! comma around it. To take it out again is to find it, wherever it is by then, and to take that
//! away with it where it is still there. All else keeps every byte.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// What was put around a thing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct Glue {
    pub(crate) before: String,
    pub(crate) after: String,
    /// Whether what stood before it ended its line.
    pub(crate) ended: bool,
}

/// A text of lines without a stretch, and without what we put around it. Lines may end differently by
/// now.
pub(crate) fn cut(text: &str, at: Range<usize>, glue: &Glue) -> String {
    let (head, bare, tail) = apart(text, at, glue);
    let fits = |bare: &&str| is_bare(bare) || bare.ends_with('\n') == glue.ended;
    let Some(bare) = bare.filter(fits) else { return format!("{head}{tail}") };
    // What others have put behind it must not end up in the line before it.
    let joins = !is_bare(bare) && !bare.ends_with('\n');
    let joins = joins && !tail.is_empty() && !tail.starts_with(['\r', '\n']);
    let end = head.get(bare.len()..).and_then(|glue| glue.find('\n'));
    match end.and_then(|end| head.get(..=bare.len() + end)).filter(|_| joins) {
        Some(line) => format!("{line}{tail}"),
        None => format!("{bare}{tail}"),
    }
}

/// The same in a text where lines mean nothing.
pub(crate) fn cut_out(text: &str, at: Range<usize>, glue: &Glue) -> String {
    let (head, bare, tail) = apart(text, at, glue);
    format!("{}{tail}", bare.unwrap_or(head))
}

/// What is before a stretch, the same without glue where there is any, and what is behind both.
fn apart<'t>(text: &'t str, at: Range<usize>, glue: &Glue) -> (&'t str, Option<&'t str>, &'t str) {
    let head = text.get(..at.start).unwrap_or_default();
    let tail = text.get(at.end..).unwrap_or_default();
    let tail = without_prefix(tail, &glue.after).unwrap_or(tail);
    (head, without_suffix(head, &glue.before), tail)
}

/// Whether there is nothing but a byte order mark.
fn is_bare(text: &str) -> bool {
    text.is_empty() || text == "\u{feff}"
}

/// The text without a start, whatever the line ends.
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

/// The text without an end, whatever the line ends.
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
        let glue = Glue { before: before.to_owned(), after: "\n".to_owned(), ended };
        assert_eq!(cut(text, at..at + 1, &glue), expected, "{text:?}");
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
