//! Settings of a client, without what could run a program, load code, or hold a credential.
//!
//! The copy of a settings file must decide what arrives as the original does, so a setting is cut out
//! of the text and every other byte stays: a comment or a comma that makes the client reject the file
//! makes it reject the copy. A setting goes if the table of the client names its path, or if a whole
//! word of its name says that it starts something, loads something, connects to something or
//! identifies someone. A number, a boolean or `null` can do none of this and stays.

mod front_matter;
mod json;
mod names;
mod toml;

use lawful_deliver::Syntax;

pub use json::with_members;

/// A text without what could run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Harmless {
    /// The text that is left.
    pub text: String,
    /// The paths of the settings that are gone.
    pub removed: Vec<String>,
}

/// A settings file without harmful settings, which are those at the paths of `forbidden` (`*` is any
/// name) and those with a harmful name; `None` if it cannot be parsed. Of a file of variables only
/// those in `variables` stay.
pub fn harmless(
    syntax: Syntax,
    file: &str,
    forbidden: &[&str],
    variables: &[&str],
) -> Option<Harmless> {
    let (mark, body) = mark(file);
    let (text, removed) = match syntax {
        Syntax::Json => json::without(body, forbidden)?,
        Syntax::Toml => toml::without(body, forbidden)?,
        Syntax::Env => {
            let is_kept = |line: &&str| {
                let line = line.trim_start();
                let line = line.strip_prefix("export ").unwrap_or(line);
                line.split_once('=').is_some_and(|(name, _)| variables.contains(&name.trim()))
            };
            (body.split_inclusive('\n').filter(is_kept).collect(), Vec::new())
        }
    };
    Some(Harmless { text: format!("{mark}{text}"), removed })
}

/// A text without harmful settings in its front matter; `None` if it is not clear what they are.
pub fn harmless_text(file: &str) -> Option<Harmless> {
    let (mark, body) = mark(file);
    let (text, removed) = front_matter::without(body)?;
    Some(Harmless { text: format!("{mark}{text}"), removed })
}

/// The longer texts in a settings file, such as a prompt.
pub fn strings(syntax: Syntax, text: &str) -> Vec<String> {
    /// Shorter ones are names and numbers.
    const SHORTEST: usize = 40;
    let (_, body) = mark(text);
    let mut found = match syntax {
        Syntax::Json => json::strings(body),
        Syntax::Toml => toml::strings(body),
        Syntax::Env => Vec::new(),
    };
    found.retain(|text| text.len() >= SHORTEST);
    found
}

/// A byte order mark, and the rest.
fn mark(text: &str) -> (&str, &str) {
    let length = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    text.split_at(length)
}

#[cfg(test)]
mod tests;
