//! One partition of contexts, and the questions it answers.
//!
//! Contexts are infinitely many; what a set of conditions can tell apart is not. For each path the
//! [classes](classes) of values that no test distinguishes; a test that cannot be looked into (a
//! regular expression on an unnamed string, a primitive of the host, anything under `[*]`) is a
//! free variable of its own. Conditions become [decision diagrams](diagram) over these variables,
//! and every question is a question to a diagram.
//!
//! **Invariant:** no guesses. *No* is only said when no assignment of classes is left, and classes
//! leave out nothing. *Yes* is only said with a context in hand on which the real evaluator agreed.
//! Anything else is [`Answer::Unknown`], and past its caps the analysis is [`Skipped`].

mod classes;
mod diagram;
mod domain;
mod witness;

use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;

use super::compile::{CondId, ConditionSet, Node, NodeId, PathId, Step};
use super::eval::{Outcome, WildSlots};
use super::leaf::{How, Leaf, Quantifier, Test};
use crate::index::Id as _;
use crate::path::{Path, Segment, visit_slots};
use crate::value::Value;
use classes::{Class, classes, is_open};
use diagram::{Diagram, Diagrams, TooLarge};

pub use domain::{Domain, Domains};

/// What the partition knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Yes: this context shows it.
    Yes(Value),
    /// No context does.
    No,
    /// It depends on what cannot be looked into.
    Unknown,
}

/// The analysis was given up because something was too large.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Skipped(pub String);

/// Caps on an analysis.
#[derive(Clone, Copy, Debug)]
pub struct Caps {
    /// Classes of one path.
    pub classes: usize,
    /// Paths and tests that cannot be looked into.
    pub variables: usize,
    /// Nodes of all diagrams.
    pub nodes: usize,
    /// Outcomes that [`Partition::outcomes`] tells apart.
    pub outcomes: usize,
}

impl Default for Caps {
    fn default() -> Self {
        Self { classes: 4_096, variables: 400, nodes: 200_000, outcomes: 10_000 }
    }
}

/// Contexts on which a list of conditions comes out the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutcomeClass {
    /// What each condition comes to.
    pub outcomes: Vec<Outcome>,
    /// How many combinations of declared values are in it; `None` where something without declared
    /// values plays a part.
    pub contexts: Option<u128>,
    /// One of them.
    pub witness: Answer,
}

/// The partition of contexts by some conditions of a set.
pub struct Partition<'s> {
    set: &'s ConditionSet,
    caps: Caps,
    variables: Vec<Variable>,
    /// How many combinations there are of declared values that no condition reads.
    unread: Option<u128>,
    diagrams: Diagrams,
    of_node: HashMap<usize, Diagram>,
}

/// Something that is in one of several classes.
struct Variable {
    kind: VariableKind,
    classes: Vec<Class>,
}

enum VariableKind {
    /// The value at a path.
    Path(PathId),
    /// A test that cannot be looked into, by its key.
    Free(String),
}

impl std::fmt::Debug for Partition<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Partition").finish_non_exhaustive()
    }
}

impl<'s> Partition<'s> {
    /// Builds the partition by these conditions.
    pub fn new(
        set: &'s ConditionSet,
        conditions: &[CondId],
        domains: &Domains,
        caps: Caps,
    ) -> Result<Self, Skipped> {
        let nodes = reachable(set, conditions);
        let variables = variables(set, &nodes, domains, caps)?;
        let diagrams = Diagrams::new(caps.nodes);
        let read = |path: &Path| {
            variables.iter().any(|variable| match &variable.kind {
                VariableKind::Path(id) => set.paths[*id].path == *path,
                VariableKind::Free(_) => false,
            })
        };
        let unread = domains.sizes_except(read);
        let of_node = HashMap::new();
        let mut partition = Self { set, caps, variables, unread, diagrams, of_node };
        for node in nodes {
            partition.build(node).map_err(|TooLarge| {
                Skipped(format!("its decision diagram has more than {} nodes", caps.nodes))
            })?;
        }
        Ok(partition)
    }

