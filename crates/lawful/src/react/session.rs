//! A session: everything that one step passes to the next.
//!
//! It is plain data that is written as JSON and read back without loss, so a host may store it
//! anywhere. To rewind, start from an earlier one.

use std::collections::{BTreeMap, BTreeSet};

use crate::insertion::{Position, Role};
use crate::value::{Map, Value};

/// The state of a session between two steps.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Session {
    /// The number of completed turns; the first turn is 1.
    pub turn: u64,
    /// The number of completed steps: turns, actions and events.
    pub step: u64,
    /// Whether a live event raised `session:start` before the first turn.
    pub started: bool,
    /// The variables: always an object.
    pub variables: Value,
    /// The variables that hold text of the agent, of a user or of a tool.
    pub untrusted: BTreeSet<Box<str>>,
    /// The directives, in the order of injection.
    pub directives: Vec<Directive>,
    /// Entries that were switched on or off.
    pub entries: BTreeMap<Box<str>, bool>,
    /// Rules and reactions that were switched on or off.
    pub rules: BTreeMap<Box<str>, bool>,
    /// The firings of each rule.
    pub fired: BTreeMap<Box<str>, Fired>,
    /// Messages for the next turn, in the order of arrival.
    pub context: Vec<ContextMessage>,
}

/// A text for the prompts of some turns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directive {
    /// Its id.
    pub id: Box<str>,
    /// Its text, which may have placeholders.
    pub content: Box<str>,
    /// The values of placeholders that were looked up when it was injected, by placeholder.
    pub values: BTreeMap<Box<str>, Value>,
    /// Where it is inserted.
    pub position: Position,
    /// The first turn whose prompt includes it.
    pub from: u64,
    /// The last such turn; `None` for a persistent directive.
    pub until: Option<u64>,
}

/// The firings of a rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fired {
    /// How often it fired.
    pub count: u64,
    /// The turn of the last firing.
    pub last_turn: u64,
}

/// A message for the next turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContextMessage {
    /// Its text, which may have placeholders.
    pub message: Box<str>,
    /// The values of placeholders that were looked up when it was queued, by placeholder.
    pub values: BTreeMap<Box<str>, Value>,
    /// Its role.
    pub role: Role,
}

impl Default for Session {
    fn default() -> Self {
        Self {
            turn: 0,
            step: 0,
            started: false,
            variables: Value::Map(Map::new()),
            untrusted: BTreeSet::new(),
            directives: Vec::new(),
            entries: BTreeMap::new(),
            rules: BTreeMap::new(),
            fired: BTreeMap::new(),
            context: Vec::new(),
        }
    }
}

impl Session {
    /// Whether two sessions differ at most in the number of their steps.
    pub fn same_but_for_step(&self, other: &Self) -> bool {
        *self == Self { step: self.step, ..other.clone() }
    }

    /// An empty session. The first step adds the variables of the lawbook.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds turns or steps to a number, and saturates.
    pub(super) fn after(count: u64, more: u64) -> u64 {
        count.saturating_add(more).min(i64::MAX.unsigned_abs())
    }

    /// The firings of a rule.
    pub fn fired(&self, rule: &str) -> Fired {
        self.fired.get(rule).copied().unwrap_or_default()
    }
}
