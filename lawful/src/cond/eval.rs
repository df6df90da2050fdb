//! Evaluation: one pass that short-circuits and leaves a flat vector of outcomes.
//!
//! A [`Run`] looks each path of its document up at most once and decides each distinct part of the
//! set at most once, however many conditions share it. It never allocates per condition.

use std::ops::ControlFlow;

use super::compile::{CondId, ConditionSet, HostTest, Node, NodeId, PathId, Step};
use super::leaf::{Leaf, Slots};
use super::primitive::Inputs;
use crate::index::IndexVec;
use crate::path::{Segment, visit_slots};
use crate::value::Value;

/// What became of a condition or a part of one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outcome {
    /// It was not asked: the answer was clear before.
    #[default]
    NotEvaluated,
    /// It does not hold.
    False,
    /// It holds.
    True,
    /// A primitive of the host could not tell.
    Error,
}

impl Outcome {
    /// `true`, `false`, `error` or `not-evaluated`.
    pub fn name(self) -> &'static str {
        match self {
            Self::NotEvaluated => "not-evaluated",
            Self::False => "false",
            Self::True => "true",
            Self::Error => "error",
        }
    }

    fn of(holds: bool) -> Self {
        if holds { Self::True } else { Self::False }
    }
}

/// The outcomes of one document: what an explanation is made from.
#[derive(Clone, Debug)]
pub struct Outcomes {
    pub(super) nodes: IndexVec<NodeId, Outcome>,
    pub(super) errors: Vec<(NodeId, String)>,
}

/// The evaluation of a set against one document. Conditions are decided when asked for.
#[derive(Debug)]
pub struct Run<'s, 'd> {
    set: &'s ConditionSet,
    document: &'d Value,
    slots: IndexVec<PathId, Slot<'d>>,
    outcomes: Outcomes,
}

/// What is known of a path.
#[derive(Clone, Copy, Debug)]
enum Slot<'d> {
    Unknown,
    Known(Option<&'d Value>),
}

impl ConditionSet {
    /// Starts an evaluation.
    pub fn run<'s, 'd>(&'s self, document: &'d Value) -> Run<'s, 'd> {
        Run {
            set: self,
            document,
            slots: IndexVec::filled(Slot::Unknown, self.paths.len()),
            outcomes: Outcomes {
                nodes: IndexVec::filled(Outcome::NotEvaluated, self.nodes.len()),
                errors: Vec::new(),
            },
        }
    }
}

impl<'d> Run<'_, 'd> {
    /// What becomes of a condition.
    pub fn outcome(&mut self, condition: CondId) -> Outcome {
        let root = self.set.roots[condition];
        self.node(root)
    }

    /// Ends the evaluation and keeps its outcomes.
    pub fn finish(self) -> Outcomes {
        self.outcomes
    }

    fn node(&mut self, id: NodeId) -> Outcome {
        let known = self.outcomes.nodes[id];
        if known != Outcome::NotEvaluated {
            return known;
        }
        let set = self.set;
        let outcome = match &set.nodes[id] {
            Node::All(children) => self.branch(children, Outcome::False),
            Node::Any(children) => self.branch(children, Outcome::True),
            Node::Not(child) => match self.node(*child) {
                Outcome::True => Outcome::False,
                Outcome::False => Outcome::True,
                other @ (Outcome::Error | Outcome::NotEvaluated) => other,
            },
            Node::Leaf(path, leaf) => Outcome::of(self.leaf(*path, leaf)),
            Node::Host(host) => self.host(id, host),
            Node::Saved(_, body) => self.node(*body),
        };
        self.outcomes.nodes[id] = outcome;
        outcome
    }

    /// `all` is decided by the first false child, `any` by the first true one; an error counts
    /// only if nothing decides (Kleene).
    fn branch(&mut self, children: &[NodeId], decisive: Outcome) -> Outcome {
        let mut outcome = if decisive == Outcome::False { Outcome::True } else { Outcome::False };
        for child in children {
            let child = self.node(*child);
            if child == decisive {
                return decisive;
            }
            if child == Outcome::Error {
                outcome = Outcome::Error;
            }
        }
        outcome
    }

    fn leaf(&mut self, path: PathId, leaf: &Leaf) -> bool {
        let set = self.set;
        match &set.paths[path].step {
            Step::One(_) => leaf.holds_for_one(self.slot(path), &set.patterns),
            Step::Wild(tail) => {
                let wild = WildSlots { start: self.wild_start(path), tail };
                leaf.holds_for(&wild, &set.patterns)
            }
        }
    }

    fn host(&mut self, id: NodeId, host: &HostTest) -> Outcome {
        let values = host.reads.iter().map(|path| self.slot(*path)).collect();
        match host.predicate.test(&Inputs { values }) {
            Ok(holds) => Outcome::of(holds),
            Err(why) => {
                self.outcomes.errors.push((id, why));
                Outcome::Error
            }
        }
    }

    /// The value at a path without `[*]`, looked up the first time.
    fn slot(&mut self, path: PathId) -> Option<&'d Value> {
        if let Slot::Known(value) = self.slots[path] {
            return value;
        }
        let set = self.set;
        let entry = &set.paths[path];
        let parent = match entry.parent {
            Some(parent) => self.slot(parent),
            None => self.document.present(),
        };
        let value = match &entry.step {
            Step::One(segment) => parent.and_then(|value| segment.step(value)),
            Step::Wild(_) => None,
        };
        self.slots[path] = Slot::Known(value);
        value
    }

    /// Where the first `[*]` of a path stands.
    fn wild_start(&mut self, path: PathId) -> Option<&'d Value> {
        match self.set.paths[path].parent {
            Some(parent) => self.slot(parent),
            None => self.document.present(),
        }
    }
}

pub(super) struct WildSlots<'s, 'd> {
    pub start: Option<&'d Value>,
    pub tail: &'s [Segment],
}

impl<'d> Slots<'d> for WildSlots<'_, 'd> {
    fn visit<B>(
        &self,
        visit: &mut impl FnMut(Option<&'d Value>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        visit_slots(self.tail, self.start, visit)
    }
}
