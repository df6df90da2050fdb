//! Keeping a turn: state, log, key and effects, in one transaction.
//!
//! The key is asked before the version: a request that is sent again names the version it was first
//! worked out from, and must be told what was stored and not that the session has moved on.

use rusqlite::{Connection, OptionalExtension as _};

use super::create::keep_book;
use super::fault::Fault;
use super::rows::{SessionRow, entries, head, session};
use super::writer::Change;
use crate::session::check_name;
use crate::{Committed, Duplicate, Entry, FORMAT, NewTurn, Outcome};

impl Change for NewTurn {
    type Done = Outcome;

    fn apply(&self, connection: &Connection) -> Result<Outcome, Fault> {
        if let Some(key) = &self.key {
            check_name("key of a request", key)?;
        }
        let session = session(connection, &self.session)?;
        if let Some(entry) = self.stored(connection, &session)? {
            let same_input = entry.record.input == self.record.input;
            return Ok(Outcome::Duplicate(Box::new(Duplicate { entry, same_input })));
        }
        if session.version != self.expect {
            return Ok(Outcome::Conflict(head(connection, &self.session)?));
        }
        let version = session.version + 1;
        let entry = self.write_entry(connection, &session, version)?;
        let effects =
            super::outbox::hand_out(connection, session.id, entry, version, &self.effects)?;
        let sql = "UPDATE session SET version = ?2, head = ?2 WHERE id = ?1";
        connection.prepare_cached(sql)?.execute((session.id, version))?;
        Ok(Outcome::Committed(Committed { version, effects }))
    }
}

impl NewTurn {
    /// What was stored under the key.
    fn stored(
        &self,
        connection: &Connection,
        session: &SessionRow,
    ) -> Result<Option<Entry>, Fault> {
        let Some(key) = &self.key else { return Ok(None) };
        let sql = "SELECT version FROM entry WHERE session = ?1 AND key = ?2";
        let mut statement = connection.prepare_cached(sql)?;
        let found = statement.query_row((session.id, key), |row| row.get(0)).optional()?;
        match found {
            Some(version) => Ok(entries(connection, session.id, version, 1)?.pop()),
            None => Ok(None),
        }
    }

    fn write_entry(
        &self,
        connection: &Connection,
        session: &SessionRow,
        version: u64,
    ) -> Result<i64, Fault> {
        let book = keep_book(connection, &self.book)?;
        let sql = "INSERT INTO entry (session, version, parent, turn, branch, abandoned, format, book, \
                   key, input, events, changes, result, snapshot) \
                   VALUES (?1, ?2, ?3, ?4, ?5, NULL, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)";
        connection.prepare_cached(sql)?.execute((
            session.id,
            version,
            session.head,
            self.turn,
            session.branch,
            FORMAT,
            book,
            &self.key,
            self.record.input.text(),
            self.record.events.text(),
            self.record.changes.text(),
            self.record.result.text(),
            self.snapshot.text(),
        ))?;
        Ok(connection.last_insert_rowid())
    }
}
