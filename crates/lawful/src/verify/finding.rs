//! Findings: what there is to say about each predicate, worked out after the verdict.

use std::cell::Cell;
use std::ops::ControlFlow;

use lawful_syntax::{Diagnostic, Node, Span, escape};

use super::envelope::Envelope;
use super::feed::Facts;
use super::hint::{self, Change};
use super::judge::{Judge, Judgement};
use super::key::Key;
use super::law::is_observed;
use super::rulespec::{Predicate, Subject};
use crate::cond::leaf::Leaf;
use crate::cond::parts::Part;
use crate::cond::{CondId, Explanation, Operator, Outcome};
use crate::limits::Limits;
use crate::path::{Path, Segment};
use crate::value::Value;
use crate::view::why;

/// What became of one predicate, and why.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Its place in the rulespec, from 0.
    pub index: usize,
    /// What became of it.
    pub outcome: Judgement,
    /// It passed only because nothing is there.
    pub vacuous: bool,
    /// Why, in one sentence.
    pub reason: String,
    /// What the rule compares with.
    pub expected: Option<Value>,
    /// What was there.
    pub actual: Option<Value>,
    /// The smallest change to the facts that makes it pass, where one is known.
    pub hint: Option<Vec<Change>>,
    /// Where in the envelope, or in what was observed, it was decided.
    pub place: Option<Span>,
    /// What it reads and was not observed, if that is why it is undecided.
    pub unobserved: Vec<Key>,
    /// How the program came to it, where that was asked for.
    pub derivation: Vec<Step>,
}

/// A fact of the program, and what it was concluded from.
#[derive(Clone, Debug)]
pub struct Step {
    /// The fact, or that there is none of its form.
    pub fact: String,
    /// What it says of the envelope.
    pub says: Option<String>,
    /// Where in the envelope it comes from.
    pub place: Option<Span>,
    /// What it was concluded from.
    pub from: Vec<Step>,
}

/// What is looked into once for all findings on one envelope.
#[derive(Debug)]
pub struct Findings<'f> {
    envelope: &'f Envelope,
    seen: Option<(&'f Value, Option<&'f Node>)>,
    document: Value,
    /// How many values there are in it.
    size: usize,
    /// How many were looked at to find hints.
    looked: Cell<usize>,
}

impl<'f> Findings<'f> {
    /// Findings on an envelope and what the host saw beside it.
    pub fn new(envelope: &'f Envelope, seen: Option<(&'f Value, Option<&'f Node>)>) -> Self {
        let facts = Facts { said: &envelope.facts, seen: seen.map(|(value, _)| value) };
        let document = facts.merged();
        let size = size(&document);
        Self { envelope, seen, document, size, looked: Cell::new(0) }
    }

    /// The facts they are about.
    pub fn facts(&self) -> Facts<'f> {
        Facts { said: &self.envelope.facts, seen: self.seen.map(|(value, _)| value) }
    }

    /// The finding on one predicate, after the judge has judged these facts.
    ///
    /// `explain` asks for the derivation.
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
            finding.reason.push_str("; it passes only because nothing is there");
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

    /// A problem that judging these facts came to, with the place in the envelope, if it has one.
    pub fn place_problem(&self, judge: &Judge<'_>, problem: Diagnostic) -> Diagnostic {
        match self.problem_place(judge) {
            Some(place) => problem.label(place, "it is here"),
            None => problem,
        }
    }

    /// Where in the envelope judging came to grief.
    pub fn problem_place(&self, judge: &Judge<'_>) -> Option<Span> {
        let (relation, slot) = judge.unfed?;
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
                    "whether it applies cannot be told, so it fails: {}",
                    why(&explanation)
                );
            }
            Outcome::False | Outcome::NotEvaluated => {
                finding.reason = format!("it does not apply: {}", why(&explanation));
            }
        }
    }

    /// The place of a slot of a path, by its number, or of the nearest thing around it that is there.
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

/// How many values there are in a value.
fn size(value: &Value) -> usize {
    match value {
        Value::List(items) => items.iter().map(size).sum::<usize>() + 1,
        Value::Map(map) => map.iter().map(|(_, value)| size(value)).sum::<usize>() + 1,
        // A copy of a text costs as much as it is long.
        Value::Text(text) => text.len() / 64 + 1,
        Value::Null | Value::Bool(_) | Value::Number(_) => 1,
    }
}

/// The way to the place of a slot, in the order of the slots.
struct Places {
    /// How many slots there are before the one that is looked for.
    before: usize,
    /// The first place that was come across, for a path without such a slot.
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

/// Why something is undecided.
fn unobserved(keys: &[Key]) -> String {
    let names: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
    match names.as_slice() {
        [one] => format!("{one} was not observed"),
        [front @ .., last] => format!("{} and {last} were not observed", front.join(", ")),
        [] => "something was not observed".to_owned(),
    }
}

/// How many facts of a relation a reason shows.
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
        // The others are refused for a relation.
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
