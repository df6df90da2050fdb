//! Rulespecs and facts to try everything on.

use proptest::prelude::*;

use crate::testing::value;
use crate::value::Value;

const SELECTORS: [&str; 9] =
    ["a", "b", "a.b", "l", "l[*]", "m[*].k", "m[*].l[*]", "l[0]", "observed.a"];

fn scalar() -> impl Strategy<Value = &'static str> + Clone {
    prop::sample::select(vec!["1", "2", "x", "xy", "true", "false", "''", "1.5", "'1'"])
}

fn test() -> impl Strategy<Value = String> {
    let list =
        prop::collection::vec(scalar(), 0..3).prop_map(|items| format!("[{}]", items.join(", ")));
    let value = prop_oneof![4 => scalar().prop_map(str::to_owned), 1 => list.clone()];
    let number = prop::sample::select(vec!["0", "1", "2", "1.5"]);
    let count = prop::sample::select(vec!["0", "1", "2"]);
    let regex = prop::sample::select(vec!["x", "^x$", "'^[a-z]{2}$'", "'(a|x)y?'", "'\\d'"]);
    prop_oneof![
        prop::sample::select(vec!["exists", "not_exists"]).prop_map(|rule| format!("rule: {rule}")),
        (prop::sample::select(vec!["equals", "not_equals", "contains", "not_contains"]), value)
            .prop_map(|(rule, value)| format!("rule: {rule}, value: {value}")),
        (prop::sample::select(vec!["any_of", "none_of"]), list)
            .prop_map(|(rule, value)| format!("rule: {rule}, value: {value}")),
        (prop::sample::select(vec!["greater_than", "less_than", "at_least", "at_most"]), number)
            .prop_map(|(rule, value)| format!("rule: {rule}, value: {value}")),
        (prop::sample::select(vec!["min_length", "max_length"]), count)
            .prop_map(|(rule, value)| format!("rule: {rule}, value: {value}")),
        (prop::sample::select(vec!["matches", "not_matches"]), regex)
            .prop_map(|(rule, value)| format!("rule: {rule}, value: {value}")),
        prop::sample::select(vec!["starts_with", "ends_with"])
            .prop_map(|rule| format!("rule: {rule}, value: x")),
    ]
}

fn leaf() -> impl Strategy<Value = String> {
    let quantifier = prop::sample::select(vec![
        "",
        "",
        "",
        ", quantifier: all",
        ", quantifier: any",
        ", quantifier: none",
    ]);
    (0..SELECTORS.len(), test(), quantifier)
        .prop_map(|(claim, test, quantifier)| format!("claim: c{claim}, {test}{quantifier}"))
}

fn when() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        4 => leaf().prop_map(|leaf| format!("{{{leaf}}}")),
        1 => (0..SELECTORS.len(), scalar()).prop_map(|(claim, value)| format!("{{c{claim}: {value}}}")),
    ];
    leaf.prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3)
                .prop_map(|all| format!("{{all: [{}]}}", all.join(", "))),
            prop::collection::vec(inner.clone(), 0..3)
                .prop_map(|any| format!("{{any: [{}]}}", any.join(", "))),
            inner.prop_map(|inner| format!("{{not: {inner}}}")),
        ]
    })
}

/// A rulespec of a few predicates.
pub(super) fn rulespec() -> impl Strategy<Value = String> {
    let predicate = (leaf(), prop::option::of(when())).prop_map(|(leaf, when)| match when {
        None => format!("  - {{{leaf}}}"),
        Some(when) => format!("  - {{{leaf}, when: {when}}}"),
    });
    prop::collection::vec(predicate, 1..5).prop_map(|predicates| {
        let claims: Vec<String> = SELECTORS
            .iter()
            .enumerate()
            .map(|(at, selector)| format!("  - {{name: c{at}, selector: '{selector}'}}"))
            .collect();
        format!("claims:\n{}\npredicates:\n{}\n", claims.join("\n"), predicates.join("\n"))
    })
}

/// Facts in which the selectors find all sorts of things.
pub(super) fn facts() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![6 => scalar().prop_map(str::to_owned), 1 => Just("null".to_owned())];
    let list = |inner: BoxedStrategy<String>| {
        prop::collection::vec(inner, 0..4).prop_map(|items| format!("[{}]", items.join(", ")))
    };
    let scalars = list(leaf.clone().boxed()).boxed();
    let entry =
        (prop::option::of(leaf.clone()), prop::option::of(scalars.clone())).prop_map(|(k, l)| {
            let k = k.map(|k| format!("k: {k}"));
            let l = l.map(|l| format!("l: {l}"));
            format!("{{{}}}", k.into_iter().chain(l).collect::<Vec<_>>().join(", "))
        });
    let any = prop_oneof![
        3 => leaf.clone(),
        2 => scalars.clone(),
        1 => leaf.prop_map(|b| format!("{{b: {b}}}")),
        2 => list(entry.boxed()),
    ];
    prop::collection::vec((prop::sample::select(vec!["a", "b", "l", "m"]), any), 0..5).prop_map(
        |entries| {
            let mut facts = crate::value::Map::new();
            for (key, text) in entries {
                facts.insert(key, value(&text));
            }
            Value::Map(facts)
        },
    )
}
