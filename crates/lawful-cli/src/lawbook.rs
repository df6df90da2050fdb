//! Finding and opening the lawbook that a command is about.

use std::path::{Path, PathBuf};

use lawful::book::{self, Book, Document, FindError, FolderSource, LoadError, Options, Part};
use lawful::code;
use lawful::compose::Compositions;
use lawful::react::Rules;
use lawful::syntax::{Diagnostic, Sources, Span, sort};
use lawful::view::CheckView;

use crate::output::{Answer, diagnostics, print_error, print_json, stderr_style};

/// Problems that there is no going on from.
pub(crate) struct Failure {
    pub(crate) sources: Sources,
    pub(crate) problems: Vec<Diagnostic>,
}

impl Failure {
    /// A problem with a path that could not be read.
    pub(crate) fn instead_of(path: &Path, problem: impl FnOnce(Span) -> Diagnostic) -> Self {
        let mut sources = Sources::default();
        let file = sources.add_unread(path.display().to_string());
        let problems = vec![problem(Span::start_of(file))];
        Self { sources, problems }
    }

    /// A problem without a place.
    pub(crate) fn usage(message: impl Into<String>, help: impl Into<String>) -> Self {
        let problem = Diagnostic::new(&code::USAGE, Span::NONE, message).help(help.into());
        Self { sources: Sources::default(), problems: vec![problem] }
    }

    fn no_book(folder: &Path, message: &str) -> Self {
        Self::instead_of(folder, |span| {
            Diagnostic::new(&code::NO_LAWBOOK, span, message)
                .help("write one; the smallest is `name: my-law`")
        })
    }

    /// Shows the problems of a command that could not answer.
    pub(crate) fn report(&self, json: bool) -> Answer {
        if json {
            print_json(&CheckView::new(&self.problems, &self.sources));
        } else {
            print_error(&diagnostics(&self.problems, &self.sources, stderr_style()));
        }
        Answer::Undecided
    }
}

/// A book may be named by its manifest.
pub(crate) fn book_folder(path: &Path) -> PathBuf {
    match (path.is_file() && path.ends_with("lawful.yaml"), path.parent()) {
        (true, Some(parent)) if parent != Path::new("") => parent.to_owned(),
        (true, _) => PathBuf::from("."),
        (false, _) => path.to_owned(),
    }
}

/// The book around a folder, named as the user would from here. Where there is none, that is said
/// of `asked`, the path the user named.
pub(crate) fn find_from(start: &Path, asked: Option<&Path>) -> Result<PathBuf, Failure> {
    let missing = |error: FindError| {
        Failure::instead_of(asked.unwrap_or(start), |span| {
            Diagnostic::new(&code::NO_LAWBOOK, span, error.to_string())
                .help("name the folder with `--book DIR`, or write a `lawful.yaml`")
        })
    };
    let real = start.canonicalize().unwrap_or_else(|_| start.to_owned());
    let found = book::find(&real).map_err(missing)?;
    let up = real.components().count() - found.components().count();
    let mut shown = start.to_owned();
    for _ in 0..up {
        // `a/b` and up is `a`; `.` and up is `..`.
        shown = match shown.parent() {
            Some(parent) if parent != Path::new("") && !shown.ends_with("..") => parent.to_owned(),
            Some(_) if shown == Path::new(".") => PathBuf::from(".."),
            Some(parent) if parent == Path::new("") && !shown.ends_with("..") => PathBuf::from("."),
            Some(_) | None => shown.join(".."),
        };
    }
    // A path through symbolic links may lead elsewhere; then the real name has to do.
    match shown.canonicalize() {
        Ok(same) if same == found => Ok(shown),
        Ok(_) | Err(_) => Ok(found),
    }
}

