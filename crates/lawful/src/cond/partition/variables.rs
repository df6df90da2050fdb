//! The variables of a partition: the paths that tests read, and opaque tests.

use std::collections::{BTreeMap, BTreeSet};

use super::classes::{Class, classes, is_open};
use super::{Caps, Domain, Domains, Skipped};
use crate::cond::leaf::{How, Leaf, Quantifier, Test};
use crate::cond::set::{CondId, ConditionSet, Node, NodeId, PathId, Step};
use crate::value::Value;

/// A variable, which has one of several classes.
pub(super) struct Variable {
    pub kind: VariableKind,
    pub classes: Vec<Class>,
    /// Whether its values are declared.
    pub declared: bool,
    /// What it tests, if it is an opaque test of a path with `[*]`.
    pub slots: Option<SlotTest>,
}

pub(super) enum VariableKind {
    /// The value at a path.
    Path(PathId),
    /// An opaque test, by its key.
    Free(String),
}

/// A test of the slots of a path with `[*]`.
#[derive(Clone)]
pub(super) struct SlotTest {
    pub path: PathId,
    pub quantity: Quantity,
    /// The test of one slot, or of all as one list.
    pub test: Test,
}

/// Which slots have to pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quantity {
    /// At least one.
    Some,
    /// All; true without slots.
    All,
    /// All, and there is at least one.
    Every,
    /// The present ones as one list.
    List,
}

impl Quantity {
    fn name(self) -> &'static str {
        match self {
            Self::Some => "some",
            Self::All => "all",
            Self::Every => "every",
            Self::List => "list",
        }
    }
}

impl Variable {
    /// The number of its values: those declared, otherwise one for each class if it is tested.
    pub(super) fn weight(&self, asked: bool) -> u64 {
        if self.declared || asked { self.classes.iter().map(|class| class.weight).sum() } else { 1 }
    }
}

/// Every node below these conditions, children before parents.
pub(super) fn reachable(set: &ConditionSet, conditions: &[CondId]) -> Vec<NodeId> {
    let mut wanted: Vec<NodeId> = conditions.iter().filter_map(|id| set.root_of(*id)).collect();
    let mut seen: BTreeSet<NodeId> = BTreeSet::new();
    while let Some(node) = wanted.pop() {
        if !seen.insert(node) {
            continue;
        }
        match &set.nodes[node] {
            Node::All(children) | Node::Any(children) => wanted.extend(children.iter()),
            Node::Not(child) | Node::Saved(_, child) => wanted.push(*child),
            Node::Leaf(..) | Node::Host(_) => {}
        }
    }
    // A node is created after its children, so ids are in build order.
    seen.into_iter().collect()
}

