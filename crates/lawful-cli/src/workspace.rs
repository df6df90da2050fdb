//! The workspace of a command.

use std::path::Path;

use lawful_host::Workspace;

/// The working directory, and the lawbook given by `--book`.
pub(crate) fn workspace(book: Option<&Path>) -> Workspace {
    Workspace::here().with_book(book)
}
