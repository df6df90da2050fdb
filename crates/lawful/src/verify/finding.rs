//! Findings: the explanation of each predicate, made after the verdict.

use std::cell::Cell;
use std::ops::ControlFlow;

use lawful_syntax::{Diagnostic, Node, Span, escape};

use super::envelope::Envelope;
use super::ground_facts::Facts;
use super::hint::{self, Change};
use super::judge::{Judge, Judgement};
use super::key::Key;
use super::law::is_observed;
use super::rulespec::{Predicate, Subject};
use crate::cond::leaf::Leaf;
use crate::cond::parts::Part;
use crate::cond::{CondId, Explanation, Operator, Outcome, why};
use crate::limits::Limits;
use crate::path::{Path, Segment};
use crate::value::Value;

/// The result of one predicate, and why.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Its index in the rulespec, from 0.
    pub index: usize,
    /// The result.
    pub outcome: Judgement,
    /// It passed only because a value is absent.
    pub vacuous: bool,
    /// Why, in one sentence.
    pub reason: String,
    /// The value of the rule.
    pub expected: Option<Value>,
    /// The actual value.
    pub actual: Option<Value>,
    /// The smallest known change to the facts that makes it pass.
    pub hint: Option<Vec<Change>>,
    /// The deciding place in the envelope or the observation.
    pub place: Option<Span>,
    /// The keys that it reads and that were not observed, if it is undecided.
    pub unobserved: Vec<Key>,
    /// The derivation in the program, if it was requested.
    pub derivation: Vec<Step>,
}

/// A fact of the program, and the facts it was derived from.
#[derive(Clone, Debug)]
pub struct Step {
    /// The fact, or that no fact has this form.
    pub fact: String,
    /// What it means for the envelope.
    pub says: Option<String>,
    /// The place in the envelope that it comes from.
    pub place: Option<Span>,
    /// The facts it was derived from.
    pub from: Vec<Step>,
}

/// What all findings on one envelope share.
#[derive(Debug)]
pub struct Findings<'f> {
    envelope: &'f Envelope,
    seen: Option<(&'f Value, Option<&'f Node>)>,
    document: Value,
    /// The number of values in it.
    size: usize,
    /// The number of values that the search for hints has read.
    looked: Cell<usize>,
}

impl<'f> Findings<'f> {
    /// Findings on an envelope and an observation.
    pub fn new(envelope: &'f Envelope, seen: Option<(&'f Value, Option<&'f Node>)>) -> Self {
        let facts = Facts { said: &envelope.facts, seen: seen.map(|(value, _)| value) };
        let document = facts.merged();
        let size = size(&document);
        Self { envelope, seen, document, size, looked: Cell::new(0) }
    }

