//! Evaluation: runs [jump code](super::code) over [codes of values](super::sorted).
//!
//! A [`Run`] looks up each path of its document at most once, and evaluates each test on a value at
//! most once, however many conditions share it. It never allocates per condition, and stores
//! nothing that an explanation can compute again.

use super::code::{Asked, Entry, YES};
use super::leaf::Leaf;
use super::outcome::{Join, Outcome};
use super::primitive::Inputs;
use super::set::{CondId, ConditionSet, HostTest, Node, NodeId, PathId, Step, WordId};
use super::sorted::{Range, Type};
use crate::index::{Id as _, Table};
use crate::path::Slots;
use crate::value::Value;

/// What a run stores for an explanation: the outcomes of primitives, which are not evaluated again.
/// Everything else follows from the set and the document.
#[derive(Clone, Debug)]
pub struct Outcomes {
    /// Empty if the set stores none.
    nodes: Table<NodeId, Outcome, 128>,
    pub(super) errors: Vec<(NodeId, String)>,
}

impl Outcomes {
    /// The stored outcome of a node.
    pub(super) fn of(&self, node: NodeId) -> Outcome {
        if self.nodes.is_empty() { Outcome::NotEvaluated } else { self.nodes.get(node) }
    }
}

/// The evaluation of a set on one document. Conditions are evaluated on demand.
#[derive(Debug)]
pub struct Run<'s, 'd> {
    set: &'s ConditionSet,
    document: &'d Value,
    slots: Table<PathId, Slot<'d>, 32>,
    bits: Table<WordId, u64, 16>,
    outcomes: Outcomes,
}

/// The value at a path, with its type and code.
#[derive(Clone, Copy, Debug)]
struct Slot<'d> {
    value: Option<&'d Value>,
    kind: Type,
    code: u32,
}

impl Slot<'_> {
    #[inline]
    #[expect(clippy::needless_bitwise_bool, reason = "a branch would be hard to predict")]
    fn is_in(&self, range: Range) -> bool {
        (self.kind == range.kind) & (range.low <= self.code) & (self.code <= range.high)
    }
}

const UNKNOWN: Slot<'static> = Slot { value: None, kind: Type::Unknown, code: 0 };

impl ConditionSet {
    /// Starts an evaluation.
    pub fn run<'s, 'd>(&'s self, document: &'d Value) -> Run<'s, 'd> {
        let kept = if self.keeps { self.nodes.len() } else { 0 };
        Run {
            set: self,
            document,
            slots: Table::dense(UNKNOWN, self.paths.len()),
            bits: Table::dense(0, self.words),
            outcomes: Outcomes {
                nodes: Table::dense(Outcome::NotEvaluated, kept),
                errors: Vec::new(),
            },
        }
    }

    /// Starts an evaluation of only a few conditions. Its cost does not grow with the set.
    pub fn run_few<'s, 'd>(&'s self, document: &'d Value, asked: usize) -> Run<'s, 'd> {
        /// The cost of an entry in a sparse table, relative to one in a dense table.
        const PLACE: usize = 16;
        if asked.saturating_mul(PLACE) >= self.nodes.len() {
            return self.run(document);
        }
        Run {
            set: self,
            document,
            slots: Table::sparse(UNKNOWN),
            bits: Table::sparse(0),
            outcomes: Outcomes { nodes: Table::sparse(Outcome::NotEvaluated), errors: Vec::new() },
        }
    }
}

