//! Starting a session.

use rusqlite::{Connection, OptionalExtension as _};

use super::entry::NewEntry;
use super::fault::Fault;
use super::recent::Recent;
use super::state::States;
use super::writer::Change;
use crate::{Book, Created, Error, FORMAT, NewSession, Record};

impl Change for NewSession {
    type Done = Created;

    fn apply(&self, connection: &Connection, _: &mut Recent) -> Result<Created, Fault> {
        self.check()?;
        let name = match &self.name {
            Some(name) => name.clone(),
            None => connection.query_row("SELECT lower(hex(randomblob(8)))", [], |r| r.get(0))?,
        };
        let session = new_session(connection, &name, [0, 0, 0])?;
        let book = keep_book(connection, &self.book)?;
        let start = NewEntry {
            version: 0,
            parent: None,
            turn: self.turn,
            branch: 0,
            abandoned: None,
            key: None,
            book: (book, &self.book.hash),
            record: &Record::default(),
            snapshot: &self.snapshot,
        };
        start.write(connection, session, &mut States::new(connection, session))?;
        Ok(Created { session: name, version: 0 })
    }
}

/// A new row of `session`, with its version, head and branch.
pub(super) fn new_session(
    connection: &Connection,
    name: &str,
    [version, head, branch]: [u64; 3],
) -> Result<i64, Fault> {
    let mut taken = connection.prepare_cached("SELECT 1 FROM session WHERE name = ?1")?;
    if taken.exists([name])? {
        return Err(Error::SessionExists { session: name.to_owned() }.into());
    }
    let sql =
        "INSERT INTO session (format, name, version, head, branch) VALUES (?1, ?2, ?3, ?4, ?5)";
    connection.prepare_cached(sql)?.execute((FORMAT, name, version, head, branch))?;
    Ok(connection.last_insert_rowid())
}

/// The row of a lawbook, inserted if it is new.
pub(super) fn keep_book(connection: &Connection, book: &Book) -> Result<i64, Fault> {
    let mut known = connection.prepare_cached("SELECT id FROM book WHERE hash = ?1")?;
    if let Some(id) = known.query_row([&book.hash], |row| row.get(0)).optional()? {
        return Ok(id);
    }
    let mut insert = connection.prepare_cached("INSERT INTO book (hash, text) VALUES (?1, ?2)")?;
    insert.execute((&book.hash, book.text.text()))?;
    Ok(connection.last_insert_rowid())
}
