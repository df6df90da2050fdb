//! A rulespec: claims that select facts, predicates that judge them, and the program they become.

use std::collections::BTreeMap;

use lawful_syntax::{Severity, Span};

use super::key::Key;
use super::law::{Law, is_observed};
use super::relations::FactRelation;
use crate::cond::{CondId, ConditionSet, Operator};
use crate::path::Path;
use crate::value::Value;

/// A rulespec, compiled.
#[derive(Debug)]
pub struct Rulespec {
    /// The claims, in the order they are written.
    pub claims: Vec<Claim>,
    /// The predicates, in the order they are written.
    pub predicates: Vec<Predicate>,
    /// The relations that are made from facts.
    pub(super) relations: Vec<FactRelation>,
    /// Where it says what is derived, if it does.
    pub(super) derives: Option<Span>,
    /// The leaves and `when`s of all predicates.
    pub(super) set: ConditionSet,
    /// The program that decides.
    pub(super) law: Law,
    /// For each path, the first predicates that ask for a value there: hints take from them.
    pub(super) by_path: BTreeMap<Path, Vec<CondId>>,
}

/// A named selector into the facts.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Its name.
    pub name: Box<str>,
    /// What it selects.
    pub path: Path,
    /// Where its name is written.
    pub span: Span,
}

/// A rule that a claim or a relation must keep.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// Its own name.
    pub name: Option<Box<str>>,
    /// What it judges.
    pub subject: Subject,
    /// The rule.
    pub rule: Operator,
    /// What the rule compares with.
    pub value: Option<Value>,
    /// Whether its failure fails the envelope.
    pub severity: Severity,
    /// Where the demand comes from: `task_prompt`, `memory`, or a name of the user's.
    pub source: Option<Box<str>>,
    /// What its author says about it.
    pub notes: Option<Box<str>>,
    /// Where it is written.
    pub span: Span,
    /// When it applies; always without one.
    pub(super) when: Option<CondId>,
}

/// What a predicate judges.
#[derive(Clone, Debug)]
pub enum Subject {
    /// A claim: its place in the list, and the condition of the predicate.
    Claim(usize, CondId),
    /// A relation, by name.
    Relation(Box<str>),
}

impl Rulespec {
    /// Where something is selected that the host saw, if anything is.
    pub fn observed_place(&self) -> Option<Span> {
        let claim = self.claims.iter().find(|claim| is_observed(&claim.path));
        let relation = || self.relations.iter().find(|relation| is_observed(&relation.from));
        claim.map(|claim| claim.span).or_else(|| relation().map(|relation| relation.span))
    }

    /// Whether a predicate may depend on what the host saw: its claim selects it, or it judges a
    /// relation, and some relation is made from it.
    pub fn judges_observed(&self, predicate: &Predicate) -> bool {
        match &predicate.subject {
            Subject::Claim(at, _) => {
                self.claims.get(*at).is_some_and(|claim| is_observed(&claim.path))
            }
            Subject::Relation(_) => {
                self.relations.iter().any(|relation| is_observed(&relation.from))
            }
        }
    }

    /// The keys that the `when` of a predicate reads.
    pub(crate) fn keys_of_when(&self, predicate: &Predicate) -> Vec<Key> {
        let read = predicate.when.map(|when| self.set.reads(when)).unwrap_or_default();
        read.into_iter().filter_map(Key::of).collect()
    }

    /// The claim that a predicate judges.
    pub fn claim_of(&self, predicate: &Predicate) -> Option<&Claim> {
        match &predicate.subject {
            Subject::Claim(at, _) => self.claims.get(*at),
            Subject::Relation(_) => None,
        }
    }

    /// The name of the claim or relation that a predicate judges.
    pub fn subject_name<'r>(&'r self, predicate: &'r Predicate) -> &'r str {
        match &predicate.subject {
            Subject::Claim(at, _) => self.claims.get(*at).map_or("", |claim| &claim.name),
            Subject::Relation(name) => name,
        }
    }
}
