//! The sources of many envelopes: files, folders, and `.jsonl` files with one envelope per line.
//!
//! A `.jsonl` file is read in batches of whole lines, so that memory use does not depend on its
//! length. A line longer than the limit for a document is skipped and reported.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

/// What is judged in one go.
pub(super) enum Batch {
    /// A separate document.
    Document(PathBuf),
    /// Lines of a file, the first of which has this number.
    Lines { file: PathBuf, first: usize, bytes: Vec<u8> },
    /// A line that exceeds the limit.
    LongLine { file: PathBuf, line: usize },
    /// A path that cannot be read, and why.
    Unreadable(PathBuf, String),
}

/// The approximate size of a batch in bytes.
const BATCH: usize = 256 * 1024;

/// The batches of all given paths, in order.
pub(super) struct Batches {
    /// Paths still to read, last first.
    waiting: Vec<PathBuf>,
    open: Option<Lines>,
    longest: usize,
}

struct Lines {
    file: PathBuf,
    reader: BufReader<File>,
    line: usize,
    /// A line over the limit, to be reported next.
    long: Option<usize>,
}

impl Batches {
    pub(super) fn new(paths: &[PathBuf], longest: usize) -> Self {
        let waiting = paths.iter().rev().cloned().collect();
        Self { waiting, open: None, longest }
    }
}

impl Iterator for Batches {
    type Item = Batch;

    fn next(&mut self) -> Option<Batch> {
        loop {
            if let Some(lines) = &mut self.open {
                match lines.batch(self.longest) {
                    Ok(Some(batch)) => return Some(batch),
                    Ok(None) => self.open = None,
                    Err(error) => {
                        let file = lines.file.clone();
                        self.open = None;
                        return Some(Batch::Unreadable(file, error.to_string()));
                    }
                }
            }
            let path = self.waiting.pop()?;
            if path.is_dir() {
                match envelopes_in(&path) {
                    Ok(inside) => self.waiting.extend(inside.into_iter().rev()),
                    Err(error) => return Some(Batch::Unreadable(path, error.to_string())),
                }
            } else if is_lines(&path) {
                match File::open(&path) {
                    Ok(file) => {
                        let reader = BufReader::with_capacity(BATCH, file);
                        self.open = Some(Lines { file: path, reader, line: 1, long: None });
                    }
                    Err(error) => return Some(Batch::Unreadable(path, error.to_string())),
                }
            } else {
                return Some(Batch::Document(path));
            }
        }
    }
}

/// Whether a file has one envelope per line, by its name.
pub fn is_lines(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("jsonl"))
}

/// The envelopes and folders in a folder, sorted by name; names with a leading dot are ignored.
fn envelopes_in(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        let kinds = ["yaml", "yml", "json", "jsonl"];
        let envelope = path
            .extension()
            .is_some_and(|extension| kinds.iter().any(|kind| extension.eq_ignore_ascii_case(kind)));
        // A link to a folder could be a cycle.
        let real_folder = path.is_dir() && !path.is_symlink();
        if !hidden && (real_folder || (envelope && path.is_file())) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

impl Lines {
    /// The next lines, up to about the size of a batch.
    fn batch(&mut self, longest: usize) -> std::io::Result<Option<Batch>> {
        if let Some(line) = self.long.take() {
            return Ok(Some(Batch::LongLine { file: self.file.clone(), line }));
        }
        let first = self.line;
        let mut bytes = Vec::with_capacity(BATCH + 4096);
        while bytes.len() < BATCH {
            let start = bytes.len();
            let mut limited = (&mut self.reader).take(longest as u64 + 1);
            if limited.read_until(b'\n', &mut bytes)? == 0 {
                break;
            }
            if bytes.last() != Some(&b'\n') && bytes.len() - start > longest {
                bytes.truncate(start);
                self.skip_line()?;
                self.long = Some(self.line);
                self.line += 1;
                break;
            }
            self.line += 1;
        }
        let file = self.file.clone();
        Ok(match (bytes.is_empty(), self.long) {
            (false, _) => Some(Batch::Lines { file, first, bytes }),
            (true, Some(_)) => self.long.take().map(|line| Batch::LongLine { file, line }),
            (true, None) => None,
        })
    }

    fn skip_line(&mut self) -> std::io::Result<()> {
        loop {
            let buffer = self.reader.fill_buf()?;
            let end = buffer.iter().position(|byte| *byte == b'\n');
            let used = end.map_or(buffer.len(), |end| end + 1);
            let done = end.is_some() || used == 0;
            self.reader.consume(used);
            if done {
                return Ok(());
            }
        }
    }
}
