//! `lawful check`.

use lawful_syntax::render::{DiagnosticView, view};
use lawful_syntax::{Diagnostic, Sources};
use serde::Serialize;

/// `{"diagnostics": […], "errors": n, "warnings": n, "graph"?: text}`
#[derive(Debug, Serialize)]
pub struct CheckView {
    /// Every problem, sorted by place.
    pub diagnostics: Vec<DiagnosticView>,
    /// How many are errors.
    pub errors: usize,
    /// How many are warnings.
    pub warnings: usize,
    /// Which rule can trigger which, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub graph: Option<String>,
}

impl CheckView {
    /// The view of these problems.
    pub fn new(problems: &[Diagnostic], sources: &Sources) -> Self {
        let errors = problems.iter().filter(|problem| problem.is_error()).count();
        let diagnostics = problems.iter().map(|problem| view(problem, sources)).collect();
        Self { diagnostics, errors, warnings: problems.len() - errors, graph: None }
    }
}
