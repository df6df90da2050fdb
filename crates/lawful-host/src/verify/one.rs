//! One envelope: every predicate judged and reported in full.

use std::path::Path;
use std::sync::Arc;

use lawful::Value;
use lawful::syntax::render::{DiagnosticView, view};
use lawful::syntax::{Diagnostic, Limits, Node, Sources};
use lawful::verify::{
    Envelope, Finding, Judge, Judged, Judgement, Record, Verdict, compiled_program,
    evaluation_report, observed, reading_errors,
};
use lawful::view::Verification;

use super::{LoadedRulespec, Strictness};
use crate::answer::Answer;
use crate::failure::Failure;
use crate::input::{document, sent_document};
use crate::observe::Observed;

/// An observation, as facts to judge by.
#[derive(Clone, Debug)]
pub struct ObservedFacts {
    /// The facts.
    pub value: Value,
    /// The facts with their places, if they come from a file.
    pub node: Option<Node>,
}

impl ObservedFacts {
    /// Reads a file written by `lawful observe`.
    pub fn read(
        file: &Path,
        limits: &Limits,
        sources: &mut Sources,
    ) -> Result<Self, Vec<Diagnostic>> {
        let mut problems = Vec::new();
        let node = document(file, limits, sources, &mut problems);
        problems.retain(Diagnostic::is_error);
        let node = node.filter(|_| problems.is_empty()).ok_or(problems)?;
        let value = observed(&node).map_err(|problem| vec![problem])?;
        Ok(Self { value, node: Some(node) })
    }
}

impl ObservedFacts {
    /// The facts, and their places.
    pub(crate) fn placed(&self) -> (&Value, Option<&Node>) {
        (&self.value, self.node.as_ref())
    }
}

/// Decodes the envelope of a document, or returns all its problems.
pub(crate) fn decode(
    node: Option<Node>,
    problems: Vec<Diagnostic>,
) -> Result<Envelope, Vec<Diagnostic>> {
    let (node, warnings) = readable(node, problems)?;
    let mut envelope = Envelope::decode(&node)?;
    envelope.warnings.splice(0..0, warnings);
    Ok(envelope)
}

/// Decodes the record of a document, or returns all its problems.
pub(crate) fn decode_record(
    node: Option<Node>,
    problems: Vec<Diagnostic>,
) -> Result<Record, Vec<Diagnostic>> {
    let (node, warnings) = readable(node, problems)?;
    let mut record = Record::decode(&node)?;
    record.envelope.warnings.splice(0..0, warnings);
    Ok(record)
}

/// The tree of a document and the warnings about it, or its errors.
fn readable(
    node: Option<Node>,
    problems: Vec<Diagnostic>,
) -> Result<(Node, Vec<Diagnostic>), Vec<Diagnostic>> {
    let lenient = |problem: &&Diagnostic| problem.code == &lawful::syntax::codes::LONE_SURROGATE;
    let warnings = problems.iter().filter(lenient).cloned().collect();
    let errors = reading_errors(problems);
    match node.filter(|_| errors.is_empty()) {
        Some(node) => Ok((node, warnings)),
        None => Err(errors),
    }
}

impl From<Observed> for ObservedFacts {
    fn from(observed: Observed) -> Self {
        Self { value: observed.facts, node: None }
    }
}

/// The source of an observation.
#[derive(Clone, Debug)]
pub enum Observation<'s> {
    /// Nothing was observed.
    None,
    /// A file written by `lawful observe`.
    File(&'s Path),
    /// Facts that were just gathered.
    Facts(ObservedFacts),
}

impl<'s> Observation<'s> {
    /// A file, if one is given.
    pub fn of_file(file: Option<&'s Path>) -> Self {
        file.map_or(Self::None, Self::File)
    }
}

/// The verdict on an envelope, with its findings.
#[derive(Clone, Debug)]
pub struct Verified {
    /// The `id` of the envelope, if it has one.
    pub id: Option<Value>,
    /// The verdict.
    pub verdict: Verdict,
    /// Whether something failed for another reason than a missing observation.
    pub at_fault: bool,
    /// The finding for each predicate.
    pub findings: Vec<Finding>,
    /// Predicates that are denied because they pass only for an absent value.
    pub denied: Vec<Diagnostic>,
    /// Warnings about the envelope.
    pub warnings: Vec<Diagnostic>,
    /// A further note.
    pub note: Option<Diagnostic>,
    /// The compiled program.
    pub compiled: String,
    /// What the program derived.
    pub evaluation: String,
}

