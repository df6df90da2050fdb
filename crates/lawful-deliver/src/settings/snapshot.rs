//! A settings file as it was, so that a change of several files can be undone.

use std::fs;
use std::io;
use std::path::PathBuf;

use super::{Settings, SettingsError, missing, read};
use crate::ledger::settings::{self as ledger, Record};
use crate::{State, atomic};

/// A settings file and the record of its hook, as they were.
#[derive(Debug)]
pub struct SettingsSnapshot {
    /// The file.
    real: PathBuf,
    /// Its text; `None` if it did not exist.
    text: Option<String>,
    /// The folders above it that did not exist, outermost first.
    missing: Vec<PathBuf>,
    record: Option<Record>,
}

impl Settings {
    /// The file and its record as they are.
    pub fn snapshot(&self, state: &State) -> Result<SettingsSnapshot, SettingsError> {
        let real = self.real_path()?;
        let (text, record) = (read(&real)?, ledger::find(state, &real)?);
        Ok(SettingsSnapshot { missing: missing(&real), real, text, record })
    }
}

impl SettingsSnapshot {
    /// Makes the file and its record what they were.
    pub fn restore(&self, state: &State) -> Result<(), SettingsError> {
        match &self.text {
            Some(text) if read(&self.real)?.as_ref() == Some(text) => {}
            Some(text) => {
                if let Some(folder) = self.real.parent() {
                    fs::create_dir_all(folder)?;
                }
                atomic::replace(&self.real, text.as_bytes())?;
            }
            None => match fs::remove_file(&self.real) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
                Ok(()) | Err(_) => {}
            },
        }
        for folder in self.missing.iter().rev() {
            // Keep it if it is not empty.
            let _ = fs::remove_dir(folder);
        }
        match &self.record {
            Some(record) => ledger::keep(state, record)?,
            None => ledger::forget(state, &self.real)?,
        }
        Ok(())
    }
}
