//! Escaping text from outside.
//!
//! Names, values and source lines reach terminals, logs and JSON. Every renderer escapes them here,
//! so that control characters, terminal escapes and marks that reorder or hide text are shown and
//! have no effect.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Whether a character must be escaped in output.
pub fn is_unsafe(c: char) -> bool {
    matches!(c,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}'      // control characters, terminal escapes among them
        | '\u{ad}'                                  // soft hyphen
        | '\u{61c}' | '\u{200e}' | '\u{200f}'       // marks of direction
        | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' // embeddings, overrides, isolates
        | '\u{180e}' | '\u{200b}' | '\u{2060}'..='\u{2065}' | '\u{206a}'..='\u{206f}' // invisible
        | '\u{2028}' | '\u{2029}'                   // separators of lines and paragraphs
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}'      // byte order mark, annotations
        | '\u{e0000}'..='\u{e007f}'                 // tags: invisible text
    )
}

/// The text on one line, with unsafe characters escaped.
pub fn line(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        push(&mut out, c);
    }
    Cow::Owned(out)
}

/// Appends one character, escaped if it is unsafe.
pub(crate) fn push(out: &mut String, c: char) {
    match c {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        _ if is_unsafe(c) => {
            let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
        }
        _ => out.push(c),
    }
}

/// The text on one line, as the content or an attribute of XML.
pub fn xml(text: &str) -> Cow<'_, str> {
    // XML has no way to write these two, not even as a reference.
    let special = |c: char| matches!(c, '&' | '<' | '>' | '"' | '\'' | '\u{fffe}' | '\u{ffff}');
    replaced(line(text), special, |c| match c {
        '&' => "&amp;".to_owned(),
        '<' => "&lt;".to_owned(),
        '>' => "&gt;".to_owned(),
        '"' => "&quot;".to_owned(),
        '\'' => "&apos;".to_owned(),
        other => format!("\\u{{{:x}}}", u32::from(other)),
    })
}

/// The text on one line, as the message of a workflow command of GitHub Actions.
pub fn github(text: &str) -> Cow<'_, str> {
    replaced(line(text), |c| c == '%', |_| "%25".to_owned())
}

/// The text on one line, as a property of a workflow command of GitHub Actions.
pub fn github_property(text: &str) -> Cow<'_, str> {
    let special = |c: char| matches!(c, '%' | ':' | ',');
    replaced(line(text), special, |c| format!("%{:02X}", u32::from(c)))
}

/// A path as a URI reference: absolute paths have the scheme `file`.
pub fn uri(path: &str) -> String {
    let mut out = String::from(if path.starts_with('/') { "file://" } else { "" });
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(char::from(byte));
            }
            other => {
                let _ = write!(out, "%{other:02X}");
            }
        }
    }
    out
}

fn replaced(
    text: Cow<'_, str>,
    special: impl Fn(char) -> bool,
    with: impl Fn(char) -> String,
) -> Cow<'_, str> {
    if !text.contains(&special) {
        return text;
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if special(c) { out.push_str(&with(c)) } else { out.push(c) }
    }
    Cow::Owned(out)
}

/// The text truncated to a number of characters, ending in `…` if something is missing.
pub fn shorten(text: &str, characters: usize) -> Cow<'_, str> {
    // No text has more characters than bytes.
    if text.len() <= characters {
        return Cow::Borrowed(text);
    }
    match text.char_indices().nth(characters) {
        None => Cow::Borrowed(text),
        Some((at, _)) => Cow::Owned(format!("{}…", text.get(..at).unwrap_or_default())),
    }
}

/// A name as messages quote it: truncated. Renderers escape it later.
pub fn name(text: &str) -> Cow<'_, str> {
    shorten(text, 80)
}

/// A number of bytes as text.
pub fn bytes(count: usize) -> String {
    const MIB: usize = 1024 * 1024;
    if count >= MIB && count.is_multiple_of(MIB) {
        format!("{} MiB", count / MIB)
    } else if count >= 1024 && count.is_multiple_of(1024) {
        format!("{} KiB", count / 1024)
    } else {
        self::count(count, "byte")
    }
}

/// A number of things: `1 record`, `2 records`.
pub fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminal_escapes_and_direction_marks_are_shown() {
        assert_eq!(line("a\u{1b}[31mb\u{202e}c\nd"), "a\\u{1b}[31mb\\u{202e}c\\nd");
    }

    #[test]
    fn a_path_becomes_a_valid_uri() {
        assert_eq!(uri("a b/ü:1.yaml"), "a%20b/%C3%BC%3A1.yaml");
        assert_eq!(uri("/tmp/a#b"), "file:///tmp/a%23b");
    }

    #[test]
    fn ordinary_text_is_left_alone() {
        assert!(matches!(line("naïve — 漢字 ✓"), Cow::Borrowed("naïve — 漢字 ✓")));
    }

    #[test]
    fn a_long_name_is_cut_at_a_character() {
        assert_eq!(shorten("ééé", 2), "éé…");
        assert_eq!(shorten("éé", 2), "éé");
    }
}