impl Verified {
    /// The verdict as an answer.
    pub fn answer(&self) -> Answer {
        match self.verdict {
            Verdict::Pass => Answer::Yes,
            Verdict::Fail => Answer::No,
            Verdict::Undecided => Answer::Undecided,
        }
    }

    /// The number of predicates with this judgement.
    pub fn count(&self, wanted: Judgement) -> usize {
        self.findings.iter().filter(|one| one.outcome == wanted).count()
    }

    /// Everything that is not a pass as diagnostics. `loaded` is the rulespec that judged the
    /// envelope.
    pub fn diagnostics(&self, loaded: &LoadedRulespec) -> Vec<DiagnosticView> {
        let found = super::diagnostic::of_findings(&self.findings, loaded);
        let all = self.warnings.iter().chain(&found).chain(&self.denied).chain(&self.note);
        all.map(|problem| view(problem, &loaded.sources)).collect()
    }

    /// What there is to say about one predicate.
    pub fn diagnostics_of(
        &self,
        finding: &Finding,
        loaded: &LoadedRulespec,
    ) -> Vec<DiagnosticView> {
        let found = super::diagnostic::of_findings(std::slice::from_ref(finding), loaded);
        let place = loaded.rulespec.predicates.get(finding.index).map(|predicate| predicate.span);
        let denies = |denied: &&Diagnostic| finding.vacuous && Some(denied.span) == place;
        let all = found.iter().chain(self.denied.iter().filter(denies));
        all.map(|problem| view(problem, &loaded.sources)).collect()
    }

    /// The JSON form. `loaded` is the rulespec that judged the envelope.
    pub fn view(&self, loaded: &LoadedRulespec) -> Verification {
        let diagnostics = self.warnings.iter().chain(&self.denied).chain(&self.note);
        let diagnostics = diagnostics.cloned().collect();
        let (findings, sources) = (self.findings.clone(), Arc::new(loaded.sources.clone()));
        Verification::of(self.verdict, findings, diagnostics, &loaded.rulespec, sources)
    }
}

impl LoadedRulespec {
    /// Judges the envelope in a file.
    pub fn verify_file(
        &mut self,
        file: &Path,
        observation: Observation<'_>,
        strictness: Strictness,
    ) -> Result<Verified, Failure> {
        let mut problems = Vec::new();
        let limits = self.limits.document;
        let node = sent_document(file, &limits, &mut self.sources, &mut problems);
        let seen = match observation {
            Observation::None => None,
            Observation::Facts(seen) => Some(seen),
            Observation::File(file) => ObservedFacts::read(file, &limits, &mut self.sources)
                .map_err(|found| problems.extend(found))
                .ok(),
        };
        match decode(node, problems) {
            Ok(envelope) => self.verify(&envelope, seen.as_ref(), strictness),
            Err(problems) => Err(Failure::new(self.sources.clone(), problems)),
        }
    }

    /// Judges an envelope whose places, if any, are in the sources.
    pub fn verify(
        &self,
        envelope: &Envelope,
        seen: Option<&ObservedFacts>,
        strictness: Strictness,
    ) -> Result<Verified, Failure> {
        let mut judge = Judge::new(&self.rulespec, &self.limits);
        let seen = seen.map(ObservedFacts::placed);
        match Judged::new(&mut judge, envelope, seen, strictness) {
            Ok(judged) => Ok(Verified {
                id: envelope.id().cloned(),
                verdict: judged.verdict(),
                at_fault: judged.is_at_fault(),
                findings: judged.findings().collect(),
                denied: judged.denied(),
                warnings: judged.warnings().to_vec(),
                note: None,
                compiled: compiled_program(judged.judge),
                evaluation: evaluation_report(judged.judge),
            }),
            Err(unjudged) => Err(Failure::new(self.sources.clone(), vec![unjudged.placed()])),
        }
    }
}