pub(super) fn variables(
    set: &ConditionSet,
    nodes: &[NodeId],
    domains: &Domains,
    caps: Caps,
) -> Result<Vec<Variable>, Skipped> {
    let mut on_path: BTreeMap<PathId, Vec<&Leaf>> = BTreeMap::new();
    let mut free: BTreeMap<(PathId, String), Option<SlotTest>> = BTreeMap::new();
    let mut hosts: BTreeSet<String> = BTreeSet::new();
    for node in nodes {
        match &set.nodes[*node] {
            Node::Leaf(path, leaf) => {
                let wild = matches!(set.paths[*path].step, Step::Wild(_));
                if wild || matches!(leaf.test, Test::Matches(_)) {
                    let slots = wild.then(|| SlotTest {
                        path: *path,
                        quantity: quantity(leaf).0,
                        test: leaf.test.clone(),
                    });
                    free.insert((*path, free_key(set, *path, leaf).0), slots);
                }
                if !wild {
                    on_path.entry(*path).or_default().push(leaf);
                }
            }
            Node::Host(_) => {
                hosts.insert(host_key(set, *node));
            }
            Node::All(_) | Node::Any(_) | Node::Not(_) | Node::Saved(..) => {}
        }
    }
    // The declaration of a path also constrains everything below it.
    let asked: Vec<PathId> =
        on_path.keys().chain(free.keys().map(|(path, _)| path)).copied().collect();
    for path in asked {
        let mut above = set.paths[path].parent;
        while let Some(parent) = above {
            if domains.get(&set.paths[parent].path).is_some() {
                on_path.entry(parent).or_default();
            }
            above = set.paths[parent].parent;
        }
    }
    let mut variables = Vec::new();
    let all: Vec<PathId> = on_path.keys().copied().collect();
    for (path, leaves) in &on_path {
        let entry = &set.paths[*path];
        let tests: Vec<&Test> = leaves.iter().map(|leaf| &leaf.test).collect();
        let found = classes(&tests, domains.get(&entry.path), caps.classes).map_err(|_| {
            Skipped(format!("the tests on `{}` distinguish too many values", entry.path))
        })?;
        let has_below = all.iter().chain(free.keys().map(|(path, _)| path)).any(|other| {
            other != path && set.paths[*other].path.segments().starts_with(entry.path.segments())
        });
        let mut joined = join(found, leaves, set, has_below);
        let declared = matches!(domains.get(&entry.path), Some(Domain::Values { .. }));
        if !declared {
            for class in &mut joined {
                class.weight = 1;
            }
        }
        let kind = VariableKind::Path(*path);
        variables.push(Variable { kind, classes: joined, declared, slots: None });
    }
    let blank = |count: usize| -> Vec<Class> { vec![Class::new(None, false, 1); count] };
    for ((_, key), slots) in free {
        let kind = VariableKind::Free(key);
        variables.push(Variable { kind, classes: blank(2), declared: false, slots });
    }
    for key in hosts {
        variables.push(Variable {
            kind: VariableKind::Free(key),
            classes: blank(3),
            declared: false,
            slots: None,
        });
    }
    if variables.len() > caps.variables {
        return Err(Skipped(format!("it reads more than {} paths", caps.variables)));
    }
    Ok(variables)
}

/// Merges classes on which every test agrees. If a path below is tested too, the content of a value
/// matters, so only values without parts are merged.
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
                known.members.extend(class.members);
                known.closed &= class.closed;
                known.lengths = None;
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

/// The name of an opaque test, and whether this leaf is its complement. Complements share one
/// variable, so that a condition and its negation exclude each other.
pub(super) fn free_key(set: &ConditionSet, path: PathId, leaf: &Leaf) -> (String, bool) {
    let wild = matches!(set.paths[path].step, Step::Wild(_));
    let (how, flips) = match (leaf.how, leaf.negated) {
        (How::Written(Quantifier::None), negated) if !wild => ("one", !negated),
        (_, negated) if !wild => ("one", negated),
        (_, _) => {
            let (quantity, flips) = quantity(leaf);
            (quantity.name(), flips)
        }
    };
    let operator = leaf.operator.complement_of().unwrap_or(leaf.operator);
    let operand = leaf.test.expected(&set.patterns).unwrap_or_default();
    let path = &set.paths[path].path;
    (format!("{path} {} {how} {operand}", operator.name()), flips)
}

/// Which slots of a path with `[*]` have to pass the positive test of a leaf, and whether the leaf
/// is the complement of that.
fn quantity(leaf: &Leaf) -> (Quantity, bool) {
    match (leaf.how, leaf.negated) {
        (How::AsList, negated) => (Quantity::List, negated),
        // Without slots they are still complements: "some slot" is false, and "no slot" or "every
        // slot" of the complement is true.
        (How::One | How::Some | How::Written(Quantifier::Any), false) => (Quantity::Some, false),
        (How::Every, true) | (How::Written(Quantifier::None), false) => (Quantity::Some, true),
        (How::Written(Quantifier::All), true) => (Quantity::Some, true),
        (How::Written(Quantifier::All), false) => (Quantity::All, false),
        (How::Written(Quantifier::None), true) => (Quantity::All, false),
        (How::Written(Quantifier::Any), true) => (Quantity::All, true),
        // "Every slot" of a predicate is false without slots, unlike `all`.
        (How::Every, false) => (Quantity::Every, false),
        (How::One | How::Some, true) => (Quantity::Every, true),
    }
}

pub(super) fn host_key(set: &ConditionSet, node: NodeId) -> String {
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
