//! The error type of the library.

use std::fmt;
use std::sync::Arc;

use lawful_syntax::render::Style;
use lawful_syntax::{Diagnostic, Sources, Span};

use crate::code;
use crate::cond::RegistrationError;
use crate::diagnostics::Diagnostics;
use crate::path::PathError;

/// The error of every verb: one or more diagnostics, with the texts they point into.
///
/// It prints as the command line reports it, with a place and a help.
#[derive(Clone)]
pub struct Error(Box<Body>);

#[derive(Clone)]
struct Body {
    kind: ErrorKind,
    diagnostics: Diagnostics,
}

/// What kind of failure it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// No lawbook was found.
    NoLawbook,
    /// Documents that the verb needs have errors.
    Lawbook,
    /// The caller passed invalid input: an unknown name, an invalid value or text.
    Input,
    /// A prompt breaks the core contract, so no prompt is returned.
    Contract,
    /// A limit was reached, or the result is undecided.
    Undecided,
}

impl Error {
    /// An error of this kind.
    pub fn new(kind: ErrorKind, diagnostics: Diagnostics) -> Self {
        Self(Box::new(Body { kind, diagnostics }))
    }

    /// An error with one diagnostic without a place.
    pub fn without_place(kind: ErrorKind, diagnostic: Diagnostic) -> Self {
        Self::new(kind, Diagnostics::in_order(vec![diagnostic], Arc::default()))
    }

    /// An error with one diagnostic about a file or folder that could not be read.
    pub fn about(
        kind: ErrorKind,
        name: impl Into<String>,
        diagnostic: impl FnOnce(Span) -> Diagnostic,
    ) -> Self {
        let mut sources = Sources::default();
        let file = sources.add_unread(name);
        let list = vec![diagnostic(Span::start_of(file))];
        Self::new(kind, Diagnostics::in_order(list, Arc::new(sources)))
    }

    /// What kind of failure it is.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The diagnostics.
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.0.diagnostics
    }

    /// Returns the diagnostics.
    pub fn into_diagnostics(self) -> Diagnostics {
        self.0.diagnostics
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.diagnostics.render(Style::Plain).trim_end())
    }
}

/// The same as `Display`, because a program that returns an error from `main` prints it with
/// `Debug`.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:?}", self.0.kind)?;
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {}

/// Lets `?` work on conversions that cannot fail.
impl From<std::convert::Infallible> for Error {
    fn from(never: std::convert::Infallible) -> Self {
        match never {}
    }
}

/// A text that is not a path.
impl From<PathError> for Error {
    fn from(error: PathError) -> Self {
        let problem = Diagnostic::new(&code::BAD_PATH, Span::NONE, error.to_string())
            .help("write a path such as `a.b`, `a[0].c` or `a[\"x.y\"]`");
        Self::without_place(ErrorKind::Input, problem)
    }
}

/// A primitive that cannot be registered.
impl From<RegistrationError> for Error {
    fn from(error: RegistrationError) -> Self {
        let problem = Diagnostic::new(&code::BAD_VALUE, Span::NONE, error.to_string())
            .help("choose another id, and paths without `[*]`");
        Self::without_place(ErrorKind::Input, problem)
    }
}
