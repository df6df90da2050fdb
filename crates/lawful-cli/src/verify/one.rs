//! One envelope: every predicate judged, and told in full.

use std::path::Path;

use lawful::Value;
use lawful::syntax::{Diagnostic, Node, Severity, Sources, render};
use lawful::verify::{
    Envelope, Finding, Findings, Judge, Judgement, Verdict, compiled_program, evaluation_report,
    observed,
};
use lawful::view::{PredicateView, VerifyView};

use super::report::text_of;
use super::{Law, Options};
use crate::input::document;
use crate::lawbook::Failure;
use crate::output::Answer;

/// What the host saw.
pub(crate) struct Observed {
    pub(crate) value: Value,
    pub(crate) node: Option<Node>,
}

impl Observed {
    /// Reads what `lawful observe` wrote.
    pub(crate) fn read(file: &Path, sources: &mut Sources) -> Result<Self, Vec<Diagnostic>> {
        let mut problems = Vec::new();
        let node = document(file, sources, &mut problems);
        problems.retain(Diagnostic::is_error);
        let node = node.filter(|_| problems.is_empty()).ok_or(problems)?;
        let value = observed(&node).map_err(|problem| vec![problem])?;
        Ok(Self { value, node: Some(node) })
    }
}

/// What an envelope came to.
pub(crate) struct Verification {
    pub(crate) verdict: Verdict,
    /// Whether something failed for another reason than that nobody looked.
    pub(crate) at_fault: bool,
    pub(crate) view: VerifyView,
    /// The same for people.
    pub(crate) text: String,
    /// The program as it was run, and what it derived.
    pub(crate) compiled: String,
    pub(crate) evaluation: String,
}

impl Verification {
    /// The verdict as an exit code.
    pub(crate) fn answer(&self) -> Answer {
        match self.verdict {
            Verdict::Pass => Answer::Yes,
            Verdict::Fail => Answer::No,
            Verdict::Undecided => Answer::Undecided,
        }
    }
}

/// Where what the host saw comes from.
pub(crate) enum Sight<'s> {
    /// Nobody looked.
    None,
    /// `lawful observe` wrote it.
    File(&'s Path),
    /// It was gathered just now.
    Gathered(Observed),
}

/// Judges the envelope in a file.
pub(crate) fn judge_file(
    law: &mut Law,
    file: &Path,
    sight: Sight<'_>,
    options: Options,
) -> Result<Verification, Failure> {
    let mut problems = Vec::new();
    let node = document(file, &mut law.sources, &mut problems);
    problems.retain(Diagnostic::is_error);
    let seen = match sight {
        Sight::None => None,
        Sight::Gathered(seen) => Some(seen),
        Sight::File(file) => {
            Observed::read(file, &mut law.sources).map_err(|found| problems.extend(found)).ok()
        }
    };
    let envelope = match node.filter(|_| problems.is_empty()) {
        Some(node) => Envelope::decode(&node).map_err(|found| problems.extend(found)).ok(),
        None => None,
    };
    match envelope.filter(|_| problems.is_empty()) {
        Some(envelope) => judge_node(law, &envelope, seen.as_ref(), options),
        None => Err(Failure::new(law.sources.clone(), problems)),
    }
}

/// Judges an envelope whose places are in the sources of the law.
fn judge_node(
    law: &Law,
    envelope: &Envelope,
    seen: Option<&Observed>,
    options: Options,
) -> Result<Verification, Failure> {
    let rulespec = &law.rulespec;
    let findings = Findings::new(envelope, seen.map(|seen| (&seen.value, seen.node.as_ref())));
    let mut judge = Judge::new(rulespec, &law.limits);
    if let Err(problem) = judge.judge(findings.facts()) {
        let problem = findings.place_problem(&judge, *problem);
        return Err(Failure::new(law.sources.clone(), vec![problem]));
    }
    let found: Vec<Finding> = (0..rulespec.predicates.len())
        .filter_map(|at| findings.finding(&judge, at, &law.limits, options.explain))
        .collect();
    let denied = if options.deny_vacuous { judge.denials(findings.facts()) } else { Vec::new() };
    let verdict = if denied.is_empty() {
        Judge::verdict(rulespec, judge.judgements())
    } else {
        Verdict::Fail
    };
    let at_fault = rulespec.predicates.iter().zip(judge.judgements()).any(|(one, outcome)| {
        *outcome == Judgement::Fail
            && one.severity == Severity::Error
            && (seen.is_some() || !rulespec.judges_observed(one))
    });
    let text = text_of(rulespec, &found, &denied, verdict, &law.sources);
    let count = |wanted: Judgement| found.iter().filter(|one| one.outcome == wanted).count();
    let view = VerifyView {
        verdict: verdict.name(),
        passed: count(Judgement::Pass),
        failed: count(Judgement::Fail),
        skipped: count(Judgement::Skipped),
        undecided: count(Judgement::Undecided),
        diagnostics: denied.iter().map(|problem| render::view(problem, &law.sources)).collect(),
        predicates: found
            .into_iter()
            .filter_map(|one| PredicateView::new(one, rulespec, &law.sources, &law.sources))
            .collect(),
    };
    Ok(Verification {
        verdict,
        at_fault,
        view,
        text,
        compiled: compiled_program(&judge),
        evaluation: evaluation_report(&judge),
    })
}
