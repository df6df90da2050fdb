//! A view of a compiled set, for code that translates conditions to another language.

use super::eval::Run;
use super::leaf::Leaf;
use super::outcome::Outcome;
use super::set::{CondId, ConditionSet, Node};
use crate::path::Path;

pub(crate) use super::pattern::Patterns;
pub(crate) use super::set::NodeId as PartId;

/// One part of a condition.
pub(crate) enum Part<'s> {
    /// Every part must be true.
    All(&'s [PartId]),
    /// Some part must be true.
    Any(&'s [PartId]),
    /// The part must not be true.
    Not(PartId),
    /// A test of the slots of a path.
    Leaf(&'s Path, &'s Leaf),
    /// A host primitive, which only a run can evaluate and which may fail.
    Host,
}

impl ConditionSet {
    /// The root part of a condition.
    pub(crate) fn root(&self, condition: CondId) -> PartId {
        self.roots[condition.root]
    }

    /// A part by its id. A saved condition is expanded.
    pub(crate) fn part(&self, mut id: PartId) -> (PartId, Part<'_>) {
        loop {
            let part = match &self.nodes[id] {
                Node::All(children) => Part::All(children),
                Node::Any(children) => Part::Any(children),
                Node::Not(child) => Part::Not(*child),
                Node::Leaf(path, leaf) => Part::Leaf(&self.paths[*path].path, leaf),
                Node::Host(_) => Part::Host,
                Node::Saved(_, body) => {
                    id = *body;
                    continue;
                }
            };
            return (id, part);
        }
    }

    /// Every path that some part reads, and its parents.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.paths.ids().map(|id| &self.paths[id].path)
    }

    /// The number of parts.
    pub(crate) fn size(&self) -> usize {
        self.nodes.len()
    }

    /// The regular expressions that leaves refer to.
    pub(crate) fn patterns(&self) -> &Patterns {
        &self.patterns
    }
}

impl Run<'_, '_> {
    /// Evaluates one part.
    pub(crate) fn part(&mut self, part: PartId) -> Outcome {
        self.node(part)
    }
}
