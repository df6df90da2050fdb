//! Limits for a document.

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

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 16 * 1024 * 1024, depth: 128, aliases: 1_000_000 }
    }
}
