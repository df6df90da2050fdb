//! States: stored whole, or as what changed since an earlier one.
//!
//! The entries from the last whole state to an entry are counted; that is the depth of the entry. The
//! base of an entry is the one whose depth is its own with the last digit that is not 0 set to 0, in
//! the number system of [`RADIX`]. So a state is never more than a few deltas away from a whole one,
//! and a state that grows by a little every turn still costs little. The bases of an entry are among
//! those of the entry before it, so they are found without a search.
//!
//! A state is whole if its delta would not be smaller, at a depth of [`DEEPEST`], and where a delta
//! could not save anything.

use std::borrow::Cow;

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, OptionalExtension as _, Row, ToSql};

use super::delta::{Base, apply};
use super::fault::Fault;
use crate::Error;

const RADIX: u64 = 4;
/// The depth at which a state is stored whole again, so that damage to one does not reach the whole
/// session. No state is more than four deltas away from a whole one.
const DEEPEST: u64 = 256;
/// A text shorter than this is stored whole.
const SHORT: usize = 128;
/// A text longer than this is stored whole. A delta that makes more was not written by this program.
const LONGEST: usize = 1 << 26;

/// A text in a row: whole, or a delta.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Packed<'t> {
    Whole(Cow<'t, str>),
    Delta(Vec<u8>),
}

impl ToSql for Packed<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Whole(text) => ValueRef::Text(text.as_bytes()),
            Self::Delta(delta) => ValueRef::Blob(delta),
        }))
    }
}

impl Packed<'static> {
    /// From a column.
    pub(super) fn read(row: &Row<'_>, column: usize) -> Result<Self, Fault> {
        match row.get_ref(column)? {
            ValueRef::Text(_) => Ok(Self::Whole(Cow::Owned(row.get(column)?))),
            ValueRef::Blob(delta) => Ok(Self::Delta(delta.to_owned())),
            ValueRef::Null | ValueRef::Integer(_) | ValueRef::Real(_) => {
                Err(Fault::Row("a text is neither whole nor a delta".to_owned()))
            }
        }
    }

    /// The text.
    pub(super) fn unpack<'b>(self, base: impl FnOnce() -> Cow<'b, str>) -> Option<String> {
        match self {
            Self::Whole(text) => Some(text.into_owned()),
            Self::Delta(delta) => {
                String::from_utf8(apply(base().as_bytes(), &delta, LONGEST)?).ok()
            }
        }
    }
}

/// A text, packed if that saves something.
fn pack<'t>(text: &'t str, base: &Base<'_>) -> Packed<'t> {
    let whole = Packed::Whole(Cow::Borrowed(text));
    if text.len() < SHORT || text.len() > LONGEST {
        return whole;
    }
    let delta = base.delta(text.as_bytes());
    if delta.len() < text.len() { Packed::Delta(delta) } else { whole }
}

/// The events and changes of an entry, packed. Both repeat the messages of the input, and show values
/// that are in the state.
pub(super) fn pack_trace<'t>(
    input: &str,
    state: &str,
    [events, changes]: [&'t str; 2],
) -> [Packed<'t>; 2] {
    let size = events.len().max(changes.len());
    if size < SHORT {
        return [events, changes].map(|text| Packed::Whole(Cow::Borrowed(text)));
    }
    // A trace that is short beside the state shows none of its large values.
    let base = if size < state.len() / 16 { input.to_owned() } else { trace_base(input, state) };
    let base = Base::new(base.as_bytes());
    [pack(events, &base), pack(changes, &base)]
}

/// The base of events and changes. A delta to the input alone is also a delta to this.
pub(super) fn trace_base(input: &str, state: &str) -> String {
    [input, state].concat()
}

/// A state to store.
pub(super) struct NewState<'t> {
    pub(super) base: Option<u64>,
    pub(super) depth: u64,
    pub(super) packed: Packed<'t>,
}

impl<'t> NewState<'t> {
    fn whole(text: &'t str) -> Self {
        Self { base: None, depth: 0, packed: Packed::Whole(Cow::Borrowed(text)) }
    }

