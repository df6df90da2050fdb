//! The artifacts of a verification, written on request: the compiled program, and what it derived.

use std::io::ErrorKind;

use lawful::code;
use lawful::syntax::Diagnostic;

use super::{OutputFolder, Verified};
use crate::failure::Failure;

/// The names of the artifacts.
const PROGRAM: &str = "rulespec.compiled.dl";
const REPORT: &str = "datalog_evaluation.txt";

/// Removes the artifacts of an earlier verification, so that none remain if this one has no
/// verdict.
pub fn clear_artifacts(folder: &OutputFolder) -> Result<(), Failure> {
    folder.refuse_links(&[PROGRAM, REPORT])?;
    for (path, shown) in [PROGRAM, REPORT].map(|name| folder.file(name)) {
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound && path.exists() => {
                return Err(Failure::instead_of(&shown, |span| {
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
pub fn write_artifacts(folder: &OutputFolder, verified: &Verified) -> Result<(), Failure> {
    for (name, text) in [(PROGRAM, &verified.compiled), (REPORT, &verified.evaluation)] {
        folder.write(name, text)?;
    }
    Ok(())
}
