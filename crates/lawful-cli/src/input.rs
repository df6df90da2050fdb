//! Files that the user names on the command line.

use std::path::{Path, PathBuf};

use lawful::code;
use lawful::syntax::{Diagnostic, Span};
use lawful_host::Failure;

/// Complains where more than one file is to be read from standard input.
pub(crate) fn one_stdin<'p>(paths: impl IntoIterator<Item = &'p PathBuf>) -> Option<Diagnostic> {
    let uses = paths.into_iter().filter(|path| path.as_path() == Path::new("-"));
    (uses.count() > 1).then(|| {
        let message = "standard input can be read once, and `-` is named twice";
        Diagnostic::new(&code::USAGE, Span::NONE, message).help("put one of them in a file")
    })
}

/// Complains where a file that is to be written is called `-`: what a command prints is its answer.
pub(crate) fn not_stdout(path: &Path, option: &str, help: &str) -> Result<(), Failure> {
    if path != Path::new("-") {
        return Ok(());
    }
    let message = format!("`{option}` takes a file, and `-` is none");
    Err(Failure::usage(message, help))
}
