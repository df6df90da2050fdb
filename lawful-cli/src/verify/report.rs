//! Findings as people read them.

use std::fmt::Write as _;

use lawful::syntax::{Diagnostic, Sources, escape};
use lawful::verify::{Finding, Judgement, PREDICATE_FAILED, Predicate, Rulespec};
use lawful::view::{PredicateView, derivation_text};

use crate::output::{diagnostics, stdout_style};

/// What an envelope came to: every failure in full, what was skipped, and a last line that counts.
pub(super) fn text_of(
    rulespec: &Rulespec,
    found: &[Finding],
    denied: &[Diagnostic],
    passes: bool,
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
    let count = |wanted: Judgement| found.iter().filter(|one| one.outcome == wanted).count();
    let _ = writeln!(
        out,
        "{}: {} passed, {} failed, {} skipped",
        if passes { "pass" } else { "fail" },
        count(Judgement::Pass),
        count(Judgement::Fail),
        count(Judgement::Skipped)
    );
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
    let claim = rulespec.claim_of(predicate);
    let of =
        claim.map_or(String::new(), |claim| format!(" on claim `{}`", escape::name(&claim.name)));
    let message = format!("{}{of}: {}", title(finding.index, predicate), finding.reason);
    let said = match (&predicate.notes, &predicate.source) {
        (Some(notes), Some(source)) => Some(format!("{notes} (from {source})")),
        (Some(notes), None) => Some(notes.to_string()),
        (None, Some(source)) => Some(format!("demanded here, from {source}")),
        (None, None) => None,
    };
    let mut problem = match (finding.place, said) {
        (Some(place), said) => {
            let said = said.unwrap_or_else(|| "demanded here".to_owned());
            Diagnostic::new(&PREDICATE_FAILED, place, message).label(predicate.span, said)
        }
        (None, Some(said)) => {
            Diagnostic::new(&PREDICATE_FAILED, predicate.span, message).label(predicate.span, said)
        }
        (None, None) => Diagnostic::new(&PREDICATE_FAILED, predicate.span, message),
    };
    problem.severity = predicate.severity;
    match hint_text(finding) {
        Some(hint) => problem.help(hint),
        None => problem,
    }
}

/// The hint in one sentence.
pub(super) fn hint_text(finding: &Finding) -> Option<String> {
    let changes = finding.hint.as_ref()?;
    let changes: Vec<String> = changes.iter().map(ToString::to_string).collect();
    Some(changes.join(", then "))
}
