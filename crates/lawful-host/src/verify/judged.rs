//! Judging one envelope: the one place where a rulespec, an envelope and what the host saw meet.

use lawful::Value;
use lawful::syntax::{Diagnostic, Node, Severity, Span};
use lawful::verify::{Envelope, Facts, Finding, Findings, Judge, Judgement, UNFIT_COLUMN, Verdict};

use super::{LoadedRulespec, ObservedFacts, Strictness};

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

/// The verdict on facts that were just judged.
pub(crate) fn verdict(
    loaded: &LoadedRulespec,
    judge: &Judge<'_>,
    facts: Facts<'_>,
    strictness: Strictness,
) -> Verdict {
    if strictness.deny_vacuous && !judge.denials(facts).is_empty() {
        return Verdict::Fail;
    }
    Judge::verdict(&loaded.rulespec, judge.judgements())
}

/// An envelope that was judged.
pub(crate) struct Judged<'j, 'r> {
    loaded: &'r LoadedRulespec,
    pub(crate) judge: &'j Judge<'r>,
    findings: Findings<'j>,
    strictness: Strictness,
    observed: bool,
}

/// Why an envelope could not be judged.
pub(crate) struct Unjudged {
    /// The problem; its place is in the rulespec.
    pub(crate) problem: Diagnostic,
    /// The place in the envelope, if there is one.
    pub(crate) place: Option<Span>,
}

impl Unjudged {
    /// The problem with both places.
    pub(crate) fn placed(self) -> Diagnostic {
        match self.place {
            Some(place) => self.problem.label(place, "it is here"),
            None => self.problem,
        }
    }

    /// Where in the envelope the mistake is, if it is for the author of the envelope to fix.
    pub(crate) fn fault_of_the_envelope(&self) -> Option<Span> {
        self.place.filter(|_| *self.problem.code == UNFIT_COLUMN)
    }
}

impl<'j, 'r> Judged<'j, 'r> {
    /// Judges an envelope.
    pub(crate) fn new(
        loaded: &'r LoadedRulespec,
        judge: &'j mut Judge<'r>,
        envelope: &'j Envelope,
        seen: Option<&'j ObservedFacts>,
        strictness: Strictness,
    ) -> Result<Self, Unjudged> {
        let observed: Option<(&Value, Option<&Node>)> =
            seen.map(|seen| (&seen.value, seen.node.as_ref()));
        let findings = Findings::new(envelope, observed);
        if let Err(problem) = judge.judge(findings.facts()) {
            let place = findings.problem_place(judge);
            return Err(Unjudged { problem: *problem, place });
        }
        Ok(Self { loaded, judge, findings, strictness, observed: seen.is_some() })
    }

    /// The verdict.
    pub(crate) fn verdict(&self) -> Verdict {
        verdict(self.loaded, self.judge, self.findings.facts(), self.strictness)
    }

    /// What is not let pass because it holds only where nothing is there.
    pub(crate) fn denied(&self) -> Vec<Diagnostic> {
        match self.strictness.deny_vacuous {
            true => self.judge.denials(self.findings.facts()),
            false => Vec::new(),
        }
    }

    /// Whether something failed for another reason than that nothing was observed.
    pub(crate) fn is_at_fault(&self) -> bool {
        let rulespec = &self.loaded.rulespec;
        rulespec.predicates.iter().zip(self.judge.judgements()).any(|(one, outcome)| {
            *outcome == Judgement::Fail
                && one.severity == Severity::Error
                && (self.observed || !rulespec.judges_observed(one))
        })
    }

    /// The finding on one predicate.
    pub(crate) fn finding(&self, index: usize) -> Option<Finding> {
        self.findings.finding(self.judge, index, &self.loaded.limits, self.strictness.explain)
    }

    /// The findings on all predicates.
    pub(crate) fn findings(&self) -> impl Iterator<Item = Finding> {
        (0..self.loaded.rulespec.predicates.len()).filter_map(|at| self.finding(at))
    }
}
