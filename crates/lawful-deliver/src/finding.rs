//! Problems of a delivery, as plain data.

use lawful::syntax::Code;

/// A problem: its kind, file, message and help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The kind of problem.
    pub code: &'static Code,
    /// The file, as shown to the user.
    pub path: Option<String>,
    /// The line, from 1.
    pub line: usize,
    /// A short phrase.
    pub message: String,
    /// The help.
    pub help: String,
}

impl Finding {
    pub(crate) fn new(
        code: &'static Code,
        path: Option<&str>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        let path = path.map(ToOwned::to_owned);
        Self { code, path, line: 1, message: message.into(), help: help.into() }
    }
}
