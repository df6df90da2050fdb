//! Searches for a lawbook from a folder upward.

use std::path::{Path, PathBuf};

use super::fs;
use super::layout::MANIFEST;

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

/// The nearest folder at or above `start` that contains a `lawful.yaml`.
///
/// The search stops at the root of a repository and at a folder of another owner, so that nobody
/// else can add a lawbook higher up.
pub fn find(start: &Path) -> Result<PathBuf, FindError> {
    let mut folder = start;
    loop {
        if fs::has(folder, MANIFEST) {
            return Ok(folder.to_owned());
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

/// The outermost folder at or above `start` that contains a `lawful.yaml`, within the same bounds as
/// [`find`].
pub fn find_outermost(start: &Path) -> Result<PathBuf, FindError> {
    let mut outermost = find(start)?;
    while !fs::has(&outermost, ".git")
        && let Some(parent) = outermost.parent()
        && fs::owner(parent) == fs::owner(&outermost)
        && let Ok(further) = find(parent)
    {
        outermost = further;
    }
    Ok(outermost)
}
