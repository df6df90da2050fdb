//! Files that the user names on the command line.

use std::path::{Path, PathBuf};

use lawful::Limits;
use lawful::book::{SourceError, read_file, read_from};
use lawful::code;
use lawful::react::Input;
use lawful::syntax::{Diagnostic, Format, Node, Sources, Span, parse, text};

use crate::lawbook::Failure;

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

/// Reads the input of a step, and the document that it is.
pub(crate) fn step_input(
    path: &Path,
    sources: &mut Sources,
    problems: &mut Vec<Diagnostic>,
) -> Option<(Input, Node)> {
    let mut node = document(path, sources, problems)?;
    let input = Input::decode_parsed(&mut node, sources, problems)?;
    Some((input, node))
}

/// Reads and parses a document. `-` is standard input.
pub(crate) fn document(
    path: &Path,
    sources: &mut Sources,
    problems: &mut Vec<Diagnostic>,
) -> Option<Node> {
    let limits = Limits::default().document;
    let name = path.display().to_string();
    let (name, bytes) = if name == "-" {
        ("standard input".to_owned(), read_from(std::io::stdin().lock(), limits.bytes))
    } else {
        (name, read_file(path, limits.bytes))
    };
    let bytes = match bytes {
        Ok(bytes) => bytes,
        Err(error) => {
            let file = sources.add_unread(name);
            let place = Span::start_of(file);
            problems.push(match error {
                SourceError::TooLarge => text::too_large(file, &limits),
                SourceError::NotAFile => {
                    Diagnostic::new(&code::NOT_A_FILE, place, "this is a folder, not a file")
                        .help("name a file")
                }
                SourceError::Missing | SourceError::Outside | SourceError::Unreadable(_) => {
                    let message = format!("the file cannot be read: {error}");
                    Diagnostic::new(&code::UNREADABLE, place, message)
                }
            });
            return None;
        }
    };
    let (file, unreadable) = text::add(sources, &name, &bytes);
    if let Some(problem) = unreadable {
        problems.push(problem);
        return None;
    }
    let (node, found) = parse(sources, file, Format::of(&name), &limits);
    problems.extend(found);
    node
}
