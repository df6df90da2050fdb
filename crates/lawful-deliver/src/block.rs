//! A block of ours in a file of others.
//!
//! The block stands between two lines that are comments of Markdown; the first has an id and a hash
//! of what is between them. Everything outside belongs to others and keeps every byte.
//!
//! **Invariant:** a file in which lines like ours do not pair up is never edited. What a missing end
//! was meant to enclose is not guessed.

use crate::glue::{Glue, cut, without_suffix};
use crate::text::{line_end, short_hash, with_plain_lines};

/// Every line of ours starts so.
const OURS: &str = "<!-- lawful:";
/// The lines of another tool that keeps a block in the same files.
const OTHER_BEGIN: &str = "# >>> predicate conditioning block >>>";
const OTHER_END: &str = "# <<< predicate conditioning block <<<";

/// Why the lines of blocks in a file cannot be made sense of. Lines count from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Broken {
    #[error("the block that begins in line {0} has no end")]
    Unclosed(usize),
    #[error("a block begins in line {inner}, inside of the one of line {outer}")]
    Nested { outer: usize, inner: usize },
    #[error("line {0} ends a block that does not begin")]
    Stray(usize),
    #[error("there are two blocks `{id}`, in lines {first} and {second}")]
    Twice { id: String, first: usize, second: usize },
    #[error("line {0} looks like the begin or end of a block, and is neither")]
    Malformed(usize),
}

impl Broken {
    /// The line to look at.
    pub(crate) fn line(&self) -> usize {
        match self {
            Self::Unclosed(line) | Self::Stray(line) | Self::Malformed(line) => *line,
            Self::Nested { inner: line, .. } | Self::Twice { second: line, .. } => *line,
        }
    }
}

/// A block that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) id: String,
    /// The hash that its first line states.
    hash: String,
    /// What is between its lines, with plain lines and without the last line end.
    pub(crate) text: String,
    /// From its first byte to the last before the line end of its last line.
    start: usize,
    end: usize,
    /// The line on which its text starts, from 1.
    pub(crate) first_line: usize,
}

impl Found {
    /// Whether nobody edited it since it was written.
    pub(crate) fn is_whole(&self) -> bool {
        short_hash(&self.text) == self.hash
    }
}

/// Whether a line of a text would be taken for one of ours, or of the other tool.
pub(crate) fn has_sentinel(text: &str) -> bool {
    text.lines().any(|line| {
        let line = line.strip_prefix('\u{feff}').unwrap_or(line);
        line.starts_with(OURS) || [OTHER_BEGIN, OTHER_END].contains(&line.trim_end())
    })
}

enum Line<'t> {
    Begin(&'t str, &'t str),
    End(&'t str),
    OtherBegin,
    OtherEnd,
    Malformed,
    Plain,
}

fn classify(line: &str) -> Line<'_> {
    let line = line.strip_prefix('\u{feff}').unwrap_or(line).trim_end();
    match line {
        OTHER_BEGIN => return Line::OtherBegin,
        OTHER_END => return Line::OtherEnd,
        _ => {}
    }
    let Some(rest) = line.strip_prefix(OURS) else { return Line::Plain };
    let Some(rest) = rest.strip_suffix("-->") else { return Line::Malformed };
    let words: Vec<&str> = rest.split_whitespace().collect();
    match words.as_slice() {
        ["begin", id, hash, ..] => Line::Begin(id, hash),
        ["end", id] => Line::End(id),
        _ => Line::Malformed,
    }
}

