//! Two stores of one file, each of which gets every other request.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use lawful_store::{
    Acknowledged, Created, Effect, EffectId, Entry, Error, Export, Fork, Head, Json, NewSession,
    NewTurn, Outcome, Rewind, Rewound, Sqlite, Store, Summary, Ticket,
};

use crate::support::open;

pub(crate) struct Pair {
    one: Sqlite,
    other: Sqlite,
    others_turn: AtomicBool,
}

impl Pair {
    pub(crate) fn open(file: &Path) -> Self {
        Self { one: open(file), other: open(file), others_turn: AtomicBool::new(false) }
    }

    fn next(&self) -> &Sqlite {
        if self.others_turn.fetch_not(Ordering::Relaxed) { &self.other } else { &self.one }
    }
}

impl Store for Pair {
    fn create(&self, session: NewSession) -> Result<Created, Error> {
        self.next().create(session)
    }

    fn submit(&self, turns: Vec<NewTurn>) -> Vec<Ticket<Outcome>> {
        // Written now: what one of them has not written yet, the other cannot know of.
        let tickets = self.next().submit(turns);
        tickets.into_iter().map(|ticket| Ticket::ready(ticket.wait())).collect()
    }

    fn rewind(&self, rewind: Rewind) -> Result<Rewound, Error> {
        self.next().rewind(rewind)
    }

    fn fork(&self, fork: Fork) -> Result<Created, Error> {
        self.next().fork(fork)
    }

    fn import(&self, export: Export) -> Result<Created, Error> {
        self.next().import(export)
    }

    fn delete(&self, session: &str) -> Result<(), Error> {
        self.next().delete(session)
    }

    fn acknowledge_all(
        &self,
        session: &str,
        effects: &[EffectId],
    ) -> Result<Vec<Acknowledged>, Error> {
        self.next().acknowledge_all(session, effects)
    }

    fn head(&self, session: &str) -> Result<Head, Error> {
        self.next().head(session)
    }

    fn log(&self, session: &str, after: Option<u64>, limit: usize) -> Result<Vec<Entry>, Error> {
        self.next().log(session, after, limit)
    }

    fn pending(&self, session: &str) -> Result<Vec<Effect>, Error> {
        self.next().pending(session)
    }

    fn list(&self) -> Result<Vec<Summary>, Error> {
        self.next().list()
    }

    fn book(&self, hash: &str) -> Result<Option<Json>, Error> {
        self.next().book(hash)
    }

    fn export(&self, session: &str) -> Result<Export, Error> {
        self.next().export(session)
    }
}
