//! What the installation of a hook found, so that uninstalling can restore every byte.
//!
//! A record has only the range that was changed. If that range is still there, the change is
//! reverted, whatever else was edited; otherwise the record is useless, and only the entry of
//! Lawful is removed.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::keys::json;
use crate::separators::Separators;
use crate::splice::Splice;
use crate::state::{self, State};
use crate::text::with_plain_lines;

#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Record {
    /// The file, to detect a hash collision.
    path: String,
    /// Whether there was a file before.
    pub(crate) existed: bool,
    /// Folders that Lawful created for it, outermost first.
    pub(crate) folders: Vec<PathBuf>,
    /// The change.
    change: Change,
}

/// A change to a settings file.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Change {
    /// The key `hooks` was added, with this value.
    Key {
        value: String,
        #[serde(rename = "glue")]
        separators: Separators,
    },
    /// Something inside it changed.
    Splice(Splice),
    /// Several places inside it changed, in this order.
    Splices(Vec<Splice>),
}

impl Change {
    /// The change of a text.
    pub(crate) fn of(before: &str, written: &str, separators: Option<Separators>) -> Self {
        match (separators, json::get(written, "hooks")) {
            (Some(separators), Ok(Some(held))) => Self::Key { value: held.raw, separators },
            (Some(_) | None, _) => Self::Splice(Splice::between(before, written)),
        }
    }
}

impl Record {
    /// What was done to a file.
    pub(crate) fn new(path: &Path, existed: bool, folders: Vec<PathBuf>, change: Change) -> Self {
        Self { path: path.to_string_lossy().into_owned(), existed, folders, change }
    }

    /// The text without the insertion; `None` if that was edited.
    pub(crate) fn undo(&self, now: &str) -> Option<String> {
        match &self.change {
            Change::Splice(splice) => splice.undo(now).or_else(|| splice.take_out(now)),
            Change::Splices(steps) => steps.iter().rev().try_fold(now.to_owned(), |now, splice| {
                splice.undo(&now).or_else(|| splice.take_out(&now))
            }),
            Change::Key { value, separators } => {
                let held = json::get(now, "hooks").ok()??;
                let is_ours = with_plain_lines(&held.raw) == with_plain_lines(value);
                is_ours.then(|| json::remove(now, "hooks", separators).ok()).flatten()
            }
        }
    }
}

impl Record {
    /// Whether an installation wrote a hook that this text is in. The text is in JSON.
    pub(crate) fn wrote(&self, literal: &str) -> bool {
        // A list is written on several lines.
        let plain = |text: &str| text.split_whitespace().collect::<String>();
        let literal = plain(literal).replace("\",\"", "");
        let holds = |text: &str| plain(text).replace("\",\"", "").contains(&literal);
        match &self.change {
            Change::Splice(splice) => holds(splice.inserted()),
            Change::Splices(steps) => steps.iter().any(|step| holds(step.inserted())),
            Change::Key { value, .. } => holds(value),
        }
    }
}

impl Record {
    /// The command that replaced the one that was written, in an entry that is otherwise as it was
    /// written.
    pub(crate) fn replacement(&self, now: &str) -> Option<String> {
        match &self.change {
            Change::Splice(splice) => replaced(splice.inserted(), now),
            Change::Splices(steps) => steps.iter().find_map(|step| replaced(step.inserted(), now)),
            Change::Key { value, .. } => replaced(value, now),
        }
    }
}

/// The command that a text has in the place of the one in an inserted text.
fn replaced(inserted: &str, now: &str) -> Option<String> {
    const KEY: &str = "\"command\": ";
    let inserted = with_plain_lines(inserted);
    let (before, written) = inserted.split_once(KEY)?;
    let after = written.get(literal(written)?..)?;
    let now = with_plain_lines(now);
    let start = format!("{before}{KEY}");
    now.match_indices(&*start).find_map(|(at, _)| {
        let rest = now.get(at + start.len()..)?;
        let end = literal(rest)?;
        let is_entry = rest.get(end..)?.starts_with(after);
        let command = rest.get(..end).filter(|_| is_entry)?;
        serde_json::from_str(command).ok()
    })
}

/// The length of the JSON string at the start of a text.
fn literal(text: &str) -> Option<usize> {
    let mut strings = serde_json::Deserializer::from_str(text).into_iter::<String>();
    strings.next()?.ok()?;
    Some(strings.byte_offset())
}

/// The record of a file.
pub(crate) fn find(state: &State, path: &Path) -> io::Result<Option<Record>> {
    let shown = path.to_string_lossy();
    let Some(bytes) = state::read(&state.path("settings", &[&shown]))? else { return Ok(None) };
    let record: Option<Record> = serde_json::from_slice(&bytes).ok();
    Ok(record.filter(|record| record.path == shown))
}

/// Stores the record of an installation.
pub(crate) fn keep(state: &State, record: &Record) -> io::Result<()> {
    state::keep(&state.file("settings", &[&record.path])?, record)
}

/// Gives the record of a file in a project that was moved its new path.
pub(crate) fn relocate(state: &State, from: &Path, to: &Path, path: &Path) -> io::Result<()> {
    let (Ok(inside), None) = (path.strip_prefix(to), find(state, path)?) else { return Ok(()) };
    let old = from.join(inside);
    let Some(record) = find(state, &old)? else { return Ok(()) };
    let moved = |folder: &PathBuf| match folder.strip_prefix(from) {
        Ok(inside) => to.join(inside),
        Err(_) => folder.clone(),
    };
    let folders = record.folders.iter().map(moved).collect();
    keep(state, &Record::new(path, record.existed, folders, record.change))?;
    forget(state, &old)
}

/// Removes the record of an installation.
pub(crate) fn forget(state: &State, path: &Path) -> io::Result<()> {
    let file = state.path("settings", &[&path.to_string_lossy()]);
    state::forget(&file)?;
    // The folders go with the last record, if they are empty.
    for folder in file.ancestors().skip(1).take_while(|folder| folder.starts_with(state.folder())) {
        if fs::remove_dir(folder).is_err() {
            break;
        }
    }
    Ok(())
}
