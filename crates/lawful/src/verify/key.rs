//! Keys: what must have been observed to decide a selector under `observed`.
//!
//! A value that was not observed is not the same as an absent value. A selector under `observed`
//! has a key: its first segment, or the command for `runs`. If the key was not observed, everything
//! that reads it is undecided: the predicate, predicates whose `when` reads it, and predicates on a
//! relation that is derived from it through any number of rules. Below an observed key, an absent
//! value is absent. `observed` itself has no key. A relation has the keys of its columns: of `from`
//! continued by each column.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use lawful_datalog::{Literal, Program, RelationId};
use lawful_syntax::{did_you_mean, escape};

use super::law::is_observed;
use super::relations::FactRelation;
use super::rulespec::{Predicate, Subject};
use crate::book::Observable;
use crate::cond::ConditionSet;
use crate::cond::parts::Part;
use crate::path::{Path, Segment};
use crate::value::Value;

/// Something that must be observed, as a selector: `observed.changed`, `observed.runs.tests`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key(Path);

/// What a key refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked<'k> {
    /// A built-in key.
    BuiltIn(&'k str, Observable),
    /// A command of the manifest, by its name.
    Command(&'k str),
    /// Another key, which a host may observe.
    Other(&'k str),
    /// No key, as in `observed[*]`: it is never observed.
    Nothing,
}

impl Key {
    /// The key of a selector, if it has one.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        if !is_observed(path) {
            return None;
        }
        let segments = path.segments();
        let steps = match segments.get(1)? {
            Segment::Key(key) if &**key == "runs" => 3,
            Segment::Key(_) | Segment::Index(_) | Segment::Each => 2,
        };
        Some(Self(Path::of(segments.get(..steps).unwrap_or(segments))))
    }

    /// The key of a column of a relation, if it has one; `None` is the column `.`.
    pub(crate) fn of_column(from: &Path, column: Option<&Path>) -> Option<Self> {
        match column {
            Some(column) if is_observed(from) => {
                Self::of(&Path::of(&[from.segments(), column.segments()].concat()))
            }
            Some(_) | None => Self::of(from),
        }
    }

    /// Whether it was observed.
    pub(super) fn is_in(&self, seen: Option<&Value>) -> bool {
        let steps = self.0.segments().get(1..).unwrap_or_default();
        let found =
            seen.and_then(|seen| steps.iter().try_fold(seen, |value, segment| segment.step(value)));
        found.is_some()
    }

    /// What it refers to.
    pub fn asked(&self) -> Asked<'_> {
        match self.0.segments() {
            [_, Segment::Key(key)] => match Observable::of(key) {
                Some(kind) => Asked::BuiltIn(key, kind),
                None => Asked::Other(key),
            },
            [_, Segment::Key(_), Segment::Key(command)] => Asked::Command(command),
            _ => Asked::Nothing,
        }
    }

    /// How to observe it. `declared` are the keys that the manifest declares.
    pub fn help(&self, declared: &[Box<str>]) -> String {
        let built_in = Observable::KEYS.iter().map(|(name, _)| *name);
        let names = built_in.chain(declared.iter().map(|name| &**name));
        let option = match self.asked() {
            Asked::BuiltIn(_, Observable::Git) => "git BASE".to_owned(),
            Asked::BuiltIn(_, Observable::Files) => "files GLOB".to_owned(),
            Asked::BuiltIn(_, Observable::Junit) => "junit FILE".to_owned(),
            Asked::BuiltIn(_, Observable::Run) => "run NAME".to_owned(),
            Asked::Command(command) => format!("run {}", escape::name(command)),
            Asked::Other(key) if declared.iter().any(|name| **name == *key) => {
                return "the manifest declares this key, and `lawful observe` and the stop hook do not \
                        observe it; pass it with `lawful verify --observed FILE`"
                    .to_owned();
            }
            Asked::Other(key) => {
                return format!("this is not a built-in key: {}", did_you_mean("key", key, names));
            }
            Asked::Nothing => return format!("name a key: {}", did_you_mean("key", "", names)),
        };
        let name = option.split(' ').next().unwrap_or_default();
        format!(
            "observe it with `lawful observe --{option}`, or with `{name}` under `hooks.stop.observe`"
        )
    }
}

/// The selector in one line.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&escape::line(&self.0.to_string()))
    }
}

/// The keys that a rulespec reads, and which predicates read which.
#[derive(Debug, Default)]
pub(super) struct Needs {
    pub keys: Vec<Key>,
    /// For each predicate, the indexes of its keys; empty if there are no keys.
    by_predicate: Vec<Vec<usize>>,
}

impl Needs {
    /// What predicates read, directly and through the relations and rules of a program.
    pub(super) fn new(
        predicates: &[Predicate],
        set: &ConditionSet,
        relations: &[FactRelation],
        program: &Program,
    ) -> Self {
        let observed = set.paths().any(is_observed)
            || relations.iter().any(|relation| is_observed(&relation.from));
        if !observed {
            return Self::default();
        }
        let made_from = made_from(relations, program);
        let mut needs = Self::default();
        for predicate in predicates {
            let mut keys: BTreeSet<Key> = BTreeSet::new();
            match &predicate.subject {
                Subject::Claim(_, condition) => {
                    if let Part::Leaf(path, _) = set.part(set.root(*condition)).1 {
                        keys.extend(Key::of(path));
                    }
                }
                Subject::Relation(name) => {
                    let known = program.find(name).and_then(|id| made_from.get(&id));
                    keys.extend(known.into_iter().flatten().cloned());
                }
            }
            let read = predicate.when.map(|when| set.reads(when)).unwrap_or_default();
            keys.extend(read.into_iter().filter_map(Key::of));
            let places = keys.into_iter().map(|key| needs.place(key)).collect();
            needs.by_predicate.push(places);
        }
        needs
    }

    fn place(&mut self, key: Key) -> usize {
        if let Some(known) = self.keys.iter().position(|known| *known == key) {
            return known;
        }
        self.keys.push(key);
        self.keys.len() - 1
    }

    /// The indexes of the keys of a predicate.
    pub(super) fn of(&self, predicate: usize) -> &[usize] {
        self.by_predicate.get(predicate).map_or(&[], |places| places)
    }
}

/// The keys that each relation is derived from: by its columns, or by rules over such relations,
/// including their negations and counts.
fn made_from(relations: &[FactRelation], program: &Program) -> BTreeMap<RelationId, BTreeSet<Key>> {
    let mut found: BTreeMap<RelationId, BTreeSet<Key>> = BTreeMap::new();
    for relation in relations {
        let columns = relation.columns.iter();
        let keys: BTreeSet<Key> =
            columns.filter_map(|column| Key::of_column(&relation.from, column.as_ref())).collect();
        if !keys.is_empty() {
            found.entry(relation.id).or_default().extend(keys);
        }
    }
    loop {
        let mut grew = false;
        for (_, rule) in program.rules() {
            let mut keys: BTreeSet<Key> = BTreeSet::new();
            for literal in program.body(rule) {
                match literal {
                    Literal::Positive(atom)
                    | Literal::Negative(atom)
                    | Literal::Count(atom, ..) => {
                        keys.extend(found.get(&atom.relation).into_iter().flatten().cloned());
                    }
                    Literal::Compare(..) => {}
                }
            }
            if !keys.is_empty() {
                let known = found.entry(rule.head.relation).or_default();
                let before = known.len();
                known.extend(keys);
                grew |= known.len() > before;
            }
        }
        if !grew {
            return found;
        }
    }
}
