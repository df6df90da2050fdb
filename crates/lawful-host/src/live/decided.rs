//! A decision with everything that the log says about it.

use lawful::Value;
use lawful::book::Undecided;
use lawful::syntax::escape;
use lawful_deliver::Event;

use super::LiveRequest;
use super::outcome::{Outcome, UNDECIDED};
use crate::decision_log::{DecisionKind, EnforcementMode};
use crate::stop::undecided_reason;

/// A decision with everything that the log says about it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Decided {
    /// What is decided, and what there is to say.
    pub(crate) outcome: Outcome,
    /// The fingerprint of the lawbook that decided.
    pub(crate) law: Option<String>,
    /// Whether the decision is enforced.
    pub(crate) mode: EnforcementMode,
    /// The maximal number of blocks in a row.
    pub(crate) blocks: u64,
    /// The event as data.
    pub(crate) event: Option<Value>,
    /// The paths into the event whose values are masked.
    pub(crate) mask: Vec<lawful::Path>,
    /// The hash of a tool call.
    pub(crate) call: Option<String>,
    /// The decision that a person overrode.
    pub(crate) overrides: Option<String>,
    /// Whether it answers a test of the installation, which leaves no trace.
    pub(crate) is_canary: bool,
}

/// The maximal length of a reason that names something from outside.
const LONGEST_REASON: usize = 2_000;

impl Decided {
    /// The answer to an event that cannot be decided.
    pub(crate) fn undecided(call: LiveRequest, why: &str, undecided: Undecided) -> Self {
        let outcome = undecided_outcome(call.event, why, undecided);
        Self { outcome, blocks: lawful::book::StopHook::default().blocks, ..Self::default() }
    }
}

/// What happens to an event that cannot be decided: a call is denied, a stop is blocked, and of any
/// other event the user is told.
pub(crate) fn undecided_outcome(event: Event, why: &str, undecided: Undecided) -> Outcome {
    let why = escape::shorten(why, LONGEST_REASON);
    let line = escape::line(&why);
    let (decision, reason) = match event {
        Event::ToolCall => (DecisionKind::Deny, format!("The call could not be decided: {line}")),
        Event::Stop | Event::AgentStop => (DecisionKind::Block, undecided_reason(&why)),
        Event::SessionStart
        | Event::Prompt
        | Event::ToolResult
        | Event::AgentStart
        | Event::Compact => {
            let event = event.name();
            (DecisionKind::None, format!("Lawful could not handle the event `{event}`: {line}"))
        }
    };
    let by = vec![UNDECIDED.to_owned()];
    let stops = decision != DecisionKind::None && undecided == Undecided::Block;
    if stops {
        return Outcome { decision, by, reason, ..Outcome::default() };
    }
    let messages = vec![reason.clone()];
    Outcome { by, reason, messages, ..Outcome::default() }
}
