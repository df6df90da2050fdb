//! The ledger: what was written where, to distinguish it from the text of others and to remove it.
//!
//! There is one ledger for the files of a user, and one for each project, all in the state folder of
//! the user. Only they can read it. Of a settings file it keeps only the value that was changed.
//!
//! In a project, the ledger is completed from [the lock](crate::lockfile): what a clone, or another
//! branch, has of Lawful is in no ledger of this user.

mod believe;
pub(crate) mod settings;

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::Scope;
use crate::desk::{Desk, Origin};
use crate::disk::Disk;
use crate::disk_snapshot::DiskSnapshot;
use crate::lockfile::{self, LockFile, LockedFile, LockedKind};
use crate::place::Places;
use crate::project::ProjectState;
use crate::separators::Separators;
use crate::text::hash;
use crate::{in_project, seal};
use believe::believe;

pub use believe::KnownBook;

/// What was written where.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Ledger {
    format: u32,
    /// Which lawbook is installed for which harness, and how.
    pub(crate) installed: Vec<Installed>,
    pub(crate) files: Vec<Entry>,
    /// Folders that Lawful created.
    pub(crate) folders: Vec<String>,
    /// Folders that Lawful created for the ledger itself, outermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) around: Vec<PathBuf>,
    /// What is not in the project at the moment, such as on another branch.
    #[serde(default, skip_serializing_if = "Asleep::is_empty")]
    asleep: Asleep,
    /// Rows of the lock that the disk does not confirm. They stay in the lock until their harness
    /// is installed or uninstalled.
    #[serde(skip)]
    pub(crate) unconfirmed: Vec<LockedFile>,
    /// Rows of the lock about settings that may have a prompt of a lawbook that is not here. They
    /// stay in the lock.
    #[serde(skip)]
    pub(crate) unproven: Vec<LockedFile>,
}

/// What the lock of a project does not list, and its files do not have. On another branch they may.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
struct Asleep {
    installed: Vec<Installed>,
    files: Vec<Entry>,
}

impl Asleep {
    fn is_empty(&self) -> bool {
        self.installed.is_empty() && self.files.is_empty()
    }
}

/// A lawbook that is installed for a harness.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Installed {
    /// The harness.
    pub harness: String,
    /// The id of the lawbook.
    pub book: String,
    /// The folder of the lawbook; relative to the root of the project if it is inside.
    pub source: String,
    /// The requested roles; `None` for all.
    pub roles: Option<Vec<String>>,
    /// Whether settings were changed for it.
    pub active: bool,
    /// Whether it was uninstalled except for what someone had edited.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
}

/// One thing that was written.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct Entry {
    pub(crate) path: String,
    /// The harnesses that read it.
    pub(crate) harnesses: Vec<String>,
    pub(crate) book: String,
    pub(crate) role: String,
    /// Whether there was no file before.
    pub(crate) created: bool,
    /// The hash of the text.
    pub(crate) hash: String,
    /// What was written: a file, the content of a block, or a value.
    pub(crate) text: String,
    pub(crate) mode: Mode,
}

/// How Lawful uses a file, and what is needed to revert that.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Mode {
    /// A file of Lawful, and the file of someone else that it replaced.
    Owned { before: Option<String> },
    /// A block, and its separators.
    Block(Separators),
    /// A key, its earlier value as written, and the separators of a new one.
    Key {
        key: String,
        earlier: Option<String>,
        #[serde(rename = "glue")]
        separators: Separators,
    },
}

impl Mode {
    pub(crate) fn key(&self) -> Option<&str> {
        match self {
            Self::Key { key, .. } => Some(key),
            Self::Owned { .. } | Self::Block(_) => None,
        }
    }

    /// Whether it has a text or a value of someone else.
    fn has_earlier(&self) -> bool {
        match self {
            Self::Owned { before } => before.is_some(),
            Self::Key { earlier, .. } => earlier.is_some(),
            Self::Block(_) => false,
        }
    }
}

