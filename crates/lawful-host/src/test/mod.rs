//! `lawful test`: plays the scenarios of a lawbook, several at a time.
//!
//! A scenario reads no disk, so its result does not depend on this machine; only the place of the
//! lawbook in its repository is known to guards.

mod mutation;
mod record;
mod suggest;
mod surroundings;

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use lawful::book::{FolderSource, Part, Source as _};
use lawful::compose::Refusal;
use lawful::scenario::{
    Act, Collect, NO_SCENARIO, PromptOf, Scenario, Surroundings, TestOutcome, Touched, bless,
    cannot_bless,
};
use lawful::syntax::{Diagnostic, Span, escape};
use lawful::view::{CoverageView, TestReport, TestedScenario};
use lawful::{Lawbook, TestCase};

use crate::answer::Answer;
use crate::failure::Failure;
use crate::lawbook::{OpenedBook, find_from};
use crate::roles::evaluated;
use crate::workspace::Workspace;
pub use surroundings::HarnessProtocols;

/// Which scenarios to play, and how.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is an independent option")]
pub struct TestRequest<'r> {
    /// Scenarios, or folders that contain them; empty for all of the lawbook.
    pub paths: &'r [PathBuf],
    /// A text that their name or path contains.
    pub filter: &'r str,
    /// How many are played at once; default: the number of processors.
    pub jobs: Option<NonZero<usize>>,
    /// Whether to fill every empty `expect: {}` with what happened.
    pub bless: bool,
    /// Whether to report what they cover.
    pub coverage: bool,
    /// Whether to report which mutants they notice.
    pub mutate: bool,
    /// Whether to write scenarios for what they do not cover.
    pub suggest: bool,
    /// What else is not accepted.
    pub deny: Denied,
}

/// What makes a test fail although its scenarios pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Denied {
    /// Something that no scenario covers.
    pub uncovered: bool,
    /// A mutant that no scenario notices.
    pub survivors: bool,
}

impl TestRequest<'_> {
    fn covers(&self) -> bool {
        self.coverage || self.deny.uncovered
    }

    fn mutates(&self) -> bool {
        self.mutate || self.deny.survivors
    }

    fn collect(&self) -> Collect {
        let needed = self.covers() || self.mutates() || self.suggest;
        if needed { Collect::Touched } else { Collect::Nothing }
    }
}

/// The results of scenarios.
#[derive(Debug)]
pub struct Tested {
    /// The results.
    pub report: TestReport,
    /// The lawbook that was tested.
    pub book: Lawbook,
    /// What each scenario touched, in the order of the report.
    pub touched: Vec<Touched>,
    /// The files in which expectations were filled.
    pub blessed: Vec<PathBuf>,
    /// The scenarios that were written for what is not covered.
    pub suggested: Vec<PathBuf>,
    /// What no scenario could be written for, in words.
    pub without_suggestion: Vec<String>,
    deny: Denied,
}

impl Tested {
    /// `No` if some scenario fails or something is denied, `Undecided` if some has no result.
    pub fn answer(&self) -> Answer {
        let TestReport { coverage, mutation, .. } = &self.report;
        let uncovered = coverage.as_ref().is_some_and(|coverage| !coverage.is_complete());
        let survivors = mutation.as_ref().is_some_and(|mutation| !mutation.survived.is_empty());
        let denied = (self.deny.uncovered && uncovered) || (self.deny.survivors && survivors);
        match self.report.result() {
            TestOutcome::Pass if denied => Answer::No,
            TestOutcome::Pass => Answer::Yes,
            TestOutcome::Fail => Answer::No,
            TestOutcome::Error => Answer::Undecided,
        }
    }
}

