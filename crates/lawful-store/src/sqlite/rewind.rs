//! Rewinding: everything after an entry is abandoned, and its state is current again.
//!
//! The state is the stored one, so counters, cooldowns and directives are exactly what they were;
//! nothing is recomputed.

use rusqlite::{Connection, OptionalExtension as _};

use super::fault::Fault;
use super::recent::Recent;
use super::rows::{SessionRow, head, session};
use super::writer::Change;
use crate::{EffectId, Error, Rewind, Rewound, Status, Target};

impl Change for Rewind {
    type Done = Rewound;

    fn apply(&self, connection: &Connection, _: &mut Recent) -> Result<Rewound, Fault> {
        let mut session = session(connection, &self.session)?;
        if self.expect.is_some_and(|expected| expected != session.version) {
            return Ok(Rewound::Conflict(head(connection, &self.session)?));
        }
        let Some(target) = self.target(connection, &session)? else {
            return Err(self.refusal(connection)?.into());
        };
        let mut abandoned = Vec::new();
        let (mut withdrawn, mut delivered) = (Vec::new(), Vec::new());
        if target != session.head {
            session.version += 1;
            session.branch += 1;
            let entries = abandon(connection, session.id, target, session.version)?;
            for (entry, version) in entries {
                abandoned.push(version);
                delivered.extend(effects(connection, entry, Status::Acknowledged)?);
                withdrawn.extend(effects(connection, entry, Status::Pending)?);
                withdraw(connection, entry)?;
            }
            session.head = target;
            let sql = "UPDATE session SET version = ?2, head = ?3, branch = ?4 WHERE id = ?1";
            let row = (session.id, session.version, session.head, session.branch);
            connection.prepare_cached(sql)?.execute(row)?;
        }
        let head = head(connection, &self.session)?;
        Ok(Rewound::Done { head, abandoned, withdrawn, delivered })
    }
}

impl Rewind {
    /// The entry of the current branch: the last one of a turn, or the one of a version.
    fn target(&self, connection: &Connection, session: &SessionRow) -> Result<Option<u64>, Fault> {
        let (to, sql) = match self.to {
            Target::Turn(turn) => (
                turn,
                "SELECT version FROM entry WHERE session = ?1 AND turn = ?2 AND abandoned IS NULL \
                 ORDER BY version DESC LIMIT 1",
            ),
            Target::Version(version) => (
                version,
                "SELECT version FROM entry WHERE session = ?1 AND version = ?2 AND abandoned IS NULL",
            ),
        };
        let Ok(to) = i64::try_from(to) else { return Ok(None) };
        let mut statement = connection.prepare_cached(sql)?;
        Ok(statement.query_row((session.id, to), |row| row.get(0)).optional()?)
    }

    /// Why there is no target.
    fn refusal(&self, connection: &Connection) -> Result<Error, Fault> {
        let session = self.session.clone();
        Ok(match self.to {
            Target::Turn(turn) => {
                let current = head(connection, &self.session)?.turn;
                Error::NoTurn { session, turn, current }
            }
            Target::Version(version) => Error::NotOnBranch { session, version },
        })
    }
}

/// Marks everything after an entry as abandoned. Returns ids and versions, oldest first.
fn abandon(
    connection: &Connection,
    session: i64,
    target: u64,
    at: u64,
) -> Result<Vec<(i64, u64)>, Fault> {
    let sql = "SELECT id, version FROM entry \
               WHERE session = ?1 AND version > ?2 AND abandoned IS NULL ORDER BY version";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map((session, target), |row| Ok((row.get(0)?, row.get(1)?)))?;
    let entries: Vec<(i64, u64)> = rows.collect::<Result<_, _>>()?;
    for (entry, _) in &entries {
        let sql = "UPDATE entry SET abandoned = ?2 WHERE id = ?1";
        connection.prepare_cached(sql)?.execute((entry, at))?;
    }
    Ok(entries)
}

fn effects(connection: &Connection, entry: i64, status: Status) -> Result<Vec<EffectId>, Fault> {
    let sql = "SELECT stem, number FROM effect WHERE entry = ?1 AND status = ?2 ORDER BY position";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map((entry, status.code()), |row| {
        Ok(EffectId { stem: row.get(0)?, number: row.get(1)? })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn withdraw(connection: &Connection, entry: i64) -> Result<(), Fault> {
    let sql = "UPDATE effect SET status = ?2 WHERE entry = ?1 AND status = ?3";
    let row = (entry, Status::Withdrawn.code(), Status::Pending.code());
    connection.prepare_cached(sql)?.execute(row)?;
    Ok(())
}
