//! The public form of a proof.

use lawful::tokens::Tokenizer;
use lawful_prove::{Client, Piece, Proof};
use serde::Serialize;

use super::run::Recording;
use crate::answer::Answer;

/// `{"harnesses": […]}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Proven {
    /// Each client that was to be started.
    pub harnesses: Vec<HarnessProof>,
}

/// `{"id", "version", "role", "core", "persona", "texts", …}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HarnessProof {
    /// The harness.
    pub id: &'static str,
    /// The version of its client, as the client prints it.
    pub version: Option<String>,
    /// The role whose conversation this is.
    pub role: String,
    /// How the core arrives; `null` if the client could not be asked.
    pub core: Option<CoreArrival>,
    /// How the persona arrives; `null` if the client could not be asked.
    pub persona: Option<PersonaArrival>,
    /// What the model receives, in order.
    pub texts: Vec<ProofText>,
    /// The agents that the client was made to start.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub agents: Vec<RoleProof>,
    /// What is not as the harness table promises.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<ProofProblem>,
    /// What else is worth knowing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Whether the client could reach nothing but the stub, by a network namespace.
    pub isolated: bool,
    /// What the client asked for elsewhere and did not get: `host:port`, or `METHOD path` of its model.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<String>,
    /// Files and settings that were not copied for it, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
    /// Why the client could not be asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// `{"role", "core", "persona", "texts", "problems"?}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RoleProof {
    /// The role.
    pub role: String,
    /// How the core arrives.
    pub core: CoreArrival,
    /// How the persona arrives.
    pub persona: PersonaArrival,
    /// What the model receives, in order.
    pub texts: Vec<ProofText>,
    /// What is not as the harness table promises.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<ProofProblem>,
    /// What else is worth knowing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// `{"times", "strength", "bytes_equal"}`
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CoreArrival {
    /// How often.
    pub times: usize,
    /// The strongest way; `null` if it does not arrive.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["replaces", "system", "developer", "message", null])))]
    pub strength: Option<&'static str>,
    /// Whether it arrives byte for byte.
    pub bytes_equal: bool,
}

/// `{"times", "strength"}`
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PersonaArrival {
    /// How often.
    pub times: usize,
    /// The strongest way; `null` if it does not arrive.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["replaces", "system", "developer", "message", null])))]
    pub strength: Option<&'static str>,
}

/// `{"role", "source"?, "tokens", "text"}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProofText {
    /// The role under which the model receives it.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["system", "developer", "user"])))]
    pub role: &'static str,
    /// The file that it comes from; absent if the client added it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// How many tokens it has.
    pub tokens: usize,
    /// The text.
    pub text: String,
}

/// `{"message", "help"}`
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProofProblem {
    /// What is not as promised.
    pub message: String,
    /// What to do.
    pub help: String,
}

impl ProofProblem {
    pub(super) fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { message: message.into(), help: help.into() }
    }
}

/// A number of times, in words.
pub(super) fn times(count: usize) -> String {
    match count {
        0 => "nowhere".to_owned(),
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        many => format!("{many} times"),
    }
}

impl Proven {
    /// `Undecided` if a client could not be asked, `No` if something is not as promised.
    pub fn answer(&self) -> Answer {
        if self.harnesses.iter().any(|harness| harness.error.is_some()) {
            return Answer::Undecided;
        }
        Answer::of(self.harnesses.iter().all(HarnessProof::is_kept))
    }
}

impl HarnessProof {
    /// Whether everything is as the table promises.
    pub fn is_kept(&self) -> bool {
        self.error.is_none()
            && self.problems.is_empty()
            && self.agents.iter().all(|agent| agent.problems.is_empty())
    }

    /// A client that could not be asked.
    pub(super) fn failed(
        id: &'static str,
        role: String,
        version: Option<String>,
        error: String,
    ) -> Self {
        Self {
            id,
            version,
            role,
            core: None,
            persona: None,
            texts: Vec::new(),
            agents: Vec::new(),
            problems: Vec::new(),
            notes: Vec::new(),
            isolated: false,
            refused: Vec::new(),
            left_out: Vec::new(),
            error: Some(error),
        }
    }

    pub(super) fn of(
        id: &'static str,
        proof: RoleProof,
        agents: Vec<RoleProof>,
        recording: &Recording,
    ) -> Self {
        Self {
            id,
            version: recording.version.clone(),
            role: proof.role,
            core: Some(proof.core),
            persona: Some(proof.persona),
            texts: proof.texts,
            agents,
            problems: proof.problems,
            notes: proof.notes,
            isolated: recording.isolated,
            refused: recording.refused.clone(),
            left_out: Vec::new(),
            error: None,
        }
    }
}

impl RoleProof {
    pub(super) fn of(
        role: &str,
        proof: &Proof,
        (problems, notes): (Vec<ProofProblem>, Vec<String>),
        tokenizer: Tokenizer<'_>,
    ) -> Self {
        let core = proof.core.arrival;
        let text = |piece: &Piece| ProofText {
            role: piece.role.name(),
            source: piece.source.clone(),
            tokens: tokenizer.count(&piece.text),
            text: piece.text.clone(),
        };
        Self {
            role: role.to_owned(),
            core: CoreArrival {
                times: core.times,
                strength: core.strength.map(lawful_deliver::Strength::name),
                bytes_equal: proof.core.bytes_equal,
            },
            persona: PersonaArrival {
                times: proof.persona.times,
                strength: proof.persona.strength.map(lawful_deliver::Strength::name),
            },
            texts: proof.pieces.iter().map(text).collect(),
            problems,
            notes,
        }
    }

    /// An agent that the client did not start.
    pub(super) fn absent(role: &str, client: &Client, unread: Option<(&str, &str, &str)>) -> Self {
        let message = format!("the client did not start the agent `lawful-{role}`");
        let (message, help) = match (unread, client.agents_need) {
            (Some((path, why, help)), _) => {
                (format!("{message}: `{path}`: {why}"), help.to_owned())
            }
            (None, Some(need)) => (message, need.to_owned()),
            (None, None) => {
                let again = format!("run `lawful install --harness {}` again", client.id);
                (message, format!("{again}, and see `lawful status`"))
            }
        };
        Self {
            role: role.to_owned(),
            core: CoreArrival { times: 0, strength: None, bytes_equal: false },
            persona: PersonaArrival { times: 0, strength: None },
            texts: Vec::new(),
            problems: vec![ProofProblem::new(message, help)],
            notes: Vec::new(),
        }
    }
}
