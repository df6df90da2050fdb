//! Starting a session.

use rusqlite::{Connection, OptionalExtension as _};

use super::fault::Fault;
use super::writer::Change;
use crate::{Book, Created, Error, FORMAT, NewSession};

impl Change for NewSession {
    type Done = Created;

    fn apply(&self, connection: &Connection) -> Result<Created, Fault> {
        self.check()?;
        let name = match &self.name {
            Some(name) => name.clone(),
            None => connection.query_row("SELECT lower(hex(randomblob(8)))", [], |r| r.get(0))?,
        };
        let mut taken = connection.prepare_cached("SELECT 1 FROM session WHERE name = ?1")?;
        if taken.exists([&name])? {
            return Err(Error::SessionExists { session: name }.into());
        }
        let sql =
            "INSERT INTO session (format, name, version, head, branch) VALUES (?1, ?2, 0, 0, 0)";
        connection.prepare_cached(sql)?.execute((FORMAT, &name))?;
        let session = connection.last_insert_rowid();
        let book = keep_book(connection, &self.book)?;
        let sql = "INSERT INTO entry (session, version, parent, turn, branch, abandoned, format, book, \
                   key, input, events, changes, result, snapshot) \
                   VALUES (?1, 0, NULL, ?2, 0, NULL, ?3, ?4, NULL, 'null', 'null', 'null', 'null', ?5)";
        let row = (session, self.turn, FORMAT, book, self.snapshot.text());
        connection.prepare_cached(sql)?.execute(row)?;
        Ok(Created { session: name, version: 0 })
    }
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
