//! The fingerprint of a lawbook.

use std::fmt;

use serde::{Serialize, Serializer};

/// The SHA-256 of everything in a lawbook that decides, written as `sha256:` and 64 hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fingerprint(String);

impl Fingerprint {
    /// Reads a fingerprint, with or without `sha256:`.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.trim();
        let digits = digits.strip_prefix("sha256:").unwrap_or(digits);
        let valid = digits.len() == 64 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        valid.then(|| Self(digits.to_ascii_lowercase()))
    }

    /// The fingerprint of a bundle.
    pub(crate) fn of(bundle: &lawful::book::Bundle) -> Self {
        Self(bundle.fingerprint().to_owned())
    }

    /// The hexadecimal digits.
    pub fn digits(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sha256:{}", self.0)
    }
}

impl Serialize for Fingerprint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fingerprint_has_64_digits() {
        let digits = "0123456789ABCDEF".repeat(4);
        let read = Fingerprint::parse(&format!("sha256:{digits}\n")).unwrap();
        assert_eq!(read.to_string(), format!("sha256:{}", digits.to_lowercase()));
        assert_eq!(Fingerprint::parse(&digits), Some(read));
        for text in [
            "",
            "sha256:",
            "sha256:0",
            digits.trim_start_matches('0'),
            &format!("{digits}0"),
            &"g".repeat(64),
        ] {
            assert_eq!(Fingerprint::parse(text), None, "{text}");
        }
    }
}
