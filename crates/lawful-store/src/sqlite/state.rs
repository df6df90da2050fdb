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
use rusqlite::{Connection, Row, ToSql};

use super::delta::{Base, apply, delta};
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

/// What is wrong with an entry whose delta does not fit its base.
const NOT_RESTORED: &str = "its state cannot be restored";

/// A text in a row: whole, or a delta.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Packed<'t> {
    Whole(Cow<'t, [u8]>),
    Delta(Vec<u8>),
}

impl ToSql for Packed<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Whole(text) => ValueRef::Text(text),
            Self::Delta(delta) => ValueRef::Blob(delta),
        }))
    }
}

impl Packed<'static> {
    /// From a column.
    pub(super) fn read(row: &Row<'_>, column: usize) -> Result<Self, Fault> {
        match row.get_ref(column)? {
            ValueRef::Text(text) => Ok(Self::Whole(Cow::Owned(text.to_owned()))),
            ValueRef::Blob(delta) => Ok(Self::Delta(delta.to_owned())),
            ValueRef::Null | ValueRef::Integer(_) | ValueRef::Real(_) => {
                Err(Fault::Row("a text is neither whole nor a delta".to_owned()))
            }
        }
    }

    /// The text; `None` if its delta does not fit its base. It was not checked to be UTF-8.
    pub(super) fn unpack<'b>(self, base: impl FnOnce() -> Cow<'b, [u8]>) -> Option<Vec<u8>> {
        match self {
            Self::Whole(text) => Some(text.into_owned()),
            Self::Delta(delta) => apply(&base(), &delta, LONGEST),
        }
    }
}

