//! A model on the loopback interface: a small HTTP server that records what it is sent.
//!
//! It is also the proxy of the client. A request for another host, and one for a path that the
//! script does not answer, is recorded and refused; nothing is forwarded.

use std::io::{self, BufRead, BufReader, Read, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A request that was answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recorded {
    /// Its path, with the query.
    pub path: String,
    /// Its body.
    pub body: String,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// Its media type.
    pub kind: &'static str,
    /// Its text.
    pub text: String,
    /// How long to wait before it is sent.
    pub after: Duration,
}

impl Reply {
    /// An answer that is sent at once.
    pub fn new((kind, text): (&'static str, String)) -> Self {
        Self { kind, text, after: Duration::ZERO }
    }
}

/// The limits of a stub.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Connections in all.
    pub requests: usize,
    /// Bytes of one request.
    pub bytes: usize,
    /// Bytes of all requests.
    pub all_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { requests: 64, bytes: 8 << 20, all_bytes: 64 << 20 }
    }
}

/// The server. Its threads end with the program.
#[derive(Debug)]
pub struct Stub {
    port: u16,
    log: Arc<Mutex<Log>>,
}

#[derive(Debug, Default)]
struct Log {
    connections: usize,
    bytes: usize,
    requests: Vec<Recorded>,
    refused: Vec<String>,
    problem: Option<String>,
}

/// How many refused requests are kept, and the length of each.
const REFUSED: usize = 32;
const LONGEST: usize = 200;

impl Stub {
    /// Listens on a free port. `answer` is called with one request at a time; without an answer the
    /// request is refused.
    pub fn start(
        limits: Limits,
        answer: impl FnMut(&Recorded) -> Option<Reply> + Send + 'static,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let port = listener.local_addr()?.port();
        let log = Arc::new(Mutex::new(Log::default()));
        let shared = Arc::clone(&log);
        let answer = Arc::new(Mutex::new(answer));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                {
                    let mut log = lock(&shared);
                    log.connections += 1;
                    if log.connections > limits.requests {
                        let most = limits.requests;
                        log.problem.get_or_insert(format!("there were more than {most} requests"));
                        continue;
                    }
                }
                let (log, answer) = (Arc::clone(&shared), Arc::clone(&answer));
                // A client can keep one connection open while it uses another.
                thread::spawn(move || {
                    let serving = Serving { limits, port, log: &log };
                    // The connection stays open until its problem is recorded.
                    if let Err(error) = serving.serve(&stream, &answer) {
                        lock(&log).problem.get_or_insert(format!("cannot read a request: {error}"));
                    }
                });
            }
        });
        Ok(Self { port, log })
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The requests that were answered so far.
    pub fn requests(&self) -> Vec<Recorded> {
        lock(&self.log).requests.clone()
    }

    /// What was asked for elsewhere, or is no part of the API: `host:port`, or `METHOD path`.
    pub fn refused(&self) -> Vec<String> {
        lock(&self.log).refused.clone()
    }

    /// The first limit that was reached, or request that could not be read.
    pub fn problem(&self) -> Option<String> {
        lock(&self.log).problem.clone()
    }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Serving<'a> {
    limits: Limits,
    port: u16,
    log: &'a Mutex<Log>,
}

/// The head of a request.
struct Head {
    method: String,
    target: String,
    length: usize,
    chunked: bool,
}

