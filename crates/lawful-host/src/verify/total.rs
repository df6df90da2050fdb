//! The results of batches of envelopes, added up in order.

use std::collections::BTreeMap;
use std::sync::Arc;

use lawful::syntax::render::{self, DiagnosticView};
use lawful::syntax::{Diagnostic, Sources, Span, escape};
use lawful::verify::{
    Envelope, Finding, INTERRUPTED, Judgement, MORE_FAILURES, NO_ENVELOPE, Rulespec, UNJUDGED_KEY,
    Verdict,
};
use lawful::view::{FailureView, ManyView, PredicateView, StoppedView, TallyView};
use lawful::{Diagnostics, Value};

use super::batch::{BatchProgress, BatchRequest, BatchSink};
use super::stream::{StoppedAt, WholeFile};
use super::{LoadedRulespec, SpooledList, diagnostic};
use crate::answer::Answer;

/// The result for one envelope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It passes.
    Pass,
    /// It passes, but something of severity `warning` failed or is undecided.
    Warn,
    /// It fails.
    Fail,
    /// Nothing failed, but something was not observed, or it could not be judged.
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
    /// Its file, and its line if the file has one per line.
    pub name: String,
    /// Its `id`, if it has one.
    pub id: Option<Value>,
    /// The result.
    pub outcome: Outcome,
    /// The findings to report; none if it is undecided.
    pub findings: Vec<Finding>,
    /// Predicates that are denied because they pass only for an absent value.
    pub denied: Vec<Diagnostic>,
    /// Why it is undecided.
    pub problems: Vec<Diagnostic>,
    /// The texts that all of these point into.
    pub sources: Sources,
}

impl ReportedEnvelope {
    /// The JSON form of a failed envelope, or one with warnings.
    pub fn view(&self, rulespec: &Rulespec) -> FailureView {
        let sources = &self.sources;
        let predicates = self.findings.iter().cloned();
        let denied = self.denied.iter();
        FailureView {
            envelope: self.name.clone(),
            id: self.id.clone(),
            predicates: predicates
                .filter_map(|one| PredicateView::new(one, rulespec, sources, sources))
                .collect(),
            diagnostics: denied.map(|problem| render::view(problem, sources)).collect(),
        }
    }

    /// Everything as diagnostics.
    pub fn diagnostics(&self, loaded: &LoadedRulespec) -> Vec<DiagnosticView> {
        let found = diagnostic::of_findings(&self.findings, loaded);
        let all = found.iter().chain(&self.denied).chain(&self.problems);
        all.map(|problem| render::view(problem, &self.sources)).collect()
    }
}

/// The result of a batch.
pub(super) struct BatchOutcome {
    pub(super) envelopes: usize,
    pub(super) passed: usize,
    pub(super) failed: usize,
    pub(super) warned: usize,
    pub(super) undecided: usize,
    pub(super) tallies: Vec<TallyView>,
    /// What is reported, in order, and how many of each kind.
    pub(super) reports: Vec<ReportedEnvelope>,
    pub(super) reported: Reported,
    /// What was rendered for each envelope.
    pub(super) text: Vec<u8>,
    /// The first warning about a document, of each kind.
    pub(super) notes: BTreeMap<String, Diagnostics>,
}

/// The number of reports of each kind.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reported {
    failed: usize,
    warned: usize,
    undecided: usize,
}

impl Reported {
    pub(super) fn count_of(&mut self, outcome: Outcome) -> Option<&mut usize> {
        match outcome {
            Outcome::Pass => None,
            Outcome::Warn => Some(&mut self.warned),
            Outcome::Fail => Some(&mut self.failed),
            Outcome::Undecided => Some(&mut self.undecided),
        }
    }
}

impl BatchOutcome {
    pub(super) fn new(loaded: &LoadedRulespec) -> Self {
        let indexes = 0..loaded.rulespec.predicates.len();
        let tallies = indexes.map(|index| TallyView { index, ..TallyView::default() }).collect();
        Self {
            envelopes: 0,
            passed: 0,
            failed: 0,
            warned: 0,
            undecided: 0,
            tallies,
            reports: Vec::new(),
            reported: Reported::default(),
            text: Vec::new(),
            notes: BTreeMap::new(),
        }
    }

    /// Keeps a report.
    pub(super) fn tell(&mut self, report: Option<ReportedEnvelope>) {
        if let Some(report) = report {
            if let Some(count) = self.reported.count_of(report.outcome) {
                *count += 1;
            }
            self.reports.push(report);
        }
    }

