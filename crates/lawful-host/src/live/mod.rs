//! Hooks of harnesses: what happens while an agent works.
//!
//! ```text
//! bytes --read--> Incoming --law--> lawbook;  event + state --guards--> decision
//! decision --grants--> decision;  event, decision + state --rules--> state, texts for the agent
//! decision, texts --log, reply--> answer in the protocol of the harness
//! ```
//!
//! A harness that gets no answer, or one it does not understand, lets its agent go on. So every
//! failure here becomes an answer.
//!
//! **Invariant:** a call that could not be decided is denied, and a stop is blocked, unless trusted
//! content or the settings of the user say otherwise.

mod allow;
mod canary;
mod decide;
mod decided;
mod given;
mod grant;
mod law;
mod logged;
mod outcome;
mod places;
mod preview;
mod progress;
mod sessions;
mod step;
mod stop;

use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::Instant;

use lawful::book::{Undecided, read_from};
use lawful_deliver::{Event, Hook, Incoming, LONGEST_EVENT, Sent, answer, read};

use crate::decision_log::{DecisionKind, EnforcementMode};
use crate::failure::Failure;
use crate::session::Sessions;
use crate::workspace::Workspace;
pub use allow::{AllowedCall, DeniedCall};
pub(crate) use canary::{CANARY_SESSION, CanaryAnswer};
use decided::Decided;
use outcome::Outcome;
pub(crate) use preview::named_event;
pub use preview::{GuardPreview, GuardRequest, UnreadableEvent};

/// An event of a harness.
#[derive(Clone, Copy, Debug)]
pub struct LiveRequest {
    /// The harness that asks.
    pub harness: &'static Hook,
    /// Its event.
    pub event: Event,
    /// What to do if no lawbook is trusted.
    pub undecided: Undecided,
}

/// The events that Lawful answers; these are installed.
pub const DECIDED: &[Event] = &Event::ALL;

const BUG: &str = "lawful has a bug; see standard error";

impl Workspace {
    /// Answers a hook. `input` is what the harness writes to it. Failures are part of the answer.
    pub fn live(&self, call: LiveRequest, input: impl Read) -> Sent {
        let started = Instant::now();
        let bytes = read_from(input, LONGEST_EVENT).map_err(|error| error.to_string());
        let incoming = bytes.and_then(|bytes| read(call.harness, call.event, &bytes));
        let undecided = |incoming: Option<&Incoming>, why: &str| {
            self.counted(call, incoming, Decided::undecided(call, why, call.undecided))
        };
        // Catch a bug here, so that it is logged and counted like any other failure.
        let decided = match &incoming {
            Ok(incoming) => catch_unwind(AssertUnwindSafe(|| self.decide(call, incoming)))
                .unwrap_or_else(|_| undecided(Some(incoming), BUG)),
            Err(why) => undecided(None, why),
        };
        let reply = catch_unwind(AssertUnwindSafe(|| {
            self.finish(call, incoming.as_ref().ok(), decided, started)
        }));
        let outcome =
            reply.unwrap_or_else(|_| Decided::undecided(call, BUG, Undecided::Block).outcome);
        answer(call.harness, call.event, &outcome.reply())
    }

    /// The sessions of harnesses, for reading.
    pub fn live_sessions(&self) -> Result<Sessions, Failure> {
        self.read_sessions(&sessions::file(&self.state()?))
    }

    /// Logs the decision and returns what is sent to the harness.
    fn finish(
        &self,
        call: LiveRequest,
        incoming: Option<&Incoming>,
        decided: Decided,
        started: Instant,
    ) -> Outcome {
        if decided.is_canary {
            return decided.outcome;
        }
        let (logged, id) = self.log_decision(call, incoming, &decided, started.elapsed());
        if decided.mode == EnforcementMode::Shadow {
            return Outcome::default();
        }
        let mut outcome = decided.outcome;
        if let (Some(id), Some(_)) = (&id, &decided.call) {
            outcome.messages.extend(how_to_allow(&outcome, id));
        }
        outcome.messages.extend(logged.err());
        outcome
    }

    /// The project that an agent works in: what the harness says, which an agent cannot change by
    /// changing its folder.
    fn project_of(&self, call: LiveRequest, incoming: &Incoming) -> PathBuf {
        let variable = call.harness.project_variable().and_then(|name| self.variable(name));
        let named = variable.map(PathBuf::from).filter(|folder| folder.is_absolute());
        named
            .or_else(|| incoming.project.clone())
            .or_else(|| incoming.folder.clone())
            .unwrap_or_else(|| self.start().to_owned())
    }
}

/// How a person lets a denied call through.
fn how_to_allow(outcome: &Outcome, id: &str) -> Option<String> {
    let reason = &outcome.reason;
    (outcome.decision == DecisionKind::Deny).then(|| {
        format!("{reason}\n\nTo let this call through once, run `lawful allow {id}` in a terminal.")
    })
}

#[cfg(test)]
mod tests;
