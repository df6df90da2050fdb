//! What an installation found, so that taking it out can leave every byte as it was.
//!
//! A record holds the text that was there before and the text that was written. As long as the file
//! is as we wrote it, the old text is put back; once somebody has edited it, the record is worth
//! nothing and only our own entry is taken out.

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::atomic::Purpose;
use crate::state::{self, State};

/// One installation.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Record {
    /// The file, so that two that share a name by chance are told apart.
    path: String,
    /// What was there before; `None` if there was no file.
    pub(crate) before: Option<String>,
    /// What was written.
    pub(crate) written: String,
}

/// The record of a file, if the file is still as we wrote it.
pub(crate) fn find(state: &State, path: &Path, now: &str) -> io::Result<Option<Record>> {
    let shown = path.to_string_lossy();
    let Some(bytes) = state::read(&state.file("settings", &[&shown])?)? else { return Ok(None) };
    let record: Option<Record> = serde_json::from_slice(&bytes).ok();
    Ok(record.filter(|record| record.path == shown && record.written == now))
}

/// Remembers an installation.
pub(crate) fn keep(
    state: &State,
    path: &Path,
    before: Option<String>,
    written: &str,
) -> io::Result<()> {
    let shown = path.to_string_lossy().into_owned();
    let file = state.file("settings", &[&shown])?;
    state::keep(
        &file,
        &Record { path: shown, before, written: written.to_owned() },
        Purpose::Record,
    )
}

/// Forgets an installation.
pub(crate) fn forget(state: &State, path: &Path) -> io::Result<()> {
    state::forget(&state.file("settings", &[&path.to_string_lossy()])?)
}
