//! Why a fact holds.
//!
//! A run remembers of every fact only which rule made it and when. The facts that the rule found
//! are looked for again when somebody asks: among facts that are older than the conclusion there
//! is at least one combination that fits, and going back in time always ends at facts that were
//! given.

use crate::constant::Constant;
use crate::program::{Atom, Comparison, Literal, RelationId, RuleId, Term, Variable};
use crate::run::{Run, compare};
use crate::table::GIVEN;

/// A fact and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derivation {
    /// The relation.
    pub relation: RelationId,
    /// The constants.
    pub values: Vec<Constant>,
    /// Where it comes from.
    pub by: By,
}

/// Where a fact comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum By {
    /// It was given.
    Given,
    /// A rule concluded it from these.
    Rule(RuleId, Vec<Reason>),
    /// It was derived, and the rest is left out because the explanation grew too large.
    Cut,
}

/// One literal of a body, as it held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A fact.
    Fact(Derivation),
    /// No fact of this form; `None` stands for any constant.
    Absent(RelationId, Vec<Option<Constant>>),
    /// A comparison.
    Compared(Constant, Comparison, Constant),
    /// So many facts of this form.
    Counted(RelationId, Vec<Option<Constant>>, usize),
}

impl Run<'_> {
    /// Why a fact holds, or `None` if it does not. At most `most` facts are explained.
    pub fn why(
        &self,
        relation: RelationId,
        values: &[Constant],
        most: usize,
    ) -> Option<Derivation> {
        let row = self.row_of(relation, values)?;
        let mut left = most;
        Some(self.explain(relation, row, &mut left, 0))
    }

    fn explain(
        &self,
        relation: RelationId,
        row: u32,
        left: &mut usize,
        depth: usize,
    ) -> Derivation {
        /// Deeper than anyone reads, and shallow enough for any stack.
        const DEEPEST: usize = 200;
        let Some(table) = self.tables.get(relation.index()) else {
            return Derivation { relation, values: Vec::new(), by: By::Given };
        };
        let values = table.row(row).iter().copied().map(Constant).collect();
        let (rule, moment) = table.origin(row);
        let by = if rule == GIVEN {
            By::Given
        } else if *left == 0 || depth >= DEEPEST {
            By::Cut
        } else {
            *left -= 1;
            let rule = RuleId(rule);
            let found = self.body_of(rule, relation, row, moment);
            By::Rule(rule, found.into_iter().map(|found| self.reason(found, left, depth)).collect())
        };
        Derivation { relation, values, by }
    }

    fn reason(&self, found: Found, left: &mut usize, depth: usize) -> Reason {
        match found {
            Found::Row(relation, row) => Reason::Fact(self.explain(relation, row, left, depth + 1)),
            Found::Absent(relation, form) => Reason::Absent(relation, form),
            Found::Compared(left, comparison, right) => Reason::Compared(left, comparison, right),
            Found::Counted(relation, form, count) => Reason::Counted(relation, form, count),
        }
    }

    /// A combination of older facts from which the rule concluded the row.
    fn body_of(&self, rule: RuleId, relation: RelationId, row: u32, moment: u32) -> Vec<Found> {
        let program = &self.compiled.program;
        let rule = program.get_rule(rule);
        let mut search = Search { run: self, bound: Vec::new(), moment, found: Vec::new() };
        let Some(table) = self.tables.get(relation.index()) else { return Vec::new() };
        if !search.bind(rule.head, table.row(row)) {
            return Vec::new();
        }
        let body = program.body(rule);
        let order: Vec<&Literal> = body
            .iter()
            .filter(|literal| matches!(literal, Literal::Positive(_)))
            .chain(body.iter().filter(|literal| !matches!(literal, Literal::Positive(_))))
            .collect();
        search.go_on(&order);
        search.found
    }
}

