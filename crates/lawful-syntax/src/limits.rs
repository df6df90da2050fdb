//! Limits for a document.

use crate::{Code, codes};

/// Limits for one document. Exceeding one is a diagnostic, never a truncated result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The largest file, in bytes.
    pub bytes: usize,
    /// The maximal nesting of lists and mappings.
    pub depth: usize,
    /// The maximal size of what aliases add: one for each repeated node, and one for each byte of
    /// its text.
    pub aliases: usize,
}

impl Limits {
    /// The help for a document over the limit on bytes.
    pub fn help_on_bytes(&self, help: &str) -> String {
        or_raise(help, "document-bytes", self.bytes, Self::default().bytes)
    }

    /// The help for a document over the limit on depth.
    pub fn help_on_depth(&self, help: &str) -> String {
        or_raise(help, "document-depth", self.depth, Self::default().depth)
    }

    /// The help for a value that was sent and dropped, with this code.
    pub(crate) fn help_on_dropped(&self, code: &Code) -> String {
        let help = "send a value within the limits";
        if code == &codes::TOO_DEEP {
            self.help_on_depth(help)
        } else if code == &codes::TOO_LARGE {
            self.help_on_bytes(help)
        } else {
            help.to_owned()
        }
    }

    /// The help for a document over the limit on aliases.
    pub fn help_on_aliases(&self, help: &str) -> String {
        or_raise(help, "alias-expansion", self.aliases, Self::default().aliases)
    }
}

/// The help of a diagnostic about a limit: what to do, and the key of the manifest that raises the
/// limit if it is below the most that the key can set.
pub fn or_raise(help: &str, key: &str, limit: usize, most: usize) -> String {
    if limit < most {
        format!("{help}, or raise `limits.{key}` in `lawful.yaml`")
    } else {
        help.to_owned()
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 16 * 1024 * 1024, depth: 128, aliases: 1_000_000 }
    }
}
