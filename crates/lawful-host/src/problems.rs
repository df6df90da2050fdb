//! Diagnostics together with the texts that they point into.

use std::path::Path;

use lawful::code;
use lawful::syntax::render::{DiagnosticView, Style, human, view};
use lawful::syntax::{Diagnostic, Sources, Span, sort};
use serde::{Serialize, Serializer};

/// Diagnostics of a result. They serialise as a list of their public shape.
#[derive(Clone, Debug, Default)]
pub struct Problems {
    /// The texts that they point into.
    pub sources: Sources,
    /// The diagnostics.
    pub list: Vec<Diagnostic>,
}

impl Problems {
    /// Diagnostics, sorted by place.
    pub fn sorted(mut list: Vec<Diagnostic>, sources: Sources) -> Self {
        sort(&mut list, &sources);
        Self { sources, list }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The public shape of each.
    pub fn views(&self) -> Vec<DiagnosticView> {
        self.list.iter().map(|problem| view(problem, &self.sources)).collect()
    }
}

impl Serialize for Problems {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.list.iter().map(|problem| view(problem, &self.sources)))
    }
}

/// Why a verb has no result.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The texts that the problems point into.
    pub sources: Sources,
    /// What is wrong.
    pub problems: Vec<Diagnostic>,
}

impl Failure {
    /// A problem without a place.
    pub fn of(problem: Diagnostic) -> Self {
        Self { sources: Sources::default(), problems: vec![problem] }
    }

    /// A problem with a path that could not be read.
    pub fn instead_of(path: &Path, problem: impl FnOnce(Span) -> Diagnostic) -> Self {
        let mut sources = Sources::default();
        let file = sources.add_unread(path.display().to_string());
        let problems = vec![problem(Span::start_of(file))];
        Self { sources, problems }
    }

    /// A request that cannot be carried out as it is.
    pub fn usage(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::of(Diagnostic::new(&code::USAGE, Span::NONE, message).help(help.into()))
    }

    /// Problems, sorted by place.
    pub fn sorted(mut problems: Vec<Diagnostic>, sources: Sources) -> Self {
        sort(&mut problems, &sources);
        Self { sources, problems }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(human(&self.problems, &self.sources, Style::Plain).trim_end())
    }
}

impl std::error::Error for Failure {}
