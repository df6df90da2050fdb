//! Compares every answer with brute force over a small world.

use proptest::prelude::*;

use super::*;
use crate::cond::tests::{any_operand, any_scalar};
use crate::cond::{Condition, Operator, Registry, Surface};
use crate::testing::{condition, value};

/// Paths that the partition can analyse, and some that it cannot.
const PLAIN: [&str; 4] = ["a", "b", "a.b", "a.b.c"];
const MIXED: [&str; 7] = ["a", "b", "a.b", "a[0]", "a[*]", "a[*].b", "b[*]"];

fn any_test(paths: &'static [&'static str], regexes: bool) -> impl Strategy<Value = Condition> {
    let operators = Operator::all().filter(move |operator| {
        regexes || !matches!(operator, Operator::Matches | Operator::NotMatches)
    });
    let operator = prop::sample::select(operators.collect::<Vec<_>>());
    (operator, prop::sample::select(paths)).prop_flat_map(|(operator, path)| {
        any_operand(operator).prop_map(move |operand| Condition::test(path, operator, operand))
    })
}

fn any_condition(
    paths: &'static [&'static str],
    regexes: bool,
) -> impl Strategy<Value = Condition> {
    any_test(paths, regexes).prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..4).prop_map(Condition::all),
            prop::collection::vec(inner.clone(), 1..4).prop_map(Condition::any),
            inner.prop_map(Condition::not),
        ]
    })
}

/// A world that is small enough to enumerate and has every value that the generated tests name.
fn world() -> Vec<Value> {
    let scalars = "absent, true, false, 0, 0.5, 1, 1.2, 1.5, 2, 2.5, 3, 4, -1, '', x, xy, yx, '1', q, xqy, xyx, yxqxy";
    let lists = "[[], [0], [1], [x], [xy], [x, y], [1, x], [true, 1, x], [q], [q, q], [q, q, q, q], [x, q, 1, 0, 2], [{}], [{b: x}, {b: 1}, q], [null], [[]]]";
    let maps = "[{}, {a: 1}, {b: x}, {b: 1}, {b: []}, {b: [x]}, {b: {c: 1}}, {b: {c: x, d: 2}}, {b: true, q: 1}, {b: 2.5}, {c: 1}]";
    let mut values = Vec::new();
    for part in scalars.split(", ") {
        let wrapped = if part == "absent" { "[null]".to_owned() } else { format!("[{part}]") };
        values.extend(items(&wrapped));
    }
    values.extend(items(lists));
    values.extend(items(maps));
    values
}

fn items(yaml: &str) -> Vec<Value> {
    match value(yaml) {
        Value::List(items) => items,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::Map(_) => {
            panic!()
        }
    }
}

fn documents() -> Vec<Value> {
    let world = world();
    let mut out = Vec::new();
    for a in &world {
        for b in world.iter().step_by(3) {
            let mut map = crate::Map::new();
            map.insert("a", a.clone());
            map.insert("b", b.clone());
            out.push(Value::Map(map));
        }
    }
    out
}

struct Built {
    set: ConditionSet,
    ids: Vec<CondId>,
}

