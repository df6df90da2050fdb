//! The program that a rulespec is compiled to.
//!
//! Facts of each envelope:
//!
//! | fact | meaning |
//! |---|---|
//! | `law_slot(c, s)` | claim `c` has a slot `s`, present or absent |
//! | `law_present(c, s)` | the slot has a value |
//! | `law_yes(t, s)` | test `t`, a positive operator, is true for that value |
//! | `law_listed(t)` | test `t` is true for all present values as one list |
//! | `law_said(n)`, `law_failed(n)` | a primitive of the host returned true, or failed |
//! | `law_unseen(k)` | key `k` was not observed |
//!
//! Rules of the rulespec:
//!
//! - `law_holds(n)` for each leaf, by its quantifier;
//! - `law_when_h(n)` for each branch of a `when`, where `h` is its height, because a negated
//!   relation must be complete first;
//! - `law_unsure_h(n)` for a branch that a primitive of the host may leave undecided;
//! - for each predicate `i`, exactly one of `pass(i)`, `fail(i)`, `skipped(i)` and `undecided(i)`.
//!   It is undecided if a [key](super::key) that it reads was not observed.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use lawful_datalog::{
    Comparison, Compiled, Constant, Problem, Program, RelationId, RuleBuilder, Term, variable,
};
use lawful_syntax::{Sources, escape};

use super::key::Needs;
use super::rulespec::{Predicate, Subject};
use super::symbol;
use crate::cond::leaf::{How, Leaf, ListTest, Quantifier, Test};
use crate::cond::parts::{Part, PartId};
use crate::cond::{ConditionSet, Operator};
use crate::index::Id as _;
use crate::path::{Path, Segment};
use crate::value::Value;

/// The outputs of a program.
pub(super) const RESERVED: [&str; 4] = ["pass", "fail", "skipped", "undecided"];

/// What a predicate requires of a relation.
#[derive(Clone, Debug)]
pub(super) enum Wanted {
    Some,
    None,
    AtLeast(i64),
    AtMost(i64),
    Tuple(Vec<Value>),
}

/// A compiled program, and what is needed to make its ground facts.
#[derive(Debug)]
pub(super) struct Law {
    pub compiled: Compiled,
    pub names: Names,
    pub watches: Vec<Watch>,
    /// Primitives of the host, by the number of their part.
    pub hosts: Vec<(Constant, PartId)>,
    /// For each test, the index of its watch, and its question.
    pub tests: Vec<(usize, String)>,
    /// The keys that must be observed, and which predicates read them.
    pub needs: Needs,
}

/// The relations of the program.
#[derive(Clone, Copy, Debug)]
pub(super) struct Names {
    pub slot: RelationId,
    pub present: RelationId,
    pub yes: RelationId,
    pub listed: RelationId,
    pub said: RelationId,
    pub failed: RelationId,
    pub pass: RelationId,
    pub fail: RelationId,
    pub skipped: RelationId,
    pub undecided: RelationId,
    pub unseen: RelationId,
}

/// A path that some leaf reads, and what the program needs to know about its slots.
#[derive(Debug)]
pub(super) struct Watch {
    pub path: Path,
    pub number: Constant,
    pub slots: bool,
    pub present: bool,
    pub tests: Vec<(Constant, Test)>,
    pub lists: Vec<(Constant, Leaf)>,
}

/// Whether a path selects from the observation.
pub(super) fn is_observed(path: &Path) -> bool {
    matches!(path.segments().first(), Some(Segment::Key(key)) if &**key == "observed")
}

