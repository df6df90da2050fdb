//! One key of a settings file: reading, setting and restoring it, with everything else kept.
//!
//! The key is at the top level, and Lawful's value is a string. The earlier value is kept verbatim.

mod env;
pub(crate) mod json;
mod toml;

use crate::EditError;
use crate::harness::Syntax;
use crate::separators::Separators;

/// A value in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Held {
    /// The value as written.
    pub(crate) raw: String,
    /// The string, if it is one.
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

/// Sets a key to a string; also returns the separators around it if the key is new.
pub(crate) fn set(
    syntax: Syntax,
    file: &str,
    key: &str,
    text: &str,
) -> Result<(String, Option<Separators>), EditError> {
    let (written, separators) = match syntax {
        Syntax::Json => json::set(file, key, text)?,
        Syntax::Toml => toml::set(file, key, text)?,
        Syntax::Env => env::set(file, key, text)?,
    };
    // Every text must round-trip.
    match get(syntax, &written, key)? {
        Some(held) if held.text.as_deref() == Some(text) => Ok((written, separators)),
        Some(_) | None => Err(EditError::NotKept(key.to_owned())),
    }
}

/// Restores the key to its earlier state.
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
        (Syntax::Json, Earlier::Nothing(separators)) => json::remove(file, key, separators),
        (Syntax::Toml, Earlier::Nothing(separators)) => toml::remove(file, key, separators),
        (Syntax::Env, Earlier::Nothing(separators)) => env::remove(file, key, separators),
    }
}

/// The separators that were probably added around a key.
pub(crate) fn around(syntax: Syntax, file: &str, key: &str) -> Separators {
    match syntax {
        Syntax::Json => json::around(file, key),
        Syntax::Toml | Syntax::Env => {
            Separators { before: String::new(), after: "\n".to_owned(), ended: true }
        }
    }
}

/// Whether there is nothing in a settings file.
pub(crate) fn is_bare(syntax: Syntax, file: &str) -> bool {
    match syntax {
        Syntax::Json => json::is_bare(file),
        Syntax::Toml | Syntax::Env => file.trim().is_empty(),
    }
}

/// The earlier state of a key.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Earlier<'e> {
    /// This value, as written.
    Value(&'e str),
    /// Absent; these separators were added around the key.
    Nothing(&'e Separators),
}

#[cfg(test)]
mod tests;
