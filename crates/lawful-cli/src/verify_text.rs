//! Verdicts on envelopes as text.

use std::fmt::Write as _;

use lawful::syntax::render::{Style, human};
use lawful::syntax::{Diagnostic, Sources, escape};
use lawful::verify::{Finding, Judgement};
use lawful::view::{PredicateView, derivation_text};
use lawful_host::verify::diagnostic::{self, title};
use lawful_host::verify::{BatchRequest, BatchVerified, LoadedRulespec, Verified};

use crate::output::{diagnostics, stdout_style};

/// One envelope: every failed and undecided predicate in full, what was skipped, and a summary
/// line.
pub(crate) fn one(verified: &Verified, loaded: &LoadedRulespec) -> String {
    let mut out = findings(loaded, &verified.findings, &verified.denied, &loaded.sources);
    let _ = writeln!(
        out,
        "{}: {} passed, {} failed, {} skipped{}",
        verified.verdict.name(),
        verified.count(Judgement::Pass),
        verified.count(Judgement::Fail),
        verified.count(Judgement::Skipped),
        undecided(verified.count(Judgement::Undecided))
    );
    out.push_str(&diagnostics(verified.note.as_slice(), &loaded.sources, stdout_style()));
    out
}

/// Many envelopes: those with something to report, the predicates, and a summary line.
pub(crate) fn many(
    verified: &BatchVerified,
    loaded: &LoadedRulespec,
    request: &BatchRequest,
) -> String {
    let mut out = String::new();
    for problems in &verified.problems {
        out.push_str(&problems.render(Style::Plain));
    }
    for report in verified.failures.iter().chain(&verified.warnings) {
        let _ = writeln!(out, "{}:", escape::line(&report.name));
        let (found, denied) = (&report.findings, &report.denied);
        out.push_str(&findings(loaded, found, denied, &report.sources));
    }
    let left_out = [
        (verified.omitted, "failed"),
        (verified.omitted_warnings, "passed with warnings"),
        (verified.omitted_undecided, "could not be judged"),
    ];
    for (count, what) in left_out.into_iter().filter(|(count, _)| *count > 0) {
        let most = request.max_failures;
        let _ = writeln!(out, "{count} more {what}; `--max-failures` shows more than {most}");
    }
    if !out.is_empty() && !out.ends_with("\n\n") {
        out.push('\n');
    }
    for (tally, predicate) in verified.tallies.iter().zip(&loaded.rulespec.predicates) {
        let _ = writeln!(
            out,
            "{}: {} passed, {} failed, {} skipped{}",
            title(tally.index, predicate),
            tally.passed,
            tally.failed,
            tally.skipped,
            undecided(tally.undecided)
        );
    }
    out.push_str(&human(verified.no_envelope.as_slice(), &Sources::default(), Style::Plain));
    let stopped = verified.failed + verified.undecided > 0 && request.fail_fast;
    let _ = writeln!(
        out,
        "{}: {} envelopes, {} passed, {} failed, {} undecided{}",
        verified.verdict.name(),
        verified.envelopes,
        verified.passed,
        verified.failed,
        verified.undecided,
        if stopped { "; stopped at the first" } else { "" }
    );
    out
}

/// The end of a summary line if something is undecided.
fn undecided(count: usize) -> String {
    if count == 0 { String::new() } else { format!(", {count} undecided") }
}

/// Every finding to report, and what is denied.
fn findings(
    loaded: &LoadedRulespec,
    found: &[Finding],
    denied: &[Diagnostic],
    sources: &Sources,
) -> String {
    let rulespec = &loaded.rulespec;
    let mut out = String::new();
    for finding in found {
        let Some(predicate) = rulespec.predicates.get(finding.index) else { continue };
        match finding.outcome {
            Judgement::Fail => {
                let failure = diagnostic::failed(finding, rulespec, predicate);
                out.push_str(&diagnostics(&[failure], sources, stdout_style()));
            }
            Judgement::Undecided => {
                let problem = diagnostic::undecided(finding, loaded, predicate);
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
