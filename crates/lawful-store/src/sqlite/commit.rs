//! Storing a turn: state, log, key and effects, in one transaction.
//!
//! The key is checked before the version. A repeated request has the version that it was first
//! computed from; it must get the stored result and not a conflict.

use rusqlite::Connection;

use super::create::keep_book;
use super::entry::NewEntry;
use super::fault::Fault;
use super::outbox::hand_out;
use super::recent::{Latest, Recent};
use super::rows::{SessionRow, entries, head};
use super::state::States;
use super::writer::Change;
use crate::{Committed, Duplicate, Error, NewTurn, Outcome};

impl Change for NewTurn {
    type Done = Outcome;

    fn apply(&self, connection: &Connection, recent: &mut Recent) -> Result<Outcome, Fault> {
        self.check()?;
        let Found { session, stored, book } = self.look_up(connection)?;
        if let Some(version) = stored
            && let Some(entry) = entries(connection, session.id, version, 1)?.pop()
        {
            let same_input = entry.record.input == self.record.input;
            return Ok(Outcome::Duplicate(Box::new(Duplicate { entry, same_input })));
        }
        if session.version != self.expect {
            return Ok(Outcome::Conflict(head(connection, &self.session)?));
        }
        let version = session.version + 1;
        let book = match book {
            Some(known) => known,
            None => keep_book(connection, &self.book)?,
        };
        let entry = NewEntry {
            version,
            parent: Some(session.head),
            turn: self.turn,
            branch: session.branch,
            abandoned: None,
            key: self.key.as_deref(),
            book: (book, &self.book.hash),
            record: &self.record,
            snapshot: &self.snapshot,
        };
        let mut states = match recent.take(session.id) {
            Some(latest) if latest.entry.version == session.head => {
                States::after(connection, session.id, latest.bases)
            }
            Some(_) | None => States::new(connection, session.id),
        };
        let written = entry.write(connection, session.id, &mut states)?;
        let effects = hand_out(connection, session.id, written.row, version, &self.effects)?;
        let sql = "UPDATE session SET version = ?2, head = ?2 WHERE id = ?1";
        connection.prepare_cached(sql)?.execute((session.id, version))?;
        if let Some(bases) = states.into_bases() {
            let state = self.snapshot.clone();
            recent.keep(session.id, Latest { entry: written.identity, state, bases });
        }
        Ok(Outcome::Committed(Committed { version, effects }))
    }
}

/// What the file contains before a turn is written.
struct Found {
    session: SessionRow,
    /// The version stored under the key.
    stored: Option<u64>,
    /// The row of the lawbook, if it is already stored.
    book: Option<i64>,
}

impl NewTurn {
    /// Everything that must be known before the write, in one statement.
    fn look_up(&self, connection: &Connection) -> Result<Found, Fault> {
        let sql = "SELECT s.id, s.version, s.head, s.branch, s.format, \
                   (SELECT version FROM entry WHERE session = s.id AND key = ?2), \
                   (SELECT id FROM book WHERE hash = ?3) FROM session s WHERE s.name = ?1";
        let mut statement = connection.prepare_cached(sql)?;
        let mut rows = statement.query((&self.session, &self.key, &self.book.hash))?;
        let Some(row) = rows.next()? else {
            return Err(Error::NoSession { session: self.session.clone() }.into());
        };
        Ok(Found { session: SessionRow::read(row)?, stored: row.get(5)?, book: row.get(6)? })
    }
}
