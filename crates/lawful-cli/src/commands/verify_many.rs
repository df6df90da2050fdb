//! Many envelopes or records. What a run has to say is written while it runs or kept in files, so
//! memory use does not depend on the number of envelopes.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::Path;

use lawful::syntax::escape;
use lawful::syntax::render::{SUITE_END, SarifResult, TestCase, TestResult, TestSuite};
use lawful::verify::Verdict;
use lawful_host::verify::diagnostic::title;
use lawful_host::verify::{
    BatchProgress, BatchRequest, BatchSink, BatchVerified, EachEnvelope, JudgedEnvelope,
    LoadedRulespec, ObservedFacts, ReportedEnvelope, ReportedViews, Spool, SpooledList, Strictness,
};
use lawful_host::{Failure, interrupt_flag};

use crate::args::{VerdictFormat, Verify};
use crate::ci::{print_github, print_sarif_of};
use crate::output::{Answer, print_bytes, print_error, stream_json, written};
use crate::progress::Progress;
use crate::verify_text::{self, Reports};

pub(super) fn verify_many(
    args: &Verify,
    mut loaded: LoadedRulespec,
    strictness: Strictness,
) -> Result<Answer, Failure> {
    if args.artifacts.is_some() {
        let message = "`--artifacts` takes one envelope, but several are given";
        return Err(Failure::usage(message, "pass one envelope"));
    }
    if !args.records && args.envelopes.iter().any(|path| path == Path::new("-")) {
        let message = "`-` cannot be combined with other envelopes";
        return Err(Failure::usage(message, "save it to a file"));
    }
    let seen = match args.observed.as_deref() {
        None => None,
        Some(file) => Some(
            ObservedFacts::read(file, &loaded.limits.document, &mut loaded.sources)
                .map_err(|problems| Failure::new(loaded.sources.clone(), problems))?,
        ),
    };
    let cores = || std::thread::available_parallelism().map_or(1, Into::into);
    let format = args.output.format;
    let request = BatchRequest {
        records: args.records,
        from: args.from.map_or(1, Into::into),
        jobs: args.jobs.map_or_else(cores, Into::into),
        // A line says everything, so nothing is reported beside it.
        max_failures: if format == VerdictFormat::Jsonl { 0 } else { args.max_failures },
        fail_fast: args.fail_fast,
        interrupt: interrupt_flag(),
        ..BatchRequest::new(args.envelopes.clone())
    };
    let several = args.envelopes.len() > 1 || args.envelopes.iter().any(|path| path.is_dir());
    let line = |one: &JudgedEnvelope<'_>, out: &mut Vec<u8>| one.push_line(&loaded, several, out);
    let case = |one: &JudgedEnvelope<'_>, out: &mut Vec<u8>| test_case(one, &loaded, out);
    let each: Option<&EachEnvelope<'_>> = match format {
        VerdictFormat::Jsonl => Some(&line),
        VerdictFormat::Junit => Some(&case),
        VerdictFormat::Human
        | VerdictFormat::Json
        | VerdictFormat::Sarif
        | VerdictFormat::Github => None,
    };
    let unit = if args.records { "record" } else { "envelope" };
    let mut sink = Sink::new(&loaded, format, Progress::new(unit));
    let verified = loaded.verify_many(&request, seen.as_ref(), strictness, each, &mut sink);
    sink.progress.end();
    sink.finish(&verified, &request, unit);
    if let Some(stopped) = &verified.stopped {
        let file = escape::line(&stopped.file).into_owned();
        print_error(&format!(
            "interrupted at {file}:{line} after {}; to go on, pass `--from {line}` and the files \
             from this one on\n",
            escape::count(verified.envelopes, unit),
            line = stopped.line,
        ));
    }
    Ok(verified.answer())
}

/// Writes or keeps what a run has to say, in one format.
struct Sink<'s> {
    loaded: &'s LoadedRulespec,
    kept: Kept,
    progress: Progress,
}

/// What is kept until the end.
enum Kept {
    Text(Reports),
    Json(ReportedViews),
    Lines,
    TestCases(Spool),
    Sarif(SpooledList, BTreeSet<&'static str>),
    Annotations,
}

impl<'s> Sink<'s> {
    fn new(loaded: &'s LoadedRulespec, format: VerdictFormat, progress: Progress) -> Self {
        let kept = match format {
            VerdictFormat::Human => Kept::Text(Reports::default()),
            VerdictFormat::Json => Kept::Json(ReportedViews::default()),
            VerdictFormat::Jsonl => Kept::Lines,
            VerdictFormat::Junit => Kept::TestCases(Spool::default()),
            VerdictFormat::Sarif => Kept::Sarif(SpooledList::default(), BTreeSet::new()),
            VerdictFormat::Github => Kept::Annotations,
        };
        Self { loaded, kept, progress }
    }

