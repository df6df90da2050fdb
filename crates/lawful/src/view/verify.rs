//! `lawful verify`.

use std::fmt::Write as _;
use std::sync::Arc;

use lawful_syntax::render::DiagnosticView;
use lawful_syntax::{Diagnostic, Sources, Span, escape};
use serde::Serialize;

use crate::diagnostics::Diagnostics;
use crate::value::Value;
use crate::verify::{Change, Finding, Judged, Judgement, Rulespec, Step, Subject, Verdict};

/// One envelope: `{"verdict", "passed", "failed", "skipped", "undecided", "predicates", "diagnostics"}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Verification {
    /// `pass`, `fail` or `undecided`.
    pub verdict: Verdict,
    /// How many predicates passed.
    pub passed: usize,
    /// How many failed, including those of severity `warning`.
    pub failed: usize,
    /// How many were skipped.
    pub skipped: usize,
    /// How many read something that was not observed.
    pub undecided: usize,
    /// Every predicate, in the order of the rulespec.
    pub predicates: Vec<PredicateView>,
    /// Other problems.
    pub diagnostics: Diagnostics,
}

/// The result of one predicate.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct PredicateView {
    /// Its index in the rulespec, from 0.
    pub index: usize,
    /// Its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The claim it judges.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claim: Option<String>,
    /// The relation it judges.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relation: Option<String>,
    /// The rule.
    pub rule: &'static str,
    /// `pass`, `fail`, `skipped` or `undecided`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["pass", "fail", "skipped", "undecided"])))]
    pub outcome: &'static str,
    /// It passed only because a value is absent.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub vacuous: bool,
    /// `error` or `warning`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["error", "warning"])))]
    pub severity: &'static str,
    /// Why, in one sentence.
    pub reason: String,
    /// The value of the rule; null if it has none.
    pub expected: Option<Value>,
    /// The actual value; null if absent.
    pub actual: Option<Value>,
    /// The smallest change to the facts that makes it pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<Vec<Change>>,
    /// The keys that it reads and that were not observed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unobserved: Vec<String>,
    /// The place in the envelope.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub envelope: Option<PlaceView>,
    /// The place in the rulespec.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rulespec: Option<PlaceView>,
    /// The source of the requirement.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// A note of its author.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
    /// Its derivation in the program.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub derivation: Vec<StepView>,
}

/// A place in a file.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct PlaceView {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
}

/// One fact of a derivation.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct StepView {
    /// The fact.
    pub fact: String,
    /// What it means.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub says: Option<String>,
    /// The place in the envelope that it comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub envelope: Option<PlaceView>,
    /// The facts it was derived from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub from: Vec<StepView>,
}

/// Many envelopes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ManyView<F = Vec<FailureView>, D = Vec<DiagnosticView>> {
    /// `pass`, `fail`, or `undecided` if some envelope could not be judged.
    pub verdict: Verdict,
    /// How many envelopes there were.
    pub envelopes: usize,
    /// How many of them passed.
    pub passed: usize,
    /// How many failed.
    pub failed: usize,
    /// How many could not be judged.
    pub undecided: usize,
    /// The results of each predicate over all envelopes.
    pub predicates: Vec<TallyView>,
    /// The first envelopes that failed, with the failed predicates.
    pub failures: F,
    /// How many failed envelopes are not shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub omitted: Option<usize>,
    /// The first envelopes that passed with warnings, with the failed predicates of severity
    /// `warning`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warnings: Option<F>,
    /// How many envelopes with warnings are not shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub omitted_warnings: Option<usize>,
    /// Why some envelopes could not be judged, and warnings about the documents, the first of each
    /// kind.
    pub diagnostics: D,
    /// How many envelopes that could not be judged are not in `diagnostics`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub omitted_undecided: Option<usize>,
    /// Where to go on, if the run was interrupted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<StoppedView>,
}

/// The place where an interrupted run can be continued.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StoppedView {
    /// The first file that was not read to its end.
    pub file: String,
    /// The first line that was not judged, for `--from`.
    pub line: usize,
}

/// One envelope or record of many: a line of `--format jsonl`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecordView<'r> {
    /// Its `id`, or the number of its line, or the name of its file.
    pub id: Value,
    /// Its file, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// `pass`, `fail` or `undecided`.
    pub verdict: Verdict,
    /// The predicates that failed, including those of severity `warning`.
    pub failed: Vec<NameView>,
    /// The predicates that read something that was not observed.
    pub undecided: Vec<NameView>,
    /// Why it could not be judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The fingerprint of the rulespec, `sha256:…`.
    pub law: &'r str,
}

/// A predicate: its name, or its index in the rulespec if it has none.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum NameView {
    /// Its name.
    Name(String),
    /// Its index, from 0.
    Index(usize),
}

/// The results of one predicate over many envelopes.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TallyView {
    /// Its index in the rulespec, from 0.
    pub index: usize,
    /// In how many envelopes it passed.
    pub passed: usize,
    /// In how many it failed.
    pub failed: usize,
    /// In how many it was skipped.
    pub skipped: usize,
    /// In how many it read something that was not observed.
    pub undecided: usize,
}

