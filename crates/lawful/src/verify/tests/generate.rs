//! Generated rulespecs and facts.

use proptest::prelude::*;

use crate::testing::value;
use crate::value::Value;

const SELECTORS: [&str; 14] = [
    "a",
    "b",
    "a.b",
    "l",
    "l[*]",
    "m[*].k",
    "m[*].l[*]",
    "l[0]",
    "observed.a",
    "observed.l[*]",
    "observed.runs",
    "observed.runs.t.exit",
    "observed",
    "observed[*]",
];

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

/// A rulespec with a few predicates.
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

/// A rulespec on a list and its elements.
pub(super) fn rulespec_on_elements() -> impl Strategy<Value = String> {
    const ON: [&str; 7] = ["l", "l[*]", "l[*].x", "l[*].y", "l[0]", "l[0].x", "l[2]"];
    let quantifier = prop::sample::select(vec![
        "",
        ", quantifier: all",
        ", quantifier: any",
        ", quantifier: none",
    ]);
    let predicate = (0..ON.len(), test(), quantifier).prop_map(|(claim, test, quantifier)| {
        format!("  - {{claim: c{claim}, {test}{quantifier}}}")
    });
    prop::collection::vec(predicate, 2..5).prop_map(|predicates| {
        let claims = ON.iter().enumerate();
        let claims: Vec<String> = claims
            .map(|(at, selector)| format!("  - {{name: c{at}, selector: '{selector}'}}"))
            .collect();
        format!("claims:\n{}\npredicates:\n{}\n", claims.join("\n"), predicates.join("\n"))
    })
}

/// Facts with every list of up to two elements, a few longer ones, and what is not a list.
pub(super) fn lists() -> Vec<Value> {
    const ELEMENTS: [&str; 12] = [
        "null",
        "1",
        "2",
        "x",
        "xy",
        "true",
        "[x]",
        "{x: 1}",
        "{x: 2, y: 1}",
        "{x: x, y: xy}",
        "{x: true}",
        "{y: [1]}",
    ];
    let mut lists = vec!["1".to_owned(), "{x: 1}".to_owned(), "null".to_owned(), "[]".to_owned()];
    for one in ELEMENTS {
        lists.extend([format!("[{one}]"), format!("[{one}, {one}, {one}]")]);
        lists.extend(ELEMENTS.map(|other| format!("[{one}, {other}]")));
    }
    lists.iter().map(|list| value(&format!("{{l: {list}}}"))).collect()
}

/// Facts with values of every kind for the selectors.
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

/// An observation: any of its keys may be missing or null.
pub(super) fn seen() -> impl Strategy<Value = Value> {
    let a = prop::sample::select(vec!["", "a: null", "a: x", "a: [1, x]"]);
    let l = prop::sample::select(vec!["", "l: []", "l: [1, x]", "l: {}"]);
    let runs = prop::sample::select(vec![
        "",
        "runs: {}",
        "runs: {t: null}",
        "runs: {t: {}}",
        "runs: {t: {exit: 1}}",
        "runs: {u: {exit: 1}}",
    ]);
    (a, l, runs).prop_map(|(a, l, runs)| {
        let entries: Vec<&str> = [a, l, runs].into_iter().filter(|one| !one.is_empty()).collect();
        value(&format!("{{{}}}", entries.join(", ")))
    })
}

/// Relations over an observation, with rules, negation, recursion and counts.
pub(super) const OBSERVED_GRAPH_RULESPEC: &str = r#"
claims: [{name: sizes, selector: 'observed.sizes[*].of'}]
relations:
  - {name: edge, from: 'observed.edges[*]', columns: [from, 'to[*]']}
  - {name: node, from: 'observed.nodes[*]', columns: [.]}
  - {name: size, from: 'observed.sizes[*]', columns: [of, n]}
  - {name: said, from: 'nodes[*]', columns: [.]}
rules: |
  path(x, y) :- edge(x, y).
  path(x, z) :- path(x, y), path(y, z).
  lost(x) :- said(x), !known(x).
  known(x) :- node(x).
  known(x) :- size(x, _).
  hub(x) :- said(x), count : { path(x, _) } > 1.
  own(x) :- said(x).
  any("yes") :- !hub("a").
