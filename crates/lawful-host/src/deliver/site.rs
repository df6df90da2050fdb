//! What the delivery verbs share: places, harnesses and lawbooks.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lawful::book::MANIFEST;
use lawful::code;
use lawful::syntax::{Diagnostic, Sources, Span, escape};
use lawful::{Diagnostics, Map, Value};
use lawful_deliver::codes;
use lawful_deliver::{
    self as deliver, Desk, EmptySettings, Finding, HARNESSES, HOOKS, Harness, KeptTexts, KnownBook,
    Ledger, Lock, OsDisk, Places, Plan, Prompts, ReplacedBy, RolePrompt, Scope, Settings,
};

use super::harnesses::did_you_mean_harness;
use crate::check::harness_keys;
use crate::failure::Failure;
use crate::roles::LoadedRoles;
use crate::workspace::Workspace;

/// The project and the user.
pub(super) struct Site<'w> {
    workspace: &'w Workspace,
    pub(super) places: Places,
    /// Whether the user said that the project was moved here; `None` if nobody was asked.
    was_moved: Option<bool>,
}

impl<'w> Site<'w> {
    /// The given project, or the one that contains the workspace.
    pub(super) fn new(workspace: &'w Workspace, project: Option<&Path>) -> Result<Self, Failure> {
        let project = match project {
            None => workspace.project(),
            Some(named) => named.canonicalize().map_err(|error| {
                Failure::instead_of(named, |span| {
                    let message = format!("cannot find the folder: {error}");
                    Diagnostic::new(&code::UNREADABLE, span, message)
                })
            })?,
        };
        let here = workspace.start().canonicalize().unwrap_or_else(|_| project.clone());
        let places = Places::new(&project, |name| workspace.variable(name)).standing_in(&here);
        Ok(Self { workspace, places, was_moved: None })
    }

    /// The same, with what the user said about a move of the project.
    pub(super) fn moved(self, was_moved: Option<bool>) -> Self {
        Self { was_moved, ..self }
    }

    /// The place of the records of a scope.
    pub(super) fn desk(&self, scope: Scope) -> Result<Desk, Failure> {
        let state = self.workspace.state()?;
        match scope {
            Scope::User => Ok(Desk::of_user(&state)),
            Scope::Project => {
                let root = self.places.project();
                let desk = Desk::of_project(&OsDisk, root, &state, self.was_moved);
                desk.map_err(|error| {
                    Failure::instead_of(root, |span| {
                        let message = format!("cannot find the records of the project: {error}");
                        Diagnostic::new(&code::UNREADABLE, span, message)
                    })
                })
            }
        }
    }

    /// Takes the lock for writing, and completes an interrupted installation.
    pub(super) fn begin(&self, desk: &mut Desk) -> Result<Lock, Failure> {
        let lock = Lock::take(desk).map_err(|error| cannot_write(desk, &error))?;
        let Some(lock) = lock else {
            return Err(Failure::instead_of(&desk.path(), |span| {
                let message = "another process is installing";
                Diagnostic::new(&codes::INSTALL_BUSY, span, message).help("try again")
            }));
        };
        // Another process may have written records while this one waited, and recovering may.
        *desk = self.desk(desk.scope)?;
        if let Some(from) = desk.confirmed_move() {
            self.relocate_hooks(from)?;
        }
        deliver::recover(&OsDisk, desk, &self.places)
            .map_err(|error| cannot_write(desk, &error))?;
        *desk = self.desk(desk.scope)?;
        Ok(lock)
    }

    /// Gives the records of hooks in a project that was moved its new path.
    fn relocate_hooks(&self, from: &Path) -> Result<(), Failure> {
        let state = self.workspace.state()?;
        let variable = |name: &str| self.workspace.variable(name);
        for hook in &HOOKS {
            let place = Settings::locate(hook, Scope::Project, self.places.project(), variable);
            // A record of settings that are not used any more is of no use either.
            let _ = place.and_then(|settings| settings.relocate(from, &state));
        }
        Ok(())
    }

