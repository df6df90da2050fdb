//! A block of Lawful in a file of someone else.
//!
//! The block is between two lines that are Markdown comments; the first has an id and a hash of the
//! content. Everything outside belongs to others and keeps every byte.
//!
//! **Invariant:** a file whose block lines do not match is never edited. Lawful does not guess what
//! a missing end line was meant to enclose.

use crate::separators::{Separators, cut, without_suffix};
use crate::text::{line_end, short_hash, with_plain_lines};

/// The start of every line of Lawful.
const OURS: &str = "<!-- lawful:";
/// The block lines of another tool that uses the same files.
const OTHER_BEGIN: &str = "# >>> predicate conditioning block >>>";
const OTHER_END: &str = "# <<< predicate conditioning block <<<";

/// Why the block lines of a file are invalid. Lines count from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Broken {
    #[error("the block that begins in line {0} does not end")]
    Unclosed(usize),
    #[error("a block begins in line {inner}, inside the block of line {outer}")]
    Nested { outer: usize, inner: usize },
    #[error("line {0} ends a block that does not begin")]
    UnledgeredBlock(usize),
    #[error("the block `{id}` occurs twice, in lines {first} and {second}")]
    Twice { id: String, first: usize, second: usize },
    #[error("line {0} is a malformed begin or end of a block")]
    Malformed(usize),
}

impl Broken {
    /// The line to report.
    pub(crate) fn line(&self) -> usize {
        match self {
            Self::Unclosed(line) | Self::UnledgeredBlock(line) | Self::Malformed(line) => *line,
            Self::Nested { inner: line, .. } | Self::Twice { second: line, .. } => *line,
        }
    }
}

/// A block in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) id: String,
    /// The hash in its first line.
    hash: String,
    /// The content, with `\n` line ends and without the last one.
    pub(crate) text: String,
    /// From its first byte to the last one before the line end of its last line.
    start: usize,
    end: usize,
    /// The line on which its content starts, from 1.
    pub(crate) first_line: usize,
}

impl Found {
    /// Whether it is unedited.
    pub(crate) fn is_whole(&self) -> bool {
        short_hash(&self.text) == self.hash
    }
}

/// Whether a text contains a line that looks like a block line of Lawful or of the other tool.
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

/// Every block of Lawful in a text.
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
                other.take().ok_or(Broken::UnledgeredBlock(number))?;
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
                let mut block = block.ok_or(Broken::UnledgeredBlock(number))?;
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

/// The text outside of the blocks of Lawful; all of it if their lines do not match.
pub(crate) fn outside(text: &str) -> String {
    let mut out = String::new();
    let mut at = 0;
    for block in blocks(text).unwrap_or_default() {
        out.push_str(text.get(at..block.start).unwrap_or_default());
        at = block.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

/// A block as written to a file, without the last line end.
fn render(id: &str, text: &str, end: &str) -> String {
    let hash = short_hash(text);
    let block = format!(
        "{OURS}begin {id} {hash} by `lawful install`; edit the lawbook, not this -->\n\
         {text}\n{OURS}end {id} -->"
    );
    if end == "\n" { block } else { block.replace('\n', end) }
}

/// Appends a block to a text; also returns the separators that were added around it.
pub(crate) fn append(file: &str, id: &str, text: &str) -> (String, Separators) {
    let end = line_end(file);
    let bare = file.is_empty() || file == "\u{feff}";
    let ended = bare || file.ends_with('\n');
    let before = match (bare, ended) {
        (true, _) => String::new(),
        (false, true) => end.to_owned(),
        (false, false) => end.repeat(2),
    };
    let separators = Separators { before, after: end.to_owned(), ended };
    let block = render(id, text, end);
    (format!("{file}{}{block}{}", separators.before, separators.after), separators)
}

/// The separators that were probably added around a block.
pub(crate) fn around(file: &str, block: &Found) -> Separators {
    let head = with_plain_lines(file.get(..block.start).unwrap_or_default());
    let before = if head.ends_with("\n\n") { "\n" } else { "" };
    Separators { before: before.to_owned(), after: "\n".to_owned(), ended: true }
}

/// Whether the text before a block and its separators ends with a line end.
pub(crate) fn is_after_a_line(file: &str, block: &Found, separators: &Separators) -> bool {
    let head = file.get(..block.start).unwrap_or_default();
    let bare = without_suffix(head, &separators.before).unwrap_or(head);
    bare.is_empty() || bare.ends_with('\n')
}

/// Replaces the content of a block, and optionally its id.
pub(crate) fn replace(file: &str, block: &Found, id: &str, text: &str) -> String {
    let head = file.get(..block.start).unwrap_or_default();
    let tail = file.get(block.end..).unwrap_or_default();
    let end = line_end(file.get(block.start..).unwrap_or_default());
    format!("{head}{}{tail}", render(id, text, end))
}

/// Removes a block, and the separators around it that are still there.
pub(crate) fn remove(file: &str, block: &Found, separators: &Separators) -> String {
    cut(file, block.start..block.end, separators)
}

#[cfg(test)]
mod tests;
