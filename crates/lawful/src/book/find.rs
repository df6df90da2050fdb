//! Looking for a lawbook from a folder upward.

use std::path::{Path, PathBuf};

use super::fs;
use super::layout::MANIFEST;

/// Why no lawbook was found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FindError {
    /// The root of the file system was reached.
    #[error("there is no `{MANIFEST}` in this folder or above it")]
    NoneAbove,
    /// The search stopped at the root of a repository.
    #[error("there is no `{MANIFEST}` up to the root of the repository")]
    RepositoryRoot,
    /// The search stopped where a folder belongs to someone else.
    #[error("there is no `{MANIFEST}` up to where the owner of the folder changes")]
    OwnerChanges,
}

/// The root of the repository that a folder is in, if it is in one and all of it belongs to the
/// owner of the folder.
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

/// The nearest folder at or above `start` that holds a `lawful.yaml`.
///
/// The search does not go above the root of a repository, nor into a folder of another owner: what
/// somebody put higher up must not become the law here.
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
