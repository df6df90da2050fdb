//! The log of decisions: one line of JSON for each, in files that only the user can read.
//!
//! Hooks of several harnesses append at the same time. A line is one write to a file that is open for
//! appending, so lines never mix. A file that is full is renamed under a lock, and the oldest files
//! are deleted, so the log has a maximal size.
//!
//! **Invariant:** a line that was appended is whole. What a reader cannot parse is counted and left
//! out, because a disk may have been full.

mod append;
mod read;
mod time;

use std::path::PathBuf;

use lawful::Value;
use lawful::syntax::escape;
use lawful_deliver::State;
use serde::{Deserialize, Serialize};

pub(crate) use append::{create_private, open_private};
pub use read::{DecisionFilter, Decisions, Follower};
pub use time::Since;
pub(crate) use time::written as written_time;

/// The log of decisions of a user.
#[derive(Clone, Debug)]
pub struct DecisionLog {
    folder: PathBuf,
}

impl DecisionLog {
    /// The log in a state folder.
    pub fn of(state: &State) -> Self {
        Self { folder: state.folder().join("log") }
    }
}

/// One decision, as a line of the log.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LoggedDecision {
    /// Its id, which `lawful allow` takes.
    pub id: String,
    /// When, in UTC: `2026-11-16T04:15:54.120Z`.
    pub time: String,
    /// The harness.
    pub harness: String,
    /// The session of the harness.
    pub session: String,
    /// `main`, or the type of the sub-agent.
    pub agent: String,
    /// The event, such as `tool:call`.
    pub event: String,
    /// The decision.
    pub decision: DecisionKind,
    /// The guards that decided, or what else did.
    pub by: Vec<String>,
    /// The fingerprint of the lawbook; `None` if no lawbook was trusted.
    pub law: Option<String>,
    /// How long it took, in milliseconds.
    pub ms: f64,
    /// Whether the decision was enforced.
    pub mode: EnforcementMode,
    /// The kind of tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// The harness's name of the tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What the event was about, such as its `command` or its `paths`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<serde_json::Map<String, serde_json::Value>>,
    /// A hash of the tool and its input. It identifies the call that `lawful allow` lets through.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// The decision that a person overrode.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overrides: Option<String>,
}

/// A decision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum DecisionKind {
    /// The call or the prompt is refused.
    Deny,
    /// The harness asks a person.
    Ask,
    /// The call runs without a question.
    Allow,
    /// The harness decides as it would without Lawful.
    #[default]
    None,
    /// The agent must not stop yet.
    Block,
}

impl DecisionKind {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Deny => "deny",
            Self::Ask => "ask",
            Self::Allow => "allow",
            Self::None => "none",
            Self::Block => "block",
        }
    }
}

/// Whether decisions are enforced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum EnforcementMode {
    /// The harness gets the decision.
    #[default]
    Enforce,
    /// The decision is only logged.
    Shadow,
}

/// The maximal number of characters of a text from outside.
const LONGEST_TEXT: usize = 500;
/// The maximal number of characters of a name from outside.
const LONGEST_NAME: usize = 200;
/// The maximal number of items of a list.
const LONGEST_LIST: usize = 20;

/// A text from outside as the log keeps it: truncated. Whoever prints it escapes it.
pub(crate) fn kept_text(text: &str) -> String {
    escape::shorten(text, LONGEST_TEXT).into_owned()
}

/// A name from outside as the log keeps it.
pub(crate) fn kept_name(text: &str) -> String {
    escape::shorten(text, LONGEST_NAME).into_owned()
}

/// A value from outside as the log keeps it: a text, or a short list of texts. Other values are kept
/// as their JSON. `masked` removes what must not be shown from a text.
pub(crate) fn kept_value(value: &Value, masked: &dyn Fn(&str) -> String) -> serde_json::Value {
    match value {
        Value::Null => serde_json::Value::Null,
        Value::Bool(value) => (*value).into(),
        Value::Text(text) => kept_text(&masked(text)).into(),
        Value::List(items) => {
            items.iter().take(LONGEST_LIST).map(|item| kept_value(item, masked)).collect()
        }
        Value::Number(_) | Value::Map(_) => {
            kept_text(&masked(&serde_json::to_string(value).unwrap_or_default())).into()
        }
    }
}

/// A new id of a decision.
pub(crate) fn new_id() -> std::io::Result<String> {
    use std::fmt::Write as _;

    let mut bytes = [0; 6];
    getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
    let mut id = String::with_capacity(12);
    for byte in bytes {
        let _ = write!(id, "{byte:02x}");
    }
    Ok(id)
}

#[cfg(test)]
mod tests;
