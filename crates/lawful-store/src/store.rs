//! The interface of a store of sessions.

use crate::{
    Acknowledged, Created, Effect, EffectId, Entry, Error, Export, Fork, Head, Json, NewSession,
    NewTurn, Outcome, Rewind, Rewound, Summary, Ticket,
};

/// A store of sessions.
///
/// [`Sqlite`](crate::Sqlite) is one. Another implementation creates its tickets with [`Ticket`] and
/// its errors with [`Failure`](crate::Failure), and checks requests with [`NewSession::check`],
/// [`NewTurn::check`], [`Fork::check`] and [`Export::check`]. `model::check` tests it against the common behaviour, under the feature
/// `model`.
///
/// A method that changes something returns after the change is durable. A method that fails has
/// changed nothing, with one exception that no store can avoid: a disk failure while it confirms a
/// write. A caller that uses keys can always retry.
pub trait Store: Send + Sync {
    /// Starts a session.
    fn create(&self, session: NewSession) -> Result<Created, Error>;

    /// Submits turns; returns a ticket for each, in order. They are written when a caller waits for
    /// any answer of the store, at the latest when it is dropped. Turns that are submitted together
    /// become durable together, and so do those that wait at the same time; each has its own
    /// answer.
    fn submit(&self, turns: Vec<NewTurn>) -> Vec<Ticket<Outcome>>;

    /// Submits a turn and waits until it is durable.
    fn commit(&self, turn: NewTurn) -> Result<Outcome, Error> {
        self.submit(vec![turn]).pop().map_or(Err(Error::Closed), Ticket::wait)
    }

    /// Rewinds to an earlier entry and abandons what followed.
    fn rewind(&self, rewind: Rewind) -> Result<Rewound, Error>;

    /// Copies a session: the entries from its start to one entry, with their versions and keys.
    /// Pending effects stay with the original; in the copy they are withdrawn.
    fn fork(&self, fork: Fork) -> Result<Created, Error>;

    /// Creates a session from an export. Exporting it again returns the same.
    fn import(&self, export: Export) -> Result<Created, Error>;

    /// Deletes a session, and lawbooks that no other session refers to.
    fn delete(&self, session: &str) -> Result<(), Error>;

    /// Records that the host performed some effects; returns an answer for each, in order. If one
    /// is unknown, none is recorded.
    fn acknowledge_all(
        &self,
        session: &str,
        effects: &[EffectId],
    ) -> Result<Vec<Acknowledged>, Error>;

    /// Records that the host performed an effect.
    fn acknowledge(&self, session: &str, effect: &EffectId) -> Result<Acknowledged, Error> {
        let answers = self.acknowledge_all(session, std::slice::from_ref(effect))?;
        answers.into_iter().next().ok_or(Error::Closed)
    }

    /// The head of a session.
    fn head(&self, session: &str) -> Result<Head, Error>;

    /// Entries of every branch after a version, oldest first, at most `limit`.
    fn log(&self, session: &str, after: Option<u64>, limit: usize) -> Result<Vec<Entry>, Error>;

    /// The pending effects, in the order of their requests.
    fn pending(&self, session: &str) -> Result<Vec<Effect>, Error>;

    /// Every session, in the order of creation.
    fn list(&self) -> Result<Vec<Summary>, Error>;

    /// The text of the lawbook with this hash.
    fn book(&self, hash: &str) -> Result<Option<Json>, Error>;

    /// Everything about a session, as one consistent snapshot.
    fn export(&self, session: &str) -> Result<Export, Error>;
}