    /// Whether some context makes the condition true.
    pub fn can_hold(&self, condition: CondId) -> Answer {
        self.can_be(condition, Outcome::True)
    }

    /// Whether some context makes the condition false.
    pub fn can_fail(&self, condition: CondId) -> Answer {
        self.can_be(condition, Outcome::False)
    }

    /// Whether every context makes the condition true, and none an error.
    pub fn is_always(&self, condition: CondId) -> bool {
        self.diagram(condition) == self.diagrams.always()
    }

    fn can_be(&self, condition: CondId, wanted: Outcome) -> Answer {
        self.search(self.diagram(condition), self.leaf(wanted), &|document| {
            self.set.run(document).outcome(condition) == wanted
        })
    }

    /// Whether `b` holds wherever `a` does. *No* comes with a context where only `a` holds.
    pub fn implies(&mut self, a: CondId, b: CondId) -> Result<Answer, Skipped> {
        let only_a = self.only_first(a, b)?;
        let counterexample = self.search(only_a, self.diagrams.always(), &|document| {
            let mut run = self.set.run(document);
            run.outcome(a) == Outcome::True && run.outcome(b) != Outcome::True
        });
        Ok(match counterexample {
            Answer::Yes(_) => Answer::No,
            Answer::No => Answer::Yes(Value::Null),
            Answer::Unknown => Answer::Unknown,
        })
    }

    /// Whether two conditions hold on the same contexts.
    pub fn equal(&mut self, a: CondId, b: CondId) -> Result<Answer, Skipped> {
        Ok(match (self.implies(a, b)?, self.implies(b, a)?) {
            (Answer::Yes(_), Answer::Yes(_)) => Answer::Yes(Value::Null),
            (Answer::No, _) | (_, Answer::No) => Answer::No,
            (Answer::Yes(_) | Answer::Unknown, _) => Answer::Unknown,
        })
    }

    /// Which combinations of outcomes these conditions can have, in a stable order, without
    /// walking the product of all classes.
    pub fn outcomes(&self, conditions: &[CondId]) -> Result<Vec<OutcomeClass>, Skipped> {
        let start: Vec<Diagram> = conditions.iter().map(|id| self.diagram(*id)).collect();
        let mut known = HashMap::new();
        let found = self.split(0, start, &mut known)?;
        let times_unread =
            |count: Option<u128>| count.zip(self.unread).and_then(|(a, b)| a.checked_mul(b));
        let mut classes: Vec<OutcomeClass> = Vec::new();
        for (leaves, contexts) in found {
            let outcomes: Vec<Outcome> = leaves.iter().map(|leaf| self.outcome(*leaf)).collect();
            let witness = self.witness_of(conditions, &leaves, &outcomes);
            let contexts = times_unread(contexts);
            classes.push(OutcomeClass { outcomes, contexts, witness });
        }
        Ok(classes)
    }

    fn diagram(&self, condition: CondId) -> Diagram {
        let node = self.set.roots[condition];
        self.of_node.get(&node.index()).copied().unwrap_or(self.diagrams.error())
    }

    fn leaf(&self, outcome: Outcome) -> Diagram {
        match outcome {
            Outcome::True => self.diagrams.always(),
            Outcome::False => self.diagrams.never(),
            Outcome::Error | Outcome::NotEvaluated => self.diagrams.error(),
        }
    }

    fn outcome(&self, leaf: Diagram) -> Outcome {
        if leaf == self.diagrams.always() {
            Outcome::True
        } else if leaf == self.diagrams.never() {
            Outcome::False
        } else {
            Outcome::Error
        }
    }

