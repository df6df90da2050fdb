//! One key of a settings file: read, set, and put back, with everything else kept.
//!
//! The key stands at the top of the document and its value of ours is a string. What stood there
//! before is kept as it was written, whatever it is.

mod env;
pub(crate) mod json;
mod toml;

use crate::EditError;
use crate::glue::Glue;
use crate::harness::Syntax;

/// A value as it stands in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Held {
    /// As it is written.
    pub(crate) raw: String,
    /// The string that it is, if it is one.
    pub(crate) text: Option<String>,
}

/// The value of a key.
pub(crate) fn get(syntax: Syntax, file: &str, key: &str) -> Result<Option<Held>, EditError> {
    match syntax {
        Syntax::Json => json::get(file, key),
        Syntax::Toml => toml::get(file, key),
        Syntax::Env => env::get(file, key),
    }
}

/// The file with a string under the key, and what was put around the key if it was not there before.
pub(crate) fn set(
    syntax: Syntax,
    file: &str,
    key: &str,
    text: &str,
) -> Result<(String, Option<Glue>), EditError> {
    let (written, glue) = match syntax {
        Syntax::Json => json::set(file, key, text)?,
        Syntax::Toml => toml::set(file, key, text)?,
        Syntax::Env => env::set(file, key, text)?,
    };
    // Whatever the text is, it must come back as it went in.
    match get(syntax, &written, key)? {
        Some(held) if held.text.as_deref() == Some(text) => Ok((written, glue)),
        Some(_) | None => Err(EditError::NotKept(key.to_owned())),
    }
}

/// The file with the key as it was before: as it was written, or not there.
pub(crate) fn put_back(
    syntax: Syntax,
    file: &str,
    key: &str,
    earlier: Earlier<'_>,
) -> Result<String, EditError> {
    match (syntax, earlier) {
        (Syntax::Json, Earlier::Value(raw)) => json::put(file, key, raw).map(|(file, _)| file),
        (Syntax::Toml, Earlier::Value(raw)) => toml::put(file, key, raw).map(|(file, _)| file),
        (Syntax::Env, Earlier::Value(raw)) => env::put(file, key, raw).map(|(file, _)| file),
        (Syntax::Json, Earlier::Nothing(glue)) => json::remove(file, key, glue),
        (Syntax::Toml, Earlier::Nothing(glue)) => toml::remove(file, key, glue),
        (Syntax::Env, Earlier::Nothing(glue)) => env::remove(file, key, glue),
    }
}

/// What there was of a key before it was set.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Earlier<'e> {
    /// This value, as it was written.
    Value(&'e str),
    /// Nothing; this was put around the key.
    Nothing(&'e Glue),
}

#[cfg(test)]
mod tests;
