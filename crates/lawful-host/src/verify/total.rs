//! What batches of envelopes came to, added up in order.

use lawful::Diagnostics;
use lawful::syntax::render::{self, DiagnosticView};
use lawful::syntax::{Diagnostic, Sources, Span};
use lawful::verify::{Finding, Judgement, NO_ENVELOPE, Rulespec, Verdict};
use lawful::view::{FailureView, ManyView, PredicateView, TallyView};

use super::LoadedRulespec;
use super::batch::BatchRequest;
use crate::answer::Answer;

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

impl Outcome {
    pub(super) fn of(verdict: Verdict, judgements: &[Judgement]) -> Self {
        let warns = |one: &Judgement| matches!(one, Judgement::Fail | Judgement::Undecided);
        match verdict {
            Verdict::Fail => Self::Fail,
            Verdict::Undecided => Self::Undecided,
            Verdict::Pass if judgements.iter().any(warns) => Self::Warn,
            Verdict::Pass => Self::Pass,
        }
    }
}

/// An envelope that there is something to tell of.
#[derive(Clone, Debug)]
pub struct ReportedEnvelope {
    /// Its file, and its line in a `.jsonl`.
    pub name: String,
    /// The findings that there is something to tell of.
    pub findings: Vec<Finding>,
    /// What is not let pass because it holds only where nothing is there.
    pub denied: Vec<Diagnostic>,
    /// The texts that the findings point into.
    pub sources: Sources,
}

impl ReportedEnvelope {
    fn view(&self, rulespec: &Rulespec) -> FailureView {
        let sources = &self.sources;
        let predicates = self.findings.iter().cloned();
        let denied = self.denied.iter();
        FailureView {
            envelope: self.name.clone(),
            predicates: predicates
                .filter_map(|one| PredicateView::new(one, rulespec, sources, sources))
                .collect(),
            diagnostics: denied.map(|problem| render::view(problem, sources)).collect(),
        }
    }
}

/// What a batch came to.
pub(super) struct BatchOutcome {
    pub(super) envelopes: usize,
    pub(super) passed: usize,
    pub(super) tallies: Vec<TallyView>,
    pub(super) failures: Vec<ReportedEnvelope>,
    pub(super) failed: usize,
    /// Envelopes that pass with warnings.
    pub(super) warnings: Vec<ReportedEnvelope>,
    pub(super) warned: usize,
    pub(super) undecided: usize,
    /// For each envelope that could not be judged, why.
    pub(super) problems: Vec<Diagnostics>,
}

