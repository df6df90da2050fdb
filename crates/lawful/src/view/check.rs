//! `lawful check`.

use lawful_syntax::render::DiagnosticView;
use serde::Serialize;

use crate::diagnostics::Diagnostics;

/// The problems of a lawbook: `{"diagnostics", "errors", "warnings", "graph"?}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct CheckReport {
    /// Every problem, sorted by place.
    pub diagnostics: Diagnostics,
    /// The number of errors. Problems above the limit for one file are not counted.
    pub errors: usize,
    /// The number of warnings, counted the same way.
    pub warnings: usize,
    /// Which rule can trigger which, if requested.
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

/// The problems of several lawbooks, or of a command that failed, in the same shape.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct CheckView {
    /// Every problem, by lawbook and place.
    pub diagnostics: Vec<DiagnosticView>,
    /// The number of errors. Problems above the limit for one file are not counted.
    pub errors: usize,
    /// The number of warnings, counted the same way.
    pub warnings: usize,
    /// Which rule can trigger which, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub graph: Option<String>,
}

impl CheckView {
    /// Adds the problems of one lawbook.
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