impl Entry {
    pub(crate) fn new(
        path: &str,
        harness: &str,
        book: &str,
        role: &str,
        text: &str,
        mode: Mode,
    ) -> Self {
        Self {
            path: path.to_owned(),
            harnesses: vec![harness.to_owned()],
            book: book.to_owned(),
            role: role.to_owned(),
            created: false,
            hash: hash(text),
            text: text.to_owned(),
            mode,
        }
    }

    /// Whether the text is known, not only its hash.
    pub(crate) fn is_recorded(&self) -> bool {
        self.hash == hash(&self.text)
    }

    /// Merges another entry whose file has become this one.
    fn take_in(&mut self, other: Self) {
        self.harnesses.extend(other.harnesses);
        self.harnesses.sort();
        self.harnesses.dedup();
        if let (Mode::Owned { before: before @ None }, Mode::Owned { before: earlier }) =
            (&mut self.mode, other.mode)
        {
            *before = earlier;
        }
    }

    /// Whether this is about the same thing. A file has one owner and a key one value, but every
    /// lawbook has its own block.
    pub(crate) fn is_about(&self, book: &str, path: &str, key: Option<&str>) -> bool {
        let of_book = match self.mode {
            Mode::Block(_) => self.book == book,
            Mode::Owned { .. } | Mode::Key { .. } => true,
        };
        of_book && self.path == path && self.mode.key() == key
    }
}

/// A ledger that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// An I/O error.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// It is not a ledger.
    #[error("it is not a ledger: {0}")]
    Broken(String),
    /// It has another format version.
    #[error("it was written by another version of Lawful (format {0})")]
    Format(u32),
}

/// The format that is written.
const FORMAT: u32 = 1;

/// The maximal size of a ledger.
pub(crate) const LARGEST: u64 = 64 * 1024 * 1024;

