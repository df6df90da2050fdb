//! The hooks of a harness while its agent works.
//!
//! **Invariant:** whatever goes wrong becomes an answer in the protocol of the harness. An event on
//! which nothing can be decided is denied or blocked where the harness can do so.

use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind};

use lawful::book::{Undecided, read_from};
use lawful::syntax::escape;
use lawful_deliver::{
    self as deliver, Decision, Event, Hook as Harness, Incoming, LONGEST_EVENT, Reply, Sent,
};

use crate::stop::StopRequest;
use crate::workspace::Workspace;

/// An event of a harness to answer.
#[derive(Clone, Copy, Debug)]
pub struct LiveRequest {
    /// The harness that asks.
    pub harness: &'static Harness,
    /// The event.
    pub event: Event,
    /// What to do if there is no lawbook.
    pub undecided: Undecided,
}

/// The events that Lawful decides on; only these are installed.
pub const DECIDED: &[Event] = &[Event::Stop];

impl Workspace {
    /// Answers an event. `input` is what the harness writes to its hook. Failures are part of the
    /// answer.
    pub fn live(&self, request: LiveRequest, input: impl Read) -> Sent {
        let LiveRequest { harness, event, undecided } = request;
        if event == Event::Stop {
            return harness.answer(&self.stop(StopRequest { harness, undecided }, input));
        }
        let reply = catch_unwind(AssertUnwindSafe(|| {
            let bytes = read_from(input, LONGEST_EVENT).map_err(|error| error.to_string())?;
            deliver::read(harness, event, &bytes)
        }));
        let reply = match reply {
            Ok(Ok(incoming)) => answer(self, request, &incoming),
            Ok(Err(why)) => refuse(&escape::shorten(&escape::line(&why), 400)),
            Err(_) => refuse("lawful has a bug; see standard error"),
        };
        deliver::answer(harness, event, &reply)
    }
}

/// The reply to an event.
fn answer(_workspace: &Workspace, request: LiveRequest, _incoming: &Incoming) -> Reply {
    refuse(&format!("Lawful does not decide on the event `{}`", request.event.name()))
}

/// The reply to an event on which nothing can be decided.
fn refuse(why: &str) -> Reply {
    let reason = format!("This could not be checked: {why}");
    Reply { decision: Decision::Deny, reason, ..Reply::default() }
}

#[cfg(test)]
mod tests;
