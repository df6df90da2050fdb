//! Opening a session file.
//!
//! A file is inspected before anything in it changes. A file that is not a database, a database of
//! another program, and a newer schema version are refused and left unchanged.

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::fault::{Fault, shown};
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
}

impl Default for Options {
    fn default() -> Self {
        Self { create: false, busy: Duration::from_secs(5), group: 256, pages: None }
    }
}

/// The writing connection, with the file at the current schema version.
pub(super) fn writer(path: &Path, options: &Options) -> Result<Connection, Error> {
    if !options.create && matches!(path.try_exists(), Ok(false)) {
        return Err(Failure::Missing.of(shown(path)));
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
            let found = "a database without sessions of Lawful".to_owned();
            return Err(Failure::Foreign { found }.of(shown(path)));
        }
        Found::Version(found) if found > known => {
            return Err(Failure::Newer { found, known }.of(shown(path)));
        }
        Found::Version(found) => found == known,
        Found::Empty => false,
    };
    journal(&connection).map_err(fault)?;
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

fn connect(path: &Path, options: &Options) -> Result<Connection, Fault> {
    let mut flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    flags.set(OpenFlags::SQLITE_OPEN_CREATE, options.create);
    // Take the name literally: a leading `file:` or `:memory:` is special in SQLite.
    let path = Path::new(".").join(path);
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(options.busy)?;
    // The file may come from someone else: nothing in its schema runs code, and nothing rewrites
    // it.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    // Plans must not depend on the values they were first made for, so no statement is planned
    // again.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    // Every reference is to a row of the same transaction or an older one, and no row is ever
    // deleted.
    connection.pragma_update(None, "foreign_keys", false)?;
    connection.pragma_update(None, "synchronous", "FULL")?;
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
