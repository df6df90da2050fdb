//! What the installation of a hook found, so that taking it out can leave every byte as it was.
//!
//! A record holds the one stretch that was changed. As long as the file is as we wrote it, the change
//! is undone; once somebody has edited it, the record is worth nothing and only our own entry is
//! taken out.

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::splice::Splice;
use crate::state::{self, State};

#[derive(Debug, Deserialize, Serialize)]
struct Record {
    /// The file, so that two that share a name by chance are told apart.
    path: String,
    /// Whether there was a file before.
    existed: bool,
    /// Whether its folder was made for it.
    #[serde(default)]
    made_folder: bool,
    /// What was done to it.
    change: Splice,
}

/// What was there before an installation.
pub(crate) struct Before {
    /// The text of the file, if there was one.
    pub text: Option<String>,
    /// Whether its folder was made for it.
    pub made_folder: bool,
}

/// What was there before, if the file is still as we wrote it.
pub(crate) fn find(state: &State, path: &Path, now: &str) -> io::Result<Option<Before>> {
    let shown = path.to_string_lossy();
    let Some(bytes) = state::read(&state.file("settings", &[&shown])?)? else { return Ok(None) };
    let record: Option<Record> = serde_json::from_slice(&bytes).ok();
    let Some(record) = record.filter(|record| record.path == shown) else { return Ok(None) };
    let Some(before) = record.change.undo(now) else { return Ok(None) };
    let text = record.existed.then_some(before);
    Ok(Some(Before { text, made_folder: record.made_folder }))
}

/// Remembers an installation.
pub(crate) fn keep(state: &State, path: &Path, before: &Before, written: &str) -> io::Result<()> {
    let shown = path.to_string_lossy().into_owned();
    let file = state.file("settings", &[&shown])?;
    let Before { text, made_folder } = before;
    let change = Splice::between(text.as_deref().unwrap_or_default(), written);
    let (existed, made_folder) = (text.is_some(), *made_folder);
    state::keep(&file, &Record { path: shown, existed, made_folder, change })
}

/// Forgets an installation.
pub(crate) fn forget(state: &State, path: &Path) -> io::Result<()> {
    state::forget(&state.file("settings", &[&path.to_string_lossy()])?)
}