impl BatchOutcome {
    pub(super) fn new(loaded: &LoadedRulespec) -> Self {
        Self {
            envelopes: 0,
            passed: 0,
            tallies: tallies(loaded),
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

fn tallies(loaded: &LoadedRulespec) -> Vec<TallyView> {
    let indexes = 0..loaded.rulespec.predicates.len();
    indexes.map(|index| TallyView { index, ..TallyView::default() }).collect()
}

/// What all batches so far came to.
pub(super) struct Total {
    pub(super) envelopes: usize,
    pub(super) failed: usize,
    sum: BatchOutcome,
}

impl Total {
    pub(super) fn new(loaded: &LoadedRulespec) -> Self {
        Self { envelopes: 0, failed: 0, sum: BatchOutcome::new(loaded) }
    }

    pub(super) fn over(&self, request: &BatchRequest) -> bool {
        request.fail_fast && self.sum.failed + self.sum.undecided > 0
    }

    pub(super) fn take(&mut self, outcome: BatchOutcome, request: &BatchRequest) {
        let sum = &mut self.sum;
        sum.envelopes += outcome.envelopes;
        sum.passed += outcome.passed;
        sum.failed += outcome.failed;
        sum.undecided += outcome.undecided;
        sum.warned += outcome.warned;
        for (all, new) in sum.tallies.iter_mut().zip(outcome.tallies) {
            all.passed += new.passed;
            all.failed += new.failed;
            all.skipped += new.skipped;
            all.undecided += new.undecided;
        }
        let room = |taken: usize| request.max_failures.saturating_sub(taken);
        let failures = outcome.failures.into_iter().take(room(sum.failures.len()));
        sum.failures.extend(failures);
        let warnings = outcome.warnings.into_iter().take(room(sum.warnings.len()));
        sum.warnings.extend(warnings);
        let problems = outcome.problems.into_iter().take(room(sum.problems.len()));
        sum.problems.extend(problems);
        (self.envelopes, self.failed) = (sum.envelopes, sum.failed);
    }

    pub(super) fn finish(self) -> BatchVerified {
        let sum = self.sum;
        let no_envelope = || {
            let message = "there is no envelope here";
            Diagnostic::new(&NO_ENVELOPE, Span::NONE, message)
                .help("name files, or a folder with files in `.yaml`, `.yml`, `.json` or `.jsonl`")
        };
        BatchVerified {
            verdict: match (sum.undecided + usize::from(sum.envelopes == 0), sum.failed) {
                (0, 0) => Verdict::Pass,
                (0, _) => Verdict::Fail,
                (_, _) => Verdict::Undecided,
            },
            no_envelope: (sum.envelopes == 0).then(no_envelope),
            omitted: sum.failed - sum.failures.len(),
            omitted_warnings: sum.warned - sum.warnings.len(),
            omitted_undecided: sum.undecided - sum.problems.len(),
            envelopes: sum.envelopes,
            passed: sum.passed,
            failed: sum.failed,
            undecided: sum.undecided,
            tallies: sum.tallies,
            failures: sum.failures,
            warnings: sum.warnings,
            problems: sum.problems,
        }
    }
}

/// The verdict on many envelopes.
#[derive(Clone, Debug)]
pub struct BatchVerified {
    /// The verdict on all of them: undecided where any is, or where there is none.
    pub verdict: Verdict,
    /// How many envelopes there were.
    pub envelopes: usize,
    /// How many of them passed.
    pub passed: usize,
    /// How many failed.
    pub failed: usize,
    /// How many could not be judged.
    pub undecided: usize,
    /// What became of each predicate over all of them.
    pub tallies: Vec<TallyView>,
    /// The first envelopes that failed.
    pub failures: Vec<ReportedEnvelope>,
    /// How many more failed.
    pub omitted: usize,
    /// The first envelopes that passed with warnings.
    pub warnings: Vec<ReportedEnvelope>,
    /// How many more passed with warnings.
    pub omitted_warnings: usize,
    /// For the first envelopes that could not be judged, why.
    pub problems: Vec<Diagnostics>,
    /// How many more could not be judged.
    pub omitted_undecided: usize,
    /// That there is no envelope.
    pub no_envelope: Option<Diagnostic>,
}

impl BatchVerified {
    /// The verdict as an answer.
    pub fn answer(&self) -> Answer {
        match self.verdict {
            Verdict::Pass => Answer::Yes,
            Verdict::Fail => Answer::No,
            Verdict::Undecided => Answer::Undecided,
        }
    }

    /// The public shape. `loaded` is what the envelopes were judged by.
    pub fn view(&self, loaded: &LoadedRulespec) -> ManyView {
        let some = |count: usize| (count > 0).then_some(count);
        let views = |reports: &[ReportedEnvelope]| {
            reports.iter().map(|report| report.view(&loaded.rulespec)).collect()
        };
        let nothing = Sources::default();
        let missing = self.no_envelope.iter().map(|problem| render::view(problem, &nothing));
        let diagnostics: Vec<DiagnosticView> =
            self.problems.iter().flat_map(Diagnostics::views).chain(missing).collect();
        ManyView {
            verdict: self.verdict,
            envelopes: self.envelopes,
            passed: self.passed,
            failed: self.failed,
            undecided: self.undecided,
            predicates: self.tallies.clone(),
            failures: views(&self.failures),
            omitted: some(self.omitted),
            warnings: views(&self.warnings),
            omitted_warnings: some(self.omitted_warnings),
            omitted_undecided: some(self.omitted_undecided),
            diagnostics,
        }
    }
}
