//! The records of projects in the state folder.
//!
//! ```text
//! $XDG_STATE_HOME/lawful/projects/<path>-<id>/project.json
//!                                             ledger.json
//! ```
//!
//! Both parts of the name are hashes: of the real path of the project, and of the id in its lock.
//! `project.json` has the path and the id themselves.
//!
//! | lock of the project | records | used |
//! |---|---|---|
//! | id | this id, this path | these |
//! | id | this id, another path, which is gone | these, once a person confirms the move; until then none, as in a clone, whose records remember that the question is open |
//! | id | this id, another path | none: this is a clone |
//! | none, or invalid | this path | the ones that were used last |
//!
//! **Invariant:** what was adopted at one path is never restored at another that exists beside it.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::State;
use crate::atomic::write_on;
use crate::desk::LEDGER;
use crate::disk::{Disk, Kind, Mode};
use crate::lockfile::{self, LockFile};
use crate::seal::Seal;
use crate::text::{hash_bytes, hex};

/// How the records of a project were found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// They are of this project at this path.
    Known,
    /// There are none, and no lock.
    New,
    /// There are none for this path, and a lock.
    Clone,
    /// The same, but the path of the records is gone.
    Moved { from: PathBuf },
}

/// A project, and its records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ProjectState {
    standing: Standing,
    /// What `project.json` has to say.
    record: Record,
    /// The name that the folder of the records must get, because it has that of an earlier path.
    rename: Option<PathBuf>,
    /// The folder of the records of the earlier path, of a project that was moved here and was used
    /// as a clone before that was confirmed.
    inherits: Option<PathBuf>,
    /// The earlier path of a project that was moved here.
    pub(crate) moved_from: Option<PathBuf>,
    /// Folders with other records of the same path, or with what a crash left of some.
    pub(crate) siblings: Vec<PathBuf>,
    /// The key with which earlier versions sealed records in projects.
    pub(crate) seal: Option<Seal>,
}

/// Which project the records of a folder are of.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
struct Record {
    format: u32,
    /// The id of the project.
    project: String,
    /// Its real path.
    path: String,
    /// The identity of its folder, which survives a move but not a copy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    folder: Option<String>,
    /// Greater than that of any other record of the same path that was used before.
    used: u64,
    /// Folders that Lawful created around that of the records, outermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    around: Vec<PathBuf>,
    /// The folder with records of a path that is gone, as long as nobody has said whether the project
    /// was moved from there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    unclaimed: Option<String>,
}

/// The format that is written.
const FORMAT: u32 = 1;

/// The folder of all projects.
const PROJECTS: &str = "projects";

/// The file of a record in a folder.
pub(crate) fn record(folder: &Path) -> PathBuf {
    folder.join(RECORD)
}

/// The name of a record.
pub(crate) const RECORD: &str = "project.json";

impl ProjectState {
    pub(crate) fn standing(&self) -> &Standing {
        &self.standing
    }

    /// The id of the project.
    pub(crate) fn id(&self) -> &str {
        &self.record.project
    }

    /// The ledger of the path that the project was moved from, to add to its own.
    pub(crate) fn inherited(&self) -> Option<PathBuf> {
        self.inherits.as_ref().map(|folder| folder.join(LEDGER))
    }

    /// The text of the record in a folder, around which these folders were created.
    pub(crate) fn to_text(
        &self,
        disk: &impl Disk,
        folder: &Path,
        made: &[PathBuf],
    ) -> io::Result<String> {
        let mut around = around(disk, folder);
        around
            .extend(made.iter().filter(|made| !around.contains(made)).cloned().collect::<Vec<_>>());
        let record = Record { around, ..self.record.clone() };
        Ok(serde_json::to_string_pretty(&record).map_err(io::Error::other)? + "\n")
    }
}

/// Folders that Lawful created around that of some records, outermost first.
pub(crate) fn around(disk: &impl Disk, folder: &Path) -> Vec<PathBuf> {
    let bytes = disk.read(&record(folder)).ok().flatten().unwrap_or_default();
    serde_json::from_slice(&bytes).map(|record: Record| record.around).unwrap_or_default()
}