/// Compiles predicates and the author's rules to one program. Any problem is in those rules.
pub(super) fn compile(
    predicates: &[Predicate],
    wanted: &[Option<Wanted>],
    set: &ConditionSet,
    program: Program,
    needs: Needs,
    sources: &Sources,
) -> Result<Law, Vec<Problem>> {
    let mut program = program;
    let names = Names {
        slot: program.relation_of_numbers("law_slot", &["claim", "slot"]),
        present: program.relation_of_numbers("law_present", &["claim", "slot"]),
        yes: program.relation_of_numbers("law_yes", &["test", "slot"]),
        listed: program.relation_of_numbers("law_listed", &["test"]),
        said: program.relation_of_numbers("law_said", &["part"]),
        failed: program.relation_of_numbers("law_failed", &["part"]),
        pass: program.relation_of_numbers("pass", &["predicate"]),
        fail: program.relation_of_numbers("fail", &["predicate"]),
        skipped: program.relation_of_numbers("skipped", &["predicate"]),
        undecided: program.relation_of_numbers("undecided", &["predicate"]),
        unseen: program.relation_of_numbers("law_unseen", &["key"]),
    };
    let holds = program.relation_of_numbers("law_holds", &["leaf"]);
    let broken = program.relation_of_numbers("law_broken", &["leaf"]);
    let mut compiler = Compiler {
        program,
        set,
        names,
        holds,
        broken,
        watches: Vec::new(),
        watch_of: BTreeMap::new(),
        tests: Vec::new(),
        test_of: BTreeMap::new(),
        parts: BTreeMap::new(),
        hosts: Vec::new(),
        needs,
        predicate: 0,
        extra: set.size(),
    };
    for (at, (predicate, wanted)) in predicates.iter().zip(wanted).enumerate() {
        compiler.predicate = at;
        compiler.predicate(predicate, wanted.as_ref(), sources);
    }
    let Compiler { mut program, watches, hosts, tests, needs, .. } = compiler;
    for output in [names.pass, names.fail, names.skipped, names.undecided] {
        program.output(output);
    }
    let compiled = program.compile()?;
    Ok(Law { compiled, names, watches, hosts, tests, needs })
}

/// The relation and number that hold the truth of a part.
#[derive(Clone, Copy)]
struct Truth {
    holds: RelationId,
    /// The same for a part that may be neither true nor false.
    unsure: Option<RelationId>,
    number: Term,
    height: usize,
}

struct Compiler<'c> {
    program: Program,
    set: &'c ConditionSet,
    names: Names,
    holds: RelationId,
    broken: RelationId,
    watches: Vec<Watch>,
    watch_of: BTreeMap<Path, usize>,
    tests: Vec<(usize, String)>,
    test_of: BTreeMap<(usize, String), Term>,
    parts: BTreeMap<PartId, Truth>,
    hosts: Vec<(Constant, PartId)>,
    needs: Needs,
    /// The predicate that is being compiled.
    predicate: usize,
    /// The number of the next leaf of a relation; these continue the numbers of the parts of the
    /// set.
    extra: usize,
}

