//! Checking lawbooks, or some of their documents.

pub(crate) mod harness_keys;
mod harness_tool;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lawful::Diagnostics;
use lawful::book::{Book, FolderSource, Source as _};
use lawful::code;
use lawful::compose::Refusal;
use lawful::react::Rules;
use lawful::scenario::check_harness_events;
use lawful::syntax::{Diagnostic, Sources, Span, sort};

use crate::failure::Failure;
use crate::lawbook::{OpenedBook, book_folder, find_from, own_book};
use crate::roles::evaluated;
use crate::test::HarnessProtocols;
use crate::workspace::Workspace;

/// The result for one lawbook, or why it could not be checked.
#[derive(Debug)]
pub struct CheckedBook {
    /// Every problem in what was requested, sorted by place.
    pub problems: Diagnostics,
    /// The number of requested documents.
    pub files: usize,
    /// Whether everything that was requested could be read.
    pub readable: bool,
    /// The rules, for drawing a graph; `None` without a lawbook.
    pub rules: Option<Rules>,
}

impl From<Failure> for CheckedBook {
    fn from(failure: Failure) -> Self {
        let Failure { sources, problems, .. } = failure;
        let problems = Diagnostics::in_order(problems, Arc::new(sources));
        Self { problems, files: 0, readable: false, rules: None }
    }
}

impl Workspace {
    /// Checks the lawbook, or the given lawbooks and documents: one result per lawbook.
    pub fn check(&self, paths: &[PathBuf]) -> Vec<CheckedBook> {
        let requests = self.check_requests(paths).into_iter();
        let checked = requests.map(|request| request.and_then(|request| check(self, &request)));
        checked.map(|checked| checked.unwrap_or_else(CheckedBook::from)).collect()
    }

    /// The folders of the lawbooks that `check` reads for these paths.
    pub fn checked_folders(&self, paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
        let requests = self.check_requests(paths).into_iter();
        requests.map(|request| request.map(|request| request.folder)).collect()
    }

    /// The lawbooks to check: one for each that the paths belong to.
    fn check_requests(&self, paths: &[PathBuf]) -> Vec<Result<Request, Failure>> {
        if paths.is_empty() {
            let whole = |folder| Request { folder, whole: true, paths: Vec::new() };
            return vec![self.folder().map(whole)];
        }
        let mut requests: Vec<Result<Request, Failure>> = Vec::new();
        for path in paths {
            match request(path, self.named_book()) {
                Ok(new) => {
                    let same = |known: &&mut Request| {
                        known.folder.canonicalize().ok() == new.folder.canonicalize().ok()
                    };
                    match requests.iter_mut().flatten().find(same) {
                        Some(known) => {
                            known.whole |= new.whole;
                            known.paths.extend(new.paths);
                        }
                        None => requests.push(Ok(new)),
                    }
                }
                Err(failure) => requests.push(Err(failure)),
            }
        }
        requests
    }
}

/// A lawbook to check, and which of its documents.
struct Request {
    folder: PathBuf,
    /// Whether to check all of it.
    whole: bool,
    /// The given files and folders.
    paths: Vec<PathBuf>,
}

fn request(path: &Path, book: Option<&Path>) -> Result<Request, Failure> {
    if !path.exists() {
        let message = "file or folder not found";
        return Err(Failure::instead_of(path, |span| {
            Diagnostic::new(&code::UNREADABLE, span, message)
        }));
    }
    if let Some(folder) = own_book(path) {
        return Ok(Request { folder, whole: true, paths: Vec::new() });
    }
    let folder = match book {
        Some(book) => book_folder(book),
        None if path.is_dir() => find_from(path, None)?,
        None => match path.parent() {
            Some(parent) if parent != Path::new("") => find_from(parent, Some(path))?,
            Some(_) | None => find_from(Path::new("."), Some(path))?,
        },
    };
    Ok(Request { folder, whole: false, paths: vec![path.to_owned()] })
}

fn check(workspace: &Workspace, request: &Request) -> Result<CheckedBook, Failure> {
    let OpenedBook { source, mut book, mut problems, .. } = workspace.open_at(&request.folder)?;
    let mut has_nickel = true;
    problems.extend(check_harness_events(&book, &HarnessProtocols));
    problems.extend(match evaluated(&mut book, &source) {
        Ok(nickel) => lawful::check_evaluated(&book, &nickel),
        Err(Refusal::Undecided(found) | Refusal::Broken(found)) => {
            // A missing program is not a problem of the lawbook.
            has_nickel = !found.iter().any(is_not_installed);
            let mut all = lawful::check(&book);
            all.extend(found);
            all
        }
    });
    problems.extend(harness_tool::check(&book));
    problems.extend(harness_keys::check(&book));
    sort(&mut problems, &book.sources);
    let (rules, _) = Rules::decode(&book);
    let found = report(request, &source, book, problems);
    let readable = found.readable && has_nickel;
    Ok(CheckedBook { rules: Some(rules), readable, ..found })
}

fn is_not_installed(problem: &Diagnostic) -> bool {
    [&code::NO_NICKEL, &code::NICKEL_VERSION].contains(&problem.code)
}

/// The problems in what was requested, and of paths that are not documents.
fn report(
    request: &Request,
    source: &FolderSource,
    mut book: Book,
    problems: Vec<Diagnostic>,
) -> CheckedBook {
    let shown = |path: &str| source.shown(path);
    let name_of = |problem: &Diagnostic, sources: &Sources| {
        sources.file(problem.span.file).map(|file| file.name().to_owned())
    };
    let mut wanted: Vec<String> = Vec::new();
    let mut strangers: Vec<Diagnostic> = Vec::new();
    for path in &request.paths {
        let inside = source.relative(path);
        let below = |document: &str| {
            inside.as_ref().is_some_and(|inside| {
                document == inside || document.starts_with(&format!("{inside}/"))
            })
        };
        let documents = book.documents.iter().filter(|document| below(&document.path));
        let found: Vec<String> = documents.map(|document| shown(&document.path)).collect();
        // A file that could not be read is not a document, and its problem names it.
        let named = inside.as_ref().map(|inside| shown(inside));
        let has_problem = problems.iter().any(|problem| name_of(problem, &book.sources) == named);
        if found.is_empty() && !has_problem {
            let file = book.sources.add_unread(path.display().to_string());
            let message = "this is not a document of the lawbook";
            strangers.push(
                Diagnostic::new(&code::NOT_A_DOCUMENT, Span::start_of(file), message)
                    .help("the path decides the kind of a document, such as `conditions/*.yaml`"),
            );
        }
        wanted.extend(found);
        wanted.extend(named);
    }
    let readable = strangers.is_empty() && book.complete;
    let asked_for = |name: &String| request.whole || wanted.contains(name);
    let files = book.documents.iter().filter(|document| asked_for(&shown(&document.path))).count();
    let concerns =
        |problem: &Diagnostic| name_of(problem, &book.sources).is_some_and(|n| asked_for(&n));
    let mut kept: Vec<Diagnostic> = problems.into_iter().filter(concerns).collect();
    kept.extend(strangers);
    let problems = Diagnostics::in_order(kept, Arc::new(book.sources));
    CheckedBook { problems, files, readable, rules: None }
}
