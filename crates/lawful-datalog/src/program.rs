//! A program: relations, facts and rules in a few flat lists.
//!
//! A rule means "the head is true whenever the whole body is". Terms, literals and names are in
//! lists of the program, and everything refers to them by position. So building or parsing a
//! program of a thousand rules takes a handful of allocations.

use std::ops::Range;

use hashbrown::HashMap;

use crate::constant::{Constant, Constants, Datum};
use crate::problem::Problem;

/// A relation of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RelationId(pub(crate) u32);

impl RelationId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A rule of a program. Rules are numbered in the order of addition, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RuleId(pub(crate) u32);

impl RuleId {
    /// Its number.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A variable, numbered within its rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Variable(pub(crate) u16);

/// One argument of an atom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// A variable.
    Variable(Variable),
    /// A constant.
    Constant(Constant),
    /// `_`: any constant.
    Any,
}

/// A comparison of two constants. Only numbers have an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `!=`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

impl Comparison {
    /// Every comparison with its sign, longer signs first.
    pub const SIGNS: [(&'static str, Self); 6] = [
        ("!=", Self::Unequal),
        ("<=", Self::AtMost),
        (">=", Self::AtLeast),
        ("=", Self::Equal),
        ("<", Self::Less),
        (">", Self::Greater),
    ];

    /// Its sign.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::Unequal => "!=",
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::Greater => ">",
            Self::AtLeast => ">=",
        }
    }

    pub(crate) fn is_order(self) -> bool {
        match self {
            Self::Equal | Self::Unequal => false,
            Self::Less | Self::AtMost | Self::Greater | Self::AtLeast => true,
        }
    }

    /// Whether the comparison of two numbers is true.
    pub fn holds(self, left: i64, right: i64) -> bool {
        match self {
            Self::Equal => left == right,
            Self::Unequal => left != right,
            Self::Less => left < right,
            Self::AtMost => left <= right,
            Self::Greater => left > right,
            Self::AtLeast => left >= right,
        }
    }
}

/// A relation and its arguments.
#[derive(Clone, Copy, Debug)]
pub struct Atom {
    /// The relation.
    pub relation: RelationId,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// One condition of a body.
#[derive(Clone, Copy, Debug)]
pub enum Literal {
    /// A fact of this form exists.
    Positive(Atom),
    /// No fact of this form exists.
    Negative(Atom),
    /// The comparison of two terms is true.
    Compare(Term, Comparison, Term),
    /// The comparison of the number of facts of this form is true.
    Count(Atom, Comparison, i64),
}

/// The kind of the constants of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Whole numbers.
    Number,
    /// Text.
    Symbol,
    /// True and false.
    Boolean,
}

impl Kind {
    /// The phrase for one constant of the kind.
    pub(crate) fn one(self) -> &'static str {
        match self {
            Self::Number => "a number",
            Self::Symbol => "a string",
            Self::Boolean => "a boolean",
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Number => "number",
            // Soufflé has no booleans, so a printed program has symbols instead.
            Self::Symbol | Self::Boolean => "symbol",
        }
    }
}

/// A column of a relation.
#[derive(Clone, Debug)]
pub struct Column {
    /// Its name, which only its declaration shows.
    pub name: Box<str>,
    /// Its declared kind, if any.
    pub kind: Option<Kind>,
}

/// A relation in a program.
#[derive(Clone, Debug)]
pub struct Relation {
    /// Its name.
    pub name: Box<str>,
    /// Its columns.
    pub columns: Vec<Column>,
    /// Whether it has a `.decl`, or was created by [`Program::relation`].
    pub declared: bool,
    /// Whether it is an output of the program.
    pub output: bool,
    /// The place of its first use.
    pub at: Place,
}

/// A range of the text of a program; empty for a program that was built.
pub type Place = Range<u32>;

/// A rule: the head is true whenever everything in the body is.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its head.
    pub head: Atom,
    pub(crate) body: Range<u32>,
    pub(crate) variables: Range<u32>,
    /// The comment above it in a printed program.
    pub note: Box<str>,
    /// Its place.
    pub at: Place,
}

/// A fact: an atom with only constants.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fact {
    pub relation: RelationId,
    pub start: u32,
    pub end: u32,
}

