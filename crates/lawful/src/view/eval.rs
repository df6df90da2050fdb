//! `lawful eval`.

use std::sync::Arc;

use lawful_syntax::Sources;
use serde::Serialize;

use crate::cond::{Condition, Explanation, Outcome, Registry};
use crate::diagnostics::Diagnostics;
use crate::value::Value;

/// An evaluated condition: `{"result", "reads", "explanation", "diagnostics"}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Evaluation {
    /// `true`, `false`, or `error` if the condition does not compile or could not be evaluated.
    pub result: Outcome,
    /// The paths that the condition may read.
    pub reads: Vec<String>,
    /// Why; null if the condition does not compile.
    pub explanation: Option<Explanation>,
    /// Every problem.
    pub diagnostics: Diagnostics,
}

impl Evaluation {
    /// Evaluates a condition over a document. The diagnostics point into `sources`.
    pub fn of(
        registry: &Registry,
        condition: &Condition,
        document: &Value,
        sources: Arc<Sources>,
    ) -> Self {
        let (compiled, problems) = registry.compile_with_warnings(condition);
        let diagnostics = Diagnostics::new(problems, sources);
        let Some((set, id)) = compiled else { return Self::undecided(diagnostics) };
        let mut run = set.run(document);
        let result = run.outcome(id);
        let explanation = Some(set.explain(id, document, &run.finish()));
        let reads = set.reads(id).iter().map(ToString::to_string).collect();
        Self { result, reads, explanation, diagnostics }
    }

    /// The result for a condition that could not be evaluated.
    pub fn undecided(diagnostics: Diagnostics) -> Self {
        Self { result: Outcome::Error, reads: Vec::new(), explanation: None, diagnostics }
    }
}
