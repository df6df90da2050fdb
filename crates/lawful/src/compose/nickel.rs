//! The values of the Nickel files of a book, and the origin of their lines.
//!
//! The library does not evaluate Nickel. The host does, in a separate process, and passes in the
//! strings. Nickel does not report where a string comes from, so a line is traced by its text: its
//! origin is a line of a Nickel file with the same text, if there is one.

use std::collections::BTreeMap;

use lawful_syntax::{File, FileId, Sources, Span};

use super::render::{Origin, Section};
use crate::book::{Book, Part};

/// The values of the Nickel files of a book. Lines end in `\n`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evaluated {
    /// The strings of core and persona files, by path in the book.
    pub texts: BTreeMap<String, String>,
    /// The record: the prompt of each role.
    pub roles: BTreeMap<String, String>,
}

/// The lines of Nickel files, by text.
pub(super) struct Written<'b> {
    lines: BTreeMap<&'b str, Occurrences>,
    /// The lines of each file, in order.
    files: BTreeMap<FileId, Vec<&'b str>>,
    /// The only line of a file without imports, which must contain its whole string.
    only_lines: BTreeMap<FileId, usize>,
}

/// Where lines with one text are.
#[derive(Default)]
struct Occurrences {
    count: usize,
    /// The first such line in each file.
    first: BTreeMap<FileId, usize>,
}

impl<'b> Written<'b> {
    pub(super) fn of(book: &'b Book) -> Self {
        let mut written =
            Self { lines: BTreeMap::new(), files: BTreeMap::new(), only_lines: BTreeMap::new() };
        // Pages have their own line places; all other files were read for Nickel.
        let files = book
            .documents
            .iter()
            .filter(|document| document.part == Part::Conditioning && document.page.is_none());
        for document in files {
            written.add(document.file, text_of(&book.sources, document.file));
        }
        written
    }

    fn add(&mut self, file: FileId, text: &'b str) {
        let mut lines: Vec<&str> = Vec::new();
        let mut filled: Vec<usize> = Vec::new();
        for (at, line) in text.lines().enumerate() {
            lines.push(said(line));
            if !line.trim().is_empty() {
                filled.push(at + 1);
                let occurrences = self.lines.entry(said(line)).or_default();
                occurrences.count += 1;
                occurrences.first.entry(file).or_insert(at + 1);
            }
        }
        self.files.insert(file, lines);
        if let ([only], false) = (filled.as_slice(), text.contains("import")) {
            self.only_lines.insert(file, *only);
        }
    }

    /// The sections of a text that starts at an offset: one for each run of lines of one file. Of
    /// several lines with the same text, one in `home` is preferred, or the one that follows the
    /// previous line.
    pub(super) fn sections(
        &self,
        text: &str,
        offset: usize,
        origin: Origin,
        home: Option<FileId>,
    ) -> Vec<Section> {
        let mut out: Vec<Section> = Vec::new();
        let mut start = offset;
        let mut before: Option<(FileId, usize)> = None;
        for line in text.split('\n') {
            let next = before.map(|(file, number)| (file, number + 1));
            let place = if line.trim().is_empty() { next } else { self.find(line, next, home) };
            let end = start + line.len();
            let file = place.map(|(file, _)| file);
            let number = place.map_or(1, |(_, number)| number);
            match out.last_mut().filter(|section| section.file == file) {
                Some(section) => {
                    section.range.end = end;
                    section.lines.get_or_insert_default().push(number);
                }
                None => out.push(Section {
                    origin,
                    file,
                    range: start..end,
                    first_line: number,
                    lines: Some(vec![number]),
                }),
            }
            before = place;
            start = end + 1;
        }
        out
    }

    fn find(
        &self,
        line: &str,
        next: Option<(FileId, usize)>,
        home: Option<FileId>,
    ) -> Option<(FileId, usize)> {
        let said = said(line);
        let reads_on = |(file, number): &(FileId, usize)| {
            let at = number.checked_sub(1)?;
            (*self.files.get(file)?.get(at)? == said).then_some(())
        };
        if let Some(next) = next.filter(|next| reads_on(next).is_some()) {
            return Some(next);
        }
        let known = self.lines.get(said);
        let at_home = home.and_then(|home| {
            let number = known.and_then(|known| known.first.get(&home));
            Some((home, *number.or_else(|| self.only_lines.get(&home))?))
        });
        let only = || {
            let known = known.filter(|known| known.count == 1)?;
            known.first.first_key_value().map(|(file, number)| (*file, *number))
        };
        at_home.or_else(only)
    }
}

/// Where a Nickel file defines fields, found by scanning its text.
#[derive(Debug)]
pub struct RecordFields<'s> {
    file: FileId,
    starts: BTreeMap<&'s str, usize>,
}

impl<'s> RecordFields<'s> {
    /// Scans the text once for every name before a `=`, `|` or `:`.
    pub fn of(sources: &'s Sources, file: FileId) -> Self {
        let text = text_of(sources, file);
        let mut starts = BTreeMap::new();
        let mut note = |start: usize, end: usize| {
            let after = text.get(end..).unwrap_or_default();
            let after = after.strip_prefix('"').unwrap_or(after).trim_start();
            if let (true, Some(name)) = (after.starts_with(['=', '|', ':']), text.get(start..end)) {
                starts.entry(name).or_insert(start);
            }
        };
        let joins = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        let mut name = None;
        let mut quoted: Option<usize> = None;
        for (at, c) in text.char_indices() {
            if joins(c) {
                name.get_or_insert(at);
                continue;
            }
            if let Some(start) = name.take() {
                note(start, at);
            }
            if c == '"' {
                if let Some(start) = quoted {
                    note(start, at);
                }
                quoted = Some(at + 1);
            } else if c == '\n' {
                quoted = None;
            }
        }
        Self { file, starts }
    }

    /// Where a field is first defined.
    pub fn get(&self, name: &str) -> Option<Span> {
        let start = *self.starts.get(name)?;
        Some(Span::new(self.file, start, start + name.len()))
    }
}

/// The text of a line, without indentation and quotes.
fn said(line: &str) -> &str {
    line.trim().trim_matches('"')
}

fn text_of(sources: &Sources, file: FileId) -> &str {
    sources.file(file).map_or("", File::text)
}
