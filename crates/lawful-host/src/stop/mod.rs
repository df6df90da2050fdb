//! The stop hook: may the agent stop?
//!
//! A harness that hears nothing, or something it does not understand, lets the agent stop. So
//! whatever goes wrong here (no lawbook, input that is no event, a bug) becomes an answer in the
//! harness's own words, and where it cannot be told whether the work is good enough, the answer is
//! no unless the book says otherwise.
//!
//! **Invariant:** an agent is kept from stopping only so many times in a row. Where that cannot be
//! counted, it is once.

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
use lawful_deliver::{Answer, Hook as Harness, State, StopEvent, read_stop};

use crate::failure::Failure;
use crate::lawbook::{self, find_from};
use crate::observe::{Place, gather, root};
use crate::verify::{NAME, ObservedFacts};
use crate::workspace::Workspace;
use judge::{Outcome as Judged, judge};
pub(crate) use quote::quote;

/// What a hook is called with.
#[derive(Clone, Copy, Debug)]
pub struct StopRequest {
    /// The harness that asks.
    pub harness: &'static Harness,
    /// What to do where there is no lawbook to say it.
    pub undecided: Undecided,
}

/// What came of it, before blocks are counted.
struct Decision {
    outcome: Outcome,
    /// After so many blocks in a row the agent is let go.
    blocks: u64,
}

enum Outcome {
    /// The agent may stop.
    Pass,
    /// The agent may stop although nothing was decided, and the user is told why.
    Allow(String),
    /// The agent goes on, and is told why.
    Block(String),
}

/// So long an event may be.
const LONGEST: usize = 64 * 1024 * 1024;
/// So long everything may take: a harness waits no longer than [`Harness::PATIENCE`], and then lets
/// the agent stop.
const PATIENCE: Duration = Duration::from_secs(Harness::PATIENCE - 30);

const BUG: &str = "lawful has a bug, which is shown on standard error";

impl Workspace {
    /// Decides whether an agent may stop. The event is what the harness writes to its hook. Whatever
    /// goes wrong is part of the answer.
    pub fn stop(&self, request: StopRequest, event: impl Read) -> Answer {
        let answer = catch_unwind(AssertUnwindSafe(|| answer(self, request, event)));
        answer.unwrap_or_else(|_| Answer::Block(reason::undecided(BUG)))
    }
}

fn answer(workspace: &Workspace, request: StopRequest, event: impl Read) -> Answer {
    let bytes = read_from(event, LONGEST).map_err(|error| error.to_string());
    let event = bytes.and_then(|bytes| read_stop(request.harness, &bytes));
    // A bug in judging is caught here, so that it is counted like any other block.
    let decided = catch_unwind(AssertUnwindSafe(|| match &event {
        Ok(event) => decide(workspace, request, event),
        Err(why) => undecided(why, &request.without_book()),
    }));
    let decision = decided.unwrap_or_else(|_| undecided(BUG, &request.without_book()));
    // Without an event there is no session, and its blocks are counted with others like it.
    let event = event.unwrap_or_default();
    count(decision, request.harness, &event, workspace.state().ok().as_ref())
}

impl StopRequest {
    /// What holds where no lawbook says anything.
    fn without_book(&self) -> StopHook {
        StopHook { undecided: self.undecided, ..StopHook::default() }
    }
}

/// Judges the work in the light of the lawbook.
fn decide(workspace: &Workspace, request: StopRequest, event: &StopEvent) -> Decision {
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
    // Commands may take minutes, and say nothing about an envelope that is not there. Only an
    // ordinary file is read: a pipe would keep us waiting until the harness is tired of it.
    let envelope = match source.read(&place, book.manifest.limits.document.bytes) {
        Ok(envelope) => envelope,
        Err(SourceError::Missing) => {
            return block(reason::no_envelope(&source.shown(&place), &again), &hook);
        }
        // It is the agent's own, and so is what is wrong with it.
        Err(error) => {
            let why = format!("`{place}` cannot be read: {error}");
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

const TOO_LONG: &str = "judging the envelope takes longer than the harness waits (say less in it, \
                        or demand less of it)";

/// As much as the thread has that would do the work otherwise.
const STACK: usize = 8 << 20;

/// What some work comes to, unless it takes too long. Then it is left to itself, and ends with us.
fn within<T: Send + 'static>(
    deadline: Instant,
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let (sender, done) = mpsc::channel();
    let worker = thread::Builder::new().stack_size(STACK).spawn(move || {
        // Nobody listens once the time is over.
        let _ = sender.send(work());
    });
    let worker = worker.ok()?;
    match done.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
        Ok(answer) => Some(answer),
        Err(RecvTimeoutError::Timeout) => None,
        // A bug, which is told of where bugs are.
        Err(RecvTimeoutError::Disconnected) => match worker.join() {
            Ok(()) => None,
            Err(bug) => resume_unwind(bug),
        },
    }
}

/// The folder of the lawbook: the one that was named, or the nearest above the project. What the
/// harness calls the project counts for more than where the agent is, because an agent can go
/// where another lawbook is.
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

/// How the agent writes an envelope, from where it is.
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

/// What the book says to do where nothing can be decided.
fn without_answer(reason: String, hook: &StopHook) -> Decision {
    let outcome = match hook.undecided {
        Undecided::Block => Outcome::Block(reason),
        Undecided::Allow => Outcome::Allow(reason),
    };
    Decision { outcome, blocks: hook.blocks }
}

/// The answer, with the blocks counted and the agent let go after enough of them.
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
        // What cannot be forgotten only means fewer blocks next time.
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
    // Where nothing can be remembered, the harness at least knows whether this is the first time.
    if counted || !event.continuing {
        Answer::Block(reason)
    } else {
        Answer::Say(reason::let_go(1, &reason))
    }
}

#[cfg(test)]
mod tests;
