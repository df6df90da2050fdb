//! Plans: the steps that run each rule.
//!
//! A plan scans the atoms of a body one after the other. Before each scan it runs every check whose
//! variables are bound. It scans next the atom with the most known columns, so that an index leads
//! directly to the matching rows. An atom that binds nothing new is only a check.
//!
//! **Invariant:** a variable is read only after a step has bound it. A rule without such an order
//! is unsafe. This is the only safety check.

use crate::problem::{Problem, ProblemKind};
use crate::program::{
    Atom, Comparison, Literal, Program, RelationId, Rule, RuleId, Term, Variable,
};
use crate::table::{Address, seed};

/// The source of a value, or what is done with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arg {
    Constant(u32),
    /// A bound variable.
    Known(u16),
    /// A variable that this column binds.
    Bind(u16),
    Any,
}

/// Which rows of a relation a step sees; see [`crate::run`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rows {
    /// All rows.
    All,
    /// The rows that the last round added.
    Fresh,
    /// The rows from before the last round.
    Old,
}

/// How the candidate rows of an atom are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// No column is known: all rows.
    Scan,
    /// Every column is known: at most one row.
    Whole,
    /// Every column is a constant: at most one row, at this address.
    Ground(Address),
    /// Some columns are known: an index of the table.
    Index(u16),
}

/// An atom, ready for lookup. Its arguments are a range of [`Plans::args`], or of [`Plans::ground`]
/// if all of them are constants.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pattern {
    pub relation: RelationId,
    pub start: u32,
    pub end: u32,
    pub access: Access,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    /// For each matching row, bind and continue.
    Each(Pattern, Rows),
    /// Continue if some row matches.
    Has(Pattern, Rows),
    /// Continue if no row matches.
    Lacks(Pattern),
    Count(Pattern, Comparison, i64),
    Compare(Arg, Comparison, Arg),
    Let(u16, Arg),
}

/// One way to run a rule.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub rule: u32,
    pub head: Pattern,
    pub start: u32,
    pub end: u32,
}

/// The plans of a program, with their shared arguments and indexes.
#[derive(Debug, Default)]
pub(crate) struct Plans {
    pub steps: Vec<Step>,
    pub args: Vec<Arg>,
    /// The constants of atoms that have only constants.
    pub ground: Vec<u32>,
    /// The hasher of rows.
    pub seed: u64,
    /// For each relation, the groups of columns that some step looks up by.
    pub indexes: Vec<Vec<Box<[u8]>>>,
    pub variables: usize,
    /// The literals that a plan has not placed yet, and the variables that it has bound.
    scratch: (Vec<usize>, Vec<Variable>),
}

impl Plans {
    /// No plans yet, with capacity for those of a program.
    pub(crate) fn new(program: &Program) -> Self {
        let steps = Vec::with_capacity(program.literals.len());
        let ground = Vec::with_capacity(program.terms.len());
        Self { steps, ground, seed: seed(), ..Self::default() }
    }

    /// Plans a rule. `fresh` is the index in the body of the atom that sees only what the last
    /// round added. Atoms of `recursive` relations before it see only older rows.
    pub(crate) fn add(
        &mut self,
        program: &Program,
        rule: RuleId,
        fresh: Option<usize>,
        recursive: &[RelationId],
    ) -> Result<Plan, Problem> {
        let id = rule;
        let rule = program.get_rule(id);
        let body = program.body(rule);
        let start = crate::program::position(self.steps.len());
        let (mut left, mut bound) = std::mem::take(&mut self.scratch);
        left.clear();
        bound.clear();
        let mut order = Order { plans: &mut *self, program, rule, bound };
        let rows_of = |at: usize, atom: Atom| match fresh {
            Some(fresh) if fresh == at => Rows::Fresh,
            Some(fresh) if at < fresh && recursive.contains(&atom.relation) => Rows::Old,
            Some(_) | None => Rows::All,
        };
        for (at, literal) in body.iter().enumerate() {
            if !order.constant(*literal, |atom| rows_of(at, atom)) {
                left.push(at);
            }
        }
        while !left.is_empty() {
            left.retain(|at| !body.get(*at).is_some_and(|literal| order.check(*literal)));
            let next = match fresh {
                Some(fresh) if left.contains(&fresh) => Some(fresh),
                Some(_) | None => order.best(body, &left),
            };
            let Some(next) = next else { break };
            left.retain(|at| *at != next);
            let Some(Literal::Positive(atom)) = body.get(next) else { continue };
            order.walk(*atom, rows_of(next, *atom));
        }
        if let Some(stuck) = left.first().and_then(|at| body.get(*at)) {
            let unbound = order.unbound_in(*stuck);
            return Err(order.unsafe_variable(unbound));
        }
        let head = order.head()?;
        self.scratch = (left, order.bound);
        let end = crate::program::position(self.steps.len());
        Ok(Plan { rule: id.0, head, start, end })
    }
}

