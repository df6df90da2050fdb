//! Verdicts on envelopes as text.

use std::fmt::Write as _;
use std::io;

use lawful::syntax::render::{Style, human};
use lawful::syntax::{Diagnostic, Sources, escape};
use lawful::verify::{Finding, Judgement};
use lawful::view::{PredicateView, derivation_text};
use lawful_host::verify::diagnostic::{self, title};
use lawful_host::verify::{
    BatchRequest, BatchVerified, LoadedRulespec, Outcome, ReportedEnvelope, Spool, Verified,
};

use crate::output::{diagnostics, print_error, print_problems, stdout_style};

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
    let notes: Vec<Diagnostic> = verified.warnings.iter().chain(&verified.note).cloned().collect();
    out.push_str(&diagnostics(&notes, &loaded.sources, stdout_style()));
    out
}

/// The reports on many envelopes as text, until all are judged.
#[derive(Default)]
pub(crate) struct Reports {
    undecided: Spool,
    failed: Spool,
    warned: Spool,
}

impl Reports {
    /// Keeps a report.
    pub(crate) fn push(&mut self, report: &ReportedEnvelope, loaded: &LoadedRulespec) {
        let ReportedEnvelope { findings: found, denied, problems, sources, .. } = report;
        let spool = match report.outcome {
            Outcome::Undecided => {
                self.undecided.push(human(problems, sources, Style::Plain).as_bytes());
                return;
            }
            Outcome::Fail => &mut self.failed,
            Outcome::Pass | Outcome::Warn => &mut self.warned,
        };
        spool.push(format!("{}:\n", escape::line(&report.name)).as_bytes());
        spool.push(findings(loaded, found, denied, sources).as_bytes());
    }
}

/// Many envelopes: those with something to report, the predicates, and a summary line.
pub(crate) fn many(
    verified: &BatchVerified,
    reports: Reports,
    loaded: &LoadedRulespec,
    request: &BatchRequest,
    unit: &str,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let Reports { mut undecided, mut failed, mut warned } = reports;
    let mut unfinished = false;
    for spool in [&mut undecided, &mut failed, &mut warned] {
        if !spool.is_empty() {
            unfinished = !spool.ends_with_empty_line();
            spool.copy_to(out)?;
        }
    }
    let mut text = String::new();
    for warnings in &verified.warnings {
        text.push_str(&warnings.render(Style::Plain));
    }
    let left_out = [
        (verified.omitted, "failed"),
        (verified.omitted_warnings, "passed with warnings"),
        (verified.omitted_undecided, "could not be judged"),
    ];
    for (count, what) in left_out.into_iter().filter(|(count, _)| *count > 0) {
        let most = request.max_failures;
        let _ = writeln!(text, "{count} more {what}; `--max-failures` shows more than {most}");
    }
    // Diagnostics end with an empty line, and other reports do not.
    if text.is_empty() && unfinished || !text.is_empty() && !text.ends_with("\n\n") {
        text.push('\n');
    }
    text.push_str(&counts(verified, loaded, request, unit));
    out.write_all(text.as_bytes())
}

/// Warnings about the documents, for formats that have no place for them.
pub(crate) fn warn(verified: &BatchVerified) {
    for warnings in &verified.warnings {
        print_problems(warnings);
    }
    print_error(&human(verified.no_envelope.as_slice(), &Sources::default(), Style::Plain));
}

/// The results of each predicate, and a summary line.
fn counts(
    verified: &BatchVerified,
    loaded: &LoadedRulespec,
    request: &BatchRequest,
    unit: &str,
) -> String {
    let mut out = String::new();
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
    let first = verified.failed + verified.undecided > 0 && request.fail_fast;
    let _ = writeln!(
        out,
        "{}: {}, {} passed, {} failed, {} undecided{}",
        verified.verdict.name(),
        escape::count(verified.envelopes, unit),
        verified.passed,
        verified.failed,
        verified.undecided,
        if first { "; stopped at the first" } else { "" }
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
