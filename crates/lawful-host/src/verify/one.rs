//! One envelope: every predicate judged, and told in full.

use std::path::Path;
use std::sync::Arc;

use lawful::Value;
use lawful::syntax::{Diagnostic, Node, Sources};
use lawful::verify::{
    Envelope, Finding, Judge, Judged, Judgement, Verdict, compiled_program, evaluation_report,
    observed,
};
use lawful::view::Verification;

use super::{LoadedRulespec, Strictness};
use crate::answer::Answer;
use crate::failure::Failure;
use crate::input::document;
use crate::observe::Observed;

/// What the host saw, as facts to judge by.
#[derive(Clone, Debug)]
pub struct ObservedFacts {
    /// The facts.
    pub value: Value,
    /// The same with their places, if they were read from a file.
    pub node: Option<Node>,
}

impl ObservedFacts {
    /// Reads what `lawful observe` wrote.
    pub fn read(file: &Path, sources: &mut Sources) -> Result<Self, Vec<Diagnostic>> {
        let mut problems = Vec::new();
        let node = document(file, sources, &mut problems);
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

/// The envelope of a document, or everything that is wrong with it.
pub(crate) fn decode(
    node: Option<Node>,
    mut problems: Vec<Diagnostic>,
) -> Result<Envelope, Vec<Diagnostic>> {
    problems.retain(Diagnostic::is_error);
    match node.filter(|_| problems.is_empty()) {
        Some(node) => Envelope::decode(&node),
        None => Err(problems),
    }
}

impl From<Observed> for ObservedFacts {
    fn from(observed: Observed) -> Self {
        Self { value: observed.facts, node: None }
    }
}

/// Where what the host saw comes from.
#[derive(Clone, Debug)]
pub enum Observation<'s> {
    /// Nothing was observed.
    None,
    /// `lawful observe` wrote it to a file.
    File(&'s Path),
    /// It was gathered just now.
    Facts(ObservedFacts),
}

impl<'s> Observation<'s> {
    /// What a file has, if one is named.
    pub fn of_file(file: Option<&'s Path>) -> Self {
        file.map_or(Self::None, Self::File)
    }
}

/// The verdict on an envelope, and what led to it.
#[derive(Clone, Debug)]
pub struct Verified {
    /// The verdict.
    pub verdict: Verdict,
    /// Whether something failed for another reason than that nothing was observed.
    pub at_fault: bool,
    /// The finding on every predicate.
    pub findings: Vec<Finding>,
    /// What is not let pass because it holds only where nothing is there.
    pub denied: Vec<Diagnostic>,
    /// What else there is to know.
    pub note: Option<Diagnostic>,
    /// The program as it was run.
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

    /// How many predicates came to this.
    pub fn count(&self, wanted: Judgement) -> usize {
        self.findings.iter().filter(|one| one.outcome == wanted).count()
    }

    /// The public shape. `loaded` is what the envelope was judged by.
    pub fn view(&self, loaded: &LoadedRulespec) -> Verification {
        let diagnostics = self.denied.iter().chain(&self.note).cloned().collect();
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
        let node = document(file, &mut self.sources, &mut problems);
        problems.retain(Diagnostic::is_error);
        let seen = match observation {
            Observation::None => None,
            Observation::Facts(seen) => Some(seen),
            Observation::File(file) => ObservedFacts::read(file, &mut self.sources)
                .map_err(|found| problems.extend(found))
                .ok(),
        };
        match decode(node, problems) {
            Ok(envelope) => self.verify(&envelope, seen.as_ref(), strictness),
            Err(problems) => Err(Failure::new(self.sources.clone(), problems)),
        }
    }

    /// Judges an envelope whose places, if it has any, are in the sources.
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
                verdict: judged.verdict(),
                at_fault: judged.is_at_fault(),
                findings: judged.findings().collect(),
                denied: judged.denied(),
                note: None,
                compiled: compiled_program(judged.judge),
                evaluation: evaluation_report(judged.judge),
            }),
            Err(unjudged) => Err(Failure::new(self.sources.clone(), vec![unjudged.placed()])),
        }
    }
}
