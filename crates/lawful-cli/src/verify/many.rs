//! Many envelopes: judged on all cores, counted, and the failures told in order.
//!
//! A reader hands out batches, workers judge them, and their results are taken up in the order of
//! the batches, so that the answer does not depend on who was faster.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, mpsc};

use lawful::Value;
use lawful::code;
use lawful::syntax::render::DiagnosticView;
use lawful::syntax::{Diagnostic, Format, Sources, Span, escape, parse, parse_json, render, text};
use lawful::verify::{Envelope, Facts, Finding, Findings, Judge, Judgement, Verdict};
use lawful::view::{FailureView, ManyView, PredicateView};

use super::progress::Progress;
use super::report::{told, undecided_for};
use super::stream::{Batch, Batches};
use super::total::{Outcome, Taken, Total};
use super::{Law, Observed, Options};
use crate::input::document;

/// How many envelopes are judged.
pub(crate) struct Extent {
    pub(crate) paths: Vec<PathBuf>,
    pub(crate) jobs: usize,
    pub(crate) max_failures: usize,
    pub(crate) fail_fast: bool,
}

/// Judges all of them: the view, and the same for people.
pub(crate) fn many(
    law: &Law,
    seen: Option<&Observed>,
    options: Options,
    extent: &Extent,
) -> (ManyView, String) {
    let court = Court { law, seen, options, extent };
    let mut total = Total::new(law);
    let mut progress = Progress::new();
    let batches = Batches::new(&extent.paths, law.limits.document.bytes);
    if extent.jobs <= 1 {
        let mut judge = Judge::new(&law.rulespec, &law.limits);
        for batch in batches {
            total.take(court.batch(&batch, &mut judge), extent);
            progress.at(total.envelopes, total.failed);
            if total.over(extent) {
                break;
            }
        }
    } else {
        in_parallel(&court, batches, &mut total, &mut progress);
    }
    progress.end();
    total.finish(extent)
}

