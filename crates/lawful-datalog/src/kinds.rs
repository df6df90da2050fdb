//! The kinds of columns: numbers, symbols or booleans.
//!
//! Columns that share a variable in some rule contain the same constants, so they form one class. A
//! declaration, a constant or an order comparison gives a class its kind. Two kinds in one class
//! are an error, because constants of different kinds are never equal.

use crate::constant::{Constant, Datum};
use crate::problem::{Problem, ProblemKind};
use crate::program::{Atom, Kind, Literal, Place, Program, RelationId, Term};

/// The classes of a program's columns.
#[derive(Clone, Debug)]
pub struct Kinds {
    /// For each relation, where its columns start.
    starts: Vec<usize>,
    parents: Vec<usize>,
    known: Vec<Option<Kind>>,
}

impl Kinds {
    /// Computes the classes, and reports every class with two kinds.
    pub fn infer(program: &Program) -> (Self, Vec<Problem>) {
        let mut starts = Vec::with_capacity(program.relations.len());
        let mut kinds = Vec::new();
        for relation in &program.relations {
            starts.push(kinds.len());
            kinds.extend(relation.columns.iter().map(|column| column.kind));
        }
        let parents = (0..kinds.len()).collect();
        let mut inference = Inference {
            program,
            kinds: Self { starts, parents, known: kinds },
            variables: Vec::new(),
            problems: Vec::new(),
        };
        inference.facts();
        inference.rules();
        (inference.kinds, inference.problems)
    }

    /// The kind of a column, if it is known.
    pub fn of(&self, relation: RelationId, column: usize) -> Option<Kind> {
        self.known.get(self.class(relation, column)).copied().flatten()
    }

    /// The class of a column. Columns of one class have the same kind.
    pub fn class(&self, relation: RelationId, column: usize) -> usize {
        self.root(self.starts.get(relation.index()).map_or(0, |start| start + column))
    }

    fn root(&self, mut node: usize) -> usize {
        while let Some(parent) = self.parents.get(node)
            && *parent != node
        {
            node = *parent;
        }
        node
    }
}

struct Inference<'p> {
    program: &'p Program,
    kinds: Kinds,
    /// The class of each variable of the current rule.
    variables: Vec<Option<usize>>,
    problems: Vec<Problem>,
}

impl Inference<'_> {
    fn facts(&mut self) {
        let program = self.program;
        for (relation, values) in program.facts() {
            for (column, value) in values.iter().enumerate() {
                let node = self.kinds.class(relation, column);
                self.give(node, self.kind(*value), &(0..0));
            }
        }
    }

    fn rules(&mut self) {
        let program = self.program;
        for rule in &program.rules {
            self.variables.clear();
            self.atom(rule.head, &rule.at);
            for literal in program.body(rule) {
                match literal {
                    Literal::Positive(atom)
                    | Literal::Negative(atom)
                    | Literal::Count(atom, ..) => {
                        self.atom(*atom, &rule.at);
                    }
                    Literal::Compare(left, comparison, right) => {
                        let (left, right) = (self.term(*left), self.term(*right));
                        if let (Some(left), Some(right)) = (left, right) {
                            self.join(left, right, &rule.at);
                            if comparison.is_order() {
                                self.give(left, Kind::Number, &rule.at);
                            }
                        }
                    }
                }
            }
        }
    }

    fn atom(&mut self, atom: Atom, at: &Place) {
        let program = self.program;
        for (column, term) in program.terms(atom).iter().enumerate() {
            let node = self.kinds.class(atom.relation, column);
            match term {
                Term::Any => {}
                Term::Constant(constant) => self.give(node, self.kind(*constant), at),
                Term::Variable(variable) => {
                    let slot = self.slot(usize::from(variable.0));
                    match *slot {
                        None => *slot = Some(node),
                        Some(known) => self.join(known, node, at),
                    }
                }
            }
        }
    }

    /// The class of a term of a comparison.
    fn term(&mut self, term: Term) -> Option<usize> {
        match term {
            Term::Any => None,
            Term::Constant(constant) => {
                let kind = self.kind(constant);
                Some(self.fresh(Some(kind)))
            }
            Term::Variable(variable) => {
                let number = usize::from(variable.0);
                let known = *self.slot(number);
                let node = known.unwrap_or_else(|| self.fresh(None));
                *self.slot(number) = Some(node);
                Some(node)
            }
        }
    }

    fn slot(&mut self, number: usize) -> &mut Option<usize> {
        if self.variables.len() <= number {
            self.variables.resize(number + 1, None);
        }
        #[expect(clippy::indexing_slicing, reason = "the list was made long enough above")]
        &mut self.variables[number]
    }

    fn fresh(&mut self, kind: Option<Kind>) -> usize {
        self.kinds.known.push(kind);
        self.kinds.parents.push(self.kinds.parents.len());
        self.kinds.parents.len() - 1
    }

    #[inline]
    fn kind(&self, constant: Constant) -> Kind {
        match self.program.constants.datum(constant) {
            Datum::Number(_) => Kind::Number,
            Datum::Symbol(_) => Kind::Symbol,
            Datum::Boolean(_) => Kind::Boolean,
        }
    }

    fn join(&mut self, left: usize, right: usize, at: &Place) {
        let (left, right) = (self.kinds.root(left), self.kinds.root(right));
        if left == right {
            return;
        }
        let kind = self.kinds.known.get(right).copied().flatten();
        if let Some(parent) = self.kinds.parents.get_mut(right) {
            *parent = left;
        }
        if let Some(kind) = kind {
            self.give(left, kind, at);
        }
    }

    #[inline]
    fn give(&mut self, node: usize, kind: Kind, at: &Place) {
        let root = self.kinds.root(node);
        if self.kinds.known.get(root) != Some(&Some(kind)) {
            self.give_new(root, kind, at);
        }
    }

    fn give_new(&mut self, root: usize, kind: Kind, at: &Place) {
        match self.kinds.known.get_mut(root) {
            Some(known @ None) => *known = Some(kind),
            Some(Some(known)) if *known != kind => {
                let message = format!(
                    "one column has both {} and {}, which are never equal",
                    known.one(),
                    kind.one()
                );
                let help = "order comparisons need numbers; write text in quotes, numbers and booleans without";
                self.problems.push(Problem::new(ProblemKind::Kind, at.clone(), message, help));
            }
            Some(Some(_)) | None => {}
        }
    }
}