/// Relations, facts and rules.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The constants of facts and rules.
    pub constants: Constants,
    pub(crate) relations: Vec<Relation>,
    pub(crate) by_name: HashMap<Box<str>, RelationId>,
    pub(crate) facts: Vec<Fact>,
    pub(crate) values: Vec<Constant>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) literals: Vec<Literal>,
    pub(crate) terms: Vec<Term>,
    pub(crate) names: Vec<Box<str>>,
    pub(crate) single_uses: Vec<Problem>,
}

impl Program {
    /// The variables that occur only once in a rule of a text that was parsed. They match any
    /// value, and are often text without its quotes.
    pub fn single_uses(&self) -> Vec<Problem> {
        self.single_uses.clone()
    }

    /// Declares a relation. Names are unique; a known relation keeps its columns.
    pub fn relation(&mut self, name: &str, columns: &[&str]) -> RelationId {
        if let Some(known) = self.by_name.get(name) {
            return *known;
        }
        let columns =
            columns.iter().map(|name| Column { name: (*name).into(), kind: None }).collect();
        self.add_relation(name, columns, true, 0..0)
    }

    /// Declares a relation with columns of numbers.
    pub fn relation_of_numbers(&mut self, name: &str, columns: &[&str]) -> RelationId {
        let id = self.relation(name, columns);
        if let Some(relation) = self.relations.get_mut(id.index()) {
            relation.columns.iter_mut().for_each(|column| column.kind = Some(Kind::Number));
        }
        id
    }

    pub(crate) fn add_relation(
        &mut self,
        name: &str,
        columns: Vec<Column>,
        declared: bool,
        at: Place,
    ) -> RelationId {
        let id = RelationId(position(self.relations.len()));
        self.relations.push(Relation { name: name.into(), columns, declared, output: false, at });
        self.by_name.insert(name.into(), id);
        id
    }

    /// The relation of a name.
    pub fn find(&self, name: &str) -> Option<RelationId> {
        self.by_name.get(name).copied()
    }

    /// The relation of an id.
    #[expect(clippy::indexing_slicing, reason = "a relation's id is a position in this list")]
    pub fn get(&self, relation: RelationId) -> &Relation {
        &self.relations[relation.index()]
    }

    /// Every relation, in the order of first use.
    pub fn relations(&self) -> impl Iterator<Item = (RelationId, &Relation)> {
        (0..).map(RelationId).zip(&self.relations)
    }

    /// Makes a relation an output of the program.
    pub fn output(&mut self, relation: RelationId) {
        if let Some(relation) = self.relations.get_mut(relation.index()) {
            relation.output = true;
        }
    }

    /// Adds a fact.
    pub fn fact(&mut self, relation: RelationId, values: &[Constant]) {
        let start = position(self.values.len());
        self.values.extend_from_slice(values);
        self.facts.push(Fact { relation, start, end: position(self.values.len()) });
    }

    /// Removes all facts.
    pub fn clear_facts(&mut self) {
        self.facts.clear();
        self.values.clear();
    }

