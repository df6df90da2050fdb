//! A program: relations, facts and rules, held in a few flat lists.
//!
//! A rule reads "the head holds whenever the whole body does". Terms, literals and names live in
//! lists of the program, and everything refers to them by position: building or parsing a program
//! of a thousand rules takes a handful of allocations.

use std::ops::Range;

use hashbrown::HashMap;

use crate::constant::{Constant, Constants, Datum};

/// A relation of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RelationId(pub(crate) u32);

impl RelationId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A rule of a program; rules are numbered in the order they were added, from 0.
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
    /// Something that stands for one constant at a time.
    Variable(Variable),
    /// A constant.
    Constant(Constant),
    /// `_`: anything.
    Any,
}

/// A comparison of two constants. The order is that of numbers; anything else is equal or not.
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

    /// Whether two numbers compare so.
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
    /// A fact of this form is there.
    Positive(Atom),
    /// No fact of this form is there.
    Negative(Atom),
    /// Two terms compare so.
    Compare(Term, Comparison, Term),
    /// The number of facts of this form compares so.
    Count(Atom, Comparison, i64),
}

/// What the constants of a column are.
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
    /// One constant of the kind, in words.
    pub(crate) fn one(self) -> &'static str {
        match self {
            Self::Number => "a number",
            Self::Symbol => "a text",
            Self::Boolean => "a boolean",
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Number => "number",
            // Soufflé has no booleans: in a printed program they are symbols.
            Self::Symbol | Self::Boolean => "symbol",
        }
    }
}

/// A column of a relation.
#[derive(Clone, Debug)]
pub struct Column {
    /// Its name; only a declaration shows it.
    pub name: Box<str>,
    /// What it holds, where that was declared.
    pub kind: Option<Kind>,
}

/// A relation as a program knows it.
#[derive(Clone, Debug)]
pub struct Relation {
    /// Its name.
    pub name: Box<str>,
    /// Its columns.
    pub columns: Vec<Column>,
    /// Whether it has a `.decl`, or was made by [`Program::relation`].
    pub declared: bool,
    /// Whether it is one of the answers of the program.
    pub output: bool,
    /// Where it was first named.
    pub at: Place,
}

/// A part of the text that a program was read from; empty for one that was built.
pub type Place = Range<u32>;

/// A rule: the head holds whenever everything in the body does.
#[derive(Clone, Debug)]
pub struct Rule {
    /// What it concludes.
    pub head: Atom,
    pub(crate) body: Range<u32>,
    pub(crate) variables: Range<u32>,
    /// Said above it in a printed program.
    pub note: Box<str>,
    /// Where it was read.
    pub at: Place,
}

/// A fact: an atom of constants.
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
}

impl Program {
    /// Declares a relation. Names must be unique; one that is known keeps its columns.
    pub fn relation(&mut self, name: &str, columns: &[&str]) -> RelationId {
        if let Some(known) = self.by_name.get(name) {
            return *known;
        }
        let columns =
            columns.iter().map(|name| Column { name: (*name).into(), kind: None }).collect();
        self.add_relation(name, columns, true, 0..0)
    }

    /// Declares a relation whose columns all hold numbers.
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

    /// What is known of a relation.
    #[expect(clippy::indexing_slicing, reason = "a relation's id is a position in this list")]
    pub fn get(&self, relation: RelationId) -> &Relation {
        &self.relations[relation.index()]
    }

    /// Every relation, in the order of their first naming.
    pub fn relations(&self) -> impl Iterator<Item = (RelationId, &Relation)> {
        (0..).map(RelationId).zip(&self.relations)
    }

    /// Makes a relation an answer of the program.
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

    /// Takes all facts out.
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

    /// Takes a rule out; the rules after it move up by one.
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

    /// Whether some number of it does not fit 32 bits, which is all that Soufflé has unless it was
    /// built otherwise, and all that clingo has.
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

/// A rule in the making.
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
    /// Demands a fact of this form.
    #[must_use]
    pub fn has(self, relation: RelationId, terms: &[Term]) -> Self {
        let atom = self.program.atom(relation, terms);
        self.with(Literal::Positive(atom))
    }

    /// Demands that there is no fact of this form.
    #[must_use]
    pub fn lacks(self, relation: RelationId, terms: &[Term]) -> Self {
        let atom = self.program.atom(relation, terms);
        self.with(Literal::Negative(atom))
    }

    /// Demands that the number of facts of this form compares so.
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

    /// Demands that two terms compare so.
    #[must_use]
    pub fn compare(self, left: Term, comparison: Comparison, right: Term) -> Self {
        self.with(Literal::Compare(left, comparison, right))
    }

    pub(crate) fn with(self, literal: Literal) -> Self {
        self.program.literals.push(literal);
        self
    }

    /// Says something above the rule when the program is printed.
    #[must_use]
    pub fn note(mut self, note: &str) -> Self {
        self.note = note.into();
        self
    }

    /// Ends the rule. `names` are those of its variables, in the order of their numbers; one that
    /// is missing is made up.
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
