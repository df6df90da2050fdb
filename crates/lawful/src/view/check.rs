//! `lawful check`.

use lawful_syntax::render::{DiagnosticView, view};
use lawful_syntax::{Diagnostic, Severity, Sources};
use serde::Serialize;

/// `{"diagnostics": […], "errors": n, "warnings": n, "graph"?: text}`
#[derive(Debug, Serialize)]
pub struct CheckView {
    /// Every problem, sorted by place.
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
    /// The view of these problems.
    pub fn new(problems: &[Diagnostic], sources: &Sources) -> Self {
        let count = |severity: Severity| {
            let counts =
                |problem: &&Diagnostic| problem.severity == severity && !problem.stands_for_more();
            problems.iter().filter(counts).count()
        };
        let diagnostics = problems.iter().map(|problem| view(problem, sources)).collect();
        let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
        Self { diagnostics, errors, warnings, graph: None }
    }
}
