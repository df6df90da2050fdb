//! Errors of a store: the store itself, or an invalid request.

/// An error of a store. Each leaves the store unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The store itself cannot be used.
    #[error("`{location}` {failure}")]
    Store {
        /// The implementation's name for the place of the sessions, such as a file.
        location: String,
        /// What is wrong with it.
        failure: Failure,
    },
    /// There is no session with this name.
    #[error("no session `{session}`")]
    NoSession {
        /// The name.
        session: String,
    },
    /// A session with this name exists.
    #[error("session `{session}` already exists")]
    SessionExists {
        /// The name.
        session: String,
    },
    /// The session has not reached this turn.
    #[error("session `{session}` has no turn {turn}; it is at turn {current}")]
    NoTurn {
        /// The name of the session.
        session: String,
        /// The requested turn.
        turn: u64,
        /// The current turn.
        current: u64,
    },
    /// No entry of the current branch has this version.
    #[error("session `{session}` has no step with version {version} on its current branch")]
    NotOnBranch {
        /// The name of the session.
        session: String,
        /// The requested version.
        version: u64,
    },
    /// No entry has this version.
    #[error("session `{session}` has no step with version {version}")]
    NoVersion {
        /// The name of the session.
        session: String,
        /// The requested version.
        version: u64,
    },
    /// An entry does not have the content that was written.
    #[error("version {version} of session `{session}` is damaged: {reason}")]
    Damaged {
        /// The name of the session.
        session: String,
        /// The version of the entry.
        version: u64,
        /// What is wrong.
        reason: &'static str,
    },
    /// An exported session contradicts itself.
    #[error("not a valid export: {reason}")]
    BadExport {
        /// What is wrong.
        reason: String,
    },
    /// The session has no effect with this id.
    #[error("session `{session}` has no effect `{effect}`")]
    NoEffect {
        /// The name of the session.
        session: String,
        /// The id.
        effect: String,
    },
    /// A name is invalid.
    #[error("`{name}` is not valid as the {what}: {reason}")]
    BadName {
        /// The kind of name.
        what: &'static str,
        /// The name.
        name: String,
        /// Why it is invalid.
        reason: &'static str,
    },
    /// An effect id is not a stem, a dot and a number.
    #[error("`{id}` is not an effect id such as `3.4.1`")]
    BadEffectId {
        /// The id.
        id: String,
    },
    /// The store was closed, or its writer exited.
    #[error("the store is closed")]
    Closed,
}

/// A problem of the store itself. The message follows its location.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// It does not exist, and was not to be created.
    #[error("does not exist")]
    Missing,
    /// It cannot be opened or created.
    #[error("cannot be opened: {reason}")]
    CannotOpen {
        /// The reason that the system gives.
        reason: String,
    },
    /// Something else is in its place.
    #[error("is {found}")]
    Foreign {
        /// What is there.
        found: String,
    },
    /// It was written by a newer version of this program.
    #[error("has schema version {found}, but this version of Lawful supports up to {known}")]
    Newer {
        /// Its version.
        found: i64,
        /// The newest supported version.
        known: i64,
    },
    /// It was written by an older version of this program, and cannot be migrated.
    #[error("has schema version {found}; migrating it to version {known} needs write access")]
    Older {
        /// Its version.
        found: i64,
        /// The current version.
        known: i64,
    },
    /// It is read-only.
    #[error("cannot be written: {reason}")]
    ReadOnly {
        /// What is read-only.
        reason: String,
    },
    /// It is full.
    #[error("cannot grow: {reason}")]
    Full {
        /// What is full.
        reason: String,
    },
    /// Another process locked it for longer than the timeout.
    #[error("is in use by another process")]
    Busy,
    /// It has content that no version of this program writes.
    #[error("is damaged: {reason}")]
    Damaged {
        /// What is wrong.
        reason: String,
    },
    /// Any other failure.
    #[error("failed: {reason}")]
    Failed {
        /// The reason that the system gives.
        reason: String,
    },
}

impl Failure {
    /// The error of a store in this place.
    pub fn of(self, location: impl Into<String>) -> Error {
        Error::Store { location: location.into(), failure: self }
    }
}
