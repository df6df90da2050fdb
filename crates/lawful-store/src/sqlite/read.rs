//! Queries that change nothing.

use rusqlite::{Connection, OptionalExtension as _};

use super::fault::Fault;
use super::rows::{effects, entries, json, session};
use crate::{Book, Effect, Entry, Export, FORMAT, Json, Summary};

pub(super) fn log(
    connection: &Connection,
    name: &str,
    after: Option<u64>,
    limit: usize,
) -> Result<Vec<Entry>, Fault> {
    let session = session(connection, name)?;
    entries(connection, session.id, after.map_or(0, |version| version.saturating_add(1)), limit)
}

pub(super) fn newest(connection: &Connection, name: &str) -> Result<Option<Entry>, Fault> {
    let session = session(connection, name)?;
    if session.head != session.version {
        return Ok(None);
    }
    Ok(entries(connection, session.id, session.version, 1)?.pop())
}

pub(super) fn pending(connection: &Connection, name: &str) -> Result<Vec<Effect>, Fault> {
    let session = session(connection, name)?;
    let sql = "SELECT e.version, f.stem, f.number, f.status, f.body \
               FROM effect f JOIN entry e ON e.id = f.entry \
               WHERE f.session = ?1 AND f.status = 0 ORDER BY f.id";
    let mut statement = connection.prepare_cached(sql)?;
    effects(statement.query([session.id])?)
}

pub(super) fn list(connection: &Connection) -> Result<Vec<Summary>, Fault> {
    let sql = "SELECT s.name, s.version, e.turn, s.branch, \
               (SELECT count(*) FROM effect f WHERE f.session = s.id AND f.status = 0) \
               FROM session s JOIN entry e ON e.session = s.id AND e.version = s.head \
               ORDER BY s.id";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map([], |row| {
        Ok(Summary {
            session: row.get(0)?,
            version: row.get(1)?,
            turn: row.get(2)?,
            branch: row.get(3)?,
            pending: row.get(4)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

pub(super) fn book(connection: &Connection, hash: &str) -> Result<Option<Json>, Fault> {
    let mut statement = connection.prepare_cached("SELECT text FROM book WHERE hash = ?1")?;
    statement.query_row([hash], |row| row.get(0)).optional()?.map(json).transpose()
}

pub(super) fn export(connection: &Connection, name: &str) -> Result<Export, Fault> {
    let session = session(connection, name)?;
    let entries = entries(connection, session.id, 0, usize::MAX)?;
    let mut hashes: Vec<&str> = Vec::new();
    let mut books = Vec::new();
    for entry in &entries {
        if !hashes.contains(&entry.book.as_str()) {
            hashes.push(&entry.book);
            let text = book(connection, &entry.book)?;
            books.extend(text.map(|text| Book { hash: entry.book.clone(), text }));
        }
    }
    Ok(Export {
        format: FORMAT,
        session: name.to_owned(),
        version: session.version,
        head: session.head,
        branch: session.branch,
        entries,
        books,
    })
}
