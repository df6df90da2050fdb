//! A child that runs: what is said to it, what is heard from it, and why it fell silent.
//!
//! **Invariant:** hearing ends. A child that does not answer in its time is ended, and one that ended
//! by itself is asked how: the system and its last words name the limit that it reached.

use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Instant;

use lawful::syntax::escape;

use crate::limits::Limits;
use crate::protocol::Greeting;

/// Why a child did not answer.
pub(crate) enum Silence {
    /// There is no such program; where it was looked for, if that is known.
    Absent(Option<PathBuf>),
    /// It speaks another version of the protocol.
    OtherVersion(Greeting),
    /// It reached a limit.
    Limit(String),
    /// Something else.
    Failed(String),
}

/// What is heard from a child.
enum Heard {
    /// A line.
    Line(String),
    /// More than it may say.
    TooMuch,
}

/// A child that runs; it is gone when this is.
pub(crate) struct Running {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Heard>,
    errors: Receiver<String>,
    limits: Limits,
    deadline: Instant,
}

impl Running {
    pub(crate) fn new(mut child: Child, limits: &Limits) -> Self {
        let input = child.stdin.take();
        let (to_lines, lines) = sync_channel(1);
        let (to_errors, errors) = sync_channel(1);
        if let Some(output) = child.stdout.take() {
            let most = limits.answer as u64;
            std::thread::spawn(move || read_lines(output, most, &to_lines));
        }
        if let Some(output) = child.stderr.take() {
            std::thread::spawn(move || read_errors(output, &to_errors));
        }
        let deadline = Instant::now() + limits.wall;
        Self { child, input, lines, errors, limits: *limits, deadline }
    }

    /// Says something. A child that does not listen has ended, and hearing tells why.
    pub(crate) fn say<T: serde::Serialize>(&mut self, message: &T) {
        let Some(input) = &mut self.input else { return };
        if let Ok(mut line) = serde_json::to_vec(message) {
            line.push(b'\n');
            let _ = input.write_all(&line).and_then(|()| input.flush());
        }
    }

    pub(crate) fn hear<T: serde::de::DeserializeOwned>(&mut self) -> Result<T, Silence> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        match self.lines.recv_timeout(left) {
            Ok(Heard::TooMuch) => {
                let most = escape::bytes(self.limits.answer);
                Err(Silence::Limit(format!("{most} for the answer")))
            }
            Ok(Heard::Line(line)) => serde_json::from_str(&line)
                .map_err(|error| Silence::Failed(format!("it said what was not agreed: {error}"))),
            Err(RecvTimeoutError::Timeout) => {
                let seconds = self.limits.wall.as_secs_f64();
                Err(Silence::Limit(format!("{seconds} seconds by the clock")))
            }
            Err(RecvTimeoutError::Disconnected) => {
                // Its output is closed, so it is about to end, or stuck where it cannot go on.
                let left = self.deadline.saturating_duration_since(Instant::now());
                let said = self.errors.recv_timeout(left).unwrap_or_default();
                let _ = self.child.kill();
                match self.child.wait() {
                    Ok(status) => Err(silence(status, &said, &self.limits)),
                    Err(error) => Err(Silence::Failed(error.to_string())),
                }
            }
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Why a child ended, by how it ended and what it said last.
fn silence(status: ExitStatus, said: &str, limits: &Limits) -> Silence {
    let memory = || Silence::Limit(format!("{} of memory", escape::bytes(memory(limits))));
    let nesting = "the stack, with expressions nested too deeply or recursion without end";
    let has = |words: &str| said.contains(words);
    match signal(status) {
        Some(Ended::ProcessorTime) => {
            let unit = if limits.cpu == 1 { "second" } else { "seconds" };
            Silence::Limit(format!("{} {unit} of processor time", limits.cpu))
        }
        _ if has("memory allocation of") || has("out of memory") => memory(),
        _ if has("has overflowed its stack") => Silence::Limit(nesting.to_owned()),
        Some(Ended::Segment) => Silence::Limit(nesting.to_owned()),
        Some(Ended::Other) | None => {
            let last = said.lines().rev().find(|line| !line.trim().is_empty());
            let last =
                last.map_or_else(String::new, |line| format!(", saying `{}`", escape::name(line)));
            Silence::Failed(format!("it ended with {status}{last}"))
        }
    }
}

fn memory(limits: &Limits) -> usize {
    usize::try_from(limits.memory).unwrap_or(usize::MAX)
}

/// The signals that say which limit was reached.
enum Ended {
    ProcessorTime,
    Segment,
    Other,
}

#[cfg(unix)]
fn signal(status: ExitStatus) -> Option<Ended> {
    use rustix::process::Signal;
    use std::os::unix::process::ExitStatusExt as _;
    let signal = status.signal()?;
    let is = |known: Signal| signal == known.as_raw();
    Some(if is(Signal::XCPU) {
        Ended::ProcessorTime
    } else if is(Signal::SEGV) || is(Signal::BUS) {
        Ended::Segment
    } else {
        Ended::Other
    })
}

#[cfg(not(unix))]
fn signal(_status: ExitStatus) -> Option<Ended> {
    None
}

/// Sends lines on until they end or are more than they may be.
fn read_lines(output: impl Read, most: u64, lines: &SyncSender<Heard>) {
    let mut reader = BufReader::new(output.take(most));
    let mut line = String::new();
    while reader.read_line(&mut line).is_ok_and(|read| read > 0 && line.ends_with('\n')) {
        if lines.send(Heard::Line(std::mem::take(&mut line))).is_err() {
            return;
        }
    }
    if reader.get_ref().limit() == 0 {
        let _ = lines.send(Heard::TooMuch);
    }
}

/// Sends the end of what is said, as far as it fits.
fn read_errors(output: impl Read, errors: &SyncSender<String>) {
    const MOST: u64 = 64 << 10;
    let mut said = Vec::new();
    let _ = output.take(MOST).read_to_end(&mut said);
    let _ = errors.send(String::from_utf8_lossy(&said).into_owned());
}
