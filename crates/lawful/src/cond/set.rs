//! A compiled set: a table of distinct parts and a table of distinct paths.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use super::code::{Entry, Jump};
use super::leaf::Leaf;
use super::pattern::Patterns;
use super::primitive::Predicate;
use super::sorted::Names;
use crate::index::{IndexVec, ids};
use crate::path::{Path, Segment};
use crate::value::{FirstPlace, Value};

ids! {
    /// The index of a condition in its set.
    pub(super) RootId;
    pub(crate) NodeId;
    pub(super) PathId;
    /// A bit word of a run.
    pub(super) WordId;
}

/// A condition of one [`ConditionSet`]. Evaluating it in another set is an
/// [error](super::Outcome::Error), never the result of some other condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CondId {
    pub(super) root: RootId,
    pub(super) set: SetId,
}

/// The set that an id belongs to: unique within the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct SetId(u32);

impl Default for SetId {
    fn default() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// One part of a set.
pub(super) enum Node {
    All(Box<[NodeId]>),
    Any(Box<[NodeId]>),
    Not(NodeId),
    Leaf(PathId, Leaf),
    Host(HostTest),
    Saved(Arc<str>, NodeId),
}

/// A host primitive, bound to its arguments.
pub(super) struct HostTest {
    pub id: Arc<str>,
    pub args: Option<Value>,
    pub reads: Box<[PathId]>,
    pub predicate: Box<dyn Predicate>,
}

/// A path of a set: one step from its parent, or the rest of a path from its first `[*]`.
pub(super) struct PathEntry {
    pub parent: Option<PathId>,
    pub step: Step,
    /// Where the step found its key the first time.
    pub place: FirstPlace,
    pub path: Path,
    /// The path as explanations show it, written on first use.
    pub text: OnceLock<Arc<str>>,
}

impl PathEntry {
    pub(super) fn text(&self) -> &Arc<str> {
        self.text.get_or_init(|| self.path.to_string().into())
    }
}

pub(super) enum Step {
    One(Segment),
    Wild(Box<[Segment]>),
}

/// Conditions compiled together: a snapshot, independent of later changes to the registry.
#[derive(Default)]
pub struct ConditionSet {
    pub(super) id: SetId,
    pub(super) nodes: IndexVec<NodeId, Node>,
    pub(super) paths: IndexVec<PathId, PathEntry>,
    pub(super) patterns: Patterns,
    pub(super) roots: IndexVec<RootId, NodeId>,
    pub(super) entries: IndexVec<RootId, Entry>,
    pub(super) code: Vec<Jump>,
    pub(super) names: IndexVec<PathId, Names>,
    /// The number of bit words that a run needs.
    pub(super) words: usize,
    /// Whether a run must store outcomes: of tests that read values, saved conditions and host
    /// primitives.
    pub(super) keeps: bool,
    /// The operand of each test as explanations show it, copied on first use.
    pub(super) operands: IndexVec<NodeId, OnceLock<Option<Arc<Value>>>>,
}

impl std::fmt::Debug for ConditionSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ConditionSet").field("nodes", &self.nodes.len()).finish_non_exhaustive()
    }
}

impl ConditionSet {
    /// The node of a condition, if it is one of this set.
    pub(super) fn root_of(&self, condition: CondId) -> Option<NodeId> {
        (condition.set == self.id).then(|| self.roots[condition.root])
    }

    /// Whether a condition refers to a saved one.
    pub(crate) fn uses_saved(&self) -> bool {
        self.nodes.ids().any(|id| matches!(self.nodes[id], Node::Saved(..)))
    }

    /// The paths that a condition may read, in the order it names them.
    pub fn reads(&self, condition: CondId) -> Vec<&Path> {
        let mut seen = IndexVec::<NodeId, bool>::filled(false, self.nodes.len());
        let mut read = IndexVec::<PathId, bool>::filled(false, self.paths.len());
        let mut out: Vec<&Path> = Vec::new();
        let mut open: Vec<NodeId> = self.root_of(condition).into_iter().collect();
        while let Some(node) = open.pop() {
            if std::mem::replace(&mut seen[node], true) {
                continue;
            }
            let mut note = |path: PathId| {
                if !std::mem::replace(&mut read[path], true) {
                    out.push(&self.paths[path].path);
                }
            };
            match &self.nodes[node] {
                Node::All(children) | Node::Any(children) => open.extend(children.iter().rev()),
                Node::Not(child) | Node::Saved(_, child) => open.push(*child),
                Node::Leaf(path, _) => note(*path),
                Node::Host(host) => host.reads.iter().copied().for_each(&mut note),
            }
        }
        out
    }
}

impl Path {
    /// The parent of the path and its last step; everything from the first `[*]` counts as one
    /// step.
    pub(super) fn split_last_step(&self) -> (Option<Self>, Step) {
        let segments = self.segments();
        let each = segments.iter().position(|segment| *segment == Segment::Each);
        let at = each.unwrap_or(segments.len().saturating_sub(1));
        let (front, back) = segments.split_at_checked(at).unwrap_or((segments, &[]));
        let parent = (!front.is_empty()).then(|| Self::of(front));
        let step = match (each, back) {
            (None, [one]) => Step::One(one.clone()),
            (_, wild) => Step::Wild(wild.into()),
        };
        (parent, step)
    }
}