fn build(conditions: &[Condition]) -> Built {
    let registry = Registry::default();
    let mut builder = registry.set();
    let ids = conditions.iter().map(|c| builder.add(c, Surface::When).0.unwrap()).collect();
    Built { set: builder.finish(), ids }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn answers_agree_with_brute_force(
        a in any_condition(&PLAIN, false),
        b in any_condition(&PLAIN, false),
    ) {
        check_against_the_world(&[a, b], true)?;
    }

    #[test]
    fn what_cannot_be_looked_into_is_never_guessed(
        a in any_condition(&MIXED, true),
        b in any_condition(&MIXED, true),
    ) {
        check_against_the_world(&[a, b], false)?;
    }

    #[test]
    fn declared_values_are_counted_exactly(
        conditions in prop::collection::vec(any_condition(&["a", "b"], true), 1..4),
        left in prop::collection::vec(any_scalar(), 1..6),
        right in prop::collection::vec(any_scalar(), 1..6),
    ) {
        let Built { set, ids } = build(&conditions);
        let mut domains = Domains::default();
        let mut axes = Vec::new();
        for (name, values) in ["a", "b"].iter().zip([left, right]) {
            let mut distinct: Vec<Value> = Vec::new();
            for value in values {
                if !distinct.contains(&value) {
                    distinct.push(value);
                }
            }
            let path = crate::Path::parse(name).unwrap();
            domains.declare(path, Domain::Values { values: distinct.clone(), absent: false });
            axes.push(distinct);
        }
        let mut counted: BTreeMap<Vec<&str>, u128> = BTreeMap::new();
        for a in &axes[0] {
            for b in &axes[1] {
                let mut map = crate::Map::new();
                map.insert("a", a.clone());
                map.insert("b", b.clone());
                let document = Value::Map(map);
                let mut run = set.run(&document);
                let key = ids.iter().map(|id| run.outcome(*id).name()).collect();
                *counted.entry(key).or_default() += 1;
            }
        }
        let partition = Partition::new(&set, &ids, &domains, Caps::default()).unwrap();
        let found: BTreeMap<Vec<&str>, u128> = partition
            .outcomes(&ids)
            .unwrap()
            .into_iter()
            .map(|class| {
                assert!(matches!(class.witness, Answer::Yes(_)), "{class:?}");
                let key = class.outcomes.iter().map(|o| o.name()).collect();
                (key, class.contexts.unwrap())
            })
            .collect();
        prop_assert_eq!(found, counted);
    }
}

fn check_against_the_world(
    conditions: &[Condition; 2],
    exact: bool,
) -> Result<(), proptest::test_runner::TestCaseError> {
    let Built { set, ids } = build(conditions);
    let shown = || format!("{}\n{}", conditions[0].to_value(), conditions[1].to_value());
    let caps = Caps::default();
    let Ok(mut partition) = Partition::new(&set, &ids, &Domains::default(), caps) else {
        return Ok(());
    };
    let mut seen: Vec<Vec<Outcome>> = Vec::new();
    for document in documents() {
        let mut run = set.run(&document);
        let outcomes: Vec<Outcome> = ids.iter().map(|id| run.outcome(*id)).collect();
        if !seen.contains(&outcomes) {
            seen.push(outcomes);
        }
    }
    let holds = |index: usize, wanted: Outcome| seen.iter().any(|s| s[index] == wanted);
    for (index, id) in ids.iter().enumerate() {
        for (answer, wanted) in
            [(partition.can_hold(*id), Outcome::True), (partition.can_fail(*id), Outcome::False)]
        {
            match answer {
                Answer::Yes(_) => {}
                Answer::No => prop_assert!(!holds(index, wanted), "{wanted:?} {}", shown()),
                Answer::Unknown => prop_assert!(!exact, "unknown {wanted:?} {}", shown()),
            }
        }
    }
    let counterexample = seen.iter().any(|s| s[0] == Outcome::True && s[1] != Outcome::True);
    match partition.implies(ids[0], ids[1]).unwrap() {
        Some(true) => prop_assert!(!counterexample, "implies {}", shown()),
        Some(false) => {}
        None => prop_assert!(!exact, "unknown implication {}", shown()),
    }
    let differ = seen.iter().any(|s| (s[0] == Outcome::True) != (s[1] == Outcome::True));
    if partition.equal(ids[0], ids[1]).unwrap() == Some(true) {
        prop_assert!(!differ, "equal {}", shown());
    }
    let classes = partition.outcomes(&ids).unwrap();
    for outcomes in &seen {
        prop_assert!(classes.iter().any(|class| class.outcomes == *outcomes), "{}", shown());
    }
    for class in &classes {
        prop_assert!(!exact || matches!(class.witness, Answer::Yes(_)), "{class:?} {}", shown());
    }
    Ok(())
}