/// An envelope that failed, or passed with warnings.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FailureView {
    /// `FILE`, or `FILE:LINE` of a `.jsonl`.
    pub envelope: String,
    /// Its `id`, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<Value>,
    /// The predicates that failed.
    pub predicates: Vec<PredicateView>,
    /// Other problems.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub diagnostics: Vec<DiagnosticView>,
}

impl Verification {
    /// The view of a judged envelope. All places are in `sources`.
    pub fn new(judged: &Judged<'_, '_>, rulespec: &Rulespec, sources: Arc<Sources>) -> Self {
        let findings: Vec<Finding> = judged.findings().collect();
        let mut diagnostics = judged.warnings().to_vec();
        diagnostics.extend(judged.denied());
        Self::of(judged.verdict(), findings, diagnostics, rulespec, sources)
    }

    /// The view of a verdict and its findings.
    pub fn of(
        verdict: Verdict,
        findings: Vec<Finding>,
        diagnostics: Vec<Diagnostic>,
        rulespec: &Rulespec,
        sources: Arc<Sources>,
    ) -> Self {
        let count = |wanted: Judgement| findings.iter().filter(|one| one.outcome == wanted).count();
        let (passed, failed) = (count(Judgement::Pass), count(Judgement::Fail));
        let (skipped, undecided) = (count(Judgement::Skipped), count(Judgement::Undecided));
        let views = findings.into_iter();
        let predicates =
            views.filter_map(|one| PredicateView::new(one, rulespec, &sources, &sources)).collect();
        let diagnostics = Diagnostics::in_order(diagnostics, sources);
        Self { verdict, passed, failed, skipped, undecided, predicates, diagnostics }
    }
}

impl PlaceView {
    /// The place of a span, if it has one.
    pub fn of(span: Span, sources: &Sources) -> Option<Self> {
        let (file, position) = sources.locate(span)?;
        let name = escape::line(file.name()).into_owned();
        Some(Self { file: name, line: position.line, column: position.column })
    }
}

impl PredicateView {
    /// The view of a finding. The rulespec and the envelope may be in different sources.
    pub fn new(
        finding: Finding,
        rulespec: &Rulespec,
        rulespec_sources: &Sources,
        sources: &Sources,
    ) -> Option<Self> {
        let predicate = rulespec.predicates.get(finding.index)?;
        let text = |text: &Option<Box<str>>| text.as_deref().map(str::to_owned);
        let subject = Some(rulespec.subject_name(predicate).to_owned());
        let (claim, relation) = match predicate.subject {
            Subject::Claim(..) => (subject, None),
            Subject::Relation(_) => (None, subject),
        };
        let steps = finding.derivation.into_iter();
        Some(Self {
            index: finding.index,
            name: text(&predicate.name),
            claim,
            relation,
            rule: predicate.rule.name(),
            outcome: finding.outcome.name(),
            vacuous: finding.vacuous,
            severity: predicate.severity.name(),
            reason: finding.reason,
            expected: finding.expected,
            actual: finding.actual,
            hint: finding.hint,
            unobserved: finding.unobserved.iter().map(ToString::to_string).collect(),
            envelope: finding.place.and_then(|span| PlaceView::of(span, sources)),
            rulespec: PlaceView::of(predicate.span, rulespec_sources),
            source: text(&predicate.source),
            notes: text(&predicate.notes),
            derivation: steps.map(|step| StepView::new(step, sources)).collect(),
        })
    }
}

impl StepView {
    fn new(step: Step, sources: &Sources) -> Self {
        Self {
            fact: step.fact,
            says: step.says,
            envelope: step.place.and_then(|span| PlaceView::of(span, sources)),
            from: step.from.into_iter().map(|step| Self::new(step, sources)).collect(),
        }
    }
}

/// A derivation for people: each fact, with the facts it was derived from indented below it.
pub fn derivation_text(steps: &[StepView]) -> String {
    let mut out = String::new();
    for step in steps {
        write_step(step, 0, &mut out);
    }
    out
}

fn write_step(step: &StepView, depth: usize, out: &mut String) {
    let _ = write!(out, "{}{}", "  ".repeat(depth), escape::line(&step.fact));
    if let Some(says) = &step.says {
        let _ = write!(out, "  // {}", escape::line(says));
    }
    if let Some(place) = &step.envelope {
        let _ = write!(out, " ({}:{}:{})", place.file, place.line, place.column);
    }
    out.push('\n');
    for inner in &step.from {
        write_step(inner, depth + 1, out);
    }
}

impl TallyView {
    /// Counts one more envelope.
    pub fn count(&mut self, judgement: Judgement) {
        match judgement {
            Judgement::Pass => self.passed += 1,
            Judgement::Fail => self.failed += 1,
            Judgement::Skipped => self.skipped += 1,
            Judgement::Undecided => self.undecided += 1,
        }
    }
}
