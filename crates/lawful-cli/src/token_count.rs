//! Counting tokens: estimated, or exactly by a vocabulary that is loaded only when asked for.

use lawful::tokens::{self, Tokenizer};

/// A way to count, and what to call it.
pub(crate) struct TokenCount {
    count: Box<dyn Fn(&str) -> usize>,
    /// `estimate` or `o200k`.
    pub(crate) method: &'static str,
}

impl TokenCount {
    /// Exact counting takes about a tenth of a second to set up.
    pub(crate) fn new(exact: bool) -> Self {
        if exact && let Ok(vocabulary) = tiktoken_rs::o200k_base() {
            let count = move |text: &str| vocabulary.encode_ordinary(text).len();
            return Self { count: Box::new(count), method: "o200k" };
        }
        Self { count: Box::new(tokens::estimate), method: "estimate" }
    }

    /// The same for the library.
    pub(crate) fn tokenizer(&self) -> Tokenizer<'_> {
        Tokenizer::new(self.method, &*self.count)
    }

    /// A number of tokens as people read it.
    pub(crate) fn shown(&self, count: usize) -> String {
        let about = if self.method == "estimate" { "about " } else { "" };
        format!("{about}{count} tokens")
    }
}
