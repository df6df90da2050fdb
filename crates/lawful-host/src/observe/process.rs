//! Programs that an observation runs: in their own process group, with a time limit.
//!
//! **Invariant:** no process that a program left in its group outlives it, whether the program
//! ended, reached the time limit, or we were interrupted.

use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use super::group;

/// How a program ended, and how long it took.
pub(crate) struct Ended {
    /// `None` if it reached the time limit and was killed.
    pub(crate) status: Option<ExitStatus>,
    pub(crate) took: Duration,
}

/// The output of a program.
pub(crate) struct Printed {
    pub(crate) ended: Ended,
    /// Standard output; `None` if it exceeds the limit.
    pub(crate) output: Option<Vec<u8>>,
    /// The beginning of standard error.
    pub(crate) error: String,
}

/// Runs a program whose output goes to our standard error.
pub(crate) fn run(mut command: Command, limit: Duration) -> io::Result<Ended> {
    command.stdin(Stdio::null()).stdout(io::stderr()).stderr(io::stderr());
    let start = Instant::now();
    let mut child = group::spawn(&mut command)?;
    wait(&mut child, start, limit)
}

/// Runs a program and captures its output, up to a number of bytes.
pub(crate) fn print(mut command: Command, limit: Duration, bytes: usize) -> io::Result<Printed> {
    /// The part of standard error that is kept for the error message.
    const SAID: usize = 4096;
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let start = Instant::now();
    let mut child = group::spawn(&mut command)?;
    let output = child.stdout.take().map(|pipe| thread::spawn(move || read(pipe, bytes)));
    let error = child.stderr.take().map(|pipe| thread::spawn(move || read(pipe, SAID)));
    let ended = wait(&mut child, start, limit)?;
    let join = |reader: Option<thread::JoinHandle<(Vec<u8>, bool)>>| {
        reader.and_then(|reader| reader.join().ok()).unwrap_or((Vec::new(), false))
    };
    let (output, whole) = join(output);
    let (error, _) = join(error);
    let error = String::from_utf8_lossy(&error).trim().to_owned();
    Ok(Printed { ended, output: whole.then_some(output), error })
}

/// Reads a pipe to its end. Returns at most `keep` bytes, and whether that was all.
fn read(mut pipe: impl Read, keep: usize) -> (Vec<u8>, bool) {
    let mut kept = Vec::new();
    let limit = u64::try_from(keep).unwrap_or(u64::MAX);
    let read = pipe.by_ref().take(limit).read_to_end(&mut kept);
    // Read and discard the rest, so that the program does not block.
    let more = io::copy(&mut pipe, &mut io::sink());
    (kept, read.is_ok() && matches!(more, Ok(0)))
}

/// Waits for the end. Only this thread reaps the child, so its process id is not reused before
/// that.
fn wait(child: &mut Child, start: Instant, limit: Duration) -> io::Result<Ended> {
    let (sender, ended) = mpsc::channel();
    let watcher = group::watch(child, move || {
        // Nobody receives this after the time limit.
        let _ = sender.send(());
    });
    let left = limit.saturating_sub(start.elapsed());
    let in_time = ended.recv_timeout(left).is_ok();
    let took = start.elapsed();
    group::kill(child);
    let status = child.wait()?;
    let _ = watcher.join();
    Ok(Ended { status: in_time.then_some(status), took })
}
