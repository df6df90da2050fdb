//! The lawbook that decides, opened.

use std::path::{Path, PathBuf};

use lawful::book::{HookMode, Undecided};
use lawful::{Lawbook, Verb};

use crate::decision_log::EnforcementMode;
use crate::observe::root;
use crate::stop::quote;
use crate::trust::{Law, Trusted};
use crate::workspace::Workspace;

/// A trusted lawbook that is ready to decide.
pub(crate) struct OpenLaw {
    /// The lawbook.
    pub(crate) book: Lawbook,
    /// What was trusted.
    pub(crate) trusted: Box<Trusted>,
    /// Its fingerprint.
    pub(crate) fingerprint: String,
    /// Why it cannot decide, if it has errors where that matters.
    pub(crate) broken: Option<String>,
}

/// Why no lawbook decides.
pub(crate) struct NoLaw {
    /// Why, for the user.
    pub(crate) why: String,
    /// Whether there is no lawbook at all.
    is_absent: bool,
}

impl NoLaw {
    /// What happens to events. Only trusted content can say that nothing is denied without a decision;
    /// where there is no lawbook, the settings of the user can.
    pub(crate) fn undecided(&self, settings: Undecided) -> Undecided {
        if self.is_absent { settings } else { Undecided::Block }
    }
}

impl OpenLaw {
    /// The trusted lawbook of a project, or why it has no trusted lawbook.
    pub(crate) fn of(workspace: &Workspace, project: &Path) -> Result<Self, NoLaw> {
        let trusted = match workspace.law(project) {
            Law::Trusted(trusted) => trusted,
            Law::Untrusted { book, why } => {
                let folder = quote(&book.display().to_string());
                let why = format!(
                    "the lawbook in {folder} is not trusted: {why} (a person can review and trust it \
                     with `lawful trust {folder}`)"
                );
                return Err(NoLaw { why, is_absent: false });
            }
            Law::Unknown { why } => return Err(NoLaw { why, is_absent: false }),
            Law::None => {
                let project = project.display();
                let why = format!("no lawbook is trusted for `{project}`, and none is there");
                return Err(NoLaw { why, is_absent: true });
            }
        };
        let opened = trusted.open_kept(workspace.state().ok().as_ref());
        let opened = opened.map_err(|failure| NoLaw { why: first(&failure), is_absent: false })?;
        let book = Lawbook::new(opened.book, opened.problems);
        let broken = book.ready_for(Verb::Guard).err().map(|error| first(&error.into()));
        let fingerprint = trusted.fingerprint.to_string();
        Ok(Self { book, trusted, fingerprint, broken })
    }

    /// The root of the project that an agent works in. Of the repositories around the project and
    /// around the lawbook it is the outer one, so that an agent cannot change what paths are relative
    /// to by making a repository.
    pub(crate) fn root(&self, project: &Path) -> PathBuf {
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let (project, book) = (real(project), real(&self.trusted.book));
        let inner = root(&project);
        let outer = [root(&book), book].into_iter().filter(|folder| inner.starts_with(folder));
        outer.min_by_key(|folder| folder.components().count()).unwrap_or(inner)
    }

    /// Whether decisions are enforced.
    pub(crate) fn mode(&self) -> EnforcementMode {
        match self.book.manifest().hooks.mode {
            HookMode::Enforce => EnforcementMode::Enforce,
            HookMode::Shadow => EnforcementMode::Shadow,
        }
    }

    /// What to do if nothing can be decided. A lawbook with errors cannot say that nothing is blocked.
    pub(crate) fn undecided(&self) -> Undecided {
        match self.broken {
            Some(_) => Undecided::Block,
            None => self.book.manifest().hooks.stop.undecided,
        }
    }

    /// Whether a decision or a step depends on the session.
    pub(crate) fn needs_session(&self) -> bool {
        self.book.rules().all().next().is_some() || self.book.guards().reads_state()
    }
}

fn first(failure: &crate::failure::Failure) -> String {
    crate::stop::first_problem(&failure.problems, &failure.sources)
}
