//! Reading a ledger, and completing it from the other places that say what was written.

use std::path::Path;

use super::believe::{KnownBook, believe};
use super::{Entry, FORMAT, Installed, LARGEST, Ledger, LedgerError};
use crate::desk::{Desk, Origin};
use crate::disk::Disk;
use crate::lockfile::{self, LockFile, LockedFile};
use crate::place::Places;
use crate::project::ProjectState;
use crate::{in_project, seal};

impl Ledger {
    /// The ledger of a desk, completed in a project from its lock. `books` are the lawbooks by which
    /// settings that contain a prompt are recognized.
    pub fn read(
        disk: &impl Disk,
        desk: &Desk,
        places: &Places,
        books: impl FnOnce() -> Vec<KnownBook>,
    ) -> Result<Self, LedgerError> {
        let mut ledger = Self::stored(disk, &desk.path())?;
        if let Some(path) = desk.project().and_then(ProjectState::inherited) {
            ledger.inherit(Self::stored(disk, &path)?);
        }
        if let Some(old) = in_project::ledger(disk, desk) {
            ledger.add(old);
        }
        let Some(project) = desk.project() else { return Ok(ledger) };
        let Ok(Some(lock)) = lockfile::read(disk, &desk.root) else { return Ok(ledger) };
        if lock != LockFile::of(project.id(), &ledger) {
            let believed = believe(&lock, &books(), places, disk);
            ledger.lay_asleep(&lock, places, disk);
            ledger.unconfirmed = believed.unconfirmed;
            ledger.unproven = believed.unproven;
            ledger.complete(believed.ledger);
        }
        Ok(ledger)
    }

    /// The ledger in a file; empty if it does not exist.
    fn stored(disk: &impl Disk, path: &Path) -> Result<Self, LedgerError> {
        let empty = Self { format: FORMAT, ..Self::default() };
        let Some(bytes) = disk.read_up_to(path, LARGEST)? else { return Ok(empty) };
        let broken = |error: serde_json::Error| LedgerError::Broken(error.to_string());
        let mut ledger: Self = serde_json::from_slice(&bytes).map_err(broken)?;
        if ledger.format != FORMAT {
            return Err(LedgerError::Format(ledger.format));
        }
        let asleep = std::mem::take(&mut ledger.asleep);
        ledger.add(Self { installed: asleep.installed, files: asleep.files, ..Self::default() });
        Ok(ledger)
    }

    /// The ledger in a file in a project, if this user wrote it there with an earlier version.
    pub(crate) fn sealed(disk: &impl Disk, desk: &Desk, bytes: &[u8]) -> Option<Self> {
        let Origin::InProject(Some(key)) = &desk.origin else { return None };
        let found: seal::Sealed<Self> = serde_json::from_slice(bytes).ok()?;
        let is_ours = key.is_on(disk, &desk.root, "ledger", &found);
        Some(found.record).filter(|ledger| is_ours && ledger.format == FORMAT)
    }

    /// Adds what another ledger has and this one does not.
    fn add(&mut self, other: Self) {
        for entry in other.files {
            if self.find(&entry.book, &entry.path, entry.mode.key()).is_none() {
                self.files.push(entry);
            }
        }
        self.sort();
        for row in other.installed {
            if !self.installed.iter().any(|known| known.is_same(&row)) {
                self.note(row);
            }
        }
        self.folders.extend(other.folders);
        self.folders.sort();
        self.folders.dedup();
    }

    /// Adds the ledger of the path that the project was moved from: what was there before Lawful, and
    /// what this one does not have.
    fn inherit(&mut self, earlier: Self) {
        for entry in &earlier.files {
            let key = entry.mode.key();
            let mut files = self.files.iter_mut();
            let known = files.find(|known| known.is_about(&entry.book, &entry.path, key));
            if let Some(known) = known.filter(|known| !known.mode.has_earlier()) {
                known.mode = entry.mode.clone();
                known.created = entry.created;
            }
        }
        self.add(earlier);
    }

    /// Adds what the disk confirms of a lock. Another branch can have another edition of a text,
    /// which is then what was written.
    fn complete(&mut self, believed: Self) {
        for entry in believed.files {
            let key = entry.mode.key();
            let is_known = |known: &&mut Entry| known.is_about(&entry.book, &entry.path, key);
            match self.files.iter_mut().find(is_known) {
                None => {
                    // A clone has no empty folders, so these exist because of the file.
                    let above = Path::new(&entry.path).ancestors().skip(1);
                    let above = above.filter(|folder| entry.created && *folder != Path::new(""));
                    self.folders.extend(above.map(|folder| folder.to_string_lossy().into_owned()));
                    self.files.push(entry);
                }
                Some(known) => {
                    for harness in &entry.harnesses {
                        if !known.harnesses.contains(harness) {
                            known.harnesses.push(harness.clone());
                        }
                    }
                    known.harnesses.sort();
                    if entry.is_recorded() && known.book == entry.book {
                        known.text = entry.text;
                        known.hash = entry.hash;
                    }
                }
            }
        }
        self.add(Self { files: Vec::new(), ..believed });
    }

    /// Forgets rows of a lock about these harnesses: what there is of them is in the ledger now.
    pub(crate) fn settle(&mut self, harnesses: &[&str]) {
        self.unconfirmed.retain(|row| !harnesses.contains(&&*row.harness));
        let is_known = |row: &LockedFile| {
            let is_it = |entry: &Entry| entry.path == row.path && entry.mode.key().is_some();
            self.files.iter().any(|entry| is_it(entry) && entry.harnesses.contains(&row.harness))
        };
        self.unproven.retain(|row| !is_known(row));
        let is_installed = |row: &Installed| self.installed.iter().any(|known| known.is_same(row));
        self.asleep.installed.retain(|row| !is_installed(row));
    }
}
