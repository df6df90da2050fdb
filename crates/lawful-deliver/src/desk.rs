//! Where the records of a scope are: the ledger, journals, and for a project its id.
//!
//! All of them are in the state folder of the user. A project can come from someone else, so no
//! record in a project is followed: what a clone has to know is in [the lock](crate::lockfile), which
//! is believed only as far as the disk confirms it.

use std::io;
use std::path::{Path, PathBuf};

use crate::disk::{Disk, Kind};
use crate::finding::Finding;
use crate::project::{self, ProjectState, Standing};
use crate::seal::Seal;
use crate::{Scope, State, code, in_project, lockfile};

/// The place of the records of a scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Desk {
    /// Whose records.
    pub scope: Scope,
    /// The folder of the records.
    pub(crate) folder: PathBuf,
    /// The folder that a writer locks: it exists before anything is written.
    pub(crate) root: PathBuf,
    pub(crate) origin: Origin,
}

/// Who wrote the records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The user, in their state folder.
    User,
    /// The user, in their state folder, for a project.
    Project(Box<ProjectState>),
    /// An earlier version of Lawful, or anyone, in the project itself.
    InProject(Option<Seal>),
}

impl Desk {
    /// The records of a user.
    pub fn of_user(state: &State) -> Self {
        let folder = state.folder().to_owned();
        let there = || folder.ancestors().skip(1).find(|folder| folder.is_dir());
        let home = state.home().filter(|home| home.is_dir()).or_else(there);
        let root = home.unwrap_or(&folder).to_owned();
        Self { scope: Scope::User, folder, root, origin: Origin::User }
    }

    /// The records of a project. `was_moved` says whether a project whose records have another path,
    /// which is gone, was moved here; `None` if nobody was asked.
    pub fn of_project(
        disk: &impl Disk,
        root: &Path,
        state: &State,
        was_moved: Option<bool>,
    ) -> io::Result<Self> {
        let (folder, found) = project::find(disk, root, state, was_moved)?;
        let (root, origin) = (root.to_owned(), Origin::Project(Box::new(found)));
        Ok(Self { scope: Scope::Project, folder, root, origin })
    }

    /// Whether a folder is a project with records: it has a lock, or the user has records for it.
    pub fn is_at(disk: &impl Disk, folder: &Path, state: Option<&State>) -> bool {
        let lock = disk.kind(&lockfile::path(folder));
        lock.is_ok_and(|kind| kind == Kind::File)
            || state.is_some_and(|state| project::is_known(disk, folder, state))
    }

    /// The earlier path of the project, if that is gone and nobody has confirmed the move.
    pub fn moved_from(&self) -> Option<&Path> {
        match self.project()?.standing() {
            Standing::Moved { from } => Some(from),
            Standing::Known | Standing::New | Standing::Clone => None,
        }
    }

    pub(crate) fn project(&self) -> Option<&ProjectState> {
        match &self.origin {
            Origin::Project(project) => Some(project),
            Origin::User | Origin::InProject(_) => None,
        }
    }

    /// The records that an earlier version kept in the project.
    pub(crate) fn in_project(&self) -> Option<Self> {
        let seal = self.project()?.seal.clone();
        let (folder, root) = (self.root.join(FOLDER), self.root.clone());
        Some(Self { scope: Scope::Project, folder, root, origin: Origin::InProject(seal) })
    }

    /// The folder that must contain every file in it.
    pub(crate) fn bounds(&self) -> Option<&Path> {
        match self.scope {
            Scope::Project => Some(&self.root),
            Scope::User => None,
        }
    }

    /// The file of the ledger.
    pub fn path(&self) -> PathBuf {
        self.folder.join(LEDGER)
    }

    /// Whether a path is a record that Lawful can write, by its real path.
    pub(crate) fn is_record(&self, disk: &impl Disk, real: &Path, removes: bool) -> bool {
        let is = |path: &Path| disk.resolve(path).is_ok_and(|path| path == real);
        let Some(project) = self.project() else { return is(&self.path()) };
        let lock = lockfile::path(&self.root);
        let is_retired = || {
            let old = self.root.join(FOLDER).join(LEDGER);
            (project.seal.is_some() && is(&old)) || self.is_of_other(real)
        };
        is(&self.path())
            || is(&project::record(&self.folder))
            || (is(&lock) && !disk.is_link(&lock))
            || (removes && is_retired())
    }

    /// Whether a path is the ledger of another project, or of another path of this one.
    pub(crate) fn is_of_other(&self, path: &Path) -> bool {
        let mut above = path.ancestors().skip(1);
        let is_beside = above.nth(1) == self.folder.parent();
        is_beside && path.file_name().is_some_and(|name| name == LEDGER)
    }

    /// The path that a project was moved from, once that is confirmed.
    pub fn confirmed_move(&self) -> Option<&Path> {
        self.project()?.moved_from.as_deref()
    }

    /// Everything to say about the records, and about those of others in the project.
    pub(crate) fn findings(&self, disk: &impl Disk) -> Vec<Finding> {
        let of_project = self.moved_project().into_iter().chain(self.other_project());
        of_project.chain(in_project::findings(disk, self)).collect()
    }

    fn other_project(&self) -> Option<Finding> {
        self.project().filter(|project| project.has_predecessor)?;
        let message = "Lawful has a ledger of another folder that was at this path; it is kept, and not used here";
        let help = "if this is the same project, restore its `lawful.lock`, which says so";
        Some(Finding::new(&code::OTHER_PROJECT, None, message, help))
    }

    fn moved_project(&self) -> Option<Finding> {
        let from = self.moved_from()?;
        let from = from.display().to_string();
        let from = lawful::syntax::escape::name(&from);
        let message = format!(
            "Lawful knows this project at `{from}`, which is gone; here it is treated as a clone"
        );
        let help = "if you moved the project, run `lawful install --yes`, or `lawful uninstall \
                    --yes`: what Lawful replaced there is then known here";
        Some(Finding::new(&code::MOVED_PROJECT, Some(lockfile::NAME), message, help))
    }
}

/// The folder in a project that earlier versions kept their records in.
const FOLDER: &str = ".lawful";

/// The name of a ledger.
pub(crate) const LEDGER: &str = "ledger.json";
