//! Files that the user names on the command line.

use std::io::Read as _;
use std::path::Path;

use lawful::Limits;
use lawful::book::{SourceError, read_file};
use lawful::code;
use lawful::syntax::{Diagnostic, Format, Node, Sources, Span, parse, text};

/// Reads and parses a document. `-` is standard input.
pub(crate) fn document(
    path: &Path,
    sources: &mut Sources,
    problems: &mut Vec<Diagnostic>,
) -> Option<Node> {
    let limits = Limits::default().document;
    let name = path.display().to_string();
    let bytes =
        if name == "-" { standard_input(limits.bytes) } else { read_file(path, limits.bytes) };
    let name = if name == "-" { "standard input".to_owned() } else { name };
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

fn standard_input(limit: usize) -> Result<Vec<u8>, SourceError> {
    let mut bytes = Vec::new();
    let one_more = u64::try_from(limit).unwrap_or(u64::MAX).saturating_add(1);
    std::io::stdin()
        .lock()
        .take(one_more)
        .read_to_end(&mut bytes)
        .map_err(|error| SourceError::Unreadable(error.to_string()))?;
    if bytes.len() > limit { Err(SourceError::TooLarge) } else { Ok(bytes) }
}