/// The maximal number of roles in a ledger.
const MOST_ROLES: usize = 1_000;

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

    /// Lays aside what neither the lock nor the files of a project have.
    fn lay_asleep(&mut self, lock: &LockFile, places: &Places, disk: &impl Disk) {
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

    /// Why the ledger cannot be stored, if it is too large.
    pub(crate) fn excess(&self) -> Option<String> {
        /// A smaller one needs no exact count: no text becomes six times as long.
        const SMALL: usize = 10 * 1024 * 1024;
        let entries = || self.files.iter().chain(&self.asleep.files);
        let roles: BTreeSet<(&str, &str)> =
            entries().map(|entry| (&*entry.book, &*entry.role)).collect();
        if roles.len() > MOST_ROLES {
            return Some(format!(
                "it would have {} roles, and at most {MOST_ROLES} fit",
                roles.len()
            ));
        }
        let length = |entry: &Entry| {
            let earlier = match &entry.mode {
                Mode::Owned { before } => before.as_deref(),
                Mode::Key { earlier, .. } => earlier.as_deref(),
                Mode::Block(_) => None,
            };
            entry.text.len() + earlier.map_or(0, str::len) + entry.path.len() + 1024
        };
        if entries().map(length).sum::<usize>() < SMALL {
            return None;
        }
        let text = self.to_text().ok().flatten().unwrap_or_default();
        let is_too_large = text.len() as u64 > LARGEST;
        let bytes = lawful::syntax::escape::bytes;
        let most = usize::try_from(LARGEST).unwrap_or(usize::MAX);
        is_too_large.then(|| {
            format!("it would have {}, and at most {} fit", bytes(text.len()), bytes(most))
        })
    }

    /// Which lawbook is installed for which harness.
    pub fn installed(&self) -> &[Installed] {
        &self.installed
    }

    /// Whether a file or folder exists because of prompts.
    pub fn has_made(&self, scope: Scope, places: &Places, path: &Path) -> bool {
        self.made(&places.shown(scope, path))
    }

    /// Whether Lawful created a file or folder.
    pub(crate) fn made(&self, path: &str) -> bool {
        let file = self.files.iter().any(|entry| entry.created && entry.path == path);
        file || self.folders.iter().any(|folder| folder == path)
    }

    pub(crate) fn is_empty(&self) -> bool {
        let has_none = self.installed.is_empty() && self.files.is_empty();
        has_none && self.folders.is_empty() && self.asleep.is_empty()
    }

    pub(crate) fn find(&self, book: &str, path: &str, key: Option<&str>) -> Option<&Entry> {
        self.files.iter().find(|entry| entry.is_about(book, path, key))
    }

    /// Replaces the entry about the same thing. Its harnesses are kept, unless it was of another
    /// lawbook.
    pub(crate) fn put(&mut self, mut entry: Entry) {
        let same = |known: &Entry| known.is_about(&entry.book, &entry.path, entry.mode.key());
        match self.files.iter().position(same).and_then(|at| self.files.get_mut(at)) {
            Some(known) => {
                if known.book == entry.book {
                    entry.harnesses.extend(known.harnesses.iter().cloned());
                }
                entry.harnesses.sort();
                entry.harnesses.dedup();
                *known = entry;
            }
            None => self.files.push(entry),
        }
        self.sort();
    }

    fn sort(&mut self) {
        self.files.sort_by(|a, b| {
            (&a.path, &a.book, a.mode.key()).cmp(&(&b.path, &b.book, b.mode.key()))
        });
    }

    /// The ledger with the current path of every file: there may be new links since it was written,
    /// and two files may have become one.
    pub(crate) fn followed(&self, snapshot: &DiskSnapshot, scope: Scope, places: &Places) -> Self {
        let now = |entry: &Entry| {
            let kept = snapshot.kept(&places.kept(scope, &entry.path).path)?;
            Some(places.shown(scope, kept)).filter(|path| *path != entry.path)
        };
        let (moved, files): (Vec<Entry>, Vec<Entry>) =
            self.files.iter().cloned().partition(|entry| now(entry).is_some());
        let mut ledger = Self { files, ..self.clone() };
        for mut entry in moved {
            entry.path = now(&entry).unwrap_or(entry.path);
            // A file at another path is not Lawful's to remove.
            entry.created = false;
            let key = entry.mode.key();
            let mut files = ledger.files.iter_mut();
            match files.find(|known| known.is_about(&entry.book, &entry.path, key)) {
                None => ledger.files.push(entry),
                Some(known) => known.take_in(entry),
            }
        }
        ledger.sort();
        ledger
    }

    /// The earlier ids of the lawbook in a source folder.
    pub(crate) fn former(&self, book: &str, source: &str) -> Vec<String> {
        let rows = self.installed.iter().filter(|row| row.source == source && row.book != book);
        let mut former: Vec<String> = rows.map(|row| row.book.clone()).collect();
        former.sort();
        former.dedup();
        former
    }

    /// Moves the entries of an old id to the new one, unless it has its own.
    pub(crate) fn rename(&mut self, old: &str, new: &str) {
        for at in 0..self.files.len() {
            let Some(entry) = self.files.get(at).filter(|entry| entry.book == old) else {
                continue;
            };
            let key = entry.mode.key();
            let is_taken =
                |other: &Entry| other.book == new && other.is_about(new, &entry.path, key);
            if !self.files.iter().any(is_taken)
                && let Some(entry) = self.files.get_mut(at)
            {
                new.clone_into(&mut entry.book);
            }
        }
        self.installed.retain(|row| row.book != old);
    }

    /// Records that a lawbook is installed for a harness.
    pub(crate) fn note(&mut self, installed: Installed) {
        self.installed
            .retain(|known| known.harness != installed.harness || known.book != installed.book);
        self.installed.push(installed);
        self.installed.sort_by(|a, b| (&a.harness, &a.book).cmp(&(&b.harness, &b.book)));
    }

    /// Its text; `None` if there is nothing to keep.
    pub(crate) fn to_text(&self) -> io::Result<Option<String>> {
        if self.is_empty() {
            return Ok(None);
        }
        let text = serde_json::to_string_pretty(self).map_err(io::Error::other)?;
        Ok(Some(text + "\n"))
    }
}

impl Installed {
    /// Whether this is about the same lawbook and harness.
    fn is_same(&self, other: &Self) -> bool {
        self.harness == other.harness && self.book == other.book
    }
}
