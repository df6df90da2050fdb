//! The roles of a lawbook: evaluates Nickel and checks the contract.
//!
//! Nickel runs in a child process: the program `lawful-nickel` next to this one.

use std::path::{Path, PathBuf};

use lawful::book::{self, Book, Source};
use lawful::compose::{Compositions, Evaluated, Refusal, Roles, project_record};
use lawful::syntax::Diagnostic;
use lawful::{Lawbook, Value, Verb, blocks};
use lawful_worker::Worker;

use crate::failure::Failure;
use crate::input::text;
use crate::lawbook::OpenedBook;
use crate::workspace::Workspace;

/// A lawbook and the prompts of its roles.
#[derive(Debug)]
pub struct LoadedRoles {
    /// The lawbook folder.
    pub folder: PathBuf,
    /// The lawbook.
    pub book: Book,
    /// Its compositions.
    pub compositions: Compositions,
    /// The prompts.
    pub roles: Roles,
}

/// What the repository of a lawbook records about its project, for the project layer.
pub fn project_record_of(folder: &Path) -> Result<String, Failure> {
    match agents(folder) {
        Some(path) => Ok(project_record(&text(&path)?)),
        None => Ok(String::new()),
    }
}

/// The nearest `AGENTS.md` from the lawbook up to the root of its repository, or to the folder that
/// the lawbook is for if there is no repository. A link that leads out of it is ignored.
fn agents(folder: &Path) -> Option<PathBuf> {
    let start = folder.canonicalize().ok()?;
    let root = book::repository(&start).unwrap_or_else(|| book::home_of(&start).to_owned());
    start
        .ancestors()
        .take_while(|folder| folder.starts_with(&root))
        .filter_map(|folder| folder.join("AGENTS.md").canonicalize().ok())
        .find(|file| file.is_file() && file.starts_with(&root))
}

/// A lawbook whose roles can be composed.
#[derive(Debug)]
pub(crate) struct OpenedForRoles {
    pub(crate) folder: PathBuf,
    pub(crate) book: Book,
    pub(crate) compositions: Compositions,
    pub(crate) nickel: Evaluated,
    /// Errors in documents that no prompt is made from.
    pub(crate) elsewhere: Vec<Diagnostic>,
}

impl Workspace {
    /// Opens the lawbook, evaluates its Nickel, and returns it with its folder.
    pub fn lawbook_with_nickel(&self) -> Result<(PathBuf, Lawbook), Failure> {
        let OpenedForRoles { folder, book, nickel, elsewhere, .. } = self.open_for_roles()?;
        Ok((folder, Lawbook::new(book, elsewhere).with_nickel(nickel)))
    }

    /// Composes the prompts of all roles in a context. An error in anything that a prompt is made
    /// from is a failure; errors elsewhere are ignored.
    pub fn roles(&self, context: &Value) -> Result<LoadedRoles, Failure> {
        let opened = self.open_for_roles()?;
        let OpenedForRoles { folder, book, compositions, nickel, .. } = opened;
        match Roles::compose(
            &book,
            &compositions,
            context,
            &lawful::insertion::Insertions::default(),
            &nickel,
        ) {
            Ok(roles) => Ok(LoadedRoles { folder, book, compositions, roles }),
            Err(refusal) => Err(Failure::refusal(refusal, book.sources)),
        }
    }

    /// Opens the lawbook and evaluates its Nickel.
    pub(crate) fn open_for_roles(&self) -> Result<OpenedForRoles, Failure> {
        let OpenedBook { folder, source, mut book, mut problems } = self.open()?;
        let (compositions, found) = Compositions::decode(&book);
        problems.extend(found);
        problems.retain(Diagnostic::is_error);
        let (problems, elsewhere): (Vec<_>, Vec<_>) =
            problems.into_iter().partition(|problem| blocks(Verb::Roles, &book, problem));
        if !problems.is_empty() {
            return Err(Failure::sorted(problems, book.sources));
        }
        match evaluated(&mut book, &source) {
            Ok(nickel) => Ok(OpenedForRoles { folder, book, compositions, nickel, elsewhere }),
            Err(refusal) => Err(Failure::refusal(refusal, book.sources)),
        }
    }
}

/// Evaluates the Nickel files of a lawbook. Starts no process if there are none.
pub(crate) fn evaluated(book: &mut Book, source: &dyn Source) -> Result<Evaluated, Refusal> {
    lawful_worker::evaluate(book, source, &Worker::beside_this_program())
}
