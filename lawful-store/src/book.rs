//! The law that a turn was worked out by.
//!
//! A log says *what* was decided; to play it again one needs what decided it. So the text of a book
//! is kept with the sessions, once for each distinct text, under its hash.

use std::fmt::Write as _;

use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::Json;

/// The text of a lawbook and its hash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Book {
    hash: String,
    text: Json,
}

impl Book {
    /// A book; its hash is the SHA-256 of its text.
    pub fn new(text: Json) -> Self {
        let mut hash = String::with_capacity(64);
        for byte in Sha256::digest(text.text().as_bytes()) {
            let _ = write!(hash, "{byte:02x}");
        }
        Self { hash, text }
    }

    /// The hash, as 64 hexadecimal digits.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// The text.
    pub fn text(&self) -> &Json {
        &self.text
    }
}
