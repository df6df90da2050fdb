//! Jumping code: a condition as a list of tests, each of which knows where to go next.
//!
//! `all[a, any[b, c]]` becomes
//!
//! ```text
//! 0: a ? 1 : no
//! 1: b ? yes : 2
//! 2: c ? yes : no
//! ```
//!
//! so evaluating it is a loop without recursion, and short-circuiting costs nothing. Most tests are
//! a comparison of [small numbers](super::sorted); a negative one is its twin with the two ways
//! swapped.
//!
//! Jumping knows two values. A condition that reaches a host's primitive may also end in an error,
//! and is walked as a tree instead.

use super::leaf::{How, Leaf, Quantifier};
use super::set::{ConditionSet, Node, NodeId, PathId, Step};
use super::sorted::{Range, Sorted};

/// A test and where to go from it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jump {
    pub test: Asked,
    pub then: u32,
    pub otherwise: u32,
}

/// What a jump asks.
#[derive(Clone, Copy, Debug)]
pub(super) enum Asked {
    /// Whether the value at a path has a type and a code in a range.
    Range(PathId, Range),
    /// Whether the value at a path holds a named string. The node is the same test, for a value
    /// that is no list.
    Part(PathId, u32, NodeId),
    /// Whether a node holds: a test that looks at the value itself, or a large saved condition.
    Node(NodeId),
}

/// Where code ends: past every jump.
pub(super) const YES: u32 = u32::MAX;
pub(super) const NO: u32 = u32::MAX - 1;

/// How a condition is evaluated.
#[derive(Clone, Copy, Debug)]
pub(super) enum Entry {
    /// From this jump on.
    Code(u32),
    /// As a tree, in three values.
    Tree(NodeId),
}

/// Writes the code of a node that goes on at `then` or `otherwise`, last test first, and returns
/// where it starts. A saved condition for which `apart` holds is one test, whatever is in it.
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

/// The quickest way to ask a test, and whether the answer is turned round.
fn ask(set: &ConditionSet, node: NodeId, path: PathId, leaf: &Leaf) -> (Asked, bool) {
    let plain = matches!(set.paths[path].step, Step::One(_));
    let flipped = leaf.negated != (leaf.how == How::Written(Quantifier::None));
    match set.names[path].sorted(leaf) {
        Some(Sorted::Range(range)) if plain => (Asked::Range(path, range), flipped),
        Some(Sorted::NotRange(range)) if plain => (Asked::Range(path, range), !flipped),
        // The node answers for itself, so its own negation must not be undone here.
        Some(Sorted::Part(part)) if plain && !flipped => (Asked::Part(path, part, node), false),
        Some(Sorted::Range(_) | Sorted::NotRange(_) | Sorted::Part(_)) | None => {
            (Asked::Node(node), false)
        }
    }
}