impl Workspace {
    /// Plays scenarios.
    pub fn test(&self, request: TestRequest<'_>) -> Result<Tested, Failure> {
        let folder = self.tested_book(request.paths)?;
        let (book, source) = self.open_tested(&folder)?;
        let surroundings = self.surroundings(&folder);
        let mut cases = book.test_cases();
        select(&mut cases, &source, request)?;
        let mut blessed = Vec::new();
        if request.bless {
            for case in &cases {
                blessed.extend(bless_case(&book, &source, case, &surroundings)?);
            }
        }
        if !blessed.is_empty() {
            // What was filled is played like everything else.
            let again = TestRequest { bless: false, ..request };
            return Ok(Tested { blessed, ..self.test(again)? });
        }
        let results = run_all(&book, &cases, &surroundings, request);
        let mut together = Touched::default();
        for (_, touched) in &results {
            together.merge(touched);
        }
        let coverage = request.covers().then(|| book.coverage(&together));
        let coverage = coverage.map(|coverage| CoverageView::new(&book, &coverage));
        let mutation = request
            .mutates()
            .then(|| mutation::run(&book, &cases, &results, &surroundings, request));
        let (mut suggested, mut without_suggestion) = (Vec::new(), Vec::new());
        if request.suggest {
            let found = book.suggest(&together, &surroundings);
            without_suggestion = found.without.iter().map(|one| one.what(&book)).collect();
            suggested = suggest::write(&folder, &found)?;
        }
        drop(cases);
        let (results, touched) = results.into_iter().unzip();
        let mut report = TestReport::new(results);
        (report.coverage, report.mutation) = (coverage, mutation);
        let deny = request.deny;
        Ok(Tested { report, book, touched, blessed, suggested, without_suggestion, deny })
    }

    /// Opens a lawbook with the values of its Nickel files, which only the prompts of roles need.
    fn open_tested(&self, folder: &Path) -> Result<(Lawbook, FolderSource), Failure> {
        let OpenedBook { source, mut book, problems, .. } = self.open_at(folder)?;
        let nickel = evaluated(&mut book, &source);
        let book = Lawbook::new(book, problems);
        let book = match nickel {
            Ok(nickel) => book.with_nickel(nickel),
            Err(Refusal::Undecided(found) | Refusal::Broken(found)) => {
                if book.scenarios().iter().any(composes_role) {
                    return Err(Failure::sorted(found, (**book.sources()).clone()));
                }
                book
            }
        };
        Ok((book, source))
    }

    /// The changed scenarios, if nothing else changed: then no other scenario has another result. The
    /// files are relative to the lawbook.
    pub fn changed_scenarios(&self, changed: &[PathBuf]) -> Option<Vec<PathBuf>> {
        let OpenedBook { folder, book, .. } = self.open().ok().filter(|_| !changed.is_empty())?;
        let is_scenario = |file: &PathBuf| {
            let mut scenarios =
                book.documents.iter().filter(|document| document.part == Part::Scenario);
            scenarios.any(|document| Path::new(&document.path) == file)
        };
        let all = changed.iter().all(is_scenario);
        all.then(|| changed.iter().map(|file| folder.join(file)).collect())
    }

    /// The folder of the lawbook that `test` reads for these paths: the one that is named, or that of
    /// the first path.
    pub fn tested_book(&self, paths: &[PathBuf]) -> Result<PathBuf, Failure> {
        let Some(path) = paths.first().filter(|_| !self.has_book()) else { return self.folder() };
        if !path.exists() {
            return Err(not_found(path));
        }
        let start = if path.is_dir() { Some(&**path) } else { path.parent() };
        let start = start.filter(|start| *start != Path::new("")).unwrap_or(Path::new("."));
        find_from(start, Some(path))
    }
}

/// The error for a path that does not exist.
fn not_found(path: &Path) -> Failure {
    Failure::instead_of(path, |span| {
        Diagnostic::new(&lawful::code::UNREADABLE, span, "file or folder not found")
    })
}

/// Keeps the cases that were asked for; an error for a path or a filter without any.
fn select(
    cases: &mut Vec<TestCase<'_>>,
    source: &FolderSource,
    request: TestRequest<'_>,
) -> Result<(), Failure> {
    let mut wanted: Vec<String> = Vec::new();
    for path in request.paths {
        let inside = source.relative(path);
        let below =
            |case: &TestCase<'_>| inside.as_deref().is_some_and(|at| is_below(&case.path, at));
        if !cases.iter().any(below) {
            if !path.exists() {
                return Err(not_found(path));
            }
            return Err(Failure::instead_of(path, |span| {
                Diagnostic::new(&NO_SCENARIO, span, "no scenario of the lawbook is here")
                    .help("scenarios are the files `scenarios/*.yaml` of a lawbook")
            }));
        }
        wanted.extend(inside);
    }
    if !wanted.is_empty() {
        cases.retain(|case| wanted.iter().any(|at| is_below(&case.path, at)));
    }
    let all = cases.len();
    cases.retain(|case| case.matches(request.filter));
    if !cases.is_empty() || (all == 0 && request.suggest) {
        return Ok(());
    }
    let (message, help) = if all == 0 {
        ("the lawbook has no scenarios".to_owned(), "write one in `scenarios/`")
    } else {
        let filter = escape::name(request.filter);
        (format!("no scenario matches `{filter}`"), "correct `--filter`")
    };
    Err(Failure::of(Diagnostic::new(&NO_SCENARIO, Span::NONE, message).help(help)))
}