    fn finish(self, verified: &BatchVerified, request: &BatchRequest, unit: &str) {
        let said = verified.summary();
        match self.kept {
            Kept::Text(reports) => {
                let _: ControlFlow<()> = written(|out| {
                    verify_text::many(verified, reports, self.loaded, request, unit, out)
                });
            }
            Kept::Json(reports) => stream_json(&verified.view(reports)),
            Kept::Lines => verify_text::warn(verified),
            Kept::TestCases(mut cases) => {
                let mut suite = TestSuite {
                    tests: verified.envelopes,
                    failures: verified.failed,
                    errors: verified.undecided,
                    skipped: 0,
                };
                // A run that ended early must not look like one that passed.
                if verified.cut_short {
                    suite.tests += 1;
                    suite.errors += 1;
                    let result = TestResult::error(&said);
                    let case = TestCase { group: "lawful verify", name: "every envelope", result };
                    cases.push(case.render().as_bytes());
                }
                let _: ControlFlow<()> = written(|out| {
                    out.write_all(suite.start("lawful verify").as_bytes())?;
                    cases.copy_to(out)?;
                    out.write_all(SUITE_END.as_bytes())
                });
                verify_text::warn(verified);
            }
            Kept::Sarif(results, mut codes) => {
                for problem in &said {
                    codes.insert(problem.code);
                    results.push(&SarifResult::new(problem));
                }
                print_sarif_of(&results, &codes);
            }
            Kept::Annotations => print_github(&said),
        }
    }
}

impl BatchSink for Sink<'_> {
    fn reported(&mut self, report: ReportedEnvelope) {
        match &mut self.kept {
            Kept::Text(reports) => reports.push(&report, self.loaded),
            Kept::Json(reports) => reports.push(&report, self.loaded),
            Kept::Lines | Kept::TestCases(_) => {}
            Kept::Sarif(results, codes) => {
                for problem in report.diagnostics(self.loaded) {
                    codes.insert(problem.code);
                    results.push(&SarifResult::new(&problem));
                }
            }
            Kept::Annotations => print_github(&report.diagnostics(self.loaded)),
        }
    }

    fn text(&mut self, text: &[u8]) -> ControlFlow<()> {
        match &mut self.kept {
            Kept::TestCases(cases) => cases.push(text),
            Kept::Lines => return print_bytes(text),
            Kept::Text(_) | Kept::Json(_) | Kept::Sarif(..) | Kept::Annotations => {}
        }
        ControlFlow::Continue(())
    }

    fn progress(&mut self, progress: BatchProgress) {
        self.progress.at(progress);
    }
}

/// An envelope as a test case.
fn test_case(one: &JudgedEnvelope<'_>, loaded: &LoadedRulespec, out: &mut Vec<u8>) {
    let mut problems = one.report.map(|report| report.diagnostics(loaded)).unwrap_or_default();
    // The first problem is the message of the test case.
    problems.sort_by_key(|problem| problem.severity != "error");
    let short = || {
        let indexes = one.failed.iter().chain(&one.undecided);
        let titles = indexes
            .filter_map(|index| Some(title(*index, loaded.rulespec.predicates.get(*index)?)));
        let titles: Vec<String> = titles.collect();
        (one.error.map_or_else(|| titles.join(", "), str::to_owned), Vec::new())
    };
    let result = match one.verdict {
        Verdict::Pass => TestResult::Passed,
        Verdict::Fail if problems.is_empty() => {
            let (why, lines) = short();
            TestResult::Failed(why, lines)
        }
        Verdict::Fail => TestResult::failed(&problems),
        Verdict::Undecided if problems.is_empty() => {
            let (why, lines) = short();
            TestResult::Error(why, lines)
        }
        Verdict::Undecided => TestResult::error(&problems),
    };
    let name = match one.id {
        Some(id) => id.as_text().map_or_else(|| id.to_string(), str::to_owned),
        None => one.place(),
    };
    let case = TestCase { group: one.file, name: &name, result };
    out.extend_from_slice(case.render().as_bytes());
}
