//! Which rule can trigger which: by a variable, by an event, or by name.
//!
//! An emitted event is known before anything runs, so the triggers that it matches are certain. For
//! a variable, only the direction of an operation is known. If the direction is unknown, there is
//! an edge.

mod cycle;
mod print;

use std::collections::{BTreeMap, BTreeSet};

use super::action::ActionKind;
use super::event::{Event, RULE_TRIGGERED, STATE_CHANGED};
use super::operation::Operation;
use super::rules::{RuleId, Rules};
use super::trigger::{On, Test};
use super::variables::root;
use crate::book::VariableType;
use crate::path::Path;

/// The graph of a lawbook's rules.
#[derive(Clone, Debug)]
pub struct Graph<'r> {
    rules: &'r Rules,
    /// From each rule to the rules that it can trigger, and how.
    edges: BTreeMap<RuleId, BTreeMap<RuleId, BTreeSet<Via>>>,
}

/// One rule that can trigger another.
#[derive(Clone, Copy, Debug)]
pub struct Edge<'g> {
    /// The rule that acts.
    pub from: &'g str,
    /// The rule that it can trigger.
    pub to: &'g str,
    /// How it can trigger it.
    pub via: &'g BTreeSet<Via>,
}

/// How one rule triggers another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Via {
    /// It writes to this variable.
    Variable(Box<str>),
    /// It emits an event of this type.
    Event(Box<str>),
    /// A `trigger-rule` names it.
    Name,
}

/// A graph with more edges is unreadable and takes too long.
pub(super) const MOST_EDGES: usize = 200_000;

impl Rules {
    /// Which rule can trigger which; `None` if there are too many edges to list.
    pub fn graph(&self) -> Option<Graph<'_>> {
        let mut watching: BTreeMap<&str, Vec<RuleId>> = BTreeMap::new();
        let mut wide: Vec<RuleId> = Vec::new();
        for (id, rule) in self.all().filter(|(_, rule)| rule.trigger.on.admits(STATE_CHANGED)) {
            let paths: Vec<&Path> = rule.trigger.tests.iter().filter_map(Test::path).collect();
            match paths.first().and_then(|path| root(path)) {
                Some(root) => watching.entry(root).or_default().push(id),
                None => wide.push(id),
            }
        }
        let mut graph = Graph { rules: self, edges: BTreeMap::new() };
        let mut count = 0_usize;
        for (from, rule) in self.all() {
            for action in &rule.actions {
                let found = match &action.kind {
                    ActionKind::Write(path, operation) => {
                        let root = root(path).unwrap_or_default();
                        let near = watching.get(root).into_iter().flatten().chain(&wide).copied();
                        let reached = near.filter(|to| self.can_trigger(path, operation, *to));
                        (reached.collect(), Via::Variable(root.into()))
                    }
                    ActionKind::Emit(body) => {
                        let event = Event::of(body.clone());
                        let via = Via::Event(event.kind().into());
                        (self.triggered(&[event]).into_keys().collect(), via)
                    }
                    ActionKind::Trigger(id) => (self.named(id), Via::Name),
                    ActionKind::Inject(_)
                    | ActionKind::Remove(_)
                    | ActionKind::Entry(..)
                    | ActionKind::Rule(..)
                    | ActionKind::Context(..)
                    | ActionKind::Effect(..)
                    | ActionKind::SetFrom(..) => continue,
                };
                let (reached, via): (Vec<RuleId>, Via) = found;
                count = count.saturating_add(reached.len());
                if count > MOST_EDGES {
                    return None;
                }
                let edges = graph.edges.entry(from).or_default();
                for to in reached {
                    edges.entry(to).or_default().insert(via.clone());
                }
            }
        }
        Some(graph)
    }

    /// Whether an operation on a path can trigger a rule that watches its variable.
    fn can_trigger(&self, path: &Path, operation: &Operation, rule: RuleId) -> bool {
        let overlap = |other: &Path| {
            let (a, b) = (path.segments(), other.segments());
            a.iter().zip(b).all(|(a, b)| a == b)
        };
        self.rule(rule).trigger.tests.iter().all(|test| match test {
            Test::Changed(watched) => overlap(watched),
            Test::Crossed { path: watched, direction, threshold } => {
                let declared = root(watched).and_then(|root| self.declared.get(root));
                let whole = watched.segments().len() == 1;
                let is_number = declared.is_none_or(|v| !whole || v.kind == VariableType::Number);
                is_number
                    && overlap(watched)
                    && (path != watched || operation.can_cross(*direction, *threshold))
            }
            Test::Fields { .. } | Test::Turn { .. } | Test::Keywords(_) => true,
        })
    }

    /// What `trigger-rule` triggers: the manual rule, and the rules that match the event.
    fn named(&self, id: &str) -> Vec<RuleId> {
        let target = self.by_id.get(id).copied();
        let target = target.filter(|id| self.rule(*id).trigger.on == On::Manual);
        let event = Event::new(RULE_TRIGGERED, [("ruleId", id.into())]);
        target.map_or_else(Vec::new, |target| {
            self.triggered(&[Event { target: Some(target), ..event }]).into_keys().collect()
        })
    }
}

impl Test {
    fn path(&self) -> Option<&Path> {
        match self {
            Self::Changed(path) | Self::Crossed { path, .. } => Some(path),
            Self::Fields { .. } | Self::Turn { .. } | Self::Keywords(_) => None,
        }
    }
}

impl Graph<'_> {
    /// Every edge, in the order of the rules.
    pub fn edges(&self) -> impl Iterator<Item = Edge<'_>> {
        let name = |id: &RuleId| &*self.rules.rule(*id).id;
        self.edges.iter().flat_map(move |(from, edges)| {
            edges.iter().map(move |(to, via)| Edge { from: name(from), to: name(to), via })
        })
    }
}
