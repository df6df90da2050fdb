//! Opening a session file.
//!
//! A file is inspected before anything in it changes. A file that is not a database, a database of
//! another program, and a newer schema version are refused and left unchanged.

use std::fmt::Write as _;
use std::fs::{File, Metadata, OpenOptions};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::fault::{Fault, READ_ONLY, shown};
use super::schema::{self, Found, STEPS};
use crate::{Error, Failure};

/// Options for opening and writing a file.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whether to create the file if it does not exist.
    pub create: bool,
    /// How long to wait for another process that has locked the file.
    pub busy: Duration,
    /// The maximal number of changes in one transaction. Turns that are submitted together are not
    /// split.
    pub group: usize,
    /// The maximal number of pages of the file; default: the disk is the limit.
    pub pages: Option<u32>,
    /// What survives a failure of the power.
    pub durability: Durability,
}

/// What survives a failure of the power or of the operating system. A killed process loses nothing in
/// either case, and the file stays intact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// Every change that was answered. Each transaction waits for the disk.
    Power,
    /// All but the last changes. A transaction does not wait for the disk.
    Process,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            create: false,
            busy: Duration::from_secs(5),
            group: 256,
            pages: None,
            durability: Durability::Power,
        }
    }
}

/// The writing connection, with the file at the current schema version.
pub(super) fn writer(path: &Path, options: &Options) -> Result<Connection, Error> {
    check_kind(path)?;
    if !options.create && matches!(path.try_exists(), Ok(false)) {
        return Err(Failure::Missing.of(shown(path)));
    }
    // SQLite would open it for reading, and leave a journal beside it.
    if File::open(path).is_ok_and(|file| file.metadata().is_ok_and(|file| file.is_file()))
        && !is_writable(path)
    {
        return Err(Failure::ReadOnly { reason: READ_ONLY.to_owned() }.of(shown(path)));
    }
    let start = Instant::now();
    loop {
        // SQLite's own busy timeout does not cover the change to WAL.
        match prepare(path, options) {
            Err(Error::Store { failure: Failure::Busy, .. }) if start.elapsed() < options.busy => {
                std::thread::sleep(Duration::from_millis(5));
            }
            answer => return answer,
        }
    }
}

fn prepare(path: &Path, options: &Options) -> Result<Connection, Error> {
    let fault = |fault: Fault| fault.of(path);
    let connection = connect(path, options).map_err(fault)?;
    let known = i64::try_from(STEPS.len()).unwrap_or(i64::MAX);
    let current = match schema::look(&connection).map_err(fault)? {
        Found::Foreign => {
            return Err(Failure::Foreign { found: FOREIGN.to_owned() }.of(shown(path)));
        }
        Found::Version(found) if found > known => {
            return Err(Failure::Newer { found, known }.of(shown(path)));
        }
        Found::Version(found) => found == known,
        Found::Empty => false,
    };
    journal(&connection).map_err(fault)?;
    match options.durability {
        Durability::Power => {}
        Durability::Process => shorten_journal(&connection, path, options).map_err(fault)?,
    }
    if !current {
        schema::migrate(&connection, STEPS).map_err(fault)?;
    }
    Ok(connection)
}

/// A read-only connection to a file that [`writer`] has prepared.
pub(super) fn reader(path: &Path, options: &Options) -> Result<Connection, Error> {
    let open = || -> Result<Connection, Fault> {
        let connection = connect(path, options)?;
        connection.pragma_update(None, "query_only", true)?;
        Ok(connection)
    };
    open().map_err(|fault| fault.of(path))
}

/// A connection that only reads, to a file that may be read-only. If it is read without locks, also
/// what the file looks like.
pub(super) fn for_reading(
    path: &Path,
    options: &Options,
) -> Result<(Connection, Option<Stamp>), Error> {
    if matches!(path.try_exists(), Ok(false)) {
        return Err(Failure::Missing.of(shown(path)));
    }
    check_kind(path)?;
    let options = Options { create: false, ..options.clone() };
    let fault = |fault: Fault| fault.of(path);
    let known = i64::try_from(STEPS.len()).unwrap_or(i64::MAX);
    let writable = is_writable(path);
    // With write access, SQLite removes the files that it creates beside this one.
    let tried = writable.then(|| looked_at(connect(path, &options)?, None));
    let (connection, found, unlocked) = match tried {
        Some(Ok(opened)) => opened,
        None => read_only(path, &options).map_err(fault)?,
        // Its folder may be read-only. The first error says more about a file that is no database.
        Some(Err(first)) => read_only(path, &options).map_err(|_| fault(first))?,
    };
    if writable && matches!(found, Found::Version(older) if older < known) {
        drop(connection);
        drop(writer(path, &options)?);
        return Ok((reader(path, &options)?, None));
    }
    let foreign = |found: &str| Failure::Foreign { found: found.to_owned() }.of(shown(path));
    match found {
        Found::Version(found) if found > known => {
            Err(Failure::Newer { found, known }.of(shown(path)))
        }
        Found::Version(found) if found < known => {
            Err(Failure::Older { found, known }.of(shown(path)))
        }
        Found::Version(_) => {
            connection
                .pragma_update(None, "query_only", true)
                .map_err(Fault::from)
                .map_err(fault)?;
            Ok((connection, unlocked))
        }
        Found::Empty => Ok((without_sessions(&options).map_err(fault)?, None)),
        Found::Foreign => Err(foreign(FOREIGN)),
    }
}

