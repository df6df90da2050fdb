//! The test of an installation: a call that is always denied, and a stop that is always blocked.
//!
//! `lawful hook doctor` runs the command that stands in the settings of a harness with an event of a
//! reserved session. The answer goes through everything that a real one goes through, except that it
//! leaves no trace: no session, no line in the log, no count.
//!
//! **Invariant:** no lawbook and no mode lets a canary through.

use lawful_deliver::{Event, Incoming};

use super::LiveRequest;
use super::decided::Decided;
use super::law::{NoLaw, OpenLaw};
use super::outcome::Outcome;
use crate::decision_log::{DecisionKind, EnforcementMode};

/// The id of the reserved session.
pub(crate) const CANARY_SESSION: &str = "lawful-hook-doctor";
/// What the reason of every answer to a canary begins with.
const MARK: &str = "lawful hook doctor";

/// Whether an event is a canary.
pub(super) fn is_canary(incoming: &Incoming) -> bool {
    &*incoming.session == CANARY_SESSION
}

/// The answer to a canary.
pub(super) fn answer(call: LiveRequest, law: Result<&OpenLaw, &NoLaw>) -> Decided {
    let found = match law {
        Ok(law) => CanaryAnswer {
            trusted: true,
            shadow: law.mode() == EnforcementMode::Shadow,
            detail: law.broken.clone().unwrap_or_else(|| law.fingerprint.clone()),
        },
        Err(none) => CanaryAnswer { trusted: false, shadow: false, detail: none.why.clone() },
    };
    let decision = match call.event {
        Event::ToolCall | Event::Prompt => DecisionKind::Deny,
        Event::Stop | Event::AgentStop => DecisionKind::Block,
        Event::SessionStart | Event::ToolResult | Event::AgentStart | Event::Compact => {
            DecisionKind::None
        }
    };
    let reason = found.written();
    let messages = if decision == DecisionKind::None { vec![reason.clone()] } else { Vec::new() };
    let outcome = Outcome { decision, reason, messages, ..Outcome::default() };
    Decided { outcome, is_canary: true, ..Decided::default() }
}

/// What the answer to a canary says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CanaryAnswer {
    /// Whether a trusted lawbook decides.
    pub(crate) trusted: bool,
    /// Whether its decisions are only logged.
    pub(crate) shadow: bool,
    /// The fingerprint of the lawbook, or what is wrong.
    pub(crate) detail: String,
}

impl CanaryAnswer {
    fn written(&self) -> String {
        let law = if self.trusted { "trusted" } else { "untrusted" };
        let mode = if self.shadow { "shadow" } else { "enforce" };
        format!("{MARK}: {law}; {mode}; {}", self.detail)
    }

    /// Finds what an answer says, wherever it is in the output of the hook.
    pub(crate) fn read(reason: &str) -> Option<Self> {
        let (_, rest) = reason.split_once(MARK)?;
        let mut parts = rest.strip_prefix(": ")?.splitn(3, "; ");
        let trusted = parts.next()? == "trusted";
        let shadow = parts.next()? == "shadow";
        Some(Self { trusted, shadow, detail: parts.next()?.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let found =
            CanaryAnswer { trusted: true, shadow: true, detail: "sha256:ab; cd".to_owned() };
        assert_eq!(CanaryAnswer::read(&found.written()), Some(found.clone()));
        assert_eq!(CanaryAnswer::read("something else"), None);
    }
}
