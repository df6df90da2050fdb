//! Judges one envelope: the only place that combines a rulespec, an envelope and an observation.

use lawful_syntax::{Diagnostic, Node, Severity, Span};

use super::codes::UNFIT_COLUMN;
use super::envelope::Envelope;
use super::finding::{Finding, Findings};
use super::judge::{Judge, Judgement, Verdict};
use crate::value::Value;

/// How strictly envelopes are judged, and how much is explained.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Strictness {
    /// Fail predicates that pass only because a value is absent.
    pub deny_vacuous: bool,
    /// Explain how every verdict was derived.
    pub explain: bool,
}

/// An envelope that was judged.
#[derive(Debug)]
pub struct Judged<'j, 'r> {
    /// The judge, which still has the outcome of every predicate.
    pub judge: &'j Judge<'r>,
    findings: Findings<'j>,
    strictness: Strictness,
    observed: bool,
}

/// Why an envelope could not be judged.
#[derive(Debug)]
pub struct Unjudged {
    /// The problem; its place is in the rulespec.
    pub problem: Box<Diagnostic>,
    /// The place in the envelope, if there is one.
    pub place: Option<Span>,
}

impl Unjudged {
    /// The problem with both places.
    pub fn placed(self) -> Diagnostic {
        match self.place {
            Some(place) => self.problem.label(place, "the value is here"),
            None => *self.problem,
        }
    }

    /// The place of the error in the envelope, if the author of the envelope can fix it.
    pub fn fault_of_the_envelope(&self) -> Option<Span> {
        self.place.filter(|_| *self.problem.code == UNFIT_COLUMN)
    }
}

impl<'j, 'r> Judged<'j, 'r> {
    /// Judges an envelope and an observation, with its places if they are known.
    pub fn new(
        judge: &'j mut Judge<'r>,
        envelope: &'j Envelope,
        observed: Option<(&'j Value, Option<&'j Node>)>,
        strictness: Strictness,
    ) -> Result<Self, Unjudged> {
        let findings = Findings::new(envelope, observed);
        if let Err(problem) = judge.judge(findings.facts()) {
            let place = findings.problem_place(judge);
            return Err(Unjudged { problem, place });
        }
        Ok(Self { judge, findings, strictness, observed: observed.is_some() })
    }

    /// The verdict.
    pub fn verdict(&self) -> Verdict {
        self.judge.verdict_on(self.findings.facts(), self.strictness)
    }

    /// Warnings about the envelope.
    pub fn warnings(&self) -> &[Diagnostic] {
        self.findings.warnings()
    }

    /// The passes that are rejected because they depend only on an absent value.
    pub fn denied(&self) -> Vec<Diagnostic> {
        if !self.strictness.deny_vacuous {
            return Vec::new();
        }
        self.judge.denials(self.findings.facts())
    }

    /// Whether a predicate failed for a reason other than a missing observation.
    pub fn is_at_fault(&self) -> bool {
        let rulespec = self.judge.rulespec;
        rulespec.predicates.iter().zip(self.judge.judgements()).any(|(one, outcome)| {
            *outcome == Judgement::Fail
                && one.severity == Severity::Error
                && (self.observed || !rulespec.judges_observed(one))
        })
    }

    /// The finding on one predicate.
    pub fn finding(&self, index: usize) -> Option<Finding> {
        self.findings.finding(self.judge, index, self.judge.limits(), self.strictness.explain)
    }

    /// The findings on all predicates.
    pub fn findings(&self) -> impl Iterator<Item = Finding> {
        (0..self.judge.rulespec.predicates.len()).filter_map(|at| self.finding(at))
    }
}
