//! An agent that wants to stop: verification, the count of blocks, and the turn.
//!
//! A stop is first an event, on which guards decide. If they have no objection the work is verified.
//! Only an agent that may stop completes its turn.
//!
//! **Invariant:** an agent is blocked only a limited number of times in a row. If the blocks cannot
//! be counted, the limit is one.

use lawful_deliver::{Event, Incoming, State, StopEvent};

use super::LiveRequest;
use super::decided::Decided;
use super::outcome::{Outcome, UNDECIDED, VERIFY};
use crate::decision_log::{DecisionKind, EnforcementMode};
use crate::stop::{self, StopRequest};
use crate::workspace::Workspace;

impl Workspace {
    /// Verifies the work of an agent whose stop no guard blocks. Also returns the maximal number of
    /// blocks in a row.
    pub(super) fn verified(
        &self,
        call: LiveRequest,
        incoming: &Incoming,
        outcome: Outcome,
    ) -> (Outcome, u64) {
        let request = StopRequest { harness: call.harness, undecided: call.undecided };
        let judged = stop::decide(self, request, &StopEvent::from(incoming.clone()));
        let by = |by: &str| vec![by.to_owned()];
        let mut outcome = outcome;
        outcome.messages.extend(judged.notice);
        let outcome = match judged.outcome {
            stop::Outcome::Pass => outcome,
            stop::Outcome::Block(reason) => {
                Outcome { decision: DecisionKind::Block, by: by(VERIFY), reason, ..outcome }
            }
            stop::Outcome::Allow(message) => {
                let mut messages = outcome.messages;
                messages.push(message.clone());
                Outcome { by: by(UNDECIDED), reason: message, messages, ..outcome }
            }
        };
        (outcome, judged.blocks)
    }

    /// Counts the blocks of a stop. After too many in a row, the agent may stop.
    pub(super) fn counted(
        &self,
        call: LiveRequest,
        incoming: Option<&Incoming>,
        decided: Decided,
    ) -> Decided {
        if !matches!(call.event, Event::Stop | Event::AgentStop) {
            return decided;
        }
        let state = self.state().ok();
        let counter = Counter::of(call, incoming, state.as_ref());
        if decided.outcome.decision != DecisionKind::Block {
            // If the counter cannot be reset, the next stop only gets fewer blocks.
            counter.set(0);
            return decided;
        }
        // In shadow mode every agent may stop.
        if decided.mode == EnforcementMode::Shadow {
            return decided;
        }
        let Some(blocks) = counter.let_go(decided.blocks) else { return decided };
        let reason = stop::let_go(blocks, &decided.outcome.reason);
        let mut messages = decided.outcome.messages;
        messages.push(reason.clone());
        let outcome = Outcome { decision: DecisionKind::None, reason, messages, ..decided.outcome };
        Decided { outcome, ..decided }
    }
}

/// How often in a row an agent was blocked.
struct Counter<'s> {
    state: Option<&'s State>,
    harness: &'static str,
    agent: String,
    /// Whether the harness says that the agent was blocked before.
    continuing: bool,
}

impl<'s> Counter<'s> {
    fn of(call: LiveRequest, incoming: Option<&Incoming>, state: Option<&'s State>) -> Self {
        // Without an event there is no session: all such blocks share one counter.
        let session = incoming.map_or("", |incoming| &*incoming.session);
        let sub_agent = incoming.and_then(|incoming| incoming.agent_id.as_deref());
        let agent = match (call.event, sub_agent) {
            (Event::AgentStop, Some(id)) => format!("{session}\n{id}"),
            (Event::AgentStop, None) => format!("{session}\nsub-agent"),
            (_, _) => session.to_owned(),
        };
        let continuing = incoming.is_some_and(|incoming| incoming.continuing);
        Self { state, harness: call.harness.id, agent, continuing }
    }

    fn set(&self, blocks: u64) -> bool {
        self.state.is_some_and(|state| state.set_blocks(self.harness, &self.agent, blocks).is_ok())
    }

    /// Counts a block; the number of blocks before if that is enough.
    fn let_go(&self, most: u64) -> Option<u64> {
        let before = self.state.and_then(|state| state.blocks(self.harness, &self.agent).ok());
        let counted = match before {
            Some(blocks) if blocks >= most => {
                self.set(0);
                return Some(blocks);
            }
            Some(blocks) => self.set(blocks + 1),
            None => false,
        };
        // If nothing can be stored, the harness at least says whether this is the first time.
        (!counted && self.continuing).then_some(1)
    }
}

#[cfg(test)]
mod tests;