    /// The state of an entry that follows another.
    pub(super) fn after(
        states: &mut States<'_>,
        parent: u64,
        text: &'t str,
    ) -> Result<Self, Fault> {
        if text.len() < SHORT {
            return Ok(Self::whole(text));
        }
        let chain = states.chain(parent)?;
        let depth = chain.last().map_or(0, |link| link.depth.saturating_add(1));
        let Some(link) = chain.iter().find(|link| link.depth == depth_of_base(depth)) else {
            return Ok(Self::whole(text));
        };
        if depth >= DEEPEST {
            return Ok(Self::whole(text));
        }
        let packed = pack(text, &Base::new(link.text.as_bytes()));
        Ok(match packed {
            Packed::Delta(_) => Self { base: Some(link.version), depth, packed },
            Packed::Whole(_) => Self::whole(text),
        })
    }

    /// The first state of a session.
    pub(super) fn first(text: &'t str) -> Self {
        Self::whole(text)
    }
}

fn depth_of_base(depth: u64) -> u64 {
    let mut unit = 1;
    while depth != 0 && depth.is_multiple_of(unit * RADIX) {
        unit *= RADIX;
    }
    depth - depth / unit % RADIX * unit
}

/// A state that was read.
struct Link {
    version: u64,
    depth: u64,
    text: String,
}

/// A state as it is stored.
struct Stored {
    version: u64,
    base: Option<u64>,
    depth: u64,
    packed: Packed<'static>,
}

/// Reads the states of a session. What the last one was made from is kept, because the next one is
/// usually made from the same.
pub(super) struct States<'c> {
    connection: &'c Connection,
    session: i64,
    /// From a whole state to the last one that was read.
    chain: Vec<Link>,
}

impl<'c> States<'c> {
    pub(super) fn new(connection: &'c Connection, session: i64) -> Self {
        Self { connection, session, chain: Vec::new() }
    }

    /// The state of an entry.
    pub(super) fn text(&mut self, version: u64) -> Result<&str, Fault> {
        Ok(self.chain(version)?.last().map_or("", |link| &link.text))
    }

    /// The state of an entry, after those that it is made from.
    fn chain(&mut self, version: u64) -> Result<&[Link], Fault> {
        let mut missing = Vec::new();
        let mut next = Some(version);
        while let Some(version) = next {
            if let Some(known) = self.chain.iter().position(|link| link.version == version) {
                self.chain.truncate(known + 1);
                break;
            }
            let stored = self.stored(version)?;
            // A base is always older, so this ends.
            next = stored.base.filter(|base| *base < version);
            if next.is_none() {
                self.chain.clear();
            }
            missing.push(stored);
        }
        while let Some(stored) = missing.pop() {
            let base = self.chain.last().map_or("", |link| &link.text);
            let Some(text) = stored.packed.unpack(|| Cow::Borrowed(base)) else {
                self.chain.clear();
                return Err(self.damaged(version, "its state cannot be restored"));
            };
            self.chain.push(Link { version: stored.version, depth: stored.depth, text });
        }
        Ok(&self.chain)
    }

    fn stored(&self, version: u64) -> Result<Stored, Fault> {
        let sql = "SELECT base, depth, snapshot FROM entry WHERE session = ?1 AND version = ?2";
        let mut statement = self.connection.prepare_cached(sql)?;
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, Packed::read(row, 2)));
        let found = statement.query_row((self.session, version), read).optional()?;
        let Some((base, depth, packed)) = found else {
            return Err(self.damaged(version, "it is missing"));
        };
        Ok(Stored { version, base, depth, packed: packed? })
    }

    /// The error for an entry that cannot be believed.
    pub(super) fn damaged(&self, version: u64, reason: &'static str) -> Fault {
        let sql = "SELECT name FROM session WHERE id = ?1";
        match self.connection.query_row(sql, [self.session], |row| row.get(0)) {
            Ok(session) => Error::Damaged { session, version, reason }.into(),
            Err(error) => error.into(),
        }
    }
}

#[cfg(test)]
mod tests;
