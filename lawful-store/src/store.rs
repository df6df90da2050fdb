//! What a store of sessions can do, whatever it keeps them in.

use std::sync::mpsc::Receiver;

use crate::{
    Acknowledged, Created, Effect, EffectId, Entry, Error, Export, Head, Json, NewSession, NewTurn,
    Outcome, Rewind, Rewound, Summary,
};

/// A store of sessions.
///
/// Every method that changes something returns when the change is durable, and a change whose method
/// failed was not made, with one exception that no store can avoid: a failure of the disk while it
/// confirms a write. A caller that names its requests by keys can always try again.
pub trait Store: Send + Sync {
    /// Starts a session.
    fn create(&self, session: NewSession) -> Result<Created, Error>;

    /// Hands a turn in without waiting for it. Turns that wait together become durable together.
    fn submit(&self, turn: NewTurn) -> Ticket<Outcome>;

    /// Hands a turn in and waits until it is durable.
    fn commit(&self, turn: NewTurn) -> Result<Outcome, Error> {
        self.submit(turn).wait()
    }

    /// Makes the end of an earlier turn the present and abandons what followed.
    fn rewind(&self, rewind: Rewind) -> Result<Rewound, Error>;

    /// Records that the host has done an effect.
    fn acknowledge(&self, session: &str, effect: &EffectId) -> Result<Acknowledged, Error>;

    /// Where a session stands.
    fn head(&self, session: &str) -> Result<Head, Error>;

    /// Entries of every branch, oldest first: those after a version, no more than `limit`.
    fn log(&self, session: &str, after: Option<u64>, limit: usize) -> Result<Vec<Entry>, Error>;

    /// The effects that wait for the host, in the order they were asked for.
    fn pending(&self, session: &str) -> Result<Vec<Effect>, Error>;

    /// Every session, in the order they were started.
    fn list(&self) -> Result<Vec<Summary>, Error>;

    /// The text of the book with this hash.
    fn book(&self, hash: &str) -> Result<Option<Json>, Error>;

    /// Everything of a session, as of one moment.
    fn export(&self, session: &str) -> Result<Export, Error>;
}

/// The answer to something handed in, when it comes.
#[derive(Debug)]
#[must_use = "what was handed in is only known to be durable after `wait`"]
pub struct Ticket<T>(pub(crate) Receiver<Result<T, Error>>);

impl<T> Ticket<T> {
    /// Waits for the answer.
    pub fn wait(self) -> Result<T, Error> {
        self.0.recv().unwrap_or(Err(Error::Closed))
    }
}
