//! Properties of texts: line ends, byte order marks, hashes.
//!
//! A text means the same with either kind of line end, and a checkout can convert them, so
//! comparisons ignore line ends.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

/// A hash of every byte.
pub(crate) fn hash(text: &str) -> String {
    hash_bytes(text.as_bytes())
}

/// A hash of every byte.
pub(crate) fn hash_bytes(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        let _ = write!(out, "{byte:02x}");
    }
    out
}

/// A short hash of the lines, to show in a file.
pub(crate) fn short_hash(text: &str) -> String {
    let mut hash = hash(&with_plain_lines(text));
    hash.truncate(16);
    hash
}

/// The text with lines that end in `\n`.
pub(crate) fn with_plain_lines(text: &str) -> String {
    text.replace("\r\n", "\n")
}

/// The line end of a text.
pub(crate) fn line_end(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text.get(..at).is_some_and(|line| line.ends_with('\r')) => "\r\n",
        Some(_) | None => "\n",
    }
}

/// A byte order mark, and the rest.
pub(crate) fn mark(text: &str) -> (&str, &str) {
    let length = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    text.split_at(length)
}
