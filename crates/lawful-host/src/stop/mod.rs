//! Verification when an agent wants to stop.
//!
//! The lawbook that judges is the one that a person [trusted](crate::trust). The project is where the
//! harness says that the agent works; the lawbook can be anywhere.
//!
//! **Invariant:** every failure is a decision. If the work could not be verified, the decision is a
//! block, unless the lawbook says otherwise.

mod judge;
mod problem;
mod reason;

use std::fmt::Write as _;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use lawful::book::{self, FolderSource, Source as _, SourceError, StopHook, Undecided};
use lawful::syntax::Diagnostic;
use lawful::{Verb, blocks};
use lawful_deliver::{Hook as Harness, StopEvent};

use crate::lawbook::{self, find_from};
use crate::observe::{Place, gather, root};
use crate::trust::{Law, Trusted, untrusted};
use crate::verify::{NAME, ObservedFacts, Unusable, of_book};
use crate::workspace::Workspace;
use judge::{Outcome as Judged, judge};
pub(crate) use lawful_deliver::quote;
pub(crate) use problem::first as first_problem;
pub(crate) use reason::{let_go, undecided as undecided_reason};

/// The request of a stop hook.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StopRequest {
    /// The harness that asks.
    pub(crate) harness: &'static Harness,
    /// What to do if there is no lawbook.
    pub(crate) undecided: Undecided,
}

/// The decision, before blocks are counted.
pub(crate) struct Decision {
    pub(crate) outcome: Outcome,
    /// The maximal number of blocks in a row.
    pub(crate) blocks: u64,
    /// What the user must know, whatever was decided.
    pub(crate) notice: Option<String>,
}

