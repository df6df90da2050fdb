//! `test`: plays the scenarios of the book.

use std::collections::BTreeSet;

use lawful_syntax::{Diagnostic, FileId, Node, Span};

use super::Lawbook;
use crate::book::Part;
use crate::error::{Error, ErrorKind};
use crate::scenario::{
    self, Collect, Expect, NO_SCENARIO, Names, Played, Scenario, Step, Surroundings, Touched, stem,
};
use crate::view::{TestReport, TestedScenario};

/// A scenario of a book, played or not.
#[derive(Clone, Debug)]
pub struct TestCase<'b> {
    /// Its name; that of its file if it cannot be read.
    pub name: Box<str>,
    /// Its path in the book.
    pub path: Box<str>,
    /// Its file.
    pub file: FileId,
    /// The scenario; `None` if it has errors.
    pub scenario: Option<&'b Scenario>,
    /// Its errors.
    pub problems: Vec<Diagnostic>,
}

impl Lawbook {
    /// Plays the scenarios of the book. Call [`Test::run`] to get the results.
    ///
    /// ```
    /// use lawful::scenario::TestOutcome;
    ///
    /// let source = lawful::book::MemorySource::new()
    ///     .with("lawful.yaml", "name: desk")
    ///     .with("guards/git.yaml", "- {id: no-git, on: {action: shell}, deny: No., when: {event.program: git}}")
    ///     .with(
    ///         "scenarios/git.yaml",
    ///         "steps: [{tool: {action: shell, command: git push}, expect: {decision: deny, by: [no-git]}}]",
    ///     );
    /// let report = lawful::Lawbook::load(&source)?.test().run()?;
    /// assert_eq!((report.result(), report.passed), (TestOutcome::Pass, 1));
    /// # Ok::<(), lawful::Error>(())
    /// ```
    pub fn test(&self) -> Test<'_> {
        Test { book: self, surroundings: Surroundings::default(), filter: String::new() }
    }

    /// The scenarios that can be decoded. Whether the book has the names that they use is not checked.
    pub fn scenarios(&self) -> &[Scenario] {
        &self.decoded_scenarios().0.all
    }

    /// Every scenario with its errors: of its document, of its names, and of the envelopes it names.
    pub fn test_cases(&self) -> Vec<TestCase<'_>> {
        let nickel = self.evaluated().ok();
        let (compositions, rules) = (self.compositions(), self.rules());
        let (guards, rulespec) = (self.guards(), self.rulespec());
        let names = Names::of(&self.book, compositions, rules, guards, rulespec, nickel.as_ref());
        let (scenarios, decoded) = self.decoded_scenarios();
        let checked = scenario::check(scenarios, &names, rules, (&self.book, compositions));
        let documents = self.book.documents.iter().filter(|one| one.part == Part::Scenario);
        let mut cases: Vec<TestCase<'_>> = Vec::new();
        for document in documents {
            let own =
                |problem: &&Diagnostic| problem.span.file == document.file && problem.is_error();
            let found = self.problems.iter().chain(decoded).chain(&checked).filter(own);
            let problems: Vec<Diagnostic> = found.cloned().collect();
            let scenario = scenarios.all.iter().find(|one| one.file == document.file);
            let written = document.node.as_ref().and_then(|node| node.get("name"));
            let name = written.and_then(Node::as_text).unwrap_or_else(|| stem(&document.path));
            cases.push(TestCase {
                name: name.into(),
                path: (&*document.path).into(),
                file: document.file,
                scenario: scenario.filter(|_| problems.is_empty()),
                problems,
            });
        }
        cases.extend(self.unread_scenarios());
        cases.sort_by(|a, b| a.path.cmp(&b.path));
        cases
    }

    /// Files of `scenarios/` that could not be read.
    fn unread_scenarios(&self) -> Vec<TestCase<'_>> {
        let known: BTreeSet<FileId> = self.book.documents.iter().map(|one| one.file).collect();
        let unread = self.problems.iter().filter(|problem| {
            let file = problem.span.file;
            let is_scenario = || self.book.part_of_unread(file) == Some(Part::Scenario);
            problem.is_error() && !known.contains(&file) && is_scenario()
        });
        let case = |problem: &Diagnostic| {
            let name = self.sources.file(problem.span.file)?.name();
            let file = name.rsplit('/').next().unwrap_or(name);
            Some(TestCase {
                name: stem(file).into(),
                path: format!("scenarios/{file}").into(),
                file: problem.span.file,
                scenario: None,
                problems: vec![problem.clone()],
            })
        };
        unread.filter_map(case).collect()
    }

    /// Plays one scenario on this book. It may be one of another book, such as the book before a
    /// change: names that this book does not have are not reported.
    pub fn play(
        &self,
        scenario: &Scenario,
        surroundings: &Surroundings<'_>,
        collect: Collect,
    ) -> Played {
        scenario::play(self, scenario, surroundings, collect)
    }

    /// Plays a case, and returns its result and what it touched.
    pub fn run_case(
        &self,
        case: &TestCase<'_>,
        surroundings: &Surroundings<'_>,
        collect: Collect,
    ) -> (TestedScenario, Touched) {
        let file = self
            .sources
            .file(case.file)
            .map_or_else(String::new, |file| lawful_syntax::escape::line(file.name()).into_owned());
        let names = (case.name.to_string(), file);
        let played = match case.scenario {
            None => Played { problems: case.problems.clone(), ..Played::default() },
            Some(scenario) => self.play(scenario, surroundings, collect),
        };
        let Played { failures, problems, touched, .. } = played;
        let mut tested = TestedScenario::new(names, &failures, problems, &self.sources);
        let steps = case.scenario.map_or(&[][..], |scenario| &scenario.steps);
        let is_empty = |step: &&Step| step.expect.as_ref().is_some_and(Expect::is_empty);
        tested.unfilled = steps.iter().filter(is_empty).count();
        (tested, touched)
    }
}

