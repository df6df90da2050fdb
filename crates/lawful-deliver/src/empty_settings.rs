//! Settings files that were empty before Lawful wrote to them.
//!
//! Prompts and hooks can both have a key in one file, and are removed in any order. Whoever wrote first
//! also wrote the brackets around the keys, or changed what was between them, and whoever removes the
//! last key does not know that. So the empty text is recorded here, and restored when no key is left.

use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::atomic;
use crate::keys::json;
use crate::plan::Plan;
use crate::state::{self, State};

/// The records of a user.
#[derive(Debug)]
pub struct EmptySettings<'s> {
    state: &'s State,
}

#[derive(Deserialize, Serialize)]
struct Record {
    /// The file, to detect a hash collision.
    path: String,
    /// Its text.
    text: String,
}

impl<'s> EmptySettings<'s> {
    /// Those of a user.
    pub fn of(state: &'s State) -> Self {
        Self { state }
    }

    /// Records the empty files that a plan will write to. Must be called before it is applied.
    pub fn note(&self, plan: &Plan) -> io::Result<()> {
        for change in &plan.changes {
            if let (Some(before), Some(_)) = (&change.before, &change.after) {
                self.note_file(&change.path, before)?;
            }
        }
        Ok(())
    }

    /// Restores the files in which a plan left nothing but brackets. Must be called after it is applied.
    pub fn settle(&self, plan: &Plan) -> io::Result<()> {
        for change in &plan.changes {
            let Some(after) = &change.after else { continue };
            if let Some(text) = self.original(&change.path, after)? {
                atomic::replace(&change.path, text.as_bytes())?;
                self.forget(&change.path)?;
            }
        }
        Ok(())
    }

    /// Records a file that will be written to, if it is empty.
    pub(crate) fn note_file(&self, path: &Path, before: &str) -> io::Result<()> {
        if !is_json(path) || !json::has_no_keys(before) {
            return Ok(());
        }
        let shown = path.to_string_lossy();
        let record = Record { path: shown.clone().into_owned(), text: before.to_owned() };
        state::keep(&self.state.file(KIND, &[&shown])?, &record)
    }

    /// The empty text of a file that has nothing but brackets now.
    pub(crate) fn original(&self, path: &Path, now: &str) -> io::Result<Option<String>> {
        if !is_json(path) || !json::has_no_keys(now) {
            return Ok(None);
        }
        let shown = path.to_string_lossy();
        let Some(bytes) = state::read(&self.state.path(KIND, &[&shown]))? else { return Ok(None) };
        let record: Option<Record> = serde_json::from_slice(&bytes).ok();
        let text = record.filter(|record| record.path == shown).map(|record| record.text);
        // A comment that someone added or removed since stays as they left it.
        let plain = |text: &str| text.split_whitespace().collect::<String>();
        let is_same =
            |text: &String| plain(text) == plain(now) || json::is_bare(text) && json::is_bare(now);
        Ok(text.filter(is_same))
    }

    pub(crate) fn forget(&self, path: &Path) -> io::Result<()> {
        let file = self.state.path(KIND, &[&path.to_string_lossy()]);
        state::forget(&file)?;
        // The folders go with the last record, if they are empty.
        let above = file.ancestors().skip(1);
        for folder in above.take_while(|folder| folder.starts_with(self.state.folder())) {
            if fs::remove_dir(folder).is_err() {
                break;
            }
        }
        Ok(())
    }
}

/// Whether a file has brackets around its keys.
fn is_json(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "json" || extension == "jsonc")
}

/// The kind of record in the state folder.
const KIND: &str = "empty-settings";
