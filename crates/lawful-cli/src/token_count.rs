//! Counting tokens: an estimate, or exactly with a vocabulary that is loaded on demand.

use lawful::tokens::{self, Tokenizer};

/// A way to count tokens, and its name.
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

    /// The same diagnostics as the type of the library.
    pub(crate) fn tokenizer(&self) -> Tokenizer<'_> {
        Tokenizer::new(self.method, &*self.count)
    }

    /// A number of tokens as text.
    pub(crate) fn shown(&self, count: usize) -> String {
        let about = if self.method == "estimate" { "about " } else { "" };
        let noun = if count == 1 { "token" } else { "tokens" };
        format!("{about}{count} {noun}")
    }
}
