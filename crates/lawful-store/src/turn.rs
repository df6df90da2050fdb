//! Turns: what is submitted, what is returned, and what the log keeps.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::session::check_name;
use crate::{Book, Effect, Error, Head, Json, NewEffect};

/// A step that was computed and is to be stored.
#[derive(Clone, Debug)]
pub struct NewTurn {
    /// The session.
    pub session: String,
    /// The idempotency key: a repeated request changes nothing.
    pub key: Option<String>,
    /// The version that the step was computed from.
    pub expect: u64,
    /// The turn of the new state.
    pub turn: u64,
    /// The lawbook that it was computed with.
    pub book: Arc<Book>,
    /// What the log keeps.
    pub record: Record,
    /// The new state.
    pub snapshot: Json,
    /// The requests to the host.
    pub effects: Vec<NewEffect>,
}

impl NewTurn {
    /// Checks the key, if there is one. Every store calls this.
    pub fn check(&self) -> Result<(), Error> {
        self.key.as_deref().map_or(Ok(()), |key| check_name("key of a request", key))
    }
}

/// What the log keeps of a step: texts that are opaque to the store.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The input.
    pub input: Json,
    /// The events that it raised.
    pub events: Json,
    /// The changes.
    pub changes: Json,
    /// Everything else in the answer.
    pub result: Json,
}

/// The result of submitting a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The turn is on disk.
    Committed(Committed),
    /// The key was already used; nothing was written.
    Duplicate(Box<Duplicate>),
    /// The session is not at the expected version; nothing was written.
    Conflict(Head),
}

/// A turn that is on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Committed {
    /// The current version of the session.
    pub version: u64,
    /// Its effects, in order, with the ids that the host sees.
    pub effects: Vec<Effect>,
}

/// A turn whose key was already used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duplicate {
    /// The stored entry.
    pub entry: Entry,
    /// Whether the input equals the stored one. If not, the key was used for two requests.
    pub same_input: bool,
}

/// One entry of the log: the start of a session, or a step.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The version that it created.
    pub version: u64,
    /// The version of the entry before it; `None` for the start.
    pub parent: Option<u64>,
    /// The turn of its state.
    pub turn: u64,
    /// The number of rewinds before it.
    pub branch: u64,
    /// The version of the rewind that abandoned it; `None` while it is on the current branch.
    pub abandoned: Option<u64>,
    /// The idempotency key of the request.
    pub key: Option<String>,
    /// The hash of the lawbook.
    pub book: String,
    /// What the log keeps.
    pub record: Record,
    /// The state after the step.
    pub snapshot: Json,
    /// Its effects, in order.
    pub effects: Vec<Effect>,
}
