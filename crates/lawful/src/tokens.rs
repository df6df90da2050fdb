//! Tokens: a labelled estimate, which is all a library without a vocabulary can give.

/// About how many tokens a text has: one for every four bytes, which is near enough for prose.
pub fn estimate(text: &str) -> usize {
    text.len().div_ceil(4)
}

/// How tokens are counted.
pub type Counter<'c> = &'c dyn Fn(&str) -> usize;
