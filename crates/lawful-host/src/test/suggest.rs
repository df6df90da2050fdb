//! Writes scenarios for what is not covered.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use lawful::suggest::Suggestions;

use crate::failure::Failure;

/// Writes suggested scenarios into a lawbook, and returns their files. No file is written over.
pub(super) fn write(folder: &Path, suggestions: &Suggestions) -> Result<Vec<PathBuf>, Failure> {
    let each = suggestions.scenarios.iter();
    each.map(|suggestion| write_new(&folder.join(&suggestion.path), &suggestion.text)).collect()
}

/// Writes a file that must not exist yet.
pub(super) fn write_new(file: &Path, text: &str) -> Result<PathBuf, Failure> {
    let failed = |error: std::io::Error| {
        let name = file.display();
        if error.kind() == std::io::ErrorKind::AlreadyExists {
            return Failure::usage(
                format!("`{name}` exists, and is not written over"),
                "rename or remove it",
            );
        }
        Failure::usage(
            format!("cannot write `{name}`: {error}"),
            "check the folder and its permissions",
        )
    };
    if let Some(parent) = file.parent() {
        fs::create_dir_all(parent).map_err(failed)?;
    }
    let mut opened = fs::File::create_new(file).map_err(failed)?;
    opened.write_all(text.as_bytes()).map_err(failed)?;
    Ok(file.to_owned())
}
