//! The states that this process stored last.
//!
//! The next turn of a session usually comes from the process that stored the one before. It then needs
//! neither to restore the state nor to read what the next delta is made from.
//!
//! **Invariant:** an element is what the file contains. Entries never change, so only three things
//! void it: a rollback, a deleted session, and another connection, which may have deleted a session and
//! used its row again. A change checks for other connections inside its transaction. A query does not:
//! it compares the checksum of the entry with that of the element.

use std::collections::BTreeMap;

use rusqlite::Connection;

use super::fault::Fault;
use super::state::Bases;
use crate::Json;

/// Bytes of texts in one generation.
const GENERATION: usize = 4 << 20;

/// The last stored state of some sessions. There are two generations: when the younger one is full,
/// the older one is dropped.
#[derive(Debug, Default)]
pub(super) struct Recent {
    younger: BTreeMap<i64, Latest>,
    older: BTreeMap<i64, Latest>,
    /// Bytes of texts of the younger generation.
    size: usize,
    /// SQLite's number for what other connections have committed.
    others: Option<i64>,
}

/// The last stored state of a session.
#[derive(Debug)]
pub(super) struct Latest {
    pub(super) entry: Identity,
    pub(super) state: Json,
    /// What the next state is made from.
    pub(super) bases: Bases,
}

/// Tells a state from every other one of its session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    pub(super) version: u64,
    pub(super) turn: u64,
    pub(super) sum: i64,
}

impl Recent {
    /// Drops everything if another connection has committed since the last call. To be called inside a
    /// transaction that writes, in which no other connection can commit.
    pub(super) fn check(&mut self, connection: &Connection) -> Result<(), Fault> {
        let mut statement = connection.prepare_cached("PRAGMA data_version")?;
        let others = Some(statement.query_row([], |row| row.get(0))?);
        if self.others != others {
            self.clear();
            self.others = others;
        }
        Ok(())
    }

    /// Drops everything.
    pub(super) fn clear(&mut self) {
        self.younger.clear();
        self.older.clear();
        self.size = 0;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.younger.is_empty() && self.older.is_empty()
    }

    /// The state of an entry of a session.
    pub(super) fn state(&self, session: i64, entry: Identity) -> Option<&Json> {
        let latest = self.younger.get(&session).or_else(|| self.older.get(&session))?;
        (latest.entry == entry).then_some(&latest.state)
    }

    /// Takes what is known of a session.
    pub(super) fn take(&mut self, session: i64) -> Option<Latest> {
        if let Some(latest) = self.younger.remove(&session) {
            self.size = self.size.saturating_sub(latest.size());
            return Some(latest);
        }
        self.older.remove(&session)
    }

    /// Keeps what was stored last of a session, after [`Recent::take`].
    pub(super) fn keep(&mut self, session: i64, latest: Latest) {
        let size = latest.size();
        if size > GENERATION {
            return;
        }
        if self.size + size > GENERATION {
            self.older = std::mem::take(&mut self.younger);
            self.size = 0;
        }
        self.size += size;
        self.younger.insert(session, latest);
    }
}

impl Latest {
    /// About what it takes, with its place in the map.
    fn size(&self) -> usize {
        self.state.text().len() + self.bases.size() + 256
    }
}

#[cfg(test)]
mod tests;
