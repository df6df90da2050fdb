//! Looking on while a step is taken, to tell afterwards why it went as it did.

use std::collections::BTreeSet;
use std::fmt;

use super::event::Event;
use super::rules::RuleId;
use super::session::Session;

/// Who looks on while a step is taken.
pub(super) trait Watch {
    /// Told of every wave before its rules act: its events, the session, the rules that fired so far.
    fn wave(&mut self, events: &[Event], session: &Session, fired: &BTreeSet<RuleId>);
    /// Told at the end which events no rule saw because of a limit, and of which.
    fn unseen(
        &mut self,
        events: &[Event],
        stops: &[Stop],
        session: &Session,
        fired: &BTreeSet<RuleId>,
    );
}

/// Nobody.
impl Watch for () {
    fn wave(&mut self, _: &[Event], _: &Session, _: &BTreeSet<RuleId>) {}
    fn unseen(&mut self, _: &[Event], _: &[Stop], _: &Session, _: &BTreeSet<RuleId>) {}
}

/// A limit that stopped a cascade.
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
