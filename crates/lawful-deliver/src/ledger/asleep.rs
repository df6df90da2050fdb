//! What a project does not have at the moment, such as on another branch.
//!
//! It stays in the ledger with everything that is needed to revert it, and counts again when the lock
//! lists it, when a file has it, or when it is written again.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{Entry, Installed, Ledger, believe};
use crate::disk::Disk;
use crate::lockfile::{LockFile, LockedKind};
use crate::place::Places;

/// What the lock of a project does not list, and its files do not have. On another branch they may.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub(super) struct Asleep {
    pub(super) installed: Vec<Installed>,
    pub(super) files: Vec<Entry>,
}

impl Asleep {
    pub(super) fn is_empty(&self) -> bool {
        self.installed.is_empty() && self.files.is_empty()
    }
}

impl Ledger {
    /// Lays aside what neither the lock nor the files of a project have.
    pub(super) fn lay_asleep(&mut self, lock: &LockFile, places: &Places, disk: &impl Disk) {
        let rows: BTreeSet<(&str, LockedKind)> =
            lock.files.iter().map(|row| (&*row.path, row.kind)).collect();
        let (files, asleep): (Vec<Entry>, Vec<Entry>) =
            std::mem::take(&mut self.files).into_iter().partition(|entry| {
                rows.contains(&(&*entry.path, LockedKind::of(&entry.mode)))
                    || believe::is_there(entry, places, disk)
            });
        let uses = |row: &Installed, files: &[Entry]| {
            files
                .iter()
                .any(|entry| entry.book == row.book && entry.harnesses.contains(&row.harness))
        };
        let (installed, out): (Vec<Installed>, Vec<Installed>) =
            std::mem::take(&mut self.installed)
                .into_iter()
                .partition(|row| uses(row, &files) || !uses(row, &asleep));
        *self = Self {
            files,
            installed,
            asleep: Asleep { installed: out, files: asleep },
            ..self.clone()
        };
    }

    /// Wakes what is about one thing, because it is written again.
    pub(crate) fn wake(&mut self, book: &str, path: &str, key: Option<&str>) {
        let at = self.asleep.files.iter().position(|entry| entry.is_about(book, path, key));
        if let Some(at) = at
            && self.find(book, path, key).is_none()
        {
            self.files.push(self.asleep.files.remove(at));
            self.sort();
        }
    }

    /// Whether something is in a folder, here or on another branch.
    pub(crate) fn uses_folder(&self, folder: &str) -> bool {
        let inside = format!("{}/", folder.trim_end_matches('/'));
        let mut entries = self.files.iter().chain(&self.asleep.files);
        entries.any(|entry| entry.path.starts_with(&inside))
    }
}