/// Opens a lawbook.
pub(crate) fn open(folder: &Path) -> Result<(FolderSource, Book, Vec<Diagnostic>), Failure> {
    let Ok(source) = FolderSource::open(folder) else {
        return Err(Failure::no_book(folder, "there is no such folder"));
    };
    match book::load(&source, Options::default()) {
        Ok((book, problems)) => Ok((source, book, problems)),
        Err(LoadError::NoManifest) => {
            Err(Failure::no_book(folder, "there is no `lawful.yaml` in this folder"))
        }
        Err(error @ LoadError::UnreadableManifest(_)) => {
            Err(Failure::instead_of(&folder.join("lawful.yaml"), |span| {
                Diagnostic::new(&code::UNREADABLE, span, error.to_string())
            }))
        }
    }
}

/// A lawbook whose compositions can be resolved.
pub(crate) struct Loaded {
    pub(crate) book: Book,
    pub(crate) compositions: Compositions,
}

/// A lawbook whose rules can take a step.
pub(crate) struct LoadedRules {
    pub(crate) book: Book,
    pub(crate) rules: Rules,
    /// What is wrong with the rules that are left out.
    pub(crate) problems: Vec<Diagnostic>,
}

/// Opens the book that `--book` names, or the one around the working directory.
fn open_named(book: Option<&Path>) -> Result<(Book, Vec<Diagnostic>), Failure> {
    let (_, book, mut problems) = open(&named(book)?)?;
    problems.retain(Diagnostic::is_error);
    Ok((book, problems))
}

/// The folder of the book that `--book` names, or of the one around the working directory.
pub(crate) fn named(book: Option<&Path>) -> Result<PathBuf, Failure> {
    book.map_or_else(|| find_from(Path::new("."), None), |book| Ok(book_folder(book)))
}

/// The document that a problem is in; one that could not be read is none.
pub(crate) fn document_of<'b>(book: &'b Book, problem: &Diagnostic) -> Option<&'b Document> {
    let found = book.documents.iter().find(|document| document.file == problem.span.file);
    found.map(|document| &**document)
}

/// Opens a book for its compositions. An error in anything that a prompt is made from is the end;
/// one elsewhere in the book is not.
pub(crate) fn compositions(book: Option<&Path>) -> Result<Loaded, Failure> {
    let (book, mut problems) = open_named(book)?;
    let (compositions, found) = Compositions::decode(&book);
    problems.extend(found);
    let elsewhere = |problem: &Diagnostic| {
        document_of(&book, problem).is_some_and(|document| match document.part {
            Part::Manifest | Part::Fragment | Part::Composition | Part::Conditions => false,
            Part::Rules | Part::Entry | Part::Conditioning | Part::Rulespec | Part::Scenario => {
                true
            }
        })
    };
    problems.retain(|problem| problem.is_error() && !elsewhere(problem));
    if problems.is_empty() {
        return Ok(Loaded { book, compositions });
    }
    sort(&mut problems, &book.sources);
    Err(Failure { sources: book.sources, problems })
}

/// Opens a book for its rules. A rule that is wrong is left out and reported; where it cannot even
/// be told which rules there are, that is the end.
pub(crate) fn rules(book: Option<&Path>) -> Result<LoadedRules, Failure> {
    let (book, mut problems) = open_named(book)?;
    let (rules, found) = Rules::decode(&book);
    problems.extend(found.into_iter().filter(Diagnostic::is_error));
    let elsewhere = |problem: &Diagnostic| {
        document_of(&book, problem).is_some_and(|document| match document.part {
            Part::Manifest | Part::Conditions | Part::Rules | Part::Entry => false,
            Part::Fragment | Part::Composition | Part::Conditioning => true,
            Part::Rulespec | Part::Scenario => true,
        })
    };
    problems.retain(|problem| !elsewhere(problem));
    let fatal = |problem: &Diagnostic| {
        document_of(&book, problem).is_none_or(|document| match document.part {
            Part::Rules => !document.sound,
            Part::Conditions | Part::Entry => false,
            Part::Manifest | Part::Fragment | Part::Composition => true,
            Part::Conditioning | Part::Rulespec | Part::Scenario => true,
        })
    };
    if problems.iter().any(fatal) {
        sort(&mut problems, &book.sources);
        return Err(Failure { sources: book.sources, problems });
    }
    Ok(LoadedRules { book, rules, problems })
}
