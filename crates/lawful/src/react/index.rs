//! An index of rules by the events that can trigger them.
//!
//! Every trigger is a pattern of events, so one index serves all. Its first key is the type of the
//! event. Its second is a field that must equal a value: the variable of a change, the id of an
//! action, or any other. Turns are found by number, keywords by the [automaton](super::keyword).

use std::collections::BTreeMap;

use super::event::Event;
use super::rules::{Rule, RuleId};
use super::trigger::{On, Test, turn_of};
use super::variables::root;
use crate::index::IndexVec;
use crate::value::{Number, Value};

/// The rules, by their triggers.
#[derive(Debug, Default)]
pub(crate) struct Index {
    types: BTreeMap<Box<str>, Bucket>,
    /// By the part of the type up to a colon.
    namespaces: BTreeMap<Box<str>, Bucket>,
}

/// The rules that match one type of event.
#[derive(Debug, Default)]
struct Bucket {
    any: Vec<RuleId>,
    fields: BTreeMap<Box<str>, BTreeMap<Key, Vec<RuleId>>>,
    at_turn: BTreeMap<u64, Vec<RuleId>>,
    every_turns: BTreeMap<u64, Vec<RuleId>>,
    /// Whether some rule has keywords.
    keywords: bool,
}

/// A scalar with a total order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Bool(bool),
    Number(Number),
    Text(Box<str>),
}

impl Key {
    fn of(value: &Value) -> Option<Self> {
        match value {
            Value::Bool(value) => Some(Self::Bool(*value)),
            Value::Number(number) => Some(Self::Number(*number)),
            Value::Text(text) => Some(Self::Text(text.clone())),
            Value::Null | Value::List(_) | Value::Map(_) => None,
        }
    }
}

impl Index {
    pub(crate) fn new(rules: &IndexVec<RuleId, Rule>) -> Self {
        let mut index = Self::default();
        for id in rules.ids() {
            let trigger = &rules[id].trigger;
            let bucket = match &trigger.on {
                On::Manual => continue,
                On::Type(kind) => index.types.entry(kind.clone()).or_default(),
                On::Namespace(namespace) => index.namespaces.entry(namespace.clone()).or_default(),
            };
            bucket.add(id, &trigger.tests);
        }
        index
    }

    /// The rules that an event may trigger, and whether keywords must be searched.
    pub(crate) fn candidates(&self, event: &Event) -> (Vec<RuleId>, bool) {
        let kind = event.kind();
        let exact = self.types.get(kind);
        let colons = kind.match_indices(':').map(|(at, _)| at + 1);
        let wide = colons.filter_map(|at| self.namespaces.get(kind.get(..at)?));
        let mut out = Vec::new();
        let mut keywords = false;
        for bucket in exact.into_iter().chain(wide) {
            bucket.find(event, &mut out);
            keywords |= bucket.keywords;
        }
        (out, keywords)
    }
}

impl Bucket {
    fn add(&mut self, id: RuleId, tests: &[Test]) {
        let key = tests.iter().find_map(|test| match test {
            Test::Changed(path) | Test::Crossed { path, .. } => {
                Some(("variableId".into(), Key::Text(root(path)?.into())))
            }
            Test::Fields { key, .. } => {
                let (field, value) = key.as_ref()?;
                Some((field.clone(), Key::of(value)?))
            }
            Test::Turn { .. } | Test::Keywords(_) => None,
        });
        if let Some((field, key)) = key {
            self.fields.entry(field).or_default().entry(key).or_default().push(id);
            return;
        }
        match tests.first() {
            Some(Test::Turn { at, every }) => {
                if let Some(at) = at {
                    self.at_turn.entry(*at).or_default().push(id);
                }
                if let Some(every) = every {
                    self.every_turns.entry(*every).or_default().push(id);
                }
            }
            Some(Test::Keywords(_)) => self.keywords = true,
            Some(Test::Fields { .. } | Test::Changed(_) | Test::Crossed { .. }) | None => {
                self.any.push(id);
            }
        }
    }

    fn find(&self, event: &Event, out: &mut Vec<RuleId>) {
        out.extend(&self.any);
        for (field, rules) in &self.fields {
            let key = event.body.get(field).and_then(Key::of);
            out.extend(key.and_then(|key| rules.get(&key)).into_iter().flatten());
        }
        if let Some(turn) = turn_of(event) {
            out.extend(self.at_turn.get(&turn).into_iter().flatten());
            let every = self.every_turns.range(..=turn).filter(|(every, _)| turn % **every == 0);
            out.extend(every.flat_map(|(_, rules)| rules));
        }
    }
}