struct Order<'p> {
    plans: &'p mut Plans,
    program: &'p Program,
    rule: &'p Rule,
    bound: Vec<Variable>,
}

impl Order<'_> {
    fn knows(&self, term: Term) -> bool {
        match term {
            Term::Variable(variable) => self.bound.contains(&variable),
            Term::Constant(_) => true,
            Term::Any => false,
        }
    }

    /// Adds the step of an atom with only constants, which needs no bindings.
    fn constant(&mut self, literal: Literal, rows: impl Fn(Atom) -> Rows) -> bool {
        let step = match literal {
            Literal::Positive(atom) => {
                self.ground(atom).map(|pattern| Step::Has(pattern, rows(atom)))
            }
            Literal::Negative(atom) => self.ground(atom).map(Step::Lacks),
            Literal::Compare(..) | Literal::Count(..) => None,
        };
        self.plans.steps.extend(step);
        step.is_some()
    }

    /// Adds the step of a literal that binds nothing new, if everything it reads is bound.
    fn check(&mut self, literal: Literal) -> bool {
        match literal {
            // `best` places it: which rows it sees depends on its position in the body.
            Literal::Positive(_) => false,
            Literal::Negative(atom) => self.when_ready(atom, Step::Lacks),
            Literal::Count(atom, comparison, bound) => {
                self.when_ready(atom, |pattern| Step::Count(pattern, comparison, bound))
            }
            Literal::Compare(left, comparison, right) => {
                let step = match (left, self.knows(left), right, self.knows(right)) {
                    (_, true, _, true) => {
                        Step::Compare(self.arg(left), comparison, self.arg(right))
                    }
                    (Term::Variable(new), false, known, true)
                    | (known, true, Term::Variable(new), false)
                        if comparison == Comparison::Equal =>
                    {
                        let step = Step::Let(new.0, self.arg(known));
                        self.bind(new);
                        step
                    }
                    (_, _, _, _) => return false,
                };
                self.plans.steps.push(step);
                true
            }
        }
    }

    fn bind(&mut self, variable: Variable) {
        self.bound.push(variable);
        self.plans.variables = self.plans.variables.max(usize::from(variable.0) + 1);
    }

    /// Whether an atom binds nothing.
    fn is_ready(&self, atom: Atom) -> bool {
        let ready = |term: &Term| *term == Term::Any || self.knows(*term);
        self.program.terms(atom).iter().all(ready)
    }

    fn when_ready(&mut self, atom: Atom, step: impl FnOnce(Pattern) -> Step) -> bool {
        let ready = self.is_ready(atom);
        if ready {
            let pattern = self.pattern(atom);
            self.plans.steps.push(step(pattern));
        }
        ready
    }

    /// The next atom: one that binds nothing, then the one with the most known columns, then the
    /// first in the body.
    fn best(&self, body: &[Literal], left: &[usize]) -> Option<usize> {
        let mut best: Option<(usize, usize)> = None;
        for at in left {
            let Some(Literal::Positive(atom)) = body.get(*at) else { continue };
            let terms = self.program.terms(*atom);
            let known = terms.iter().filter(|term| self.knows(**term)).count();
            let rank = if self.is_ready(*atom) { usize::MAX } else { known };
            if best.is_none_or(|(top, _)| rank > top) {
                best = Some((rank, *at));
            }
        }
        best.map(|(_, at)| at)
    }

    fn walk(&mut self, atom: Atom, rows: Rows) {
        let only_checks = self.is_ready(atom);
        let pattern = self.pattern(atom);
        let step = if only_checks { Step::Has(pattern, rows) } else { Step::Each(pattern, rows) };
        self.plans.steps.push(step);
    }

    fn pattern(&mut self, atom: Atom) -> Pattern {
        let terms = self.program.terms(atom);
        let known = terms.iter().filter(|term| self.knows(**term)).count();
        let access = if known == 0 {
            Access::Scan
        } else if known < terms.len() {
            Access::Index(self.index(atom))
        } else {
            Access::Whole
        };
        let start = crate::program::position(self.plans.args.len());
        for term in terms {
            let arg = match *term {
                Term::Variable(variable) if !self.bound.contains(&variable) => {
                    self.bind(variable);
                    Arg::Bind(variable.0)
                }
                other @ (Term::Variable(_) | Term::Constant(_) | Term::Any) => self.arg(other),
            };
            self.plans.args.push(arg);
        }
        let end = crate::program::position(self.plans.args.len());
        Pattern { relation: atom.relation, start, end, access }
    }

    /// The pattern of an atom with only constants.
    fn ground(&mut self, atom: Atom) -> Option<Pattern> {
        let Plans { ground, seed, .. } = &mut *self.plans;
        let from = ground.len();
        for term in self.program.terms(atom) {
            let Term::Constant(constant) = term else {
                ground.truncate(from);
                return None;
            };
            ground.push(constant.0);
        }
        let row = ground.get(from..).unwrap_or_default();
        let access = Access::Ground(Address::of(*seed, row));
        let (start, end) = (crate::program::position(from), crate::program::position(ground.len()));
        Some(Pattern { relation: atom.relation, start, end, access })
    }

    #[expect(clippy::unused_self, reason = "reads better at the call")]
    fn arg(&self, term: Term) -> Arg {
        match term {
            Term::Variable(variable) => Arg::Known(variable.0),
            Term::Constant(constant) => Arg::Constant(constant.0),
            Term::Any => Arg::Any,
        }
    }

    /// The index over the known columns of an atom.
    fn index(&mut self, atom: Atom) -> u16 {
        let relation = atom.relation;
        let terms = (0_u8..).zip(self.program.terms(atom));
        let known = terms.filter(|(_, term)| self.knows(**term));
        let columns: Box<[u8]> = known.map(|(column, _)| column).collect();
        if self.plans.indexes.len() <= relation.index() {
            self.plans.indexes.resize_with(relation.index() + 1, Vec::new);
        }
        let Some(known) = self.plans.indexes.get_mut(relation.index()) else { return 0 };
        let at = known.iter().position(|other| *other == columns).unwrap_or_else(|| {
            known.push(columns);
            known.len() - 1
        });
        u16::try_from(at).unwrap_or(u16::MAX)
    }

    fn head(&mut self) -> Result<Pattern, Problem> {
        let head = self.rule.head;
        if let Some(ground) = self.ground(head) {
            return Ok(ground);
        }
        let start = crate::program::position(self.plans.args.len());
        for term in self.program.terms(head) {
            match *term {
                Term::Any => {
                    return Err(Problem::new(
                        ProblemKind::Unsafe,
                        self.rule.at.clone(),
                        format!(
                            "the head of a rule for `{}` contains `_`",
                            self.program.get(head.relation).name
                        ),
                        "use a variable that the body binds",
                    ));
                }
                Term::Variable(variable) if !self.bound.contains(&variable) => {
                    return Err(self.unsafe_variable(Some(variable)));
                }
                bound @ (Term::Variable(_) | Term::Constant(_)) => {
                    let arg = self.arg(bound);
                    self.plans.args.push(arg);
                }
            }
        }
        let end = crate::program::position(self.plans.args.len());
        Ok(Pattern { relation: head.relation, start, end, access: Access::Whole })
    }

    fn unbound_in(&self, literal: Literal) -> Option<Variable> {
        let unbound = |term: &Term| match term {
            Term::Variable(variable) if !self.bound.contains(variable) => Some(*variable),
            Term::Variable(_) | Term::Constant(_) | Term::Any => None,
        };
        match literal {
            Literal::Positive(atom) | Literal::Negative(atom) | Literal::Count(atom, ..) => {
                self.program.terms(atom).iter().find_map(unbound)
            }
            Literal::Compare(left, _, right) => unbound(&left).or_else(|| unbound(&right)),
        }
    }

    fn unsafe_variable(&self, variable: Option<Variable>) -> Problem {
        let relation = &self.program.get(self.rule.head.relation).name;
        let names = self.program.variables(self.rule);
        let (message, help): (_, String) = match variable
            .and_then(|variable| names.get(usize::from(variable.0)))
        {
            Some(name) => (
                format!("nothing binds the variable `{name}` in a rule for `{relation}`"),
                format!(
                    "use it in a positive atom of the body, or write `_` for any value; for text write `\"{name}\"`"
                ),
            ),
            None => (
                format!("a rule for `{relation}` compares with `_`"),
                "compare with a constant, or with a variable that a positive atom binds".to_owned(),
            ),
        };
        Problem::new(ProblemKind::Unsafe, self.rule.at.clone(), message, help)
    }
}