impl<'d> Run<'_, 'd> {
    /// Evaluates a condition. A condition of another set is an error.
    pub fn outcome(&mut self, condition: CondId) -> Outcome {
        if condition.set != self.set.id {
            return Outcome::Error;
        }
        match self.set.entries[condition.root] {
            Entry::Code(start) => Outcome::of(self.jump(start)),
            Entry::Tree(root) => self.node(root),
        }
    }

    /// Evaluates a condition as a tree, and adds the saved conditions that it evaluates to `saved`.
    pub(crate) fn outcome_with_saved(
        &mut self,
        condition: CondId,
        saved: &mut Vec<(Box<str>, Outcome)>,
    ) -> Outcome {
        self.set.root_of(condition).map_or(Outcome::Error, |root| self.node_with_saved(root, saved))
    }

    fn node_with_saved(&mut self, id: NodeId, saved: &mut Vec<(Box<str>, Outcome)>) -> Outcome {
        let set = self.set;
        let mut each = |child: &NodeId| self.node_with_saved(*child, saved);
        match &set.nodes[id] {
            Node::All(children) => Join::And.all(children.iter().map(each)),
            Node::Any(children) => Join::Or.all(children.iter().map(each)),
            Node::Not(child) => each(child).not(),
            Node::Saved(name, body) => {
                let outcome = each(body);
                saved.push((name.as_ref().into(), outcome));
                outcome
            }
            // A set that stores no outcomes has no room for that of a test.
            Node::Leaf(path, leaf) => Outcome::of(self.leaf(*path, leaf)),
            Node::Host(_) => self.node(id),
        }
    }

    /// Ends the evaluation and returns its stored outcomes.
    pub fn finish(self) -> Outcomes {
        self.outcomes
    }

    fn jump(&mut self, start: u32) -> bool {
        let set = self.set;
        let mut at = start;
        loop {
            // Most tests read a value that an earlier one looked up. They need no more than this.
            let known = self.slots.as_slice();
            let jump = loop {
                // The two ends are larger than every jump.
                let Some(jump) = set.code.get(at as usize) else { return at == YES };
                let Asked::Range(path, range) = jump.test else { break jump };
                match known.get(path.index()) {
                    Some(slot) if slot.kind != Type::Unknown => at = jump.next(slot.is_in(range)),
                    Some(_) | None => break jump,
                }
            };
            let holds = match jump.test {
                Asked::Range(path, range) => self.slot(path).is_in(range),
                Asked::Part(path, part, node) => {
                    let slot = self.slot(path);
                    if slot.kind == Type::List { self.bit(path, part) } else { self.test(node) }
                }
                Asked::Node(node) => self.test(node),
            };
            at = jump.next(holds);
        }
    }

    /// Whether the list at a path contains a named string.
    fn bit(&self, path: PathId, part: u32) -> bool {
        let word = self.set.names[path].words + (part / 64) as usize;
        self.bits.get(WordId::from_index(word)) >> (part % 64) & 1 == 1
    }

    /// A test that cannot fail, evaluated on first use.
    fn test(&mut self, id: NodeId) -> bool {
        let known = self.outcomes.nodes.get(id);
        if known != Outcome::NotEvaluated {
            return known == Outcome::True;
        }
        let set = self.set;
        let holds = match &set.nodes[id] {
            Node::Leaf(path, leaf) => self.leaf(*path, leaf),
            Node::Saved(_, body) => self.node(*body) == Outcome::True,
            Node::All(_) | Node::Any(_) | Node::Not(_) | Node::Host(_) => {
                self.node(id) == Outcome::True
            }
        };
        self.outcomes.nodes.set(id, Outcome::of(holds));
        holds
    }

    /// Evaluates a node as a tree. Outcomes of tests and saved conditions are stored; those of
    /// branches are not worth it.
    pub(super) fn node(&mut self, id: NodeId) -> Outcome {
        let set = self.set;
        match &set.nodes[id] {
            Node::All(children) => self.branch(children, Join::And),
            Node::Any(children) => self.branch(children, Join::Or),
            Node::Not(child) => self.node(*child).not(),
            Node::Leaf(..) => Outcome::of(self.test(id)),
            Node::Host(_) | Node::Saved(..)
                if self.outcomes.nodes.get(id) != Outcome::NotEvaluated =>
            {
                self.outcomes.nodes.get(id)
            }
            Node::Host(host) => {
                let outcome = self.host(id, host);
                self.outcomes.nodes.set(id, outcome);
                outcome
            }
            Node::Saved(_, body) => {
                let outcome = self.node(*body);
                self.outcomes.nodes.set(id, outcome);
                outcome
            }
        }
    }

    fn branch(&mut self, children: &[NodeId], join: Join) -> Outcome {
        join.all(children.iter().map(|child| self.node(*child)))
    }

    fn leaf(&mut self, path: PathId, leaf: &Leaf) -> bool {
        let set = self.set;
        match &set.paths[path].step {
            Step::One(_) => leaf.holds_for_one(self.slot(path).value, &set.patterns),
            Step::Wild(tail) => {
                let slots = Slots { start: self.wild_start(path), segments: tail };
                leaf.decide(slots, &set.patterns).holds
            }
        }
    }

    fn host(&mut self, id: NodeId, host: &HostTest) -> Outcome {
        let values = host.reads.iter().map(|path| self.slot(*path).value).collect();
        match host.predicate.test(&Inputs { values }) {
            Ok(holds) => Outcome::of(holds),
            Err(why) => {
                self.outcomes.errors.push((id, why));
                Outcome::Error
            }
        }
    }

    /// The value at a path without `[*]`, looked up on first use.
    #[inline]
    fn slot(&mut self, path: PathId) -> Slot<'d> {
        let slot = self.slots.get(path);
        if slot.kind == Type::Unknown { self.look_up(path) } else { slot }
    }

    fn look_up(&mut self, path: PathId) -> Slot<'d> {
        let set = self.set;
        let entry = &set.paths[path];
        let parent = self.parent(entry.parent);
        let value = match &entry.step {
            Step::One(segment) => parent.and_then(|value| segment.step_near(value, &entry.place)),
            Step::Wild(_) => None,
        };
        let names = &set.names[path];
        let (kind, code) = names.code(value);
        if let (Some(Value::List(items)), 1..) = (value, names.parts) {
            for part in items.iter().filter_map(|item| names.text(item.as_text()?)) {
                let word = WordId::from_index(names.words + (part / 64) as usize);
                self.bits.set(word, self.bits.get(word) | 1 << (part % 64));
            }
        }
        let slot = Slot { value, kind, code };
        self.slots.set(path, slot);
        slot
    }

    /// The value at which the first `[*]` of a path applies.
    fn wild_start(&mut self, path: PathId) -> Option<&'d Value> {
        let parent = self.set.paths[path].parent;
        self.parent(parent)
    }

    fn parent(&mut self, parent: Option<PathId>) -> Option<&'d Value> {
        match parent {
            Some(parent) => self.slot(parent).value,
            None => self.document.present(),
        }
    }
}