    /// A diagram that is true where `a` is true and `b` is not.
    fn only_first(&mut self, a: CondId, b: CondId) -> Result<Diagram, Skipped> {
        let (a, b) = (self.diagram(a), self.diagram(b));
        let nodes = self.caps.nodes;
        let skipped =
            |TooLarge| Skipped(format!("its decision diagram has more than {nodes} nodes"));
        let b = self.certainly(b).map_err(skipped)?;
        let not_b = self.diagrams.not(b).map_err(skipped)?;
        self.diagrams.and(a, not_b).map_err(skipped)
    }

    /// The diagram with every error turned into false.
    fn certainly(&mut self, diagram: Diagram) -> Result<Diagram, TooLarge> {
        if diagram == self.diagrams.error() {
            return Ok(self.diagrams.never());
        }
        if self.diagrams.is_leaf(diagram) || !self.diagrams.reaches(diagram, self.diagrams.error())
        {
            return Ok(diagram);
        }
        let node = self.diagrams.get(diagram).clone();
        let children: Result<Vec<Diagram>, TooLarge> =
            node.children.iter().map(|child| self.certainly(*child)).collect();
        self.diagrams.node(node.variable, children?)
    }

    /// Splits the contexts from a variable on by where each diagram ends up.
    fn split(
        &self,
        variable: usize,
        state: Vec<Diagram>,
        known: &mut HashMap<(usize, Vec<Diagram>), Split>,
    ) -> Result<Split, Skipped> {
        let next = state.iter().map(|diagram| self.diagrams.variable(*diagram)).min();
        let next = next.unwrap_or(usize::MAX).min(self.variables.len());
        // Variables in between make no difference; only their numbers count.
        let passed = self.variables.get(variable..next).unwrap_or_default();
        let factor = passed.iter().try_fold(1_u128, |product, variable| {
            product.checked_mul(variable.weight().unwrap_or(1).into())
        });
        let scaled = |split: &Split| -> Split {
            let scale =
                |count: &Option<u128>| count.zip(factor).and_then(|(c, f)| c.checked_mul(f));
            split.iter().map(|(leaves, count)| (leaves.clone(), scale(count))).collect()
        };
        if next == self.variables.len() {
            return Ok(scaled(&Split::from([(state, Some(1))])));
        }
        if let Some(known) = known.get(&(next, state.clone())) {
            return Ok(scaled(known));
        }
        let mut merged = Split::new();
        let classes = self.variables.get(next).map_or(&[][..], |variable| &variable.classes);
        let declared = self.variables.get(next).is_some_and(|variable| variable.weight().is_some());
        for (class, weight) in classes.iter().map(|class| class.weight).enumerate() {
            let below: Vec<Diagram> =
                state.iter().map(|d| self.diagrams.restrict(*d, next, class)).collect();
            for (leaves, count) in self.split(next + 1, below, known)? {
                let weighed = count.filter(|_| declared).and_then(|c| c.checked_mul(weight.into()));
                merged
                    .entry(leaves)
                    .and_modify(|sum| *sum = sum.zip(weighed).and_then(|(a, b)| a.checked_add(b)))
                    .or_insert(weighed);
            }
            if merged.len() > self.caps.outcomes {
                let cap = self.caps.outcomes;
                return Err(Skipped(format!("there are more than {cap} different outcomes")));
            }
        }
        known.insert((next, state), merged.clone());
        Ok(scaled(&merged))
    }

