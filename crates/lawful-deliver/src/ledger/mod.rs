//! What was written where, so that it can be told from what others wrote and taken back.
//!
//! There is one ledger for each scope: of a user in the folder for state, of a project in `.lawful`.
//! It is readable by its owner alone. Of a settings file it keeps the value that it changed and no
//! more.

pub(crate) mod settings;

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::disk::Disk;
use crate::glue::Glue;
use crate::place::Places;
use crate::seal::{Seal, Sealed};
use crate::seen::Seen;
use crate::text::hash;
use crate::{Scope, State};

/// Where a ledger is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Desk {
    /// Whose ledger.
    pub scope: Scope,
    /// The folder it is in.
    pub(crate) folder: PathBuf,
    /// The folder that whoever writes holds: it is there before anything is written.
    pub(crate) root: PathBuf,
    /// What the records of a project are sealed with; `None` if the user has never sealed any.
    pub(crate) seal: Option<Seal>,
}

impl Desk {
    /// The ledger of a project. Without a seal nothing in it is this user's, and nothing can be written.
    pub fn of_project(root: &Path, seal: Option<Seal>) -> Self {
        Self { scope: Scope::Project, folder: root.join(".lawful"), root: root.to_owned(), seal }
    }

    /// The ledger of a user.
    pub fn of_user(state: &State) -> Self {
        let folder = state.folder().to_owned();
        let there = || folder.ancestors().skip(1).find(|folder| folder.is_dir());
        let home = state.home().filter(|home| home.is_dir()).or_else(there);
        let root = home.unwrap_or(&folder).to_owned();
        Self { scope: Scope::User, folder, root, seal: None }
    }

    /// The folder that everything named in it must be in. The ledger and the journal of a project may
    /// come from someone else; those of a user are the user's own.
    pub(crate) fn bounds(&self) -> Option<&Path> {
        match self.scope {
            Scope::Project => self.folder.parent(),
            Scope::User => None,
        }
    }

    /// Refuses a folder that is a link which leads out of the project.
    pub(crate) fn check(&self, disk: &impl Disk) -> io::Result<()> {
        match self.bounds() {
            None => Ok(()),
            Some(root) => crate::disk::inside(disk, root, &self.folder),
        }
    }

    /// The bytes of a record that goes into the folder, sealed where that is in a project.
    pub(crate) fn seal<T: Serialize>(
        &self,
        disk: &impl Disk,
        kind: &str,
        record: T,
    ) -> io::Result<Sealed<T>> {
        let seal = match (self.scope, &self.seal) {
            (Scope::User, _) => None,
            (Scope::Project, Some(seal)) => {
                let text = serde_json::to_vec(&record).map_err(io::Error::other)?;
                Some(seal.stamp(disk, &self.root, kind, &text))
            }
            (Scope::Project, None) => return Err(io::Error::other("there is no key to seal it")),
        };
        Ok(Sealed { record, seal })
    }

    /// Whether this user wrote a record, here. The folder for state is the user's own.
    pub(crate) fn is_ours<T: Serialize>(
        &self,
        disk: &impl Disk,
        kind: &str,
        found: &Sealed<T>,
    ) -> bool {
        match (self.scope, &self.seal, &found.seal) {
            (Scope::User, _, _) => true,
            (Scope::Project, Some(seal), Some(stamp)) => {
                let text = serde_json::to_vec(&found.record);
                text.is_ok_and(|text| stamp.agrees(&seal.stamp(disk, &self.root, kind, &text)))
            }
            (Scope::Project, _, _) => false,
        }
    }

    /// The file of the ledger.
    pub fn path(&self) -> PathBuf {
        self.folder.join("ledger.json")
    }
}

/// What was written where.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Ledger {
    format: u32,
    /// Which book was given to which harness, and how.
    pub(crate) installed: Vec<Installed>,
    pub(crate) files: Vec<Entry>,
    /// Folders that we made.
    pub(crate) folders: Vec<String>,
    /// Folders that we made for the ledger itself, the outermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) around: Vec<PathBuf>,
}

/// A book that was given to a harness.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Installed {
    /// The harness.
    pub harness: String,
    /// The id of the book.
    pub book: String,
    /// The folder of the book; in a project from its root, where it is in it.
    pub source: String,
    /// The roles that were asked for; `None` for all.
    pub roles: Option<Vec<String>>,
    /// Whether settings were changed for it.
    pub active: bool,
}

/// One thing that was written.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct Entry {
    pub(crate) path: String,
    /// Those who read it.
    pub(crate) harnesses: Vec<String>,
    pub(crate) book: String,
    pub(crate) role: String,
    /// Whether there was no file before.
    pub(crate) created: bool,
    /// Of the text.
    pub(crate) hash: String,
    /// What was written: a file, what is in a block, a value.
    pub(crate) text: String,
    pub(crate) mode: Mode,
}

/// What a file is to us, and what it takes to undo that.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Mode {
    /// A file of ours, and the one of others that it took the place of.
    Owned { before: Option<String> },
    /// A block, and what was put around it.
    Block(Glue),
    /// A key, the value that was there as it was written, and what was put around a new one.
    Key { key: String, earlier: Option<String>, glue: Glue },
}

