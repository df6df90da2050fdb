//! A scripted model.
//!
//! The requests for a turn are kept in `target/e2e/HARNESS/requests` until the next test of that
//! harness, to see what it sent.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::{fs, io};

use lawful_prove::{Answer, Limits, Recorded, Reply, Stub as Server, Wire};

use super::tools::{Says, Tools};

/// One answer of the model, and what the request for it must contain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    pub(super) expects: &'static [&'static str],
    pub(super) says: Says,
}

/// A model to play.
#[derive(Clone, Debug)]
pub(super) struct Model {
    pub(super) wire: Wire,
    pub(super) tools: Tools,
    /// Its answers, turn by turn.
    pub(super) script: &'static [Turn],
    /// The folder that the harness works in.
    pub(super) project: PathBuf,
    /// Where to keep the requests.
    pub(super) requests: PathBuf,
}

/// The server.
pub(super) struct Stub {
    server: Server,
    log: Arc<Mutex<Log>>,
}

#[derive(Default)]
struct Log {
    turns: usize,
    problem: Option<String>,
}

impl Stub {
    /// Listens on a free port.
    pub(super) fn start(model: Model) -> io::Result<Self> {
        if model.requests.is_dir() {
            fs::remove_dir_all(&model.requests)?;
        }
        fs::create_dir_all(&model.requests)?;
        let log = Arc::new(Mutex::new(Log::default()));
        let shared = Arc::clone(&log);
        let server = Server::start(Limits::default(), move |request| {
            model.answer(request, &mut lock(&shared))
        })?;
        Ok(Self { server, log })
    }

    pub(super) fn port(&self) -> u16 {
        self.server.port()
    }

    /// The number of turns so far.
    pub(super) fn turns(&self) -> usize {
        lock(&self.log).turns
    }

    /// The first deviation from the script.
    pub(super) fn problem(&self) -> Option<String> {
        lock(&self.log).problem.clone().or_else(|| self.server.problem())
    }
}

fn lock(log: &Mutex<Log>) -> MutexGuard<'_, Log> {
    log.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Model {
    /// The answer to a request; `None` for what the API does not have, and after the script.
    fn answer(&self, request: &Recorded, log: &mut Log) -> Option<Reply> {
        let Recorded { path, body } = request;
        if !self.wire.is_answered(path) {
            return None;
        }
        if !self.wire.is_turn(path, body) {
            let reply = self.wire.reply(path, body, usize::MAX, &Answer::text("A note"));
            return Some(Reply::new(reply));
        }
        let Some(turn) = self.script.get(log.turns) else {
            let late = "the model got a request after the end of the script";
            log.problem.get_or_insert(late.to_owned());
            return None;
        };
        let at = log.turns;
        if let Err(error) = fs::write(self.requests.join(format!("{at:02}.json")), body) {
            log.problem.get_or_insert(format!("cannot keep a request: {error}"));
        }
        log.turns += 1;
        if let Some(text) = turn.expects.iter().find(|text| !body.contains(**text)) {
            log.problem.get_or_insert(format!("request {at} does not contain `{text}`"));
        }
        let answer = self.tools.answer(turn.says, &self.project);
        Some(Reply::new(self.wire.reply(path, body, at, &answer)))
    }
}
