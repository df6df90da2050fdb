//! What batches of envelopes came to, added up in order.

use std::fmt::Write as _;

use lawful::syntax::render::{self, DiagnosticView};
use lawful::syntax::{Diagnostic, Sources, Span};
use lawful::verify::{Judgement, NO_ENVELOPE};
use lawful::view::{FailureView, ManyView, TallyView};

use super::Law;
use super::many::Extent;
use super::report::{title, undecided};

/// What an envelope came to that was judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Pass,
    /// It passes, and something of severity `warning` failed or is undecided.
    Warn,
    Fail,
    /// Nothing failed, and something was not observed.
    Undecided,
}

/// What a batch came to.
pub(super) struct Taken {
    pub(super) envelopes: usize,
    pub(super) passed: usize,
    pub(super) tallies: Vec<TallyView>,
    pub(super) failures: Vec<(FailureView, String)>,
    pub(super) failed: usize,
    /// Envelopes that pass with warnings.
    pub(super) warnings: Vec<(FailureView, String)>,
    pub(super) warned: usize,
    pub(super) undecided: usize,
    /// For each envelope that could not be judged, why.
    pub(super) problems: Vec<(Vec<DiagnosticView>, String)>,
}

impl Taken {
    pub(super) fn new(law: &Law) -> Self {
        Self {
            envelopes: 0,
            passed: 0,
            tallies: tallies(law),
            failures: Vec::new(),
            failed: 0,
            warnings: Vec::new(),
            warned: 0,
            undecided: 0,
            problems: Vec::new(),
        }
    }

    /// Counts an envelope that was judged.
    pub(super) fn count(&mut self, judgements: &[Judgement], outcome: Outcome) {
        self.envelopes += 1;
        match outcome {
            Outcome::Pass => self.passed += 1,
            Outcome::Warn => {
                self.passed += 1;
                self.warned += 1;
            }
            Outcome::Fail => self.failed += 1,
            Outcome::Undecided => self.undecided += 1,
        }
        for (tally, judgement) in self.tallies.iter_mut().zip(judgements) {
            tally.count(*judgement);
        }
    }
}

fn tallies(law: &Law) -> Vec<TallyView> {
    let indexes = 0..law.rulespec.predicates.len();
    indexes.map(|index| TallyView { index, ..TallyView::default() }).collect()
}

/// What all batches so far came to.
pub(super) struct Total {
    pub(super) envelopes: usize,
    passed: usize,
    pub(super) failed: usize,
    undecided: usize,
    tallies: Vec<TallyView>,
    failures: Vec<(FailureView, String)>,
    warnings: Vec<(FailureView, String)>,
    warned: usize,
    problems: Vec<(Vec<DiagnosticView>, String)>,
    titles: Vec<String>,
}

impl Total {
    pub(super) fn new(law: &Law) -> Self {
        let predicates = law.rulespec.predicates.iter().enumerate();
        Self {
            envelopes: 0,
            passed: 0,
            failed: 0,
            undecided: 0,
            tallies: tallies(law),
            failures: Vec::new(),
            warnings: Vec::new(),
            warned: 0,
            problems: Vec::new(),
            titles: predicates.map(|(at, predicate)| title(at, predicate)).collect(),
        }
    }

    pub(super) fn over(&self, extent: &Extent) -> bool {
        extent.fail_fast && self.failed + self.undecided > 0
    }

    pub(super) fn take(&mut self, taken: Taken, extent: &Extent) {
        self.envelopes += taken.envelopes;
        self.passed += taken.passed;
        self.failed += taken.failed;
        self.undecided += taken.undecided;
        self.warned += taken.warned;
        for (all, new) in self.tallies.iter_mut().zip(taken.tallies) {
            all.passed += new.passed;
            all.failed += new.failed;
            all.skipped += new.skipped;
            all.undecided += new.undecided;
        }
        let room = extent.max_failures.saturating_sub(self.failures.len());
        self.failures.extend(taken.failures.into_iter().take(room));
        let room = extent.max_failures.saturating_sub(self.warnings.len());
        self.warnings.extend(taken.warnings.into_iter().take(room));
        let room = extent.max_failures.saturating_sub(self.problems.len());
        self.problems.extend(taken.problems.into_iter().take(room));
    }

    pub(super) fn finish(self, extent: &Extent) -> (ManyView, String) {
        let mut text = String::new();
        for (_, shown) in &self.problems {
            text.push_str(shown);
        }
        for (_, shown) in self.failures.iter().chain(&self.warnings) {
            text.push_str(shown);
        }
        let omitted = self.failed - self.failures.len();
        let unwarned = self.warned - self.warnings.len();
        let untold = self.undecided - self.problems.len();
        let left_out = [
            (omitted, "failed"),
            (unwarned, "passed with warnings"),
            (untold, "could not be judged"),
        ];
        for (count, what) in left_out.into_iter().filter(|(count, _)| *count > 0) {
            let most = extent.max_failures;
            let _ = writeln!(text, "{count} more {what}; `--max-failures` shows more than {most}");
        }
        if !text.is_empty() && !text.ends_with("\n\n") {
            text.push('\n');
        }
        for (tally, title) in self.tallies.iter().zip(&self.titles) {
            let _ = writeln!(
                text,
                "{title}: {} passed, {} failed, {} skipped{}",
                tally.passed,
                tally.failed,
                tally.skipped,
                undecided(tally.undecided)
            );
        }
        let verdict = match (self.undecided + usize::from(self.envelopes == 0), self.failed) {
            (0, 0) => "pass",
            (0, _) => "fail",
            (_, _) => "undecided",
        };
        let mut diagnostics: Vec<DiagnosticView> =
            self.problems.into_iter().flat_map(|(views, _)| views).collect();
        if self.envelopes == 0 {
            let nothing = [Diagnostic::new(&NO_ENVELOPE, Span::NONE, "there is no envelope here")
                .help(
                    "name files, or a folder with files in `.yaml`, `.yml`, `.json` or `.jsonl`",
                )];
            let sources = Sources::default();
            text.push_str(&render::human(&nothing, &sources, render::Style::Plain));
            diagnostics.extend(nothing.iter().map(|problem| render::view(problem, &sources)));
        }
        let _ = writeln!(
            text,
            "{verdict}: {} envelopes, {} passed, {} failed, {} undecided{}",
            self.envelopes,
            self.passed,
            self.failed,
            self.undecided,
            if self.failed + self.undecided > 0 && extent.fail_fast {
                "; stopped at the first"
            } else {
                ""
            }
        );
        let view = ManyView {
            verdict,
            envelopes: self.envelopes,
            passed: self.passed,
            failed: self.failed,
            undecided: self.undecided,
            predicates: self.tallies,
            failures: self.failures.into_iter().map(|(view, _)| view).collect(),
            omitted: (omitted > 0).then_some(omitted),
            warnings: self.warnings.into_iter().map(|(view, _)| view).collect(),
            omitted_warnings: (unwarned > 0).then_some(unwarned),
            omitted_undecided: (untold > 0).then_some(untold),
            diagnostics,
        };
        (view, text)
    }
}
