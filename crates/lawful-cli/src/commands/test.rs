//! `lawful test [PATH…]`

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use lawful::scenario::{Collect, TestOutcome};
use lawful::syntax::render::{TestCase, TestResult};
use lawful::view::{TestReport, TestedScenario};
use lawful_host::test::{TestRequest, Tested};
use lawful_host::{Failure, Workspace};

use crate::args::{ReportFormat, Test, TestFormat};
use crate::ci::{print_junit, report_as};
use crate::output::{Answer, one_line, print, print_error, print_json, stdout_style};
use crate::watch::repeat;
use crate::workspace::workspace;

pub(crate) fn run(args: &Test) -> Answer {
    let format = match args.format {
        TestFormat::Human => ReportFormat::Human,
        TestFormat::Json => ReportFormat::Json,
        TestFormat::Junit => ReportFormat::Junit,
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
    let folder = workspace.tested_book(&args.paths);
    let shown = folder.as_deref().unwrap_or(Path::new("")).to_owned();
    repeat(folder.map(|folder| vec![folder]), |changed| {
        // A change of scenarios alone concerns no other scenario.
        let scenarios: Vec<PathBuf> = changed.iter().map(|file| shown.join(file)).collect();
        let only = args.paths.is_empty()
            && !changed.is_empty()
            && changed.iter().all(|file| file.starts_with("scenarios"))
            && scenarios.iter().all(|file| file.is_file());
        answer(&workspace, if only { &scenarios } else { &args.paths })
    })
}

fn test(args: &Test, workspace: &Workspace, paths: &[PathBuf]) -> Result<Answer, Failure> {
    let tested = workspace.test(TestRequest {
        paths,
        filter: args.filter.as_deref().unwrap_or_default(),
        jobs: args.jobs,
        bless: args.bless,
        collect: Collect::Nothing,
    })?;
    for file in &tested.blessed {
        print_error(&format!("filled {}\n", one_line(&file.display().to_string())));
    }
    match args.format {
        TestFormat::Human => print(&text(&tested)),
        TestFormat::Json => print_json(&tested.report),
        TestFormat::Junit => junit(&tested.report),
    }
    Ok(tested.answer())
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
    let _ = writeln!(out, "{}", counts.join(", "));
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
