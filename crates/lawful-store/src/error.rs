//! Why a store cannot answer: the file, the disk, or a request that makes no sense.

use std::path::PathBuf;

/// Why a store cannot answer. Each leaves the file as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The file does not exist, and creating it was not asked for.
    #[error("there is no session file `{}`", path.display())]
    NoFile {
        /// The file.
        path: PathBuf,
    },
    /// The system does not let the file be opened or created.
    #[error("`{}` cannot be opened: {reason}", path.display())]
    CannotOpen {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// The file is not a database.
    #[error("`{}` is not a database", path.display())]
    NotADatabase {
        /// The file.
        path: PathBuf,
    },
    /// The file is a database of something else.
    #[error("`{}` is a database that holds no sessions of Lawful", path.display())]
    NotOurs {
        /// The file.
        path: PathBuf,
    },
    /// The file was written by a newer version of this program.
    #[error("`{}` has schema version {found}, and this program knows {known}", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// The version it has.
        found: i64,
        /// The newest version that is understood.
        known: i64,
    },
    /// The file or its folder cannot be written.
    #[error("`{}` cannot be written: the file or its folder is read-only", path.display())]
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// The disk is full, or the file has reached its limit.
    #[error("`{}` cannot grow: the disk is full, or a limit on the file is reached", path.display())]
    Full {
        /// The file.
        path: PathBuf,
    },
    /// Another process held the file for longer than the timeout.
    #[error("`{}` is in use by another process", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// The file is damaged.
    #[error("`{}` is damaged: {reason}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The disk failed, or the database refused for a reason that has no name here.
    #[error("`{}` failed: {reason}", path.display())]
    Failed {
        /// The file.
        path: PathBuf,
        /// What the database says.
        reason: String,
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
