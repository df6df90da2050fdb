//! The sources of many envelopes: files, folders, and files with one envelope per line.
//!
//! Lines are read in batches of whole lines, so that memory use does not depend on the length of a
//! file. A line longer than the limit for a document is skipped and reported.

use std::io::{self, BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use lawful::Value;

use super::id::leading_id;
use super::source::{Opened, Watch, is_lines, open};

/// What is judged in one go.
pub(super) enum Batch {
    /// A separate document.
    Document(PathBuf),
    /// Lines of a file, the first of which has this number.
    Lines { file: Arc<str>, first: usize, bytes: Vec<u8> },
    /// A line that exceeds the limit, and its `id` if it starts with it.
    LongLine { file: Arc<str>, line: usize, id: Option<Value> },
    /// A file, or the rest of it from a line on, that cannot be read, and why.
    Unreadable { file: Arc<str>, line: usize, why: String },
}

/// The place where an interrupted run can be continued.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoppedAt {
    /// The first file that was not read to its end.
    pub file: String,
    /// The first line that was not judged.
    pub line: usize,
}

/// The approximate size of a batch in bytes.
const BATCH: usize = 256 * 1024;

/// The batches of all given paths, in order.
pub(super) struct Batches {
    /// Paths still to read, last first.
    waiting: Vec<PathBuf>,
    open: Option<Lines>,
    longest: usize,
    /// The first line to judge of the first file with lines.
    from: usize,
    /// The first file with lines, and how many it has, once it was read to its end.
    first: Option<WholeFile>,
    watch: Watch,
}

/// A file that was read to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WholeFile {
    pub(super) file: Arc<str>,
    /// The number of its lines.
    pub(super) lines: usize,
}

struct Lines {
    file: Arc<str>,
    reader: BufReader<Box<dyn Read + Send>>,
    /// Whether the bytes of the file are fewer than those that were read from it.
    compressed: bool,
    /// The number of the next line.
    line: usize,
    /// A line over the limit, to be reported next.
    long: Option<(usize, Option<Value>)>,
    /// Why the rest cannot be read, to be reported last.
    broken: Option<io::Error>,
    /// Whether nothing more is read.
    ended: bool,
}

impl Batches {
    pub(super) fn new(paths: &[PathBuf], longest: usize, from: usize, watch: Watch) -> Self {
        let waiting = paths.iter().rev().cloned().collect();
        Self { waiting, open: None, longest, from, first: None, watch }
    }

    /// The place of the next batch; `None` at the end.
    pub(super) fn position(&self) -> Option<StoppedAt> {
        match (&self.open, self.waiting.last()) {
            (Some(lines), _) => Some(StoppedAt { file: lines.file.to_string(), line: lines.line }),
            (None, Some(next)) => Some(StoppedAt { file: name(next).to_string(), line: 1 }),
            (None, None) => None,
        }
    }

    /// The first file with lines, if it was read to its end.
    pub(super) fn first(&self) -> Option<&WholeFile> {
        self.first.as_ref()
    }

    /// The number of bytes of the input up to the end of the last batch. Of a compressed file it
    /// includes what was read ahead.
    pub(super) fn consumed(&self) -> u64 {
        let plain = self.open.as_ref().filter(|lines| !lines.compressed);
        let ahead = plain.map_or(0, |lines| lines.reader.buffer().len());
        self.watch.read.load(Ordering::Relaxed).saturating_sub(ahead as u64)
    }

    fn start(&mut self, path: &Path) -> io::Result<()> {
        let Opened { reader, compressed } = open(path, &self.watch)?;
        let reader = BufReader::with_capacity(BATCH, reader);
        let (file, line) = (name(path), 1);
        let mut lines =
            Lines { file, reader, compressed, line, long: None, broken: None, ended: false };
        let from = std::mem::replace(&mut self.from, 1);
        while lines.line < from && !lines.ended {
            match lines.skip_line() {
                Ok(true) => lines.line += 1,
                Ok(false) => lines.ended = true,
                Err(error) if self.watch.is_interrupted() => return Err(error),
                Err(error) => (lines.broken, lines.ended) = (Some(error), true),
            }
        }
        self.open = Some(lines);
        Ok(())
    }

    /// Ends the open file.
    fn close(&mut self) {
        if let (Some(lines), None) = (self.open.take(), &self.first) {
            self.first = Some(WholeFile { file: lines.file, lines: lines.line - 1 });
        }
    }
}

/// The name of a path in results.
pub(super) fn name(path: &Path) -> Arc<str> {
    if path == Path::new("-") { "standard input".into() } else { path.display().to_string().into() }
}

