//! What happened in a step, and why.

use super::event::Event;
use super::keyword::Hit;
use super::rules::RuleId;
use crate::value::Value;

/// The trace of a step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The waves, in order.
    pub waves: Vec<Wave>,
    /// Every rule that fired, in the order of acting.
    pub fired: Vec<Firing>,
}

/// One wave: its events, and the rules that they trigger.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wave {
    /// Its events, in order.
    pub events: Vec<Event>,
    /// The rules that fired, in the order of acting.
    pub fired: Vec<RuleId>,
}

/// A rule that fired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Firing {
    /// The rule.
    pub rule: RuleId,
    /// Its wave, from 0.
    pub wave: usize,
    /// The event that triggered it, by its position in the wave.
    pub event: usize,
    /// The keyword that matched, if it has keywords.
    pub hit: Option<Hit>,
    /// What it changed, in order.
    pub changes: Vec<Change>,
}

/// A change of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The action that made the change, by its position in the rule.
    pub action: usize,
    /// The path of the change: of a variable, or an `@` path.
    pub path: String,
    /// The value before; null if absent.
    pub before: Value,
    /// The value after; null if absent.
    pub after: Value,
    /// How the declaration of the variable changed the value.
    pub note: Option<String>,
}

impl Trace {
    /// The event of a firing.
    pub fn event(&self, firing: &Firing) -> Option<&Event> {
        self.waves.get(firing.wave)?.events.get(firing.event)
    }

    /// The firings that led to an event, from the first to the last.
    pub(super) fn chain(&self, event: &Event) -> Vec<RuleId> {
        let mut chain = Vec::new();
        let mut by = event.by;
        while let Some(firing) = by.and_then(|at| self.fired.get(at)) {
            chain.push(firing.rule);
            by = self.event(firing).and_then(|event| event.by);
        }
        chain.reverse();
        chain
    }
}