    /// Whether an envelope has a warning of a kind that was not seen before.
    pub(super) fn has_news(&self, envelope: &Envelope) -> bool {
        self.notes.len() < MOST_NOTES
            && envelope.unjudged_keys().any(|key| !self.notes.contains_key(key))
    }

    /// Keeps the first warning of each kind: of each key, or each code.
    pub(super) fn note(&mut self, envelope: &Envelope, sources: &Sources) {
        // There is a warning for each of these keys, in the same order.
        let mut keys = envelope.unjudged_keys();
        for warning in &envelope.warnings {
            let key = if warning.code == &UNJUDGED_KEY { keys.next() } else { None };
            let kind = key.unwrap_or(warning.code.name);
            if self.notes.len() < MOST_NOTES && !self.notes.contains_key(kind) {
                let sources = Arc::new(sources.clone());
                let warning = Diagnostics::in_order(vec![warning.clone()], sources);
                self.notes.insert(kind.to_owned(), warning);
            }
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

/// How the input ended.
#[derive(Clone, Debug, Default)]
pub(super) struct InputEnd {
    /// Where to go on, if the run was interrupted.
    pub(super) stopped: Option<StoppedAt>,
    /// The first file with lines, if it was read to its end.
    pub(super) first: Option<WholeFile>,
    /// The reader failed, so the rest of the input is unknown.
    pub(super) lost: bool,
}

/// The most kinds of warnings about documents that are shown.
const MOST_NOTES: usize = 20;

/// The result of all batches so far.
pub(super) struct Total {
    sum: BatchOutcome,
    /// The sink wants no more.
    closed: bool,
}

impl Total {
    pub(super) fn new(loaded: &LoadedRulespec) -> Self {
        Self { sum: BatchOutcome::new(loaded), closed: false }
    }

    pub(super) fn over(&self, request: &BatchRequest) -> bool {
        self.closed || (request.fail_fast && self.sum.failed + self.sum.undecided > 0)
    }

    /// Adds a batch, and passes on what it has to tell.
    pub(super) fn take(
        &mut self,
        outcome: BatchOutcome,
        request: &BatchRequest,
        sink: &mut dyn BatchSink,
    ) {
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
        for report in outcome.reports {
            if let Some(count) = sum.reported.count_of(report.outcome)
                && *count < request.max_failures
            {
                *count += 1;
                sink.reported(report);
            }
        }
        for (kind, warnings) in outcome.notes {
            if sum.notes.len() < MOST_NOTES {
                sum.notes.entry(kind).or_insert(warnings);
            }
        }
        self.closed |= !outcome.text.is_empty() && sink.text(&outcome.text).is_break();
    }

    pub(super) fn progress(&self, read: u64, size: Option<u64>) -> BatchProgress {
        BatchProgress { envelopes: self.sum.envelopes, failed: self.sum.failed, read, size }
    }

    pub(super) fn finish(self, end: &InputEnd, request: &BatchRequest) -> BatchVerified {
        let sum = self.sum;
        let stopped = end.stopped.clone();
        let no_envelope = || match &end.first {
            Some(WholeFile { file, lines }) if request.from > 1 => {
                let count = escape::count(*lines, "line");
                let message = format!("nothing is left to judge: `{file}` has {count}");
                let help = format!("`--from {}` starts after the last record", request.from);
                Diagnostic::new(&NO_ENVELOPE, Span::NONE, message).help(help)
            }
            Some(_) | None => {
                let message = "no envelope here";
                Diagnostic::new(&NO_ENVELOPE, Span::NONE, message).help(
                    "pass files, or a folder with `.yaml`, `.yml`, `.json`, `.jsonl` or `.ndjson` files",
                )
            }
        };
        let nothing = sum.envelopes == 0 && stopped.is_none();
        // What was not judged is not decided.
        let cut_short = stopped.is_some() || end.lost || self.closed;
        let unjudged = sum.undecided + usize::from(nothing || cut_short);
        BatchVerified {
            verdict: match (unjudged, sum.failed) {
                (0, 0) => Verdict::Pass,
                (0, _) => Verdict::Fail,
                (_, _) => Verdict::Undecided,
            },
            no_envelope: nothing.then(no_envelope),
            omitted: sum.failed - sum.reported.failed,
            omitted_warnings: sum.warned - sum.reported.warned,
            omitted_undecided: sum.undecided - sum.reported.undecided,
            envelopes: sum.envelopes,
            passed: sum.passed,
            failed: sum.failed,
            undecided: sum.undecided,
            tallies: sum.tallies,
            warnings: sum.notes.into_values().collect(),
            cut_short,
            stopped,
        }
    }
}

/// The verdict on many envelopes, and their numbers.
#[derive(Clone, Debug)]
pub struct BatchVerified {
    /// The verdict on all of them: undecided if any is, if there are none, or if the run was cut
    /// short.
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
    /// The number of envelopes that failed and were not reported.
    pub omitted: usize,
    /// The number of envelopes that passed with warnings and were not reported.
    pub omitted_warnings: usize,
    /// The number of envelopes that could not be judged and were not reported.
    pub omitted_undecided: usize,
    /// Warnings about the documents, the first of each kind.
    pub warnings: Vec<Diagnostics>,
    /// The diagnostic if there is no envelope.
    pub no_envelope: Option<Diagnostic>,
    /// Whether the run ended early: interrupted, or nobody reads its output.
    pub cut_short: bool,
    /// Where to go on, if the run was interrupted.
    pub stopped: Option<StoppedAt>,
}

/// Reports, kept as JSON for [`BatchVerified::view`].
#[derive(Debug, Default)]
pub struct ReportedViews {
    failures: SpooledList,
    warnings: SpooledList,
    diagnostics: SpooledList,
}

impl ReportedViews {
    /// Keeps a report.
    pub fn push(&mut self, report: &ReportedEnvelope, loaded: &LoadedRulespec) {
        match report.outcome {
            Outcome::Fail => self.failures.push(&report.view(&loaded.rulespec)),
            Outcome::Pass | Outcome::Warn => self.warnings.push(&report.view(&loaded.rulespec)),
            Outcome::Undecided => {
                for problem in report.diagnostics(loaded) {
                    self.diagnostics.push(&problem);
                }
            }
        }
    }
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

    /// The JSON form, with the reports of the run.
    pub fn view(&self, reports: ReportedViews) -> ManyView<SpooledList, SpooledList> {
        let some = |count: usize| (count > 0).then_some(count);
        let ReportedViews { failures, warnings, diagnostics } = reports;
        for problem in self.diagnostics() {
            diagnostics.push(&problem);
        }
        ManyView {
            verdict: self.verdict,
            envelopes: self.envelopes,
            passed: self.passed,
            failed: self.failed,
            undecided: self.undecided,
            predicates: self.tallies.clone(),
            failures,
            omitted: some(self.omitted),
            warnings: (!warnings.is_empty()).then_some(warnings),
            omitted_warnings: some(self.omitted_warnings),
            omitted_undecided: some(self.omitted_undecided),
            diagnostics,
            stopped: self
                .stopped
                .as_ref()
                .map(|at| StoppedView { file: at.file.clone(), line: at.line }),
        }
    }

    /// What a format without counts has to say: [`diagnostics`](Self::diagnostics), that the run was
    /// cut short, and how many envelopes are not shown.
    pub fn summary(&self) -> Vec<DiagnosticView> {
        let mut views = self.diagnostics();
        let mut add = |problem: &Diagnostic| views.push(render::view(problem, &Sources::default()));
        if self.cut_short {
            let message = format!(
                "the run ended early: it judged {}",
                escape::count(self.envelopes, "envelope")
            );
            let go_on = match &self.stopped {
                Some(at) => format!("go on with `--from {}` at `{}`", at.line, at.file),
                None => "read all of its output".to_owned(),
            };
            add(&Diagnostic::new(&INTERRUPTED, Span::NONE, message).help(go_on));
        }
        let unshown = self.omitted + self.omitted_undecided;
        if unshown > 0 {
            let unshown = escape::count(unshown, "more envelope");
            let message = format!("{unshown} failed or could not be judged");
            let help = "raise `--max-failures`, or use `--format jsonl`";
            add(&Diagnostic::new(&MORE_FAILURES, Span::NONE, message).help(help));
        }
        views
    }

    /// What is said about the run as a whole, and about its documents.
    pub fn diagnostics(&self) -> Vec<DiagnosticView> {
        let nothing = Sources::default();
        let missing = self.no_envelope.iter().map(|problem| render::view(problem, &nothing));
        self.warnings.iter().flat_map(Diagnostics::views).chain(missing).collect()
    }
}
