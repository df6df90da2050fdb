//! Text to nodes with spans, and diagnostics that point into the text.
//!
//! Every document goes through here once: bytes become text ([`text`]), text becomes a [`Node`]
//! tree with the place of every key and value ([`parse`]), and every problem becomes a
//! [`Diagnostic`] that a renderer shows ([`render`]).
//!
//! **Invariant:** this crate knows nothing of lawbooks, conditions or rules, and does no I/O.
//!
//! ```
//! use lawful_syntax::{Format, Limits, Sources, parse, text};
//!
//! let mut sources = Sources::default();
//! let (file, _) = text::add(&mut sources, "greeting.yaml", b"tone: terse\nlevel: 3\n");
//! let (node, problems) = parse(&sources, file, Format::Yaml, &Limits::default());
//! assert!(problems.is_empty());
//! assert_eq!(node.unwrap().get("level").unwrap().describe(), "3");
//! ```

pub mod codes;
mod diagnostic;
pub mod escape;
mod front_matter;
mod json;
mod limits;
mod node;
mod packed;
mod problems;
pub mod render;
mod scalar;
mod span;
mod suggest;
pub mod text;
mod unquoted;
mod yaml;

pub use diagnostic::{Code, Diagnostic, KEPT, Label, Severity, sort};
pub use front_matter::{Page, parse_page};
pub use json::{Tree, is_dropped, parse_json, parse_json_leniently};
pub use limits::{Limits, or_raise};
pub use node::{Entry, Kind, Node};
pub use packed::{pack, unpack};
pub use scalar::{NumberError, parse_number};
pub use span::{File, FileId, Position, Sources, Span};
pub use suggest::{did_you_mean, nearest};

/// The format of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// YAML 1.2 with its core schema.
    Yaml,
    /// JSON, strictly by RFC 8259.
    Json,
}

impl Format {
    /// The format of a file name: JSON for `.json`, YAML for everything else.
    pub fn of(name: &str) -> Self {
        let extension = name.rsplit_once('.').map(|(_, extension)| extension);
        if extension.is_some_and(|extension| extension.eq_ignore_ascii_case("json")) {
            Self::Json
        } else {
            Self::Yaml
        }
    }
}

/// Parses a whole file into one node.
///
/// The node is `None` if the text has no tree at all, and then at least one diagnostic is an error.
/// A tree can have errors too, such as a duplicate key or a number out of range. Use such a tree to
/// look for more problems, never for a decision.
pub fn parse(
    sources: &Sources,
    file: FileId,
    format: Format,
    limits: &Limits,
) -> (Option<Node>, Vec<Diagnostic>) {
    let Some(source) = sources.file(file) else { return (None, Vec::new()) };
    let text = source.text();
    match format {
        Format::Yaml => yaml::parse(text, file, 0, limits),
        Format::Json => json::parse(text, file, limits),
    }
}

/// Parses a document that a host or an agent sent while it runs.
///
/// JSON is read by [`parse_json_leniently`], also from standard input and files without the ending
/// `.json`. Any other text is YAML and is read as strictly as a file.
pub fn parse_sent(
    sources: &Sources,
    file: FileId,
    format: Format,
    limits: &Limits,
) -> (Option<Node>, Vec<Diagnostic>) {
    let Some(source) = sources.file(file) else { return (None, Vec::new()) };
    let text = source.text();
    let (node, problems) = match format {
        Format::Yaml if !text.trim_start().starts_with(['{', '[']) => (None, Vec::new()),
        Format::Yaml | Format::Json => parse_json_leniently(text, file, limits),
    };
    match (node, format) {
        // A flow mapping of YAML starts like JSON.
        (None, Format::Yaml) => yaml::parse(text, file, 0, limits),
        (node, _) => (node, problems),
    }
}