impl Decision {
    fn new(outcome: Outcome, hook: &StopHook) -> Self {
        Self { outcome, blocks: hook.blocks, notice: None }
    }
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

impl StopRequest {
    /// The settings if there is no lawbook.
    fn without_book(&self) -> StopHook {
        StopHook { undecided: self.undecided, ..StopHook::default() }
    }
}

/// Judges the work by the lawbook that a person trusted.
pub(crate) fn decide(workspace: &Workspace, request: StopRequest, event: &StopEvent) -> Decision {
    let project = project_of(workspace, request, event);
    let law = match workspace.law(&project) {
        Law::Trusted(law) => law,
        // Only trusted content can say that nothing is blocked without a decision.
        Law::Untrusted { book, why } => {
            return undecided(&untrusted(&book, &why), &StopHook::default());
        }
        Law::Unknown { why } => return undecided(&why, &StopHook::default()),
        Law::None => return undecided(&no_book(workspace, &project), &request.without_book()),
    };
    let mut decision = judge_by(&law, &project, event);
    let state = workspace.state().ok();
    decision.notice = law.changed_notice(request.harness.id, &event.session, state.as_ref());
    decision
}

/// Why there is no lawbook.
fn no_book(workspace: &Workspace, project: &Path) -> String {
    let folder = match workspace.named_book() {
        Some(book) => Ok(book.to_owned()),
        None => find_from(project, None),
    };
    match folder.and_then(|folder| lawbook::open(&folder)) {
        Ok(_) => "there is no lawbook".to_owned(),
        Err(failure) => problem::first(&failure.problems, &failure.sources),
    }
}

fn judge_by(law: &Trusted, project: &Path, event: &StopEvent) -> Decision {
    let deadline = Instant::now() + PATIENCE;
    let opened = match law.open() {
        Ok(opened) => opened,
        Err(failure) => {
            let why = problem::first(&failure.problems, &failure.sources);
            return undecided(&why, &StopHook::default());
        }
    };
    let book = &opened.book;
    let stops = |problem: &&Diagnostic| blocks(Verb::Stop, book, problem);
    if let Some(problem) = opened.problems.iter().find(stops) {
        let why = problem::first(std::slice::from_ref(problem), &book.sources);
        return undecided(&why, &StopHook::default());
    }
    let manifest = book.manifest.clone();
    let hook = &manifest.hooks.stop;
    let root = root(project);
    // The envelope is in the project: beside the lawbook if that is there too.
    let home = if law.book.starts_with(&root) { &law.book } else { &root };
    let again = command(&law.book, home, event, hook);
    let only_live = book.only_acts_live();
    let rulespec = within(deadline, move || of_book(opened));
    let Some(rulespec) = rulespec else { return undecided(TOO_LONG, hook) };
    if only_live && matches!(rulespec, Err(Unusable::Missing(_))) {
        return Decision::new(Outcome::Pass, hook);
    }
    let reads_envelope = rulespec.as_ref().map_or(true, |loaded| loaded.rulespec.reads_envelope());
    let place = format!("{}/{NAME}", hook.envelope);
    // Commands can take minutes, and are useless without an envelope.
    let envelope = if reads_envelope {
        match read_envelope(home, &place, manifest.limits.document.bytes) {
            Ok(envelope) => envelope,
            Err(Unread::Missing(shown)) => {
                return block(reason::no_envelope(&shown, &again), hook);
            }
            // The envelope is the agent's, and so are its errors.
            Err(Unread::Unreadable(why)) => return block(reason::unsound(&[why], &again), hook),
        }
    } else {
        NO_FACTS.to_vec()
    };
    let mut observed: Option<ObservedFacts> = None;
    if !hook.observe.is_empty() {
        let place = Place { root: &root, reports: &root, deadline: Some(deadline) };
        match gather(&hook.observe, Some(&manifest), &place) {
            Ok(seen) => observed = Some(seen.into()),
            Err(failure) => {
                return undecided(&problem::first(&failure.problems, &failure.sources), hook);
            }
        }
    }
    let path = hook.rulespec().to_owned();
    let loaded = match rulespec {
        Ok(loaded) => loaded,
        Err(Unusable::Missing(_)) => {
            return undecided(&format!("the lawbook has no `{path}`"), hook);
        }
        Err(Unusable::Broken(failure)) => {
            return undecided(&problem::first(&failure.problems, &failure.sources), hook);
        }
    };
    let judged = within(deadline, move || judge(loaded, (&place, &envelope), observed.as_ref()));
    match judged {
        None => undecided(TOO_LONG, hook),
        Some(Judged::Pass) => Decision::new(Outcome::Pass, hook),
        Some(Judged::Fail(lines)) if reads_envelope => block(reason::failed(&lines, &again), hook),
        Some(Judged::Fail(lines)) => block(reason::failed_work(&lines), hook),
        Some(Judged::Unsound(lines)) => block(reason::unsound(&lines, &again), hook),
        Some(Judged::Unobserved(lines)) => without_answer(reason::unobserved(&lines), hook),
        Some(Judged::Undecided(why)) => undecided(&why, hook),
    }
}

/// The envelope of an agent that need not say anything.
const NO_FACTS: &[u8] = b"facts: {}\n";

/// Why there is no envelope to judge.
enum Unread {
    /// It does not exist; its path for the agent.
    Missing(String),
    /// It cannot be read.
    Unreadable(String),
}

/// Reads the envelope. Only a regular file is read: a pipe could block until the harness gives up.
fn read_envelope(home: &Path, place: &str, limit: usize) -> Result<Vec<u8>, Unread> {
    let source = FolderSource::open(home);
    let missing = || Unread::Missing(home.join(place).display().to_string());
    match source.map(|source| source.read(place, limit)) {
        Ok(Ok(envelope)) => Ok(envelope),
        Ok(Err(SourceError::Missing)) | Err(_) => Err(missing()),
        Ok(Err(error)) => Err(Unread::Unreadable(format!("cannot read `{place}`: {error}"))),
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

/// The project: where the harness says that the agent works. The project that the harness names takes
/// precedence over the agent's working directory, because an agent can change to the directory of
/// another lawbook.
fn project_of(workspace: &Workspace, request: StopRequest, event: &StopEvent) -> PathBuf {
    let project = request.harness.project_variable();
    let project = project.and_then(|name| workspace.variable(name)).map(PathBuf::from);
    let project = project.filter(|folder| folder.is_absolute()).or_else(|| event.folder.clone());
    project.unwrap_or_else(|| workspace.start().to_owned())
}

/// The command with which the agent writes an envelope, from its working directory. `home` is the
/// folder that the place of the envelope is relative to.
fn command(book: &Path, home: &Path, event: &StopEvent, hook: &StopHook) -> String {
    let mut command = String::from("lawful envelope write --facts -");
    if !hook.observe.is_empty() {
        command.push_str(" --observe");
    }
    let here = event.folder.as_deref().unwrap_or(Path::new("."));
    let found = here.canonicalize().ok().and_then(|here| book::find(&here).ok());
    if found.as_deref() != Some(book) {
        let _ = write!(command, " --book {}", quote(&book.display().to_string()));
    }
    if home != book {
        let folder = home.join(&hook.envelope);
        let _ = write!(command, " --dir {}", quote(&folder.display().to_string()));
    }
    command
}

fn block(reason: String, hook: &StopHook) -> Decision {
    Decision::new(Outcome::Block(reason), hook)
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
    Decision::new(outcome, hook)
}

#[cfg(test)]
mod tests;
