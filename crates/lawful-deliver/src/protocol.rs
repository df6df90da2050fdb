//! The stop event of a harness, and the answer.
//!
//! All of it comes from outside: an id is only compared, a path is only a starting point for a
//! search, and unknown fields are ignored, because harnesses add fields with every version.

use std::path::PathBuf;

use lawful::syntax::{escape, render};
use serde::{Deserialize, Serialize};

use crate::Hook;

/// An agent wants to stop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StopEvent {
    /// The session; empty if the harness does not say.
    pub session: String,
    /// The working directory of the agent.
    pub folder: Option<PathBuf>,
    /// Whether the agent only continues because an earlier stop was blocked.
    pub continuing: bool,
}

/// The answer to the harness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The agent may stop.
    Pass,
    /// The agent may stop, with a message for the user.
    Say(String),
    /// The agent must continue, with the reason.
    Block(String),
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct Wire {
    session_id: Option<String>,
    cwd: Option<String>,
    hook_event_name: Option<String>,
    stop_hook_active: Option<bool>,
}

/// Parses the event of a harness; the error describes the problem.
pub fn read_stop(harness: &Hook, bytes: &[u8]) -> Result<StopEvent, String> {
    let wire: Wire = serde_json::from_slice(bytes).map_err(|error| {
        let name = harness.name;
        format!("the input from {name} is not a valid hook event: {error}")
    })?;
    if let Some(event) = wire.hook_event_name.filter(|event| event != harness.event) {
        let event = escape::name(&event).into_owned();
        return Err(format!("this hook is for the event `{}`, not for `{event}`", harness.event));
    }
    Ok(StopEvent {
        session: wire.session_id.unwrap_or_default(),
        folder: wire.cwd.filter(|cwd| !cwd.is_empty()).map(PathBuf::from),
        continuing: wire.stop_hook_active.unwrap_or(false),
    })
}

#[derive(Serialize)]
struct BlockWire<'a> {
    decision: &'a str,
    reason: &'a str,
}

#[derive(Serialize)]
struct SayWire<'a> {
    #[serde(rename = "systemMessage")]
    system_message: &'a str,
}

impl Hook {
    /// What to write to standard output: nothing, or one JSON document.
    pub fn answer(&self, answer: &Answer) -> String {
        let document = match answer {
            Answer::Pass => return String::new(),
            Answer::Say(message) => render::to_json(&SayWire { system_message: message }),
            Answer::Block(reason) => render::to_json(&BlockWire { decision: self.block, reason }),
        };
        // A map of two strings is always valid JSON; if not, the fallback still does not allow the
        // stop.
        let document = document
            .unwrap_or_else(|_| format!("{{\"decision\":\"{}\",\"reason\":\"\"}}", self.block));
        document + "\n"
    }
}

#[cfg(test)]
mod tests;
