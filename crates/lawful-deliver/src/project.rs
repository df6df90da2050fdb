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
//! | none, or invalid | this path, this folder | the ones that were used last |
//! | none, or invalid | this path, another folder, which is gone | none: this is another project |
//!
//! **Invariant:** what was adopted at one path is never restored at another that exists beside it.

mod records;

use std::io;
use std::path::{Path, PathBuf};

use crate::State;
use crate::atomic::write_on;
use crate::desk::LEDGER;
use crate::disk::{Disk, Kind, Mode};
use crate::lockfile::{self, LockFile};
use crate::seal::Seal;
use crate::text::hex;
use records::{FORMAT, OfId, Projects, Record, has_records, key, read, shown};

pub(crate) use records::{RECORD, around, record};

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
    /// Whether there are records of another folder that was at this path.
    pub(crate) has_predecessor: bool,
    /// The earlier path of a project that was moved here.
    pub(crate) moved_from: Option<PathBuf>,
    /// Folders with other records of the same path, or with what a crash left of some.
    pub(crate) siblings: Vec<PathBuf>,
    /// The key with which earlier versions sealed records in projects.
    pub(crate) seal: Option<Seal>,
}

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
    let identity = disk.identity(root);
    let (same, others): (Vec<_>, Vec<_>) =
        here.iter().cloned().partition(|(_, record)| record.is_of(identity.as_deref()));
    let newest = |found: &[(PathBuf, Record)]| {
        found.iter().max_by_key(|(folder, record)| (record.used, folder.clone())).cloned()
    };
    let new = |id: String| Record {
        format: FORMAT,
        project: id,
        path: shown(&real),
        folder: identity.clone(),
        used: 0,
        around: Vec::new(),
        unclaimed: None,
    };
    let (mut inherits, mut moved_from) = (None, None);
    let (standing, folder, mut record) = match &lock {
        None => match newest(&same) {
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
                    // Its lock says that it is the same project, such as in a new clone.
                    record.folder = identity.clone().or(record.folder);
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
    let last = here.iter().filter(|(other, _)| *other != folder);
    let last = last.map(|(_, record)| record.used.saturating_add(1)).max();
    record.used = record.used.max(last.unwrap_or(0));
    let beside = projects.named_for(&real).chain(projects.remains(disk, &record.project));
    let is_other =
        |folder: &PathBuf| lock.is_none() && others.iter().any(|(other, _)| other == folder);
    let siblings = beside.filter(|other| *other != folder && !is_other(other)).collect();
    let has_ledger = |(folder, _): &(PathBuf, Record)| has_records(disk, folder);
    let has_predecessor = standing == Standing::New && others.iter().any(has_ledger);
    let name = projects.folder.join(key(&real, &record.project));
    let rename = (name != folder).then_some(name);
    let seal = state.seal();
    let found = ProjectState {
        standing,
        record,
        rename,
        inherits,
        has_predecessor,
        moved_from,
        siblings,
        seal,
    };
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
    let found = disk.resolve(root).ok().and_then(found).unwrap_or_default();
    let identity = disk.identity(root);
    found.iter().any(|(_, record)| record.is_of(identity.as_deref()))
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

fn random_id() -> io::Result<String> {
    let mut id = [0; lockfile::ID_LENGTH / 2];
    getrandom::fill(&mut id).map_err(io::Error::other)?;
    Ok(hex(&id))
}
