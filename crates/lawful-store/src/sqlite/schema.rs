//! Schema versions.
//!
//! A file has a version. An older file is migrated in one transaction when it is opened, so it is
//! never between two versions. A newer file is refused, because its meaning is unknown.

use rusqlite::Connection;

use super::entry::add_checksums;
use super::fault::Fault;

/// Marks a file as one of Lawful: `LAWF`.
pub(super) const APPLICATION: i64 = 0x4c41_5746;

type Then = fn(&Connection) -> Result<(), Fault>;

/// A change of the schema.
#[derive(Clone, Copy)]
pub(super) struct Step {
    sql: &'static str,
    /// What SQL cannot compute.
    then: Option<Then>,
}

/// Step `n`, counted from 0, migrates a file from version `n` to `n + 1`. A released step is never
/// edited; a schema change is a new step.
pub(super) const STEPS: &[Step] = &[
    Step { sql: include_str!("schema/1.sql"), then: None },
    Step { sql: include_str!("schema/2.sql"), then: Some(add_checksums) },
];

/// The content of a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// It is empty.
    Empty,
    /// A session file of this version.
    Version(i64),
    /// Something else.
    Foreign,
}

/// Inspects a file without changing it.
pub(super) fn look(connection: &Connection) -> Result<Found, Fault> {
    // In one snapshot: another process may be creating the file.
    let moment = connection.unchecked_transaction()?;
    let application: i64 = pragma(&moment, "application_id")?;
    let version: i64 = pragma(&moment, "user_version")?;
    let tables: i64 =
        moment.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    Ok(match (application, version, tables) {
        (APPLICATION, version, _) => Found::Version(version),
        (0, 0, 0) => Found::Empty,
        _ => Found::Foreign,
    })
}

/// Migrates a file to the current version.
pub(super) fn migrate(connection: &Connection, steps: &[Step]) -> Result<(), Fault> {
    connection.execute_batch("BEGIN IMMEDIATE")?;
    let done = run(connection, steps);
    let ended = match done {
        Ok(()) => connection.execute_batch("COMMIT").map_err(Fault::from),
        Err(fault) => Err(fault),
    };
    if ended.is_err() && !connection.is_autocommit() {
        connection.execute_batch("ROLLBACK")?;
    }
    ended
}

fn run(connection: &Connection, steps: &[Step]) -> Result<(), Fault> {
    // Another process may have migrated it while this one waited.
    let version: i64 = pragma(connection, "user_version")?;
    let behind = usize::try_from(version).ok().and_then(|version| steps.get(version..));
    let behind = behind.unwrap_or_default();
    for step in behind {
        connection.execute_batch(step.sql)?;
        if let Some(then) = step.then {
            then(connection)?;
        }
    }
    if !behind.is_empty() {
        connection.pragma_update(None, "application_id", APPLICATION)?;
        connection.pragma_update(None, "user_version", steps.len())?;
    }
    Ok(())
}

fn pragma(connection: &Connection, name: &str) -> Result<i64, Fault> {
    Ok(connection.pragma_query_value(None, name, |row| row.get(0))?)
}

#[cfg(test)]
mod tests;
