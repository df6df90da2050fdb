//! States of sessions in files.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;

use lawful::book::{Book, Part};
use lawful::insertion::Insertion;
use lawful::react::{Rules, Session};
use lawful::syntax::{Diagnostic, FileId, Sources, sort};

use crate::input::document;
use crate::lawbook::Failure;

/// Reads a state. What is wrong with it is added to the problems, and then there is none.
pub(crate) fn read(
    path: &Path,
    sources: &mut Sources,
    problems: &mut Vec<Diagnostic>,
) -> Option<Session> {
    let before = problems.len();
    let node = document(path, sources, problems)?;
    let (session, found) = Session::decode(&node);
    problems.extend(found);
    let found = problems.get(before..).unwrap_or_default();
    session.filter(|_| !found.iter().any(Diagnostic::is_error))
}

/// What the state in a file inserts into the next prompt; nothing without a file. A broken entry is
/// a part of the prompt that is missing, and so is the end.
pub(crate) fn insertions(file: Option<&Path>, book: &mut Book) -> Result<Vec<Insertion>, Failure> {
    let Some(file) = file else { return Ok(Vec::new()) };
    let (rules, mut problems) = Rules::decode(book);
    let entries: Vec<FileId> = book
        .documents
        .iter()
        .filter(|document| document.part == Part::Entry)
        .map(|document| document.file)
        .collect();
    problems.retain(|problem| problem.is_error() && entries.contains(&problem.span.file));
    let session = read(file, &mut book.sources, &mut problems);
    match (session, problems.iter().any(Diagnostic::is_error)) {
        (Some(session), false) => Ok(rules.insertions(&session)),
        (_, _) => {
            sort(&mut problems, &book.sources);
            Err(Failure { sources: book.sources.clone(), problems })
        }
    }
}

/// Writes a state so that a reader sees the old one or the new one and nothing between.
pub(crate) fn write(path: &Path, session: &Session) -> Result<(), Failure> {
    replace(path, &(session.to_json() + "\n")).map_err(|error| {
        let message = format!("`{}` cannot be written: {error}", path.display());
        Failure::usage(message, "choose another file for `--state-out`")
    })
}

fn replace(path: &Path, text: &str) -> io::Result<()> {
    let name = path.file_name().ok_or_else(|| io::Error::other("it has no name"))?;
    if path.is_dir() {
        return Err(io::Error::other("it is a folder"));
    }
    let mut beside = std::ffi::OsString::from(".");
    beside.push(name);
    beside.push(format!(".{}.new", std::process::id()));
    let beside = path.with_file_name(beside);
    let written = File::create(&beside)
        .and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_all()))
        .and_then(|()| std::fs::rename(&beside, path));
    if written.is_err() {
        let _ = std::fs::remove_file(&beside);
    }
    written
}
