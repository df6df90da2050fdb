//! Test results in JUnit XML.
//!
//! Every test tool writes its own dialect. All have a `testcase` with a `name`, perhaps a
//! `classname`, and a `failure`, `error` or `skipped` inside. Everything else is ignored.

use std::collections::BTreeMap;
use std::path::Path;

use lawful::book::{SourceError, read_file};
use lawful::code;
use lawful::syntax::{Diagnostic, FileId, Sources, Span, escape, text};
use lawful::{Map, Value};
use roxmltree::{Document, Node, ParsingOptions};

/// The maximal size of a report.
const BYTES: usize = 64 * 1024 * 1024;
/// The maximal number of elements, without attributes.
const NODES: u32 = 4_000_000;

/// The result of a test; a worse result is greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Passed,
    Skipped,
    Failed,
    Error,
}

impl Outcome {
    fn name(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Skipped => "skipped",
            Self::Failed => "failed",
            Self::Error => "error",
        }
    }
}

/// The results of all reports, by test name.
#[derive(Debug, Default)]
pub(super) struct Results {
    tests: BTreeMap<String, (Outcome, Span)>,
}

impl Results {
    /// Adds a report.
    pub(super) fn read(
        &mut self,
        path: &Path,
        sources: &mut Sources,
        problems: &mut Vec<Diagnostic>,
    ) {
        let name = path.display().to_string();
        let bytes = match read_file(path, BYTES) {
            Ok(bytes) => bytes,
            Err(error) => {
                let place = Span::start_of(sources.add_unread(name));
                let message = match error {
                    SourceError::TooLarge => {
                        format!("the report is larger than the limit of {}", escape::bytes(BYTES))
                    }
                    SourceError::Missing
                    | SourceError::NotAFile
                    | SourceError::Outside
                    | SourceError::Unreadable(_) => format!("cannot read the report: {error}"),
                };
                problems.push(Diagnostic::new(&code::CANNOT_OBSERVE, place, message));
                return;
            }
        };
        let (file, unreadable) = text::add(sources, &name, &bytes);
        if let Some(problem) = unreadable {
            problems.push(problem);
            return;
        }
        let Some(source) = sources.file(file) else { return };
        let options = ParsingOptions { nodes_limit: NODES, ..ParsingOptions::default() };
        match Document::parse_with_options(source.text(), options) {
            Ok(document) => self.take(&document, file, problems),
            Err(error) => problems.push(syntax(&error, file, source.text())),
        }
    }

    fn take(&mut self, document: &Document<'_>, file: FileId, problems: &mut Vec<Diagnostic>) {
        let root = document.root_element();
        if !matches!(root.tag_name().name(), "testsuites" | "testsuite") {
            let found = escape::name(root.tag_name().name()).into_owned();
            let message = format!("a report starts with `testsuites`, but this one with `{found}`");
            problems.push(
                Diagnostic::new(&code::BAD_REPORT, span(root, file), message)
                    .help("configure the tests to write a JUnit report"),
            );
            return;
        }
        for case in root.descendants().filter(|node| node.has_tag_name("testcase")) {
            let place = span(case, file);
            let Some(name) = case.attribute("name").filter(|name| !name.is_empty()) else {
                problems.push(Diagnostic::new(&code::BAD_REPORT, place, "a test has no `name`"));
                continue;
            };
            let class = case.attribute("classname").filter(|class| !class.is_empty());
            let name = class.map_or_else(|| name.to_owned(), |class| format!("{class}.{name}"));
            self.add(name, outcome(case), place, problems);
        }
    }

    fn add(&mut self, name: String, outcome: Outcome, place: Span, problems: &mut Vec<Diagnostic>) {
        let Some((known, first)) = self.tests.get_mut(&name) else {
            self.tests.insert(name, (outcome, place));
            return;
        };
        let worse = outcome.max(*known);
        let message = format!(
            "the test `{}` has two results, {} and {}",
            escape::name(&name),
            known.name(),
            outcome.name()
        );
        problems.push(
            Diagnostic::new(&code::DUPLICATE_TEST, place, message)
                .label(*first, "the other result")
                .help(format!("the worse one counts: {}", worse.name())),
        );
        *known = worse;
    }

    /// The result of every test by name, and the names of those that failed.
    pub(super) fn facts(self) -> (Value, Value) {
        let failing = self.tests.iter().filter(|(_, (outcome, _))| *outcome >= Outcome::Failed);
        let failing = failing.map(|(name, _)| Value::from(&**name)).collect::<Vec<_>>();
        let tests = self.tests.into_iter();
        let tests: Map =
            tests.map(|(name, (outcome, _))| (name.into(), outcome.name().into())).collect();
        (Value::Map(tests), Value::List(failing))
    }
}

fn outcome(case: Node<'_, '_>) -> Outcome {
    let inside = case.children().filter_map(|child| match child.tag_name().name() {
        "error" => Some(Outcome::Error),
        "failure" => Some(Outcome::Failed),
        "skipped" => Some(Outcome::Skipped),
        _ => None,
    });
    // Some tools report a skipped or failed test only in an attribute.
    let said = match case.attribute("status").map(str::to_ascii_lowercase).as_deref() {
        Some("notrun" | "skipped" | "disabled") => Outcome::Skipped,
        Some("fail" | "failed" | "failure") => Outcome::Failed,
        Some("error" | "errored") => Outcome::Error,
        Some(_) | None => Outcome::Passed,
    };
    inside.fold(said, Outcome::max)
}

/// The opening tag.
fn span(node: Node<'_, '_>, file: FileId) -> Span {
    let start = node.range().start;
    Span::new(file, start, start + 1 + node.tag_name().name().len())
}

fn syntax(error: &roxmltree::Error, file: FileId, text: &str) -> Diagnostic {
    let position = error.pos();
    let line = usize::try_from(position.row.saturating_sub(1)).unwrap_or(usize::MAX);
    let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let column = usize::try_from(position.col.saturating_sub(1)).unwrap_or(usize::MAX);
    let rest = text.get(start..).unwrap_or_default();
    let at = start + rest.char_indices().nth(column).map_or(rest.len(), |(at, _)| at);
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the messages of the parser suffice for the rest"
    )]
    let why = match error {
        roxmltree::Error::DtdDetected => "document types are not allowed".to_owned(),
        roxmltree::Error::NodesLimitReached => format!("it has more than {NODES} elements"),
        other => {
            let said = other.to_string();
            said.split(" at ").next().unwrap_or_default().to_owned()
        }
    };
    let message = format!("the report is invalid: {}", escape::shorten(&why, 120));
    Diagnostic::new(&code::BAD_REPORT, Span::new(file, at, at), message)
        .help("configure the tests to write a JUnit report")
}
