//! Decision diagrams: a condition as a graph over classes instead of a table over contexts.
//!
//! A node asks one variable (a path, or a test that cannot be looked into) and has a child for each
//! of its classes. Equal nodes are one node, and a node whose children are all the same is left
//! out, so equal conditions are the same diagram and the product of all classes is never walked.
//! The leaves are the three outcomes, joined as Kleene has it.

use std::collections::HashMap;

use crate::index::{IndexVec, ids};

ids! {
    /// A diagram, or one of the three leaves.
    pub(super) Diagram;
}

impl Diagram {
    pub(super) const NEVER: Self = Self(0);
    pub(super) const ALWAYS: Self = Self(1);
    pub(super) const ERROR: Self = Self(2);

    pub(super) fn leaf(holds: bool) -> Self {
        if holds { Self::ALWAYS } else { Self::NEVER }
    }

    pub(super) fn is_leaf(self) -> bool {
        self <= Self::ERROR
    }
}

/// The diagrams grew past their cap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooLarge;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Node {
    pub variable: usize,
    pub children: Box<[Diagram]>,
}

/// Every diagram of one analysis.
pub(super) struct Diagrams {
    nodes: IndexVec<Diagram, Node>,
    known: HashMap<Node, Diagram>,
    conjunctions: HashMap<(Diagram, Diagram), Diagram>,
    negations: HashMap<Diagram, Diagram>,
    cap: usize,
}

impl Diagrams {
    pub(super) fn new(cap: usize) -> Self {
        let mut nodes = IndexVec::default();
        for _ in 0..3 {
            // The leaves; they stand behind every variable.
            nodes.push(Node { variable: usize::MAX, children: Box::default() });
        }
        Self {
            nodes,
            known: HashMap::new(),
            conjunctions: HashMap::new(),
            negations: HashMap::new(),
            cap,
        }
    }

    pub(super) fn get(&self, diagram: Diagram) -> &Node {
        &self.nodes[diagram]
    }

    /// The variable a diagram asks first; larger than any for a leaf.
    pub(super) fn variable(&self, diagram: Diagram) -> usize {
        self.nodes[diagram].variable
    }

    /// What is left of a diagram once a variable that none before it asks is in a class.
    pub(super) fn restrict(&self, diagram: Diagram, variable: usize, class: usize) -> Diagram {
        let node = &self.nodes[diagram];
        if node.variable == variable {
            node.children.get(class).copied().unwrap_or(diagram)
        } else {
            diagram
        }
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
        if self.nodes.len() >= self.cap {
            return Err(TooLarge);
        }
        let id = self.nodes.push(node.clone());
        self.known.insert(node, id);
        Ok(id)
    }

    pub(super) fn not(&mut self, diagram: Diagram) -> Result<Diagram, TooLarge> {
        if diagram == Diagram::NEVER {
            return Ok(Diagram::ALWAYS);
        }
        if diagram == Diagram::ALWAYS {
            return Ok(Diagram::NEVER);
        }
        if diagram == Diagram::ERROR {
            return Ok(diagram);
        }
        if let Some(known) = self.negations.get(&diagram) {
            return Ok(*known);
        }
        let Node { variable, children } = self.nodes[diagram].clone();
        let children: Result<Vec<Diagram>, TooLarge> =
            children.iter().map(|child| self.not(*child)).collect();
        let result = self.node(variable, children?)?;
        self.negations.insert(diagram, result);
        Ok(result)
    }

    pub(super) fn and(&mut self, a: Diagram, b: Diagram) -> Result<Diagram, TooLarge> {
        if a == Diagram::NEVER || b == Diagram::NEVER {
            return Ok(Diagram::NEVER);
        }
        if a == Diagram::ALWAYS || a == b {
            return Ok(b);
        }
        if b == Diagram::ALWAYS {
            return Ok(a);
        }
        // Only an error is left as a leaf, and two of them are equal: one side asks something.
        let key = if a < b { (a, b) } else { (b, a) };
        if let Some(known) = self.conjunctions.get(&key) {
            return Ok(*known);
        }
        let variable = self.variable(a).min(self.variable(b));
        let asked = if self.variable(a) == variable { a } else { b };
        let classes = self.nodes[asked].children.len();
        let mut children = Vec::with_capacity(classes);
        for class in 0..classes {
            let left = self.restrict(a, variable, class);
            let right = self.restrict(b, variable, class);
            children.push(self.and(left, right)?);
        }
        let result = self.node(variable, children)?;
        self.conjunctions.insert(key, result);
        Ok(result)
    }

    /// `a or b` is `not (not a and not b)`, in Kleene's logic too.
    pub(super) fn or(&mut self, a: Diagram, b: Diagram) -> Result<Diagram, TooLarge> {
        let (a, b) = (self.not(a)?, self.not(b)?);
        let neither = self.and(a, b)?;
        self.not(neither)
    }

    /// Whether a leaf can be reached.
    pub(super) fn reaches(&self, diagram: Diagram, leaf: Diagram) -> bool {
        let mut seen = IndexVec::<Diagram, bool>::filled(false, self.nodes.len());
        let mut open = vec![diagram];
        while let Some(next) = open.pop() {
            if next == leaf {
                return true;
            }
            if !std::mem::replace(&mut seen[next], true) {
                open.extend(self.nodes[next].children.iter());
            }
        }
        false
    }
}
