//! The text of a manifest: that of the template, with more under its keys.

use std::fmt::Write as _;

/// A manifest as text, so that its comments stay.
#[derive(Clone, Debug)]
pub(super) struct ManifestText(String);

impl ManifestText {
    pub(super) fn new(text: String) -> Self {
        Self(text)
    }

    pub(super) fn text(&self) -> &str {
        &self.0
    }

    /// Adds lines below a line that is there exactly so; says whether it is.
    pub(super) fn insert_below(&mut self, line: &str, lines: &[String]) -> bool {
        let mut at = 0;
        for known in self.0.split_inclusive('\n') {
            at += known.len();
            if known.trim_end() == line {
                let mut more = String::new();
                for line in lines {
                    let _ = writeln!(more, "{line}");
                }
                self.0.insert_str(at, &more);
                return true;
            }
        }
        false
    }

    /// Adds lines below a key at the top, which is added with a comment if it is not there.
    pub(super) fn under(&mut self, key: &str, comment: &str, lines: &[String]) {
        if lines.is_empty() || self.insert_below(&format!("{key}:"), lines) {
            return;
        }
        let _ = writeln!(self.0, "\n# {comment}\n{key}:");
        for line in lines {
            let _ = writeln!(self.0, "{line}");
        }
    }

    /// Adds a text at the end.
    pub(super) fn append(&mut self, text: &str) {
        self.0.push('\n');
        self.0.push_str(text);
    }
}
