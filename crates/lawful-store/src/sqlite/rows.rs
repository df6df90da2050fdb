//! Rows to values: the only module that knows the order of columns.

use rusqlite::{Connection, Row};

use super::fault::Fault;
use crate::{Effect, EffectId, Entry, Error, FORMAT, Head, Json, Record, Status};

/// A row of `session`.
pub(super) struct SessionRow {
    pub(super) id: i64,
    pub(super) version: u64,
    pub(super) head: u64,
    pub(super) branch: u64,
}

impl SessionRow {
    /// From the columns `id, version, head, branch, format`.
    pub(super) fn read(row: &Row<'_>) -> Result<Self, Fault> {
        check_format(row.get(4)?)?;
        let [version, head, branch] = [row.get(1)?, row.get(2)?, row.get(3)?];
        Ok(Self { id: row.get(0)?, version, head, branch })
    }
}

/// The row of a session.
pub(super) fn session(connection: &Connection, name: &str) -> Result<SessionRow, Fault> {
    let mut statement = connection
        .prepare_cached("SELECT id, version, head, branch, format FROM session WHERE name = ?1")?;
    let mut rows = statement.query([name])?;
    match rows.next()? {
        Some(row) => SessionRow::read(row),
        None => Err(Error::NoSession { session: name.to_owned() }.into()),
    }
}

/// The head of a session. One statement, so it needs no transaction.
pub(super) fn head(connection: &Connection, name: &str) -> Result<Head, Fault> {
    let sql = "SELECT s.version, e.turn, s.branch, b.hash, e.snapshot, s.format, e.format \
               FROM session s JOIN entry e ON e.session = s.id AND e.version = s.head \
               JOIN book b ON b.id = e.book WHERE s.name = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query([name])?;
    let Some(row) = rows.next()? else {
        return Err(Error::NoSession { session: name.to_owned() }.into());
    };
    check_format(row.get(5)?)?;
    check_format(row.get(6)?)?;
    Ok(Head {
        session: name.to_owned(),
        version: row.get(0)?,
        turn: row.get(1)?,
        branch: row.get(2)?,
        book: row.get(3)?,
        snapshot: json(row.get(4)?)?,
    })
}

/// Entries of a session from a version on, oldest first, at most `limit`.
pub(super) fn entries(
    connection: &Connection,
    session: i64,
    from: u64,
    limit: usize,
) -> Result<Vec<Entry>, Fault> {
    let sql = "SELECT e.id, e.version, e.parent, e.turn, e.branch, e.abandoned, e.format, e.key, \
               b.hash, e.input, e.events, e.changes, e.result, e.snapshot \
               FROM entry e JOIN book b ON b.id = e.book \
               WHERE e.session = ?1 AND e.version >= ?2 ORDER BY e.version LIMIT ?3";
    let mut statement = connection.prepare_cached(sql)?;
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let from = i64::try_from(from).unwrap_or(i64::MAX);
    let mut rows = statement.query((session, from, limit))?;
    let mut entries = Vec::new();
    while let Some(row) = rows.next()? {
        entries.push(entry(connection, row)?);
    }
    Ok(entries)
}

fn entry(connection: &Connection, row: &Row<'_>) -> Result<Entry, Fault> {
    check_format(row.get(6)?)?;
    let version = row.get(1)?;
    Ok(Entry {
        version,
        parent: row.get(2)?,
        turn: row.get(3)?,
        branch: row.get(4)?,
        abandoned: row.get(5)?,
        key: row.get(7)?,
        book: row.get(8)?,
        record: Record {
            input: json(row.get(9)?)?,
            events: json(row.get(10)?)?,
            changes: json(row.get(11)?)?,
            result: json(row.get(12)?)?,
        },
        snapshot: json(row.get(13)?)?,
        effects: effects_of(connection, row.get(0)?, version)?,
    })
}

/// The effects of one entry, in order.
fn effects_of(connection: &Connection, entry: i64, version: u64) -> Result<Vec<Effect>, Fault> {
    let sql =
        "SELECT ?2, stem, number, status, body FROM effect WHERE entry = ?1 ORDER BY position";
    let mut statement = connection.prepare_cached(sql)?;
    effects(statement.query((entry, version))?)
}

/// Effects from rows `version, stem, number, status, body`.
pub(super) fn effects(mut rows: rusqlite::Rows<'_>) -> Result<Vec<Effect>, Fault> {
    let mut effects = Vec::new();
    while let Some(row) = rows.next()? {
        let code = row.get(3)?;
        let unknown = || Fault::Row(format!("an effect has the unknown status {code}"));
        effects.push(Effect {
            id: EffectId { stem: row.get(1)?, number: row.get(2)? },
            version: row.get(0)?,
            status: Status::from_code(code).ok_or_else(unknown)?,
            body: json(row.get(4)?)?,
        });
    }
    Ok(effects)
}

/// A text of a row, which someone else may have written.
pub(super) fn json(text: String) -> Result<Json, Fault> {
    Json::parse(text).map_err(|error| Fault::Row(format!("a text is not JSON: {error}")))
}

fn check_format(format: i64) -> Result<(), Fault> {
    if format == i64::from(FORMAT) {
        return Ok(());
    }
    Err(Fault::Row(format!("a row has format {format}, expected {FORMAT}")))
}
