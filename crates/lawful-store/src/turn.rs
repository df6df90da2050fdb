//! Turns: what is handed in, what comes back, and what the log keeps.

use std::sync::Arc;

use serde::Serialize;

use crate::session::check_name;
use crate::{Book, Effect, Error, Head, Json, NewEffect};

/// A step that was worked out and is to be kept.
#[derive(Clone, Debug)]
pub struct NewTurn {
    /// The session.
    pub session: String,
    /// The name of the request, so that sending it again changes nothing.
    pub key: Option<String>,
    /// The version that the step was worked out from.
    pub expect: u64,
    /// The turn of the new state.
    pub turn: u64,
    /// The law it was worked out by.
    pub book: Arc<Book>,
    /// What the log keeps.
    pub record: Record,
    /// The new state.
    pub snapshot: Json,
    /// What the host is to do.
    pub effects: Vec<NewEffect>,
}

impl NewTurn {
    /// Whether its key, if it has one, may be used. Every store checks it.
    pub fn check(&self) -> Result<(), Error> {
        self.key.as_deref().map_or(Ok(()), |key| check_name("key of a request", key))
    }
}

/// What the log keeps of a step: texts that the store does not look into.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Record {
    /// What came in.
    pub input: Json,
    /// The events that it raised.
    pub events: Json,
    /// What it changed.
    pub changes: Json,
    /// Whatever else was answered.
    pub result: Json,
}

/// What handing in a turn came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is on the disk.
    Committed(Committed),
    /// Its key was used before; nothing was written.
    Duplicate(Box<Duplicate>),
    /// The session is not at the expected version; nothing was written.
    Conflict(Head),
}

/// A turn that is on the disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Committed {
    /// The version of the session now.
    pub version: u64,
    /// Its effects, in order, under the ids that the host will see.
    pub effects: Vec<Effect>,
}

/// A turn whose key was used before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duplicate {
    /// What was stored then.
    pub entry: Entry,
    /// Whether the input is the one that was stored. If not, the key was used for two requests.
    pub same_input: bool,
}

/// One line of the log: the start of a session, or a step of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Entry {
    /// The version that it made.
    pub version: u64,
    /// The version of the entry that it goes on from; none for the start.
    pub parent: Option<u64>,
    /// The turn of its state.
    pub turn: u64,
    /// How often the session had been rewound.
    pub branch: u64,
    /// The version of the rewind that abandoned it; none while it is part of the present.
    pub abandoned: Option<u64>,
    /// The name of the request.
    pub key: Option<String>,
    /// The hash of the book.
    pub book: String,
    /// What the log keeps.
    pub record: Record,
    /// The state after it.
    pub snapshot: Json,
    /// Its effects, in order.
    pub effects: Vec<Effect>,
}