    /// Applies a plan, after keeping what it overwrites.
    pub(super) fn apply(&self, desk: &Desk, plan: &Plan) -> Result<(), Failure> {
        let state = self.workspace.state()?;
        let empty = EmptySettings::of(&state);
        let done = KeptTexts::of(&state)
            .keep(&plan.overwritten, ReplacedBy::Install)
            .and_then(|()| empty.note(plan))
            .and_then(|()| deliver::apply(&OsDisk, desk, &self.places, plan))
            .and_then(|()| empty.settle(plan));
        done.map_err(|error| cannot_write(desk, &error))
    }

    /// The ledger of a desk.
    pub(super) fn ledger(&self, desk: &Desk) -> Result<Ledger, Failure> {
        let books = || self.known_books();
        Ledger::read(&OsDisk, desk, &self.places, books).map_err(|error| {
            Failure::instead_of(&desk.path(), |span| {
                Diagnostic::new(&codes::BAD_LEDGER, span, error.to_string())
                    .help("restore it; if it is lost, delete it")
            })
        })
    }

    /// The lawbooks of the project: the one of the workspace, and those in its root and in the
    /// folders there. A lock does not say where a lawbook is.
    fn known_books(&self) -> Vec<KnownBook> {
        /// A project has few.
        const MOST: usize = 16;
        let root = self.places.project();
        let mut folders: Vec<PathBuf> = self.workspace.folder().into_iter().collect();
        folders.push(root.to_owned());
        let inside = std::fs::read_dir(root).into_iter().flatten().flatten();
        let is_folder =
            |entry: &std::fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir());
        let mut inside: Vec<PathBuf> = inside.filter(is_folder).map(|entry| entry.path()).collect();
        inside.sort();
        folders.extend(inside);
        let mut books: Vec<KnownBook> = Vec::new();
        let is_book = |folder: &PathBuf| folder.join(MANIFEST).is_file();
        for folder in folders.into_iter().filter(is_book).take(MOST) {
            let source = self.kept(Scope::Project, &folder);
            if books.iter().any(|known| known.source == source) {
                continue;
            }
            let known = match prompts(self.workspace, &folder) {
                Ok((_, prompts)) => Some((prompts.id(), Some(prompts.core))),
                Err(_) => {
                    let opened = self.workspace.clone().with_book(Some(&folder)).open();
                    opened.ok().map(|book| (deliver::book_id(&book.book.manifest.name), None))
                }
            };
            books.extend(known.map(|(id, core)| KnownBook { id, source, core }));
        }
        books
    }

    /// The folder of a lawbook as a ledger stores it: relative to the root of the project if it is
    /// inside.
    pub(super) fn kept(&self, scope: Scope, folder: &Path) -> String {
        let real = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let inside = match scope {
            Scope::Project => real.strip_prefix(self.places.project()).ok(),
            Scope::User => None,
        };
        match inside {
            Some(inside) if inside == Path::new("") => ".".to_owned(),
            Some(inside) => inside.display().to_string(),
            None => real.display().to_string(),
        }
    }

    /// The path of a lawbook folder from a ledger, as the user would write it.
    pub(super) fn source(&self, kept: &str) -> PathBuf {
        let project = self.places.project();
        let folder = if kept == "." { project.to_owned() } else { project.join(kept) };
        let start = self.workspace.start();
        let here = start.canonicalize().unwrap_or_default();
        match folder.strip_prefix(&here) {
            Ok(inside) if inside == Path::new("") => start.to_owned(),
            Ok(inside) if start == Path::new(".") => inside.to_owned(),
            Ok(inside) => start.join(inside),
            Err(_) => folder,
        }
    }

    /// The lawbook of the workspace, or the only one in a ledger.
    pub(super) fn book(
        &self,
        ledger: impl FnOnce() -> Result<Ledger, Failure>,
    ) -> Result<PathBuf, Failure> {
        let failure = match self.workspace.folder() {
            Ok(folder) => return Ok(folder),
            Err(failure) => failure,
        };
        let ledger = ledger()?;
        let sources = ledger.installed().iter().map(|known| &known.source);
        let mut sources = sources.filter(|source| !source.is_empty());
        match sources.next() {
            Some(first) if !self.workspace.has_book() && sources.all(|other| other == first) => {
                Ok(self.source(first))
            }
            Some(_) | None => Err(failure),
        }
    }
}

