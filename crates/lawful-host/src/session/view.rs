//! The results of the verbs on sessions: the public JSON shapes.

use lawful::react::Session;
use lawful::syntax::render::DiagnosticView;
use lawful::view::StepTrace;
use lawful::{Diagnostics, Value};
use lawful_store::{EffectId, Head, Status, Summary};
use serde::{Serialize, Serializer};

use super::effect::SessionEffect;
use super::stored;
use crate::answer::Answer;
use crate::failure::Failure;

/// `{"session", "version", "diagnostics"?}`: a session that was started.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StartedSession {
    /// Its name.
    pub session: String,
    /// Its version, 0.
    pub version: u64,
    /// What is wrong with rules that are left out.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub diagnostics: Diagnostics,
}

/// `{"session", "version", "state"}`: where a session stands.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SessionHead {
    /// Its name.
    pub session: String,
    /// How often it was written.
    pub version: u64,
    /// Its state.
    pub state: Session,
}

impl SessionHead {
    pub(super) fn stored(head: Head) -> Result<Self, Failure> {
        let state = stored::state(&head.snapshot)?;
        Ok(Self { session: head.session, version: head.version, state })
    }
}

/// `{"sessions"}`: every session of a file.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SessionList {
    /// One line for each, in the order they were started.
    pub sessions: Vec<Summary>,
}

/// What handing in a turn came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum TurnResult {
    /// It is on the disk.
    Committed,
    /// Its key was used before: the stored turn is returned, and nothing was written.
    Duplicate,
    /// The session is not at the expected version; nothing was written.
    Conflict,
}

/// `{"result", "version", "state", "effects", "trace", "abandoned"?, "diagnostics"?}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TurnTaken {
    /// What it came to.
    pub result: TurnResult,
    /// The version of the step; after a conflict, that of the session.
    pub version: u64,
    /// The state after the step; after a conflict, that of the session.
    pub state: Session,
    /// Every effect of the step. Those that are handed out are serialised.
    #[serde(serialize_with = "handed_out")]
    pub effects: Vec<SessionEffect>,
    /// How it came about.
    pub trace: StepTrace,
    /// The version of the rewind that abandoned it, where it is the duplicate of such a turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub abandoned: Option<u64>,
    /// What was wrong when the step was taken, and what is wrong with this request.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub diagnostics: Vec<StepDiagnostic>,
    /// The name of the session.
    #[serde(skip)]
    pub session: String,
    /// The state before the step.
    #[serde(skip)]
    pub before: Session,
    /// What is wrong with this request and its lawbook, for rendering.
    #[serde(skip)]
    pub problems: Diagnostics,
}

impl TurnTaken {
    /// No after a conflict.
    pub fn answer(&self) -> Answer {
        match self.result {
            TurnResult::Committed | TurnResult::Duplicate => Answer::Yes,
            TurnResult::Conflict => Answer::No,
        }
    }
}

/// A diagnostic of a step: of now, or as the log keeps it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum StepDiagnostic {
    /// Of this request.
    Now(DiagnosticView),
    /// Of the time when the step was taken.
    Stored(Value),
}

/// `{"session", "entries"}`: the log of a session.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SessionLog {
    /// The name of the session.
    pub session: String,
    /// Every entry of every branch, oldest first.
    pub entries: Vec<LogEntry>,
}

/// One step, or the start, which has no input.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LogEntry {
    /// The version that it made.
    pub version: u64,
    /// The version of the entry that it goes on from; none for the start.
    pub parent: Option<u64>,
    /// The turn of its state.
    pub turn: u64,
    /// How often the session had been rewound.
    pub branch: u64,
    /// The version of the rewind that abandoned it.
    pub abandoned: Option<u64>,
    /// The idempotency key of the request.
    pub key: Option<String>,
    /// The fingerprint of the lawbook.
    pub book: String,
    /// What came in.
    pub input: Value,
    /// The state after it.
    pub state: Session,
    /// Its effects, in order.
    pub effects: Vec<LoggedEffect>,
    /// How it came about; none for the start.
    pub trace: Option<StepTrace>,
    /// What was wrong.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub diagnostics: Vec<Value>,
}

/// `{"status", "effect"}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LoggedEffect {
    /// What became of it.
    pub status: Status,
    /// The effect.
    pub effect: SessionEffect,
}

/// What a rewind came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum RewindResult {
    /// The session stands at the turn.
    Rewound,
    /// The session is not at the expected version; nothing was written.
    Conflict,
}

/// `{"result", "session", "version", "state", "abandoned", "withdrawn", "delivered"}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SessionRewound {
    /// What it came to.
    pub result: RewindResult,
    /// The name of the session.
    pub session: String,
    /// The version of the session now.
    pub version: u64,
    /// Its state.
    pub state: Session,
    /// The versions that are no longer part of the present.
    pub abandoned: Vec<u64>,
    /// Effects that the host need not do any more.
    pub withdrawn: Vec<EffectId>,
    /// Effects of abandoned turns that the host has done.
    pub delivered: Vec<EffectId>,
}

impl SessionRewound {
    /// No after a conflict.
    pub fn answer(&self) -> Answer {
        match self.result {
            RewindResult::Rewound => Answer::Yes,
            RewindResult::Conflict => Answer::No,
        }
    }
}

fn handed_out<S: Serializer>(effects: &[SessionEffect], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(effects.iter().filter(|effect| effect.is_handed_out()))
}
