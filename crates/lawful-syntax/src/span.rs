//! Files and places in them.
//!
//! A [`Span`] is three numbers; its [`Sources`] convert it to a line and a column. Only
//! [`text`](crate::text) adds files, so every text here has no byte order mark, and its lines end
//! in `\n`.
//!
//! A table can follow another, as one load of a lawbook follows the previous one. A file then keeps
//! its id and shares its text; an id is never reused for another file.

use std::sync::Arc;

/// A file of a [`Sources`] table, and of the tables that follow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(u32);

/// A range of bytes in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// The first byte.
    pub start: u32,
    /// The byte after the last one.
    pub end: u32,
}

impl Span {
    /// No place, for values that a host builds in code.
    pub const NONE: Self = Self { file: FileId(u32::MAX), start: 0, end: 0 };

    /// The bytes `start..end` of a file.
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        let clamp = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Self { file, start: clamp(start), end: clamp(end.max(start)) }
    }

    /// The start of a file.
    pub fn start_of(file: FileId) -> Self {
        Self { file, start: 0, end: 0 }
    }

    /// From the start of this span to the end of another in the same file.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { end: other.end.max(self.end), ..self }
    }

    /// Whether another place is inside this one.
    pub fn holds(self, other: Self) -> bool {
        self.file == other.file && self.start <= other.start && other.end <= self.end
    }

    /// Whether this is an actual place.
    pub fn is_some(self) -> bool {
        self.file != Self::NONE.file
    }
}

/// A line and a column, both counted from 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

/// A named text with an index of its lines.
#[derive(Clone, Debug)]
pub struct File {
    name: String,
    text: String,
    line_starts: Vec<u32>,
    /// The number of lines before the text, if it is a part of a file.
    lines_before: usize,
}

impl File {
    fn new(name: String, text: String) -> Self {
        let mut line_starts = vec![0];
        for (at, byte) in text.bytes().enumerate() {
            if byte == b'\n' {
                line_starts.push(u32::try_from(at + 1).unwrap_or(u32::MAX));
            }
        }
        Self { name, text, line_starts, lines_before: 0 }
    }

    /// The name of the file, as the user knows it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text, with newlines normalised.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The line and column of a byte.
    pub fn position(&self, at: u32) -> Position {
        let line = self.line_of(at);
        let start = self.line_starts.get(line).copied().unwrap_or(0);
        let before = self.text.get(start as usize..at as usize).unwrap_or_default();
        Position { line: self.lines_before + line + 1, column: before.chars().count() + 1 }
    }

    /// The text of the line that contains a byte, without its newline, and where it starts.
    pub fn line_at(&self, at: u32) -> (u32, &str) {
        let line = self.line_of(at);
        let start = self.line_starts.get(line).copied().unwrap_or(0);
        let end = self
            .line_starts
            .get(line + 1)
            .map_or(self.text.len(), |next| (*next as usize).saturating_sub(1));
        (start, self.text.get(start as usize..end).unwrap_or_default())
    }

    fn line_of(&self, at: u32) -> usize {
        self.line_starts.partition_point(|start| *start <= at).saturating_sub(1)
    }
}

/// Every file that was read. Copies of a table share their texts, and what was
/// [settled](Sources::settle) costs nothing to copy.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// The first files, shared with copies of this table.
    settled: Arc<Vec<Slot>>,
    /// The files after them.
    files: Vec<Slot>,
}

/// An id without a file is reserved, or belonged to a file of an earlier table.
type Slot = Option<Arc<File>>;

impl Sources {
    /// An empty table that follows others: it reuses none of their ids.
    pub fn following(tables: &[&Self]) -> Self {
        let used = tables.iter().map(|table| table.len()).max().unwrap_or_default();
        Self { settled: Arc::default(), files: vec![None; used] }
    }

    /// Makes copies of this table cheap, however many files it has.
    pub fn settle(&mut self) {
        Arc::make_mut(&mut self.settled).append(&mut self.files);
    }

    fn len(&self) -> usize {
        self.settled.len() + self.files.len()
    }

    fn slot(&self, id: FileId) -> Option<&Slot> {
        let at = id.0 as usize;
        self.settled.get(at).or_else(|| self.files.get(at.checked_sub(self.settled.len())?))
    }

    fn slot_mut(&mut self, id: FileId) -> Option<&mut Slot> {
        let at = id.0 as usize;
        match at.checked_sub(self.settled.len()) {
            Some(at) => self.files.get_mut(at),
            None => Arc::make_mut(&mut self.settled).get_mut(at),
        }
    }

    /// Reserves an id for a file that is added later.
    pub fn reserve(&mut self) -> FileId {
        let id = FileId(u32::try_from(self.len()).unwrap_or(u32::MAX - 1));
        self.files.push(None);
        id
    }

    /// Adds a file that could not be read as text, so that a diagnostic can name it.
    pub fn add_unread(&mut self, name: impl Into<String>) -> FileId {
        let id = self.reserve();
        self.put_unread(id, name);
        id
    }

    /// Like [`add_unread`](Self::add_unread), under an existing id.
    pub fn put_unread(&mut self, id: FileId, name: impl Into<String>) {
        self.put(id, File::new(name.into(), String::new()));
    }

    pub(crate) fn put_text(&mut self, id: FileId, name: String, text: String) {
        self.put(id, File::new(name, text));
    }

    /// Takes a file over from a table that this one follows, under the same id. The text is shared;
    /// the name can differ.
    pub fn share(&mut self, before: &Self, id: FileId, name: &str) {
        let Some(Some(file)) = before.slot(id) else { return };
        if file.name == name {
            self.put(id, Arc::clone(file));
        } else {
            self.put(id, File { name: name.to_owned(), ..File::clone(file) });
        }
    }

    fn put(&mut self, id: FileId, file: impl Into<Arc<File>>) {
        if let Some(place) = self.slot_mut(id) {
            *place = Some(file.into());
        }
    }

    /// Declares that a text is a part of its file and starts at this line, counted from 1.
    pub fn starts_at_line(&mut self, id: FileId, line: usize) {
        if let Some(Some(file)) = self.slot_mut(id) {
            Arc::make_mut(file).lines_before = line.saturating_sub(1);
        }
    }

    /// A file by its id.
    pub fn file(&self, id: FileId) -> Option<&File> {
        self.slot(id)?.as_deref()
    }

    /// A line of a file, counted from 1, without its newline.
    pub fn line(&self, id: FileId, number: usize) -> Option<Span> {
        let file = self.file(id)?;
        let at = number.checked_sub(file.lines_before + 1)?;
        let (start, text) = file.line_at(*file.line_starts.get(at)?);
        Some(Span::new(id, start as usize, start as usize + text.len()))
    }

    /// The text under a span.
    pub fn slice(&self, span: Span) -> &str {
        self.file(span.file)
            .and_then(|file| file.text.get(span.start as usize..span.end as usize))
            .unwrap_or_default()
    }

    /// The file and position where a span starts.
    pub fn locate(&self, span: Span) -> Option<(&File, Position)> {
        let file = self.file(span.file)?;
        Some((file, file.position(span.start)))
    }
}
