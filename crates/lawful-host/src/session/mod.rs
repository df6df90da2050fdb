//! Sessions in a store.
//!
//! The library computes a step, and the store keeps it; only this module connects the two. The
//! store contains the public JSON forms, so what is read back is shown unchanged.

mod effect;
pub(crate) mod kept_rules;
mod log;
mod refusal;
mod replay;
pub(crate) mod step_record;
pub(crate) mod stored;
mod trace;
mod transfer;
mod turn;
mod view;
mod why_not;

use std::path::Path;

use lawful::{Diagnostics, Lawbook, Verb};
use lawful_store::{EffectId, NewSession, Options, Rewind, Rewound, Sqlite, Store, Target};

use crate::failure::Failure;

pub use effect::{Acknowledgement, PendingEffects, SessionEffect};
pub use log::LogDocument;
pub use replay::{Replayed, ReplayedStep, Sides, StepDifference};
pub use transfer::DeletedSession;
pub use turn::TurnRequest;
pub use view::{
    LogEntry, LogRange, LoggedEffect, RewindResult, SessionHead, SessionList, SessionLog,
    SessionRewound, StartedSession, StepDiagnostic, TurnResult, TurnTaken,
};
pub use why_not::SessionWhyNot;

pub(crate) use refusal::refused;

/// The sessions of a store, and the verbs on them.
pub struct Sessions {
    store: Box<dyn Store>,
}

impl Sessions {
    /// The sessions of any store.
    pub fn of(store: impl Store + 'static) -> Self {
        Self { store: Box::new(store) }
    }

    /// Opens an existing file of sessions.
    pub fn open(file: &Path) -> Result<Self, Failure> {
        Self::sqlite(file, &Options::default())
    }

    /// Opens a file of sessions, or creates it.
    pub fn create(file: &Path) -> Result<Self, Failure> {
        Self::sqlite(file, &Options { create: true, ..Options::default() })
    }

    /// Opens an existing file of sessions for reading. It and its folder may be read-only; verbs that
    /// change something fail.
    pub fn read(file: &Path) -> Result<Self, Failure> {
        let opened = Sqlite::open_for_reading(file, &Options::default());
        opened.map(Self::of).map_err(|error| refused(&error, None))
    }

    fn sqlite(file: &Path, options: &Options) -> Result<Self, Failure> {
        Sqlite::open(file, options).map(Self::of).map_err(|error| refused(&error, None))
    }

    /// Starts a session. Without a name, the store generates one.
    pub fn start(&self, book: &Lawbook, name: Option<String>) -> Result<StartedSession, Failure> {
        let start = book.start();
        let session = NewSession {
            name,
            book: kept_rules::pack(book.book())?,
            turn: start.turn,
            snapshot: stored::json(&start)?,
        };
        let created = ask(&*self.store, |store| store.create(session))?;
        Ok(StartedSession { diagnostics: reported(book), ..StartedSession::of(created) })
    }

    /// The current state of a session.
    pub fn show(&self, session: &str) -> Result<SessionHead, Failure> {
        SessionHead::stored(ask(&*self.store, |store| store.head(session))?)
    }

    /// Every session.
    pub fn list(&self) -> Result<SessionList, Failure> {
        Ok(SessionList { sessions: ask(&*self.store, |store| store.list())? })
    }

    /// Rewinds to the end of an earlier turn; 0 is the start.
    pub fn rewind(
        &self,
        session: &str,
        to: u64,
        expect: Option<u64>,
    ) -> Result<SessionRewound, Failure> {
        self.rewind_to(session, Target::Turn(to), expect)
    }

    /// Rewinds to an earlier version on the current branch.
    pub fn rewind_to_version(
        &self,
        session: &str,
        version: u64,
        expect: Option<u64>,
    ) -> Result<SessionRewound, Failure> {
        self.rewind_to(session, Target::Version(version), expect)
    }

    fn rewind_to(
        &self,
        session: &str,
        to: Target,
        expect: Option<u64>,
    ) -> Result<SessionRewound, Failure> {
        let request = Rewind { session: session.to_owned(), to, expect };
        let rewound = ask(&*self.store, |store| store.rewind(request))?;
        let (result, head, abandoned, withdrawn, delivered) = match rewound {
            Rewound::Done { head, abandoned, withdrawn, delivered } => {
                (RewindResult::Rewound, head, abandoned, withdrawn, delivered)
            }
            Rewound::Conflict(head) => {
                (RewindResult::Conflict, head, Vec::new(), Vec::new(), Vec::new())
            }
        };
        let SessionHead { session, version, state } = SessionHead::stored(head)?;
        Ok(SessionRewound { result, session, version, state, abandoned, withdrawn, delivered })
    }

    /// Records that the host performed some effects, and returns those still pending.
    pub fn effects(&self, session: &str, done: &[String]) -> Result<PendingEffects, Failure> {
        let ids: Result<Vec<EffectId>, _> = done.iter().map(|id| id.parse()).collect();
        let ids = ids.map_err(|error| refused(&error, None))?;
        let results = if ids.is_empty() {
            Vec::new()
        } else {
            ask(&*self.store, |store| store.acknowledge_all(session, &ids))?
        };
        let acknowledged = ids.into_iter().zip(results);
        let acknowledged = acknowledged.map(|(id, result)| Acknowledgement { id, result });
        let pending = ask(&*self.store, |store| store.pending(session))?;
        Ok(PendingEffects {
            session: session.to_owned(),
            acknowledged: acknowledged.collect(),
            effects: pending.iter().map(SessionEffect::stored).collect::<Result<_, _>>()?,
        })
    }
}

impl std::fmt::Debug for Sessions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Sessions")
    }
}

/// The problems of the rules that are left out.
fn reported(book: &Lawbook) -> Diagnostics {
    Diagnostics::in_order(book.reported_by(Verb::React), book.sources().clone())
}

/// Calls the store; on an unknown session, suggests the sessions it has.
fn ask<T>(
    store: &dyn Store,
    ask: impl FnOnce(&dyn Store) -> Result<T, lawful_store::Error>,
) -> Result<T, Failure> {
    ask(store).map_err(|error| refused(&error, Some(store)))
}
