//! States of sessions in files.

use std::path::Path;

use lawful::book::Book;
use lawful::insertion::Insertion;
use lawful::react::{Rules, Session};
use lawful::syntax::{Diagnostic, Sources};
use lawful::{Verb, blocks};

use crate::input::document;
use crate::problems::Failure;

/// Reads a state. What is wrong with it is added to the problems, and then there is none.
pub fn read(path: &Path, sources: &mut Sources, problems: &mut Vec<Diagnostic>) -> Option<Session> {
    let before = problems.len();
    let node = document(path, sources, problems)?;
    let (session, found) = Session::decode(&node);
    problems.extend(found);
    let found = problems.get(before..).unwrap_or_default();
    session.filter(|_| !found.iter().any(Diagnostic::is_error))
}

/// What the state in a file inserts into the next prompt; nothing without a file. A broken entry is
/// a part of the prompt that is missing, and so is the end.
pub fn insertions(file: Option<&Path>, book: &mut Book) -> Result<Vec<Insertion>, Failure> {
    let Some(file) = file else { return Ok(Vec::new()) };
    let (rules, mut problems) = Rules::decode(book);
    problems.retain(|problem| blocks(Verb::Insert, book, problem));
    let session = read(file, &mut book.sources, &mut problems);
    match (session, problems.iter().any(Diagnostic::is_error)) {
        (Some(session), false) => Ok(rules.insertions(&session)),
        (_, _) => Err(Failure::sorted(problems, book.sources.clone())),
    }
}

/// Writes a state so that a reader sees the old one or the new one and nothing between.
pub fn write(path: &Path, session: &Session) -> Result<(), Failure> {
    let text = session.to_json() + "\n";
    lawful_deliver::write_atomically(path, text.as_bytes()).map_err(|error| {
        let message = format!("`{}` cannot be written: {error}", path.display());
        Failure::usage(message, "choose another file for `--state-out`")
    })
}
