//! Many envelopes: judged on all cores, counted, and the failures reported in order.
//!
//! A reader produces batches, workers judge them, and the results are collected in the order of the
//! batches, so that the output is deterministic.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, mpsc};

use lawful::code;
use lawful::syntax::{Diagnostic, Format, Sources, Span, escape, parse, parse_json, text};
use lawful::verify::{Envelope, Facts, Finding, Judge, Judged, Judgement};
use lawful::{Diagnostics, Value};

use super::stream::{Batch, Batches};
use super::total::{BatchOutcome, BatchVerified, Outcome, ReportedEnvelope, Total};
use super::{LoadedRulespec, ObservedFacts, Strictness, decode, diagnostic};
use crate::input::document;

/// Which envelopes to judge, and how.
#[derive(Clone, Debug)]
pub struct BatchRequest {
    /// Files, folders, and `.jsonl` files with one envelope per line.
    pub paths: Vec<PathBuf>,
    /// The number of workers.
    pub jobs: usize,
    /// The maximal number of envelopes to report, of each kind.
    pub max_failures: usize,
    /// Stop at the first envelope that does not pass.
    pub fail_fast: bool,
}

impl LoadedRulespec {
    /// Judges many envelopes. Calls `progress` with the number judged and the number failed.
    pub fn verify_many(
        &self,
        request: &BatchRequest,
        seen: Option<&ObservedFacts>,
        strictness: Strictness,
        progress: &mut dyn FnMut(usize, usize),
    ) -> BatchVerified {
        let judges = BatchJudge { loaded: self, seen, strictness, request };
        let mut total = Total::new(self);
        let batches = Batches::new(&request.paths, self.limits.document.bytes);
        if request.jobs <= 1 {
            let mut judge = Judge::new(&self.rulespec, &self.limits);
            for batch in batches {
                total.take(judges.batch(&batch, &mut judge), request);
                progress(total.envelopes, total.failed);
                if total.over(request) {
                    break;
                }
            }
        } else {
            in_parallel(&judges, batches, &mut total, progress);
        }
        total.finish()
    }
}