impl Compiler<'_> {
    fn number(&mut self, number: usize) -> Constant {
        self.program.constants.number(i64::try_from(number).unwrap_or(i64::MAX))
    }

    fn predicate(&mut self, predicate: &Predicate, wanted: Option<&Wanted>, sources: &Sources) {
        let index = Term::Constant(self.number(self.predicate));
        let leaf = match &predicate.subject {
            Subject::Claim(_, condition) => self.part(self.set.root(*condition)),
            Subject::Relation(name) => self.relation(name, wanted),
        };
        let when = predicate.when.map(|when| self.part(self.set.root(when)));
        let Names { pass, fail, skipped, undecided, unseen, .. } = self.names;
        let keys = self.needs.of(self.predicate).to_vec();
        let needs_sight = !keys.is_empty();
        // If something was not observed, no other verdict is possible.
        let seen = |rule: RuleBuilder<'_>| {
            let rule = if needs_sight { rule.lacks(undecided, &[index]) } else { rule };
            rule.end(&[]);
        };
        let note = self.note(predicate, sources);
        let passes = self.program.rule(pass, &[index]).note(&note);
        let rule = match when {
            None => passes,
            Some(when) => passes.has(when.holds, &[when.number]),
        };
        seen(rule.has(leaf.holds, &[leaf.number]));
        let fails = self.program.rule(fail, &[index]);
        let rule = match when {
            None => fails,
            Some(when) => fails.has(when.holds, &[when.number]),
        };
        seen(rule.lacks(leaf.holds, &[leaf.number]));
        for key in keys {
            let key = Term::Constant(self.number(key));
            self.program.rule(undecided, &[index]).has(unseen, &[key]).end(&[]);
        }
        let Some(when) = when else { return };
        let skips = self.program.rule(skipped, &[index]).lacks(when.holds, &[when.number]);
        seen(match when.unsure {
            None => skips,
            Some(unsure) => skips.lacks(unsure, &[when.number]),
        });
        if let Some(unsure) = when.unsure {
            // To be safe: if `when` could not be evaluated, the predicate fails.
            seen(self.program.rule(fail, &[index]).has(unsure, &[when.number]));
        }
    }

    /// The comment above the first rule of a predicate.
    fn note(&self, predicate: &Predicate, sources: &Sources) -> String {
        let mut note = format!("predicate {}", self.predicate);
        if let Some(name) = &predicate.name {
            let _ = write!(note, ", `{}`", escape::line(&escape::name(name)));
        }
        let subject = match &predicate.subject {
            Subject::Claim(_, condition) => match self.set.part(self.set.root(*condition)).1 {
                Part::Leaf(path, _) => path.to_string(),
                Part::All(_) | Part::Any(_) | Part::Not(_) | Part::Host => String::new(),
            },
            Subject::Relation(name) => name.to_string(),
        };
        let _ = write!(note, ": {} {}", escape::line(&subject), predicate.rule.name());
        if let Some(value) = &predicate.value {
            let _ = write!(note, " {}", escape::shorten(&value.to_string(), 120));
        }
        if let Some((file, position)) = sources.locate(predicate.span) {
            let name = escape::line(file.name()).into_owned();
            let _ = write!(note, " ({name}:{}:{})", position.line, position.column);
        }
        note
    }

    /// The part of a `when`, or the leaf of a predicate.
    fn part(&mut self, id: PartId) -> Truth {
        let set = self.set;
        let (id, part) = set.part(id);
        if let Some(known) = self.parts.get(&id) {
            return *known;
        }
        let number = Term::Constant(self.number(id.index()));
        let truth = match part {
            Part::Leaf(path, leaf) => {
                self.leaf(number, path, leaf);
                Truth { holds: self.holds, unsure: None, number, height: 0 }
            }
            Part::Host => {
                let constant = self.number(id.index());
                self.hosts.push((constant, id));
                let Names { said, failed, .. } = self.names;
                Truth { holds: said, unsure: Some(failed), number, height: 0 }
            }
            Part::Not(child) => {
                let child = self.part(child);
                let truth = self.branch(number, &[child]);
                let rule =
                    self.program.rule(truth.holds, &[number]).lacks(child.holds, &[child.number]);
                let rule = match child.unsure {
                    None => rule,
                    Some(unsure) => rule.lacks(unsure, &[child.number]),
                };
                rule.end(&[]);
                if let (Some(own), Some(unsure)) = (truth.unsure, child.unsure) {
                    self.program.rule(own, &[number]).has(unsure, &[child.number]).end(&[]);
                }
                truth
            }
            Part::All(children) => {
                let children: Vec<Truth> = children.iter().map(|child| self.part(*child)).collect();
                let truth = self.branch(number, &children);
                self.all(truth, &children);
                truth
            }
            Part::Any(children) => {
                let children: Vec<Truth> = children.iter().map(|child| self.part(*child)).collect();
                let truth = self.branch(number, &children);
                for child in &children {
                    self.program
                        .rule(truth.holds, &[number])
                        .has(child.holds, &[child.number])
                        .end(&[]);
                }
                for child in &children {
                    let (Some(own), Some(unsure)) = (truth.unsure, child.unsure) else { continue };
                    let rule = self.program.rule(own, &[number]).has(unsure, &[child.number]);
                    rule.lacks(truth.holds, &[number]).end(&[]);
                }
                truth
            }
        };
        self.parts.insert(id, truth);
        truth
    }

    fn all(&mut self, truth: Truth, children: &[Truth]) {
        let number = truth.number;
        if children.is_empty() {
            if let Term::Constant(constant) = number {
                self.program.fact(truth.holds, &[constant]);
            }
            return;
        }
        let mut rule = self.program.rule(truth.holds, &[number]);
        for child in children {
            rule = rule.has(child.holds, &[child.number]);
        }
        rule.end(&[]);
        let Some(own) = truth.unsure else { return };
        // False if one child is false; unsure if one is unsure and none is false.
        let refuted =
            self.program.relation_of_numbers(&format!("law_refuted_{}", truth.height), &["part"]);
        for child in children {
            let rule = self.program.rule(refuted, &[number]).lacks(child.holds, &[child.number]);
            let rule = match child.unsure {
                None => rule,
                Some(unsure) => rule.lacks(unsure, &[child.number]),
            };
            rule.end(&[]);
        }
        for unsure in children.iter().filter_map(|child| Some((child.unsure?, child.number))) {
            let rule = self.program.rule(own, &[number]).has(unsure.0, &[unsure.1]);
            rule.lacks(refuted, &[number]).end(&[]);
        }
    }

    fn branch(&mut self, number: Term, children: &[Truth]) -> Truth {
        let height = children.iter().map(|child| child.height).max().unwrap_or(0) + 1;
        let holds = self.program.relation_of_numbers(&format!("law_when_{height}"), &["part"]);
        let can_fail = children.iter().any(|child| child.unsure.is_some());
        let unsure = can_fail
            .then(|| self.program.relation_of_numbers(&format!("law_unsure_{height}"), &["part"]));
        Truth { holds, unsure, number, height }
    }

    fn relation(&mut self, name: &str, wanted: Option<&Wanted>) -> Truth {
        let number = Term::Constant(self.number(self.extra));
        self.extra += 1;
        let truth = Truth { holds: self.holds, unsure: None, number, height: 0 };
        let (Some(wanted), Some(relation)) = (wanted, self.program.find(name)) else {
            return truth;
        };
        let any = vec![Term::Any; self.program.get(relation).columns.len()];
        let tuple: Vec<Term> = match wanted {
            Wanted::Tuple(values) => values
                .iter()
                .map(|value| {
                    scalar(&mut self.program.constants, value).map_or(Term::Any, Term::Constant)
                })
                .collect(),
            Wanted::Some | Wanted::None | Wanted::AtLeast(_) | Wanted::AtMost(_) => Vec::new(),
        };
        let rule = self.program.rule(self.holds, &[number]);
        let rule = match wanted {
            Wanted::Some => rule.has(relation, &any),
            Wanted::None => rule.lacks(relation, &any),
            Wanted::AtLeast(count) => rule.count(relation, &any, Comparison::AtLeast, *count),
            Wanted::AtMost(count) => rule.count(relation, &any, Comparison::AtMost, *count),
            Wanted::Tuple(_) => rule.has(relation, &tuple),
        };
        rule.end(&[]);
        truth
    }

    /// The rule of a leaf: how its quantifier combines the answers of its slots.
    fn leaf(&mut self, number: Term, path: &Path, leaf: &Leaf) {
        let watch = self.watch(path);
        let claim = self.watches.get(watch).map_or(Term::Any, |watch| Term::Constant(watch.number));
        let wild = path.is_wild();
        if leaf.how == How::AsList && self.as_list(number, watch, claim, leaf) {
            return;
        }
        let (yes, test) = self.test(watch, leaf, false);
        let none = matches!(leaf.how, How::Written(Quantifier::None));
        if !wild {
            // One slot: a redundant `none` still negates the answer.
            let zero = Term::Constant(self.number(0));
            let rule = self.program.rule(self.holds, &[number]);
            let rule = if leaf.negated == none {
                rule.has(yes, &[test, zero])
            } else {
                rule.lacks(yes, &[test, zero])
            };
            rule.end(&[]);
            return;
        }
        match (leaf.how, leaf.negated) {
            // Some slot passes.
            (How::One | How::Some | How::AsList | How::Written(Quantifier::Any), false) => {
                self.some(number, yes, test);
            }
            // No slot passes.
            (How::Every | How::Written(Quantifier::All), true)
            | (How::Written(Quantifier::None), false) => self.no(number, yes, test),
            // Every slot passes, and there is at least one.
            (How::Every, false) => self.every(number, watch, claim, yes, test, true),
            // Every slot passes, or there are none.
            (How::Written(Quantifier::All), false) | (How::Written(Quantifier::None), true) => {
                self.every(number, watch, claim, yes, test, false);
            }
            // Some slot does not pass.
            (How::One | How::Some | How::AsList | How::Written(Quantifier::Any), true) => {
                self.watch_slots(watch);
                let slot = variable(0);
                let rule = self.program.rule(self.holds, &[number]);
                let rule = rule.has(self.names.slot, &[claim, slot]).lacks(yes, &[test, slot]);
                rule.end(&["s"]);
            }
        }
    }

    fn some(&mut self, number: Term, yes: RelationId, test: Term) {
        self.program.rule(self.holds, &[number]).has(yes, &[test, Term::Any]).end(&[]);
    }

    fn no(&mut self, number: Term, yes: RelationId, test: Term) {
        self.program.rule(self.holds, &[number]).lacks(yes, &[test, Term::Any]).end(&[]);
    }

    fn every(
        &mut self,
        number: Term,
        watch: usize,
        claim: Term,
        yes: RelationId,
        test: Term,
        needs_one: bool,
    ) {
        self.watch_slots(watch);
        let slot = variable(0);
        let rule = self.program.rule(self.broken, &[number]);
        rule.has(self.names.slot, &[claim, slot]).lacks(yes, &[test, slot]).end(&["s"]);
        let rule = self.program.rule(self.holds, &[number]);
        let rule = if needs_one { rule.has(self.names.slot, &[claim, Term::Any]) } else { rule };
        rule.lacks(self.broken, &[number]).end(&[]);
    }

    /// A leaf that reads the present values as one list; false if it does not.
    fn as_list(&mut self, number: Term, watch: usize, claim: Term, leaf: &Leaf) -> bool {
        let Some(list) = leaf.test.of_list() else { return false };
        let (relation, test) = match list {
            ListTest::Has(None) => {
                self.watch_present(watch);
                (self.names.present, claim)
            }
            // An element of the list equals the value.
            ListTest::Has(Some(wanted)) => {
                let each = Leaf {
                    operator: Operator::Equals,
                    test: Test::Equals(wanted.clone()),
                    ..leaf.clone()
                };
                self.test(watch, &each, false)
            }
            ListTest::AtLeast(bound) | ListTest::AtMost(bound) => {
                self.watch_present(watch);
                let least = matches!(list, ListTest::AtLeast(_));
                let comparison = if least { Comparison::AtLeast } else { Comparison::AtMost };
                // No list is longer.
                let bound = i64::try_from(bound).unwrap_or(i64::MAX).min(i64::from(i32::MAX));
                let rule = self.program.rule(self.holds, &[number]);
                let rule = rule.count(self.names.present, &[claim, Term::Any], comparison, bound);
                rule.end(&[]);
                return true;
            }
            ListTest::Is(_) => {
                let (listed, test) = self.test(watch, leaf, true);
                let rule = self.program.rule(self.holds, &[number]);
                let rule = if leaf.negated {
                    rule.lacks(listed, &[test])
                } else {
                    rule.has(listed, &[test])
                };
                rule.end(&[]);
                return true;
            }
        };
        if leaf.negated {
            self.no(number, relation, test)
        } else {
            self.some(number, relation, test)
        }
        true
    }

    /// The relation with a test's answers, and the number of the test in it.
    fn test(&mut self, watch: usize, leaf: &Leaf, as_list: bool) -> (RelationId, Term) {
        let positive = leaf.operator.complement_of().unwrap_or(leaf.operator);
        let Names { yes, listed, present, .. } = self.names;
        if positive == Operator::Exists {
            self.watch_present(watch);
            let claim =
                self.watches.get(watch).map_or(Term::Any, |watch| Term::Constant(watch.number));
            return (present, claim);
        }
        let relation = if as_list { listed } else { yes };
        let expected = leaf.test.expected(self.set.patterns()).unwrap_or_default();
        let key = (watch, format!("{} {as_list} {expected}", positive.name()));
        if let Some(known) = self.test_of.get(&key) {
            return (relation, *known);
        }
        let number = self.number(self.tests.len());
        let shown = escape::shorten(&expected.to_string(), 120).into_owned();
        self.tests.push((watch, format!("{} {shown}", positive.name())));
        if let Some(watch) = self.watches.get_mut(watch) {
            if as_list {
                watch.lists.push((number, Leaf { negated: false, ..leaf.clone() }));
            } else {
                watch.tests.push((number, leaf.test.clone()));
            }
        }
        let term = Term::Constant(number);
        self.test_of.insert(key, term);
        (relation, term)
    }

    fn watch(&mut self, path: &Path) -> usize {
        if let Some(known) = self.watch_of.get(path) {
            return *known;
        }
        let at = self.watches.len();
        let number = self.number(at);
        self.watches.push(Watch {
            path: path.clone(),
            number,
            slots: false,
            present: false,
            tests: Vec::new(),
            lists: Vec::new(),
        });
        self.watch_of.insert(path.clone(), at);
        at
    }

    fn watch_slots(&mut self, watch: usize) {
        if let Some(watch) = self.watches.get_mut(watch) {
            watch.slots = true;
        }
    }

    fn watch_present(&mut self, watch: usize) {
        if let Some(watch) = self.watches.get_mut(watch) {
            watch.present = true;
        }
    }
}

/// The constant of a value that a column can hold.
pub(super) fn scalar(constants: &mut lawful_datalog::Constants, value: &Value) -> Option<Constant> {
    match value {
        Value::Text(text) => Some(constants.symbol(&symbol::encode((&**text).into()))),
        Value::Number(number) => number.as_i64().map(|number| constants.number(number)),
        Value::Bool(value) => Some(constants.boolean(*value)),
        Value::Null | Value::List(_) | Value::Map(_) => None,
    }
}
