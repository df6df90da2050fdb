//! A rulespec: claims that select facts, predicates that judge them, and the compiled program.

use std::collections::BTreeMap;

use lawful_syntax::{File, FileId, Severity, Sources, Span};
use sha2::{Digest as _, Sha256};

use super::key::Key;
use super::law::{Law, is_observed};
use super::relations::FactRelation;
use crate::book::hexadecimal;
use crate::cond::{CondId, ConditionSet, Operator, Outcome};
use crate::path::Path;
use crate::value::Value;

/// A compiled rulespec.
#[derive(Debug)]
pub struct Rulespec {
    /// The claims, in the order in which they are written.
    pub claims: Vec<Claim>,
    /// The predicates, in the order in which they are written.
    pub predicates: Vec<Predicate>,
    /// The relations over the facts.
    pub(super) relations: Vec<FactRelation>,
    /// The place of its derivations, if it has any.
    pub(super) derives: Option<Span>,
    /// The conditions of all predicates and `when`s.
    pub(super) set: ConditionSet,
    /// The program that decides.
    pub(super) law: Law,
    /// For each path, the first predicates that require a value there. Hints use them.
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

/// A requirement on a claim or a relation.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// Its name, if it has one.
    pub name: Option<Box<str>>,
    /// What it judges.
    pub subject: Subject,
    /// The rule.
    pub rule: Operator,
    /// The value of the rule.
    pub value: Option<Value>,
    /// Whether its failure fails the envelope.
    pub severity: Severity,
    /// The source of the requirement: `task_prompt`, `memory`, or a name that the user chose.
    pub source: Option<Box<str>>,
    /// A note of its author.
    pub notes: Option<Box<str>>,
    /// Where it is written.
    pub span: Span,
    /// When it applies; `None` means always.
    pub(super) when: Option<CondId>,
}

impl Predicate {
    /// Whether it has a `when`.
    pub fn is_conditional(&self) -> bool {
        self.when.is_some()
    }
}

/// What a predicate judges.
#[derive(Clone, Debug)]
pub enum Subject {
    /// A claim: its index, and the condition of the predicate.
    Claim(usize, CondId),
    /// A relation, by name.
    Relation(Box<str>),
}

impl Rulespec {
    /// The SHA-256 of the text that it is compiled from, in hexadecimal: its file, and if it refers
    /// to saved conditions, those documents too. Line ends do not matter.
    pub fn fingerprint(&self, sources: &Sources, conditions: &[FileId]) -> String {
        let own = self.predicates.first().map(|predicate| predicate.span.file);
        let text = |file: FileId| sources.file(file).map_or("", File::text);
        let mut hash = Sha256::new();
        hash.update(own.map_or("", text).as_bytes());
        for file in conditions.iter().filter(|_| self.set.uses_saved()) {
            // The length prefix makes the encoding unambiguous.
            let text = text(*file);
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text.as_bytes());
        }
        hexadecimal(&hash.finalize())
    }

    /// The place of the first selector that reads the observation, if any.
    pub fn observed_place(&self) -> Option<Span> {
        let claim = self.claims.iter().find(|claim| is_observed(&claim.path));
        let relation = || self.relations.iter().find(|relation| is_observed(&relation.from));
        claim.map(|claim| claim.span).or_else(|| relation().map(|relation| relation.span))
    }

    /// Whether anything that it reads is what an agent says. Without claims and relations, nothing is
    /// known to be observed, so the answer is yes.
    pub fn reads_envelope(&self) -> bool {
        let claims = self.claims.iter().map(|claim| &claim.path);
        let mut selected = claims.chain(self.relations.iter().map(|relation| &relation.from));
        let whens = self.predicates.iter().filter_map(|predicate| predicate.when);
        let mut read = whens.flat_map(|when| self.set.reads(when));
        (self.claims.is_empty() && self.relations.is_empty())
            || !selected.all(is_observed)
            || !read.all(is_observed)
    }

    /// Whether a predicate may depend on the observation: its claim selects from it, or it judges a
    /// relation, and some relation is derived from it.
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

    /// What each predicate is called: its name, or its index if it has none.
    pub fn labels(&self) -> impl Iterator<Item = String> {
        let all = self.predicates.iter().enumerate();
        all.map(|(index, one)| {
            one.name.as_ref().map_or_else(|| index.to_string(), ToString::to_string)
        })
    }

    /// The saved conditions that the `when`s evaluate on these facts.
    pub(crate) fn saved_outcomes(
        &self,
        facts: &Value,
        observed: Option<&Value>,
    ) -> Vec<(Box<str>, Outcome)> {
        let mut document = facts.clone();
        if let (Value::Map(facts), Some(observed)) = (&mut document, observed) {
            facts.insert("observed", observed.clone());
        }
        let mut run = self.set.run(&document);
        let mut saved = Vec::new();
        for when in self.predicates.iter().filter_map(|predicate| predicate.when) {
            run.outcome_with_saved(when, &mut saved);
        }
        saved
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