/// A text, packed if that saves something.
fn pack(text: &str, delta: impl FnOnce(&[u8]) -> Vec<u8>) -> Packed<'_> {
    let whole = Packed::Whole(Cow::Borrowed(text.as_bytes()));
    if text.len() < SHORT || text.len() > LONGEST {
        return whole;
    }
    let delta = delta(text.as_bytes());
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
        return [events, changes].map(|text| Packed::Whole(Cow::Borrowed(text.as_bytes())));
    }
    // A trace that is short beside the state shows none of its large values.
    let base = if size < state.len() / 16 { input.to_owned() } else { trace_base(input, state) };
    let base = Base::new(base.as_bytes());
    [events, changes].map(|text| pack(text, |text| base.delta(text)))
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
        Self { base: None, depth: 0, packed: Packed::Whole(Cow::Borrowed(text.as_bytes())) }
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
        let Some((depth, base)) = states.base_after(parent)? else {
            return Ok(Self::whole(text));
        };
        let packed = pack(text, |text| delta(&base.text, text));
        Ok(match packed {
            Packed::Delta(_) => Self { base: Some(base.version), depth, packed },
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

/// A state that was read or written.
#[derive(Debug)]
struct Link {
    version: u64,
    depth: u64,
    text: Vec<u8>,
}

/// A state as it is stored.
pub(super) struct Stored {
    pub(super) version: u64,
    base: Option<u64>,
    depth: u64,
    packed: Packed<'static>,
}

impl Stored {
    /// From the columns `version, base, depth, snapshot`, of which the first is given.
    fn read(row: &Row<'_>, first: usize) -> Result<Option<Self>, Fault> {
        let Some(version) = row.get(first)? else { return Ok(None) };
        let (base, depth) = (row.get(first + 1)?, row.get(first + 2)?);
        Ok(Some(Self { version, base, depth, packed: Packed::read(row, first + 3)? }))
    }
}

/// The columns of [`Links`] of an entry `e`.
macro_rules! links {
    () => {
        "e.version, e.base, e.depth, e.snapshot, e1.version, e1.base, e1.depth, e1.snapshot, \
         e2.version, e2.base, e2.depth, e2.snapshot, e3.version, e3.base, e3.depth, e3.snapshot, \
         e4.version, e4.base, e4.depth, e4.snapshot"
    };
}

/// The joins of [`Links`] to an entry `e`.
macro_rules! join_links {
    () => {
        "LEFT JOIN entry e1 ON e1.session = e.session AND e1.version = e.base \
         LEFT JOIN entry e2 ON e2.session = e.session AND e2.version = e1.base \
         LEFT JOIN entry e3 ON e3.session = e.session AND e3.version = e2.base \
         LEFT JOIN entry e4 ON e4.session = e.session AND e4.version = e3.base"
    };
}

pub(super) use {join_links, links};

/// A state as it is stored and what it is made from, newest first.
pub(super) struct Links(Vec<Stored>);

impl Links {
    /// A state is at most this many deltas away from a whole one.
    const DELTAS: usize = DEEPEST.ilog(RADIX) as usize;

    /// From the columns [`links`], of which the first is given. One statement for all of them costs
    /// less than one for each.
    pub(super) fn read(row: &Row<'_>, first: usize) -> Result<Self, Fault> {
        let mut links = Vec::with_capacity(Self::DELTAS + 1);
        for at in 0..=Self::DELTAS {
            let Some(stored) = Stored::read(row, first + 4 * at)? else { break };
            links.push(stored);
        }
        Ok(Self(links))
    }

    /// From the columns `version, base, depth, snapshot`, of which the first is given: only the state
    /// itself.
    pub(super) fn read_newest(row: &Row<'_>, first: usize) -> Result<Self, Fault> {
        Ok(Self(Stored::read(row, first)?.into_iter().collect()))
    }
}

type ReadLinks = fn(&Row<'_>, usize) -> Result<Links, Fault>;

/// What the state after an entry can be made from.
#[derive(Debug)]
pub(super) struct Bases {
    /// The entry.
    version: u64,
    depth: u64,
    /// From a whole state to the base of the next one.
    chain: Vec<Link>,
}

impl Bases {
    /// Bytes of texts.
    pub(super) fn size(&self) -> usize {
        self.chain.iter().map(|link| link.text.len()).sum()
    }
}

/// Reads the states of a session. What the last one was made from is kept, because the next one is
/// usually made from the same.
pub(super) struct States<'c> {
    connection: &'c Connection,
    session: i64,
    /// From a whole state to the last one that was read, or that others are made from.
    chain: Vec<Link>,
    /// The version and the depth of the last entry that was written.
    written: Option<(u64, u64)>,
}

impl<'c> States<'c> {
    pub(super) fn new(connection: &'c Connection, session: i64) -> Self {
        Self { connection, session, chain: Vec::new(), written: None }
    }

    /// Goes on from an entry that was written before.
    pub(super) fn after(connection: &'c Connection, session: i64, bases: Bases) -> Self {
        let Bases { version, depth, chain } = bases;
        Self { connection, session, chain, written: Some((version, depth)) }
    }

    /// What the state after the last written entry can be made from.
    pub(super) fn into_bases(self) -> Option<Bases> {
        let (version, depth) = self.written?;
        Some(Bases { version, depth, chain: self.chain })
    }

    /// Notes that an entry was written.
    pub(super) fn wrote(&mut self, version: u64, state: &NewState<'_>, text: &str) {
        let base = |link: &Link| Some(link.version) == state.base;
        self.chain.truncate(self.chain.iter().rposition(base).map_or(0, |at| at + 1));
        // The depth of a base ends with the digit 0.
        if state.depth.is_multiple_of(RADIX) {
            self.chain.push(Link { version, depth: state.depth, text: text.into() });
        }
        self.written = Some((version, state.depth));
    }

    /// The state of an entry.
    pub(super) fn text(&mut self, version: u64, links: Links) -> Result<&str, Fault> {
        let missing = self.missing(links)?;
        self.restore(version, missing)?;
        let text = self.chain.last().map_or(&[][..], |link| &link.text);
        match std::str::from_utf8(text) {
            Ok(text) => Ok(text),
            Err(_) => Err(self.damaged(version, NOT_RESTORED)),
        }
    }

    /// The depth of an entry that follows another, and the base of its state; `None` if the state is
    /// to be whole.
    fn base_after(&mut self, parent: u64) -> Result<Option<(u64, &Link)>, Fault> {
        let (depth, links) = match self.written {
            Some((version, depth)) if version == parent => (Some(depth), None),
            Some(_) | None => {
                let links = self.links(parent)?;
                (links.0.first().map(|newest| newest.depth), Some(links))
            }
        };
        let depth = depth.map_or(0, |depth| depth.saturating_add(1));
        if depth >= DEEPEST {
            return Ok(None);
        }
        let base = depth_of_base(depth);
        if let Some(links) = links {
            let mut missing = self.missing(links)?;
            // Only the base is needed, not the entries between it and this one.
            let newer = missing.iter().take_while(|stored| stored.depth > base).count();
            missing.drain(..newer);
            self.restore(parent, missing)?;
        }
        Ok(self.chain.iter().rfind(|link| link.depth == base).map(|link| (depth, link)))
    }

    /// What must be unpacked to restore a state, newest first. What is known of it stays in the chain.
    fn missing(&mut self, mut links: Links) -> Result<Vec<Stored>, Fault> {
        let mut missing: Vec<Stored> = Vec::with_capacity(links.0.len());
        loop {
            for stored in links.0 {
                let same = |link: &Link| link.version == stored.version;
                if let Some(known) = self.chain.iter().position(same) {
                    self.chain.truncate(known + 1);
                    return Ok(missing);
                }
                missing.push(stored);
            }
            // A base is always older, so this ends.
            let base =
                missing.last().and_then(|last| last.base.filter(|base| *base < last.version));
            match base {
                Some(base) => links = self.links(base)?,
                None => break,
            }
        }
        self.chain.clear();
        Ok(missing)
    }

    /// Restores what was read, and adds it to the chain.
    fn restore(&mut self, version: u64, missing: Vec<Stored>) -> Result<(), Fault> {
        for stored in missing.into_iter().rev() {
            let base = self.chain.last().map_or(&[][..], |link| &link.text);
            let Some(text) = stored.packed.unpack(|| Cow::Borrowed(base)) else {
                self.chain.clear();
                return Err(self.damaged(version, NOT_RESTORED));
            };
            self.chain.push(Link { version: stored.version, depth: stored.depth, text });
        }
        Ok(())
    }

    /// A state as it is stored, and what it is made from unless some of that is known.
    fn links(&self, version: u64) -> Result<Links, Fault> {
        let all = concat!(
            "SELECT ",
            links!(),
            " FROM entry e ",
            join_links!(),
            " WHERE e.session = ?1 AND e.version = ?2"
        );
        let newest = "SELECT version, base, depth, snapshot FROM entry \
                      WHERE session = ?1 AND version = ?2";
        let (sql, read): (_, ReadLinks) =
            if self.chain.is_empty() { (all, Links::read) } else { (newest, Links::read_newest) };
        let mut statement = self.connection.prepare_cached(sql)?;
        let mut rows = statement.query((self.session, version))?;
        match rows.next()? {
            Some(row) => read(row, 0),
            None => Err(self.damaged(version, "it is missing")),
        }
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
