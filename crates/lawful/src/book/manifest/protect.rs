//! `protect`: what no agent may change, whatever the guards say.

mod paths;

use lawful_syntax::{Diagnostic, Node, Span, escape};

use super::hooks::is_pattern;
use super::setting;
use crate::code;
use crate::decode::{Fields, boolean, list, text};

pub use paths::ProtectedPaths;

/// What no agent may change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Protect {
    /// Whether the settings with our hooks, the state folder and the commands that change what is
    /// trusted are protected.
    pub law: bool,
    /// What happens when an agent edits a file of the lawbook. `None`: it may.
    pub book: Option<EditBook>,
    /// Patterns of protected files: relative to the project, absolute, or below `~/`.
    pub paths: Vec<(Box<str>, Span)>,
}

impl Default for Protect {
    fn default() -> Self {
        Self { law: true, book: None, paths: Vec::new() }
    }
}

impl Protect {
    /// Compiles the patterns. A pattern that starts with `~/` is below `home`, and matches nothing
    /// without a home.
    pub fn compile(&self, home: Option<&str>) -> ProtectedPaths {
        self.compile_in(home, None)
    }

    /// The same for a project whose root is known. An absolute pattern that lies inside it matches
    /// paths of the project.
    pub fn compile_in(&self, home: Option<&str>, project: Option<&str>) -> ProtectedPaths {
        let patterns = self.paths.iter().map(|(pattern, _)| &**pattern);
        ProtectedPaths::new(patterns, home, project)
    }
}

/// What happens when an agent edits a file of the lawbook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EditBook {
    /// A person is asked.
    Ask,
    /// It is denied.
    Deny,
}

impl EditBook {
    /// Every choice with its name.
    pub const NAMES: [(&'static str, Self); 2] = [("ask", Self::Ask), ("deny", Self::Deny)];
}

/// The keys of `protect`.
pub(crate) const KEYS: [&str; 3] = ["law", "book", "paths"];

pub(super) fn protect(node: &Node, problems: &mut Vec<Diagnostic>) -> Protect {
    let mut protect = Protect::default();
    let Some(fields) = Fields::of(node, "`protect`", &KEYS, problems) else { return protect };
    if let Some(node) = fields.get("law") {
        protect.law = boolean(node, "`law`", problems).unwrap_or(true);
    }
    if let Some(node) = fields.get("book") {
        protect.book = setting("book", node, &EditBook::NAMES, problems);
    }
    let Some(node) = fields.get("paths") else { return protect };
    for item in list(node, "`paths`", "patterns", problems) {
        let Some(written) = text(item, "a pattern in `paths`", problems) else { continue };
        if let Some(pattern) = normal(written, item.span, problems)
            && is_pattern(&pattern, item.span, problems)
        {
            protect.paths.push((pattern.into(), item.span));
        }
    }
    protect
}

/// A pattern without `.`, empty parts and a slash at its end, or a diagnostic if it has `..`.
fn normal(written: &str, span: Span, problems: &mut Vec<Diagnostic>) -> Option<String> {
    if written.split('/').any(|part| part == "..") || written.contains('\0') {
        let message = format!("`{}` is not a valid pattern of `paths`", escape::name(written));
        problems.push(Diagnostic::new(&code::BAD_VALUE, span, message).help(
            "write it relative to the root of the project, from the root of the disk (`/…`), \
             or from the home folder (`~/…`)",
        ));
        return None;
    }
    let root = if written.starts_with('/') { "/" } else { "" };
    let parts: Vec<&str> = written.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    Some(format!("{root}{}", parts.join("/")))
}
