//! Rows to values: the only module that knows the order of columns.

use std::borrow::Cow;

use rusqlite::{Connection, Row};

use super::entry::{About, state_sum};
use super::fault::Fault;
use super::recent::{Identity, Recent};
use super::state::{Links, Packed, States, join_links, links, trace_base};
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

/// The head of a session, if this process stored its state last.
pub(super) fn known_head(
    connection: &Connection,
    recent: &Recent,
    name: &str,
) -> Result<Option<Head>, Fault> {
    if recent.is_empty() {
        return Ok(None);
    }
    let sql = "SELECT s.version, e.turn, s.branch, b.hash, s.format, e.format, s.id, s.head, e.state_sum \
               FROM session s JOIN entry e ON e.session = s.id AND e.version = s.head \
               JOIN book b ON b.id = e.book WHERE s.name = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query([name])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    let entry = Identity { version: row.get(7)?, turn: row.get(1)?, sum: row.get(8)? };
    let Some(snapshot) = recent.state(row.get(6)?, entry) else { return Ok(None) };
    check_format(row.get(4)?)?;
    check_format(row.get(5)?)?;
    Ok(Some(Head {
        session: name.to_owned(),
        version: row.get(0)?,
        turn: entry.turn,
        branch: row.get(2)?,
        book: row.get(3)?,
        snapshot: snapshot.clone(),
    }))
}

/// The head of a session.
pub(super) fn head(connection: &Connection, name: &str) -> Result<Head, Fault> {
    let sql = concat!(
        "SELECT s.version, e.turn, s.branch, b.hash, s.format, e.format, s.id, s.head, e.state_sum, ",
        links!(),
        " FROM session s JOIN entry e ON e.session = s.id AND e.version = s.head \
         JOIN book b ON b.id = e.book ",
        join_links!(),
        " WHERE s.name = ?1"
    );
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query([name])?;
    let Some(row) = rows.next()? else {
        return Err(Error::NoSession { session: name.to_owned() }.into());
    };
    check_format(row.get(4)?)?;
    check_format(row.get(5)?)?;
    let (turn, at, links) = (row.get(1)?, row.get(7)?, Links::read(row, 9)?);
    let mut states = States::new(connection, row.get(6)?);
    Ok(Head {
        session: name.to_owned(),
        version: row.get(0)?,
        turn,
        branch: row.get(2)?,
        book: row.get(3)?,
        snapshot: checked_state(&mut states, (at, links), turn, row.get(8)?)?,
    })
}

/// The state of an entry, if it has its checksum.
fn checked_state(
    states: &mut States<'_>,
    (version, links): (u64, Links),
    turn: u64,
    sum: i64,
) -> Result<Json, Fault> {
    let text = states.text(version, links)?;
    if state_sum(version, turn, text) != sum {
        return Err(states.damaged(version, "its state does not match its checksum"));
    }
    json(text.to_owned())
}

/// Entries of a session from a version on, oldest first, at most `limit`.
pub(super) fn entries(
    connection: &Connection,
    session: i64,
    from: u64,
    limit: usize,
) -> Result<Vec<Entry>, Fault> {
    let sql = format!(
        "SELECT {ENTRY} WHERE e.session = ?1 AND e.version >= ?2 ORDER BY e.version LIMIT ?3"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let from = i64::try_from(from).unwrap_or(i64::MAX);
    let mut rows = statement.query((session, from, limit))?;
    let mut states = States::new(connection, session);
    let mut entries = Vec::new();
    while let Some(row) = rows.next()? {
        entries.push(entry(connection, &mut states, row)?);
    }
    Ok(entries)
}

/// Reads the entries from the start to one entry, and fails at the first that is damaged.
pub(super) fn check_way(connection: &Connection, session: i64, to: u64) -> Result<(), Fault> {
    let sql = format!(
        "{WAY} SELECT {ENTRY} WHERE e.session = ?1 AND e.version IN (SELECT version FROM way) \
         ORDER BY e.version"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query((session, to))?;
    let mut states = States::new(connection, session);
    while let Some(row) = rows.next()? {
        entry(connection, &mut states, row)?;
    }
    Ok(())
}

/// The versions from the start to an entry.
pub(super) const WAY: &str = "WITH RECURSIVE way(version) AS (SELECT ?2 UNION \
                              SELECT e.parent FROM entry e JOIN way w ON e.session = ?1 \
                              AND e.version = w.version WHERE e.parent < e.version)";

/// The columns of an entry, and where they are.
const ENTRY: &str = "e.id, e.version, e.parent, e.turn, e.branch, e.abandoned, e.format, e.key, \
                     b.hash, e.state_sum, e.record_sum, e.input, e.events, e.changes, e.result, \
                     e.version, e.base, e.depth, e.snapshot FROM entry e JOIN book b ON b.id = e.book";

fn entry(connection: &Connection, states: &mut States<'_>, row: &Row<'_>) -> Result<Entry, Fault> {
    check_format(row.get(6)?)?;
    let (version, turn) = (row.get(1)?, row.get(3)?);
    let links = Links::read_newest(row, 15)?;
    let snapshot = checked_state(states, (version, links), turn, row.get(9)?)?;
    let (parent, branch) = (row.get(2)?, row.get(4)?);
    let (key, book): (Option<String>, String) = (row.get(7)?, row.get(8)?);
    let (input, result): (String, String) = (row.get(11)?, row.get(14)?);
    let base = || Cow::Owned(trace_base(&input, snapshot.text()).into_bytes());
    let trace = |column: usize| -> Result<Option<String>, Fault> {
        let text = Packed::read(row, column)?.unpack(base);
        Ok(text.and_then(|text| String::from_utf8(text).ok()))
    };
    let (events, changes) = (trace(12)?, trace(13)?);
    let about = About { version, parent, branch, key: key.as_deref(), book: &book };
    let (Some(events), Some(changes)) = (events, changes) else {
        return Err(states.damaged(version, "its trace cannot be restored"));
    };
    if about.sum([&input, &events, &changes, &result]) != row.get::<_, i64>(10)? {
        return Err(states.damaged(version, "its record does not match its checksum"));
    }
    Ok(Entry {
        version,
        parent,
        turn,
        branch,
        abandoned: row.get(5)?,
        key,
        book,
        record: Record {
            input: json(input)?,
            events: json(events)?,
            changes: json(changes)?,
            result: json(result)?,
        },
        snapshot,
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
