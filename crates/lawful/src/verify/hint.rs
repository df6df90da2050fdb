//! Hints: the smallest change to the facts that makes a failed predicate pass.
//!
//! A hint is a tested guess. The change is applied to a copy of the facts, and the program of the
//! predicate judges the copy. Only a change that passes is shown, so a hint is never wrong. If no
//! guess passes, there is no hint. An observation cannot be changed, so there are no hints for it.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

use lawful_datalog::{Program, Run};
use lawful_syntax::{Sources, escape};
use serde::Serialize;

use super::ground_facts::{Facts, add_answers, answers};
use super::key::Needs;
use super::law::{self, Law, is_observed};
use super::rulespec::{Predicate, Rulespec, Subject};
use crate::cond::leaf::{How, Leaf, Quantifier, Test};
use crate::cond::parts::{Part, Patterns};
use crate::cond::{CondId, ConditionSet};
use crate::limits::Limits;
use crate::path::{Path, Segment};
use crate::value::{Map, Number, Value};

/// One change to the facts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Change {
    /// The target of the change: a path without `[*]`.
    #[serde(serialize_with = "as_text")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub path: Path,
    /// The kind of change.
    pub op: ChangeOp,
    /// The value that is set or added.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
}

/// How a fact is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ChangeOp {
    /// Sets the value at the path.
    Set,
    /// Appends an element to the list at the path.
    Add,
    /// Removes the key or element at the path.
    Remove,
}

fn as_text<S: serde::Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(path)
}

/// The text for readers: `set feature.file to "src/feature.rs"`.
impl std::fmt::Display for Change {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let path = self.path.to_string();
        let path = escape::line(&path);
        let value = self.value.as_ref().map(ToString::to_string).unwrap_or_default();
        let value = escape::shorten(&value, 200);
        match self.op {
            ChangeOp::Set => write!(f, "set `{path}` to {value}"),
            ChangeOp::Add => write!(f, "add {value} to `{path}`"),
            ChangeOp::Remove => write!(f, "remove `{path}`"),
        }
    }
}

/// Applies changes, one after the other. Returns false if one does not fit the facts.
pub fn apply(changes: &[Change], facts: &mut Value) -> bool {
    changes.iter().all(|change| {
        let value = change.value.clone().unwrap_or_default();
        match change.op {
            ChangeOp::Set => change.path.put(facts, value),
            ChangeOp::Add => match at_mut(facts, change.path.segments()) {
                Some(Value::List(items)) => {
                    items.push(value);
                    true
                }
                Some(_) | None => false,
            },
            ChangeOp::Remove => remove(facts, change.path.segments()),
        }
    })
}

fn at_mut<'v>(value: &'v mut Value, segments: &[Segment]) -> Option<&'v mut Value> {
    let Some((segment, rest)) = segments.split_first() else { return Some(value) };
    match (segment, value) {
        (Segment::Key(key), Value::Map(map)) => at_mut(map.get_mut(key)?, rest),
        (Segment::Index(index), Value::List(items)) => {
            at_mut(items.get_mut(*index as usize)?, rest)
        }
        (Segment::Key(_) | Segment::Index(_) | Segment::Each, _) => None,
    }
}

fn remove(facts: &mut Value, segments: &[Segment]) -> bool {
    let Some((last, front)) = segments.split_last() else { return false };
    match (last, at_mut(facts, front)) {
        (Segment::Key(key), Some(Value::Map(map))) => map.remove(key).is_some(),
        (Segment::Index(index), Some(Value::List(items))) if (*index as usize) < items.len() => {
            items.remove(*index as usize);
            true
        }
        (Segment::Key(_) | Segment::Index(_) | Segment::Each, _) => false,
    }
}

/// More changes than this are not a useful hint.
const MOST: usize = 20;

/// What a guess is tested with.
pub(super) struct Trial<'t> {
    pub rulespec: &'t Rulespec,
    pub facts: Facts<'t>,
    /// How many values may still be read.
    pub fuel: &'t Cell<usize>,
    /// How many values one guess reads.
    pub cost: usize,
    pub limits: &'t Limits,
}

