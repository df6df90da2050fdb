//! Finding and opening a lawbook.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use lawful::book::{self, BOOK_FOLDER, Book, FindError, FolderSource, MANIFEST, Source};
use lawful::code;
use lawful::syntax::Diagnostic;
use lawful::{Lawbook, LawbookOptions, Verb, blocks};

use crate::failure::Failure;

/// An opened lawbook, and the problems that loading reported.
#[derive(Debug)]
pub struct OpenedBook<S = FolderSource> {
    /// Its folder, as the user would write it.
    pub folder: PathBuf,
    /// Where its files come from.
    pub source: S,
    /// The lawbook.
    pub book: Book,
    /// Errors and warnings of its documents.
    pub problems: Vec<Diagnostic>,
}

/// The lawbook folder of a path, which can be the path of its manifest, or a folder whose lawbook is
/// its folder `lawful`.
pub fn book_folder(path: &Path) -> PathBuf {
    match (path.is_file() && path.ends_with(MANIFEST), path.parent()) {
        (true, Some(parent)) if parent != Path::new("") => parent.to_owned(),
        (true, _) => PathBuf::from("."),
        (false, _) => own_book(path).unwrap_or_else(|| path.to_owned()),
    }
}

/// The lawbook of exactly this folder, as the user would write it.
pub(crate) fn own_book(folder: &Path) -> Option<PathBuf> {
    let book = book::book_in(folder)?;
    Some(if book == folder { book } else { inner_of(folder) })
}

/// The lawbook around a folder, written relative to the working directory. Without a lawbook, the
/// error names `asked`, the path that the user gave.
pub fn find_from(start: &Path, asked: Option<&Path>) -> Result<PathBuf, Failure> {
    let missing = |error: FindError| {
        Failure::instead_of(asked.unwrap_or(start), |span| {
            Diagnostic::new(&code::NO_LAWBOOK, span, error.to_string())
                .help("create one with `lawful init`, or pass its folder with `--book DIR`")
        })
    };
    let real = start.canonicalize().unwrap_or_else(|_| start.to_owned());
    let found = book::find(&real).map_err(missing)?;
    // The lawbook is a folder above, or the folder `lawful` of one.
    let is_above = real.starts_with(&found);
    let above = if is_above { &*found } else { book::home_of(&found) };
    let up = real.components().count() - above.components().count();
    let mut shown = start.to_owned();
    for _ in 0..up {
        // The parent of `a/b` is `a`; the parent of `.` is `..`.
        shown = match shown.parent() {
            Some(parent) if parent != Path::new("") && !shown.ends_with("..") => parent.to_owned(),
            Some(_) if shown == Path::new(".") => PathBuf::from(".."),
            Some(parent) if parent == Path::new("") && !shown.ends_with("..") => PathBuf::from("."),
            Some(_) | None => shown.join(".."),
        };
    }
    let shown = if is_above { shown } else { inner_of(&shown) };
    // A path through symbolic links can lead elsewhere; then use the canonical path.
    match shown.canonicalize() {
        Ok(same) if same == found => Ok(shown),
        Ok(_) | Err(_) => Ok(found),
    }
}

/// The folder `lawful` of a folder, as the user would write it.
fn inner_of(folder: &Path) -> PathBuf {
    if folder == Path::new(".") { PathBuf::from(BOOK_FOLDER) } else { folder.join(BOOK_FOLDER) }
}

/// Opens the lawbook in a folder.
pub(crate) fn open(folder: &Path) -> Result<OpenedBook, Failure> {
    open_from(Lawbook::source(folder)?, folder)
}

/// The lawbooks that were opened before, by their folders. What did not change since is shared.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory(Arc<Mutex<BTreeMap<PathBuf, Book>>>);

impl Memory {
    /// Opens the lawbook in a folder, and remembers it.
    pub(crate) fn open(&self, folder: &Path) -> Result<OpenedBook, Failure> {
        let source = Lawbook::source(folder)?;
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (book, problems) = match known.get(folder) {
            Some(previous) => LawbookOptions::documents_since(previous, &source)?,
            None => Lawbook::options().documents(&source)?,
        };
        known.insert(folder.to_owned(), book.clone());
        Ok(OpenedBook { folder: folder.to_owned(), source, book, problems })
    }
}

/// Opens the lawbook of a folder from a source.
pub(crate) fn open_from<S: Source>(source: S, folder: &Path) -> Result<OpenedBook<S>, Failure> {
    let (book, problems) = Lawbook::options().documents(&source)?;
    Ok(OpenedBook { folder: folder.to_owned(), source, book, problems })
}

impl<S> OpenedBook<S> {
    /// Fails if a problem of the lawbook stops a verb.
    pub(crate) fn stop_at_problems_of(&self, verb: Verb) -> Result<(), Failure> {
        let stops = |problem: &&Diagnostic| blocks(verb, &self.book, problem);
        let problems: Vec<Diagnostic> = self.problems.iter().filter(stops).cloned().collect();
        if problems.is_empty() {
            return Ok(());
        }
        Err(Failure::sorted(problems, self.book.sources.clone()))
    }
}
