//! Counting tokens: an estimate, or exactly with a vocabulary that is unpacked on demand.

use std::io::Read;

use flate2::read::DeflateDecoder;
use lawful::tokens::{self, Tokenizer};
use rustc_hash::FxHashMap;
use tiktoken_rs::{CoreBPE, O200K_BASE_PAT_STR, Rank};

/// The tokens in the order of their ranks, each after its length. The build script packs them.
static O200K: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/o200k.deflate"));

/// A way to count tokens, and its name.
pub(crate) struct TokenCount {
    count: Box<dyn Fn(&str) -> usize>,
    /// `estimate` or `o200k`.
    pub(crate) method: &'static str,
}

impl TokenCount {
    /// Exact counting takes about a tenth of a second to set up.
    pub(crate) fn new(exact: bool) -> Self {
        if exact && let Some(vocabulary) = o200k() {
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

/// The o200k vocabulary, without its special tokens: they never occur in text.
fn o200k() -> Option<CoreBPE> {
    let mut unpacked = Vec::new();
    DeflateDecoder::new(O200K).read_to_end(&mut unpacked).ok()?;
    let mut ranks = FxHashMap::default();
    let mut rest = unpacked.as_slice();
    while let Some((length, after)) = rest.split_first() {
        let (token, after) = after.split_at_checked(usize::from(*length))?;
        ranks.insert(token.to_vec(), Rank::try_from(ranks.len()).ok()?);
        rest = after;
    }
    CoreBPE::new(ranks, FxHashMap::default(), O200K_BASE_PAT_STR).ok()
}

#[cfg(test)]
mod tests {
    use super::o200k;

    #[test]
    fn the_packed_vocabulary_is_the_original() {
        let (packed, original) = (o200k().unwrap(), tiktoken_rs::o200k_base().unwrap());
        let text = include_str!("../../../docs/compose.md");
        for text in
            [text, "", "naïve 東京 <|endoftext|>\r\n\t 007 \u{1f600}", "aaaaaaaaaaaaaaaaaaaaaa"]
        {
            assert_eq!(packed.encode_ordinary(text), original.encode_ordinary(text));
        }
        for rank in 0..199_998 {
            let (packed, original) = (packed.decode_bytes(&[rank]), original.decode_bytes(&[rank]));
            assert_eq!(packed.ok(), original.ok());
        }
    }
}
