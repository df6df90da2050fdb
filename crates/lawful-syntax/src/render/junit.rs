//! Results as JUnit XML, which most CI systems read.

use std::fmt::Write as _;

use super::{DiagnosticView, details};
use crate::escape;

/// One test case.
#[derive(Clone, Debug)]
pub struct TestCase<'t> {
    /// What it belongs to, such as a file.
    pub group: &'t str,
    /// Its name.
    pub name: &'t str,
    /// Its result.
    pub result: TestResult,
}

/// The result of a test case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TestResult {
    /// It passed.
    Passed,
    /// It passed, with lines to show beside it.
    PassedWith(Vec<String>),
    /// It was not run, and why.
    Skipped(String),
    /// It failed: a message, and lines of detail.
    Failed(String, Vec<String>),
    /// There is no result: a message, and lines of detail.
    Error(String, Vec<String>),
}

impl TestResult {
    /// A failure for these problems; passed if there are none.
    pub fn failed(problems: &[DiagnosticView]) -> Self {
        match Self::messages(problems) {
            Some((message, lines)) => Self::Failed(message, lines),
            None => Self::Passed,
        }
    }

    /// No result because of these problems; passed if there are none.
    pub fn error(problems: &[DiagnosticView]) -> Self {
        match Self::messages(problems) {
            Some((message, lines)) => Self::Error(message, lines),
            None => Self::Passed,
        }
    }

    /// Passed, with these problems shown beside it.
    pub fn passed_with(problems: &[DiagnosticView]) -> Self {
        match Self::messages(problems) {
            Some((_, lines)) => Self::PassedWith(lines),
            None => Self::Passed,
        }
    }

    fn messages(problems: &[DiagnosticView]) -> Option<(String, Vec<String>)> {
        let first = problems.first()?;
        let mut lines = Vec::new();
        for problem in problems {
            let place = match (&problem.file, problem.line, problem.column) {
                (Some(file), Some(line), Some(column)) => format!("{file}:{line}:{column}: "),
                (Some(file), ..) => format!("{file}: "),
                (None, ..) => String::new(),
            };
            let mut details = details(problem).into_iter();
            let message = details.next().unwrap_or_default();
            lines.push(format!("{place}{}[{}]: {message}", problem.severity, problem.code));
            lines.extend(details.map(|line| format!("  {line}")));
        }
        Some((first.message.clone(), lines))
    }
}

/// A test suite: the counts of its test cases.
#[derive(Clone, Debug, Default)]
pub struct TestSuite {
    /// The number of test cases.
    pub tests: usize,
    /// How many failed.
    pub failures: usize,
    /// How many have no result.
    pub errors: usize,
    /// How many were skipped.
    pub skipped: usize,
}

/// The end of a document.
pub const SUITE_END: &str = "  </testsuite>\n</testsuites>\n";

impl TestSuite {
    /// Counts a test case.
    pub fn count(&mut self, result: &TestResult) {
        self.tests += 1;
        match result {
            TestResult::Passed | TestResult::PassedWith(_) => {}
            TestResult::Skipped(_) => self.skipped += 1,
            TestResult::Failed(..) => self.failures += 1,
            TestResult::Error(..) => self.errors += 1,
        }
    }

    /// The start of a document with this one suite. Its test cases and [`SUITE_END`] follow.
    pub fn start(&self, name: &str) -> String {
        let Self { tests, failures, errors, skipped } = self;
        let counts = format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\"");
        let name = escape::xml(name);
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {counts}>\n  \
             <testsuite name=\"{name}\" {counts} skipped=\"{skipped}\">\n"
        )
    }
}

impl TestCase<'_> {
    /// The test case as text.
    pub fn render(&self) -> String {
        let (group, name) = (escape::xml(self.group), escape::xml(self.name));
        let mut out = format!("    <testcase classname=\"{group}\" name=\"{name}\"");
        let mut with = |tag: &str, message: Option<&str>, lines: &[String]| {
            let _ = write!(out, ">\n      <{tag}");
            if let Some(message) = message {
                let _ = write!(out, " message=\"{}\"", escape::xml(message));
            }
            if lines.is_empty() {
                out.push_str("/>\n    </testcase>\n");
                return;
            }
            out.push('>');
            for (at, line) in lines.iter().enumerate() {
                out.push_str(if at == 0 { "" } else { "\n" });
                out.push_str(&escape::xml(line));
            }
            let _ = write!(out, "</{tag}>\n    </testcase>\n");
        };
        match &self.result {
            TestResult::Passed => out.push_str("/>\n"),
            TestResult::PassedWith(lines) => with("system-out", None, lines),
            TestResult::Skipped(why) => with("skipped", Some(why), &[]),
            TestResult::Failed(message, lines) => with("failure", Some(message), lines),
            TestResult::Error(message, lines) => with("error", Some(message), lines),
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_text_adds_no_element() {
        let hostile = "]]><x a=\"1\">&\n\u{1b}\u{fffe}'";
        let result = TestResult::Failed(hostile.to_owned(), vec![hostile.to_owned()]);
        let case = TestCase { group: hostile, name: hostile, result };
        let escaped = "]]&gt;&lt;x a=&quot;1&quot;&gt;&amp;\\n\\u{1b}\\u{fffe}&apos;";
        assert_eq!(
            case.render(),
            format!(
                "    <testcase classname=\"{escaped}\" name=\"{escaped}\">\n      \
                 <failure message=\"{escaped}\">{escaped}</failure>\n    </testcase>\n"
            )
        );
    }

    #[test]
    fn a_suite_counts_its_cases() {
        let mut suite = TestSuite::default();
        let lines = Vec::new;
        for result in [
            TestResult::Passed,
            TestResult::Skipped("s".to_owned()),
            TestResult::Failed("f".to_owned(), lines()),
            TestResult::Error("e".to_owned(), lines()),
        ] {
            suite.count(&result);
        }
        let TestSuite { tests, failures, errors, skipped } = suite;
        assert_eq!((tests, failures, errors, skipped), (4, 1, 1, 1));
    }
}
