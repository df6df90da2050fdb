//! What a harness says when an agent wants to stop, and what it is told.
//!
//! All of it comes from outside: an id is only compared, a path is only looked up from, and what
//! is not known is passed over, because harnesses add to their events with every version.

use std::path::PathBuf;

use lawful::syntax::{escape, render};
use serde::{Deserialize, Serialize};

use crate::Hook;

/// An agent wants to stop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StopEvent {
    /// The session; empty where the harness does not say.
    pub session: String,
    /// The folder that the agent is in.
    pub folder: Option<PathBuf>,
    /// Whether the agent is only still going because it was kept from stopping before.
    pub continuing: bool,
}

/// What the harness is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The agent may stop.
    Pass,
    /// The agent may stop, and the user is told something.
    Say(String),
    /// The agent goes on, and is told why.
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

/// Reads what a harness says; the error says what is wrong with it.
pub fn read_stop(harness: &Hook, bytes: &[u8]) -> Result<StopEvent, String> {
    let wire: Wire = serde_json::from_slice(bytes).map_err(|error| {
        let name = harness.name;
        format!("what {name} wrote to standard input is not the event of a hook: {error}")
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
    /// What is written to standard output: nothing, or one JSON document.
    pub fn answer(&self, answer: &Answer) -> String {
        let document = match answer {
            Answer::Pass => return String::new(),
            Answer::Say(message) => render::to_json(&SayWire { system_message: message }),
            Answer::Block(reason) => render::to_json(&BlockWire { decision: self.block, reason }),
        };
        // A map of two strings is always JSON; were it not, this still is no permission to stop.
        let document = document
            .unwrap_or_else(|_| format!("{{\"decision\":\"{}\",\"reason\":\"\"}}", self.block));
        document + "\n"
    }
}

#[cfg(test)]
mod tests;