/// Every block of ours in a text.
pub(crate) fn blocks(text: &str) -> Result<Vec<Found>, Broken> {
    let mut found: Vec<Found> = Vec::new();
    let mut open: Option<Found> = None;
    let mut other: Option<usize> = None;
    let mut at = 0;
    for (index, whole) in text.split_inclusive('\n').enumerate() {
        let (number, start) = (index + 1, at);
        at += whole.len();
        let line = whole.trim_end_matches(['\r', '\n']);
        let outer = open.as_ref().map(|open| open.first_line - 1).or(other);
        match (classify(line), outer) {
            (Line::Plain, _) => {}
            (Line::Malformed, _) => return Err(Broken::Malformed(number)),
            (Line::Begin(..) | Line::OtherBegin, Some(outer)) => {
                return Err(Broken::Nested { outer, inner: number });
            }
            (Line::OtherBegin, None) => other = Some(number),
            (Line::OtherEnd, _) => {
                other.take().ok_or(Broken::Stray(number))?;
            }
            (Line::Begin(id, hash), None) => {
                if let Some(same) = found.iter().find(|block| block.id == id) {
                    let (first, second) = (same.first_line - 1, number);
                    return Err(Broken::Twice { id: id.to_owned(), first, second });
                }
                open = Some(Found {
                    id: id.to_owned(),
                    hash: hash.to_owned(),
                    text: String::new(),
                    start: start + if line.starts_with('\u{feff}') { 3 } else { 0 },
                    end: at,
                    first_line: number + 1,
                });
            }
            (Line::End(id), _) => {
                let block = open.take().filter(|block| block.id == id);
                let mut block = block.ok_or(Broken::Stray(number))?;
                let inside = with_plain_lines(text.get(block.end..start).unwrap_or_default());
                inside.strip_suffix('\n').unwrap_or(&inside).clone_into(&mut block.text);
                block.end = start + line.len();
                found.push(block);
            }
        }
    }
    match (open, other) {
        (Some(open), _) => Err(Broken::Unclosed(open.first_line - 1)),
        (None, Some(line)) => Err(Broken::Unclosed(line)),
        (None, None) => Ok(found),
    }
}

/// A block as it stands in a file, without the last line end.
fn render(id: &str, text: &str, end: &str) -> String {
    let hash = short_hash(text);
    let block = format!(
        "{OURS}begin {id} {hash} by `lawful install`; edit the lawbook, not this -->\n\
         {text}\n{OURS}end {id} -->"
    );
    if end == "\n" { block } else { block.replace('\n', end) }
}

/// The text with a block at its end, and what was put around the block.
pub(crate) fn append(file: &str, id: &str, text: &str) -> (String, Glue) {
    let end = line_end(file);
    let bare = file.is_empty() || file == "\u{feff}";
    let ended = bare || file.ends_with('\n');
    let before = match (bare, ended) {
        (true, _) => String::new(),
        (false, true) => end.to_owned(),
        (false, false) => end.repeat(2),
    };
    let glue = Glue { before, after: end.to_owned(), ended };
    let block = render(id, text, end);
    (format!("{file}{}{block}{}", glue.before, glue.after), glue)
}

/// What must have been put around a block, by the look of it.
pub(crate) fn around(file: &str, block: &Found) -> Glue {
    let head = with_plain_lines(file.get(..block.start).unwrap_or_default());
    let before = if head.ends_with("\n\n") { "\n" } else { "" };
    Glue { before: before.to_owned(), after: "\n".to_owned(), ended: true }
}

/// Whether what is before a block, and before what we put there, ends its line.
pub(crate) fn is_after_a_line(file: &str, block: &Found, glue: &Glue) -> bool {
    let head = file.get(..block.start).unwrap_or_default();
    let bare = without_suffix(head, &glue.before).unwrap_or(head);
    bare.is_empty() || bare.ends_with('\n')
}

/// The text with another text in a block, which may get another id.
pub(crate) fn replace(file: &str, block: &Found, id: &str, text: &str) -> String {
    let head = file.get(..block.start).unwrap_or_default();
    let tail = file.get(block.end..).unwrap_or_default();
    let end = line_end(file.get(block.start..).unwrap_or_default());
    format!("{head}{}{tail}", render(id, text, end))
}

/// The text without a block, and without what we put around it where that is still there.
pub(crate) fn remove(file: &str, block: &Found, glue: &Glue) -> String {
    cut(file, block.start..block.end, glue)
}

#[cfg(test)]
mod tests;
