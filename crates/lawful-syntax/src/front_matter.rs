//! Markdown pages: front matter between two `---` lines, then a body.

use crate::{Diagnostic, FileId, Limits, Node, Sources, Span, codes, yaml};

/// The parts of a page.
#[derive(Clone, Debug)]
pub struct Page {
    /// The front matter, if it is present and valid.
    pub front: Option<Node>,
    /// The text between the two `---` lines, if present, valid or not.
    pub written: Option<Span>,
    /// The body: everything after the front matter.
    pub body: Span,
}

/// Splits a Markdown page. Empty front matter counts as absent.
pub fn parse_page(sources: &Sources, file: FileId, limits: &Limits) -> (Page, Vec<Diagnostic>) {
    let text = sources.file(file).map_or("", |file| file.text());
    let whole = Span::new(file, 0, text.len());
    let Some(start) = fence_end(text, 0) else {
        return (Page { front: None, written: None, body: whole }, Vec::new());
    };
    let mut at = start;
    loop {
        if let Some(after) = fence_end(text, at) {
            let body = Span::new(file, after, text.len());
            let written = Some(Span::new(file, start, at));
            let front = text.get(start..at).unwrap_or_default();
            let blank = front.lines().all(|line| {
                let line = line.trim();
                line.is_empty() || line.starts_with('#')
            });
            if blank {
                return (Page { front: None, written, body }, Vec::new());
            }
            let (front, problems) = yaml::parse(front, file, start, limits);
            return (Page { front, written, body }, problems);
        }
        match text.get(at..).and_then(|rest| rest.find('\n')) {
            Some(newline) => at += newline + 1,
            None => {
                let problem = Diagnostic::new(
                    &codes::FRONT_MATTER_UNCLOSED,
                    Span::new(file, 0, 3),
                    "front matter is not closed",
                )
                .help("close it with a `---` line");
                let body = Span::new(file, text.len(), text.len());
                let written = Some(Span::new(file, start, text.len()));
                return (Page { front: None, written, body }, vec![problem]);
            }
        }
    }
}

/// The start of the line after a `---` line at `at`.
fn fence_end(text: &str, at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    let line = rest.split('\n').next()?;
    if line.trim_end() != "---" {
        return None;
    }
    Some((at + line.len() + 1).min(text.len()))
}
