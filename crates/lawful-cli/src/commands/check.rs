//! `lawful check [PATH…]`

use std::path::{Path, PathBuf};

use lawful::book::{Book, FolderSource};
use lawful::code;
use lawful::compose::Refusal;
use lawful::react::Rules;
use lawful::syntax::{Diagnostic, Sources, Span, sort};
use lawful::view::CheckView;

use crate::args::{Check, Deny, Format, GraphLanguage};
use crate::lawbook::{self, Failure, book_folder, find_from};
use crate::output::{
    Answer, diagnostics, print, print_error, print_json, stderr_style, stdout_style,
};
use crate::roles::evaluated;

/// One lawbook to check, and what of it was asked for.
struct Request {
    folder: PathBuf,
    /// Whether all of it was.
    whole: bool,
    /// Files and folders that were named.
    paths: Vec<PathBuf>,
}

/// What was found in one lawbook, or instead of it.
struct Finding {
    sources: Sources,
    problems: Vec<Diagnostic>,
    files: usize,
    readable: bool,
    /// Which rule can trigger which, if that was asked for and could be told.
    graph: Option<String>,
}

pub(crate) fn run(args: &Check) -> Answer {
    let mut findings = Vec::new();
    for request in requests(args) {
        let finding = request.and_then(|request| check(&request, args.graph));
        findings.push(finding.unwrap_or_else(Finding::from));
    }
    let mut views: Vec<CheckView> = findings
        .iter()
        .map(|finding| CheckView::new(&finding.problems, &finding.sources))
        .collect();
    let errors: usize = views.iter().map(|view| view.errors).sum();
    let warnings: usize = views.iter().map(|view| view.warnings).sum();
    let graphs = findings.iter().filter_map(|finding| finding.graph.as_deref());
    let graph = args.graph.map(|_| graphs.collect::<String>());
    match args.format {
        Format::Human if graph.is_some() => {
            for finding in &findings {
                print_error(&diagnostics(&finding.problems, &finding.sources, stderr_style()));
            }
            print(graph.as_deref().unwrap_or_default());
        }
        Format::Human => {
            for finding in &findings {
                print(&diagnostics(&finding.problems, &finding.sources, stdout_style()));
            }
            let files: usize = findings.iter().map(|finding| finding.files).sum();
            print(&summary(errors, warnings, files, &findings));
        }
        Format::Json => {
            let diagnostics =
                views.iter_mut().flat_map(|view| view.diagnostics.drain(..)).collect();
            print_json(&CheckView { diagnostics, errors, warnings, graph });
        }
    }
    let denied = args.deny.contains(&Deny::Warnings) && warnings > 0;
    let undrawn = |finding: &Finding| args.graph.is_some() && finding.graph.is_none();
    if findings.iter().any(|finding| !finding.readable || undrawn(finding)) {
        Answer::Undecided
    } else if errors > 0 || denied {
        Answer::No
    } else {
        Answer::Yes
    }
}

fn summary(errors: usize, warnings: usize, files: usize, findings: &[Finding]) -> String {
    let counted = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let in_files = counted(files, "file");
    // Of a file with very many problems not all are kept.
    let count = |n: usize, what: &str| {
        let mut problems = findings.iter().flat_map(|finding| &finding.problems);
        let more = problems.any(|one| one.stands_for_more() && one.severity.name() == what);
        if more { format!("more than {}", counted(n, what)) } else { counted(n, what) }
    };
    match (errors, warnings) {
        (0, 0) => format!("no problems in {in_files}\n"),
        (errors, 0) => format!("{} in {in_files}\n", count(errors, "error")),
        (0, warnings) => format!("{} in {in_files}\n", count(warnings, "warning")),
        (errors, warnings) => {
            format!("{} and {} in {in_files}\n", count(errors, "error"), count(warnings, "warning"))
        }
    }
}

/// Which books to look at: one for each that the paths belong to.
fn requests(args: &Check) -> Vec<Result<Request, Failure>> {
    if args.paths.is_empty() {
        let folder = args.book.clone().map_or_else(|| find_from(Path::new("."), None), Ok);
        let folder = folder.map(|folder| book_folder(&folder));
        return vec![folder.map(|folder| Request { folder, whole: true, paths: Vec::new() })];
    }
    let mut requests: Vec<Result<Request, Failure>> = Vec::new();
    for path in &args.paths {
        match request(path, args.book.as_deref()) {
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

fn request(path: &Path, book: Option<&Path>) -> Result<Request, Failure> {
    if !path.exists() {
        let message = "there is no such file or folder";
        return Err(Failure::instead_of(path, |span| {
            Diagnostic::new(&code::UNREADABLE, span, message)
        }));
    }
    if path.is_dir() && path.join("lawful.yaml").exists() {
        return Ok(Request { folder: path.to_owned(), whole: true, paths: Vec::new() });
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

fn check(request: &Request, language: Option<GraphLanguage>) -> Result<Finding, Failure> {
    let (source, mut book, mut problems) = lawbook::open(&request.folder)?;
    problems.extend(match evaluated(&mut book, &source) {
        Ok(nickel) => lawful::check_evaluated(&book, &nickel),
        Err(Refusal::Undecided(found) | Refusal::Broken(found)) => {
            let mut all = lawful::check(&book);
            all.extend(found);
            all
        }
    });
    sort(&mut problems, &book.sources);
    let graph = language.and_then(|language| {
        let (rules, _) = Rules::decode(&book);
        let graph = rules.graph()?;
        Some(match language {
            GraphLanguage::Dot => graph.to_dot(),
            GraphLanguage::Mermaid => graph.to_mermaid(),
        })
    });
    Ok(Finding { graph, ..report(request, &source, book, problems) })
}

/// The problems of what was asked for, and of paths that are no documents.
fn report(
    request: &Request,
    source: &FolderSource,
    mut book: Book,
    problems: Vec<Diagnostic>,
) -> Finding {
    let shown = |path: &str| lawful::book::Source::shown(source, path);
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
        // A file that could not be read is no document, and its problem names it.
        let named = inside.as_ref().map(|inside| shown(inside));
        let has_problem = problems.iter().any(|problem| name_of(problem, &book.sources) == named);
        if found.is_empty() && !has_problem {
            let file = book.sources.add_unread(path.display().to_string());
            let message = "this is not a document of the lawbook";
            strangers.push(
                Diagnostic::new(&code::NOT_A_DOCUMENT, Span::start_of(file), message)
                    .help("a document is known by its place, such as `conditions/*.yaml`"),
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
    Finding { sources: book.sources, problems: kept, files, readable, graph: None }
}

impl From<Failure> for Finding {
    fn from(failure: Failure) -> Self {
        let Failure { sources, problems } = failure;
        Self { sources, problems, files: 0, readable: false, graph: None }
    }
}
