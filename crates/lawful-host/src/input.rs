//! Documents that a caller names by path.

use std::path::Path;

use lawful::Limits;
use lawful::book::{SourceError, read_file, read_from};
use lawful::code;
use lawful::react::Input;
use lawful::syntax::text::{add as add_text, too_large};
use lawful::syntax::{Diagnostic, FileId, Format, Node, Sources, Span, parse, parse_sent};
use lawful::verify::keep_long_id;

use crate::failure::Failure;

/// Reads the input of a step, and returns the document with it.
pub fn step_input(
    path: &Path,
    sources: &mut Sources,
    problems: &mut Vec<Diagnostic>,
) -> Option<(Input, Node)> {
    let (file, format) = sent(path, sources, problems)?;
    let (node, found) = parse_sent(sources, file, format, &Limits::default().document);
    problems.extend(found);
    let mut node = node?;
    let input = Input::decode_parsed(&mut node, sources, problems)?;
    Some((input, node))
}

/// Reads and parses a document. `-` is standard input.
pub fn document(
    path: &Path,
    limits: &lawful::syntax::Limits,
    sources: &mut Sources,
    problems: &mut Vec<Diagnostic>,
) -> Option<Node> {
    let (file, format) = read(path, *limits, sources, problems)?;
    let (node, found) = parse(sources, file, format, limits);
    problems.extend(found);
    node
}

/// Reads and parses an envelope or a record leniently. `-` is standard input.
pub(crate) fn sent_document(
    path: &Path,
    limits: &lawful::syntax::Limits,
    sources: &mut Sources,
    problems: &mut Vec<Diagnostic>,
) -> Option<Node> {
    let (file, format) = read(path, *limits, sources, problems)?;
    let (mut node, mut found) = parse_sent(sources, file, format, limits);
    if let Some(node) = &mut node {
        keep_long_id(node, sources, &mut found);
    }
    problems.extend(found);
    node
}

/// Adds the text of a document that a host or an agent sends. It may be larger than a file, so that
/// one value that is too long does not cost the others.
fn sent(
    path: &Path,
    sources: &mut Sources,
    problems: &mut Vec<Diagnostic>,
) -> Option<(FileId, Format)> {
    const MORE: usize = 16;
    let limits = Limits::default().document;
    let bytes = limits.bytes.saturating_mul(MORE);
    read(path, lawful::syntax::Limits { bytes, ..limits }, sources, problems)
}

/// Adds the text of a document, and returns its format. `-` is standard input.
fn read(
    path: &Path,
    limits: lawful::syntax::Limits,
    sources: &mut Sources,
    problems: &mut Vec<Diagnostic>,
) -> Option<(FileId, Format)> {
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
                SourceError::TooLarge => too_large(file, &limits),
                SourceError::NotAFile => {
                    Diagnostic::new(&code::NOT_A_FILE, place, "expected a file, found a folder")
                        .help("pass a file")
                }
                SourceError::Missing | SourceError::Outside | SourceError::Unreadable(_) => {
                    let message = format!("cannot read the file: {error}");
                    Diagnostic::new(&code::UNREADABLE, place, message)
                }
            });
            return None;
        }
    };
    let (file, unreadable) = add_text(sources, &name, &bytes);
    if let Some(problem) = unreadable {
        problems.push(problem);
        return None;
    }
    Some((file, Format::of(&name)))
}

/// A text file, trimmed. `-` is standard input.
pub fn text(path: &Path) -> Result<String, Failure> {
    let mut sources = Sources::default();
    let limits = Limits::default().document;
    let refuse = |problem: Diagnostic, sources: Sources| Failure::new(sources, vec![problem]);
    let (name, bytes) = if path == Path::new("-") {
        ("standard input".to_owned(), read_from(std::io::stdin().lock(), limits.bytes))
    } else {
        (path.display().to_string(), read_file(path, limits.bytes))
    };
    let bytes = match bytes {
        Ok(bytes) => bytes,
        Err(SourceError::TooLarge) => {
            let file = sources.add_unread(name);
            return Err(refuse(too_large(file, &limits), sources));
        }
        Err(error) => {
            let place = Span::start_of(sources.add_unread(name));
            let message = format!("cannot read the file: {error}");
            return Err(refuse(Diagnostic::new(&code::UNREADABLE, place, message), sources));
        }
    };
    let (file, problem) = add_text(&mut sources, &name, &bytes);
    if let Some(problem) = problem {
        return Err(refuse(problem, sources));
    }
    Ok(sources.file(file).map_or("", |file| file.text()).trim().to_owned())
}
