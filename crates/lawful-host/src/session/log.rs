//! The log of a session, read in pages: the states of a long session need not be in memory at once.

use std::ops::ControlFlow;

use lawful::react::Session;
use lawful_store::Entry;
use serde::ser::{Error as _, Serialize, SerializeSeq as _, SerializeStruct as _, Serializer};

use super::effect::SessionEffect;
use super::view::{LogEntry, LogRange, LoggedEffect, SessionLog};
use super::why_not::stored_entry;
use super::{Sessions, ask, stored, trace};
use crate::failure::Failure;

/// The number of entries that are read at once.
const PAGE: usize = 16;

impl Sessions {
    /// Every step of a session, on every branch.
    pub fn log(&self, session: &str) -> Result<SessionLog, Failure> {
        self.log_range(session, LogRange::default())
    }

    /// Some steps of a session, on every branch.
    pub fn log_range(&self, session: &str, range: LogRange) -> Result<SessionLog, Failure> {
        let mut entries = Vec::new();
        self.each_logged(session, range, |entry, _| {
            entries.push(entry.clone());
            ControlFlow::Continue(())
        })?;
        Ok(SessionLog { session: session.to_owned(), entries })
    }

    /// Calls `see` for some steps of a session, oldest first, each with the state before it. Only a
    /// few are in memory at once.
    pub fn each_logged(
        &self,
        session: &str,
        range: LogRange,
        mut see: impl FnMut(&LogEntry, Option<&Session>) -> ControlFlow<()>,
    ) -> Result<(), Failure> {
        let store = &*self.store;
        let mut after = range.after;
        let mut last: Option<(u64, Session)> = None;
        loop {
            let page = ask(store, |store| store.log(session, after, PAGE))?;
            let Some(end) = page.last() else { return Ok(()) };
            after = Some(end.version);
            for entry in &page {
                if range.turn.is_some_and(|turn| entry.turn != turn) {
                    continue;
                }
                // A log that starts in the middle still shows what its first steps changed.
                let before = match (entry.parent, last.take()) {
                    (None, _) => None,
                    (Some(parent), Some((version, state))) if version == parent => Some(state),
                    (Some(parent), _) => {
                        let parent = stored_entry(store, session, parent)?;
                        Some(stored::state(&parent.snapshot)?)
                    }
                };
                let entry = log_entry(entry)?;
                if see(&entry, before.as_ref()).is_break() {
                    return Ok(());
                }
                last = Some((entry.version, entry.state));
            }
        }
    }

    /// The same as [`log_range`](Self::log_range), as a document that is read while it is written.
    /// Everything in it was read once before, so that a damaged step is an error instead of half a
    /// document.
    pub fn log_document<'s>(
        &'s self,
        session: &'s str,
        range: LogRange,
    ) -> Result<LogDocument<'s>, Failure> {
        self.each_logged(session, range, |_, _| ControlFlow::Continue(()))?;
        Ok(LogDocument { sessions: self, session, range })
    }
}

/// The log of a session, with the JSON form of [`SessionLog`].
#[derive(Clone, Copy, Debug)]
pub struct LogDocument<'s> {
    sessions: &'s Sessions,
    session: &'s str,
    range: LogRange,
}

impl Serialize for LogDocument<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut document = serializer.serialize_struct("SessionLog", 2)?;
        document.serialize_field("session", self.session)?;
        document.serialize_field("entries", &Entries(self))?;
        document.end()
    }
}

struct Entries<'s>(&'s LogDocument<'s>);

impl Serialize for Entries<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let LogDocument { sessions, session, range } = *self.0;
        let mut entries = serializer.serialize_seq(None)?;
        let mut written = Ok(());
        let read = sessions.each_logged(session, range, |entry, _| {
            written = entries.serialize_element(entry);
            if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        written?;
        read.map_err(|failure| {
            S::Error::custom(failure.problems.first().map_or("", |problem| &*problem.message))
        })?;
        entries.end()
    }
}

fn log_entry(entry: &Entry) -> Result<LogEntry, Failure> {
    let effects = entry.effects.iter().map(|effect| {
        Ok(LoggedEffect { status: effect.status, effect: SessionEffect::stored(effect)? })
    });
    let result = stored::value(&entry.record.result)?;
    Ok(LogEntry {
        version: entry.version,
        parent: entry.parent,
        turn: entry.turn,
        branch: entry.branch,
        abandoned: entry.abandoned,
        key: entry.key.clone(),
        book: entry.book.clone(),
        input: stored::value(&entry.record.input)?,
        state: stored::state(&entry.snapshot)?,
        effects: effects.collect::<Result<_, Failure>>()?,
        trace: entry.parent.map(|_| trace::trace(&entry.record)).transpose()?,
        diagnostics: stored::items(result.get("diagnostics")).to_vec(),
    })
}
