//! The artifacts of a verification, written on request: the compiled program, and what it derived.

use std::io::ErrorKind;
use std::path::Path;

use lawful::code;
use lawful::syntax::Diagnostic;

use super::Verified;
use crate::failure::Failure;

/// The names of the artifacts.
const PROGRAM: &str = "rulespec.compiled.dl";
const REPORT: &str = "datalog_evaluation.txt";

/// Removes the artifacts of an earlier verification, so that none remain if this one has no
/// verdict.
pub fn clear_artifacts(folder: &Path) -> Result<(), Failure> {
    for path in [PROGRAM, REPORT].map(|name| folder.join(name)) {
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound && path.exists() => {
                return Err(Failure::instead_of(&path, |span| {
                    let message = format!("cannot remove the file: {error}");
                    Diagnostic::new(&code::UNREADABLE, span, message)
                }));
            }
            Ok(()) | Err(_) => {}
        }
    }
    Ok(())
}

/// Writes the compiled program and what it derived.
pub fn write_artifacts(folder: &Path, verified: &Verified) -> Result<(), Failure> {
    for (name, text) in [(PROGRAM, &verified.compiled), (REPORT, &verified.evaluation)] {
        write_file(&folder.join(name), text)?;
    }
    Ok(())
}

/// Writes a file atomically, and creates its folder.
pub(super) fn write_file(path: &Path, text: &str) -> Result<(), Failure> {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let made = folder.map_or(Ok(()), std::fs::create_dir_all);
    made.and_then(|()| lawful_deliver::write_atomically(path, text.as_bytes())).map_err(|error| {
        Failure::instead_of(path, |span| {
            let message = format!("cannot write the file: {error}");
            Diagnostic::new(&code::UNREADABLE, span, message)
        })
    })
}
