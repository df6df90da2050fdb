//! What the installation of a hook found, so that taking it out can leave every byte as it was.
//!
//! A record holds the one stretch that was changed, and no more of the file. Where that stretch is still
//! there the change is undone, whatever else was edited; otherwise the record is worth nothing and only
//! our own entry is taken out.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::glue::Glue;
use crate::keys::json;
use crate::splice::Splice;
use crate::state::{self, State};
use crate::text::with_plain_lines;

#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Record {
    /// The file, so that two that share a name by chance are told apart.
    path: String,
    /// Whether there was a file of others before.
    pub(crate) existed: bool,
    /// Folders that we made for it, the outermost first.
    pub(crate) folders: Vec<PathBuf>,
    /// What was done to it.
    change: Change,
}

/// What was done to a settings file.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Change {
    /// The key `hooks` was added, with this value.
    Key { value: String, glue: Glue },
    /// Something within it was.
    Splice(Splice),
}

impl Change {
    /// What was done to a text.
    pub(crate) fn of(before: &str, written: &str, glue: Option<Glue>) -> Self {
        match (glue, json::get(written, "hooks")) {
            (Some(glue), Ok(Some(held))) => Self::Key { value: held.raw, glue },
            (Some(_) | None, _) => Self::Splice(Splice::between(before, written)),
        }
    }
}

impl Record {
    /// What was done to a file.
    pub(crate) fn new(path: &Path, existed: bool, folders: Vec<PathBuf>, change: Change) -> Self {
        Self { path: path.to_string_lossy().into_owned(), existed, folders, change }
    }

    /// The text without what was put in; `None` if that is no longer as it was.
    pub(crate) fn undo(&self, now: &str) -> Option<String> {
        match &self.change {
            Change::Splice(splice) => splice.undo(now).or_else(|| splice.take_out(now)),
            Change::Key { value, glue } => {
                let held = json::get(now, "hooks").ok()??;
                let is_ours = with_plain_lines(&held.raw) == with_plain_lines(value);
                is_ours.then(|| json::remove(now, "hooks", glue).ok()).flatten()
            }
        }
    }
}

/// The record of a file.
pub(crate) fn find(state: &State, path: &Path) -> io::Result<Option<Record>> {
    let shown = path.to_string_lossy();
    let Some(bytes) = state::read(&state.path("settings", &[&shown]))? else { return Ok(None) };
    let record: Option<Record> = serde_json::from_slice(&bytes).ok();
    Ok(record.filter(|record| record.path == shown))
}

/// Remembers an installation.
pub(crate) fn keep(state: &State, record: &Record) -> io::Result<()> {
    state::keep(&state.file("settings", &[&record.path])?, record)
}

/// Forgets an installation.
pub(crate) fn forget(state: &State, path: &Path) -> io::Result<()> {
    let file = state.path("settings", &[&path.to_string_lossy()]);
    state::forget(&file)?;
    // The folders go with the last record; those that have something in them stay.
    for folder in file.ancestors().skip(1).take_while(|folder| folder.starts_with(state.folder())) {
        if fs::remove_dir(folder).is_err() {
            break;
        }
    }
    Ok(())
}
