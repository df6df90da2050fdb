//! Texts that were replaced although a person had edited them.
//!
//! They are in the state folder of the user, by absolute path, so that an overwritten edit is not
//! lost. Of a settings file only the value that was replaced is kept, because the rest may contain
//! secrets.
//!
//! **Invariant:** only their owner can read them, and there is a limit on how many there are and on
//! their size. The oldest go first, and the newest of a file always stays.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::harness::Syntax;
use crate::state::{self, State};
use crate::{EditError, keys};

/// The texts that a user can get back.
#[derive(Debug)]
pub struct KeptTexts<'s> {
    state: &'s State,
    limits: Limits,
}

/// The limits of what is kept.
#[derive(Clone, Copy, Debug)]
struct Limits {
    /// The versions of one file.
    versions: usize,
    /// Their size in bytes.
    bytes: usize,
    /// The files.
    files: usize,
    /// The size of all records in bytes.
    all_bytes: u64,
}

const LIMITS: Limits = Limits { versions: 20, bytes: 8 << 20, files: 500, all_bytes: 64 << 20 };

/// What replaced a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReplacedBy {
    /// `lawful install`
    Install,
    /// `lawful hook install`
    HookInstall,
    /// `lawful restore`
    Restore,
}

impl ReplacedBy {
    /// The command.
    pub fn name(self) -> &'static str {
        match self {
            Self::Install => "lawful install",
            Self::HookInstall => "lawful hook install",
            Self::Restore => "lawful restore",
        }
    }
}

/// What was replaced.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// The whole file.
    File {
        /// Its text.
        text: String,
    },
    /// A key of a settings file.
    Key {
        /// The key.
        key: String,
        /// Its value as written; `None` if there was none.
        value: Option<String>,
    },
}

impl Part {
    /// Its size in bytes.
    pub fn size(&self) -> usize {
        match self {
            Self::File { text } => text.len(),
            Self::Key { value, .. } => value.as_ref().map_or(0, String::len),
        }
    }

    /// The key of a settings file, if it is one.
    pub fn key(&self) -> Option<&str> {
        match self {
            Self::File { .. } => None,
            Self::Key { key, .. } => Some(key),
        }
    }

    /// The file with this part restored; `now` is `None` if there is no file.
    fn put_into(&self, path: &Path, now: Option<&str>) -> Result<String, EditError> {
        match self {
            Self::File { text } => Ok(text.clone()),
            Self::Key { key, value } => {
                let syntax = Syntax::of(&path.to_string_lossy());
                let file = now.unwrap_or_default();
                match value {
                    Some(raw) => keys::put_back(syntax, file, key, keys::Earlier::Value(raw)),
                    None => {
                        let none = crate::separators::Separators::default();
                        keys::put_back(syntax, file, key, keys::Earlier::Nothing(&none))
                    }
                }
            }
        }
    }

    /// The same part of the file as it is.
    fn of(&self, path: &Path, now: &str) -> Result<Self, EditError> {
        match self {
            Self::File { .. } => Ok(Self::File { text: now.to_owned() }),
            Self::Key { key, .. } => {
                let held = keys::get(Syntax::of(&path.to_string_lossy()), now, key)?;
                Ok(Self::Key { key: key.clone(), value: held.map(|held| held.raw) })
            }
        }
    }
}

/// One version of a file.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct KeptText {
    /// When it was replaced, in seconds since 1970.
    seconds: u64,
    /// What replaced it.
    pub by: ReplacedBy,
    /// What was replaced.
    pub part: Part,
}

impl KeptText {
    /// When it was replaced.
    pub fn time(&self) -> SystemTime {
        UNIX_EPOCH + std::time::Duration::from_secs(self.seconds)
    }
}

/// Every version of a file, the newest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptFile {
    /// The file.
    pub path: PathBuf,
    /// Its versions.
    pub versions: Vec<KeptText>,
}

#[derive(Debug, Deserialize, Serialize)]
struct Record {
    /// The file, to detect a hash collision.
    path: String,
    /// The newest last.
    versions: Vec<KeptText>,
}

/// A text that is about to be replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overwritten {
    /// The real path of the file.
    pub path: PathBuf,
    /// What is replaced.
    pub part: Part,
}

/// A file with a version restored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restoration {
    /// The real path of the file.
    path: PathBuf,
    /// The file as it is; `None` if it does not exist.
    pub before: Option<String>,
    /// The file as it will be.
    pub after: String,
    /// What is replaced.
    replaced: Option<Part>,
    /// What it is replaced by.
    restored: Part,
}

/// Why a version cannot be restored.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// An I/O error.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The file is not text, so it cannot be kept.
    #[error("the file is not UTF-8 text, so it could not be kept")]
    NotText,
    /// The settings file cannot be edited.
    #[error(transparent)]
    Edit(#[from] EditError),
}

impl Restoration {
    /// What is replaced, and by what; of a settings file only the value.
    pub fn shown(&self) -> (&str, &str) {
        let before = self.before.as_deref().unwrap_or_default();
        match (&self.replaced, &self.restored) {
            (replaced, Part::Key { value, .. }) => {
                let held = match replaced {
                    Some(Part::Key { value, .. }) => value.as_deref(),
                    Some(Part::File { .. }) | None => None,
                };
                (held.unwrap_or_default(), value.as_deref().unwrap_or_default())
            }
            (_, Part::File { text }) => (before, text),
        }
    }
}

