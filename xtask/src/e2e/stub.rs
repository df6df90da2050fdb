//! A scripted model: a small HTTP server on the loopback interface.
//!
//! The requests for a turn are kept in `target/e2e/HARNESS/requests` until the next test of that
//! harness, to see what it sent.

use std::fs;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::tools::{Says, Tools};
use super::wire::{Answer, Wire};

/// One answer of the model, and what the request for it must contain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    pub(super) expects: &'static [&'static str],
    pub(super) says: Says,
}

/// How the model answers.
#[derive(Clone, Copy, Debug)]
pub(super) enum Play {
    /// By script, turn by turn.
    Script(&'static [Turn]),
    /// The same every time; some request must contain the expected texts.
    Same(Turn),
}

/// A model to play.
#[derive(Clone, Debug)]
pub(super) struct Model {
    pub(super) wire: Wire,
    pub(super) tools: Tools,
    pub(super) play: Play,
    /// The folder that the harness works in.
    pub(super) project: PathBuf,
    /// Where to keep the requests.
    pub(super) requests: PathBuf,
}

/// The server. Its thread ends with the program.
pub(super) struct Stub {
    port: u16,
    log: Arc<Mutex<Log>>,
}

#[derive(Default)]
struct Log {
    requests: usize,
    turns: usize,
    /// How many requests contained the expected texts.
    found: usize,
    problem: Option<String>,
}

/// The maximal number of requests.
const REQUESTS: usize = 64;
/// The maximal size of a request.
const BYTES: usize = 8 * 1024 * 1024;

impl Stub {
    /// Listens on a free port.
    pub(super) fn start(model: Model) -> io::Result<Self> {
        if model.requests.is_dir() {
            fs::remove_dir_all(&model.requests)?;
        }
        fs::create_dir_all(&model.requests)?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let port = listener.local_addr()?.port();
        let log = Arc::new(Mutex::new(Log::default()));
        let shared = Arc::clone(&log);
        let model = Arc::new(model);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let log = Arc::clone(&shared);
                let model = Arc::clone(&model);
                // A harness can keep one connection open while it uses another.
                thread::spawn(move || {
                    if let Err(error) = serve(stream, &model, &log) {
                        note(&log, format!("cannot answer a request: {error}"));
                    }
                });
            }
        });
        Ok(Self { port, log })
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }

    /// The number of turns so far.
    pub(super) fn turns(&self) -> usize {
        lock(&self.log).turns
    }

    /// How many requests contained the expected texts.
    pub(super) fn found(&self) -> usize {
        lock(&self.log).found
    }

    /// The first deviation from the script.
    pub(super) fn problem(&self) -> Option<String> {
        lock(&self.log).problem.clone()
    }
}

fn lock(log: &Mutex<Log>) -> std::sync::MutexGuard<'_, Log> {
    log.lock().unwrap_or_else(PoisonError::into_inner)
}

fn note(log: &Mutex<Log>, problem: String) {
    lock(log).problem.get_or_insert(problem);
}

/// Answers one request and closes.
fn serve(stream: TcpStream, model: &Model, log: &Mutex<Log>) -> io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(30)))?;
    let mut reader = BufReader::new(stream);
    let Some((path, body)) = request(&mut reader)? else { return Ok(()) };
    let mut stream = reader.into_inner();
    let answer = model.answer(&path, &body, &mut lock(log))?;
    let (status, kind, text) = match answer {
        Some(text) => ("200 OK", "text/event-stream", text),
        None => ("404 Not Found", "application/json", "{}".to_owned()),
    };
    let length = text.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{text}"
    )?;
    stream.flush()
}

impl Model {
    /// The answer to a request; `None` if there is none.
    fn answer(&self, path: &str, body: &str, log: &mut Log) -> io::Result<Option<String>> {
        log.requests += 1;
        if log.requests > REQUESTS {
            log.problem.get_or_insert(format!("there were more than {REQUESTS} requests"));
            return Ok(None);
        }
        if !self.wire.is_answered(path) {
            return Ok(None);
        }
        let turn = match self.play {
            Play::Same(turn) => turn,
            Play::Script(_) if !self.wire.is_turn(path, body) => {
                return Ok(Some(self.wire.stream(REQUESTS, &Answer::Text("A note"))));
            }
            Play::Script(script) => match script.get(log.turns) {
                Some(turn) => *turn,
                None => {
                    let late = "the model got a request after the end of the script";
                    log.problem.get_or_insert(late.to_owned());
                    return Ok(None);
                }
            },
        };
        let at = log.turns;
        fs::write(self.requests.join(format!("{at:02}.json")), body)?;
        log.turns += 1;
        let missing = turn.expects.iter().find(|text| !body.contains(**text));
        log.found += usize::from(missing.is_none());
        if let (Some(text), Play::Script(_)) = (missing, self.play) {
            log.problem.get_or_insert(format!("request {at} does not contain `{text}`"));
        }
        Ok(Some(self.wire.stream(at, &self.tools.answer(turn.says, &self.project))))
    }
}

/// The path and the body of a request; `None` if the connection was closed without one.
fn request(reader: &mut BufReader<TcpStream>) -> io::Result<Option<(String, String)>> {
    let mut first = String::new();
    if reader.read_line(&mut first)? == 0 {
        return Ok(None);
    }
    let path = first.split_whitespace().nth(1).unwrap_or_default().to_owned();
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let line = line.trim();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().unwrap_or(0);
        }
    }
    if length > BYTES {
        return Err(io::Error::other("the request is too large"));
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    Ok(Some((path, String::from_utf8_lossy(&body).into_owned())))
}
