//! `lawful check`.

use lawful_syntax::render::DiagnosticView;
use serde::Serialize;

use crate::diagnostics::Diagnostics;

/// The problems of a book: `{"diagnostics", "errors", "warnings", "graph"?}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct CheckReport {
    /// Every problem, sorted by place.
    pub diagnostics: Diagnostics,
    /// How many are errors; of a file with more problems than are kept, those that are.
    pub errors: usize,
    /// How many are warnings, likewise.
    pub warnings: usize,
    /// Which rule can trigger which, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub graph: Option<String>,
}

impl CheckReport {
    /// The report of these problems.
    pub fn new(diagnostics: Diagnostics) -> Self {
        let (errors, warnings) = (diagnostics.errors(), diagnostics.warnings());
        Self { diagnostics, errors, warnings, graph: None }
    }
}

/// The problems of several books, or of a command that could not answer, in the same shape.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct CheckView {
    /// Every problem, book by book, sorted by place.
    pub diagnostics: Vec<DiagnosticView>,
    /// How many are errors; of a file with more problems than are kept, those that are.
    pub errors: usize,
    /// How many are warnings, likewise.
    pub warnings: usize,
    /// Which rule can trigger which, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub graph: Option<String>,
}

impl CheckView {
    /// Adds the problems of one book.
    pub fn add(&mut self, diagnostics: &Diagnostics) {
        self.errors += diagnostics.errors();
        self.warnings += diagnostics.warnings();
        self.diagnostics.extend(diagnostics.views());
    }
}

impl From<&Diagnostics> for CheckView {
    fn from(diagnostics: &Diagnostics) -> Self {
        let mut view = Self::default();
        view.add(diagnostics);
        view
    }
}
