//! The root of a project: the folder that observed paths start from.

use std::path::{Path, PathBuf};

use lawful::book;

/// The root of the repository that contains a folder. Outside a repository, the folder itself, or
/// the folder that it is the lawbook of.
pub fn root(folder: &Path) -> PathBuf {
    let real = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    book::repository(&real).unwrap_or_else(|| book::home_of(&real).to_owned())
}
