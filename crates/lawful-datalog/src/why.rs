//! Explains why a fact is true.
//!
//! A run stores only which rule derived a fact, and when. The facts that the rule used are searched
//! again on request. Among facts older than the conclusion at least one combination matches, and
//! going back in time always ends at given facts.

use crate::constant::Constant;
use crate::program::{Atom, Comparison, Literal, RelationId, RuleId, Term, Variable};
use crate::run::{Run, compare};
use crate::table::GIVEN;

/// A fact and its origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derivation {
    /// The relation.
    pub relation: RelationId,
    /// The constants.
    pub values: Vec<Constant>,
    /// Its origin.
    pub by: By,
}

/// The origin of a fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum By {
    /// It was given.
    Given,
    /// A rule derived it from these.
    Rule(RuleId, Vec<Reason>),
    /// It was derived, but the explanation reached its limit.
    Cut,
}

/// One literal of a body, with the facts that make it true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A fact.
    Fact(Derivation),
    /// No fact of this form, where `None` is any constant, and what blocked each rule that could
    /// have derived one.
    Absent(RelationId, Vec<Option<Constant>>, Vec<Reason>),
    /// A comparison.
    Compared(Constant, Comparison, Constant),
    /// The number of facts of this form.
    Counted(RelationId, Vec<Option<Constant>>, usize),
}

/// Deeper than anyone reads, and shallow enough for any stack, and for JSON parsers, for which each
/// level counts twice.
const DEEPEST: usize = 50;
/// How many rows the search for a derivation reads. After that the rest is omitted.
const ROWS: usize = 5_000_000;

/// The remaining budget of an explanation, and the absences that it is explaining, so that no
/// absence explains itself.
struct Budget {
    facts: usize,
    rows: usize,
    absences: Vec<(RelationId, Vec<Option<Constant>>)>,
}

impl Run<'_> {
    /// Why a fact is true, or `None` if it is not. At most `most` facts are explained.
    pub fn why(
        &self,
        relation: RelationId,
        values: &[Constant],
        most: usize,
    ) -> Option<Derivation> {
        let row = self.row_of(relation, values)?;
        let mut budget = Budget { facts: most, rows: ROWS, absences: Vec::new() };
        Some(self.explain(relation, row, &mut budget, 0))
    }

    fn explain(
        &self,
        relation: RelationId,
        row: u32,
        budget: &mut Budget,
        depth: usize,
    ) -> Derivation {
        let Some(table) = self.tables.get(relation.index()) else {
            return Derivation { relation, values: Vec::new(), by: By::Given };
        };
        let values = table.row(row).iter().copied().map(Constant).collect();
        let (rule, moment) = table.origin(row);
        let by = if rule == GIVEN {
            By::Given
        } else if budget.facts == 0 || depth >= DEEPEST {
            By::Cut
        } else {
            budget.facts -= 1;
            let rule = RuleId(rule);
            match self.body_of(rule, relation, row, moment, &mut budget.rows) {
                None => By::Cut,
                Some(found) => {
                    let reasons = found.into_iter().map(|found| self.reason(found, budget, depth));
                    By::Rule(rule, reasons.collect())
                }
            }
        };
        Derivation { relation, values, by }
    }

    fn reason(&self, found: Found, budget: &mut Budget, depth: usize) -> Reason {
        match found {
            Found::Row(relation, row) => {
                Reason::Fact(self.explain(relation, row, budget, depth + 1))
            }
            Found::Absent(relation, form) => self.absence(relation, form, budget, depth + 1),
            Found::Compared(left, comparison, right) => Reason::Compared(left, comparison, right),
            Found::Counted(relation, form, count) => Reason::Counted(relation, form, count),
        }
    }

    /// Why no fact of a form exists: for each rule that could have derived one, how far it got.
    fn absence(
        &self,
        relation: RelationId,
        form: Vec<Option<Constant>>,
        budget: &mut Budget,
        depth: usize,
    ) -> Reason {
        let mut obstacles = Vec::new();
        let known = budget.absences.iter().any(|(one, of)| *one == relation && *of == form);
        if known {
            return Reason::Absent(relation, form, obstacles);
        }
        budget.absences.push((relation, form.clone()));
        let program = &self.compiled.program;
        let rules = program.rules().filter(|(_, rule)| rule.head.relation == relation);
        for (_, rule) in rules {
            if budget.facts == 0 || depth >= DEEPEST {
                break;
            }
            let mut search = Search::new(self, u32::MAX, budget.rows);
            if !search.bind_form(rule.head, &form) {
                continue;
            }
            search.matches(&positive_first(program.body(rule)));
            budget.rows = search.rows;
            if let Some((_, obstacle)) = search.furthest {
                budget.facts -= 1;
                obstacles.push(self.reason(obstacle, budget, depth + 1));
            }
        }
        budget.absences.pop();
        Reason::Absent(relation, form, obstacles)
    }

    /// A combination of older facts from which the rule derived the row, unless the search reaches
    /// its limit.
    fn body_of(
        &self,
        rule: RuleId,
        relation: RelationId,
        row: u32,
        moment: u32,
        rows: &mut usize,
    ) -> Option<Vec<Found>> {
        let program = &self.compiled.program;
        let rule = program.get_rule(rule);
        let mut search = Search::new(self, moment, *rows);
        let table = self.tables.get(relation.index())?;
        let fits = search.bind(rule.head, table.row(row))
            && search.matches(&positive_first(program.body(rule)));
        *rows = search.rows;
        fits.then_some(search.found)
    }
}