impl<'s> KeptTexts<'s> {
    /// Those of a user.
    pub fn of(state: &'s State) -> Self {
        Self { state, limits: LIMITS }
    }

    /// Keeps every text that a plan replaces. Must be called before the plan is applied.
    pub fn keep(&self, replaced: &[Overwritten], by: ReplacedBy) -> io::Result<()> {
        replaced.iter().try_for_each(|one| self.add(&one.path, &one.part, by))
    }

    /// Keeps a version of a file.
    pub(crate) fn add(&self, path: &Path, part: &Part, by: ReplacedBy) -> io::Result<()> {
        let shown = path.to_string_lossy().into_owned();
        let file = self.state.file(KIND, &[&shown])?;
        let _lock = lock(&file);
        let mut record =
            read(&file, &shown)?.unwrap_or_else(|| Record { path: shown, versions: Vec::new() });
        if record.versions.last().is_some_and(|last| last.part == *part) {
            return Ok(());
        }
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        record.versions.push(KeptText { seconds, by, part: part.clone() });
        self.limits.apply(&mut record.versions);
        state::keep(&file, &record)?;
        self.limits.remove_oldest(&file);
        Ok(())
    }

    /// The versions of a file, the newest first.
    pub fn versions(&self, path: &Path) -> io::Result<Vec<KeptText>> {
        let shown = path.to_string_lossy();
        let record = read(&self.state.path(KIND, &[&shown]), &shown)?;
        let mut versions = record.map(|record| record.versions).unwrap_or_default();
        versions.reverse();
        Ok(versions)
    }

    /// Every file that has a version, by path.
    pub fn all(&self) -> io::Result<Vec<KeptFile>> {
        let mut found = Vec::new();
        let folder = self.state.folder().join(KIND);
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(found),
            Err(error) => return Err(error),
        };
        for entry in entries {
            let Some(bytes) = state::read(&entry?.path())? else { continue };
            let Ok(mut record) = serde_json::from_slice::<Record>(&bytes) else { continue };
            record.versions.reverse();
            found.push(KeptFile { path: PathBuf::from(record.path), versions: record.versions });
        }
        found.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(found)
    }

    /// What restoring a version would do to a file.
    pub fn plan(&self, path: &Path, version: &KeptText) -> Result<Restoration, RestoreError> {
        let before = match fs::read(path) {
            Ok(bytes) => Some(String::from_utf8(bytes).map_err(|_| RestoreError::NotText)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error.into()),
        };
        let after = version.part.put_into(path, before.as_deref())?;
        let replaced = before.as_deref().map(|now| version.part.of(path, now)).transpose()?;
        let (path, restored) = (path.to_owned(), version.part.clone());
        Ok(Restoration { path, before, after, replaced, restored })
    }

    /// Restores a version, after keeping what it replaces.
    pub fn restore(&self, planned: &Restoration) -> Result<(), RestoreError> {
        if let Some(replaced) = &planned.replaced {
            self.add(&planned.path, replaced, ReplacedBy::Restore)?;
        }
        // Someone may have written to the file since it was read.
        let now = fs::read(&planned.path).ok();
        if now.as_deref() != planned.before.as_ref().map(String::as_bytes) {
            let message = "the file changed in the meantime";
            return Err(io::Error::other(message).into());
        }
        fs::create_dir_all(crate::atomic::folder_of(&planned.path))?;
        crate::atomic::replace(&planned.path, planned.after.as_bytes())?;
        Ok(())
    }
}

/// The kind of record in the state folder.
const KIND: &str = "restore";

fn read(file: &Path, path: &str) -> io::Result<Option<Record>> {
    let Some(bytes) = state::read(file)? else { return Ok(None) };
    let record: Option<Record> = serde_json::from_slice(&bytes).ok();
    Ok(record.filter(|record| record.path == path))
}

/// Excludes other processes while a record is changed. Not every system can lock folders.
fn lock(file: &Path) -> Option<File> {
    let folder = File::open(crate::atomic::folder_of(file)).ok()?;
    folder.lock().ok()?;
    Some(folder)
}

impl Limits {
    /// Drops the oldest versions of a file.
    fn apply(&self, versions: &mut Vec<KeptText>) {
        let size =
            |versions: &[KeptText]| versions.iter().map(|one| one.part.size()).sum::<usize>();
        while versions.len() > 1 && (versions.len() > self.versions || size(versions) > self.bytes)
        {
            versions.remove(0);
        }
    }

    /// Removes the records that were not changed for the longest time, but not the newest.
    fn remove_oldest(&self, newest: &Path) {
        let known = |entry: io::Result<fs::DirEntry>| {
            let entry = entry.ok()?;
            let metadata = entry.metadata().ok()?;
            Some((metadata.modified().ok()?, entry.path(), metadata.len()))
        };
        let entries = fs::read_dir(crate::atomic::folder_of(newest)).into_iter().flatten();
        let mut records: Vec<_> = entries.filter_map(known).collect();
        records.sort();
        let mut count = records.len();
        let mut bytes: u64 = records.iter().map(|(_, _, size)| size).sum();
        for (_, path, size) in records.iter().filter(|(_, path, _)| path != newest) {
            if count <= self.files && bytes <= self.all_bytes {
                break;
            }
            // One that cannot be removed counts on.
            if fs::remove_file(path).is_ok() {
                count -= 1;
                bytes -= size;
            }
        }
    }
}

#[cfg(test)]
mod tests;
