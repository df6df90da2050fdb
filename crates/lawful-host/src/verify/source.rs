//! Files with one document per line, as streams of bytes: plain, gzip, Zstandard, standard input.
//!
//! A stream is decompressed as it is read, so memory use does not depend on its length. A wait for
//! input ends when the run is interrupted.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::os::fd::AsFd as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use flate2::bufread::MultiGzDecoder;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

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

/// How a file is compressed, by its name.
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
pub(super) fn open(path: &Path, watch: &Watch) -> io::Result<Box<dyn Read + Send>> {
    let file = if path == Path::new("-") {
        File::from(io::stdin().as_fd().try_clone_to_owned()?)
    } else {
        File::open(path)?
    };
    let input = Input { file, watch: watch.clone() };
    let buffered = |input| BufReader::with_capacity(BUFFER, input);
    Ok(match compression(&lowercase_name(path)).1 {
        Compression::None => Box::new(input),
        Compression::Gzip => Box::new(MultiGzDecoder::new(buffered(input))),
        Compression::Zstandard => Box::new(Frames::new(buffered(input))),
    })
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

/// All frames of a Zstandard stream.
struct Frames<R> {
    source: R,
    decoder: FrameDecoder,
    in_frame: bool,
}

impl<R: BufRead> Frames<R> {
    fn new(source: R) -> Self {
        Self { source, decoder: FrameDecoder::new(), in_frame: false }
    }

    /// Starts the next frame; false at the end of the stream.
    fn start(&mut self) -> io::Result<bool> {
        loop {
            if self.source.fill_buf()?.is_empty() {
                return Ok(false);
            }
            let skipped = match self.decoder.reset(&mut self.source) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => u64::from(length),
                Err(error) => return Err(invalid(&error)),
            };
            let copied = io::copy(&mut (&mut self.source).take(skipped), &mut io::sink())?;
            if copied < skipped {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
    }
}

fn invalid(error: &FrameDecoderError) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error.to_string())
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.in_frame {
                self.in_frame = self.start()?;
                if !self.in_frame {
                    return Ok(0);
                }
            }
            let decoder = &mut self.decoder;
            while decoder.can_collect() < buffer.len() && !decoder.is_finished() {
                let more = BlockDecodingStrategy::UptoBytes(buffer.len() - decoder.can_collect());
                decoder.decode_blocks(&mut self.source, more).map_err(|error| invalid(&error))?;
            }
            let count = decoder.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            // The decoder computes the checksum of a frame, but does not compare it.
            let expected = decoder.get_checksum_from_data();
            if expected.is_some() && expected != decoder.get_calculated_checksum() {
                let message = "the checksum of a Zstandard frame does not match";
                return Err(io::Error::new(io::ErrorKind::InvalidData, message));
            }
            self.in_frame = false;
        }
    }
}

#[cfg(test)]
mod tests;
