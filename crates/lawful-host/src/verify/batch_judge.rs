//! Judging a batch: reads each envelope, asks the judge, and keeps what there is to tell.

use std::io::BufRead as _;
use std::path::Path;

use lawful::Value;
use lawful::code;
use lawful::syntax::{Diagnostic, Format, Node, Sources, Span, escape, parse_sent, text};
use lawful::verify::{
    Envelope, Facts, Finding, Judge, Judged, Judgement, Record, Verdict, id_of, keep_long_id,
};

use super::batch::BatchRequest;
use super::each::{EachEnvelope, JudgedEnvelope};
use super::id::leading_id;
use super::one::{decode, decode_record};
use super::stream::Batch;
use super::total::{BatchOutcome, Outcome, ReportedEnvelope};
use super::{LoadedRulespec, ObservedFacts, Strictness, diagnostic};
use crate::input::sent_document;

/// What is the same for every envelope.
pub(super) struct BatchJudge<'c> {
    pub(super) loaded: &'c LoadedRulespec,
    pub(super) seen: Option<&'c ObservedFacts>,
    pub(super) strictness: Strictness,
    pub(super) request: &'c BatchRequest,
    pub(super) each: Option<&'c EachEnvelope<'c>>,
}

/// The lines of a text, without their ends. A search for the end of a line is faster than a split,
/// which looks at each byte.
fn lines(mut text: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let rest = text;
        let length = text.skip_until(b'\n').ok().filter(|length| *length > 0)?;
        let line = rest.get(..length)?;
        Some(line.strip_suffix(b"\n").unwrap_or(line))
    })
}

/// The place of an envelope.
#[derive(Clone, Copy)]
struct At<'a> {
    file: &'a str,
    /// The line, if the file has one envelope per line.
    line: Option<usize>,
}

impl At<'_> {
    fn name(self) -> String {
        match self.line {
            Some(line) => format!("{}:{line}", self.file),
            None => self.file.to_owned(),
        }
    }
}

impl<'c> BatchJudge<'c> {
    pub(super) fn batch(&self, batch: &Batch, judge: &mut Judge<'c>) -> BatchOutcome {
        let mut told = BatchOutcome::new(self.loaded);
        match batch {
            Batch::Document(path) => self.document(path, judge, &mut told),
            Batch::Lines { file, first, bytes } => {
                for (number, line) in (*first..).zip(lines(bytes)) {
                    if line.iter().all(u8::is_ascii_whitespace) {
                        continue;
                    }
                    self.line(At { file, line: Some(number) }, line, judge, &mut told);
                    if self.request.fail_fast && told.failed + told.undecided > 0 {
                        break;
                    }
                }
            }
            Batch::LongLine { file, line, id } => {
                let limit = self.loaded.limits.document.bytes;
                let message =
                    format!("the line is longer than the limit of {}", escape::bytes(limit));
                let too_large = &lawful::syntax::codes::TOO_LARGE;
                let at = At { file, line: Some(*line) };
                let help = self.loaded.limits.document.help_on_bytes("move data out of the record");
                self.unread(
                    at,
                    id.as_ref(),
                    Diagnostic::new(too_large, Span::NONE, message).help(help),
                    &mut told,
                );
            }
            Batch::Unreadable { file, line, why } => {
                let message = format!("cannot read this: {why}");
                let at = At { file, line: (*line > 1).then_some(*line) };
                let mut problem = Diagnostic::new(&code::UNREADABLE, Span::NONE, message);
                if *line > 1 {
                    problem =
                        problem.help("the lines before this one are judged; get the rest again");
                }
                self.unread(at, None, problem, &mut told);
            }
        }
        told
    }

    fn unread(&self, at: At<'_>, id: Option<&Value>, problem: Diagnostic, told: &mut BatchOutcome) {
        let mut sources = Sources::default();
        let file = sources.add_unread(at.file);
        sources.starts_at_line(file, at.line.unwrap_or(1));
        let problem = Diagnostic { span: Span::start_of(file), ..problem };
        self.unjudged(at, id, vec![problem], sources, told);
    }

