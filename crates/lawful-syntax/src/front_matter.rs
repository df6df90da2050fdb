//! Markdown pages: front matter between two `---` lines, then a body.

use crate::{Diagnostic, FileId, Limits, Node, Sources, Span, codes, yaml};

/// A page taken apart.
#[derive(Clone, Debug)]
pub struct Page {
    /// The front matter, if there is any and it is readable.
    pub front: Option<Node>,
    /// What stands between the two `---` lines, if the page has them, readable or not.
    pub written: Option<Span>,
    /// The body: everything after the front matter.
    pub body: Span,
}

/// Takes a Markdown page apart. Front matter that holds nothing counts as none.
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
                    "front matter starts here and is never closed",
                )
                .help("close it with a line `---`");
                let body = Span::new(file, text.len(), text.len());
                let written = Some(Span::new(file, start, text.len()));
                return (Page { front: None, written, body }, vec![problem]);
            }
        }
    }
}

/// Where the line after a `---` line at `at` starts.
fn fence_end(text: &str, at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    let line = rest.split('\n').next()?;
    if line.trim_end() != "---" {
        return None;
    }
    Some((at + line.len() + 1).min(text.len()))
}