    /// Warnings about the envelope.
    pub(super) fn warnings(&self) -> &'f [Diagnostic] {
        &self.envelope.warnings
    }

    /// The facts that were judged.
    pub fn facts(&self) -> Facts<'f> {
        Facts { said: &self.envelope.facts, seen: self.seen.map(|(value, _)| value) }
    }

    /// The finding on one predicate, after the judge has judged these facts.
    ///
    /// `explain` requests the derivation.
    pub fn finding(
        &self,
        judge: &Judge<'_>,
        index: usize,
        limits: &Limits,
        explain: bool,
    ) -> Option<Finding> {
        let predicate = judge.rulespec.predicates.get(index)?;
        let outcome = *judge.judgements().get(index)?;
        let vacuous =
            outcome == Judgement::Pass && judge.rulespec.is_vacuous(predicate, self.facts());
        let mut finding = Finding {
            index,
            outcome,
            vacuous,
            reason: String::new(),
            expected: predicate.value.clone(),
            actual: None,
            hint: None,
            place: None,
            unobserved: Vec::new(),
            derivation: Vec::new(),
        };
        match &predicate.subject {
            _ if outcome == Judgement::Undecided => {
                finding.unobserved = judge.unobserved(index, self.facts());
                finding.reason = unobserved(&finding.unobserved);
            }
            Subject::Claim(_, condition) => self.on_claim(judge, *condition, &mut finding),
            Subject::Relation(name) => {
                on_relation(judge, predicate, name, &mut finding);
                if outcome == Judgement::Fail {
                    finding.place = self.relation_place(judge, name);
                }
            }
        }
        if let Some(when) = predicate.when.filter(|_| outcome != Judgement::Undecided) {
            self.mention_when(judge, when, &mut finding);
        }
        if explain {
            finding.derivation = self.derivation(judge, index, outcome).unwrap_or_default();
        }
        if vacuous {
            finding.reason.push_str("; it passes only because a value is absent");
        }
        if outcome == Judgement::Fail {
            let fuel = Cell::new(limits.hints.saturating_sub(self.looked.get()));
            let before = fuel.get();
            let trial = hint::Trial {
                rulespec: judge.rulespec,
                facts: self.facts(),
                fuel: &fuel,
                cost: self.size.saturating_add(judge.rulespec.set.size()),
                limits,
            };
            finding.hint = hint::find(&trial, predicate);
            self.looked.set(self.looked.get() + (before - fuel.get()));
        }
        Some(finding)
    }

    /// A problem in judging these facts, with its place in the envelope if it has one.
    pub fn place_problem(&self, judge: &Judge<'_>, problem: Diagnostic) -> Diagnostic {
        match self.problem_place(judge) {
            Some(place) => problem.label(place, "the value is here"),
            None => problem,
        }
    }

    /// The place in the envelope where judging failed.
    pub fn problem_place(&self, judge: &Judge<'_>) -> Option<Span> {
        let (relation, slot) = judge.unfit?;
        self.place_of(&judge.rulespec.relations.get(relation)?.from, slot)
    }

    fn explain(&self, judge: &Judge<'_>, condition: CondId) -> Explanation {
        let set = &judge.rulespec.set;
        let mut run = set.run(&self.document);
        run.outcome(condition);
        set.explain(condition, &self.document, &run.finish())
    }

    fn on_claim(&self, judge: &Judge<'_>, condition: CondId, finding: &mut Finding) {
        let explanation = self.explain(judge, condition);
        finding.reason = why(&explanation);
        finding.actual = explanation.actual;
        let set = &judge.rulespec.set;
        if let Part::Leaf(path, leaf) = set.part(set.root(condition)).1 {
            finding.place = self.place(judge, path, leaf);
            if finding.outcome == Judgement::Fail
                && let Some(key) = in_other_case(path, &self.document)
            {
                let key = escape::name(key);
                let there = format!("; there is a key `{key}`, and keys are case-sensitive");
                finding.reason.push_str(&there);
            }
        }
    }

    fn mention_when(&self, judge: &Judge<'_>, when: CondId, finding: &mut Finding) {
        let explanation = self.explain(judge, when);
        match explanation.result {
            Outcome::True if finding.outcome != Judgement::Fail => {}
            Outcome::True => {
                let applies = why(&explanation);
                finding.reason = format!("{}; it applies, because {applies}", finding.reason);
            }
            Outcome::Error => {
                finding.reason = format!(
                    "`when` could not be evaluated, so the predicate fails: {}",
                    why(&explanation)
                );
            }
            Outcome::False | Outcome::NotEvaluated => {
                finding.reason = format!("it does not apply: {}", why(&explanation));
            }
        }
    }

    /// The place of a slot of a path, by its number, or of the nearest value around it.
    pub(super) fn place_of(&self, path: &Path, slot: usize) -> Option<Span> {
        let (node, segments) = if is_observed(path) {
            let rest = path.segments().get(1..).unwrap_or_default();
            (self.seen.and_then(|(_, node)| node)?, rest)
        } else {
            (self.envelope.node.as_ref()?, path.segments())
        };
        let mut places = Places { before: slot, first: None };
        let found = places.walk(segments, Some(node), node.span);
        found.break_value().or(places.first)
    }

    /// The place of the slot that decides.
    fn place(&self, judge: &Judge<'_>, path: &Path, leaf: &Leaf) -> Option<Span> {
        let decision = leaf.decide(self.facts().slots(path), judge.rulespec.set.patterns());
        self.place_of(path, decision.by.unwrap_or(0))
    }
}

/// A key that is there where a path has one that differs only in case and is absent.
fn in_other_case<'v>(path: &Path, document: &'v Value) -> Option<&'v str> {
    let mut value = document;
    for segment in path.segments() {
        value = match (segment, value) {
            (Segment::Key(key), Value::Map(map)) => {
                match map.get(key).filter(|inner| inner.present().is_some()) {
                    Some(inner) => inner,
                    None => {
                        let mut keys = map.iter().map(|(other, _)| other);
                        return keys.find(|other| {
                            *other != &**key && other.to_lowercase() == key.to_lowercase()
                        });
                    }
                }
            }
            (Segment::Index(index), Value::List(items)) => items.get(*index as usize)?,
            (Segment::Each, Value::List(items)) => items.first()?,
            (Segment::Key(_) | Segment::Index(_) | Segment::Each, _) => return None,
        };
    }
    None
}

