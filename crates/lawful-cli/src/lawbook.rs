//! Opening the lawbook that a command is about.

use std::path::Path;

use lawful::book::{Book, FolderSource};
use lawful::syntax::Diagnostic;
use lawful_host::Workspace;

pub(crate) use crate::output::Report;
pub(crate) use lawful_host::Failure;
pub(crate) use lawful_host::lawbook::{book_folder, find_from};

/// The workspace of a command: the working directory, and the book that `--book` names.
pub(crate) fn workspace(book: Option<&Path>) -> Workspace {
    Workspace::here().with_book(book)
}

pub(crate) fn open(folder: &Path) -> Result<(FolderSource, Book, Vec<Diagnostic>), Failure> {
    let opened = workspace(Some(folder)).open()?;
    Ok((opened.source, opened.book, opened.problems))
}
