//! `lawful test [PATH…]`

use std::fmt::Write as _;
use std::path::PathBuf;

use lawful::scenario::{TestOutcome, flow};
use lawful::syntax::render::{TestCase, TestResult};
use lawful::view::{MissingView, MutationView, SurvivorView, TestReport, TestedScenario};
use lawful_host::test::{Denied, TestRequest, Tested};
use lawful_host::{Failure, Workspace};

use crate::args::{Gap, ReportFormat, Test, TestFormat};
use crate::ci::{print_github, print_junit, report_as};
use crate::output::{Answer, one_line, print, print_error, print_json, stdout_style};
use crate::watch::repeat;
use crate::workspace::workspace;

pub(crate) fn run(args: &Test) -> Answer {
    let format = match args.format {
        TestFormat::Human => ReportFormat::Human,
        TestFormat::Json => ReportFormat::Json,
        TestFormat::Junit => ReportFormat::Junit,
        TestFormat::Github => ReportFormat::Github,
    };
    let answer = |workspace: &Workspace, paths: &[PathBuf]| {
        let tested = test(args, workspace, paths);
        tested.unwrap_or_else(|failure| report_as(&failure, format, "lawful test"))
    };
    let workspace = workspace(args.book.dir());
    if !args.watch.watch {
        return answer(&workspace, &args.paths);
    }
    let workspace = workspace.with_memory();
    let folders = workspace.tested_book(&args.paths).map(|folder| vec![folder]);
    repeat(folders, |changed| {
        let all = counts_all(args) || !args.paths.is_empty();
        let only = if all { None } else { workspace.changed_scenarios(changed) };
        answer(&workspace, only.as_ref().unwrap_or(&args.paths))
    })
}

/// Whether the result depends on all scenarios together.
fn counts_all(args: &Test) -> bool {
    args.coverage || args.mutate || args.suggest || !args.deny.is_empty()
}

fn test(args: &Test, workspace: &Workspace, paths: &[PathBuf]) -> Result<Answer, Failure> {
    if let Some(session) = &args.record {
        return record(args, workspace, session);
    }
    let denied = |what: Gap| args.deny.contains(&what);
    let tested = workspace.test(TestRequest {
        paths,
        filter: args.filter.as_deref().unwrap_or_default(),
        jobs: args.jobs,
        bless: args.bless,
        coverage: args.coverage,
        mutate: args.mutate,
        suggest: args.suggest,
        deny: Denied { uncovered: denied(Gap::Uncovered), survivors: denied(Gap::Survivors) },
    })?;
    for file in &tested.blessed {
        print_error(&format!("filled {}\n", one_line(&file.display().to_string())));
    }
    Ok(show(&tested, args.format))
}

/// Makes a scenario of a session, and plays it.
fn record(args: &Test, workspace: &Workspace, session: &str) -> Result<Answer, Failure> {
    let sessions = if args.live.is_live {
        workspace.live_sessions()?
    } else {
        workspace.read_sessions(&workspace.session_file(args.db.file())?)?
    };
    let (file, tested) = workspace.record(&sessions, session)?;
    print_error(&format!("wrote {}\n", one_line(&file.display().to_string())));
    Ok(show(&tested, args.format))
}

fn show(tested: &Tested, format: TestFormat) -> Answer {
    for file in &tested.suggested {
        print_error(&format!("wrote {}\n", one_line(&file.display().to_string())));
    }
    for what in &tested.without_suggestion {
        print_error(&format!("no suggestion: {}\n", one_line(what)));
    }
    match format {
        TestFormat::Human => print(&text(tested)),
        TestFormat::Json => print_json(&tested.report),
        TestFormat::Junit => {
            junit(&tested.report);
            // The format has no place for them.
            print_error(&extent(&tested.report));
        }
        TestFormat::Github => {
            let scenarios = tested.report.scenarios.iter();
            let problems: Vec<_> = scenarios.flat_map(|one| one.problems.views()).collect();
            print_github(&problems);
            print_error(&extent(&tested.report));
        }
    }
    tested.answer()
}

/// The results for people: a line for each scenario, then what is wrong, then the counts.
fn text(tested: &Tested) -> String {
    let report = &tested.report;
    let mut out = String::new();
    for scenario in &report.scenarios {
        let result = match scenario.result {
            TestOutcome::Pass => "pass ",
            TestOutcome::Fail => "FAIL ",
            TestOutcome::Error => "ERROR",
        };
        let (name, file) = (one_line(&scenario.name), one_line(&scenario.file));
        let _ = writeln!(out, "{result}  {name} ({file})");
    }
    out.push('\n');
    for scenario in &report.scenarios {
        out.push_str(&scenario.problems.render(stdout_style()));
    }
    let count = |count: usize, what: &str| format!("{count} {what}");
    let mut counts = vec![count(report.passed, "passed"), count(report.failed, "failed")];
    if report.errors > 0 {
        counts.push(count(report.errors, "could not be played"));
    }
    match report.unfilled {
        0 => {}
        1 => counts.push("1 empty expectation (fill it with `--bless`)".to_owned()),
        many => counts.push(format!("{many} empty expectations (fill them with `--bless`)")),
    }
    let _ = writeln!(out, "{}", counts.join(", "));
    out.push_str(&extent(report));
    out
}

/// How much the scenarios test: what they cover, and which mutants they notice.
fn extent(report: &TestReport) -> String {
    let mut out = String::new();
    if let Some(coverage) = &report.coverage {
        out.push_str("\ncoverage\n");
        for (kind, covered) in coverage.kinds() {
            let _ = writeln!(out, "  {kind:<11} {} of {}", covered.covered, covered.total);
        }
        for (_, covered) in coverage.kinds() {
            for missing in &covered.missing {
                let MissingView { what, file, line, context, unreachable, .. } = missing;
                let _ = writeln!(out, "  {}:{line}: {}", one_line(file), one_line(what));
                if let Some(context) = context {
                    let _ = writeln!(out, "    reached with {}", one_line(&flow(context)));
                }
                if *unreachable {
                    out.push_str("    no context reaches it\n");
                }
            }
        }
    }
    if let Some(mutation) = &report.mutation {
        let MutationView { mutants, killed, survived, .. } = mutation;
        let survivors = survived.len();
        let _ =
            writeln!(out, "\nmutants\n  {mutants} in all, {killed} killed, {survivors} survived");
        for SurvivorView { file, line, change, .. } in survived {
            let _ = writeln!(out, "  {}:{line}: {}", one_line(file), one_line(change));
        }
    }
    out
}

fn junit(report: &TestReport) {
    let result = |scenario: &TestedScenario| {
        let views = scenario.problems.views();
        match scenario.result {
            TestOutcome::Pass => TestResult::Passed,
            TestOutcome::Fail => TestResult::failed(&views),
            TestOutcome::Error => TestResult::error(&views),
        }
    };
    let cases = report.scenarios.iter().map(|scenario| TestCase {
        group: &scenario.file,
        name: &scenario.name,
        result: result(scenario),
    });
    print_junit("lawful test", &cases.collect::<Vec<_>>());
}
