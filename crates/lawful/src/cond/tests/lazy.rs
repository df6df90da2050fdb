//! Nothing is evaluated after the result is decided: counted by a primitive that records its calls.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use proptest::prelude::*;

use super::save;
use crate::cond::{
    ArgKind, ArgSpec, Args, CondId, Condition, ConditionKind, Inputs, Outcome, Primitive, Registry,
    RegistryBuilder, Surface,
};
use crate::testing::{condition, messages, value};
use crate::value::Value;

/// The names of the probes that were called, in order.
#[derive(Clone, Default)]
struct Calls(Arc<Mutex<Vec<String>>>);

impl Calls {
    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

/// A registry with a primitive that records its name and returns a fixed result.
fn registry() -> (RegistryBuilder, Calls) {
    let calls = Calls::default();
    let noted = calls.clone();
    let build = move |args: &Args| {
        let (name, answer) = (args.text("name").to_owned(), args.text("answer").to_owned());
        let noted = noted.clone();
        Ok(move |_: &Inputs<'_>| {
            noted.0.lock().unwrap().push(name.clone());
            match &*answer {
                "yes" => Ok(true),
                "no" => Ok(false),
                _ => Err("it cannot tell".to_owned()),
            }
        })
    };
    let mut builder = Registry::builder();
    let probe = Primitive::new("test.probe", build)
        .arg(ArgSpec::required("name", ArgKind::Text))
        .arg(ArgSpec::required("answer", ArgKind::Text));
    builder.primitive(probe).unwrap();
    (builder, calls)
}

fn probe(name: &str, answer: &str) -> Condition {
    Condition::with_args("test.probe", [("name", name.into()), ("answer", answer.into())])
}

fn yes(name: &str) -> Condition {
    probe(name, "yes")
}

fn no(name: &str) -> Condition {
    probe(name, "no")
}

fn fails(name: &str) -> Condition {
    probe(name, "error")
}

/// Evaluates conditions in one run; returns each outcome and the probes it called.
fn asked(saved: &[(&str, Condition)], conditions: &[Condition]) -> Vec<(Outcome, String)> {
    let (mut builder, calls) = registry();
    for (id, tree) in saved {
        save(&mut builder, id, tree.clone());
    }
    let registry = builder.build();
    let mut set = registry.set();
    let ids: Vec<CondId> = conditions
        .iter()
        .map(|condition| {
            let (id, problems) = set.add(condition, Surface::When);
            id.unwrap_or_else(|| panic!("{}", messages(&problems)))
        })
        .collect();
    let set = set.finish();
    let document = value("{a: 1}");
    let mut run = set.run(&document);
    assert_eq!(calls.take(), [] as [&str; 0], "nothing is evaluated before a condition is");
    let answers: Vec<(Outcome, String)> =
        ids.iter().map(|id| (run.outcome(*id), calls.take().join(" "))).collect();
    let outcomes = run.finish();
    for (id, (outcome, _)) in ids.iter().zip(&answers) {
        assert_eq!(set.explain(*id, &document, &outcomes).result, *outcome);
    }
    assert_eq!(calls.take(), [] as [&str; 0], "an explanation evaluates no primitive again");
    answers
}

#[test]
fn a_branch_asks_nothing_after_the_part_that_decides_it() {
    let check = |condition: Condition, expected: Outcome, probes: &str| {
        let shown = condition.to_value();
        assert_eq!(asked(&[], &[condition]), [(expected, probes.to_owned())], "{shown}");
    };
    let all = |parts: [Condition; 3]| Condition::all(parts);
    let any = |parts: [Condition; 3]| Condition::any(parts);
    check(all([yes("p"), no("q"), yes("r")]), Outcome::False, "p q");
    check(all([fails("p"), no("q"), yes("r")]), Outcome::False, "p q");
    check(all([yes("p"), fails("q"), yes("r")]), Outcome::Error, "p q r");
    check(any([no("p"), yes("q"), no("r")]), Outcome::True, "p q");
    check(any([fails("p"), yes("q"), no("r")]), Outcome::True, "p q");
    check(any([no("p"), fails("q"), no("r")]), Outcome::Error, "p q r");
    // A built-in test decides as well.
    check(all([condition("{a: 2}"), yes("p"), yes("q")]), Outcome::False, "");
    check(any([no("p"), condition("{a: 1}"), yes("q")]), Outcome::True, "p");
    // Nested: the inner branch stops, and so does the outer one.
    let inner = any([no("p"), yes("q"), yes("r")]);
    check(all([inner.clone(), no("s"), yes("t")]), Outcome::False, "p q s");
    check(any([Condition::not(inner), yes("s"), yes("t")]), Outcome::True, "p q s");
    let inner = Condition::not(all([no("p"), yes("q"), yes("r")]));
    check(any([inner, yes("s"), yes("t")]), Outcome::True, "p");
}

