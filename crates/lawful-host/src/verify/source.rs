//! Files with one document per line, as streams of bytes: plain, gzip, Zstandard, standard input.
//!
//! A stream is decompressed as it is read, so memory use does not depend on its length. What can be
//! decoded of a damaged stream is returned before the error. A wait for input ends when the run is
//! interrupted.

mod gzip;
mod zstandard;

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::os::fd::AsFd as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use gzip::Members;
use zstandard::Frames;

/// What the reader of the input shares with the rest of a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Watch {
    /// Set to stop the run.
    pub(super) interrupt: Arc<AtomicBool>,
    /// The number of bytes read from files, before decompression.
    pub(super) read: Arc<AtomicU64>,
}

impl Watch {
    pub(super) fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed)
    }
}

/// How a file is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compression {
    None,
    Gzip,
    Zstandard,
}

/// Whether a file has one document per line, by its name: `.jsonl` or `.ndjson`, also with `.gz` or
/// `.zst`.
pub fn is_lines(path: &Path) -> bool {
    let name = lowercase_name(path);
    let (name, _) = compression(&name);
    [".jsonl", ".ndjson"].iter().any(|ending| name.ends_with(ending))
}

fn lowercase_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase()).unwrap_or_default()
}

fn compression(name: &str) -> (&str, Compression) {
    let endings = [(".gz", Compression::Gzip), (".zst", Compression::Zstandard)];
    let found = endings.iter().find_map(|(ending, kind)| Some((name.strip_suffix(ending)?, *kind)));
    found.unwrap_or((name, Compression::None))
}

/// The buffer for bytes from a file.
const BUFFER: usize = 64 * 1024;

/// Opens a file, decompressed. `-` is standard input.
///
/// The name says how a file is compressed. If it does not, the first bytes do, which tell a
/// compressed stream from text.
pub(super) fn open(path: &Path, watch: &Watch) -> io::Result<Opened> {
    let file = if path == Path::new("-") {
        File::from(io::stdin().as_fd().try_clone_to_owned()?)
    } else {
        File::open(path)?
    };
    let mut input = Input { file, watch: watch.clone() };
    let (start, compression) = match compression(&lowercase_name(path)).1 {
        Compression::None => first_bytes(&mut input)?,
        named @ (Compression::Gzip | Compression::Zstandard) => (Vec::new(), named),
    };
    let whole = Cursor::new(start).chain(input);
    let buffered = |input| BufReader::with_capacity(BUFFER, input);
    let reader: Box<dyn Read + Send> = match compression {
        Compression::None => Box::new(whole),
        Compression::Gzip => Box::new(Members::new(buffered(whole))),
        Compression::Zstandard => Box::new(Frames::new(buffered(whole))),
    };
    Ok(Opened { reader, compressed: compression != Compression::None })
}

/// A file to read.
pub(super) struct Opened {
    pub(super) reader: Box<dyn Read + Send>,
    /// Whether it is decompressed as it is read.
    pub(super) compressed: bool,
}

/// Reads the first bytes of a stream, and no more than needed to know how it is compressed: the
/// rest of a short line in a pipe may come much later.
fn first_bytes(input: &mut impl Read) -> io::Result<(Vec<u8>, Compression)> {
    const MAGIC: [(&[u8], Compression); 2] =
        [(b"\x1f\x8b", Compression::Gzip), (b"\x28\xb5\x2f\xfd", Compression::Zstandard)];
    let mut start = Vec::new();
    loop {
        if let Some((_, found)) = MAGIC.iter().find(|(magic, _)| *magic == start) {
            return Ok((start, *found));
        }
        let possible = MAGIC.iter().any(|(magic, _)| magic.starts_with(&start));
        let mut byte = [0];
        if !possible || input.read(&mut byte)? == 0 {
            return Ok((start, Compression::None));
        }
        start.extend(byte);
    }
}

/// Why compressed data cannot be read on.
#[derive(Clone, Copy, Debug)]
enum Damage {
    /// It ends too early.
    Cut,
    /// It is not what was compressed.
    Corrupt,
    /// Its checksum does not match.
    Checksum,
    /// It does not start as compressed data does.
    OtherFormat,
}

impl Damage {
    fn error(self, format: &str) -> io::Error {
        let message = match self {
            Self::Cut => format!("the {format} data ends early: the file is cut off"),
            Self::Corrupt => format!("the {format} data is damaged"),
            Self::Checksum => {
                format!("the {format} data is damaged: its checksum does not match")
            }
            Self::OtherFormat => format!("this is not {format} data"),
        };
        io::Error::new(io::ErrorKind::InvalidData, message)
    }
}

/// A file that is not waited for after an interrupt.
struct Input {
    file: File,
    watch: Watch,
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        const PATIENCE: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };
        loop {
            if self.watch.is_interrupted() {
                // Not `Interrupted`, which callers take as a request to try again.
                return Err(io::Error::other("interrupted"));
            }
            let mut files = [PollFd::new(&self.file, PollFlags::IN)];
            match poll(&mut files, Some(&PATIENCE)) {
                Ok(0) | Err(rustix::io::Errno::INTR) => {}
                // What is wrong with a file, reading it reports.
                Ok(_) | Err(_) => break,
            }
        }
        let count = self.file.read(buffer)?;
        self.watch.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

#[cfg(test)]
mod tests;