fn ask(yaml: &str) -> (Answer, Answer) {
    let Built { set, ids } = build(&[condition(yaml)]);
    let partition = Partition::new(&set, &ids, &Domains::default(), Caps::default()).unwrap();
    (partition.can_hold(ids[0]), partition.can_fail(ids[0]))
}

#[test]
fn contradictions_and_tautologies_are_seen() {
    let never = |yaml: &str| assert_eq!(ask(yaml).0, Answer::No, "{yaml}");
    let always = |yaml: &str| assert_eq!(ask(yaml).1, Answer::No, "{yaml}");
    never("all: [{tone: terse}, {tone: warm}]");
    never("all: [{path: n, op: gt, value: 5}, {path: n, op: lt, value: 3}]");
    never(
        "all: [{path: n, op: gt, value: 9223372036854775806}, {path: n, op: lt, value: 9223372036854775807}]",
    );
    never("all: [{path: s, op: starts_with, value: ab}, {path: s, op: starts_with, value: b}]");
    never(
        "all: [{path: s, op: contains, value: abc}, {path: s, op: not_contains, value: b}, {path: s, op: starts_with, value: a}]",
    );
    never("all: [{path: l, op: min_length, value: 3}, {path: l, op: max_length, value: 2}]");
    never(
        "all: [{path: l, op: max_length, value: 1}, {path: l, op: contains, value: 1}, {path: l, op: contains, value: 2}]",
    );
    never("all: [{a: 3}, {path: a.b, op: exists}]");
    never("all: [{a: {b: 1}}, {path: a.b, op: gt, value: 1}]");
    never("all: [{path: s, op: matches, value: x}, {path: s, op: not_matches, value: x}]");
    never("all: [{s: ab}, {path: s, op: matches, value: '^b'}]");
    never("all: [{path: 'a[*]', op: eq, value: 1}, {path: 'a[*]', op: neq, value: 1}]");
    never("{path: a, op: any_of, value: []}");
    always("any: [{path: n, op: exists}, {path: n, op: not_exists}]");
    always("{path: a, op: none_of, value: []}");
    always("any: [{path: n, op: neq, value: 1}, {n: 1.0}]");
    always("not: {all: [{path: n, op: gte, value: 3}, {path: n, op: lt, value: 3}]}");
}

/// Names inside lists and objects are names too: the filler must not be one of them.
#[test]
fn other_values_are_really_other() {
    let holds = |yaml: &str| assert!(matches!(ask(yaml).0, Answer::Yes(_)), "{yaml}");
    holds(
        "all: [{path: l, op: min_length, value: 1}, {path: l, op: max_length, value: 1}, {path: l, op: neq, value: [z]}]",
    );
    holds("all: [{path: o.x, op: exists}, {path: o, op: neq, value: {z: true}}]");
    holds("all: [{path: l, op: contains, value: [z]}, {path: l, op: neq, value: [[z]]}]");
    holds(
        "all: [{path: l, op: min_length, value: 2}, {path: l, op: max_length, value: 2}, {path: l, op: contains, value: x}, {path: l, op: none_of, value: [[x, z], [z, x]]}]",
    );
    // Every order that is tried is a named list, and no other is searched.
    let Built { set, ids } = build(&[condition(
        "all: [{path: l, op: min_length, value: 2}, {path: l, op: max_length, value: 2}, {path: l, op: contains, value: x}, {path: l, op: contains, value: y}, {path: l, op: neq, value: [x, y]}]",
    )]);
    assert!(Partition::new(&set, &ids, &Domains::default(), Caps::default()).is_err());
}

#[test]
fn a_witness_is_short_and_true() {
    let (holds, fails) = ask("all: [{user.tier: vip}, {path: score, op: gt, value: 10}]");
    assert_eq!(holds, Answer::Yes(value("{user: {tier: vip}, score: 11}")));
    assert_eq!(fails, Answer::Yes(value("{}")));
}