    /// Starts a rule with its head.
    pub fn rule(&mut self, relation: RelationId, terms: &[Term]) -> RuleBuilder<'_> {
        let head = self.atom(relation, terms);
        let (body, names) = (position(self.literals.len()), position(self.names.len()));
        RuleBuilder { program: self, head, body, names, note: "".into(), at: 0..0 }
    }

    pub(crate) fn atom(&mut self, relation: RelationId, terms: &[Term]) -> Atom {
        let start = position(self.terms.len());
        self.terms.extend_from_slice(terms);
        Atom { relation, start, end: position(self.terms.len()) }
    }

    /// Every rule with its number.
    pub fn rules(&self) -> impl Iterator<Item = (RuleId, &Rule)> {
        (0..).map(RuleId).zip(&self.rules)
    }

    /// A rule.
    #[expect(clippy::indexing_slicing, reason = "a rule's id is a position in this list")]
    pub fn get_rule(&self, rule: RuleId) -> &Rule {
        &self.rules[rule.index()]
    }

    /// Removes a rule; the numbers of the rules after it decrease by one.
    pub fn remove_rule(&mut self, rule: RuleId) {
        if rule.index() < self.rules.len() {
            self.rules.remove(rule.index());
        }
    }

    /// The facts, as relation and constants.
    pub fn facts(&self) -> impl Iterator<Item = (RelationId, &[Constant])> {
        self.facts.iter().map(|fact| {
            let values = self.values.get(fact.start as usize..fact.end as usize);
            (fact.relation, values.unwrap_or_default())
        })
    }

    /// Whether some number does not fit 32 bits, which is the limit of clingo and of Soufflé's
    /// default build.
    pub fn needs_64_bits(&self) -> bool {
        let small = |number: i64| i32::try_from(number).is_ok();
        let fits = |constant: Constant| match self.constants.datum(constant) {
            Datum::Number(number) => small(number),
            Datum::Symbol(_) | Datum::Boolean(_) => true,
        };
        let term = |term: &Term| match term {
            Term::Constant(constant) => fits(*constant),
            Term::Variable(_) | Term::Any => true,
        };
        let literal = |literal: &Literal| match literal {
            Literal::Compare(left, _, right) => term(left) && term(right),
            Literal::Count(_, _, bound) => small(*bound),
            Literal::Positive(_) | Literal::Negative(_) => true,
        };
        !(self.values.iter().all(|value| fits(*value))
            && self.terms.iter().all(term)
            && self.literals.iter().all(literal))
    }

    /// The literals of a rule's body.
    pub fn body(&self, rule: &Rule) -> &[Literal] {
        self.literals.get(rule.body.start as usize..rule.body.end as usize).unwrap_or_default()
    }

    /// The arguments of an atom.
    pub fn terms(&self, atom: Atom) -> &[Term] {
        self.terms.get(atom.start as usize..atom.end as usize).unwrap_or_default()
    }

    /// The names of a rule's variables, in the order of their numbers.
    pub fn variables(&self, rule: &Rule) -> &[Box<str>] {
        let names = self.names.get(rule.variables.start as usize..rule.variables.end as usize);
        names.unwrap_or_default()
    }
}

/// A rule that is being built.
#[derive(Debug)]
pub struct RuleBuilder<'p> {
    pub(crate) program: &'p mut Program,
    pub(crate) head: Atom,
    pub(crate) body: u32,
    pub(crate) names: u32,
    note: Box<str>,
    pub(crate) at: Place,
}

impl RuleBuilder<'_> {
    /// Requires a fact of this form.
    #[must_use]
    pub fn has(self, relation: RelationId, terms: &[Term]) -> Self {
        let atom = self.program.atom(relation, terms);
        self.with(Literal::Positive(atom))
    }

    /// Requires that no fact of this form exists.
    #[must_use]
    pub fn lacks(self, relation: RelationId, terms: &[Term]) -> Self {
        let atom = self.program.atom(relation, terms);
        self.with(Literal::Negative(atom))
    }

    /// Requires that the comparison of the number of facts of this form is true.
    #[must_use]
    pub fn count(
        self,
        relation: RelationId,
        terms: &[Term],
        comparison: Comparison,
        bound: i64,
    ) -> Self {
        let atom = self.program.atom(relation, terms);
        self.with(Literal::Count(atom, comparison, bound))
    }

    /// Requires that the comparison of two terms is true.
    #[must_use]
    pub fn compare(self, left: Term, comparison: Comparison, right: Term) -> Self {
        self.with(Literal::Compare(left, comparison, right))
    }

    pub(crate) fn with(self, literal: Literal) -> Self {
        self.program.literals.push(literal);
        self
    }

    /// Sets the comment above the rule in a printed program.
    #[must_use]
    pub fn note(mut self, note: &str) -> Self {
        self.note = note.into();
        self
    }

    /// Ends the rule. `names` are the names of its variables, in the order of their numbers.
    /// Missing names are generated.
    pub fn end(self, names: &[&str]) -> RuleId {
        self.program.names.extend(names.iter().map(|name| Box::from(*name)));
        let rule = Rule {
            head: self.head,
            body: self.body..position(self.program.literals.len()),
            variables: self.names..position(self.program.names.len()),
            note: self.note,
            at: self.at,
        };
        self.program.rules.push(rule);
        RuleId(position(self.program.rules.len() - 1))
    }
}

/// The variable of a number, for rules that are built.
pub fn variable(number: u16) -> Term {
    Term::Variable(Variable(number))
}

pub(crate) fn position(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
