//! Jump code: a condition as a list of tests, each with its two successors.
//!
//! `all[a, any[b, c]]` becomes
//!
//! ```text
//! 0: a ? 1 : no
//! 1: b ? yes : 2
//! 2: c ? yes : no
//! ```
//!
//! so evaluation is a loop without recursion, and short-circuiting costs nothing. Most tests
//! compare [small numbers](super::sorted). A negative test is its complement with the two
//! successors swapped.
//!
//! Jump code is two-valued. A condition with a host primitive may also be an error, so it is
//! evaluated as a tree instead.

use super::leaf::{How, Leaf, Quantifier};
use super::set::{ConditionSet, Node, NodeId, PathId, Step};
use super::sorted::{Range, Sorted};

/// A test and its two successors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jump {
    pub test: Asked,
    pub then: u32,
    pub otherwise: u32,
}

impl Jump {
    /// The successor, given whether the test holds.
    #[inline]
    pub(super) fn next(&self, holds: bool) -> u32 {
        if holds { self.then } else { self.otherwise }
    }
}

/// The test of a jump.
#[derive(Clone, Copy, Debug)]
pub(super) enum Asked {
    /// Whether the value at a path has a type and a code in a range.
    Range(PathId, Range),
    /// Whether the value at a path contains a named string. The node is the same test, for a value
    /// that is not a list.
    Part(PathId, u32, NodeId),
    /// Whether a node is true: a test that reads the value itself, or a large saved condition.
    Node(NodeId),
}

/// The two ends of the code, larger than every jump.
pub(super) const YES: u32 = u32::MAX;
pub(super) const NO: u32 = u32::MAX - 1;

/// How a condition is evaluated.
#[derive(Clone, Copy, Debug)]
pub(super) enum Entry {
    /// Starting at this jump.
    Code(u32),
    /// As a tree, with three values.
    Tree(NodeId),
}

/// Writes the code of a node that continues at `then` or `otherwise`, last test first, and returns
/// its start. A saved condition for which `apart` is true is a single test.
pub(super) fn emit(
    set: &mut ConditionSet,
    node: NodeId,
    then: u32,
    otherwise: u32,
    apart: &impl Fn(NodeId) -> bool,
) -> u32 {
    let (children, all) = match &set.nodes[node] {
        Node::All(children) => (children.clone(), true),
        Node::Any(children) => (children.clone(), false),
        Node::Not(child) => {
            let child = *child;
            return emit(set, child, otherwise, then, apart);
        }
        Node::Saved(_, body) if !apart(node) => {
            let body = *body;
            return emit(set, body, then, otherwise, apart);
        }
        Node::Leaf(path, leaf) => {
            let (test, swapped) = ask(set, node, *path, leaf);
            let (then, otherwise) = if swapped { (otherwise, then) } else { (then, otherwise) };
            return push(set, Jump { test, then, otherwise });
        }
        Node::Saved(..) | Node::Host(_) => {
            return push(set, Jump { test: Asked::Node(node), then, otherwise });
        }
    };
    let mut next = if all { then } else { otherwise };
    for child in children.iter().rev() {
        next = if all {
            emit(set, *child, next, otherwise, apart)
        } else {
            emit(set, *child, then, next, apart)
        };
    }
    next
}

fn push(set: &mut ConditionSet, jump: Jump) -> u32 {
    let at = u32::try_from(set.code.len()).unwrap_or(NO);
    set.code.push(jump);
    at
}

/// The fastest form of a test, and whether its result is negated.
fn ask(set: &ConditionSet, node: NodeId, path: PathId, leaf: &Leaf) -> (Asked, bool) {
    let plain = matches!(set.paths[path].step, Step::One(_));
    let flipped = leaf.negated != (leaf.how == How::Written(Quantifier::None));
    match set.names[path].sorted(leaf) {
        Some(Sorted::Range(range)) if plain => (Asked::Range(path, range), flipped),
        Some(Sorted::NotRange(range)) if plain => (Asked::Range(path, range), !flipped),
        // The node includes its own negation, so it must not be negated again.
        Some(Sorted::Part(part)) if plain && !flipped => (Asked::Part(path, part, node), false),
        Some(Sorted::Range(_) | Sorted::NotRange(_) | Sorted::Part(_)) | None => {
            (Asked::Node(node), false)
        }
    }
}