    /// Makes the diagram of a node, children first.
    fn build(&mut self, id: NodeId) -> Result<(), TooLarge> {
        let set = self.set;
        let child = |partition: &Self, id: &NodeId| {
            partition.of_node.get(&id.index()).copied().unwrap_or(partition.diagrams.error())
        };
        let diagram = match &set.nodes[id] {
            Node::All(children) => {
                let mut all = self.diagrams.always();
                for id in children {
                    let next = child(self, id);
                    all = self.diagrams.and(all, next)?;
                }
                all
            }
            Node::Any(children) => {
                let mut any = self.diagrams.never();
                for id in children {
                    let next = child(self, id);
                    any = self.diagrams.or(any, next)?;
                }
                any
            }
            Node::Not(inner) => {
                let inner = child(self, inner);
                self.diagrams.not(inner)?
            }
            Node::Saved(_, body) => child(self, body),
            Node::Host(_) => {
                let leaves =
                    vec![self.diagrams.never(), self.diagrams.always(), self.diagrams.error()];
                match self.free(&host_key(set, id)) {
                    Some(variable) => self.diagrams.node(variable, leaves)?,
                    None => self.diagrams.error(),
                }
            }
            Node::Leaf(path, leaf) => self.leaf_diagram(*path, leaf)?,
        };
        self.of_node.insert(id.index(), diagram);
        Ok(())
    }

    fn free(&self, key: &str) -> Option<usize> {
        self.variables
            .iter()
            .position(|variable| matches!(&variable.kind, VariableKind::Free(k) if k == key))
    }

    fn leaf_diagram(&mut self, path: PathId, leaf: &Leaf) -> Result<Diagram, TooLarge> {
        let set = self.set;
        let entry = &set.paths[path];
        let inner = match &entry.step {
            Step::One(_) => self.plain(path, leaf)?,
            Step::Wild(_) => {
                let (key, negated) = free_key(set, path, leaf);
                self.free_test(&key, negated)?
            }
        };
        // Where a path above is asked too, it may already settle what is below it.
        let mut diagram = inner;
        let mut above = entry.parent;
        while let Some(parent) = above {
            diagram = self.below(parent, path, leaf, diagram)?;
            above = set.paths[parent].parent;
        }
        Ok(diagram)
    }

    fn free_test(&mut self, key: &str, negated: bool) -> Result<Diagram, TooLarge> {
        let (never, always) = (self.diagrams.never(), self.diagrams.always());
        let leaves = if negated { vec![always, never] } else { vec![never, always] };
        match self.free(key) {
            Some(variable) => self.diagrams.node(variable, leaves),
            None => Ok(self.diagrams.error()),
        }
    }

    /// A test on a path without `[*]`: each class of the path has its answer.
    fn plain(&mut self, path: PathId, leaf: &Leaf) -> Result<Diagram, TooLarge> {
        let set = self.set;
        let Some((index, variable)) = self.path_variable(path) else {
            return Ok(self.diagrams.error());
        };
        let classes = variable.classes.clone();
        let mut children = Vec::with_capacity(classes.len());
        for class in &classes {
            children.push(if is_open(class, leaf) {
                let (key, negated) = free_key(set, path, leaf);
                self.free_test(&key, negated)?
            } else {
                let value = class.representative.as_ref();
                self.diagrams.leaf(leaf.holds_for_one(value, &set.patterns))
            });
        }
        self.diagrams.node(index, children)
    }

    /// Puts the diagram of a test under the variable of a path above its own, if there is one.
    fn below(
        &mut self,
        above: PathId,
        path: PathId,
        leaf: &Leaf,
        diagram: Diagram,
    ) -> Result<Diagram, TooLarge> {
        let set = self.set;
        let Some((index, variable)) = self.path_variable(above) else { return Ok(diagram) };
        let steps = set.paths[above].path.segments().len();
        let rest = set.paths[path].path.segments().get(steps..).unwrap_or_default();
        let classes = variable.classes.clone();
        let mut children = Vec::with_capacity(classes.len());
        for class in &classes {
            let leads_on = match (&class.representative, rest.first()) {
                (Some(Value::Map(_)), Some(Segment::Key(_))) => true,
                (Some(Value::List(_)), Some(Segment::Index(_) | Segment::Each)) => true,
                (Some(_) | None, _) => false,
            };
            let open = !class.closed && leads_on;
            children.push(if open {
                diagram
            } else {
                let value = class.representative.as_ref();
                let holds = match &set.paths[path].step {
                    Step::Wild(_) => {
                        leaf.holds_for(&WildSlots { start: value, tail: rest }, &set.patterns)
                    }
                    Step::One(_) => {
                        let mut slot = None;
                        let _: ControlFlow<()> = visit_slots(rest, value, &mut |found| {
                            slot = found;
                            ControlFlow::Continue(())
                        });
                        leaf.holds_for_one(slot, &set.patterns)
                    }
                };
                self.diagrams.leaf(holds)
            });
        }
        self.diagrams.node(index, children)
    }

