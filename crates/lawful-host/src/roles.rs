//! The roles of a lawbook: Nickel evaluated, the contract checked.
//!
//! Nickel runs in a child process: the program `lawful-nickel` beside this one.

use std::path::{Path, PathBuf};

use lawful::book::{self, Book, FolderSource};
use lawful::compose::{Compositions, Evaluated, Layer, Refusal, Roles, project_record};
use lawful::insertion::Insertion;
use lawful::syntax::Diagnostic;
use lawful::{Value, Verb, blocks};
use lawful_worker::Worker;

use crate::input::text;
use crate::lawbook::OpenedBook;
use crate::problems::Failure;
use crate::state_file::insertions;
use crate::workspace::Workspace;

/// A lawbook and the prompts of its roles.
#[derive(Debug)]
pub struct LoadedRoles {
    /// The folder of the book.
    pub folder: PathBuf,
    /// The book.
    pub book: Book,
    /// Its compositions.
    pub compositions: Compositions,
    /// The prompts.
    pub roles: Roles,
    /// What a session inserts.
    pub insertions: Vec<Insertion>,
}

impl LoadedRoles {
    /// The project layer: what the repository of the book records, then the book's own fragments of
    /// that layer.
    pub fn project_layer(
        &self,
        context: &Value,
        warnings: &mut Vec<Diagnostic>,
    ) -> Result<String, Failure> {
        let record = match agents(&self.folder) {
            Some(path) => project_record(&text(&path)?),
            None => String::new(),
        };
        let sources = &self.book.sources;
        let own = self.compositions.layer(Layer::Project, context, sources, warnings);
        let parts: Vec<&str> =
            [&*record, &*own.text].into_iter().filter(|part| !part.is_empty()).collect();
        Ok(parts.join("\n\n"))
    }
}

/// The nearest `AGENTS.md` from the book up to the root of its repository, which is the book's own
/// folder where there is none. One that is a link out of it is passed over.
fn agents(folder: &Path) -> Option<PathBuf> {
    let start = folder.canonicalize().ok()?;
    let root = book::repository(&start).unwrap_or_else(|| start.clone());
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
    /// Errors in what no prompt is made from.
    pub(crate) elsewhere: Vec<Diagnostic>,
}

impl Workspace {
    /// Composes the prompts of all roles, in a context and perhaps a session, whose state is in a
    /// file. An error in anything that a prompt is made from is a failure; one elsewhere in the book
    /// is not.
    pub fn roles(&self, context: &Value, state: Option<&Path>) -> Result<LoadedRoles, Failure> {
        let opened = self.open_for_roles()?;
        let OpenedForRoles { folder, mut book, compositions, nickel, .. } = opened;
        let insertions = insertions(state, &mut book)?;
        match Roles::compose(&book, &compositions, context, &insertions, &nickel) {
            Ok(roles) => Ok(LoadedRoles { folder, book, compositions, roles, insertions }),
            Err(refusal) => Err(Failure::refusal(refusal, book.sources)),
        }
    }

    /// Opens the book and evaluates its Nickel.
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

/// Evaluates the Nickel files of a book. Nothing is started where there are none.
pub(crate) fn evaluated(book: &mut Book, source: &FolderSource) -> Result<Evaluated, Refusal> {
    lawful_worker::evaluate(book, source, &Worker::beside_this_program())
}
