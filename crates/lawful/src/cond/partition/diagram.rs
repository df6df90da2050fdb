//! Decision diagrams: represent a condition as a graph over classes instead of a table over
//! contexts.
//!
//! A node tests one variable (a path or an opaque test) and has a child for each of its classes.
//! Equal nodes are shared, and a node with identical children is omitted. So equal conditions have
//! the same diagram, and the product of all classes is never enumerated. The leaves are the three
//! outcomes, combined by Kleene logic.

use std::collections::HashMap;
use std::rc::Rc;

use crate::cond::outcome::{Join, Outcome};
use crate::index::{IndexVec, ids};

ids! {
    /// A diagram, or one of the three leaves.
    pub(super) Diagram;
}

impl Diagram {
    pub(super) const NEVER: Self = Self(0);
    pub(super) const ALWAYS: Self = Self(1);
    pub(super) const ERROR: Self = Self(2);

    /// The leaf of an outcome.
    pub(super) fn of(outcome: Outcome) -> Self {
        match outcome {
            Outcome::False => Self::NEVER,
            Outcome::True => Self::ALWAYS,
            Outcome::Error | Outcome::NotEvaluated => Self::ERROR,
        }
    }

    /// The outcome of a leaf; `None` for any other diagram.
    pub(super) fn outcome(self) -> Option<Outcome> {
        match self {
            Self::NEVER => Some(Outcome::False),
            Self::ALWAYS => Some(Outcome::True),
            Self::ERROR => Some(Outcome::Error),
            _ => None,
        }
    }
}

/// The diagrams exceeded their cap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooLarge;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Node {
    pub variable: usize,
    pub children: Rc<[Diagram]>,
}

/// The leaves that a diagram can reach, as bits.
type Reach = u8;

/// Every diagram of one analysis.
pub(super) struct Diagrams {
    nodes: IndexVec<Diagram, (Node, Reach)>,
    known: HashMap<Node, Diagram>,
    joined: HashMap<(Join, Diagram, Diagram), Diagram>,
    negations: HashMap<Diagram, Diagram>,
    /// The total number of children of all nodes, and its cap.
    size: usize,
    cap: usize,
}

impl Diagrams {
    pub(super) fn new(cap: usize) -> Self {
        let mut nodes = IndexVec::default();
        for reach in [1, 2, 4] {
            // The leaves, which are ordered after every variable.
            nodes.push((Node { variable: usize::MAX, children: Rc::from([]) }, reach));
        }
        Self {
            nodes,
            known: HashMap::new(),
            joined: HashMap::new(),
            negations: HashMap::new(),
            size: 0,
            cap,
        }
    }

