//! The roles of the lawbook that a command is about: Nickel evaluated, the contract checked.
//!
//! Nickel runs in a child process: the program `lawful-nickel` beside this one.

use std::path::{Path, PathBuf};

use lawful::book::{Book, FolderSource};
use lawful::compose::{Compositions, Evaluated, Refusal, Roles};
use lawful::insertion::Insertion;
use lawful::syntax::{Diagnostic, Sources, sort};
use lawful::{Value, Verb, blocks};
use lawful_worker::Worker;

use crate::lawbook::{self, Failure, Report as _};
use crate::output::Answer;
use crate::session_file::insertions;

/// A lawbook and the prompts of its roles.
pub(crate) struct LoadedRoles {
    /// The folder of the book.
    pub(crate) folder: PathBuf,
    pub(crate) book: Book,
    pub(crate) compositions: Compositions,
    pub(crate) roles: Roles,
    /// What a session inserts.
    pub(crate) insertions: Vec<Insertion>,
}

/// Why there are no roles, and what the answer is then.
pub(crate) struct Refused {
    pub(crate) failure: Failure,
    pub(crate) answer: Answer,
}

impl Refused {
    pub(crate) fn new(refusal: Refusal, sources: Sources) -> Self {
        let (problems, answer) = match refusal {
            Refusal::Undecided(problems) => (problems, Answer::Undecided),
            Refusal::Broken(problems) => (problems, Answer::No),
        };
        Self { failure: Failure { sources, problems }, answer }
    }

    /// Shows the problems of a command that has no prompts to go by.
    pub(crate) fn report(&self, json: bool) -> Answer {
        self.failure.report(json);
        self.answer
    }
}

impl From<Failure> for Refused {
    fn from(failure: Failure) -> Self {
        Self { failure, answer: Answer::Undecided }
    }
}

/// Opens a book for its roles, in a context and perhaps a session. An error in anything that a
/// prompt is made from is the end; one elsewhere in the book is not.
pub(crate) fn roles(
    book: Option<&Path>,
    context: &Value,
    state: Option<&Path>,
) -> Result<LoadedRoles, Refused> {
    let OpenedForRoles { folder, mut book, compositions, nickel, .. } = open(book)?;
    let insertions = insertions(state, &mut book)?;
    match Roles::compose(&book, &compositions, context, &insertions, &nickel) {
        Ok(roles) => Ok(LoadedRoles { folder, book, compositions, roles, insertions }),
        Err(refusal) => Err(Refused::new(refusal, book.sources)),
    }
}

/// A book whose roles can be composed.
pub(crate) struct OpenedForRoles {
    pub(crate) folder: PathBuf,
    pub(crate) book: Book,
    pub(crate) compositions: Compositions,
    pub(crate) nickel: Evaluated,
    /// Errors in what no prompt is made from.
    pub(crate) elsewhere: Vec<Diagnostic>,
}

/// Opens a book and evaluates its Nickel.
pub(crate) fn open(book: Option<&Path>) -> Result<OpenedForRoles, Refused> {
    let folder = lawbook::named(book)?;
    let (source, mut book, mut problems) = lawbook::open(&folder)?;
    let (compositions, found) = Compositions::decode(&book);
    problems.extend(found);
    problems.retain(Diagnostic::is_error);
    let (mut problems, elsewhere): (Vec<_>, Vec<_>) =
        problems.into_iter().partition(|problem| blocks(Verb::Roles, &book, problem));
    if !problems.is_empty() {
        sort(&mut problems, &book.sources);
        return Err(Failure { sources: book.sources, problems }.into());
    }
    match evaluated(&mut book, &source) {
        Ok(nickel) => Ok(OpenedForRoles { folder, book, compositions, nickel, elsewhere }),
        Err(refusal) => Err(Refused::new(refusal, book.sources)),
    }
}

/// What the Nickel files of a book come to. Nothing is started where there are none.
pub(crate) fn evaluated(book: &mut Book, source: &FolderSource) -> Result<Evaluated, Refusal> {
    lawful_worker::evaluate(book, source, &Worker::beside_this_program())
}
