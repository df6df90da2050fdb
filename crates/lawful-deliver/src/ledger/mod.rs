//! The ledger: what was written where, to distinguish it from the text of others and to remove it.
//!
//! There is one ledger for the files of a user, and one for each project, all in the state folder of
//! the user. Only they can read it. Of a settings file it keeps only the value that was changed.
//!
//! In a project, the ledger is completed from [the lock](crate::lockfile): what a clone, or another
//! branch, has of Lawful is in no ledger of this user.

mod asleep;
mod believe;
mod bounds;
mod read;
pub(crate) mod settings;

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::Scope;
use crate::disk_snapshot::DiskSnapshot;
use crate::lockfile::LockedFile;
use crate::place::Places;
use crate::separators::Separators;
use crate::text::hash;
use asleep::Asleep;

pub use believe::KnownBook;
pub(crate) use bounds::LARGEST;

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

impl Ledger {
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
