//! A session: everything that one step hands to the next.
//!
//! It is plain data, written as JSON and read back without loss, so that a host may keep it wherever
//! it likes. Starting again from an earlier one is all there is to rewinding.

use std::collections::BTreeMap;

use crate::insertion::{Position, Role};
use crate::value::{Map, Value};

/// The state of a session between two steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// The turns that are done; the first is 1.
    pub turn: u64,
    /// The steps that are done: turns, actions and events.
    pub step: u64,
    /// The variables: always an object.
    pub variables: Value,
    /// What the prompt is told, in the order it was injected.
    pub directives: Vec<Directive>,
    /// Entries that were switched on or off.
    pub entries: BTreeMap<Box<str>, bool>,
    /// Rules and reactions that were switched on or off.
    pub rules: BTreeMap<Box<str>, bool>,
    /// How often each rule fired, and when last.
    pub fired: BTreeMap<Box<str>, Fired>,
    /// Messages for the next turn, first in first out.
    pub context: Vec<ContextMessage>,
}

/// A text for the prompts of some turns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directive {
    /// Its id.
    pub id: Box<str>,
    /// What it says.
    pub content: Box<str>,
    /// Where it goes.
    pub position: Position,
    /// The first turn whose prompt shows it.
    pub from: u64,
    /// The last one; `None` while it persists.
    pub until: Option<u64>,
}

/// How often a rule fired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fired {
    /// How often.
    pub count: u64,
    /// The turn of the last time.
    pub last_turn: u64,
}

/// A message for the next turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContextMessage {
    /// What it says.
    pub message: Box<str>,
    /// Who says it.
    pub role: Role,
}

impl Default for Session {
    fn default() -> Self {
        Self {
            turn: 0,
            step: 0,
            variables: Value::Map(Map::new()),
            directives: Vec::new(),
            entries: BTreeMap::new(),
            rules: BTreeMap::new(),
            fired: BTreeMap::new(),
            context: Vec::new(),
        }
    }
}

impl Session {
    /// A session in which nothing has happened. The variables of a book come in with the first step.
    pub fn new() -> Self {
        Self::default()
    }

    /// So many turns or steps after a number of them; a number too large to be written stays.
    pub(super) fn after(count: u64, more: u64) -> u64 {
        count.saturating_add(more).min(i64::MAX.unsigned_abs())
    }

    /// What is known of the firing of a rule.
    pub fn fired(&self, rule: &str) -> Fired {
        self.fired.get(rule).copied().unwrap_or_default()
    }
}
