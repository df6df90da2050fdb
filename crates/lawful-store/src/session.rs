//! Sessions: creation, head, and rewinding.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Book, EffectId, Entry, Error, Json};

/// The maximal length of a session name and of a key, in bytes.
const LONGEST_NAME: usize = 200;

/// A session to create.
#[derive(Clone, Debug)]
pub struct NewSession {
    /// Its name; default: a generated one.
    pub name: Option<String>,
    /// The lawbook it starts with.
    pub book: Arc<Book>,
    /// The number of turns in the state; 0 unless it comes from elsewhere.
    pub turn: u64,
    /// The first state.
    pub snapshot: Json,
}

impl NewSession {
    /// Checks the name, if there is one. Every store calls this.
    pub fn check(&self) -> Result<(), Error> {
        self.name.as_deref().map_or(Ok(()), |name| check_name("name of a session", name))
    }
}

/// A new session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Created {
    /// Its name.
    pub session: String,
    /// Its version, 0.
    pub version: u64,
}

/// The head of a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Head {
    /// Its name.
    pub session: String,
    /// The version, which every write increments.
    pub version: u64,
    /// The turn of the current state.
    pub turn: u64,
    /// The number of rewinds.
    pub branch: u64,
    /// The hash of the lawbook of the last turn.
    pub book: String,
    /// The current state.
    pub snapshot: Json,
}

/// A summary in a list of sessions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Summary {
    /// Its name.
    pub session: String,
    /// The version, which every write increments.
    pub version: u64,
    /// The turn of the current state.
    pub turn: u64,
    /// The number of rewinds.
    pub branch: u64,
    /// The number of pending effects.
    pub pending: u64,
}

/// A request to rewind.
#[derive(Clone, Debug)]
pub struct Rewind {
    /// The session.
    pub session: String,
    /// Where to.
    pub to: Target,
    /// The version that the session must be at.
    pub expect: Option<u64>,
}

/// Where a rewind leads: an entry of the current branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The end of a turn; 0 is the start. Steps between it and the next turn are kept. To
    /// regenerate turn `t`, rewind to `t - 1`.
    Turn(u64),
    /// The entry that created a version. This can undo a step that is no turn.
    Version(u64),
}

/// The result of a rewind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rewound {
    /// The session is at the requested turn.
    Done {
        /// The new head.
        head: Head,
        /// The abandoned versions, oldest first; empty if the session was already there, and then
        /// nothing was written.
        abandoned: Vec<u64>,
        /// Effects that the host no longer has to perform.
        withdrawn: Vec<EffectId>,
        /// Effects of abandoned turns that the host already performed.
        delivered: Vec<EffectId>,
    },
    /// The session was not at the expected version.
    Conflict(Head),
}

/// A request to copy a session.
#[derive(Clone, Debug)]
pub struct Fork {
    /// The session.
    pub session: String,
    /// The name of the copy.
    pub name: String,
    /// The version of the last entry to copy, on any branch; default: the head.
    pub at: Option<u64>,
}

impl Fork {
    /// Checks the name. Every store calls this.
    pub fn check(&self) -> Result<(), Error> {
        check_name("name of a session", &self.name)
    }
}

/// Everything about a session.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Export {
    /// The format of this document.
    pub format: u32,
    /// The name of the session.
    pub session: String,
    /// The version, which every write increments.
    pub version: u64,
    /// The version of the current entry.
    pub head: u64,
    /// The number of rewinds.
    pub branch: u64,
    /// Every entry of every branch, oldest first.
    pub entries: Vec<Entry>,
    /// Every lawbook that an entry refers to.
    pub books: Vec<Book>,
}

/// Checks the name of a session or a request.
pub(crate) fn check_name(what: &'static str, name: &str) -> Result<(), Error> {
    let fault = if name.is_empty() {
        Some("it is empty")
    } else if name.len() > LONGEST_NAME {
        Some("it is longer than 200 bytes")
    } else if name.chars().any(char::is_control) {
        Some("it contains a control character")
    } else {
        None
    };
    match fault {
        Some(reason) => Err(Error::BadName { what, name: name.to_owned(), reason }),
        None => Ok(()),
    }
}
