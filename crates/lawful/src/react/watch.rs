//! Observes a running step, to explain it afterwards.

use std::collections::BTreeSet;
use std::fmt;

use super::event::Event;
use super::rules::RuleId;
use super::session::Session;

/// Receives what happens in a step.
pub(super) trait Watch {
    /// Called for every wave before its rules act, with its events, the session, and the rules that
    /// fired so far.
    fn wave(&mut self, events: &[Event], session: &Session, fired: &BTreeSet<RuleId>);
    /// Called at the end, with the events that no rule saw because of a limit, and that limit.
    fn unseen(
        &mut self,
        events: &[Event],
        stops: &[Stop],
        session: &Session,
        fired: &BTreeSet<RuleId>,
    );
}

/// Ignores everything.
impl Watch for () {
    fn wave(&mut self, _: &[Event], _: &Session, _: &BTreeSet<RuleId>) {}
    fn unseen(&mut self, _: &[Event], _: &[Stop], _: &Session, _: &BTreeSet<RuleId>) {}
}

/// A limit that stopped a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stop {
    pub what: &'static str,
    pub limit: usize,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, limit } = self;
        let what = if *limit == 1 { what.trim_end_matches('s') } else { what };
        write!(f, "stopped after {limit} {what}")
    }
}
