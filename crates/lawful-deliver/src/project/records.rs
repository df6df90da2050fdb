//! The folders with records of projects, and which project each is of.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::State;
use crate::disk::{Disk, Kind};
use crate::lockfile;
use crate::text::hash_bytes;

/// Which project the records of a folder are of.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(super) struct Record {
    pub(super) format: u32,
    /// The id of the project.
    pub(super) project: String,
    /// Its real path.
    pub(super) path: String,
    /// The identity of its folder, which survives a move but not a copy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) folder: Option<String>,
    /// Greater than that of any other record of the same path that was used before.
    pub(super) used: u64,
    /// Folders that Lawful created around that of the records, outermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) around: Vec<PathBuf>,
    /// The folder with records of a path that is gone, as long as nobody has said whether the project
    /// was moved from there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) unclaimed: Option<String>,
}

impl Record {
    /// Whether it is about the folder with this identity, as far as that is known.
    pub(super) fn is_of(&self, identity: Option<&str>) -> bool {
        let known = self.folder.as_deref().zip(identity);
        known.is_none_or(|(folder, identity)| folder == identity)
    }
}

/// The format that is written.
pub(super) const FORMAT: u32 = 1;

/// The folder of all projects.
const PROJECTS: &str = "projects";

/// The file of a record in a folder.
pub(crate) fn record(folder: &Path) -> PathBuf {
    folder.join(RECORD)
}

/// The name of a record.
pub(crate) const RECORD: &str = "project.json";

/// Folders that Lawful created around that of some records, outermost first.
pub(crate) fn around(disk: &impl Disk, folder: &Path) -> Vec<PathBuf> {
    let bytes = disk.read(&record(folder)).ok().flatten().unwrap_or_default();
    serde_json::from_slice(&bytes).map(|record: Record| record.around).unwrap_or_default()
}

/// Everything in the folder of all projects.
pub(super) struct Projects {
    pub(super) folder: PathBuf,
    names: Vec<String>,
}

/// The records with an id.
pub(super) enum OfId {
    /// They have this path. The record may be damaged; the name of the folder is enough then.
    Here(PathBuf, Option<Record>),
    /// They have a path that is gone.
    Gone(PathBuf, Record),
    /// There are none, or their paths exist.
    Elsewhere,
}

impl Projects {
    pub(super) fn read(disk: &impl Disk, state: &State) -> io::Result<Self> {
        let folder = state.folder().join(PROJECTS);
        let names = match disk.kind(&folder)? {
            Kind::Folder => disk.names(&folder)?,
            Kind::Missing | Kind::File | Kind::Other => Vec::new(),
        };
        let names = names.into_iter().filter_map(|name| name.into_string().ok()).collect();
        Ok(Self { folder, names })
    }

    /// The folders for a path.
    pub(super) fn named_for(&self, real: &Path) -> impl Iterator<Item = PathBuf> {
        let start = format!("{}-", tag(real.as_os_str().as_encoded_bytes()));
        let names = self.names.iter().filter(move |name| name.starts_with(&start));
        names.map(|name| self.folder.join(name))
    }

    /// The records of a path.
    pub(super) fn of_path(&self, disk: &impl Disk, real: &Path) -> Vec<(PathBuf, Record)> {
        let found = self.named_for(real).filter_map(|folder| read(disk, folder));
        found.filter(|(_, record)| record.path == shown(real)).collect()
    }

    /// The records with an id, for a project at a path.
    pub(super) fn of_id(&self, disk: &impl Disk, real: &Path, id: &str) -> OfId {
        let own = key(real, id);
        if self.names.contains(&own) {
            let folder = self.folder.join(own);
            let found = read(disk, folder.clone()).map(|(_, record)| record);
            // A crash can leave a folder in which nothing is.
            if found.is_some() || has_records(disk, &folder) {
                return OfId::Here(folder, found);
            }
        }
        let end = format!("-{}", tag(id.as_bytes()));
        let names = self.names.iter().filter(|name| name.ends_with(&end));
        let found: Vec<(PathBuf, Record)> = names
            .filter_map(|name| read(disk, self.folder.join(name)))
            .filter(|(_, record)| record.project == id)
            .collect();
        let here = found.iter().find(|(_, record)| record.path == shown(real));
        if let Some((folder, record)) = here {
            return OfId::Here(folder.clone(), Some(record.clone()));
        }
        let gone = found.into_iter().filter(|found| is_left(disk, found));
        match gone.max_by(|(_, a), (_, b)| (a.used, &a.path).cmp(&(b.used, &b.path))) {
            Some((folder, record)) => OfId::Gone(folder, record),
            None => OfId::Elsewhere,
        }
    }

    /// Folders with nothing but the record of a path of a project that is gone.
    pub(super) fn remains(&self, disk: &impl Disk, id: &str) -> Vec<PathBuf> {
        let end = format!("-{}", tag(id.as_bytes()));
        let names = self.names.iter().filter(|name| name.ends_with(&end));
        let found = names.filter_map(|name| read(disk, self.folder.join(name)));
        found
            .filter(|(folder, record)| !has_records(disk, folder) && is_gone(disk, record))
            .map(|(folder, _)| folder)
            .collect()
    }

    /// The records that a project may have been moved from, as long as that is an open question.
    pub(super) fn unclaimed(&self, disk: &impl Disk, record: &Record) -> Option<(PathBuf, Record)> {
        let name = record.unclaimed.as_ref().filter(|name| self.names.contains(name))?;
        let found = read(disk, self.folder.join(name))?;
        (found.1.project == record.project && is_left(disk, &found)).then_some(found)
    }
}

/// Whether there is something in the records of a path that is gone.
fn is_left(disk: &impl Disk, (folder, record): &(PathBuf, Record)) -> bool {
    has_records(disk, folder) && is_gone(disk, record)
}

/// Whether there is anything in a folder but the record of its project.
pub(super) fn has_records(disk: &impl Disk, folder: &Path) -> bool {
    disk.names(folder).unwrap_or_default().iter().any(|name| name != RECORD)
}

/// A folder and its record.
pub(super) fn read(disk: &impl Disk, folder: PathBuf) -> Option<(PathBuf, Record)> {
    let bytes = disk.read(&record(&folder)).ok()??;
    let record: Record = serde_json::from_slice(&bytes).ok()?;
    (record.format == FORMAT).then_some((folder, record))
}

/// Whether the project of a record is no longer at its path.
fn is_gone(disk: &impl Disk, record: &Record) -> bool {
    // The path is not UTF-8, so it is unknown.
    if record.path.contains(char::REPLACEMENT_CHARACTER) {
        return false;
    }
    let path = Path::new(&record.path);
    match disk.kind(path) {
        Ok(Kind::Missing | Kind::File | Kind::Other) => true,
        // On another branch a project has no lock, but it is the same folder.
        Ok(Kind::Folder) => {
            let is_other = !record.is_of(disk.identity(path).as_deref());
            let lock = lockfile::read(disk, path).ok().flatten();
            is_other && lock.is_none_or(|lock| lock.project != record.project)
        }
        Err(_) => false,
    }
}

/// The name of the folder for a project at a path.
pub(super) fn key(real: &Path, id: &str) -> String {
    format!("{}-{}", tag(real.as_os_str().as_encoded_bytes()), tag(id.as_bytes()))
}

fn tag(bytes: &[u8]) -> String {
    let mut tag = hash_bytes(bytes);
    tag.truncate(16);
    tag
}

pub(super) fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
