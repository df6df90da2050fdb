//! The law that a turn was worked out by.
//!
//! A log says *what* was decided; to play it again one needs what decided it. So the text of a book
//! is kept with the sessions, once for each hash.

use serde::Serialize;

use crate::Json;

/// The text of a lawbook and its hash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Book {
    /// A mark that only this text has. The caller makes it, and can check it when it reads the text
    /// back.
    pub hash: String,
    /// The text.
    pub text: Json,
}
