//! Forking and deleting a session.

use rusqlite::{Connection, OptionalExtension as _};

use super::create::new_session;
use super::fault::Fault;
use super::recent::Recent;
use super::rows::{WAY, check_way, session};
use super::writer::Change;
use crate::{Created, Error, Fork};

impl Change for Fork {
    type Done = Created;

    fn apply(&self, connection: &Connection, _: &mut Recent) -> Result<Created, Fault> {
        self.check()?;
        let from = session(connection, &self.session)?;
        let at = self.at.unwrap_or(from.head);
        let branch = match i64::try_from(at) {
            Ok(at) => {
                let sql = "SELECT branch FROM entry WHERE session = ?1 AND version = ?2";
                let mut statement = connection.prepare_cached(sql)?;
                statement.query_row((from.id, at), |row| row.get(0)).optional()?
            }
            Err(_) => None,
        };
        let Some(branch) = branch else {
            let session = self.session.clone();
            return Err(Error::NoVersion { session, version: at }.into());
        };
        // A copy of a damaged entry could not be read, and would hide where the damage is.
        check_way(connection, from.id, at)?;
        let new = new_session(connection, &self.name, [at, at, branch])?;
        // Rows are copied as they are: deltas and checksums do not depend on the session.
        let sql = format!(
            "{WAY} INSERT INTO entry (session, version, parent, turn, branch, abandoned, format, \
             book, key, base, depth, state_sum, record_sum, input, events, changes, result, snapshot) \
             SELECT ?3, version, parent, turn, branch, NULL, format, book, key, base, depth, \
             state_sum, record_sum, input, events, changes, result, snapshot FROM entry \
             WHERE session = ?1 AND version IN (SELECT version FROM way) ORDER BY version"
        );
        connection.prepare_cached(&sql)?.execute((from.id, at, new))?;
        // What waits for the host waits in the session that it comes from.
        let sql = "INSERT INTO effect (session, entry, position, stem, number, status, body) \
                   SELECT ?2, n.id, f.position, f.stem, f.number, \
                   CASE f.status WHEN 0 THEN 2 ELSE f.status END, f.body \
                   FROM entry n JOIN entry e ON e.session = ?1 AND e.version = n.version \
                   JOIN effect f ON f.entry = e.id WHERE n.session = ?2 ORDER BY f.id";
        connection.prepare_cached(sql)?.execute((from.id, new))?;
        Ok(Created { session: self.name.clone(), version: at })
    }
}

/// Deletes a session.
pub(super) struct Delete {
    pub(super) session: String,
}

impl Change for Delete {
    type Done = ();

    fn apply(&self, connection: &Connection, recent: &mut Recent) -> Result<(), Fault> {
        let gone = session(connection, &self.session)?;
        // A new session can get the same row.
        recent.take(gone.id);
        for sql in [
            "DELETE FROM effect WHERE entry IN (SELECT id FROM entry WHERE session = ?1)",
            "DELETE FROM entry WHERE session = ?1",
            "DELETE FROM session WHERE id = ?1",
        ] {
            connection.prepare_cached(sql)?.execute([gone.id])?;
        }
        let sql =
            "DELETE FROM book WHERE NOT EXISTS (SELECT 1 FROM entry e WHERE e.book = book.id)";
        connection.prepare_cached(sql)?.execute([])?;
        Ok(())
    }
}
