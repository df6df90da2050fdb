//! The lawbook that a turn was computed with.
//!
//! A log says *what* was decided; a replay needs the rules that decided it. So the text of a
//! lawbook is stored with the sessions, once per hash.

use serde::{Deserialize, Serialize};

use crate::Json;

/// The text of a lawbook and its hash.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Book {
    /// A hash of the text. The caller computes it, and can check it after reading the text.
    pub hash: String,
    /// The text.
    pub text: Json,
}
