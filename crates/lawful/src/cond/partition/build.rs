//! Builds diagrams from conditions.

use std::rc::Rc;

use super::Partition;
use super::classes::{Class, is_open};
use super::diagram::{Diagram, TooLarge};
use super::variables::{Variable, free_key, host_key};
use crate::cond::leaf::Leaf;
use crate::cond::outcome::Outcome;
use crate::cond::set::{Node, NodeId, PathId, Step};
use crate::index::Id as _;
use crate::path::{Segment, Slots};
use crate::value::Value;

impl Partition<'_> {
    /// Builds the diagram of a node, children first.
    pub(super) fn build(&mut self, id: NodeId) -> Result<(), TooLarge> {
        let set = self.set;
        let child = |partition: &Self, id: &NodeId| {
            partition.of_node.get(&id.index()).copied().unwrap_or(Diagram::ERROR)
        };
        let diagram = match &set.nodes[id] {
            Node::All(children) => {
                let mut all = Diagram::ALWAYS;
                for id in children {
                    let next = child(self, id);
                    all = self.diagrams.and(all, next)?;
                }
                all
            }
            Node::Any(children) => {
                let mut any = Diagram::NEVER;
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
                let leaves = vec![Diagram::NEVER, Diagram::ALWAYS, Diagram::ERROR];
                match self.free.get(&host_key(set, id)) {
                    Some(variable) => self.diagrams.node(*variable, leaves)?,
                    None => Diagram::ERROR,
                }
            }
            Node::Leaf(path, leaf) => self.leaf_diagram(*path, leaf)?,
        };
        self.of_node.insert(id.index(), diagram);
        Ok(())
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
        // If a parent path is tested too, it may already decide what is below it.
        let mut diagram = inner;
        let mut above = entry.parent;
        while let Some(parent) = above {
            diagram = self.below(parent, path, leaf, diagram)?;
            above = set.paths[parent].parent;
        }
        Ok(diagram)
    }

    fn free_test(&mut self, key: &str, negated: bool) -> Result<Diagram, TooLarge> {
        let (never, always) = (Diagram::NEVER, Diagram::ALWAYS);
        let leaves = if negated { vec![always, never] } else { vec![never, always] };
        match self.free.get(key) {
            Some(variable) => self.diagrams.node(*variable, leaves),
            None => Ok(Diagram::ERROR),
        }
    }

    /// A test on a path without `[*]`: each class of the path has its outcome.
    fn plain(&mut self, path: PathId, leaf: &Leaf) -> Result<Diagram, TooLarge> {
        let set = self.set;
        let Some((index, variables)) = self.path_variable(path) else {
            return Ok(Diagram::ERROR);
        };
        let classes = classes(&variables, index);
        let mut children = Vec::with_capacity(classes.len());
        for class in classes {
            children.push(if is_open(class, leaf) {
                let (key, negated) = free_key(set, path, leaf);
                self.free_test(&key, negated)?
            } else {
                let value = class.representative.as_ref();
                Diagram::of(Outcome::of(leaf.holds_for_one(value, &set.patterns)))
            });
        }
        self.diagrams.node(index, children)
    }

    /// Puts the diagram of a test below the variable of a parent path, if there is one.
    fn below(
        &mut self,
        above: PathId,
        path: PathId,
        leaf: &Leaf,
        diagram: Diagram,
    ) -> Result<Diagram, TooLarge> {
        let set = self.set;
        let Some((index, variables)) = self.path_variable(above) else { return Ok(diagram) };
        let steps = set.paths[above].path.segments().len();
        let rest = set.paths[path].path.segments().get(steps..).unwrap_or_default();
        let classes = classes(&variables, index);
        let mut children = Vec::with_capacity(classes.len());
        for class in classes {
            let leads_on = match (&class.representative, rest.first()) {
                (Some(Value::Map(_)), Some(Segment::Key(_))) => true,
                (Some(Value::List(_)), Some(Segment::Index(_) | Segment::Each)) => true,
                (Some(_) | None, _) => false,
            };
            let too_short = rest.first().is_some_and(|step| class.is_too_short(step));
            let open = !class.closed && leads_on && !too_short;
            children.push(if open {
                diagram
            } else {
                let slots = Slots { start: class.representative.as_ref(), segments: rest };
                let holds = match &set.paths[path].step {
                    Step::Wild(_) => leaf.decide(slots, &set.patterns).holds,
                    Step::One(_) => leaf.holds_for_one(slots.only(), &set.patterns),
                };
                Diagram::of(Outcome::of(holds))
            });
        }
        self.diagrams.node(index, children)
    }

    /// The variable of a path, if it is tested or declared.
    fn path_variable(&self, path: PathId) -> Option<(usize, Rc<[Variable]>)> {
        Some((*self.paths.get(&path)?, Rc::clone(&self.variables)))
    }
}

fn classes(variables: &[Variable], index: usize) -> &[Class] {
    variables.get(index).map_or(&[], |variable| &variable.classes)
}