enum Found {
    Row(RelationId, u32),
    Absent(RelationId, Vec<Option<Constant>>),
    Compared(Constant, Comparison, Constant),
    Counted(RelationId, Vec<Option<Constant>>, usize),
}

struct Search<'r, 'c> {
    run: &'r Run<'c>,
    bound: Vec<(Variable, u32)>,
    moment: u32,
    found: Vec<Found>,
}

impl Search<'_, '_> {
    fn value(&self, term: Term) -> Option<u32> {
        match term {
            Term::Constant(constant) => Some(constant.0),
            Term::Variable(variable) => {
                self.bound.iter().find(|(known, _)| *known == variable).map(|(_, value)| *value)
            }
            Term::Any => None,
        }
    }

    fn bind(&mut self, atom: Atom, row: &[u32]) -> bool {
        let before = self.bound.len();
        for (term, value) in self.run.compiled.program.terms(atom).iter().zip(row) {
            match (self.value(*term), term) {
                (Some(known), _) if known != *value => {
                    self.bound.truncate(before);
                    return false;
                }
                (None, Term::Variable(variable)) => self.bound.push((*variable, *value)),
                (_, _) => {}
            }
        }
        true
    }

    fn form(&self, atom: Atom) -> Vec<Option<Constant>> {
        let terms = self.run.compiled.program.terms(atom);
        terms.iter().map(|term| self.value(*term).map(Constant)).collect()
    }

    fn fitting(&self, atom: Atom) -> usize {
        let form = self.form(atom);
        let fits = |row: &Vec<Constant>| {
            form.iter().zip(row).all(|(wanted, value)| wanted.is_none_or(|wanted| wanted == *value))
        };
        self.run.rows(atom.relation).filter(fits).count()
    }

    fn go_on(&mut self, literals: &[&Literal]) -> bool {
        let Some((literal, rest)) = literals.split_first() else { return true };
        let (found, bound) = (self.found.len(), self.bound.len());
        match literal {
            Literal::Positive(atom) => {
                let Some(table) = self.run.tables.get(atom.relation.index()) else { return false };
                let terms = self.run.compiled.program.terms(*atom);
                let whole: Option<Vec<u32>> = terms.iter().map(|term| self.value(*term)).collect();
                let rows = match whole {
                    Some(values) => table.find(&values).map_or(0..0, |row| row..row + 1),
                    None => 0..table.len(),
                };
                for row in rows {
                    let (rule, moment) = table.origin(row);
                    let older = rule == GIVEN || moment < self.moment;
                    if older && self.bind(*atom, table.row(row)) {
                        self.found.push(Found::Row(atom.relation, row));
                        if self.go_on(rest) {
                            return true;
                        }
                        self.found.truncate(found);
                        self.bound.truncate(bound);
                    }
                }
                false
            }
            Literal::Negative(atom) => {
                let absent = self.fitting(*atom) == 0;
                self.found.push(Found::Absent(atom.relation, self.form(*atom)));
                absent && self.go_on(rest)
            }
            Literal::Count(atom, comparison, limit) => {
                let count = self.fitting(*atom);
                self.found.push(Found::Counted(atom.relation, self.form(*atom), count));
                comparison.holds(i64::try_from(count).unwrap_or(i64::MAX), *limit)
                    && self.go_on(rest)
            }
            Literal::Compare(left, comparison, right) => {
                let (known_left, known_right) = (self.value(*left), self.value(*right));
                let (left, right) = match (known_left, *left, known_right, *right) {
                    (Some(left), _, Some(right), _) => (left, right),
                    (None, Term::Variable(new), Some(known), _)
                    | (Some(known), _, None, Term::Variable(new)) => {
                        self.bound.push((new, known));
                        (known, known)
                    }
                    (_, _, _, _) => return false,
                };
                let (left, right) = (Constant(left), Constant(right));
                self.found.push(Found::Compared(left, *comparison, right));
                compare(&self.run.constants, left, *comparison, right) && self.go_on(rest)
            }
        }
    }
}