/// The number of values in a value.
fn size(value: &Value) -> usize {
    match value {
        Value::List(items) => items.iter().map(size).sum::<usize>() + 1,
        Value::Map(map) => map.iter().map(|(_, value)| size(value)).sum::<usize>() + 1,
        // Copying a text costs as much as its length.
        Value::Text(text) => text.len() / 64 + 1,
        Value::Null | Value::Bool(_) | Value::Number(_) => 1,
    }
}

/// A walk to the place of a slot, in the order of the slots.
struct Places {
    /// The number of slots before the wanted one.
    before: usize,
    /// The first place on the walk, for a path without such a slot.
    first: Option<Span>,
}

impl Places {
    fn walk(
        &mut self,
        segments: &[Segment],
        node: Option<&Node>,
        around: Span,
    ) -> ControlFlow<Span> {
        let here = node.map_or(around, |node| node.span);
        let Some((segment, rest)) = segments.split_first() else { return self.slot(here) };
        match (segment, node) {
            (Segment::Each, Some(node)) if node.as_list().is_some() => {
                let items = node.as_list().unwrap_or_default();
                if items.is_empty() {
                    self.first.get_or_insert(here);
                }
                for item in items {
                    self.walk(rest, Some(item).filter(|item| !item.is_null()), item.span)?;
                }
                ControlFlow::Continue(())
            }
            (Segment::Each, _) => self.slot(here),
            (Segment::Key(key), _) => {
                let entry =
                    node.and_then(|node| node.as_map()?.iter().find(|entry| entry.key == *key));
                let around = entry.map_or(here, |entry| entry.key_span.to(entry.value.span));
                let inner = entry.map(|entry| &entry.value).filter(|value| !value.is_null());
                self.walk(rest, inner, around)
            }
            (Segment::Index(index), _) => {
                let inner = node.and_then(|node| node.as_list()?.get(*index as usize));
                self.walk(rest, inner.filter(|inner| !inner.is_null()), here)
            }
        }
    }

    fn slot(&mut self, here: Span) -> ControlFlow<Span> {
        self.first.get_or_insert(here);
        match self.before.checked_sub(1) {
            None => ControlFlow::Break(here),
            Some(before) => {
                self.before = before;
                ControlFlow::Continue(())
            }
        }
    }
}

/// The reason of an undecided predicate.
fn unobserved(keys: &[Key]) -> String {
    let names: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
    match names.as_slice() {
        [one] => format!("{one} was not observed"),
        [front @ .., last] => format!("{} and {last} were not observed", front.join(", ")),
        [] => "something was not observed".to_owned(),
    }
}

/// The number of facts of a relation that a reason shows.
const SHOWN: usize = 5;

fn on_relation(judge: &Judge<'_>, predicate: &Predicate, name: &str, finding: &mut Finding) {
    let Some(relation) = judge.rulespec.law.compiled.program().find(name) else { return };
    let run = &judge.run;
    let count = run.len(relation);
    let shown = |row: Vec<_>| escape::shorten(&run.show(relation, &row), 120).into_owned();
    let rows: Vec<String> = run.rows(relation).take(SHOWN).map(shown).collect();
    finding.actual = i64::try_from(count).ok().map(Value::from);
    let has = match (rows.is_empty(), count > SHOWN) {
        (true, _) => "none".to_owned(),
        (false, true) => format!("{count}: {}, and {} more", rows.join(", "), count - SHOWN),
        (false, false) => format!("{count}: {}", rows.join(", ")),
    };
    let value =
        predicate.value.as_ref().map(|value| escape::shorten(&value.to_string(), 120).into_owned());
    let value = value.unwrap_or_default();
    let facts = |count: &str| if count == "1" { "fact" } else { "facts" };
    let demand = match predicate.rule {
        Operator::Exists => "facts".to_owned(),
        Operator::NotExists => "no facts".to_owned(),
        Operator::MinLength => format!("at least {value} {}", facts(&value)),
        Operator::MaxLength => format!("at most {value} {}", facts(&value)),
        // The other operators are invalid for a relation.
        Operator::Contains
        | Operator::NotContains
        | Operator::Equals
        | Operator::NotEquals
        | Operator::AnyOf
        | Operator::NoneOf
        | Operator::GreaterThan
        | Operator::LessThan
        | Operator::AtLeast
        | Operator::AtMost
        | Operator::Matches
        | Operator::NotMatches
        | Operator::StartsWith
        | Operator::EndsWith => format!("the fact {value}"),
    };
    finding.reason = format!("{name} must have {demand}, and it has {has}");
}
