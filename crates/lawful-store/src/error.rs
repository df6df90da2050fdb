//! Why a store cannot answer: the store itself, or a request that makes no sense.

/// Why a store cannot answer. Each leaves the store as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The store itself cannot be used.
    #[error("`{location}` {failure}")]
    Store {
        /// What the implementation calls the place that the sessions are in, such as a file.
        location: String,
        /// What is wrong with it.
        failure: Failure,
    },
    /// There is no session of this name.
    #[error("there is no session `{session}`")]
    NoSession {
        /// The name.
        session: String,
    },
    /// There is a session of this name.
    #[error("there is a session `{session}` already")]
    SessionExists {
        /// The name.
        session: String,
    },
    /// The session is not past this turn, or never had it.
    #[error("session `{session}` has no turn {turn} to go back to; it is at turn {current}")]
    NoTurn {
        /// The name of the session.
        session: String,
        /// The turn that was asked for.
        turn: u64,
        /// The turn it is at.
        current: u64,
    },
    /// The session never handed out an effect of this id.
    #[error("session `{session}` has no effect `{effect}`")]
    NoEffect {
        /// The name of the session.
        session: String,
        /// The id.
        effect: String,
    },
    /// A name cannot be used.
    #[error("`{name}` cannot be the {what}: {reason}")]
    BadName {
        /// What it should name.
        what: &'static str,
        /// The name.
        name: String,
        /// Why not.
        reason: &'static str,
    },
    /// An effect id is not a place, a dot and a number.
    #[error("`{id}` is not an effect id such as `3.4.1`")]
    BadEffectId {
        /// The id.
        id: String,
    },
    /// The store was closed, or its writer ended.
    #[error("the store is closed")]
    Closed,
}

/// What is wrong with a store itself. The message is what is said after its location.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// It does not exist, and creating it was not asked for.
    #[error("does not exist")]
    Missing,
    /// It cannot be reached or created.
    #[error("cannot be opened: {reason}")]
    CannotOpen {
        /// What the system says.
        reason: String,
    },
    /// There is something else in its place.
    #[error("is {found}")]
    Foreign {
        /// What is there.
        found: String,
    },
    /// It was written by a newer version of this program.
    #[error("has schema version {found}, and this program knows {known}")]
    Newer {
        /// The version it has.
        found: i64,
        /// The newest version that is understood.
        known: i64,
    },
    /// It can be read and not written.
    #[error("cannot be written: {reason}")]
    ReadOnly {
        /// What is read-only.
        reason: String,
    },
    /// There is no room for more in it.
    #[error("cannot grow: {reason}")]
    Full {
        /// What is full.
        reason: String,
    },
    /// Another process held it for longer than the timeout.
    #[error("is in use by another process")]
    Busy,
    /// It holds what no version of this program writes.
    #[error("is damaged: {reason}")]
    Damaged {
        /// What is wrong.
        reason: String,
    },
    /// It failed for a reason that has no name here.
    #[error("failed: {reason}")]
    Failed {
        /// What the system says.
        reason: String,
    },
}

impl Failure {
    /// The error of a store in this place.
    pub fn of(self, location: impl Into<String>) -> Error {
        Error::Store { location: location.into(), failure: self }
    }
}