    fn path_variable(&self, path: PathId) -> Option<(usize, &Variable)> {
        self.variables
            .iter()
            .enumerate()
            .find(|(_, variable)| matches!(&variable.kind, VariableKind::Path(p) if *p == path))
    }
}

/// Where diagrams end up, and how many contexts lead there.
type Split = BTreeMap<Vec<Diagram>, Option<u128>>;

impl Variable {
    /// How many declared values it has; `None` if they are not declared.
    fn weight(&self) -> Option<u64> {
        let sum = self.classes.iter().map(|class| class.weight).sum();
        (sum > 0).then_some(sum)
    }
}

/// Every node below some conditions, children before parents.
fn reachable(set: &ConditionSet, conditions: &[CondId]) -> Vec<NodeId> {
    let mut wanted: Vec<NodeId> = conditions.iter().map(|id| set.roots[*id]).collect();
    let mut seen: BTreeMap<NodeId, ()> = BTreeMap::new();
    while let Some(node) = wanted.pop() {
        if seen.insert(node, ()).is_some() {
            continue;
        }
        match &set.nodes[node] {
            Node::All(children) | Node::Any(children) => wanted.extend(children.iter()),
            Node::Not(child) | Node::Saved(_, child) => wanted.push(*child),
            Node::Leaf(..) | Node::Host(_) => {}
        }
    }
    // A node is made after its children, so the order of ids is the order of building.
    seen.into_keys().collect()
}

fn variables(
    set: &ConditionSet,
    nodes: &[NodeId],
    domains: &Domains,
    caps: Caps,
) -> Result<Vec<Variable>, Skipped> {
    let mut on_path: BTreeMap<PathId, Vec<&Leaf>> = BTreeMap::new();
    let mut free: BTreeMap<(PathId, String), usize> = BTreeMap::new();
    let mut hosts: BTreeMap<String, ()> = BTreeMap::new();
    for node in nodes {
        match &set.nodes[*node] {
            Node::Leaf(path, leaf) => {
                let wild = matches!(set.paths[*path].step, Step::Wild(_));
                if wild || matches!(leaf.test, Test::Matches(_)) {
                    free.insert((*path, free_key(set, *path, leaf).0), 2);
                }
                if !wild {
                    on_path.entry(*path).or_default().push(leaf);
                }
            }
            Node::Host(_) => {
                hosts.insert(host_key(set, *node), ());
            }
            Node::All(_) | Node::Any(_) | Node::Not(_) | Node::Saved(..) => {}
        }
    }
    let mut variables = Vec::new();
    let all: Vec<PathId> = on_path.keys().copied().collect();
    for (path, leaves) in &on_path {
        let entry = &set.paths[*path];
        let tests: Vec<&Test> = leaves.iter().map(|leaf| &leaf.test).collect();
        let found = classes(&tests, domains.get(&entry.path), caps.classes).map_err(|_| {
            Skipped(format!("the tests on `{}` tell too many values apart", entry.path))
        })?;
        let has_below = all.iter().chain(free.keys().map(|(path, _)| path)).any(|other| {
            other != path && set.paths[*other].path.segments().starts_with(entry.path.segments())
        });
        let joined = join(found, leaves, set, has_below);
        variables.push(Variable { kind: VariableKind::Path(*path), classes: joined });
    }
    let blank =
        |count: usize| vec![Class { representative: None, closed: false, weight: 0 }; count];
    for ((_, key), count) in free {
        variables.push(Variable { kind: VariableKind::Free(key), classes: blank(count) });
    }
    for key in hosts.into_keys() {
        variables.push(Variable { kind: VariableKind::Free(key), classes: blank(3) });
    }
    if variables.len() > caps.variables {
        return Err(Skipped(format!("it reads more than {} paths", caps.variables)));
    }
    Ok(variables)
}