impl Iterator for Batches {
    type Item = Batch;

    fn next(&mut self) -> Option<Batch> {
        let unreadable = |path: &Path, error: &io::Error| {
            Some(Batch::Unreadable { file: name(path), line: 1, why: error.to_string() })
        };
        loop {
            if self.watch.is_interrupted() {
                return None;
            }
            if let Some(lines) = &mut self.open {
                match lines.batch(self.longest) {
                    // The interrupt ended the wait for input, which says nothing about the file.
                    None | Some(Batch::Unreadable { .. }) if self.watch.is_interrupted() => {
                        return None;
                    }
                    None => self.close(),
                    batch => return batch,
                }
                continue;
            }
            let path = self.waiting.pop()?;
            if path.is_dir() {
                match envelopes_in(&path) {
                    Ok(inside) => self.waiting.extend(inside.into_iter().rev()),
                    Err(error) => return unreadable(&path, &error),
                }
            } else if is_lines(&path) || path == Path::new("-") {
                match self.start(&path) {
                    Ok(()) => {}
                    // Not counted, so it is where to go on.
                    Err(_) if self.watch.is_interrupted() => self.waiting.push(path),
                    Err(error) => return unreadable(&path, &error),
                }
            } else {
                let size = path.metadata().map_or(0, |metadata| metadata.len());
                self.watch.read.fetch_add(size, Ordering::Relaxed);
                return Some(Batch::Document(path));
            }
        }
    }
}

/// The envelopes and folders in a folder, sorted by name; names with a leading dot are ignored.
fn envelopes_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        let kinds = ["yaml", "yml", "json"];
        let document = path
            .extension()
            .is_some_and(|extension| kinds.iter().any(|kind| extension.eq_ignore_ascii_case(kind)));
        // A link to a folder could be a cycle.
        let real_folder = path.is_dir() && !path.is_symlink();
        let envelope = (document || is_lines(&path)) && path.is_file();
        if !hidden && (real_folder || envelope) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

impl Lines {
    /// The next lines, up to about the size of a batch. What was read before an error is a batch,
    /// and the error is the next one.
    fn batch(&mut self, longest: usize) -> Option<Batch> {
        if let Some(batch) = self.pending() {
            return Some(batch);
        }
        if self.ended {
            return None;
        }
        let first = self.line;
        let mut bytes = Vec::with_capacity(BATCH + 4096);
        while bytes.len() < BATCH {
            let start = bytes.len();
            match self.line(longest, &mut bytes) {
                Ok(true) => self.line += 1,
                Ok(false) => break,
                Err(error) => {
                    bytes.truncate(start);
                    self.broken = Some(error);
                    self.ended = true;
                    break;
                }
            }
            if self.long.is_some() {
                bytes.truncate(start);
                break;
            }
            // More would be waited for, and what a pipe has sent is to be judged now.
            if !self.reader.buffer().contains(&b'\n') {
                break;
            }
        }
        if bytes.is_empty() {
            return self.pending();
        }
        Some(Batch::Lines { file: Arc::clone(&self.file), first, bytes })
    }

    /// What is to be reported before the next lines.
    fn pending(&mut self) -> Option<Batch> {
        let file = Arc::clone(&self.file);
        if let Some((line, id)) = self.long.take() {
            return Some(Batch::LongLine { file, line, id });
        }
        let why = self.broken.take()?.to_string();
        Some(Batch::Unreadable { file, line: self.line, why })
    }

    /// Reads a line; false at the end.
    fn line(&mut self, longest: usize, bytes: &mut Vec<u8>) -> io::Result<bool> {
        let start = bytes.len();
        let mut limited = (&mut self.reader).take(longest as u64 + 1);
        if limited.read_until(b'\n', bytes)? == 0 {
            return Ok(false);
        }
        if bytes.last() != Some(&b'\n') && bytes.len() - start > longest {
            let id = leading_id(bytes.get(start..).unwrap_or_default());
            self.skip_line()?;
            self.long = Some((self.line, id));
        }
        Ok(true)
    }

    /// Skips the rest of a line; false at the end of the file.
    fn skip_line(&mut self) -> io::Result<bool> {
        let mut some = false;
        loop {
            let buffer = self.reader.fill_buf()?;
            if buffer.is_empty() {
                return Ok(some);
            }
            some = true;
            let end = buffer.iter().position(|byte| *byte == b'\n');
            let used = end.map_or(buffer.len(), |end| end + 1);
            self.reader.consume(used);
            if end.is_some() {
                return Ok(true);
            }
        }
    }
}