    /// An envelope without a verdict.
    fn unjudged(
        &self,
        at: At<'_>,
        id: Option<&Value>,
        problems: Vec<Diagnostic>,
        sources: Sources,
        told: &mut BatchOutcome,
    ) {
        told.count(&[], Outcome::Undecided);
        let message = problems.first().map(|problem| problem.message.clone()).unwrap_or_default();
        let report = self.may_tell(Outcome::Undecided, told).then(|| ReportedEnvelope {
            name: at.name(),
            id: id.cloned(),
            outcome: Outcome::Undecided,
            findings: Vec::new(),
            denied: Vec::new(),
            problems,
            sources,
        });
        if let Some(each) = self.each {
            let one = JudgedEnvelope {
                file: at.file,
                line: at.line,
                id,
                verdict: Verdict::Undecided,
                failed: Vec::new(),
                undecided: Vec::new(),
                error: Some(&message),
                report: report.as_ref(),
            };
            each(&one, &mut told.text);
        }
        told.tell(report);
    }

    fn document(&self, path: &Path, judge: &mut Judge<'c>, told: &mut BatchOutcome) {
        let mut sources = self.loaded.sources.clone();
        let mut problems = Vec::new();
        let limits = &self.loaded.limits.document;
        let node = sent_document(path, limits, &mut sources, &mut problems);
        let name = path.display().to_string();
        let at = At { file: &name, line: None };
        let id = node.as_ref().and_then(id_of);
        match self.decode(node, problems) {
            Ok(record) => self.record(at, &record, sources, judge, told),
            Err(problems) => self.unjudged(at, id.as_ref(), problems, sources, told),
        }
    }

    fn decode(
        &self,
        node: Option<Node>,
        problems: Vec<Diagnostic>,
    ) -> Result<Record, Vec<Diagnostic>> {
        if self.request.records {
            return decode_record(node, problems);
        }
        Ok(Record { envelope: decode(node, problems)?, ..Record::default() })
    }