/// Whether a path of a book is a file, or lies in a folder.
fn is_below(path: &str, at: &str) -> bool {
    let inside = || path.strip_prefix(at).is_some_and(|rest| rest.starts_with('/'));
    at.is_empty() || at == "." || path == at || inside()
}

fn composes_role(scenario: &Scenario) -> bool {
    let is_role = |of: &PromptOf| matches!(of, PromptOf::Role(_));
    scenario.steps.iter().any(|step| {
        let expected = step.expect.as_ref().and_then(|expect| expect.prompt.as_ref());
        let expected = expected.and_then(|prompt| prompt.of.as_ref());
        matches!(&step.act, Act::Compose(composing) if is_role(&composing.of))
            || expected.is_some_and(|(of, _)| is_role(of))
    })
}

/// The stack size of the main thread, which would do the work otherwise.
const STACK: usize = 8 << 20;

/// Plays cases on several threads; the results are in the order of the cases.
fn run_all(
    book: &Lawbook,
    cases: &[TestCase<'_>],
    surroundings: &Surroundings<'_>,
    request: TestRequest<'_>,
) -> Vec<(TestedScenario, Touched)> {
    let collect = request.collect();
    in_parallel(cases, request.jobs, |case| book.run_case(case, surroundings, collect))
}

/// Does the same work for each item on several threads; the results are in the order of the items.
fn in_parallel<T: Sync, R: Send>(
    items: &[T],
    jobs: Option<NonZero<usize>>,
    run: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let jobs = jobs.or_else(|| thread::available_parallelism().ok());
    let jobs = jobs.map_or(1, NonZero::get).min(items.len());
    if jobs <= 1 {
        return items.iter().map(run).collect();
    }
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, R)>> = Mutex::default();
    let work = || {
        while let Some((at, item)) = {
            let at = next.fetch_add(1, Ordering::Relaxed);
            items.get(at).map(|item| (at, item))
        } {
            let result = run(item);
            // A thread that panics ends the program, so the lock is never poisoned when it matters.
            if let Ok(mut done) = done.lock() {
                done.push((at, result));
            }
        }
    };
    thread::scope(|scope| {
        let mut started = 0;
        for _ in 0..jobs {
            let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            started += usize::from(thread.is_ok());
        }
        if started == 0 {
            work();
        }
    });
    let mut done = done.into_inner().unwrap_or_default();
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Fills the empty expectations of a scenario; returns its file if there were any.
fn bless_case(
    book: &Lawbook,
    source: &FolderSource,
    case: &TestCase<'_>,
    surroundings: &Surroundings<'_>,
) -> Result<Option<PathBuf>, Failure> {
    let Some(scenario) = case.scenario else { return Ok(None) };
    let is_empty = |step: &lawful::scenario::Step| {
        step.expect.as_ref().is_some_and(lawful::scenario::Expect::is_empty)
    };
    if !scenario.steps.iter().any(is_empty) {
        return Ok(None);
    }
    let text = book.sources().file(scenario.file).map_or("", lawful::syntax::File::text);
    if let Some(problem) = cannot_bless(text, scenario) {
        return Err(Failure::sorted(vec![problem], (**book.sources()).clone()));
    }
    let played = book.play(scenario, surroundings, Collect::Nothing);
    let file = PathBuf::from(source.shown(&scenario.path));
    let failed = |why: String| {
        let message = format!("cannot write `{}`: {why}", file.display());
        Failure::usage(message, "check the file and its permissions")
    };
    let bytes = std::fs::read(&file).map_err(|error| failed(error.to_string()))?;
    let Some(filled) = bless(&bytes, text, scenario, &played) else { return Ok(None) };
    lawful_deliver::write_atomically(&file, &filled).map_err(|error| failed(error.to_string()))?;
    Ok(Some(file))
}
