//! Reports in the formats of CI systems.

use std::collections::{BTreeMap, BTreeSet};

use lawful::syntax::render::{
    DiagnosticView, SUITE_END, SarifLog, SarifResult, TestCase, TestResult, TestSuite, github,
};
use lawful::verify::Judgement;
use lawful_host::verify::diagnostic::title;
use lawful_host::verify::{LoadedRulespec, Verified};
use lawful_host::{Failure, codes};
use serde::Serialize;

use crate::args::ReportFormat;
use crate::output::{Answer, Report as _, print, stream_json};

/// Prints why a command has no result, in the format of its results.
pub(crate) fn report_as(failure: &Failure, format: ReportFormat, command: &str) -> Answer {
    let problems = failure.diagnostics().views();
    match format {
        ReportFormat::Human => return failure.report(false),
        ReportFormat::Json => return failure.report(true),
        ReportFormat::Junit => {
            let result = TestResult::error(&problems);
            print_junit(command, &[TestCase { group: command, name: command, result }]);
        }
        ReportFormat::Sarif => print_sarif(&problems),
        ReportFormat::Github => print_github(&problems),
    }
    failure.answer
}

/// Prints annotations of GitHub Actions.
pub(crate) fn print_github(problems: &[DiagnosticView]) {
    print(&problems.iter().map(github).collect::<String>());
}

/// Prints a SARIF log.
pub(crate) fn print_sarif(problems: &[DiagnosticView]) {
    let results: Vec<SarifResult> = problems.iter().map(SarifResult::new).collect();
    let names = problems.iter().map(|problem| problem.code).collect();
    print_sarif_of(&results, &names);
}

/// Prints a SARIF log of results with these codes.
pub(crate) fn print_sarif_of(results: &impl Serialize, names: &BTreeSet<&'static str>) {
    let codes: Vec<_> = names.iter().filter_map(|name| codes::find(name)).collect();
    stream_json(&SarifLog::new(env!("CARGO_PKG_VERSION"), &codes, results));
}

/// Prints test cases as one suite.
pub(crate) fn print_junit(suite: &str, cases: &[TestCase<'_>]) {
    let mut counts = TestSuite::default();
    for case in cases {
        counts.count(&case.result);
    }
    let text: String = cases.iter().map(TestCase::render).collect();
    print(&format!("{}{text}{SUITE_END}", counts.start(suite)));
}

/// Prints the documents with problems as test cases, or one that passes if there are none. A
/// document that has only warnings passes, unless they are denied, and shows them as output.
pub(crate) fn print_documents(problems: &[DiagnosticView], deny_warnings: bool) {
    let mut by_file: BTreeMap<&str, Vec<DiagnosticView>> = BTreeMap::new();
    for problem in problems {
        let file = problem.file.as_deref().unwrap_or("lawbook");
        by_file.entry(file).or_default().push(problem.clone());
    }
    if by_file.is_empty() {
        by_file.insert("lawbook", Vec::new());
    }
    let is_error = |problem: &DiagnosticView| deny_warnings || problem.severity == "error";
    let result = |problems: &[DiagnosticView]| {
        if problems.iter().any(is_error) {
            TestResult::failed(problems)
        } else {
            TestResult::passed_with(problems)
        }
    };
    let cases = by_file.iter().map(|(name, problems)| TestCase {
        group: "lawful check",
        name,
        result: result(problems),
    });
    print_junit("lawful check", &cases.collect::<Vec<_>>());
}

/// Prints the predicates of one envelope as test cases.
pub(crate) fn print_predicates(envelope: &str, verified: &Verified, loaded: &LoadedRulespec) {
    let problems = verified.diagnostics(loaded);
    let mut names = Vec::new();
    let mut results = Vec::new();
    for finding in &verified.findings {
        let Some(predicate) = loaded.rulespec.predicates.get(finding.index) else { continue };
        names.push(title(finding.index, predicate));
        let own = verified.diagnostics_of(finding, loaded);
        results.push(match finding.outcome {
            // A failed warning does not change the verdict.
            _ if own.iter().all(|problem| problem.severity == "warning") && !own.is_empty() => {
                TestResult::Skipped(finding.reason.clone())
            }
            Judgement::Fail => TestResult::failed(&own),
            Judgement::Undecided => TestResult::error(&own),
            Judgement::Skipped => TestResult::Skipped(finding.reason.clone()),
            Judgement::Pass if own.is_empty() => TestResult::Passed,
            Judgement::Pass => TestResult::failed(&own),
        });
    }
    // What is said of no predicate, such as that nothing was evaluated.
    let rest: Vec<DiagnosticView> =
        problems.into_iter().filter(|problem| problem.code == "nothing-evaluated").collect();
    if !rest.is_empty() {
        names.push("envelope".to_owned());
        results.push(TestResult::failed(&rest));
    }
    let cases = names.iter().zip(results);
    let cases: Vec<TestCase<'_>> =
        cases.map(|(name, result)| TestCase { group: envelope, name, result }).collect();
    print_junit("lawful verify", &cases);
}
