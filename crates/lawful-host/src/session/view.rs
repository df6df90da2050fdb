//! The results of the session verbs in their JSON form.

use lawful::react::Session;
use lawful::syntax::render::DiagnosticView;
use lawful::view::StepTrace;
use lawful::{Diagnostics, Value};
use lawful_store::{Created, EffectId, Head, Status, Summary};
use serde::{Serialize, Serializer};

use super::effect::SessionEffect;
use super::stored;
use crate::answer::Answer;
use crate::failure::Failure;

/// `{"session", "version", "diagnostics"?}`: a session that was started, imported or forked.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StartedSession {
    /// Its name.
    pub session: String,
    /// Its version; 0 if it was started.
    pub version: u64,
    /// Problems of rules that are left out.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub diagnostics: Diagnostics,
}

impl StartedSession {
    pub(super) fn of(created: Created) -> Self {
        let Created { session, version } = created;
        Self { session, version, diagnostics: Diagnostics::default() }
    }
}

/// `{"session", "version", "state"}`: the head of a session.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SessionHead {
    /// Its name.
    pub session: String,
    /// Its version, which every write increments.
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
    /// A summary of each, in the order of creation.
    pub sessions: Vec<Summary>,
}

/// The result of submitting a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum TurnResult {
    /// The turn is on disk.
    Committed,
    /// The key was already used: the stored turn is returned, and nothing was written.
    Duplicate,
    /// The session is not at the expected version; nothing was written.
    Conflict,
}

/// `{"result", "leftOut"?, "version", "state", "effects", "trace", "abandoned"?, "diagnostics"?}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TurnTaken {
    /// The result.
    pub result: TurnResult,
    /// The rules that have errors and were left out; `None` for a rule without an id.
    #[serde(rename = "leftOut", skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<Option<String>>,
    /// The version of the step; after a conflict, that of the session.
    pub version: u64,
    /// The state after the step; after a conflict, that of the session.
    pub state: Session,
    /// Every effect of the step. Only those for the host are serialised.
    #[serde(serialize_with = "handed_out")]
    pub effects: Vec<SessionEffect>,
    /// Its trace.
    pub trace: StepTrace,
    /// The version of the rewind that abandoned it, if it is the duplicate of an abandoned turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub abandoned: Option<u64>,
    /// The problems when the step was taken, and those of this request.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub diagnostics: Vec<StepDiagnostic>,
    /// The name of the session.
    #[serde(skip)]
    pub session: String,
    /// The state before the step.
    #[serde(skip)]
    pub before: Session,
    /// The problems of this request and its lawbook, for rendering.
    #[serde(skip)]
    pub problems: Diagnostics,
}

impl TurnTaken {
    /// `No` after a conflict.
    pub fn answer(&self) -> Answer {
        match self.result {
            TurnResult::Committed | TurnResult::Duplicate => Answer::Yes,
            TurnResult::Conflict => Answer::No,
        }
    }
}

/// A diagnostic of a step, new or from the log.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum StepDiagnostic {
    /// Of this request.
    Now(DiagnosticView),
    /// Stored when the step was taken.
    Stored(Value),
}

/// The entries of a log to show; default: all.
#[derive(Clone, Copy, Debug, Default)]
pub struct LogRange {
    /// Only those after this version.
    pub after: Option<u64>,
    /// Only those of this turn.
    pub turn: Option<u64>,
}

/// `{"session", "entries"}`: the log of a session.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SessionLog {
    /// The name of the session.
    pub session: String,
    /// Entries of every branch, oldest first.
    pub entries: Vec<LogEntry>,
}

/// One step, or the start, which has no input.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LogEntry {
    /// The version that it created.
    pub version: u64,
    /// The version of the entry before it; `None` for the start.
    pub parent: Option<u64>,
    /// The turn of its state.
    pub turn: u64,
    /// The number of rewinds before it.
    pub branch: u64,
    /// The version of the rewind that abandoned it.
    pub abandoned: Option<u64>,
    /// The idempotency key of the request.
    pub key: Option<String>,
    /// The fingerprint of the lawbook.
    pub book: String,
    /// The input.
    pub input: Value,
    /// The state after the step.
    pub state: Session,
    /// Its effects, in order.
    pub effects: Vec<LoggedEffect>,
    /// Its trace; `None` for the start.
    pub trace: Option<StepTrace>,
    /// Its problems.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub diagnostics: Vec<Value>,
}

/// `{"status", "effect"}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LoggedEffect {
    /// Its status.
    pub status: Status,
    /// The effect.
    pub effect: SessionEffect,
}

/// The result of a rewind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum RewindResult {
    /// The session is at the requested turn.
    Rewound,
    /// The session is not at the expected version; nothing was written.
    Conflict,
}

/// `{"result", "session", "version", "state", "abandoned", "withdrawn", "delivered"}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SessionRewound {
    /// The result.
    pub result: RewindResult,
    /// The name of the session.
    pub session: String,
    /// The current version of the session.
    pub version: u64,
    /// Its state.
    pub state: Session,
    /// The versions that are no longer on the current branch.
    pub abandoned: Vec<u64>,
    /// Effects that the host no longer has to perform.
    pub withdrawn: Vec<EffectId>,
    /// Effects of abandoned turns that the host already performed.
    pub delivered: Vec<EffectId>,
}

impl SessionRewound {
    /// `No` after a conflict.
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
