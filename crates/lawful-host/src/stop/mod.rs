//! The stop hook: may the agent stop?
//!
//! A harness that gets no answer, or one it does not understand, lets the agent stop. So every
//! failure here (no lawbook, input that is not an event, a bug) becomes an answer in the harness's
//! protocol. If the work could not be verified, the answer is a block, unless the lawbook says
//! otherwise.
//!
//! **Invariant:** an agent is blocked only a limited number of times in a row. If the blocks cannot
//! be counted, the limit is one.

mod judge;
mod problem;
mod quote;
mod reason;

use std::fmt::Write as _;
use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use lawful::book::{self, Source as _, SourceError, StopHook, Undecided, read_from};
use lawful::syntax::Diagnostic;
use lawful::{Verb, blocks};
use lawful_deliver::{Answer, Hook as Harness, LONGEST_EVENT, State, StopEvent, read_stop};

use crate::failure::Failure;
use crate::lawbook::{self, find_from};
use crate::observe::{Place, gather, root};
use crate::verify::{NAME, ObservedFacts};
use crate::workspace::Workspace;
use judge::{Outcome as Judged, judge};
pub(crate) use problem::first as first_problem;
pub(crate) use quote::quote;
pub(crate) use reason::{let_go, undecided as undecided_reason};

/// The request of a stop hook.
#[derive(Clone, Copy, Debug)]
pub struct StopRequest {
    /// The harness that asks.
    pub harness: &'static Harness,
    /// What to do if there is no lawbook.
    pub undecided: Undecided,
}

/// The decision, before blocks are counted.
pub(crate) struct Decision {
    pub(crate) outcome: Outcome,
    /// The maximal number of blocks in a row.
    pub(crate) blocks: u64,
}

/// Whether the agent may stop.
pub(crate) enum Outcome {
    /// The agent may stop.
    Pass,
    /// The agent may stop although nothing was decided. The user gets the reason.
    Allow(String),
    /// The agent must continue, and gets the reason.
    Block(String),
}

/// The time limit for everything. A harness waits no longer than [`Harness::PATIENCE`], and then
/// lets the agent stop.
const PATIENCE: Duration = Duration::from_secs(Harness::PATIENCE - 30);

const BUG: &str = "lawful has a bug; see standard error";

impl Workspace {
    /// Decides whether an agent may stop. `event` is what the harness writes to its hook. Failures
    /// are part of the answer.
    pub fn stop(&self, request: StopRequest, event: impl Read) -> Answer {
        let answer = catch_unwind(AssertUnwindSafe(|| answer(self, request, event)));
        answer.unwrap_or_else(|_| Answer::Block(reason::undecided(BUG)))
    }
}

fn answer(workspace: &Workspace, request: StopRequest, event: impl Read) -> Answer {
    let bytes = read_from(event, LONGEST_EVENT).map_err(|error| error.to_string());
    let event = bytes.and_then(|bytes| read_stop(request.harness, &bytes));
    // Catch a bug in judging here, so that it counts as a block like any other.
    let decided = catch_unwind(AssertUnwindSafe(|| match &event {
        Ok(event) => decide(workspace, request, event),
        Err(why) => undecided(why, &request.without_book()),
    }));
    let decision = decided.unwrap_or_else(|_| undecided(BUG, &request.without_book()));
    // Without an event there is no session: all such blocks share one counter.
    let event = event.unwrap_or_default();
    count(decision, request.harness, &event, workspace.state().ok().as_ref())
}

impl StopRequest {
    /// The settings if there is no lawbook.
    fn without_book(&self) -> StopHook {
        StopHook { undecided: self.undecided, ..StopHook::default() }
    }
}

/// Judges the work by the lawbook.
pub(crate) fn decide(workspace: &Workspace, request: StopRequest, event: &StopEvent) -> Decision {
    let deadline = Instant::now() + PATIENCE;
    let opened = book_of(workspace, request, event).and_then(|folder| lawbook::open(&folder));
    let opened = match opened {
        Ok(opened) => opened,
        Err(failure) => {
            let why = problem::first(&failure.problems, &failure.sources);
            return undecided(&why, &request.without_book());
        }
    };
    let (book, source) = (&opened.book, &opened.source);
    let stops = |problem: &&Diagnostic| blocks(Verb::Stop, book, problem);
    if let Some(problem) = opened.problems.iter().find(stops) {
        let why = problem::first(std::slice::from_ref(problem), &book.sources);
        return undecided(&why, &request.without_book());
    }
    let hook = book.manifest.hooks.stop.clone();
    let again = command(&opened.folder, event, &hook);
    let place = format!("{}/{NAME}", hook.envelope);
    // Commands can take minutes, and are useless without an envelope. Read only a regular file: a
    // pipe could block until the harness gives up.
    let envelope = match source.read(&place, book.manifest.limits.document.bytes) {
        Ok(envelope) => envelope,
        Err(SourceError::Missing) => {
            return block(reason::no_envelope(&source.shown(&place), &again), &hook);
        }
        // The envelope is the agent's, and so are its errors.
        Err(error) => {
            let why = format!("cannot read `{place}`: {error}");
            return block(reason::unsound(&[why], &again), &hook);
        }
    };
    let mut observed: Option<ObservedFacts> = None;
    if !hook.observe.is_empty() {
        let root = root(&opened.folder);
        let place = Place { root: &root, reports: &root, deadline: Some(deadline) };
        match gather(&hook.observe, Some(&book.manifest), &place) {
            Ok(seen) => observed = Some(seen.into()),
            Err(failure) => {
                return undecided(&problem::first(&failure.problems, &failure.sources), &hook);
            }
        }
    }
    let judged = within(deadline, move || judge(opened, (&place, &envelope), observed.as_ref()));
    match judged {
        None => undecided(TOO_LONG, &hook),
        Some(Judged::Pass) => Decision { outcome: Outcome::Pass, blocks: hook.blocks },
        Some(Judged::Fail(lines)) => block(reason::failed(&lines, &again), &hook),
        Some(Judged::Unsound(lines)) => block(reason::unsound(&lines, &again), &hook),
        Some(Judged::Unobserved(lines)) => without_answer(reason::unobserved(&lines), &hook),
        Some(Judged::Undecided(why)) => undecided(&why, &hook),
    }
}

