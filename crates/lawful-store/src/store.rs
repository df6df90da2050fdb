//! What a store of sessions can do, whatever it keeps them in.

use crate::{
    Acknowledged, Created, Effect, EffectId, Entry, Error, Export, Head, Json, NewSession, NewTurn,
    Outcome, Rewind, Rewound, Summary, Ticket,
};

/// A store of sessions.
///
/// [`Sqlite`](crate::Sqlite) is one. Others make their tickets with [`Ticket`] and their errors with
/// [`Failure`](crate::Failure), check the names they are given with [`NewSession::check`] and
/// [`NewTurn::check`], and can be held to what every store does by `model::check`, under the feature
/// `model`.
///
/// Every method that changes something returns when the change is durable, and a change whose method
/// failed was not made, with one exception that no store can avoid: a failure of the disk while it
/// confirms a write. A caller that names its requests by keys can always try again.
pub trait Store: Send + Sync {
    /// Starts a session.
    fn create(&self, session: NewSession) -> Result<Created, Error>;

    /// Hands turns in; a ticket for each, in order. They are written when somebody waits for any
    /// answer of the store, at the latest when it is dropped. Turns that are handed in together become
    /// durable together, and so do those that happen to wait at the same time; each has its own answer.
    fn submit(&self, turns: Vec<NewTurn>) -> Vec<Ticket<Outcome>>;

    /// Hands a turn in and waits until it is durable.
    fn commit(&self, turn: NewTurn) -> Result<Outcome, Error> {
        self.submit(vec![turn]).pop().map_or(Err(Error::Closed), Ticket::wait)
    }

    /// Makes the end of an earlier turn the present and abandons what followed.
    fn rewind(&self, rewind: Rewind) -> Result<Rewound, Error>;

    /// Records that the host has done some effects; an answer for each, in order. Where one of them
    /// is unknown, none is recorded.
    fn acknowledge_all(
        &self,
        session: &str,
        effects: &[EffectId],
    ) -> Result<Vec<Acknowledged>, Error>;

    /// Records that the host has done an effect.
    fn acknowledge(&self, session: &str, effect: &EffectId) -> Result<Acknowledged, Error> {
        let answers = self.acknowledge_all(session, std::slice::from_ref(effect))?;
        answers.into_iter().next().ok_or(Error::Closed)
    }

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
