//! Files that exist, by pattern.
//!
//! The walk starts at the part of a pattern that has no wildcard, so `src/*.rs` reads nothing else.
//! Links to folders are not followed, and a link to a file counts only if its target is inside the
//! project. Files that git ignores are included; `.git` is skipped.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};
use lawful::syntax::{Diagnostic, escape};

use super::{failed, name_of};

/// The maximal number of directory entries to read.
const ENTRIES: usize = 2_000_000;
/// The maximal number of files to return.
const FOUND: usize = 100_000;
/// The maximal depth of folders.
const DEEPEST: usize = 128;

/// The files that match any pattern: paths relative to the root with `/`, sorted.
pub(super) fn find(patterns: &[String], root: &Path) -> Result<Vec<String>, Diagnostic> {
    let root = root.canonicalize().map_err(|error| unreadable(root, &error.to_string()))?;
    let mut walk = Walk { root: &root, found: BTreeSet::new(), entries: 0 };
    for pattern in patterns {
        walk.search(pattern)?;
    }
    Ok(walk.found.into_iter().map(|(name, _)| name).collect())
}

/// The files that an argument refers to: the existing file with that name, or those that match it
/// as a pattern.
pub(super) fn named(pattern: &str, folder: &Path) -> Result<Vec<PathBuf>, Diagnostic> {
    let exact = folder.join(pattern);
    if exact.is_file() {
        return Ok(vec![if folder == Path::new(".") { PathBuf::from(pattern) } else { exact }]);
    }
    let missing = || {
        let message = format!("file `{}` not found", escape::name(pattern));
        failed(message, "run the command that writes it first")
    };
    if Path::new(pattern).is_absolute() || !pattern.contains(['*', '?', '[', '{']) {
        return Err(missing());
    }
    let root = folder.canonicalize().map_err(|error| unreadable(folder, &error.to_string()))?;
    let mut walk = Walk { root: &root, found: BTreeSet::new(), entries: 0 };
    walk.search(pattern)?;
    let found: Vec<PathBuf> = walk.found.into_iter().map(|(_, path)| path).collect();
    if found.is_empty() { Err(missing()) } else { Ok(found) }
}

struct Walk<'r> {
    root: &'r Path,
    found: BTreeSet<(String, PathBuf)>,
    entries: usize,
}

impl Walk<'_> {
    fn search(&mut self, pattern: &str) -> Result<(), Diagnostic> {
        let written = pattern.strip_prefix("./").unwrap_or(pattern);
        let shown = escape::name(pattern).into_owned();
        if written.starts_with('/') || written.split('/').any(|part| part == "..") {
            let message = format!("the pattern `{shown}` leads out of the project");
            return Err(failed(message, "patterns are relative to the root of the repository"));
        }
        let glob = GlobBuilder::new(written).literal_separator(true).build().map_err(|error| {
            let message = format!("`{shown}` is not a valid pattern: {}", error.kind());
            failed(message, "see `lawful observe --help`")
        })?;
        let parts: Vec<&str> = written.split('/').collect();
        let plain = |part: &&&str| !part.contains(['*', '?', '[', '{', '\\']);
        let folders = parts.iter().take_while(plain).count().min(parts.len().saturating_sub(1));
        if parts.iter().take(folders).any(|part| *part == ".git") {
            return Ok(());
        }
        let start: PathBuf = parts.iter().take(folders).collect();
        let folder = self.root.join(&start);
        // The folder before the first wildcard must not leave the project by a link either.
        match folder.canonicalize() {
            Ok(real) if real.starts_with(self.root) && real.is_dir() => {}
            // A folder that does not exist has no files.
            Ok(_) | Err(_) => return Ok(()),
        }
        // Without `**`, a pattern matches no deeper than its number of parts.
        let deepest = if written.contains("**") { DEEPEST } else { parts.len() - folders };
        self.folder(&folder, &glob.compile_matcher(), deepest)
    }

    fn folder(
        &mut self,
        folder: &Path,
        glob: &GlobMatcher,
        levels: usize,
    ) -> Result<(), Diagnostic> {
        let Some(below) = levels.checked_sub(1) else { return Ok(()) };
        let refused = |error: std::io::Error| unreadable(folder, &error.to_string());
        for entry in fs::read_dir(folder).map_err(refused)? {
            let entry = entry.map_err(refused)?;
            self.entries += 1;
            if self.entries > ENTRIES {
                let message = format!("more than {ENTRIES} files and folders to search");
                return Err(failed(message, "start the pattern with a folder"));
            }
            let path = entry.path();
            let kind = entry.file_type().map_err(refused)?;
            if kind.is_dir() {
                if entry.file_name() != ".git" {
                    self.folder(&path, glob, below)?;
                }
            } else if kind.is_file() || (kind.is_symlink() && self.leads_inside(&path)) {
                self.file(&path, glob)?;
            }
        }
        Ok(())
    }

    fn file(&mut self, path: &Path, glob: &GlobMatcher) -> Result<(), Diagnostic> {
        let Ok(inside) = path.strip_prefix(self.root) else { return Ok(()) };
        if !glob.is_match(inside) {
            return Ok(());
        }
        let parts: Vec<String> =
            inside.iter().map(|part| name_of(part.as_encoded_bytes())).collect();
        self.found.insert((parts.join("/"), path.to_owned()));
        if self.found.len() > FOUND {
            let message = format!("the patterns match more than {FOUND} files");
            return Err(failed(message, "make them narrower"));
        }
        Ok(())
    }

    /// Whether a link leads to a file inside the project.
    fn leads_inside(&self, path: &Path) -> bool {
        path.canonicalize().is_ok_and(|real| real.starts_with(self.root) && real.is_file())
    }
}

fn unreadable(folder: &Path, why: &str) -> Diagnostic {
    let why = why.split(" (os error").next().unwrap_or_default().to_lowercase();
    let shown = folder.display().to_string();
    failed(
        format!("cannot read the folder `{}`: {why}", escape::name(&shown)),
        "exclude it from the patterns",
    )
}
