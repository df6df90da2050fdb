//! How much a document may ask of us.

/// Bounds on one document. Reaching one is a diagnostic of its own, never a cut-off result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The largest file, in bytes.
    pub bytes: usize,
    /// How deeply lists and mappings may nest.
    pub depth: usize,
    /// How much aliases may add: one for each node they repeat and one for each byte of text in it.
    pub aliases: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 16 * 1024 * 1024, depth: 128, aliases: 1_000_000 }
    }
}