/// A change that makes a failed predicate pass.
pub(super) fn find(trial: &Trial<'_>, predicate: &Predicate) -> Option<Vec<Change>> {
    let set = &trial.rulespec.set;
    let Subject::Claim(_, condition) = &predicate.subject else { return None };
    let Part::Leaf(path, leaf) = set.part(set.root(*condition)).1 else { return None };
    if is_observed(path) || trial.fuel.get() < trial.cost {
        return None;
    }
    let guesser = Guesser {
        path,
        leaf,
        said: trial.facts.said,
        patterns: set.patterns(),
        likely: likely(trial.rulespec, path),
    };
    // The program decides, reduced to what this predicate depends on.
    let alone = std::slice::from_ref(predicate);
    let needs = Needs::new(alone, set, &[], &Program::default());
    let (program, sources) = (Program::default(), Sources::default());
    let law = law::compile(alone, &[None], set, program, needs, &sources).ok()?;
    let mut run = law.compiled.start();
    guesser
        .guesses()
        .into_iter()
        .filter(|changes| changes.len() <= MOST)
        .find(|changes| trial.passes(changes, &law, &mut run))
}

impl Trial<'_> {
    /// Whether the predicate passes for the changed facts.
    fn passes(&self, changes: &[Change], law: &Law, run: &mut Run<'_>) -> bool {
        let Some(fuel) = self.fuel.get().checked_sub(self.cost) else { return false };
        self.fuel.set(fuel);
        let mut changed = self.facts.said.clone();
        if !apply(changes, &mut changed) {
            return false;
        }
        let facts = Facts { said: &changed, ..self.facts };
        let mut found = Vec::new();
        let patterns = self.rulespec.set.patterns();
        answers(law, patterns, facts, &mut run.constants, &mut found);
        run.reset();
        add_answers(law, self.rulespec, facts, &found, run);
        run.run(self.limits.datalog).is_ok() && run.counters(law.names.pass).next().is_some()
    }
}

/// Values that other predicates require at the same path.
fn likely(rulespec: &Rulespec, path: &Path) -> Vec<Value> {
    let set = &rulespec.set;
    let conditions = rulespec.by_path.get(path).map_or(&[][..], |list| list);
    let leaves = conditions.iter().filter_map(|condition| match set.part(set.root(*condition)).1 {
        Part::Leaf(_, leaf) => Some(leaf),
        Part::All(_) | Part::Any(_) | Part::Not(_) | Part::Host => None,
    });
    leaves.flat_map(|leaf| satisfying(&leaf.test, None, set.patterns())).collect()
}

/// For each path, the first predicates that require a value there.
pub(super) fn by_path(predicates: &[Predicate], set: &ConditionSet) -> BTreeMap<Path, Vec<CondId>> {
    let mut by_path: BTreeMap<Path, Vec<CondId>> = BTreeMap::new();
    for predicate in predicates {
        if let Subject::Claim(_, condition) = &predicate.subject
            && let Part::Leaf(path, leaf) = set.part(set.root(*condition)).1
            && !leaf.negated
            && !matches!(leaf.test, Test::Exists)
        {
            let known = by_path.entry(path.clone()).or_default();
            if known.len() < MOST {
                known.push(*condition);
            }
        }
    }
    by_path
}

struct Guesser<'g> {
    path: &'g Path,
    leaf: &'g Leaf,
    said: &'g Value,
    patterns: &'g Patterns,
    likely: Vec<Value>,
}

/// A slot with its concrete path.
struct Slot<'v> {
    path: Vec<Segment>,
    value: Option<&'v Value>,
}

