//! States of sessions in files.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;

use lawful::react::Session;
use lawful::syntax::{Diagnostic, Sources};

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