/// The harnesses with these ids.
pub(super) fn named(ids: &[String]) -> Result<Vec<&'static Harness>, Failure> {
    let find = |id: &String| {
        deliver::find(id).ok_or_else(|| {
            let message = format!("unknown harness `{}`", escape::name(id));
            let names: Vec<&str> = HARNESSES.iter().map(|harness| harness.id).collect();
            Failure::usage(message, did_you_mean_harness(id, &names))
        })
    };
    let mut found: Vec<&'static Harness> = Vec::new();
    for id in ids {
        let harness = find(id)?;
        if !found.iter().any(|known| known.id == harness.id) {
            found.push(harness);
        }
    }
    Ok(found)
}

/// The prompts of the lawbook in a folder, for delivery.
pub(super) fn prompts(
    workspace: &Workspace,
    folder: &Path,
) -> Result<(LoadedRoles, Prompts), Failure> {
    let workspace = workspace.clone().with_book(Some(folder));
    let loaded = workspace.roles(&Value::Map(Map::new()))?;
    let problems = harness_keys::check(&loaded.book);
    if !problems.is_empty() {
        return Err(Failure::sorted(problems, loaded.book.sources));
    }
    let of_role = |prompt: &lawful::compose::RolePrompt| RolePrompt {
        role: prompt.role.to_string(),
        text: prompt.text().to_owned(),
        agent: prompt.agent.clone(),
    };
    let prompts = Prompts {
        book: loaded.book.manifest.name.clone(),
        core: loaded.roles.core.text().to_owned(),
        main: loaded.roles.main.to_string(),
        roles: loaded.roles.prompts.iter().map(of_role).collect(),
    };
    Ok((loaded, prompts))
}

/// Fails if the files are in the middle of an installation.
pub(super) fn settled(desk: &Desk) -> Result<(), Failure> {
    match deliver::is_interrupted(&OsDisk, desk) {
        Ok(false) => Ok(()),
        Ok(true) => Err(Failure::instead_of(&desk.path(), |span| {
            let message = "an installation was interrupted";
            Diagnostic::new(&codes::INTERRUPTED_INSTALL, span, message)
                .help("run `lawful install` or `lawful uninstall` to complete it")
        })),
        Err(error) => Err(cannot_write(desk, &error)),
    }
}

/// An I/O error during writing.
pub(super) fn cannot_write(desk: &Desk, error: &std::io::Error) -> Failure {
    Failure::instead_of(&desk.path(), |span| {
        let message = format!("cannot write the files: {error}");
        Diagnostic::new(&codes::CANNOT_DELIVER, span, message)
            .help("fix the cause, such as space or permissions, and run it again: it first completes or reverts what was begun")
    })
}

/// Findings as diagnostics, with the files that they are about.
pub(super) fn diagnostics(findings: &[Finding]) -> Diagnostics {
    diagnostics_after((Sources::default(), Vec::new()), findings)
}

/// Findings as diagnostics, after those of a lawbook.
pub(super) fn diagnostics_after(
    (mut sources, mut problems): (Sources, Vec<Diagnostic>),
    findings: &[Finding],
) -> Diagnostics {
    for finding in findings {
        let span = match &finding.path {
            Some(path) => {
                let file = sources.add_unread(path.clone());
                sources.starts_at_line(file, finding.line);
                Span::start_of(file)
            }
            None => Span::NONE,
        };
        let problem = Diagnostic::new(finding.code, span, finding.message.clone());
        problems.push(problem.help(finding.help.clone()));
    }
    Diagnostics::in_order(problems, Arc::new(sources))
}