    /// Reads a line without places, and again with them if there is something to report.
    fn line(&self, at: At<'_>, line: &[u8], judge: &mut Judge<'c>, told: &mut BatchOutcome) {
        let limits = &self.loaded.limits.document;
        let line = match at.line {
            Some(1) => line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line),
            Some(_) | None => line,
        };
        let text = std::str::from_utf8(line).ok();
        let value = text.and_then(|text| Value::from_json(text, limits));
        let quick = value.and_then(|value| {
            if self.request.records {
                return Record::from_value(value);
            }
            let envelope = Envelope::from_value(value)?;
            Some(Record { envelope, observed: None, observed_node: None })
        });
        if let Some(record) = quick.filter(|record| !told.has_news(&record.envelope)) {
            let seen = self.seen.map(|seen| &seen.value).or(record.observed.as_ref());
            let facts = Facts { said: &record.envelope.facts, seen };
            if judge.judge_many(facts).is_ok() {
                let verdict = judge.verdict_on(facts, self.strictness);
                let outcome = Outcome::of(verdict, judge.judgements());
                if !self.may_tell(outcome, told) {
                    told.count(judge.judgements(), outcome);
                    return self.each(at, &record.envelope, verdict, judge, facts, None, told);
                }
            }
        }
        let mut sources = self.loaded.sources.clone();
        let (file, unreadable) = text::add(&mut sources, at.file, line);
        sources.starts_at_line(file, at.line.unwrap_or(1));
        let (node, problems) = match unreadable {
            Some(problem) => (None, vec![problem]),
            None => {
                let (mut node, mut problems) = parse_sent(&sources, file, Format::Json, limits);
                if let Some(node) = &mut node {
                    keep_long_id(node, &sources, &mut problems);
                }
                (node, problems)
            }
        };
        match self.decode(node, problems) {
            Ok(record) => self.record(at, &record, sources, judge, told),
            Err(problems) => self.unjudged(at, leading_id(line).as_ref(), problems, sources, told),
        }
    }

    /// Whether there is something to report about an envelope, and the limit allows it.
    fn may_tell(&self, outcome: Outcome, told: &mut BatchOutcome) -> bool {
        let most = self.request.max_failures;
        told.reported.count_of(outcome).is_some_and(|count| *count < most)
    }

    /// Judges an envelope with its places.
    fn record(
        &self,
        at: At<'_>,
        record: &Record,
        sources: Sources,
        judge: &mut Judge<'c>,
        told: &mut BatchOutcome,
    ) {
        let Record { envelope, observed, observed_node } = record;
        told.note(envelope, &sources);
        let name = at.name();
        // A place in the rulespec alone would not identify the envelope.
        let name_it = |mut problem: Diagnostic| {
            problem.message = format!("in `{}`: {}", escape::name(&name), problem.message);
            problem
        };
        let own = observed.as_ref().map(|observed| (observed, observed_node.as_ref()));
        let seen = self.seen.map(ObservedFacts::placed).or(own);
        let judged = match Judged::new(judge, envelope, seen, self.strictness) {
            Ok(judged) => judged,
            Err(unjudged) => {
                let problems = vec![name_it(unjudged.placed())];
                return self.unjudged(at, envelope.id(), problems, sources, told);
            }
        };
        let verdict = judged.verdict();
        let outcome = Outcome::of(verdict, judged.judge.judgements());
        told.count(judged.judge.judgements(), outcome);
        let report = self.may_tell(outcome, told).then(|| {
            let worth_telling = |finding: &Finding| {
                matches!(finding.outcome, Judgement::Fail | Judgement::Undecided)
                    || (self.strictness.deny_vacuous && finding.vacuous)
            };
            let mut findings: Vec<Finding> = judged.findings().filter(worth_telling).collect();
            let mut problems = Vec::new();
            if outcome == Outcome::Undecided {
                findings.retain(|finding| finding.outcome == Judgement::Undecided);
                problems = diagnostic::of_findings(&findings, self.loaded);
                problems = problems.into_iter().map(name_it).collect();
                findings.clear();
            }
            let denied = judged.denied();
            ReportedEnvelope {
                name: name.clone(),
                id: envelope.id().cloned(),
                outcome,
                findings,
                denied,
                problems,
                sources,
            }
        });
        let seen = seen.map(|(value, _)| value);
        let facts = Facts { said: &envelope.facts, seen };
        self.each(at, envelope, verdict, judged.judge, facts, report.as_ref(), told);
        told.tell(report);
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one result")]
    fn each(
        &self,
        at: At<'_>,
        envelope: &Envelope,
        verdict: Verdict,
        judge: &Judge<'_>,
        facts: Facts<'_>,
        report: Option<&ReportedEnvelope>,
        told: &mut BatchOutcome,
    ) {
        let Some(each) = self.each else { return };
        let rulespec = &self.loaded.rulespec;
        let judged = judge.judgements().iter().zip(&rulespec.predicates).enumerate();
        let mut failed = Vec::new();
        let mut undecided = Vec::new();
        let mut skipped = 0;
        for (index, (judgement, predicate)) in judged {
            match judgement {
                Judgement::Fail => failed.push(index),
                Judgement::Undecided => undecided.push(index),
                Judgement::Skipped => skipped += 1,
                // What is denied is failed.
                Judgement::Pass
                    if self.strictness.deny_vacuous && rulespec.is_vacuous(predicate, facts) =>
                {
                    failed.push(index);
                }
                Judgement::Pass => {}
            }
        }
        let nothing = self.strictness.deny_vacuous && skipped == judge.judgements().len();
        let one = JudgedEnvelope {
            file: at.file,
            line: at.line,
            id: envelope.id(),
            verdict,
            failed,
            undecided,
            error: nothing.then_some("every predicate was skipped, so nothing was judged"),
            report,
        };
        each(&one, &mut told.text);
    }
}
