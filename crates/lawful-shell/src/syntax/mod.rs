//! The grammar: text to a tree of commands.
//!
//! This is a recursive-descent parser for the language of bash. It keeps only what decides which
//! commands run: simple commands, the order and conditions between them, and the substitutions
//! in every word. Arithmetic, patterns and test expressions are scanned for substitutions and not
//! otherwise understood.
//!
//! **Invariants:**
//! - Text that bash might read differently is an error, never a guess.
//! - Nesting and work are bounded ([`Limits`]), so no input overflows the stack or hangs.

mod command;
mod compound;
mod cursor;
mod dollar;
mod heredoc;
mod tree;
mod word;

pub(crate) use cursor::{Fault, Limits};
pub(crate) use tree::{Node, Part, Redirect, RedirectKind, Separator, Simple, Word};

use cursor::Parser;

/// What the parser found in a text.
pub(crate) struct Parsed {
    /// Every simple command, in the order in which it ends in the text.
    pub(crate) simples: Vec<Simple>,
    /// The bodies of here-documents. A body that never came is `None`.
    pub(crate) bodies: Vec<Option<Word>>,
    /// The tree, or why the text does not parse.
    pub(crate) root: Result<Node, Fault>,
    /// Constructs that parse, but whose commands are known only at run time.
    pub(crate) notes: Vec<(&'static str, String)>,
}

/// The shell that will read the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Dialect {
    /// Bash, or a shell with the same grammar.
    Bash,
    /// A shell that may have no `[[` and no `((`, such as dash.
    Posix,
}

/// Parses a text as a list of commands.
pub(crate) fn parse(text: &str, dialect: Dialect, limits: Limits) -> Parsed {
    let mut parser = Parser::new(text, dialect, limits);
    let root = parser.script();
    Parsed { simples: parser.simples, bodies: parser.bodies, root, notes: parser.notes }
}
