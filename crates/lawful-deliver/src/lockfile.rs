//! `lawful.lock`: what a clone of a project has to know.
//!
//! It is at the root of the project and may be committed. It names the files with text of Lawful,
//! each with the hash of that text. It has no text and no commands.
//!
//! **Invariant:** nothing is done because a lock says so. A row counts only as far as the disk
//! confirms it; see [`believe`](crate::ledger).

use std::io;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::code;
use crate::desk::Desk;
use crate::disk::{Disk, Kind};
use crate::finding::Finding;
use crate::ledger::{Entry, Ledger, Mode};
use crate::plan::Change;
use crate::prompts::is_plain_role;
use crate::reach::is_in_git;

/// The name of the file.
pub(crate) const NAME: &str = "lawful.lock";

/// The number of digits of an id.
pub(crate) const ID_LENGTH: usize = 32;

/// The format that is read and written.
const FORMAT: u32 = 1;

/// A lock.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LockFile {
    format: u32,
    /// The id of the project, which is random.
    pub(crate) project: String,
    pub(crate) files: Vec<LockedFile>,
}

/// One thing that was written, for one harness.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LockedFile {
    /// Relative to the root of the project, with `/`.
    pub(crate) path: String,
    pub(crate) kind: LockedKind,
    pub(crate) harness: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) role: Option<String>,
    /// The hash of the text, with `\n` line ends.
    pub(crate) hash: String,
}

/// How Lawful uses a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum LockedKind {
    /// It is a file of Lawful.
    Owned,
    /// A block in it.
    Block,
    /// A key in it.
    Key,
}

/// Why a lock is not used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BadLock {
    line: usize,
    why: String,
    /// Whether it is at least a file with text, so that a person can ask to replace it.
    pub(crate) is_text: bool,
}

impl BadLock {
    fn new(why: impl Into<String>) -> Self {
        Self { line: 1, why: why.into(), is_text: false }
    }

    /// What to report.
    pub(crate) fn finding(&self) -> Finding {
        let message = format!("this is not a valid lock: {}", self.why);
        let help = "restore it from version control, or delete it and run `lawful install`, which \
                    writes a new one; `lawful install --overwrite` replaces it";
        let found = Finding::new(&code::BAD_LOCK, Some(NAME), message, help);
        Finding { line: self.line, ..found }
    }
}

/// The file of the lock of a project.
pub(crate) fn path(root: &Path) -> PathBuf {
    root.join(NAME)
}

/// The lock of a project; `None` if it has none.
pub(crate) fn read(disk: &impl Disk, root: &Path) -> Result<Option<LockFile>, BadLock> {
    let path = path(root);
    if disk.is_link(&path) {
        return Err(BadLock::new("it is a symbolic link"));
    }
    match disk.kind(&path) {
        Ok(Kind::Missing) => return Ok(None),
        Ok(Kind::File) => {}
        Ok(Kind::Folder | Kind::Other) => return Err(BadLock::new("it is not a file")),
        Err(error) => return Err(BadLock::new(error.to_string())),
    }
    match disk.read(&path) {
        Ok(Some(bytes)) => parse(&bytes).map(Some),
        Ok(None) => Ok(None),
        Err(error) => Err(BadLock::new(error.to_string())),
    }
}

/// Why the lock of a project is not used, if it has one.
pub(crate) fn problem(disk: &impl Disk, desk: &Desk) -> Option<BadLock> {
    desk.project().and_then(|_| read(disk, &desk.root).err())
}

fn parse(bytes: &[u8]) -> Result<LockFile, BadLock> {
    /// The format alone, which every version has.
    #[derive(Deserialize)]
    struct Format {
        format: u32,
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Err(BadLock::new("it is not UTF-8 text"));
    };
    let invalid = |why: &str, line: usize| BadLock { line, why: why.to_owned(), is_text: true };
    let not_parsed = |error: &serde_json::Error| {
        invalid(&lawful::syntax::escape::name(&error.to_string()), error.line().max(1))
    };
    let Format { format } = serde_json::from_str(text).map_err(|error| not_parsed(&error))?;
    if format != FORMAT {
        let why = format!("another version of Lawful wrote it (format {format})");
        return Err(invalid(&why, 1));
    }
    let mut lock: LockFile = serde_json::from_str(text).map_err(|error| not_parsed(&error))?;
    lock.files.sort();
    if !is_hex(&lock.project, ID_LENGTH) {
        return Err(invalid("`project` is not an id", 1));
    }
    match lock.files.iter().find_map(|row| Some((row, row.problem()?))) {
        None => Ok(lock),
        Some((row, problem)) => {
            let path = lawful::syntax::escape::name(&row.path);
            let at = text.find(&format!("\"path\":\"{}\"", row.path));
            let before = at.and_then(|at| text.get(..at)).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            Err(invalid(&format!("{problem} in the row of `{path}`"), line))
        }
    }
}

