//! A workspace: a lawbook on disk, its project, and the environment of the user.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lawful::book::Wanted;
use lawful::react::Session;
use lawful::{Diagnostics, Lawbook, Verb};
use lawful_deliver::State;

use crate::failure::Failure;
use crate::lawbook::{self, Memory, OpenedBook, book_folder, find_from};
use crate::observe::{Observed, Place, gather, root};
use crate::session::Sessions;

/// Looks up an environment variable.
type Variables = Arc<dyn Fn(&str) -> Option<OsString> + Send + Sync>;

/// Where the administrator of the machine lists the lawbooks to trust.
const SYSTEM_TRUST: &str = "/etc/lawful/trust";

/// Where a verb runs: a start folder, the lawbook that is given or found upward from there, and the
/// environment of the user.
///
/// Paths in results are relative to the folder, as its user would write them.
#[derive(Clone)]
pub struct Workspace {
    here: PathBuf,
    book: Option<PathBuf>,
    variables: Variables,
    system_trust: PathBuf,
    /// `None` if a lawbook is read anew each time.
    memory: Option<Memory>,
}

impl Workspace {
    /// The workspace of a folder.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self {
            here: folder.into(),
            book: None,
            variables: Arc::new(|name| std::env::var_os(name)),
            system_trust: PathBuf::from(SYSTEM_TRUST),
            memory: None,
        }
    }

    /// The workspace of the working directory.
    pub fn here() -> Self {
        Self::at(".")
    }

    /// Sets the lawbook, by its folder or its manifest. `None` sets none.
    #[must_use]
    pub fn with_book(mut self, book: Option<&Path>) -> Self {
        self.book = book.map(book_folder);
        self
    }

    /// Sets the environment, which decides the state folder and the home of the user.
    #[must_use]
    pub fn with_variables(
        mut self,
        variables: impl Fn(&str) -> Option<OsString> + Send + Sync + 'static,
    ) -> Self {
        self.variables = Arc::new(variables);
        self
    }

    /// Sets the file in which the administrator of the machine lists the lawbooks to trust; default:
    /// `/etc/lawful/trust`. No environment variable does.
    #[must_use]
    pub fn with_system_trust(mut self, file: impl Into<PathBuf>) -> Self {
        self.system_trust = file.into();
        self
    }

    /// Remembers lawbooks: one that is opened again is read only where it changed.
    #[must_use]
    pub fn with_memory(mut self) -> Self {
        self.memory = Some(Memory::default());
        self
    }

    /// The file in which the administrator of the machine lists the lawbooks to trust.
    pub(crate) fn system_trust(&self) -> &Path {
        &self.system_trust
    }

    /// The start folder.
    pub fn start(&self) -> &Path {
        &self.here
    }

    /// Whether a lawbook is given.
    pub fn has_book(&self) -> bool {
        self.book.is_some()
    }

    /// The state folder of the user.
    pub fn state(&self) -> Result<State, Failure> {
        State::of_user(|name| self.variable(name))
            .map_err(|error| Failure::usage(error.to_string(), "set `HOME` or `XDG_STATE_HOME`"))
    }

    /// The given lawbook.
    pub fn named_book(&self) -> Option<&Path> {
        self.book.as_deref()
    }

    /// Returns an environment variable.
    pub fn variable(&self, name: &str) -> Option<OsString> {
        (self.variables)(name)
    }

    /// The root of the project that contains the folder.
    pub fn project(&self) -> PathBuf {
        root(&self.here)
    }

    /// The root of the project that a lawbook applies to here: that of the lawbook if one of the two
    /// contains the other, otherwise that of the start folder.
    pub(crate) fn project_under(&self, book: &Path) -> PathBuf {
        let (of_book, here) = (root(book), self.project());
        if of_book.starts_with(&here) || here.starts_with(&of_book) { of_book } else { here }
    }

    /// The lawbook folder: the given one, or the nearest upward.
    pub fn folder(&self) -> Result<PathBuf, Failure> {
        self.book.clone().map_or_else(|| find_from(&self.here, None), Ok)
    }

    /// Opens the lawbook. Problems of its documents are part of the result.
    pub fn open(&self) -> Result<OpenedBook, Failure> {
        self.open_at(&self.folder()?)
    }

    /// Opens the lawbook in a folder.
    pub(crate) fn open_at(&self, folder: &Path) -> Result<OpenedBook, Failure> {
        match &self.memory {
            Some(memory) => memory.open(folder),
            None => lawbook::open(folder),
        }
    }

    /// Opens the lawbook as a [`Lawbook`]. Its Nickel is not evaluated.
    pub fn lawbook(&self) -> Result<Lawbook, Failure> {
        let opened = self.open()?;
        Ok(Lawbook::new(opened.book, opened.problems))
    }

    /// Opens the lawbook for a verb; fails where a problem of the book stops it.
    pub fn lawbook_for(&self, verb: Verb) -> Result<Lawbook, Failure> {
        let book = self.lawbook()?;
        book.ready_for(verb)?;
        Ok(book)
    }

    /// Records what the host sees. Only commands that the manifest lists can run.
    pub fn observe(&self, wanted: &Wanted) -> Result<Observed, Failure> {
        if wanted.is_empty() {
            let message = "nothing to observe";
            return Err(Failure::usage(message, "pass `--git`, `--files`, `--junit` or `--run`"));
        }
        // The lawbook lists the commands, and may be outside the project.
        let needed = self.book.is_some() || wanted.run.is_some();
        let opened = match needed.then(|| self.open()).transpose()? {
            None => None,
            Some(opened) => {
                opened.stop_at_problems_of(Verb::Observe)?;
                Some(opened)
            }
        };
        let folder = opened.as_ref().map(|opened| &opened.folder);
        let manifest = opened.as_ref().map(|opened| &opened.book.manifest);
        let root = folder.map_or_else(|| self.project(), |folder| self.project_under(folder));
        let place = Place { root: &root, reports: &self.here, deadline: None };
        match gather(wanted, manifest, &place) {
            Ok(seen) => {
                let (list, sources) = seen.warnings.into_parts();
                Ok(Observed { warnings: Diagnostics::new(list, sources), ..seen })
            }
            Err(failure) => Err(Failure::sorted(failure.problems, failure.sources)),
        }
    }

    /// The file of sessions: the given one, else that of the environment variable `LAWFUL_DB`, else
    /// `.lawful/sessions.db` in the lawbook.
    pub fn session_file(&self, given: Option<&Path>) -> Result<PathBuf, Failure> {
        if let Some(file) = given {
            return Ok(file.to_owned());
        }
        match self.variable("LAWFUL_DB").filter(|file| !file.is_empty()) {
            Some(file) => Ok(PathBuf::from(file)),
            None => Ok(default_session_file(&self.folder()?)),
        }
    }

    /// The state of a stored session. `file` is the file of sessions, if one is given.
    pub fn stored_session(&self, name: &str, file: Option<&Path>) -> Result<Session, Failure> {
        let sessions = self.read_sessions(&self.session_file(file)?)?;
        Ok(sessions.show(name)?.state)
    }

    /// Opens an existing file of sessions.
    pub fn sessions(&self, file: &Path) -> Result<Sessions, Failure> {
        Sessions::open(file)
    }

    /// Opens an existing file of sessions for reading. It and its folder may be read-only.
    pub fn read_sessions(&self, file: &Path) -> Result<Sessions, Failure> {
        Sessions::read(file)
    }

    /// Opens a file of sessions, or creates it.
    pub fn create_sessions(&self, file: &Path) -> Result<Sessions, Failure> {
        // Only the folder of the default file is created; another one may be a typing error.
        if let Ok(folder) = self.folder()
            && file == default_session_file(&folder)
            && let Some(place) = file.parent()
            && folder.is_dir()
        {
            // If this fails, opening the file says why.
            let _ = std::fs::create_dir(place);
        }
        Sessions::create(file)
    }
}

/// Where the sessions of a lawbook are by default.
fn default_session_file(book: &Path) -> PathBuf {
    book.join(".lawful").join("sessions.db")
}

impl fmt::Debug for Workspace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { here, book, .. } = self;
        f.debug_struct("Workspace").field("here", here).field("book", book).finish_non_exhaustive()
    }
}
