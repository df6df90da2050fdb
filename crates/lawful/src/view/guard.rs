//! `lawful guard`: the decision on an event.

use serde::Serialize;

use crate::diagnostics::Diagnostics;
use crate::guard::{Decided, Decision, GuardRow, Guards};
use crate::live::Event;
use crate::react;
use crate::value::{Map, Value};

/// The decision on an event:
/// `{"event", "decision", "by", "reason"?, "law", "guards"?, "diagnostics"?}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct GuardDecision {
    /// The event.
    pub event: Value,
    /// `deny`, `ask`, `allow`, or `none` if no guard acted.
    pub decision: &'static str,
    /// The ids of the guards that made the decision.
    pub by: Vec<String>,
    /// Their reasons, each on a line of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The fingerprint of the law that decided.
    pub law: String,
    /// Why each guard acted or did not, if that was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guards: Option<Vec<GuardRow>>,
    /// Guards with errors, and guards that could not be evaluated.
    #[serde(skip_serializing_if = "is_empty")]
    pub diagnostics: Diagnostics,
    #[serde(skip)]
    raised: Vec<react::Event>,
}

impl GuardDecision {
    pub(crate) fn new(
        event: &Event,
        decided: &Decided,
        law: String,
        diagnostics: Diagnostics,
    ) -> Self {
        Self {
            event: event.body().clone(),
            decision: decided.decision().map_or("none", Decision::name),
            by: decided.by().map(str::to_owned).collect(),
            reason: decided.reason(),
            law,
            guards: None,
            diagnostics,
            raised: Guards::events(decided, event),
        }
    }

    /// The input of the step that the event is in a session: the event, and what the decision on it
    /// raises.
    pub fn input(&self) -> Value {
        let raised = self.raised.iter().map(|event| event.body().clone());
        let mut input = Map::new();
        let events = std::iter::once(self.event.clone()).chain(raised);
        input.insert("live", Value::List(events.collect()));
        Value::Map(input)
    }

    /// The events that the decision raises in the session: `guard:denied` or `guard:asked`, with
    /// `id`, `action`, `tool` and `agent`, for each guard that made it.
    pub fn events(&self) -> &[react::Event] {
        &self.raised
    }
}

fn is_empty(diagnostics: &Diagnostics) -> bool {
    diagnostics.is_empty()
}
