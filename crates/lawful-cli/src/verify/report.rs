//! Findings as people read them.

use std::fmt::Write as _;

use lawful::syntax::{Diagnostic, Sources, escape};
use lawful::verify::{
    Finding, Judgement, Key, PREDICATE_FAILED, PREDICATE_UNDECIDED, Predicate, Rulespec, Verdict,
};
use lawful::view::{PredicateView, derivation_text};

use crate::output::{diagnostics, stdout_style};

/// What an envelope came to: every failure and what is undecided in full, what was skipped, and a last line
/// that counts.
pub(super) fn text_of(
    rulespec: &Rulespec,
    found: &[Finding],
    denied: &[Diagnostic],
    verdict: Verdict,
    sources: &Sources,
) -> String {
    let mut out = told(rulespec, found, denied, sources);
    let count = |wanted: Judgement| found.iter().filter(|one| one.outcome == wanted).count();
    let _ = writeln!(
        out,
        "{}: {} passed, {} failed, {} skipped{}",
        verdict.name(),
        count(Judgement::Pass),
        count(Judgement::Fail),
        count(Judgement::Skipped),
        undecided(count(Judgement::Undecided))
    );
    out
}

/// The end of a line that counts, where something is undecided.
pub(super) fn undecided(count: usize) -> String {
    if count == 0 { String::new() } else { format!(", {count} undecided") }
}

/// Every finding that there is something to say about, and what is denied.
pub(super) fn told(
    rulespec: &Rulespec,
    found: &[Finding],
    denied: &[Diagnostic],
    sources: &Sources,
) -> String {
    let mut out = String::new();
    for finding in found {
        let Some(predicate) = rulespec.predicates.get(finding.index) else { continue };
        match finding.outcome {
            Judgement::Fail => {
                let failure = failure(finding, rulespec, predicate);
                out.push_str(&diagnostics(&[failure], sources, stdout_style()));
            }
            Judgement::Undecided => {
                let problem = undecided_for(finding, rulespec, predicate);
                out.push_str(&diagnostics(&[problem], sources, stdout_style()));
            }
            Judgement::Skipped => {
                let title = title(finding.index, predicate);
                let _ = writeln!(out, "skipped: {title}: {}", escape::line(&finding.reason));
            }
            Judgement::Pass if finding.vacuous || !finding.derivation.is_empty() => {
                let title = title(finding.index, predicate);
                let _ = writeln!(out, "pass: {title}: {}", escape::line(&finding.reason));
            }
            Judgement::Pass => {}
        }
        if !finding.derivation.is_empty()
            && let Some(view) = PredicateView::new(finding.clone(), rulespec, sources, sources)
        {
            for line in derivation_text(&view.derivation).lines() {
                let _ = writeln!(out, "    {line}");
            }
            out.push('\n');
        }
    }
    out.push_str(&diagnostics(denied, sources, stdout_style()));
    out
}

/// What a predicate is called.
pub(super) fn title(index: usize, predicate: &Predicate) -> String {
    match &predicate.name {
        Some(name) => format!("predicate {index} `{}`", escape::line(&escape::name(name))),
        None => format!("predicate {index}"),
    }
}

/// A failed predicate: what was there and what was expected, both places, the notes and the hint.
fn failure(finding: &Finding, rulespec: &Rulespec, predicate: &Predicate) -> Diagnostic {
    let title = title(finding.index, predicate);
    let subject = escape::name(rulespec.subject_name(predicate));
    let what = match rulespec.claim_of(predicate) {
        Some(_) => "claim",
        None => "relation",
    };
    let message = format!("{title} does not hold of the {what} `{subject}`: {}", finding.reason);
    let source = predicate.source.as_deref();
    let demanded =
        source.map_or("demanded here".to_owned(), |source| format!("demanded here, by {source}"));
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

/// A predicate that is undecided: what was not observed, and what observes it.
pub(super) fn undecided_for(
    finding: &Finding,
    rulespec: &Rulespec,
    predicate: &Predicate,
) -> Diagnostic {
    let title = title(finding.index, predicate);
    let subject = escape::name(rulespec.subject_name(predicate));
    let what = match rulespec.claim_of(predicate) {
        Some(_) => "claim",
        None => "relation",
    };
    let message = format!("{title} of the {what} `{subject}` is undecided: {}", finding.reason);
    let mut problem = Diagnostic::new(&PREDICATE_UNDECIDED, predicate.span, message);
    problem.severity = predicate.severity;
    match finding.unobserved.first().map(Key::help) {
        Some(help) => problem.help(help),
        None => problem,
    }
}

/// The hint in one sentence.
fn hint_text(finding: &Finding) -> Option<String> {
    let changes = finding.hint.as_ref()?;
    let changes: Vec<String> = changes.iter().map(ToString::to_string).collect();
    Some(changes.join(", then "))
}