/// Scenarios to play.
#[derive(Debug)]
#[must_use = "nothing is played before `run`"]
pub struct Test<'b> {
    book: &'b Lawbook,
    surroundings: Surroundings<'b>,
    filter: String,
}

impl<'b> Test<'b> {
    /// Sets what the scenarios are played in; default: no harness, and a host without settings.
    pub fn surroundings(mut self, surroundings: Surroundings<'b>) -> Self {
        self.surroundings = surroundings;
        self
    }

    /// Plays only scenarios whose name or path contains a text.
    pub fn filter(mut self, text: &str) -> Self {
        text.clone_into(&mut self.filter);
        self
    }

    /// Plays the scenarios, one after the other. Returns an error if there are none.
    pub fn run(self) -> Result<TestReport, Error> {
        let mut cases = self.book.test_cases();
        cases.retain(|case| case.matches(&self.filter));
        if cases.is_empty() {
            return Err(no_scenario(&self.filter));
        }
        let run = |case| self.book.run_case(case, &self.surroundings, Collect::Nothing).0;
        Ok(TestReport::new(cases.iter().map(run).collect()))
    }
}

impl TestCase<'_> {
    /// Whether its name or its path contains a text.
    pub fn matches(&self, text: &str) -> bool {
        self.name.contains(text) || self.path.contains(text)
    }
}

/// The error of a run that plays nothing.
fn no_scenario(filter: &str) -> Error {
    let (message, help) = if filter.is_empty() {
        ("the lawbook has no scenarios".to_owned(), "write one in `scenarios/`")
    } else {
        let filter = lawful_syntax::escape::name(filter);
        (format!("no scenario matches `{filter}`"), "correct the filter")
    };
    let problem = Diagnostic::new(&NO_SCENARIO, Span::NONE, message).help(help);
    Error::without_place(ErrorKind::Input, problem)
}