predicates:
  - {relation: path, rule: not_exists}
  - {relation: lost, rule: not_exists}
  - {relation: hub, rule: max_length, value: 0}
  - {relation: own, rule: exists}
  - {relation: any, rule: contains, value: ["yes"]}
  - {relation: own, rule: not_exists, when: {claim: sizes, rule: contains, value: b}}
"#;

/// For each predicate of that rulespec, its relation and the keys that it depends on.
pub(super) const OBSERVED_GRAPH_NEEDS: [(&str, &[&str]); 6] = [
    ("path", &["edges"]),
    ("lost", &["nodes", "sizes"]),
    ("hub", &["edges"]),
    ("own", &[]),
    ("any", &["edges"]),
    ("own, when", &["sizes"]),
];

/// The keys of that rulespec.
pub(super) const OBSERVED_KEYS: [&str; 3] = ["edges", "nodes", "sizes"];

/// A graph with only some keys observed. The agent states the nodes.
pub(super) fn observe(facts: &Value, keys: &[&str]) -> (Value, Value) {
    let Value::Map(facts) = facts else { panic!("a mapping") };
    let only = |keys: &[&str]| {
        let entries = facts.iter().filter(|(key, _)| keys.contains(key));
        Value::Map(entries.map(|(key, value)| (key.into(), value.clone())).collect())
    };
    (only(&["nodes"]), only(keys))
}

/// Relations, recursion, negation and counts, judged by every rule for relations.
pub(super) const GRAPH_RULESPEC: &str = r#"
claims: [{name: root, selector: root}]
relations:
  - {name: edge, from: 'edges[*]', columns: [from, 'to[*]']}
  - {name: node, from: 'nodes[*]', columns: [.]}
  - {name: size, from: 'sizes[*]', columns: [of, n]}
  - {name: flag, from: root}
rules: |
  path(x, y) :- edge(x, y).
  path(x, z) :- path(x, y), edge(y, z).
  circle(x) :- path(x, x).
  lost(x) :- edge(_, x), !node(x).
  large(x) :- size(x, n), n >= 2, x != "b".
  node(x) :- size(x, 3).
  edge(y, x) :- edge(x, y), large(x).
  hub(x) :- node(x), count : { edge(x, _) } > 1.
  odd("\\n").
  set("yes") :- flag(true).
  set("no") :- !flag(true).
  turned(x, y) :- flag(x), size(_, n), n > 1, y = false, x != y.
predicates:
  - {relation: circle, rule: not_exists}
  - {relation: lost, rule: not_exists}
  - {relation: path, rule: min_length, value: 3}
  - {relation: path, rule: max_length, value: 5}
  - {relation: path, rule: contains, value: [a, "q\"\\ \n"]}
  - {relation: large, rule: exists}
  - {relation: hub, rule: exists, when: {claim: root, rule: exists}}
  - {relation: odd, rule: contains, value: ["\n"]}
  - {relation: set, rule: contains, value: ["yes"]}
  - {relation: flag, rule: contains, value: [true]}
  - {relation: turned, rule: contains, value: [true, false]}
"#;

/// Small graphs whose nodes have hostile names.
pub(super) fn graph() -> impl Strategy<Value = Value> {
    let names = ["a", "b", "c", "q\"\\ \n", "). fail(0).", "*/ //", "\u{202e}\0\u{1b}[2J"];
    let name = prop::sample::select(names.to_vec()).prop_map(Value::from).boxed();
    let object = |entries: Vec<(&str, Value)>| {
        let entries = entries.into_iter().map(|(key, value)| (key.into(), value));
        Value::Map(entries.collect())
    };
    let edge = (prop::option::of(name.clone()), prop::collection::vec(name.clone(), 0..3))
        .prop_map(move |(from, to)| {
            object(vec![("from", from.unwrap_or_default()), ("to", Value::List(to))])
        });
    let size = (name.clone(), -1..4_i64)
        .prop_map(move |(of, n)| object(vec![("of", of), ("n", Value::from(n))]));
    (
        prop::collection::vec(edge, 0..6),
        prop::collection::vec(name, 0..5),
        prop::collection::vec(size, 0..4),
        prop::option::of(Just(Value::Bool(true))),
    )
        .prop_map(move |(edges, nodes, sizes, root)| {
            object(vec![
                ("edges", Value::List(edges)),
                ("nodes", Value::List(nodes)),
                ("sizes", Value::List(sizes)),
                ("root", root.unwrap_or_default()),
            ])
        })
}