/// Joins classes of which every test says the same. Where a path below is asked too, what is in a
/// value counts as well, so only values without parts are joined.
fn join(found: Vec<Class>, leaves: &[&Leaf], set: &ConditionSet, has_below: bool) -> Vec<Class> {
    let mut joined: BTreeMap<Vec<Option<bool>>, Class> = BTreeMap::new();
    let mut apart: Vec<Class> = Vec::new();
    let mut order: Vec<Vec<Option<bool>>> = Vec::new();
    for class in found {
        let holds_parts = matches!(class.representative, Some(Value::Map(_) | Value::List(_)));
        if has_below && holds_parts {
            apart.push(class);
            continue;
        }
        let says = |leaf: &&Leaf| {
            let value = class.representative.as_ref();
            (!is_open(&class, leaf)).then(|| leaf.holds_for_one(value, &set.patterns))
        };
        let signature: Vec<Option<bool>> = leaves.iter().map(says).collect();
        match joined.get_mut(&signature) {
            Some(known) => {
                known.weight += class.weight;
                known.closed &= class.closed;
            }
            None => {
                order.push(signature.clone());
                joined.insert(signature, class);
            }
        }
    }
    let mut classes: Vec<Class> = order.into_iter().filter_map(|s| joined.remove(&s)).collect();
    classes.extend(apart);
    classes
}

/// The name of a test that cannot be looked into, and whether this leaf is its complement. Twins
/// share one variable, so that a condition and its negation are seen to exclude each other.
fn free_key(set: &ConditionSet, path: PathId, leaf: &Leaf) -> (String, bool) {
    let (how, flips) = match (leaf.how, leaf.negated) {
        (How::One, negated) => ("one", negated),
        (How::AsList, negated) => ("list", negated),
        (How::Some | How::Written(Quantifier::Any), false) => ("some", false),
        (How::Every, true) | (How::Written(Quantifier::None), false) => ("some", true),
        (How::Every, false) => ("every", false),
        (How::Written(Quantifier::All), false) => ("all", false),
        (How::Written(Quantifier::None), true) => ("all", false),
        (How::Some, true) => ("every", true),
        (How::Written(Quantifier::Any), true) => ("all", true),
        (How::Written(Quantifier::All), true) => ("some", true),
    };
    // Over no slots `all` and `none` are true: with a negative operator in a `when`, every slot
    // must hold and no slots count as an absent one, which holds too.
    let wild = matches!(set.paths[path].step, Step::Wild(_));
    let (how, flips) = match (wild, leaf.how) {
        (false, How::Written(Quantifier::None)) => ("one", !leaf.negated),
        (false, _) => ("one", leaf.negated),
        (true, _) => (how, flips),
    };
    let operator = leaf.operator.complement_of().unwrap_or(leaf.operator);
    let operand = leaf.test.expected(&set.patterns).unwrap_or_default();
    let path = &set.paths[path].path;
    (format!("{path} {} {how} {operand}", operator.name()), flips)
}

fn host_key(set: &ConditionSet, node: NodeId) -> String {
    match &set.nodes[node] {
        Node::Host(host) => {
            let args = host.args.clone().unwrap_or_default();
            format!("host {} {args}", host.id)
        }
        Node::All(_) | Node::Any(_) | Node::Not(_) | Node::Leaf(..) | Node::Saved(..) => {
            String::new()
        }
    }
}

#[cfg(test)]
mod tests;
