//! Gzip streams.
//!
//! A decoder that finds damage discards what it decoded in the same call. So it gets its input in
//! small pieces: what is lost is at most what one of them decodes to.

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::MultiGzDecoder;

use super::Damage;

/// The name of the format in messages.
const NAME: &str = "gzip";

/// All members of a stream.
pub(super) struct Members<R> {
    decoder: MultiGzDecoder<Pieces<R>>,
    /// Why the rest cannot be read, to be returned after what was decoded.
    damage: Option<io::Error>,
}

impl<R: Read> Members<R> {
    pub(super) fn new(source: BufReader<R>) -> Self {
        Self { decoder: MultiGzDecoder::new(Pieces(source)), damage: None }
    }

    /// What is wrong, in words. Errors of the file itself stay as they are.
    fn explain(&self, error: io::Error) -> io::Error {
        let in_header = self.decoder.header().is_none();
        let kind = error.kind();
        if kind == io::ErrorKind::UnexpectedEof {
            Damage::Cut.error(NAME)
        } else if kind == io::ErrorKind::InvalidInput && in_header {
            Damage::OtherFormat.error(NAME)
        } else if matches!(kind, io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData) {
            Damage::Corrupt.error(NAME)
        } else {
            error
        }
    }
}

impl<R: Read> Read for Members<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(damage) = self.damage.take() {
            return Err(damage);
        }
        let mut count = 0;
        while let Some(rest) = buffer.get_mut(count..).filter(|rest| !rest.is_empty()) {
            match self.decoder.read(rest) {
                Ok(0) => break,
                Ok(more) => count += more,
                Err(error) if count > 0 => {
                    self.damage = Some(self.explain(error));
                    break;
                }
                Err(error) => return Err(self.explain(error)),
            }
            // More would be waited for.
            if self.decoder.get_ref().0.buffer().is_empty() {
                break;
            }
        }
        Ok(count)
    }
}

/// A reader that hands out its buffer in small pieces.
struct Pieces<R>(BufReader<R>);

/// The largest piece in bytes.
const PIECE: usize = 1024;

impl<R: Read> Read for Pieces<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl<R: Read> BufRead for Pieces<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let buffer = self.0.fill_buf()?;
        Ok(buffer.get(..PIECE).unwrap_or(buffer))
    }

    fn consume(&mut self, count: usize) {
        self.0.consume(count);
    }
}
