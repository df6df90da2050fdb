//! The protocols of the harnesses: their events, and the answers they understand.
//!
//! All of an event comes from outside: an id is only compared, a path is only a starting point, and
//! unknown fields are ignored, because harnesses add fields with every version.
//!
//! **Invariant:** an event that cannot be read whole is an error, never an event that lacks
//! something; and an answer that stops an agent or a call reaches the harness in a form that it
//! honours.

mod fields;
mod patch;
mod read;
mod reply;
mod target;

use std::path::PathBuf;

use lawful::live::Moment;

use crate::{Event, Hook};

pub use read::{Incoming, LONGEST_EVENT, read};
pub use reply::{Decision, Reply, Sent, answer};

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

/// The answer to an agent that wants to stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The agent may stop.
    Pass,
    /// The agent may stop, with a message for the user.
    Say(String),
    /// The agent must continue, with the reason.
    Block(String),
}

/// Parses the stop event of a harness; the error describes the problem.
pub fn read_stop(harness: &Hook, bytes: &[u8]) -> Result<StopEvent, String> {
    read(harness, Event::Stop, bytes).map(StopEvent::from)
}

impl From<Incoming> for StopEvent {
    fn from(incoming: Incoming) -> Self {
        Self {
            session: incoming.session.into(),
            folder: incoming.folder,
            continuing: incoming.continuing,
        }
    }
}

impl Hook {
    /// What to send in answer to a stop.
    pub fn answer(&self, answer: &Answer) -> Sent {
        let reply = match answer {
            Answer::Pass => Reply::default(),
            Answer::Say(message) => Reply { message: Some(message.clone()), ..Reply::default() },
            Answer::Block(reason) => {
                Reply { decision: Decision::Block, reason: reason.clone(), ..Reply::default() }
            }
        };
        self::answer(self, Event::Stop, &reply)
    }
}

/// The last message of an agent, of a moment that has one.
impl Incoming {
    /// The last message of the agent that wants to stop.
    pub fn last_message(&self) -> Option<&str> {
        match &self.moment {
            Moment::Stop { message } | Moment::AgentStop { message, .. } => message.as_deref(),
            Moment::SessionStart { .. }
            | Moment::Prompt { .. }
            | Moment::ToolCall(_)
            | Moment::ToolResult { .. }
            | Moment::AgentStart { .. }
            | Moment::Compact { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests;
