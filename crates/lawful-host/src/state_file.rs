//! Session states in files.

use std::path::Path;

use lawful::Limits;
use lawful::react::Session;
use lawful::syntax::{Diagnostic, Sources};

use crate::failure::Failure;
use crate::input::document;

/// Reads a state. If it is invalid, adds the problems and returns `None`.
pub fn read(
    path: &Path,
    limits: &Limits,
    sources: &mut Sources,
    problems: &mut Vec<Diagnostic>,
) -> Option<Session> {
    let before = problems.len();
    let node = document(path, &limits.document, sources, problems)?;
    let (session, found) = Session::decode(&node);
    problems.extend(found);
    let found = problems.get(before..).unwrap_or_default();
    session.filter(|_| !found.iter().any(Diagnostic::is_error))
}

/// The session in a file, if one is given.
pub fn session(file: Option<&Path>, limits: &Limits) -> Result<Option<Session>, Failure> {
    let Some(file) = file else { return Ok(None) };
    let (mut sources, mut problems) = (Sources::default(), Vec::new());
    match read(file, limits, &mut sources, &mut problems) {
        Some(session) => Ok(Some(session)),
        None => Err(Failure::sorted(problems, sources)),
    }
}

/// Writes a state atomically.
pub fn write(path: &Path, session: &Session) -> Result<(), Failure> {
    let text = session.to_json() + "\n";
    lawful_deliver::write_atomically(path, text.as_bytes()).map_err(|error| {
        let message = format!("cannot write `{}`: {error}", path.display());
        Failure::usage(message, "use another file for `--state-out`")
    })
}
