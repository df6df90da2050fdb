//! A finding as a diagnostic.

use lawful::syntax::{Diagnostic, escape};
use lawful::verify::{
    Finding, Judgement, PREDICATE_FAILED, PREDICATE_UNDECIDED, Predicate, Rulespec,
};

use super::LoadedRulespec;

/// The title of a predicate.
pub fn title(index: usize, predicate: &Predicate) -> String {
    match &predicate.name {
        Some(name) => format!("predicate {index} `{}`", escape::line(&escape::name(name))),
        None => format!("predicate {index}"),
    }
}

/// A failed predicate: what was found and expected, both places, the notes and the hint.
pub fn failed(finding: &Finding, rulespec: &Rulespec, predicate: &Predicate) -> Diagnostic {
    let title = title(finding.index, predicate);
    let subject = escape::name(rulespec.subject_name(predicate));
    let what = match rulespec.claim_of(predicate) {
        Some(_) => "claim",
        None => "relation",
    };
    let message = format!("{title} fails for the {what} `{subject}`: {}", finding.reason);
    let source = predicate.source.as_deref();
    let demanded =
        source.map_or("required here".to_owned(), |source| format!("required here, by {source}"));
    let mut problem = match finding.place {
        Some(place) => {
            Diagnostic::new(&PREDICATE_FAILED, place, message).label(predicate.span, demanded)
        }
        None => Diagnostic::new(&PREDICATE_FAILED, predicate.span, message),
    };
    problem.severity = predicate.severity;
    if let Some(notes) = &predicate.notes {
        problem = problem.note(escape::shorten(notes, 500));
    }
    match hint_text(finding) {
        Some(hint) => problem.help(hint),
        None => problem,
    }
}

/// An undecided predicate: what was not observed, and how to observe it.
pub fn undecided(finding: &Finding, loaded: &LoadedRulespec, predicate: &Predicate) -> Diagnostic {
    let rulespec = &loaded.rulespec;
    let title = title(finding.index, predicate);
    let subject = escape::name(rulespec.subject_name(predicate));
    let what = match rulespec.claim_of(predicate) {
        Some(_) => "claim",
        None => "relation",
    };
    let message = format!("{title} is undecided for the {what} `{subject}`: {}", finding.reason);
    let mut problem = Diagnostic::new(&PREDICATE_UNDECIDED, predicate.span, message);
    problem.severity = predicate.severity;
    match finding.unobserved.first().map(|key| key.help(loaded.declared())) {
        Some(help) => problem.help(help),
        None => problem,
    }
}

/// Every failed and undecided finding as a diagnostic.
pub(crate) fn of_findings(findings: &[Finding], loaded: &LoadedRulespec) -> Vec<Diagnostic> {
    let rulespec = &loaded.rulespec;
    let one = |finding: &Finding| {
        let predicate = rulespec.predicates.get(finding.index)?;
        match finding.outcome {
            Judgement::Fail => Some(failed(finding, rulespec, predicate)),
            Judgement::Undecided => Some(undecided(finding, loaded, predicate)),
            Judgement::Pass | Judgement::Skipped => None,
        }
    };
    findings.iter().filter_map(one).collect()
}

/// The hint in one sentence.
fn hint_text(finding: &Finding) -> Option<String> {
    let changes = finding.hint.as_ref()?;
    let changes: Vec<String> = changes.iter().map(ToString::to_string).collect();
    Some(changes.join(", then "))
}