impl Serving<'_> {
    /// Answers one request of a connection.
    fn serve(
        &self,
        stream: &TcpStream,
        answer: &Mutex<impl FnMut(&Recorded) -> Option<Reply>>,
    ) -> io::Result<()> {
        stream.set_read_timeout(Some(Duration::from_secs(30)))?;
        stream.set_write_timeout(Some(Duration::from_secs(30)))?;
        let mut reader = BufReader::new(stream);
        let Some(head) = head(&mut reader)? else { return Ok(()) };
        let body = self.body(&mut reader, &head)?;
        let mut stream = reader.into_inner();
        let reply = match self.own_path(&head) {
            Some(path) => {
                let request = Recorded { path, body };
                let reply = (*lock(answer))(&request);
                if reply.is_some() {
                    lock(self.log).requests.push(request);
                } else {
                    self.refuse(&format!("{} {}", head.method, request.path));
                }
                match reply {
                    Some(Reply { kind, text, after }) => {
                        thread::sleep(after);
                        ("200 OK", kind, text)
                    }
                    None => ("404 Not Found", "application/json", "{}".to_owned()),
                }
            }
            None => {
                self.refuse(host(&head.target));
                ("403 Forbidden", "text/plain", "only the model can be reached\n".to_owned())
            }
        };
        let (status, kind, text) = reply;
        let length = text.len();
        write!(
            stream,
            "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{text}"
        )?;
        stream.flush()
    }

    /// The path of a request for the stub itself; `None` for one that a proxy should forward.
    fn own_path(&self, head: &Head) -> Option<String> {
        if head.method == "CONNECT" {
            return None;
        }
        let target = head.target.as_str();
        if target.starts_with('/') {
            return Some(target.to_owned());
        }
        let own = ["127.0.0.1", "localhost"].map(|host| format!("http://{host}:{}", self.port));
        let path = own.iter().find_map(|own| target.strip_prefix(own.as_str()))?;
        path.starts_with('/').then(|| path.to_owned())
    }

    fn refuse(&self, what: &str) {
        let what: String = what.chars().take(LONGEST).collect();
        let mut log = lock(self.log);
        if log.refused.len() < REFUSED && !log.refused.contains(&what) {
            log.refused.push(what);
        }
    }

    fn body(&self, reader: &mut impl BufRead, head: &Head) -> io::Result<String> {
        let mut body = Vec::new();
        if head.chunked {
            loop {
                let size = line(reader)?;
                let size = size.split(';').next().unwrap_or_default().trim();
                let size = usize::from_str_radix(size, 16).map_err(io::Error::other)?;
                self.read(reader, size, &mut body)?;
                line(reader)?;
                if size == 0 {
                    break;
                }
            }
        } else {
            self.read(reader, head.length, &mut body)?;
        }
        Ok(String::from_utf8_lossy(&body).into_owned())
    }

    /// Reads so many bytes, within the limits.
    fn read(&self, reader: &mut impl Read, size: usize, body: &mut Vec<u8>) -> io::Result<()> {
        let mut log = lock(self.log);
        let all = log.bytes.saturating_add(size);
        if body.len().saturating_add(size) > self.limits.bytes || all > self.limits.all_bytes {
            return Err(io::Error::other("it is too large"));
        }
        log.bytes = all;
        drop(log);
        let read = reader.take(u64::try_from(size).unwrap_or(u64::MAX)).read_to_end(body)?;
        if read == size { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }
}

/// The host of a request for a proxy.
fn host(target: &str) -> &str {
    let rest = target.split_once("://").map_or(target, |(_, rest)| rest);
    rest.split('/').next().unwrap_or_default()
}

/// The head of a request; `None` if the connection was closed without one.
fn head(reader: &mut impl BufRead) -> io::Result<Option<Head>> {
    /// How many headers are read.
    const HEADERS: usize = 200;
    let first = line(reader)?;
    if first.is_empty() {
        return Ok(None);
    }
    let mut words = first.split_whitespace();
    let mut word = || words.next().unwrap_or_default().to_owned();
    let mut head = Head { method: word(), target: word(), length: 0, chunked: false };
    for _ in 0..HEADERS {
        let line = line(reader)?;
        let line = line.trim();
        if line.is_empty() {
            return Ok(Some(head));
        }
        let Some((name, value)) = line.split_once(':') else { continue };
        if name.eq_ignore_ascii_case("content-length") {
            head.length = value.trim().parse().map_err(io::Error::other)?;
        } else if name.eq_ignore_ascii_case("transfer-encoding") {
            head.chunked = value.trim().eq_ignore_ascii_case("chunked");
        }
    }
    Err(io::Error::other("it has too many headers"))
}

/// A line, of bounded length.
fn line(reader: &mut impl BufRead) -> io::Result<String> {
    const MOST: u64 = 64 << 10;
    let mut line = Vec::new();
    reader.take(MOST).read_until(b'\n', &mut line)?;
    Ok(String::from_utf8_lossy(&line).into_owned())
}

#[cfg(test)]
mod tests;