impl Guesser<'_> {
    fn guesses(&self) -> Vec<Vec<Change>> {
        if !self.path.is_wild() {
            let wanted = !matches!(self.leaf.how, How::Written(Quantifier::None));
            let slots = self.slots(&mut |_| true);
            return slots.first().map(|slot| self.fix(slot, wanted)).unwrap_or_default();
        }
        match (self.leaf.how, &self.leaf.test) {
            (How::AsList, test) => self.as_list(test),
            (How::Written(Quantifier::Any) | How::Some | How::One, _) => {
                // Any slot can be changed, so trying the first few is enough.
                let slots = self.slots(&mut |_| true);
                let mut guesses: Vec<Vec<Change>> =
                    slots.iter().flat_map(|slot| self.fix(slot, true)).collect();
                guesses.extend(self.grow());
                guesses
            }
            (How::Written(Quantifier::None), _) => self.each(false),
            (How::Every | How::Written(Quantifier::All), _) => {
                let mut guesses = self.each(true);
                guesses.extend(self.grow());
                guesses
            }
        }
    }

    /// The slots to change: at most one more than a hint has changes.
    fn slots(&self, wanted: &mut dyn FnMut(Option<&Value>) -> bool) -> Vec<Slot<'_>> {
        let mut slots = Vec::new();
        let steps = self.path.segments().len();
        let _: ControlFlow<()> =
            self.path.slots(self.said.present()).visit_with_steps(&mut |way, value| {
                // If a `[*]` is not at a list, there is no slot to change.
                if way.len() == steps && wanted(value) {
                    slots.push(Slot { path: way.to_vec(), value });
                }
                if slots.len() > MOST { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
        slots
    }

    /// Changes every slot that does not give the wanted answer.
    fn each(&self, wanted: bool) -> Vec<Vec<Change>> {
        let wrong = self.slots(&mut |slot| self.leaf.holds(slot, self.patterns) != wanted);
        if wrong.len() > MOST {
            return Vec::new();
        }
        let first = |slot: &Slot<'_>| self.fix(slot, wanted).into_iter().next();
        let fixed: Option<Vec<Vec<Change>>> = wrong.iter().map(first).collect();
        let removed = wrong.iter().map(|slot| vec![change(&slot.path, ChangeOp::Remove, None)]);
        let guesses = [fixed, Some(removed.collect())].into_iter().flatten();
        guesses
            .map(|fixes| {
                // From the last to the first, so that the other indexes stay valid.
                let takes_out = fixes.iter().flatten().any(|one| one.op == ChangeOp::Remove);
                if takes_out { fixes.into_iter().rev().flatten().collect() } else { fixes.concat() }
            })
            .collect()
    }

    /// Ways to make one slot give the wanted answer, best first.
    fn fix(&self, slot: &Slot<'_>, wanted: bool) -> Vec<Vec<Change>> {
        if self.leaf.negated == wanted {
            return self.avoid(slot);
        }
        let mut values = satisfying(&self.leaf.test, slot.value, self.patterns);
        if matches!(self.leaf.test, Test::Exists) {
            values.splice(0..0, self.likely.iter().cloned());
        }
        if let (Test::Contains(wanted), Some(Value::List(_))) = (&self.leaf.test, slot.value) {
            return vec![vec![change(&slot.path, ChangeOp::Add, Some(wanted.clone()))]];
        }
        if let (Test::MinLength(least), Some(Value::List(items))) = (&self.leaf.test, slot.value) {
            return vec![self.lengthen(&slot.path, items, *least)];
        }
        if let (Test::MaxLength(most), Some(Value::List(items))) = (&self.leaf.test, slot.value) {
            let most = usize::try_from(*most).unwrap_or(usize::MAX);
            if items.len().saturating_sub(most) > MOST {
                return Vec::new();
            }
            let surplus = (most..items.len())
                .rev()
                .map(|at| change(&element(&slot.path, at), ChangeOp::Remove, None));
            return vec![surplus.collect()];
        }
        values.into_iter().flat_map(|value| self.set(&slot.path, &value)).collect()
    }

    /// Sets a value and replaces whatever blocks its path.
    #[expect(clippy::unused_self, reason = "reads better at the call")]
    fn set(&self, path: &[Segment], value: &Value) -> Vec<Vec<Change>> {
        (1..=path.len())
            .rev()
            .filter_map(|length| {
                let (front, rest) = path.split_at_checked(length)?;
                Some(vec![change(front, ChangeOp::Set, Some(nest(rest, value)))])
            })
            .collect()
    }

    fn avoid(&self, slot: &Slot<'_>) -> Vec<Vec<Change>> {
        let removed = vec![change(&slot.path, ChangeOp::Remove, None)];
        match (&self.leaf.test, slot.value) {
            (Test::Equals(Value::Bool(_)), Some(Value::Bool(value))) => {
                vec![vec![change(&slot.path, ChangeOp::Set, Some(Value::Bool(!value)))]]
            }
            (Test::Contains(unwanted), Some(Value::List(items))) => {
                let found = items.iter().enumerate().rev().filter(|(_, item)| *item == unwanted);
                let found = found.take(MOST + 1);
                vec![
                    found
                        .map(|(at, _)| change(&element(&slot.path, at), ChangeOp::Remove, None))
                        .collect(),
                ]
            }
            (Test::Contains(Value::Text(part)), Some(Value::Text(text))) if !part.is_empty() => {
                let without = text.replace(&**part, "");
                vec![
                    vec![change(&slot.path, ChangeOp::Set, Some(without.as_str().into()))],
                    removed,
                ]
            }
            (_, _) => vec![removed],
        }
    }

    fn lengthen(&self, path: &[Segment], items: &[Value], least: u64) -> Vec<Change> {
        let missing = usize::try_from(least).unwrap_or(usize::MAX).saturating_sub(items.len());
        let known = self.likely.iter().filter_map(|value| match value {
            Value::List(values) => values.first().cloned(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::Map(_) => {
                None
            }
        });
        let mut new = known.filter(|value| *value != placeholder() && !items.contains(value));
        (0..missing.min(MOST + 1))
            .map(|_| change(path, ChangeOp::Add, Some(new.next().unwrap_or_else(placeholder))))
            .collect()
    }

    fn as_list(&self, test: &Test) -> Vec<Vec<Change>> {
        // From the last to the first, so that the other indexes stay valid.
        let take_out = |wanted: &mut dyn FnMut(&Value) -> bool| -> Vec<Vec<Change>> {
            let slots = self.slots(&mut |slot| slot.is_some_and(&mut *wanted));
            let removed = slots.iter().rev();
            vec![removed.map(|slot| change(&slot.path, ChangeOp::Remove, None)).collect()]
        };
        match (test, self.leaf.negated) {
            (Test::Exists, true) => take_out(&mut |_| true),
            (Test::Contains(unwanted), true) => take_out(&mut |value| value == unwanted),
            (Test::MaxLength(most), _) => {
                let mut kept = 0;
                take_out(&mut |_| {
                    kept += 1;
                    kept > *most
                })
            }
            (Test::Equals(Value::List(wanted)), false) => {
                self.container(wanted.iter().map(|value| nest(self.tail(), value)).collect())
            }
            (Test::MinLength(least), _) => {
                let mut present = 0;
                self.slots(&mut |slot| {
                    present += usize::from(slot.is_some());
                    false
                });
                let missing = usize::try_from(*least).unwrap_or(usize::MAX).saturating_sub(present);
                let mut guesses = Vec::new();
                for first in self.grow() {
                    let (Some(one), true) = (first.first(), missing <= MOST) else { continue };
                    guesses.push(vec![one.clone(); missing]);
                    // The first change may create the list that the others append to.
                    let front = self.front();
                    let more = (1..missing).map(|_| {
                        change(front, ChangeOp::Add, Some(nest(self.tail(), &placeholder())))
                    });
                    guesses.push(std::iter::once(one.clone()).chain(more).collect());
                }
                guesses
            }
            (_, _) => self.grow(),
        }
    }

    /// The path before the first `[*]`, and the path after it.
    fn front(&self) -> &[Segment] {
        let at = self.path.segments().iter().position(|segment| *segment == Segment::Each);
        at.and_then(|at| self.path.segments().get(..at)).unwrap_or_default()
    }

    fn tail(&self) -> &[Segment] {
        self.path.segments().get(self.front().len() + 1..).unwrap_or_default()
    }

    /// Appends one element that passes.
    fn grow(&self) -> Vec<Vec<Change>> {
        let values = match (&self.leaf.test, self.leaf.how == How::AsList) {
            (Test::Contains(wanted), true) => vec![wanted.clone()],
            (Test::MinLength(_) | Test::MaxLength(_), true) => vec![placeholder()],
            (test, _) => satisfying(test, None, self.patterns),
        };
        let mut guesses = Vec::new();
        for value in values {
            let element = nest(self.tail(), &value);
            if !self.front().is_empty() {
                guesses.push(vec![change(self.front(), ChangeOp::Add, Some(element.clone()))]);
            }
            guesses.extend(self.container(vec![element]));
        }
        guesses
    }

    /// Sets the whole list under the first `[*]`.
    fn container(&self, elements: Vec<Value>) -> Vec<Vec<Change>> {
        self.set(self.front(), &Value::List(elements))
    }
}

/// A value nested under new keys.
fn nest(segments: &[Segment], value: &Value) -> Value {
    segments.iter().rev().fold(value.clone(), |inner, segment| match segment {
        Segment::Key(key) => {
            let mut map = Map::new();
            map.insert(key.clone(), inner);
            Value::Map(map)
        }
        Segment::Each => Value::List(vec![inner]),
        Segment::Index(index) => {
            let mut items = vec![Value::Null; (*index as usize).min(MOST)];
            items.push(inner);
            Value::List(items)
        }
    })
}

/// A placeholder for a value that only the author of the facts can know.
fn placeholder() -> Value {
    "…".into()
}

fn change(path: &[Segment], op: ChangeOp, value: Option<Value>) -> Change {
    Change { path: Path::of(path), op, value }
}

fn element(path: &[Segment], at: usize) -> Vec<Segment> {
    let at = Segment::Index(u32::try_from(at).unwrap_or(u32::MAX));
    path.iter().cloned().chain([at]).collect()
}

/// Values that pass a test, similar to the actual one.
fn satisfying(test: &Test, actual: Option<&Value>, patterns: &Patterns) -> Vec<Value> {
    let text = actual.and_then(Value::as_text);
    let joined = |first: &str, second: &str| Value::from(format!("{first}{second}").as_str());
    match test {
        Test::Exists => vec![placeholder()],
        Test::Equals(value) => vec![value.clone()],
        Test::AnyOf(set) => set.values.iter().filter_map(Value::present).take(1).cloned().collect(),
        Test::Contains(Value::Text(part)) => match text {
            Some(text) => vec![joined(text, part)],
            None => vec![Value::List(vec![Value::Text(part.clone())])],
        },
        Test::Contains(value) => vec![Value::List(vec![value.clone()])],
        Test::GreaterThan(bound) => {
            Number::between(Some(*bound), None).map(Value::Number).into_iter().collect()
        }
        Test::LessThan(bound) => {
            Number::between(None, Some(*bound)).map(Value::Number).into_iter().collect()
        }
        Test::AtLeast(bound) | Test::AtMost(bound) => vec![Value::Number(*bound)],
        Test::MinLength(least) => match usize::try_from(*least) {
            Ok(least) if least <= MOST => vec![Value::List(vec![placeholder(); least])],
            Ok(_) | Err(_) => Vec::new(),
        },
        Test::MaxLength(_) => vec![Value::List(Vec::new())],
        Test::Matches(pattern) => {
            patterns.example(*pattern).as_deref().map(Value::from).into_iter().collect()
        }
        Test::StartsWith(start) => vec![joined(start, text.unwrap_or_default())],
        Test::EndsWith(end) => vec![joined(text.unwrap_or_default(), end)],
    }
}