impl LockedFile {
    /// Why no version of Lawful writes such a row.
    fn problem(&self) -> Option<&'static str> {
        let path = Path::new(&self.path);
        let mut parts = path.components();
        let is_inside = parts.all(|part| matches!(part, Component::Normal(_)));
        let is_harness = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if !is_inside || self.path.is_empty() {
            Some("a path that is not inside the project")
        } else if is_in_git(path) {
            Some("a path below `.git`")
        } else if self.harness.is_empty() || !self.harness.chars().all(is_harness) {
            Some("an invalid harness")
        } else if self.role.as_deref().is_some_and(|role| !is_plain_role(role)) {
            Some("an invalid role")
        } else if !is_hex(&self.hash, 64) {
            Some("an invalid hash")
        } else {
            None
        }
    }

    /// The rows of an entry of a ledger.
    fn of(entry: &Entry) -> impl Iterator<Item = Self> {
        let kind = LockedKind::of(&entry.mode);
        entry.harnesses.iter().map(move |harness| Self {
            path: entry.path.clone(),
            kind,
            harness: harness.clone(),
            role: Some(entry.role.clone()).filter(|role| !role.is_empty()),
            hash: entry.hash.clone(),
        })
    }
}

impl LockedKind {
    pub(crate) fn of(mode: &Mode) -> Self {
        match mode {
            Mode::Owned { .. } => Self::Owned,
            Mode::Block(_) => Self::Block,
            Mode::Key { .. } => Self::Key,
        }
    }
}

impl LockFile {
    /// The lock of a project with this ledger.
    pub(crate) fn of(id: &str, ledger: &Ledger) -> Self {
        let mut files: Vec<LockedFile> = ledger.files.iter().flat_map(LockedFile::of).collect();
        files.extend(ledger.unconfirmed.iter().chain(&ledger.unproven).cloned());
        // Two lawbooks with the same text have two equal rows.
        files.sort();
        Self { format: FORMAT, project: id.to_owned(), files }
    }

    /// Its text, with one line for each row; `None` if it has none.
    fn to_text(&self) -> io::Result<Option<String>> {
        if self.files.is_empty() {
            return Ok(None);
        }
        let rows: Result<Vec<String>, _> = self.files.iter().map(serde_json::to_string).collect();
        let rows = rows.map_err(io::Error::other)?.join(",\n    ");
        Ok(Some(format!(
            "{{\n  \"format\": {FORMAT},\n  \"project\": \"{}\",\n  \"files\": [\n    {rows}\n  ]\n}}\n",
            self.project
        )))
    }
}

/// The change of the lock that belongs to a ledger, if it is not as it should be.
pub(crate) fn change(disk: &impl Disk, desk: &Desk, ledger: &Ledger) -> io::Result<Option<Change>> {
    let Some(project) = desk.project() else { return Ok(None) };
    let path = disk.resolve(&desk.root)?.join(NAME);
    let before = match read(disk, &desk.root) {
        // The same rows in another layout are the same lock.
        Ok(Some(found)) if found == LockFile::of(project.id(), ledger) => return Ok(None),
        Ok(None) => None,
        Ok(Some(_)) | Err(_) => {
            let bytes = disk.read(&path)?;
            bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        }
    };
    let after = LockFile::of(project.id(), ledger).to_text()?;
    Ok((before != after).then_some(Change { path, before, after }))
}

fn is_hex(text: &str, length: usize) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    text.len() == length && text.bytes().all(is_digit)
}

#[cfg(test)]
mod tests;
