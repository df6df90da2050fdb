//! Searches for a lawbook from a folder upward.
//!
//! The lawbook of a folder is the folder itself, or its folder `lawful`: a project that keeps its
//! rules in one place has no documents of Lawful among its own.

use std::path::{Path, PathBuf};

use super::fs;
use super::layout::{BOOK_FOLDER, MANIFEST};

/// Why no lawbook was found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FindError {
    /// The root of the file system was reached.
    #[error("no `{MANIFEST}` in this folder or above it")]
    NoneAbove,
    /// The search stopped at the root of a repository.
    #[error("no `{MANIFEST}` up to the root of the repository")]
    RepositoryRoot,
    /// The search stopped at a folder of another owner.
    #[error("no `{MANIFEST}` up to where the owner of the folder changes")]
    OwnerChanges,
}

/// The root of the repository that contains a folder, if every folder up to it has the same owner.
pub fn repository(start: &Path) -> Option<PathBuf> {
    let mut folder = start;
    loop {
        if fs::has(folder, ".git") {
            return Some(folder.to_owned());
        }
        let parent = folder.parent()?;
        if fs::owner(parent) != fs::owner(folder) {
            return None;
        }
        folder = parent;
    }
}

/// The lawbook of exactly this folder: the folder itself if it has a `lawful.yaml`, else its folder
/// `lawful` if that has one.
///
/// A folder `lawful` does not count if it is a link, belongs to another owner, or is the root of a
/// repository: then it is a project of its own.
pub fn book_in(folder: &Path) -> Option<PathBuf> {
    if fs::has(folder, MANIFEST) {
        return Some(folder.to_owned());
    }
    let inner = folder.join(BOOK_FOLDER);
    let is_book = fs::is_folder(&inner)
        && fs::has(&inner, MANIFEST)
        && !fs::has(&inner, ".git")
        && fs::owner(&inner) == fs::owner(folder);
    is_book.then_some(inner)
}

/// The folder that a lawbook is for: the folder above it if it is the folder `lawful` there, else the
/// folder of the lawbook.
pub fn home_of(book: &Path) -> &Path {
    match book.parent() {
        Some(parent) if book.ends_with(BOOK_FOLDER) && book_in(parent).as_deref() == Some(book) => {
            parent
        }
        Some(_) | None => book,
    }
}

/// The nearest lawbook at or above `start`: the [lawbook](book_in) of the nearest folder that has one.
///
/// The search stops at the root of a repository and at a folder of another owner, so that nobody
/// else can add a lawbook higher up.
pub fn find(start: &Path) -> Result<PathBuf, FindError> {
    let mut folder = start;
    loop {
        if let Some(book) = book_in(folder) {
            return Ok(book);
        }
        if fs::has(folder, ".git") {
            return Err(FindError::RepositoryRoot);
        }
        let parent = folder.parent().ok_or(FindError::NoneAbove)?;
        if fs::owner(parent) != fs::owner(folder) {
            return Err(FindError::OwnerChanges);
        }
        folder = parent;
    }
}

/// The outermost lawbook at or above `start`, within the same bounds as [`find`].
pub fn find_outermost(start: &Path) -> Result<PathBuf, FindError> {
    let mut outermost = find(start)?;
    loop {
        let home = home_of(&outermost);
        let further = match home.parent() {
            Some(parent) if !fs::has(home, ".git") && fs::owner(parent) == fs::owner(home) => {
                find(parent)
            }
            Some(_) | None => return Ok(outermost),
        };
        match further {
            Ok(further) => outermost = further,
            Err(_) => return Ok(outermost),
        }
    }
}