impl Mode {
    pub(crate) fn key(&self) -> Option<&str> {
        match self {
            Self::Key { key, .. } => Some(key),
            Self::Owned { .. } | Self::Block(_) => None,
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

    /// Takes another entry in, whose file has become this one.
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

    /// Whether this is about the same thing as that. A file has one owner and a key one value,
    /// while every book has a block of its own.
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
    /// The system refused.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// It is not a ledger.
    #[error("it is not a ledger: {0}")]
    Broken(String),
    /// It is of another version.
    #[error("it was written by another version of Lawful (format {0})")]
    Format(u32),
}

/// The format that is written.
const FORMAT: u32 = 1;

/// What a stamp says that it is on.
const KIND: &str = "ledger";

impl Ledger {
    /// The ledger of a desk; an empty one where there is none, or one that this user did not write there.
    pub fn read(disk: &impl Disk, desk: &Desk) -> Result<Self, LedgerError> {
        let nothing = || Self { format: FORMAT, ..Self::default() };
        let Some(found) = Self::found(disk, desk)? else { return Ok(nothing()) };
        Ok(if desk.is_ours(disk, KIND, &found) { found.record } else { nothing() })
    }

    /// Whether there is a ledger that this user did not write there.
    pub(crate) fn is_foreign(disk: &impl Disk, desk: &Desk) -> Result<bool, LedgerError> {
        Ok(Self::found(disk, desk)?.is_some_and(|found| !desk.is_ours(disk, KIND, &found)))
    }

    fn found(disk: &impl Disk, desk: &Desk) -> Result<Option<Sealed<Self>>, LedgerError> {
        desk.check(disk)?;
        let Some(bytes) = disk.read(&desk.path())? else { return Ok(None) };
        let found: Sealed<Self> = serde_json::from_slice(&bytes)
            .map_err(|error| LedgerError::Broken(error.to_string()))?;
        match found.record.format {
            FORMAT => Ok(Some(found)),
            other => Err(LedgerError::Format(other)),
        }
    }

    /// Which book was given to which harness.
    pub fn installed(&self) -> &[Installed] {
        &self.installed
    }

    /// Whether a file or folder is there because of prompts.
    pub fn has_made(&self, scope: Scope, places: &Places, path: &Path) -> bool {
        self.made(&places.shown(scope, path))
    }

    /// Whether a file or folder is there because we made it.
    pub(crate) fn made(&self, path: &str) -> bool {
        let file = self.files.iter().any(|entry| entry.created && entry.path == path);
        file || self.folders.iter().any(|folder| folder == path)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.installed.is_empty() && self.files.is_empty() && self.folders.is_empty()
    }

    pub(crate) fn find(&self, book: &str, path: &str, key: Option<&str>) -> Option<&Entry> {
        self.files.iter().find(|entry| entry.is_about(book, path, key))
    }

    /// Puts an entry in the place of the one about the same thing. Those who read it still do, unless
    /// it was of another book.
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

    /// The same with every file under the path that leads to it now: links may have been made since it
    /// was written, and what were two files may be one.
    pub(crate) fn followed(&self, seen: &Seen, scope: Scope, places: &Places) -> Self {
        let now = |entry: &Entry| {
            let kept = seen.kept(&places.kept(scope, &entry.path).path)?;
            Some(places.shown(scope, kept)).filter(|path| *path != entry.path)
        };
        let (moved, files): (Vec<Entry>, Vec<Entry>) =
            self.files.iter().cloned().partition(|entry| now(entry).is_some());
        let mut ledger = Self { files, ..self.clone() };
        for mut entry in moved {
            entry.path = now(&entry).unwrap_or(entry.path);
            // What is at another path is not ours to remove.
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

    /// The ids that the book of a source had before this one.
    pub(crate) fn former(&self, book: &str, source: &str) -> Vec<String> {
        let rows = self.installed.iter().filter(|row| row.source == source && row.book != book);
        let mut former: Vec<String> = rows.map(|row| row.book.clone()).collect();
        former.sort();
        former.dedup();
        former
    }

    /// Gives what is under an old id to the new one, where that has nothing of its own there.
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

    /// Remembers that a book was given to a harness.
    pub(crate) fn note(&mut self, installed: Installed) {
        self.installed
            .retain(|known| known.harness != installed.harness || known.book != installed.book);
        self.installed.push(installed);
        self.installed.sort_by(|a, b| (&a.harness, &a.book).cmp(&(&b.harness, &b.book)));
    }

    /// The text of it for a desk; `None` where there is nothing to keep.
    pub(crate) fn to_text(&self, disk: &impl Disk, desk: &Desk) -> io::Result<Option<String>> {
        if self.is_empty() {
            return Ok(None);
        }
        let sealed = desk.seal(disk, KIND, self)?;
        let text = serde_json::to_string_pretty(&sealed).map_err(io::Error::other)?;
        Ok(Some(text + "\n"))
    }
}
