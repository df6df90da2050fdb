//! The lawbook that decides, opened.

use std::path::{Path, PathBuf};

use lawful::LiveLaw;
use lawful::book::{HookMode, Undecided};
use lawful::live::Event;

use crate::decision_log::EnforcementMode;
use crate::observe::root;
use crate::stop::quote;
use crate::trust::{Law, Trusted};
use crate::workspace::Workspace;

/// A trusted lawbook that is ready to decide.
pub(crate) struct OpenLaw {
    /// The lawbook, or the part of it that an event can reach.
    pub(crate) book: LiveLaw,
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

/// The trusted lawbook of a project, or why it has no trusted lawbook.
pub(crate) fn trusted(workspace: &Workspace, project: &Path) -> Result<Box<Trusted>, NoLaw> {
    match workspace.law(project) {
        Law::Trusted(trusted) => Ok(trusted),
        Law::Untrusted { book, why } => {
            let folder = quote(&book.display().to_string());
            let why = format!(
                "the lawbook in {folder} is not trusted: {why} (a person can review and trust it \
                 with `lawful trust {folder}`)"
            );
            Err(NoLaw { why, is_absent: false })
        }
        Law::Unknown { why } => Err(NoLaw { why, is_absent: false }),
        Law::None => {
            let project = project.display();
            let why = format!("no lawbook is trusted for `{project}`, and none is there");
            Err(NoLaw { why, is_absent: true })
        }
    }
}

/// The root of the project that an agent works in. Of the repositories around the project and around
/// the lawbook it is the outer one, so that an agent cannot change what paths are relative to by
/// making a repository.
pub(crate) fn project_root(book: &Path, project: &Path) -> PathBuf {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let (project, book) = (real(project), real(book));
    let inner = root(&project);
    let outer = [root(&book), book].into_iter().filter(|folder| inner.starts_with(folder));
    outer.min_by_key(|folder| folder.components().count()).unwrap_or(inner)
}

impl OpenLaw {
    /// Opens a lawbook to decide on an event, or on any event.
    pub(crate) fn open(
        workspace: &Workspace,
        trusted: Box<Trusted>,
        event: Option<&Event>,
    ) -> Result<Self, NoLaw> {
        let opened = trusted.open_live(workspace.state().ok().as_ref(), event);
        let book = opened.map_err(|failure| NoLaw { why: first(&failure), is_absent: false })?;
        let broken = book.ready().err().map(|error| first(&error.into()));
        let fingerprint = trusted.fingerprint.to_string();
        Ok(Self { book, trusted, fingerprint, broken })
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
}

fn first(failure: &crate::failure::Failure) -> String {
    crate::stop::first_problem(&failure.problems, &failure.sources)
}