/// The literals of a body in an order in which every variable is bound before it is read.
fn positive_first(body: &[Literal]) -> Vec<&Literal> {
    let is_positive = |literal: &&Literal| matches!(literal, Literal::Positive(_));
    let rest = body.iter().filter(|literal| !is_positive(literal));
    body.iter().filter(is_positive).chain(rest).collect()
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
    /// Only older facts count.
    moment: u32,
    /// How many rows may still be read.
    rows: usize,
    found: Vec<Found>,
    /// The largest number of literals that were true, and what blocked the next one.
    furthest: Option<(usize, Found)>,
}

impl<'r, 'c> Search<'r, 'c> {
    fn new(run: &'r Run<'c>, moment: u32, rows: usize) -> Self {
        Self { run, bound: Vec::new(), moment, rows, found: Vec::new(), furthest: None }
    }

    /// Whether so many more rows may be read.
    fn spend(&mut self, rows: usize) -> bool {
        let left = self.rows.checked_sub(rows);
        self.rows = left.unwrap_or(0);
        left.is_some()
    }

    fn blocked(&mut self, obstacle: Found) {
        let held = self.found.len();
        if self.furthest.as_ref().is_none_or(|(most, _)| held > *most) {
            self.furthest = Some((held, obstacle));
        }
    }

    fn bind_form(&mut self, atom: Atom, form: &[Option<Constant>]) -> bool {
        self.run.compiled.program.terms(atom).iter().zip(form).all(|(term, value)| {
            match (self.value(*term), term, value) {
                (Some(known), _, Some(value)) => known == value.0,
                (None, Term::Variable(variable), Some(value)) => {
                    self.bound.push((*variable, value.0));
                    true
                }
                (_, _, _) => true,
            }
        })
    }

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

    /// The rows that match the form of an atom.
    fn fitting(&self, atom: Atom) -> impl Iterator<Item = u32> + use<'r> {
        let form = self.form(atom);
        let table = self.run.tables.get(atom.relation.index());
        table.into_iter().flat_map(move |table| {
            let form = form.clone();
            (0..table.len()).filter(move |row| {
                let values = form.iter().zip(table.row(*row));
                values
                    .into_iter()
                    .all(|(wanted, value)| wanted.is_none_or(|wanted| wanted.0 == *value))
            })
        })
    }

    fn matches(&mut self, literals: &[&Literal]) -> bool {
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
                let mut fits = false;
                for row in rows {
                    if !self.spend(1) {
                        return false;
                    }
                    let (rule, moment) = table.origin(row);
                    let older = rule == GIVEN || moment < self.moment;
                    if older && self.bind(*atom, table.row(row)) {
                        fits = true;
                        self.found.push(Found::Row(atom.relation, row));
                        if self.matches(rest) {
                            return true;
                        }
                        self.found.truncate(found);
                        self.bound.truncate(bound);
                    }
                }
                if !fits {
                    self.blocked(Found::Absent(atom.relation, self.form(*atom)));
                }
                false
            }
            Literal::Negative(atom) => {
                if !self.spend(self.run.len(atom.relation)) {
                    return false;
                }
                if let Some(row) = self.fitting(*atom).next() {
                    self.blocked(Found::Row(atom.relation, row));
                    return false;
                }
                self.found.push(Found::Absent(atom.relation, self.form(*atom)));
                self.matches(rest)
            }
            Literal::Count(atom, comparison, limit) => {
                if !self.spend(self.run.len(atom.relation)) {
                    return false;
                }
                let count = self.fitting(*atom).count();
                let counted = Found::Counted(atom.relation, self.form(*atom), count);
                if !comparison.holds(i64::try_from(count).unwrap_or(i64::MAX), *limit) {
                    self.blocked(counted);
                    return false;
                }
                self.found.push(counted);
                self.matches(rest)
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
                let compared = Found::Compared(left, *comparison, right);
                if !compare(&self.run.constants, left, *comparison, right) {
                    self.blocked(compared);
                    return false;
                }
                self.found.push(compared);
                self.matches(rest)
            }
        }
    }
}
