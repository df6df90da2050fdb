//! Programs that are run on behalf of an observation: in a group of their own, for a bounded time.
//!
//! **Invariant:** nothing that a program started and left in its group outlives it, whether it
//! ended, took too long, or we were told to stop.

use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use super::group;

/// How a program ended, and how long it took.
pub(crate) struct Ended {
    /// `None` if it took too long and was killed.
    pub(crate) status: Option<ExitStatus>,
    pub(crate) took: Duration,
}

/// What a program printed.
pub(crate) struct Printed {
    pub(crate) ended: Ended,
    /// Standard output; `None` if it is longer than it may be.
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

/// Runs a program and keeps what it prints, up to so many bytes.
pub(crate) fn print(mut command: Command, limit: Duration, bytes: usize) -> io::Result<Printed> {
    /// So much of standard error is enough to say what was wrong.
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

/// Everything from a pipe, of which so many bytes are kept, and whether that was all.
fn read(mut pipe: impl Read, keep: usize) -> (Vec<u8>, bool) {
    let mut kept = Vec::new();
    let limit = u64::try_from(keep).unwrap_or(u64::MAX);
    let read = pipe.by_ref().take(limit).read_to_end(&mut kept);
    // The rest is read and forgotten, so that the program does not wait for us.
    let more = io::copy(&mut pipe, &mut io::sink());
    (kept, read.is_ok() && matches!(more, Ok(0)))
}

/// Waits for the end. Only this thread reaps the child, so its number stays its own until then.
fn wait(child: &mut Child, start: Instant, limit: Duration) -> io::Result<Ended> {
    let (sender, ended) = mpsc::channel();
    let watcher = group::watch(child, move || {
        // Nobody listens once the time is over.
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