/// Refuses what SQLite could only report as an I/O error.
fn check_kind(path: &Path) -> Result<(), Error> {
    let reason = match path.metadata() {
        Ok(found) if found.is_dir() => "it is a folder",
        Ok(found) if !found.is_file() => "it is not a regular file",
        Ok(_) | Err(_) => return Ok(()),
    };
    Err(Failure::CannotOpen { reason: reason.to_owned() }.of(shown(path)))
}

/// What an empty file is to a reader, which must not write it.
fn without_sessions(options: &Options) -> Result<Connection, Fault> {
    let connection = configured(Connection::open_in_memory()?, options)?;
    schema::migrate(&connection, STEPS)?;
    connection.pragma_update(None, "query_only", true)?;
    Ok(connection)
}

const FOREIGN: &str = "a database without sessions of Lawful";

fn is_writable(path: &Path) -> bool {
    OpenOptions::new().write(true).open(path).is_ok()
}

/// A connection, what its file contains, and what the file looks like if it is read without locks.
type Opened = (Connection, Found, Option<Stamp>);

fn looked_at(connection: Connection, stamp: Option<Stamp>) -> Result<Opened, Fault> {
    let found = schema::look(&connection)?;
    Ok((connection, found, stamp))
}

/// A connection that needs no right to write: with locks if the journal is there, else without. With
/// locks, SQLite would create a journal.
fn read_only(path: &Path, options: &Options) -> Result<Opened, Fault> {
    let opened = |query: &str, stamp: Option<Stamp>| {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
            | OpenFlags::SQLITE_OPEN_NO_MUTEX
            | OpenFlags::SQLITE_OPEN_URI;
        let connection = Connection::open_with_flags(uri(path, query), flags)?;
        looked_at(configured(connection, options)?, stamp)
    };
    let stamp = Stamp::of(path);
    match stamp.journal {
        None => opened("immutable=1", Some(stamp)),
        // A journal with content would be ignored without locks.
        Some(0) => opened("mode=ro", None).or_else(|_| opened("immutable=1", Some(stamp))),
        Some(_) => opened("mode=ro", None),
    }
}

/// What tells whether a file was written: its size and time, and the size of its journal.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    length: Option<u64>,
    modified: Option<SystemTime>,
    journal: Option<u64>,
}

impl Stamp {
    pub(super) fn of(path: &Path) -> Self {
        let file = path.metadata().ok();
        Self {
            length: file.as_ref().map(Metadata::len),
            modified: file.and_then(|file| file.modified().ok()),
            journal: beside(path, "-wal").metadata().ok().map(|journal| journal.len()),
        }
    }
}

/// The name of a file that SQLite keeps beside a database.
pub(super) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// The name of a file as SQLite reads it with parameters.
fn uri(path: &Path, query: &str) -> String {
    let path = Path::new(".").join(path);
    let mut out = "file:".to_owned();
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => {
                out.push(char::from(*byte));
            }
            other => {
                let _ = write!(out, "%{other:02x}");
            }
        }
    }
    out + "?" + query
}

fn connect(path: &Path, options: &Options) -> Result<Connection, Fault> {
    let mut flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    flags.set(OpenFlags::SQLITE_OPEN_CREATE, options.create);
    // Take the name literally: a leading `file:` or `:memory:` is special in SQLite.
    let path = Path::new(".").join(path);
    configured(Connection::open_with_flags(path, flags)?, options)
}

fn configured(connection: Connection, options: &Options) -> Result<Connection, Fault> {
    connection.busy_timeout(options.busy)?;
    // The file may come from someone else: nothing in its schema runs code, and nothing rewrites
    // it.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    // Plans must not depend on the values they were first made for, so no statement is planned
    // again.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    // Every reference is to a row of the same transaction or an older one, and rows are only deleted
    // together with those that refer to them.
    connection.pragma_update(None, "foreign_keys", false)?;
    let synchronous = match options.durability {
        Durability::Power => "FULL",
        Durability::Process => "NORMAL",
    };
    connection.pragma_update(None, "synchronous", synchronous)?;
    if options.durability == Durability::Process {
        // The last connection would otherwise sync the whole journal when it is closed.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
    }
    connection.set_prepared_statement_cache_capacity(64);
    if let Some(pages) = options.pages {
        connection.query_row(&format!("PRAGMA max_page_count = {pages}"), [], |_| Ok(()))?;
    }
    Ok(connection)
}

fn journal(connection: &Connection) -> Result<(), Fault> {
    let mode: String = connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))?;
    if mode != "wal" {
        return Err(Fault::Row(format!("the journal mode is `{mode}`, expected `wal`")));
    }
    // Keep the journal small after a burst.
    connection.pragma_update(None, "journal_size_limit", 16 * 1024 * 1024)?;
    Ok(())
}

/// Checks a long journal in and empties it. The processes of a file leave their journal to the next
/// one, which reads all of it and only ever appends.
fn shorten_journal(connection: &Connection, path: &Path, options: &Options) -> Result<(), Fault> {
    /// The size from which a journal is long: what about ten small transactions write.
    const LONG: u64 = 256 * 1024;
    if beside(path, "-wal").metadata().is_ok_and(|journal| journal.len() > LONG) {
        // If another process is using the journal now, a later one empties it. Any other failure is
        // one of the next write too, which reports it.
        connection.busy_timeout(Duration::ZERO)?;
        let _ = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        connection.busy_timeout(options.busy)?;
    }
    Ok(())
}
