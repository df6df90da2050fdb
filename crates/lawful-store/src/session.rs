//! Sessions: how one starts, where it stands, and going back in it.

use std::sync::Arc;

use serde::Serialize;

use crate::{Book, EffectId, Entry, Error, Json};

/// The most bytes in the name of a session, and in a key.
const LONGEST_NAME: usize = 200;

/// A session to be started.
#[derive(Clone, Debug)]
pub struct NewSession {
    /// Its name; without one, the store makes one up.
    pub name: Option<String>,
    /// The law it starts under.
    pub book: Arc<Book>,
    /// The number of turns the state has seen, 0 unless it comes from elsewhere.
    pub turn: u64,
    /// The first state.
    pub snapshot: Json,
}

impl NewSession {
    /// Whether its name, if it has one, may be used. Every store checks it.
    pub fn check(&self) -> Result<(), Error> {
        self.name.as_deref().map_or(Ok(()), |name| check_name("name of a session", name))
    }
}

/// A session that was started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Created {
    /// Its name.
    pub session: String,
    /// Its version, 0.
    pub version: u64,
}

/// Where a session stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Head {
    /// Its name.
    pub session: String,
    /// How often it was written.
    pub version: u64,
    /// The turn of the current state.
    pub turn: u64,
    /// How often it was rewound.
    pub branch: u64,
    /// The hash of the book that the last turn was worked out by.
    pub book: String,
    /// The current state.
    pub snapshot: Json,
}

/// One line of a list of sessions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Summary {
    /// Its name.
    pub session: String,
    /// How often it was written.
    pub version: u64,
    /// The turn of the current state.
    pub turn: u64,
    /// How often it was rewound.
    pub branch: u64,
    /// How many effects wait for the host.
    pub pending: u64,
}

/// A request to go back to the end of a turn.
#[derive(Clone, Debug)]
pub struct Rewind {
    /// The session.
    pub session: String,
    /// The turn whose end becomes the present: 0 is the start. Steps that followed it before the next
    /// turn are kept. To regenerate turn `t`, go to `t - 1`.
    pub to: u64,
    /// The version that the session must be at.
    pub expect: Option<u64>,
}

/// What going back came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rewound {
    /// The session stands at the turn.
    Done {
        /// Where it stands now.
        head: Head,
        /// The versions that were abandoned, oldest first; none if it stood there already, and then
        /// nothing was written.
        abandoned: Vec<u64>,
        /// Effects that the host need not do any more.
        withdrawn: Vec<EffectId>,
        /// Effects of abandoned turns that the host has done.
        delivered: Vec<EffectId>,
    },
    /// The session was not at the expected version.
    Conflict(Head),
}

/// Everything of a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Export {
    /// The format of this document.
    pub format: u32,
    /// The name of the session.
    pub session: String,
    /// How often it was written.
    pub version: u64,
    /// The version of the entry that is the present.
    pub head: u64,
    /// How often it was rewound.
    pub branch: u64,
    /// Every entry of every branch, oldest first.
    pub entries: Vec<Entry>,
    /// Every book that an entry names.
    pub books: Vec<Book>,
}

/// Whether a text may name a session or a request.
pub(crate) fn check_name(what: &'static str, name: &str) -> Result<(), Error> {
    let fault = if name.is_empty() {
        Some("it is empty")
    } else if name.len() > LONGEST_NAME {
        Some("it is longer than 200 bytes")
    } else if name.chars().any(char::is_control) {
        Some("it has a control character")
    } else {
        None
    };
    match fault {
        Some(reason) => Err(Error::BadName { what, name: name.to_owned(), reason }),
        None => Ok(()),
    }
}