fn in_parallel(court: &Court<'_>, batches: Batches, total: &mut Total, progress: &mut Progress) {
    let jobs = court.extent.jobs;
    let stop = AtomicBool::new(false);
    let (hand_out, handed) = mpsc::sync_channel::<(usize, Batch)>(jobs * 2);
    let (hand_in, results) = mpsc::sync_channel::<(usize, Taken)>(jobs * 2);
    let handed = Mutex::new(handed);
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            let hand_in = hand_in.clone();
            let handed = &handed;
            scope.spawn(move || {
                let mut judge = Judge::new(&court.law.rulespec, &court.law.limits);
                loop {
                    let next = handed.lock().ok().and_then(|handed| handed.recv().ok());
                    let Some((number, batch)) = next else { return };
                    if hand_in.send((number, court.batch(&batch, &mut judge))).is_err() {
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
        let mut early: BTreeMap<usize, Taken> = BTreeMap::new();
        let mut next = 0;
        for (number, taken) in &results {
            early.insert(number, taken);
            while let Some(taken) = early.remove(&next) {
                next += 1;
                if !stop.load(Ordering::Relaxed) {
                    total.take(taken, court.extent);
                    progress.at(total.envelopes, total.failed);
                }
                if total.over(court.extent) {
                    stop.store(true, Ordering::Relaxed);
                }
            }
        }
    });
}

/// What is the same for every envelope.
struct Court<'c> {
    law: &'c Law,
    seen: Option<&'c Observed>,
    options: Options,
    extent: &'c Extent,
}

impl Court<'_> {
    fn batch(&self, batch: &Batch, judge: &mut Judge<'_>) -> Taken {
        let mut taken = Taken::new(self.law);
        match batch {
            Batch::Document(path) => self.document(path, judge, &mut taken),
            Batch::Lines { file, first, bytes } => {
                for (number, line) in (*first..).zip(bytes.split(|byte| *byte == b'\n')) {
                    if line.iter().all(u8::is_ascii_whitespace) {
                        continue;
                    }
                    self.line(file, number, line, judge, &mut taken);
                    if self.extent.fail_fast && taken.failed + taken.undecided > 0 {
                        break;
                    }
                }
            }
            Batch::LongLine { file, line } => {
                let limit = self.law.limits.document.bytes;
                let message =
                    format!("the line is longer than the limit of {}", escape::bytes(limit));
                let name = file.display().to_string();
                let too_large = &lawful::syntax::codes::TOO_LARGE;
                self.undecided((&name, *line), too_large, &message, &mut taken);
            }
            Batch::Unreadable(path, why) => {
                let message = format!("this cannot be read: {why}");
                let name = path.display().to_string();
                self.undecided((&name, 1), &code::UNREADABLE, &message, &mut taken);
            }
        }
        taken
    }

    fn undecided(
        &self,
        (name, line): (&str, usize),
        code: &'static lawful::syntax::Code,
        message: &str,
        taken: &mut Taken,
    ) {
        let mut sources = Sources::default();
        let file = sources.add_unread(name);
        sources.starts_at_line(file, line);
        let problem = Diagnostic::new(code, Span::start_of(file), message);
        self.undecided_for(&[problem], &sources, taken);
    }

    fn undecided_for(&self, problems: &[Diagnostic], sources: &Sources, taken: &mut Taken) {
        taken.envelopes += 1;
        taken.undecided += 1;
        if taken.undecided <= self.extent.max_failures {
            taken.problems.push(told_problems(problems, sources));
        }
    }

    fn document(&self, path: &Path, judge: &mut Judge<'_>, taken: &mut Taken) {
        let mut sources = self.law.sources.clone();
        let mut problems = Vec::new();
        let node = document(path, &mut sources, &mut problems);
        problems.retain(Diagnostic::is_error);
        let envelope = match node.filter(|_| problems.is_empty()) {
            Some(node) => Envelope::decode(&node),
            None => Err(problems),
        };
        match envelope {
            Ok(envelope) => {
                let name = path.display().to_string();
                self.envelope(&name, &envelope, &sources, judge, taken);
            }
            Err(problems) => self.undecided_for(&problems, &sources, taken),
        }
    }

    /// A line is read without its places, and once more with them where there is something to tell.
    fn line(
        &self,
        path: &Path,
        number: usize,
        line: &[u8],
        judge: &mut Judge<'_>,
        taken: &mut Taken,
    ) {
        let limits = &self.law.limits.document;
        let line =
            if number == 1 { line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line) } else { line };
        let value: Option<Value> =
            std::str::from_utf8(line).ok().and_then(|text| parse_json(text, limits));
        let quick = value.and_then(Envelope::from_value);
        let seen = self.seen.map(|seen| &seen.value);
        if let Some(envelope) = &quick {
            let facts = Facts { said: &envelope.facts, seen };
            if judge.judge(facts).is_ok() {
                let outcome = self.outcome(judge, facts);
                if !self.must_tell(outcome, taken) {
                    return taken.count(judge.judgements(), outcome);
                }
            }
        }
        let name = format!("{}:{number}", path.display());
        let mut sources = self.law.sources.clone();
        let (file, unreadable) = text::add(&mut sources, &path.display().to_string(), line);
        sources.starts_at_line(file, number);
        let (node, mut problems) = match unreadable {
            Some(problem) => (None, vec![problem]),
            None => parse(&sources, file, Format::Json, limits),
        };
        problems.retain(Diagnostic::is_error);
        let envelope = match node.filter(|_| problems.is_empty()) {
            Some(node) => Envelope::decode(&node),
            None => Err(problems),
        };
        match envelope {
            Ok(envelope) => self.envelope(&name, &envelope, &sources, judge, taken),
            Err(problems) => self.undecided_for(&problems, &sources, taken),
        }
    }

    fn outcome(&self, judge: &Judge<'_>, facts: Facts<'_>) -> Outcome {
        if self.options.deny_vacuous && !judge.denials(facts).is_empty() {
            return Outcome::Fail;
        }
        let warns = |one: &Judgement| matches!(one, Judgement::Fail | Judgement::Undecided);
        match Judge::verdict(&self.law.rulespec, judge.judgements()) {
            Verdict::Fail => Outcome::Fail,
            Verdict::Undecided => Outcome::Undecided,
            Verdict::Pass if judge.judgements().iter().any(warns) => Outcome::Warn,
            Verdict::Pass => Outcome::Pass,
        }
    }

    /// Whether there is something to tell of an envelope, and room for it.
    fn must_tell(&self, outcome: Outcome, taken: &Taken) -> bool {
        match outcome {
            Outcome::Pass => false,
            Outcome::Warn => taken.warnings.len() < self.extent.max_failures,
            Outcome::Fail => taken.failures.len() < self.extent.max_failures,
            Outcome::Undecided => taken.problems.len() < self.extent.max_failures,
        }
    }

    fn envelope(
        &self,
        name: &str,
        envelope: &Envelope,
        sources: &Sources,
        judge: &mut Judge<'_>,
        taken: &mut Taken,
    ) {
        let seen = self.seen.map(|seen| (&seen.value, seen.node.as_ref()));
        let findings = Findings::new(envelope, seen);
        if let Err(mut problem) = judge.judge(findings.facts()) {
            // Its place is in the rulespec; the envelope must be told as well.
            problem.message = format!("in `{}`: {}", escape::name(name), problem.message);
            let problem = findings.place_problem(judge, *problem);
            self.undecided_for(&[problem], sources, taken);
            return;
        }
        let facts = findings.facts();
        let outcome = self.outcome(judge, facts);
        taken.count(judge.judgements(), outcome);
        if !self.must_tell(outcome, taken) {
            return;
        }
        let rulespec = &self.law.rulespec;
        let finding =
            |at: usize| findings.finding(judge, at, &self.law.limits, self.options.explain);
        if outcome == Outcome::Undecided {
            let problems: Vec<Diagnostic> = (0..rulespec.predicates.len())
                .filter_map(finding)
                .filter(|finding| finding.outcome == Judgement::Undecided)
                .filter_map(|finding| {
                    let predicate = rulespec.predicates.get(finding.index)?;
                    let mut problem = undecided_for(&finding, rulespec, predicate);
                    // Its place is in the rulespec; the envelope must be told as well.
                    problem.message = format!("in `{}`: {}", escape::name(name), problem.message);
                    Some(problem)
                })
                .collect();
            taken.problems.push(told_problems(&problems, sources));
            return;
        }
        let denied = if self.options.deny_vacuous { judge.denials(facts) } else { Vec::new() };
        let worth_telling = |finding: &Finding| {
            matches!(finding.outcome, Judgement::Fail | Judgement::Undecided)
                || (self.options.deny_vacuous && finding.vacuous)
        };
        let found: Vec<Finding> =
            (0..rulespec.predicates.len()).filter_map(finding).filter(worth_telling).collect();
        let mut text = format!("{}:\n", escape::line(name));
        text.push_str(&told(rulespec, &found, &denied, sources));
        let views = found.into_iter();
        let predicates =
            views.filter_map(|one| PredicateView::new(one, rulespec, sources, sources)).collect();
        let diagnostics = denied.iter().map(|problem| render::view(problem, sources)).collect();
        let view = FailureView { envelope: name.to_owned(), predicates, diagnostics };
        match outcome {
            Outcome::Fail => taken.failures.push((view, text)),
            Outcome::Pass | Outcome::Warn | Outcome::Undecided => {
                taken.warnings.push((view, text));
            }
        }
    }
}

/// Why an envelope is undecided, for machines and for people.
fn told_problems(problems: &[Diagnostic], sources: &Sources) -> (Vec<DiagnosticView>, String) {
    let views = problems.iter().map(|problem| render::view(problem, sources)).collect();
    (views, render::human(problems, sources, render::Style::Plain))
}