const TOO_LONG: &str = "judging the envelope takes longer than the harness waits (shorten the \
                        envelope or simplify the rulespec)";

/// The stack size of the main thread, which would do the work otherwise.
const STACK: usize = 8 << 20;

/// Returns the result of some work, unless it takes too long. Then the thread is abandoned, and
/// ends with the process.
fn within<T: Send + 'static>(
    deadline: Instant,
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let (sender, done) = mpsc::channel();
    let worker = thread::Builder::new().stack_size(STACK).spawn(move || {
        // Nobody receives the result after the time limit.
        let _ = sender.send(work());
    });
    let worker = worker.ok()?;
    match done.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
        Ok(answer) => Some(answer),
        Err(RecvTimeoutError::Timeout) => None,
        // The worker panicked: a bug, which is reported where bugs are.
        Err(RecvTimeoutError::Disconnected) => match worker.join() {
            Ok(()) => None,
            Err(bug) => resume_unwind(bug),
        },
    }
}

/// The lawbook folder: the given one, or the nearest above the project. The project that the
/// harness names takes precedence over the agent's working directory, because an agent can change
/// to the directory of another lawbook.
fn book_of(
    workspace: &Workspace,
    request: StopRequest,
    event: &StopEvent,
) -> Result<PathBuf, Failure> {
    if workspace.has_book() {
        return workspace.folder();
    }
    let project = request.harness.project_variable();
    let project = project.and_then(|name| workspace.variable(name)).map(PathBuf::from);
    let start = project.filter(|folder| folder.is_dir()).or_else(|| event.folder.clone());
    find_from(start.as_deref().unwrap_or(workspace.start()), None)
}

/// The command with which the agent writes an envelope, from its working directory.
fn command(folder: &Path, event: &StopEvent, hook: &StopHook) -> String {
    let mut command = String::from("lawful envelope write --facts -");
    if !hook.observe.is_empty() {
        command.push_str(" --observe");
    }
    let here = event.folder.as_deref().unwrap_or(Path::new("."));
    let found = here.canonicalize().ok().and_then(|here| book::find(&here).ok());
    let real = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    if found.as_ref() != Some(&real) {
        let _ = write!(command, " --book {}", quote(&real.display().to_string()));
    }
    command
}

fn block(reason: String, hook: &StopHook) -> Decision {
    Decision { outcome: Outcome::Block(reason), blocks: hook.blocks }
}

fn undecided(why: &str, hook: &StopHook) -> Decision {
    without_answer(reason::undecided(why), hook)
}

/// What the lawbook says to do if nothing can be decided.
fn without_answer(reason: String, hook: &StopHook) -> Decision {
    let outcome = match hook.undecided {
        Undecided::Block => Outcome::Block(reason),
        Undecided::Allow => Outcome::Allow(reason),
    };
    Decision { outcome, blocks: hook.blocks }
}

/// The answer, with blocks counted and the limit applied.
fn count(
    decision: Decision,
    harness: &Harness,
    event: &StopEvent,
    state: Option<&State>,
) -> Answer {
    let set = |blocks: u64| {
        state.is_some_and(|state| state.set_blocks(harness.id, &event.session, blocks).is_ok())
    };
    let reason = match decision.outcome {
        Outcome::Block(reason) => reason,
        // If the counter cannot be reset, the next session only gets fewer blocks.
        Outcome::Pass => {
            set(0);
            return Answer::Pass;
        }
        Outcome::Allow(message) => {
            set(0);
            return Answer::Say(message);
        }
    };
    let before = state.and_then(|state| state.blocks(harness.id, &event.session).ok());
    let counted = match before {
        Some(blocks) if blocks >= decision.blocks => {
            set(0);
            return Answer::Say(reason::let_go(blocks, &reason));
        }
        Some(blocks) => set(blocks + 1),
        None => false,
    };
    // If nothing can be stored, the harness at least says whether this is the first time.
    if counted || !event.continuing {
        Answer::Block(reason)
    } else {
        Answer::Say(reason::let_go(1, &reason))
    }
}

#[cfg(test)]
mod tests;