#[test]
fn a_host_that_may_fail_is_neither_always_nor_never() {
    let mut builder = Registry::builder();
    let build = |_: &crate::cond::Args| Ok(|_: &crate::cond::Inputs<'_>| Ok(true));
    builder.primitive(crate::cond::Primitive::new("x.y", build)).unwrap();
    let registry = builder.build();
    let either = condition("any: [{ref: x.y}, {not: {ref: x.y}}]");
    let (set, id, _) = registry.compile(&either).unwrap();
    let partition = Partition::new(&set, &[id], &Domains::default(), Caps::default()).unwrap();
    assert!(matches!(partition.can_hold(id), Answer::Yes(_)));
    // It is never false, but it may be an error.
    assert_eq!(partition.can_fail(id), Answer::No);
    assert_eq!(partition.can_be(id, Outcome::Error), Answer::Unknown);
}

#[test]
fn caps_are_reported_by_name() {
    let many = (0..30).map(|n| format!("{{path: s, op: contains, value: w{n}}}"));
    let yaml = format!("any: [{}]", many.collect::<Vec<_>>().join(", "));
    let Built { set, ids } = build(&[condition(&yaml)]);
    let error = Partition::new(&set, &ids, &Domains::default(), Caps::default()).unwrap_err();
    assert_eq!(error.to_string(), "the tests on `s` distinguish too many values");
    let Built { set, ids } = build(&[condition("{path: l, op: min_length, value: 100000000}")]);
    assert!(Partition::new(&set, &ids, &Domains::default(), Caps::default()).is_err());
}

/// Twelve axes of ten values: a million million contexts, three rules, four outcomes.
#[test]
fn the_product_is_never_walked() {
    let conditions: Vec<Condition> =
        (0..3).map(|n| condition(&format!("all: [{{x{n}: 1}}, {{x{}: 2}}]", n + 3))).collect();
    let Built { set, ids } = build(&conditions);
    let mut domains = Domains::default();
    for n in 0..12 {
        let values = (0..10).map(Value::from).collect();
        let path = crate::Path::parse(&format!("x{n}")).unwrap();
        domains.declare(path, Domain::Values { values, absent: false });
    }
    let partition = Partition::new(&set, &ids, &domains, Caps::default()).unwrap();
    let classes = partition.outcomes(&ids).unwrap();
    assert_eq!(classes.len(), 8);
    let all: u128 = classes.iter().map(|class| class.contexts.unwrap()).sum();
    assert_eq!(all, 1_000_000_000_000);
}

/// Few outcomes, but many ways to them: the limit is a number of steps.
#[test]
fn the_work_is_limited_by_steps() {
    let tests = |n: usize| format!("{{any: [{{k{n}: 1}}, {{k{}: 2}}, {{k{}: 3}}]}}", n + 7, n + 3);
    let conditions: Vec<Condition> = (0..12).map(|n| condition(&tests(n))).collect();
    let Built { set, ids } = build(&conditions);
    let few = Caps { work: 2_000, ..Caps::default() };
    let partition = Partition::new(&set, &ids, &Domains::default(), few).unwrap();
    let error = partition.combinations(&ids).unwrap_err();
    assert_eq!(error.to_string(), "to combine its conditions takes more than 2000 steps");
    let enough = Partition::new(&set, &ids, &Domains::default(), Caps::default()).unwrap();
    assert!(enough.combinations(&ids).is_ok_and(|found| found.len() == 1 << 12));
    let caps = Caps { outcomes: 1_000, ..Caps::default() };
    let partition = Partition::new(&set, &ids, &Domains::default(), caps).unwrap();
    let error = partition.combinations(&ids).unwrap_err();
    assert_eq!(
        error.to_string(),
        "there are more than 1000 combinations of outcomes of its conditions"
    );
}
