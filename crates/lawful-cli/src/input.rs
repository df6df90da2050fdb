//! Files named on the command line.

use std::path::{Path, PathBuf};

use lawful::code;
use lawful::syntax::{Diagnostic, Span};
use lawful_host::Failure;

/// Reports an error if more than one file is `-`, standard input.
pub(crate) fn one_stdin<'p>(paths: impl IntoIterator<Item = &'p PathBuf>) -> Option<Diagnostic> {
    let uses = paths.into_iter().filter(|path| path.as_path() == Path::new("-"));
    (uses.count() > 1).then(|| {
        let message = "`-` is given twice, but standard input can be read only once";
        Diagnostic::new(&code::USAGE, Span::NONE, message).help("save one of them to a file")
    })
}

/// Reports an error if an output file is `-`: standard output is for the answer of the command.
pub(crate) fn not_stdout(path: &Path, option: &str, help: &str) -> Result<(), Failure> {
    if path != Path::new("-") {
        return Ok(());
    }
    let message = format!("`{option}` takes a file, not `-`");
    Err(Failure::usage(message, help))
}
