//! What a hook decides, before it is put into words of a harness.

use lawful_deliver::{Decision, Reply};
use serde::{Deserialize, Serialize};

use crate::decision_log::DecisionKind;

/// What a hook decides, and what it has to say.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct Outcome {
    /// The decision.
    pub(crate) decision: DecisionKind,
    /// What decided: the ids of guards, or [`UNDECIDED`], [`VERIFY`] or [`PERSON`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) by: Vec<String>,
    /// The reason of the decision.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(crate) reason: String,
    /// Texts for the agent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) context: Vec<String>,
    /// Texts for the user.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) messages: Vec<String>,
}

/// What decided if nothing could be decided.
pub(crate) const UNDECIDED: &str = "undecided";
/// What decided if an envelope was judged.
pub(crate) const VERIFY: &str = "verify";
/// What decided if a person let a call through.
pub(crate) const PERSON: &str = "person";

impl Outcome {
    /// The same after a person let the call through.
    pub(crate) fn allowed_by_person(self) -> Self {
        Self {
            decision: DecisionKind::Allow,
            by: vec![PERSON.to_owned()],
            reason: "A person let this call through.".to_owned(),
            ..self
        }
    }

    /// The reply to the harness.
    pub(crate) fn reply(&self) -> Reply {
        let decision = match self.decision {
            DecisionKind::Deny => Decision::Deny,
            DecisionKind::Ask => Decision::Ask,
            DecisionKind::Allow => Decision::Allow,
            DecisionKind::None => Decision::None,
            DecisionKind::Block => Decision::Block,
        };
        Reply {
            decision,
            reason: self.reason.clone(),
            context: joined(&self.context),
            message: joined(&self.messages),
        }
    }
}

fn joined(texts: &[String]) -> Option<String> {
    (!texts.is_empty()).then(|| texts.join("\n\n"))
}
