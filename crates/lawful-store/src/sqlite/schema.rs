//! Schema versions.
//!
//! A file carries its version. An older one is brought up to date in one transaction when it is
//! opened, so it is at one version or the other and never between; a newer one is refused, because
//! what it means is not known here.

use rusqlite::Connection;

use super::fault::Fault;

/// Marks a file as ours: `LAWF`.
pub(super) const APPLICATION: i64 = 0x4c41_5746;

/// Step `n`, counted from 0, brings a file from version `n` to `n + 1`. A step that was released is
/// never edited; a change of the schema is a new step.
pub(super) const STEPS: &[&str] = &[include_str!("schema/1.sql")];

/// What a file says about itself.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// It is empty.
    Empty,
    /// It is ours, at this version.
    Version(i64),
    /// It holds something else.
    Foreign,
}

/// Looks at a file without changing it.
pub(super) fn look(connection: &Connection) -> Result<Found, Fault> {
    // In one moment: another process may be making the file what it is.
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

/// Brings a file up to date.
pub(super) fn migrate(connection: &Connection, steps: &[&str]) -> Result<(), Fault> {
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

fn run(connection: &Connection, steps: &[&str]) -> Result<(), Fault> {
    // Another process may have brought it up to date while this one waited.
    let version: i64 = pragma(connection, "user_version")?;
    let behind = usize::try_from(version).ok().and_then(|version| steps.get(version..));
    let behind = behind.unwrap_or_default();
    for step in behind {
        connection.execute_batch(step)?;
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