/// The folder of the records of a project, and what they are.
pub(crate) fn find(
    disk: &impl Disk,
    root: &Path,
    state: &State,
    was_moved: Option<bool>,
) -> io::Result<(PathBuf, ProjectState)> {
    let real = disk.resolve(root)?;
    let projects = Projects::read(disk, state)?;
    let lock = lockfile::read(disk, root).ok().flatten();
    let here = projects.of_path(disk, &real);
    let newest = |found: &[(PathBuf, Record)]| {
        found.iter().max_by_key(|(folder, record)| (record.used, folder.clone())).cloned()
    };
    let new = |id: String| Record {
        format: FORMAT,
        project: id,
        path: shown(&real),
        folder: disk.identity(root),
        used: 0,
        around: Vec::new(),
        unclaimed: None,
    };
    let (mut inherits, mut moved_from) = (None, None);
    let (standing, folder, mut record) = match &lock {
        None => match newest(&here) {
            Some((folder, record)) => (Standing::Known, folder, record),
            None => {
                let record = new(random_id()?);
                (Standing::New, projects.folder.join(key(&real, &record.project)), record)
            }
        },
        Some(LockFile { project, .. }) => {
            let own = projects.folder.join(key(&real, project));
            match (projects.of_id(disk, &real, project), was_moved) {
                (OfId::Here(folder, record), _) => {
                    let mut record = record.unwrap_or_else(|| new(project.clone()));
                    let gone = projects.unclaimed(disk, &record);
                    if was_moved.is_some() || gone.is_none() {
                        record.unclaimed = None;
                    }
                    let standing = match (gone, was_moved) {
                        (Some((_, gone)), None) => Standing::Moved { from: gone.path.into() },
                        (Some((folder, gone)), Some(true)) => {
                            (inherits, moved_from) = (Some(folder), Some(gone.path.into()));
                            Standing::Known
                        }
                        (Some(_), Some(false)) | (None, _) => Standing::Known,
                    };
                    (standing, folder, record)
                }
                (OfId::Gone(folder, gone), Some(true)) => {
                    moved_from = Some(PathBuf::from(gone.path));
                    (Standing::Known, folder, new(project.clone()))
                }
                (OfId::Gone(folder, gone), None) => {
                    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned());
                    let record = Record { unclaimed: name, ..new(project.clone()) };
                    (Standing::Moved { from: gone.path.into() }, own, record)
                }
                (OfId::Gone(..), Some(false)) | (OfId::Elsewhere, _) => {
                    (Standing::Clone, own, new(project.clone()))
                }
            }
        }
    };
    let others = here.iter().filter(|(other, _)| *other != folder);
    let last = others.map(|(_, record)| record.used.saturating_add(1)).max();
    record.used = record.used.max(last.unwrap_or(0));
    let beside = projects.named_for(&real).chain(projects.remains(disk, &record.project));
    let siblings = beside.filter(|other| *other != folder).collect();
    let name = projects.folder.join(key(&real, &record.project));
    let rename = (name != folder).then_some(name);
    let seal = state.seal();
    let found = ProjectState { standing, record, rename, inherits, moved_from, siblings, seal };
    Ok((folder, found))
}

/// Gives a project that has no records yet this id.
#[cfg(test)]
pub(crate) fn rename_new(folder: &mut PathBuf, project: &mut ProjectState, id: &str) {
    if project.standing == Standing::New {
        id.clone_into(&mut project.record.project);
        folder.set_file_name(key(Path::new(&project.record.path), id));
    }
}

/// Whether the user has records for a path.
pub(crate) fn is_known(disk: &impl Disk, root: &Path, state: &State) -> bool {
    let found = |real: PathBuf| Some(Projects::read(disk, state).ok()?.of_path(disk, &real));
    disk.resolve(root).ok().and_then(found).is_some_and(|found| !found.is_empty())
}

/// Gives the records of a project that was moved its new path. The caller must hold the lock.
pub(crate) fn settle(
    disk: &impl Disk,
    folder: &mut PathBuf,
    project: &mut ProjectState,
) -> io::Result<()> {
    let Some(name) = project.rename.take() else { return keep_answer(disk, folder, project) };
    if disk.kind(folder)? != Kind::Folder {
        // What was interrupted was the removal of the last of it.
        *folder = name;
        return Ok(());
    }
    // In this order, the records can be found by their id if only the first happens.
    let text = project.to_text(disk, folder, &[])?;
    write_on(disk, &record(folder), text.as_bytes(), Mode::Private)?;
    disk.rename(folder, &name)?;
    *folder = name;
    Ok(())
}