fn in_parallel(
    judges: &BatchJudge<'_>,
    batches: Batches,
    total: &mut Total,
    progress: &mut dyn FnMut(usize, usize),
) {
    let jobs = judges.request.jobs;
    let stop = AtomicBool::new(false);
    let (hand_out, handed) = mpsc::sync_channel::<(usize, Batch)>(jobs * 2);
    let (hand_in, results) = mpsc::sync_channel::<(usize, BatchOutcome)>(jobs * 2);
    let handed = Mutex::new(handed);
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            let hand_in = hand_in.clone();
            let handed = &handed;
            scope.spawn(move || {
                let mut judge = Judge::new(&judges.loaded.rulespec, &judges.loaded.limits);
                loop {
                    let next = handed.lock().ok().and_then(|handed| handed.recv().ok());
                    let Some((number, batch)) = next else { return };
                    if hand_in.send((number, judges.batch(&batch, &mut judge))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(hand_in);
        let stop = &stop;
        scope.spawn(move || {
            for numbered in batches.enumerate() {
                if stop.load(Ordering::Relaxed) || hand_out.send(numbered).is_err() {
                    return;
                }
            }
        });
        let mut early: BTreeMap<usize, BatchOutcome> = BTreeMap::new();
        let mut next = 0;
        for (number, outcome) in &results {
            early.insert(number, outcome);
            while let Some(outcome) = early.remove(&next) {
                next += 1;
                if !stop.load(Ordering::Relaxed) {
                    total.take(outcome, judges.request);
                    progress(total.envelopes, total.failed);
                }
                if total.over(judges.request) {
                    stop.store(true, Ordering::Relaxed);
                }
            }
        }
    });
}

/// What is the same for every envelope.
struct BatchJudge<'c> {
    loaded: &'c LoadedRulespec,
    seen: Option<&'c ObservedFacts>,
    strictness: Strictness,
    request: &'c BatchRequest,
}

impl<'c> BatchJudge<'c> {
    fn batch(&self, batch: &Batch, judge: &mut Judge<'c>) -> BatchOutcome {
        let mut told = BatchOutcome::new(self.loaded);
        match batch {
            Batch::Document(path) => self.document(path, judge, &mut told),
            Batch::Lines { file, first, bytes } => {
                for (number, line) in (*first..).zip(bytes.split(|byte| *byte == b'\n')) {
                    if line.iter().all(u8::is_ascii_whitespace) {
                        continue;
                    }
                    self.line(file, number, line, judge, &mut told);
                    if self.request.fail_fast && told.failed + told.undecided > 0 {
                        break;
                    }
                }
            }
            Batch::LongLine { file, line } => {
                let limit = self.loaded.limits.document.bytes;
                let message =
                    format!("the line is longer than the limit of {}", escape::bytes(limit));
                let name = file.display().to_string();
                let too_large = &lawful::syntax::codes::TOO_LARGE;
                self.undecided((&name, *line), too_large, &message, &mut told);
            }
            Batch::Unreadable(path, why) => {
                let message = format!("cannot read this: {why}");
                let name = path.display().to_string();
                self.undecided((&name, 1), &code::UNREADABLE, &message, &mut told);
            }
        }
        told
    }

    fn undecided(
        &self,
        (name, line): (&str, usize),
        code: &'static lawful::syntax::Code,
        message: &str,
        told: &mut BatchOutcome,
    ) {
        let mut sources = Sources::default();
        let file = sources.add_unread(name);
        sources.starts_at_line(file, line);
        let problem = Diagnostic::new(code, Span::start_of(file), message);
        self.undecided_for(&[problem], &sources, told);
    }

    fn undecided_for(&self, problems: &[Diagnostic], sources: &Sources, told: &mut BatchOutcome) {
        told.envelopes += 1;
        told.undecided += 1;
        if told.undecided <= self.request.max_failures {
            told.problems.push(Diagnostics::in_order(problems.to_vec(), Arc::new(sources.clone())));
        }
    }

    fn document(&self, path: &Path, judge: &mut Judge<'c>, told: &mut BatchOutcome) {
        let mut sources = self.loaded.sources.clone();
        let mut problems = Vec::new();
        let node = document(path, &mut sources, &mut problems);
        match decode(node, problems) {
            Ok(envelope) => {
                let name = path.display().to_string();
                self.envelope(&name, &envelope, &sources, judge, told);
            }
            Err(problems) => self.undecided_for(&problems, &sources, told),
        }
    }

    /// Reads a line without places, and again with them if there is something to report.
    fn line(
        &self,
        path: &Path,
        number: usize,
        line: &[u8],
        judge: &mut Judge<'c>,
        told: &mut BatchOutcome,
    ) {
        let limits = &self.loaded.limits.document;
        let line =
            if number == 1 { line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line) } else { line };
        let value: Option<Value> =
            std::str::from_utf8(line).ok().and_then(|text| parse_json(text, limits));
        let quick = value.and_then(Envelope::from_value);
        let seen = self.seen.map(|seen| &seen.value);
        if let Some(envelope) = &quick {
            let facts = Facts { said: &envelope.facts, seen };
            if judge.judge(facts).is_ok() {
                let verdict = judge.verdict_on(facts, self.strictness);
                let outcome = Outcome::of(verdict, judge.judgements());
                if !self.must_tell(outcome, told) {
                    return told.count(judge.judgements(), outcome);
                }
            }
        }
        let name = format!("{}:{number}", path.display());
        let mut sources = self.loaded.sources.clone();
        let (file, unreadable) = text::add(&mut sources, &path.display().to_string(), line);
        sources.starts_at_line(file, number);
        let (node, problems) = match unreadable {
            Some(problem) => (None, vec![problem]),
            None => parse(&sources, file, Format::Json, limits),
        };
        match decode(node, problems) {
            Ok(envelope) => self.envelope(&name, &envelope, &sources, judge, told),
            Err(problems) => self.undecided_for(&problems, &sources, told),
        }
    }

    /// Whether there is something to report about an envelope, and the limit allows it.
    fn must_tell(&self, outcome: Outcome, told: &BatchOutcome) -> bool {
        match outcome {
            Outcome::Pass => false,
            Outcome::Warn => told.warnings.len() < self.request.max_failures,
            Outcome::Fail => told.failures.len() < self.request.max_failures,
            Outcome::Undecided => told.problems.len() < self.request.max_failures,
        }
    }

    fn envelope(
        &self,
        name: &str,
        envelope: &Envelope,
        sources: &Sources,
        judge: &mut Judge<'c>,
        told: &mut BatchOutcome,
    ) {
        // A place in the rulespec alone would not identify the envelope.
        let name_it = |mut problem: Diagnostic| {
            problem.message = format!("in `{}`: {}", escape::name(name), problem.message);
            problem
        };
        let seen = self.seen.map(ObservedFacts::placed);
        let judged = match Judged::new(judge, envelope, seen, self.strictness) {
            Ok(judged) => judged,
            Err(unjudged) => {
                return self.undecided_for(&[name_it(unjudged.placed())], sources, told);
            }
        };
        let outcome = Outcome::of(judged.verdict(), judged.judge.judgements());
        told.count(judged.judge.judgements(), outcome);
        if !self.must_tell(outcome, told) {
            return;
        }
        let sources = sources.clone();
        if outcome == Outcome::Undecided {
            let rulespec = &self.loaded.rulespec;
            let list = judged
                .findings()
                .filter(|finding| finding.outcome == Judgement::Undecided)
                .filter_map(|finding| {
                    let predicate = rulespec.predicates.get(finding.index)?;
                    Some(name_it(diagnostic::undecided(&finding, self.loaded, predicate)))
                })
                .collect();
            told.problems.push(Diagnostics::in_order(list, Arc::new(sources)));
            return;
        }
        let worth_telling = |finding: &Finding| {
            matches!(finding.outcome, Judgement::Fail | Judgement::Undecided)
                || (self.strictness.deny_vacuous && finding.vacuous)
        };
        let report = ReportedEnvelope {
            name: name.to_owned(),
            findings: judged.findings().filter(worth_telling).collect(),
            denied: judged.denied(),
            sources,
        };
        match outcome {
            Outcome::Fail => told.failures.push(report),
            Outcome::Pass | Outcome::Warn | Outcome::Undecided => told.warnings.push(report),
        }
    }
}
