//! Entries of the log: writing one, and its checksums.

use rusqlite::Connection;

use super::checksum::Checksum;
use super::fault::Fault;
use super::recent::Identity;
use super::state::{NewState, States, pack_trace};
use crate::{FORMAT, Json, Record};

/// An entry to write.
pub(super) struct NewEntry<'t> {
    pub(super) version: u64,
    pub(super) parent: Option<u64>,
    pub(super) turn: u64,
    pub(super) branch: u64,
    pub(super) abandoned: Option<u64>,
    pub(super) key: Option<&'t str>,
    /// The row of the lawbook, and its hash.
    pub(super) book: (i64, &'t str),
    pub(super) record: &'t Record,
    pub(super) snapshot: &'t Json,
}

impl NewEntry<'_> {
    /// Writes the entry.
    pub(super) fn write(
        &self,
        connection: &Connection,
        session: i64,
        states: &mut States<'_>,
    ) -> Result<Written, Fault> {
        let Record { input, events, changes, result } = self.record;
        let text = self.snapshot.text();
        let state = match self.parent {
            Some(parent) => NewState::after(states, parent, text)?,
            None => NewState::first(text),
        };
        let trace = [events.text(), changes.text()];
        let [packed_events, packed_changes] = pack_trace(input.text(), text, trace);
        let state_sum = state_sum(self.version, self.turn, text);
        let record_sum = self.about().sum([input, events, changes, result].map(Json::text));
        let sql = "INSERT INTO entry (session, version, parent, turn, branch, abandoned, format, book, \
                   key, base, depth, state_sum, record_sum, input, events, changes, result, snapshot) \
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)";
        connection.prepare_cached(sql)?.execute(rusqlite::params![
            session,
            self.version,
            self.parent,
            self.turn,
            self.branch,
            self.abandoned,
            FORMAT,
            self.book.0,
            self.key,
            state.base,
            state.depth,
            state_sum,
            record_sum,
            input.text(),
            packed_events,
            packed_changes,
            result.text(),
            state.packed,
        ])?;
        states.wrote(self.version, &state, text);
        let Self { version, turn, .. } = *self;
        let identity = Identity { version, turn, sum: state_sum };
        Ok(Written { row: connection.last_insert_rowid(), identity })
    }

    fn about(&self) -> About<'_> {
        let Self { version, parent, branch, key, book: (_, book), .. } = *self;
        About { version, parent, branch, key, book }
    }
}

/// An entry that was written.
pub(super) struct Written {
    pub(super) row: i64,
    pub(super) identity: Identity,
}

/// The checksum of a state.
pub(super) fn state_sum(version: u64, turn: u64, text: &str) -> i64 {
    Checksum::new().number(version).number(turn).bytes(text.as_bytes()).value()
}

/// What an entry says about itself and never changes.
pub(super) struct About<'t> {
    pub(super) version: u64,
    pub(super) parent: Option<u64>,
    pub(super) branch: u64,
    pub(super) key: Option<&'t str>,
    pub(super) book: &'t str,
}

impl About<'_> {
    /// The checksum of a record: input, events, changes and result.
    pub(super) fn sum(&self, texts: [&str; 4]) -> i64 {
        let sum = Checksum::new().number(self.version).number(self.branch);
        let sum = sum.number(self.parent.map_or(0, |parent| parent.saturating_add(1)));
        let sum = sum.number(u64::from(self.key.is_some()));
        let sum = sum.bytes(self.key.unwrap_or_default().as_bytes()).bytes(self.book.as_bytes());
        texts.iter().fold(sum, |sum, text| sum.bytes(text.as_bytes())).value()
    }
}

/// Computes the checksums of the entries of a file that had none.
pub(super) fn add_checksums(connection: &Connection) -> Result<(), Fault> {
    let mut last = None;
    loop {
        // One row at a time: a state can be large.
        let sql = "SELECT e.id, e.version, e.parent, e.turn, e.branch, e.key, b.hash, e.input, \
                   e.events, e.changes, e.result, e.snapshot \
                   FROM entry e JOIN book b ON b.id = e.book \
                   WHERE ?1 IS NULL OR e.id > ?1 ORDER BY e.id LIMIT 1";
        let mut statement = connection.prepare_cached(sql)?;
        let mut rows = statement.query([last])?;
        let Some(row) = rows.next()? else { return Ok(()) };
        let id: i64 = row.get(0)?;
        let (key, book): (Option<String>, String) = (row.get(5)?, row.get(6)?);
        let about = About {
            version: row.get(1)?,
            parent: row.get(2)?,
            branch: row.get(4)?,
            key: key.as_deref(),
            book: &book,
        };
        let mut texts: [String; 5] = Default::default();
        for (column, text) in (7..).zip(&mut texts) {
            *text = row.get(column)?;
        }
        let [input, events, changes, result, state] = &texts;
        let state_sum = state_sum(about.version, row.get(3)?, state);
        let record_sum = about.sum([input, events, changes, result]);
        drop(rows);
        let sql = "UPDATE entry SET state_sum = ?2, record_sum = ?3 WHERE id = ?1";
        connection.prepare_cached(sql)?.execute((id, state_sum, record_sum))?;
        last = Some(id);
    }
}