    /// The total size of all diagrams.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    pub(super) fn get(&self, diagram: Diagram) -> &Node {
        &self.nodes[diagram].0
    }

    /// The first variable of a diagram; for a leaf, larger than any.
    pub(super) fn variable(&self, diagram: Diagram) -> usize {
        self.get(diagram).variable
    }

    /// Whether a leaf can be reached.
    pub(super) fn reaches(&self, diagram: Diagram, leaf: Diagram) -> bool {
        self.nodes[diagram].1 & self.nodes[leaf].1 != 0
    }

    /// The diagram after its first variable is fixed to a class.
    pub(super) fn restrict(&self, diagram: Diagram, variable: usize, class: usize) -> Diagram {
        let node = self.get(diagram);
        if node.variable == variable {
            node.children.get(class).copied().unwrap_or(diagram)
        } else {
            diagram
        }
    }

    /// Which variables these diagrams test.
    pub(super) fn asked(&self, mut open: Vec<Diagram>, variables: usize) -> Vec<bool> {
        let mut asked = vec![false; variables];
        let mut seen = IndexVec::<Diagram, bool>::filled(false, self.nodes.len());
        while let Some(next) = open.pop() {
            if std::mem::replace(&mut seen[next], true) {
                continue;
            }
            let node = self.get(next);
            if let Some(asked) = asked.get_mut(node.variable) {
                *asked = true;
            }
            open.extend(node.children.iter());
        }
        asked
    }

    pub(super) fn node(
        &mut self,
        variable: usize,
        children: Vec<Diagram>,
    ) -> Result<Diagram, TooLarge> {
        if let Some(first) = children.first()
            && children.iter().all(|child| child == first)
        {
            return Ok(*first);
        }
        let node = Node { variable, children: children.into() };
        if let Some(known) = self.known.get(&node) {
            return Ok(*known);
        }
        self.size += node.children.len();
        if self.size > self.cap {
            return Err(TooLarge);
        }
        let reach = node.children.iter().fold(0, |reach, child| reach | self.nodes[*child].1);
        let id = self.nodes.push((node.clone(), reach));
        self.known.insert(node, id);
        Ok(id)
    }

    pub(super) fn not(&mut self, diagram: Diagram) -> Result<Diagram, TooLarge> {
        if let Some(outcome) = diagram.outcome() {
            return Ok(Diagram::of(outcome.not()));
        }
        if let Some(known) = self.negations.get(&diagram) {
            return Ok(*known);
        }
        let Node { variable, children } = self.get(diagram).clone();
        let children: Result<Vec<Diagram>, TooLarge> =
            children.iter().map(|child| self.not(*child)).collect();
        let result = self.node(variable, children?)?;
        self.negations.insert(diagram, result);
        self.negations.insert(result, diagram);
        Ok(result)
    }

    pub(super) fn and(&mut self, a: Diagram, b: Diagram) -> Result<Diagram, TooLarge> {
        self.join(Join::And, a, b)
    }

    pub(super) fn or(&mut self, a: Diagram, b: Diagram) -> Result<Diagram, TooLarge> {
        self.join(Join::Or, a, b)
    }

    fn join(&mut self, join: Join, a: Diagram, b: Diagram) -> Result<Diagram, TooLarge> {
        let (decisive, neutral) = (Diagram::of(join.decisive()), Diagram::of(join.neutral()));
        if a == decisive || b == decisive {
            return Ok(decisive);
        }
        if a == neutral || a == b {
            return Ok(b);
        }
        if b == neutral {
            return Ok(a);
        }
        if let (Some(a), Some(b)) = (a.outcome(), b.outcome()) {
            return Ok(Diagram::of(join.of(a, b)));
        }
        let key = if a < b { (join, a, b) } else { (join, b, a) };
        if let Some(known) = self.joined.get(&key) {
            return Ok(*known);
        }
        let variable = self.variable(a).min(self.variable(b));
        let asked = if self.variable(a) == variable { a } else { b };
        let classes = self.get(asked).children.len();
        let mut children = Vec::with_capacity(classes);
        for class in 0..classes {
            let left = self.restrict(a, variable, class);
            let right = self.restrict(b, variable, class);
            children.push(self.join(join, left, right)?);
        }
        let result = self.node(variable, children)?;
        self.joined.insert(key, result);
        Ok(result)
    }

    /// The diagram with every error replaced by false.
    pub(super) fn certainly(&mut self, diagram: Diagram) -> Result<Diagram, TooLarge> {
        let mut known = HashMap::new();
        self.without_errors(diagram, &mut known)
    }

    fn without_errors(
        &mut self,
        diagram: Diagram,
        known: &mut HashMap<Diagram, Diagram>,
    ) -> Result<Diagram, TooLarge> {
        if diagram == Diagram::ERROR {
            return Ok(Diagram::NEVER);
        }
        if !self.reaches(diagram, Diagram::ERROR) {
            return Ok(diagram);
        }
        if let Some(known) = known.get(&diagram) {
            return Ok(*known);
        }
        let Node { variable, children } = self.get(diagram).clone();
        let mut kept = Vec::with_capacity(children.len());
        for child in children.iter() {
            kept.push(self.without_errors(*child, known)?);
        }
        let result = self.node(variable, kept)?;
        known.insert(diagram, result);
        Ok(result)
    }
}