#[test]
fn a_saved_condition_is_asked_once_and_only_where_it_decides() {
    let saved = [
        ("late", Condition::any([no("p"), yes("q"), yes("r")])),
        ("unused", yes("u")),
        ("outer", Condition::all([Condition::reference("late"), no("s")])),
    ];
    let late = || Condition::reference("late");
    let found = asked(
        &saved,
        &[
            Condition::all([no("first"), late()]),
            Condition::all([late(), late()]),
            Condition::reference("outer"),
            Condition::any([late(), Condition::reference("unused")]),
            Condition::reference("outer"),
        ],
    );
    let expected = [
        (Outcome::False, "first"),
        (Outcome::True, "p q"),
        (Outcome::False, "s"),
        (Outcome::True, ""),
        (Outcome::False, ""),
    ];
    assert_eq!(found, expected.map(|(outcome, probes)| (outcome, probes.to_owned())));
}

#[test]
fn a_set_asks_nothing_of_conditions_that_are_not_asked_for() {
    let (builder, calls) = registry();
    let registry = builder.build();
    let mut set = registry.set();
    let ids: Vec<CondId> =
        (0..200).map(|n| set.add(&yes(&format!("p{n}")), Surface::When).0.unwrap()).collect();
    let set = set.finish();
    let document = value("{}");
    for mut run in [set.run(&document), set.run_few(&document, 2)] {
        assert_eq!(run.outcome(ids[7]), Outcome::True);
        assert_eq!(run.outcome(ids[150]), Outcome::True);
        assert_eq!(run.outcome(ids[7]), Outcome::True);
        assert_eq!(calls.take(), ["p7", "p150"]);
    }
}

/// The probes of a lazy evaluation, from left to right, with each saved condition once.
fn reading(
    condition: &Condition,
    saved: &[(&str, Condition)],
    known: &mut BTreeMap<String, Outcome>,
    calls: &mut Vec<String>,
) -> Outcome {
    let mut parts = |parts: &[Condition], decisive: Outcome, otherwise: Outcome| {
        let mut whole = otherwise;
        for part in parts {
            match reading(part, saved, known, calls) {
                found if found == decisive => return decisive,
                Outcome::Error => whole = Outcome::Error,
                Outcome::True | Outcome::False | Outcome::NotEvaluated => {}
            }
        }
        whole
    };
    match &condition.kind {
        ConditionKind::Always => Outcome::True,
        ConditionKind::Broken => panic!("a generated condition is whole"),
        ConditionKind::All(children) => parts(children, Outcome::False, Outcome::True),
        ConditionKind::Any(children) => parts(children, Outcome::True, Outcome::False),
        ConditionKind::Not(child) => match reading(child, saved, known, calls) {
            Outcome::True => Outcome::False,
            Outcome::False => Outcome::True,
            other @ (Outcome::Error | Outcome::NotEvaluated) => other,
        },
        ConditionKind::Ref(reference) => match &reference.args {
            Some(args) => {
                let args = Value::from_node(args);
                calls.push(args.get("name").and_then(Value::as_text).unwrap().to_owned());
                match args.get("answer").and_then(Value::as_text).unwrap() {
                    "yes" => Outcome::True,
                    "no" => Outcome::False,
                    _ => Outcome::Error,
                }
            }
            None => {
                if let Some(outcome) = known.get(&*reference.id) {
                    return *outcome;
                }
                let (_, body) = saved.iter().find(|(id, _)| **id == *reference.id).unwrap();
                let outcome = reading(body, saved, known, calls);
                known.insert(reference.id.to_string(), outcome);
                outcome
            }
        },
    }
}

fn any_tree(saved: &'static [&'static str]) -> impl Strategy<Value = Condition> {
    let name = prop::sample::select(&["p", "q", "r", "s", "t"]);
    let answer = prop::sample::select(&["yes", "no", "error"]);
    // The name includes the result, so that equal names are equal probes.
    let probe =
        (name, answer).prop_map(|(name, answer)| probe(&format!("{name}-{answer}"), answer));
    let leaf = if saved.is_empty() {
        probe.boxed()
    } else {
        let reference = prop::sample::select(saved).prop_map(Condition::reference);
        prop_oneof![3 => probe, 1 => reference].boxed()
    };
    leaf.prop_recursive(4, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Condition::all),
            prop::collection::vec(inner.clone(), 0..4).prop_map(Condition::any),
            inner.prop_map(Condition::not),
        ]
    })
}

proptest! {
    #[test]
    fn a_set_asks_what_a_lazy_reading_asks(
        one in any_tree(&[]),
        two in any_tree(&["one"]),
        conditions in prop::collection::vec(any_tree(&["one", "two"]), 1..5),
    ) {
        let saved = [("one", one), ("two", two)];
        let mut known = BTreeMap::new();
        let expected: Vec<(Outcome, String)> = conditions
            .iter()
            .map(|condition| {
                let mut calls = Vec::new();
                let outcome = reading(condition, &saved, &mut known, &mut calls);
                (outcome, calls.join(" "))
            })
            .collect();
        prop_assert_eq!(asked(&saved, &conditions), expected);
    }
}
