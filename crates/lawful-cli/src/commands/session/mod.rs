//! `lawful session`: steps of a session, kept in a file.
//!
//! A step is worked out by the library and kept by the store; the two meet here and nowhere else. What
//! is stored are the public JSON shapes, so what is read back is shown as it was.

mod effects;
mod export;
mod list;
mod log;
mod new;
mod refusal;
mod rewind;
mod show;
mod turn;

pub(super) mod law;
pub(super) mod stored;
pub(super) mod taken;

use std::path::Path;

use lawful::syntax::Diagnostic;
use lawful_store::{Options, Sqlite, Store};

use crate::args::{SessionCommand, Verb};
use crate::lawbook::Failure;
use crate::output::Answer;

pub(super) use refusal::refused;

pub(crate) fn run(args: &SessionCommand) -> Answer {
    let (answer, format) = match &args.verb {
        Verb::New(args) => (new::run(args), args.place.format),
        Verb::Turn(args) => (turn::run(args), args.place.format),
        Verb::Show(args) => (show::run(args), args.place.format),
        Verb::Log(args) => (log::run(args), args.place.format),
        Verb::List(args) => (list::run(args), args.place.format),
        Verb::Rewind(args) => (rewind::run(args), args.place.format),
        Verb::Effects(args) => (effects::run(args), args.place.format),
        Verb::Export(args) => (export::run(args), args.place.format),
    };
    answer.unwrap_or_else(|failure| failure.report(format.is_json()))
}

/// Opens a file of sessions that exists.
pub(super) fn open(file: &Path) -> Result<Sqlite, Failure> {
    Sqlite::open(file, &Options::default()).map_err(|error| refused(&error, None))
}

/// Opens a file of sessions, or creates it.
fn create(file: &Path) -> Result<Sqlite, Failure> {
    let options = Options { create: true, ..Options::default() };
    Sqlite::open(file, &options).map_err(|error| refused(&error, None))
}

/// Asks the store something; where it refuses, the sessions it has are suggested.
pub(super) fn ask<T>(
    store: &dyn Store,
    ask: impl FnOnce(&dyn Store) -> Result<T, lawful_store::Error>,
) -> Result<T, Failure> {
    ask(store).map_err(|error| refused(&error, Some(store)))
}

/// A failure without a place.
fn failure(problem: Diagnostic) -> Failure {
    Failure { sources: lawful::syntax::Sources::default(), problems: vec![problem] }
}
