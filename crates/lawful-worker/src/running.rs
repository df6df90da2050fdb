//! A running child: sending messages, receiving them, and finding out why it stopped answering.
//!
//! **Invariant:** receiving always ends. A child that does not answer in time is killed. If a child
//! exited, its exit status and the end of its standard error tell which limit it reached.

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
    /// The program does not exist; the path that was tried, if known.
    Absent(Option<PathBuf>),
    /// It has another version of the protocol.
    OtherVersion(Greeting),
    /// It reached a limit.
    Limit(String),
    /// Something else.
    Failed(String),
}

/// Output of a child.
enum Heard {
    /// A line.
    Line(String),
    /// The output exceeds the limit.
    TooMuch,
}

/// A running child, killed on drop.
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

    /// Sends a message. A child that does not read has exited; receiving tells why.
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
                .map_err(|error| Silence::Failed(format!("it sent an invalid message: {error}"))),
            Err(RecvTimeoutError::Timeout) => {
                let seconds = self.limits.wall.as_secs_f64();
                Err(Silence::Limit(format!("{seconds} seconds of wall-clock time")))
            }
            Err(RecvTimeoutError::Disconnected) => {
                // Its output is closed, so it is about to exit, or it hangs.
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

/// Why a child exited, from its status and its last output.
fn silence(status: ExitStatus, said: &str, limits: &Limits) -> Silence {
    let memory = || Silence::Limit(format!("{} of memory", escape::bytes(memory(limits))));
    let nesting = "the stack (deep nesting or infinite recursion)";
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
            let last = last.map_or_else(String::new, |line| {
                format!(", with the message `{}`", escape::name(line))
            });
            Silence::Failed(format!("it exited with {status}{last}"))
        }
    }
}

fn memory(limits: &Limits) -> usize {
    usize::try_from(limits.memory).unwrap_or(usize::MAX)
}

/// The signals that identify the limit that was reached.
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

/// Forwards lines until the end or the limit.
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

/// Forwards the end of the output, up to the limit.
fn read_errors(output: impl Read, errors: &SyncSender<String>) {
    const MOST: u64 = 64 << 10;
    let mut said = Vec::new();
    let _ = output.take(MOST).read_to_end(&mut said);
    let _ = errors.send(String::from_utf8_lossy(&said).into_owned());
}