/// Keeps that a project was not moved here, so that nobody is asked again.
fn keep_answer(disk: &impl Disk, folder: &Path, project: &ProjectState) -> io::Result<()> {
    let is_open = |record: Record| record.unclaimed.is_some();
    let was_open = read(disk, folder.to_owned()).is_some_and(|(_, record)| is_open(record));
    // What is inherited is kept together with the ledger.
    if !was_open || project.record.unclaimed.is_some() || project.inherits.is_some() {
        return Ok(());
    }
    let text = project.to_text(disk, folder, &[])?;
    write_on(disk, &record(folder), text.as_bytes(), Mode::Private)
}

/// Everything in the folder of all projects.
struct Projects {
    folder: PathBuf,
    names: Vec<String>,
}

/// The records with an id.
enum OfId {
    /// They have this path. The record may be damaged; the name of the folder is enough then.
    Here(PathBuf, Option<Record>),
    /// They have a path that is gone.
    Gone(PathBuf, Record),
    /// There are none, or their paths exist.
    Elsewhere,
}

impl Projects {
    fn read(disk: &impl Disk, state: &State) -> io::Result<Self> {
        let folder = state.folder().join(PROJECTS);
        let names = match disk.kind(&folder)? {
            Kind::Folder => disk.names(&folder)?,
            Kind::Missing | Kind::File | Kind::Other => Vec::new(),
        };
        let names = names.into_iter().filter_map(|name| name.into_string().ok()).collect();
        Ok(Self { folder, names })
    }

    /// The folders for a path.
    fn named_for(&self, real: &Path) -> impl Iterator<Item = PathBuf> {
        let start = format!("{}-", tag(real.as_os_str().as_encoded_bytes()));
        let names = self.names.iter().filter(move |name| name.starts_with(&start));
        names.map(|name| self.folder.join(name))
    }

    /// The records of a path.
    fn of_path(&self, disk: &impl Disk, real: &Path) -> Vec<(PathBuf, Record)> {
        let found = self.named_for(real).filter_map(|folder| read(disk, folder));
        found.filter(|(_, record)| record.path == shown(real)).collect()
    }

    fn of_id(&self, disk: &impl Disk, real: &Path, id: &str) -> OfId {
        let own = key(real, id);
        if self.names.contains(&own) {
            let folder = self.folder.join(own);
            let found = read(disk, folder.clone()).map(|(_, record)| record);
            return OfId::Here(folder, found);
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
    fn remains(&self, disk: &impl Disk, id: &str) -> Vec<PathBuf> {
        let end = format!("-{}", tag(id.as_bytes()));
        let names = self.names.iter().filter(|name| name.ends_with(&end));
        let found = names.filter_map(|name| read(disk, self.folder.join(name)));
        let is_bare = |folder: &Path| {
            let names = disk.names(folder).unwrap_or_default();
            names.iter().all(|name| name == RECORD)
        };
        found
            .filter(|(folder, record)| is_bare(folder) && is_gone(disk, record))
            .map(|(folder, _)| folder)
            .collect()
    }

    /// The records that a project may have been moved from, as long as that is an open question.
    fn unclaimed(&self, disk: &impl Disk, record: &Record) -> Option<(PathBuf, Record)> {
        let name = record.unclaimed.as_ref().filter(|name| self.names.contains(name))?;
        let found = read(disk, self.folder.join(name))?;
        (found.1.project == record.project && is_left(disk, &found)).then_some(found)
    }
}

/// Whether there is something in the records of a path that is gone.
fn is_left(disk: &impl Disk, (folder, record): &(PathBuf, Record)) -> bool {
    let names = disk.names(folder).unwrap_or_default();
    names.iter().any(|name| name != RECORD) && is_gone(disk, record)
}

/// A folder and its record.
fn read(disk: &impl Disk, folder: PathBuf) -> Option<(PathBuf, Record)> {
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
            let now = disk.identity(path);
            let is_other = record.folder.is_some() && now.is_some() && now != record.folder;
            let lock = lockfile::read(disk, path).ok().flatten();
            is_other && lock.is_none_or(|lock| lock.project != record.project)
        }
        Err(_) => false,
    }
}

/// The name of the folder for a project at a path.
fn key(real: &Path, id: &str) -> String {
    format!("{}-{}", tag(real.as_os_str().as_encoded_bytes()), tag(id.as_bytes()))
}

fn tag(bytes: &[u8]) -> String {
    let mut tag = hash_bytes(bytes);
    tag.truncate(16);
    tag
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn random_id() -> io::Result<String> {
    let mut id = [0; lockfile::ID_LENGTH / 2];
    getrandom::fill(&mut id).map_err(io::Error::other)?;
    Ok(hex(&id))
}
