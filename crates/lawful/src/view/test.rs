//! `lawful test`: the results of scenarios.

use std::sync::Arc;

use lawful_syntax::{Diagnostic, Sources};
use serde::Serialize;

use super::coverage::{CoverageView, MutationView};
use super::verify::PlaceView;
use crate::diagnostics::Diagnostics;
use crate::scenario::{Failure, TestOutcome};
use crate::value::Value;

/// The results of all scenarios: `{"scenarios", "passed", "failed", "errors", "coverage"?, "mutation"?}`
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct TestReport {
    /// Every scenario, in the order of their files.
    pub scenarios: Vec<TestedScenario>,
    /// How many passed.
    pub passed: usize,
    /// How many failed.
    pub failed: usize,
    /// How many have errors, or could not be played to their end.
    pub errors: usize,
    /// How many expectations are empty: `expect: {}`, which `--bless` fills.
    #[serde(skip_serializing_if = "is_zero")]
    pub unfilled: usize,
    /// What they cover, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage: Option<CoverageView>,
    /// The mutants that they notice, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mutation: Option<MutationView>,
}

impl TestReport {
    /// The report on these scenarios.
    pub fn new(scenarios: Vec<TestedScenario>) -> Self {
        let count = |wanted: TestOutcome| {
            scenarios.iter().filter(|scenario| scenario.result == wanted).count()
        };
        let (passed, failed) = (count(TestOutcome::Pass), count(TestOutcome::Fail));
        let errors = count(TestOutcome::Error);
        let unfilled = scenarios.iter().map(|scenario| scenario.unfilled).sum();
        Self { scenarios, passed, failed, errors, unfilled, coverage: None, mutation: None }
    }

    /// The worst result of all scenarios.
    pub fn result(&self) -> TestOutcome {
        let results = self.scenarios.iter().map(|scenario| scenario.result);
        results.max().unwrap_or(TestOutcome::Pass)
    }
}

/// The result of one scenario: `{"name", "file", "result", "failures", "diagnostics"?}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct TestedScenario {
    /// Its name.
    pub name: String,
    /// Its file.
    pub file: String,
    /// `pass`, `fail` or `error`.
    pub result: TestOutcome,
    /// The expectations that do not hold.
    pub failures: Vec<ExpectationView>,
    /// Why it has no result.
    #[serde(skip_serializing_if = "is_empty")]
    pub diagnostics: Diagnostics,
    /// The failures as diagnostics, for people and for CI systems.
    #[serde(skip)]
    pub problems: Diagnostics,
    /// How many of its expectations are empty.
    #[serde(skip)]
    pub unfilled: usize,
}

impl TestedScenario {
    /// The result of a scenario that was played, or that has problems.
    pub(crate) fn new(
        (name, file): (String, String),
        failures: &[Failure],
        problems: Vec<Diagnostic>,
        sources: &Arc<Sources>,
    ) -> Self {
        let is_error = problems.iter().any(Diagnostic::is_error);
        let result = match (is_error, failures.is_empty()) {
            (true, _) => TestOutcome::Error,
            (false, false) => TestOutcome::Fail,
            (false, true) => TestOutcome::Pass,
        };
        let mut shown: Vec<Diagnostic> = failures.iter().map(Failure::diagnostic).collect();
        shown.extend(problems.iter().cloned());
        Self {
            name,
            file,
            result,
            failures: failures.iter().map(|one| ExpectationView::new(one, sources)).collect(),
            diagnostics: Diagnostics::new(problems, sources.clone()),
            problems: Diagnostics::in_order(shown, sources.clone()),
            unfilled: 0,
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// An expectation that does not hold: `{"step", "what", "expected", "actual", "why", "place"?}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ExpectationView {
    /// The number of the step, from 1.
    pub step: usize,
    /// The key of the expectation: `fired`, `prompt.contains`.
    pub what: &'static str,
    /// What was expected, as it is written.
    pub expected: Value,
    /// What was there.
    pub actual: Value,
    /// Why, a line for each reason.
    pub why: String,
    /// Where the expectation is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<PlaceView>,
}

impl ExpectationView {
    fn new(failure: &Failure, sources: &Sources) -> Self {
        Self {
            step: failure.step,
            what: failure.what,
            expected: failure.expected.clone(),
            actual: failure.actual.clone(),
            why: failure.why.join("\n"),
            place: PlaceView::of(failure.span, sources),
        }
    }
}

fn is_empty(diagnostics: &Diagnostics) -> bool {
    diagnostics.is_empty()
}
