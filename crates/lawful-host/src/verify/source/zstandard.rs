//! Zstandard streams.
//!
//! **Invariant:** everything that a damaged stream decodes to is returned before its error. The
//! decoder keeps the last bytes as a window for the next block, and gives them away only at the end
//! of a frame, so a damaged frame is ended for it.

use std::error::Error as _;
use std::io::{self, BufRead, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};

use lawful::syntax::escape;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::Damage;

/// The name of the format in messages.
const NAME: &str = "Zstandard";

/// All frames of a stream.
pub(super) struct Frames<R> {
    source: R,
    decoder: FrameDecoder,
    in_frame: bool,
    /// Why the rest cannot be read, to be returned after what was decoded.
    damage: Option<io::Error>,
}

impl<R: BufRead> Frames<R> {
    pub(super) fn new(source: R) -> Self {
        Self { source, decoder: FrameDecoder::new(), in_frame: false, damage: None }
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
                Err(error) => return Err(explain(&error)),
            };
            let copied = io::copy(&mut (&mut self.source).take(skipped), &mut io::sink())?;
            if copied < skipped {
                return Err(Damage::Cut.error(NAME));
            }
        }
    }

    /// Decodes blocks until there are this many bytes to collect, or the frame ends.
    fn decode(&mut self, wanted: usize) {
        let Self { source, decoder, .. } = self;
        while decoder.can_collect() < wanted && !decoder.is_finished() {
            let more = BlockDecodingStrategy::UptoBytes(wanted - decoder.can_collect());
            // The decoder asserts some properties of its input, which damaged data may not have.
            let decoded =
                catch_unwind(AssertUnwindSafe(|| decoder.decode_blocks(&mut *source, more)));
            let problem = match decoded {
                Ok(Ok(_)) => continue,
                Ok(Err(error)) => explain(&error),
                Err(_) => Damage::Corrupt.error(NAME),
            };
            self.damage = Some(problem);
            let _ = decoder.decode_blocks(&END[..], BlockDecodingStrategy::UptoBlocks(1));
            return;
        }
    }
}

/// An empty last block and a checksum that nobody compares: the frame is over, and all of it can be
/// collected.
const END: [u8; 7] = [1, 0, 0, 0, 0, 0, 0];

/// What is wrong, in words.
fn explain(error: &FrameDecoderError) -> io::Error {
    let invalid = |message: String| io::Error::new(io::ErrorKind::InvalidData, message);
    if let FrameDecoderError::WindowSizeTooBig { requested } = error {
        let window = escape::bytes(usize::try_from(*requested).unwrap_or(usize::MAX));
        return invalid(format!(
            "it needs a Zstandard window of {window}, and the limit is 100 MiB"
        ));
    }
    if let FrameDecoderError::DictNotProvided { dict_id } = error {
        return invalid(format!("it was compressed with the Zstandard dictionary {dict_id}"));
    }
    if matches!(
        error,
        FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::BadMagicNumber(_))
    ) {
        return Damage::OtherFormat.error(NAME);
    }
    let mut cause = error.source();
    while let Some(inner) = cause {
        if let Some(reading) = inner.downcast_ref::<io::Error>() {
            return if reading.kind() == io::ErrorKind::UnexpectedEof {
                Damage::Cut.error(NAME)
            } else {
                io::Error::new(reading.kind(), reading.to_string())
            };
        }
        cause = inner.source();
    }
    Damage::Corrupt.error(NAME)
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
            if self.damage.is_none() {
                self.decode(buffer.len());
            }
            let count = self.decoder.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            if let Some(damage) = self.damage.take() {
                return Err(damage);
            }
            // The decoder computes the checksum of a frame, but does not compare it.
            let expected = self.decoder.get_checksum_from_data();
            if expected.is_some() && expected != self.decoder.get_calculated_checksum() {
                return Err(Damage::Checksum.error(NAME));
            }
            self.in_frame = false;
        }
    }
}
