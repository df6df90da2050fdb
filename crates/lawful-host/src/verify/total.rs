//! The results of batches of envelopes, added up in order.

use lawful::Diagnostics;
use lawful::syntax::render::{self, DiagnosticView};
use lawful::syntax::{Diagnostic, Sources, Span};
use lawful::verify::{Finding, Judgement, NO_ENVELOPE, Rulespec, Verdict};
use lawful::view::{FailureView, ManyView, PredicateView, TallyView};

use super::LoadedRulespec;
use super::batch::BatchRequest;
use crate::answer::Answer;

/// The result for one envelope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Pass,
    /// It passes, but something of severity `warning` failed or is undecided.
    Warn,
    Fail,
    /// Nothing failed, but something was not observed.
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

/// An envelope with something to report.
#[derive(Clone, Debug)]
pub struct ReportedEnvelope {
    /// Its file, and its line in a `.jsonl`.
    pub name: String,
    /// The findings to report.
    pub findings: Vec<Finding>,
    /// Predicates that are denied because they pass only for an absent value.
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

/// The result of a batch.
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
    /// Why envelopes could not be judged, one item per envelope.
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

    /// Counts a judged envelope.
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

/// The result of all batches so far.
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
            let message = "no envelope here";
            Diagnostic::new(&NO_ENVELOPE, Span::NONE, message)
                .help("pass files, or a folder with `.yaml`, `.yml`, `.json` or `.jsonl` files")
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
    /// The verdict on all of them: undecided if any is, or if there are none.
    pub verdict: Verdict,
    /// The number of envelopes.
    pub envelopes: usize,
    /// The number that passed.
    pub passed: usize,
    /// The number that failed.
    pub failed: usize,
    /// The number that could not be judged.
    pub undecided: usize,
    /// The results of each predicate over all envelopes.
    pub tallies: Vec<TallyView>,
    /// The first envelopes that failed.
    pub failures: Vec<ReportedEnvelope>,
    /// The number of further envelopes that failed.
    pub omitted: usize,
    /// The first envelopes that passed with warnings.
    pub warnings: Vec<ReportedEnvelope>,
    /// The number of further envelopes that passed with warnings.
    pub omitted_warnings: usize,
    /// Why the first envelopes could not be judged.
    pub problems: Vec<Diagnostics>,
    /// The number of further envelopes that could not be judged.
    pub omitted_undecided: usize,
    /// The diagnostic if there is no envelope.
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

    /// The JSON form. `loaded` is the rulespec that judged the envelopes.
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
