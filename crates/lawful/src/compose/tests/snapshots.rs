//! Snapshots are equal if and only if every context has the same prompt.

use proptest::prelude::*;

use super::super::Compositions;
use crate::book::{Book, MemorySource, Options, load};
use crate::value::{Map, Value};

const AXES: [(&str, &[&str]); 4] = [
    ("vip", &["true", "false"]),
    ("eu", &["true", "false"]),
    ("minor", &["true", "false"]),
    ("tier", &["a", "b", "c"]),
];
const IDS: [&str; 4] = ["p", "q", "r", "s"];

fn book(rules: &str) -> (Book, Compositions) {
    let axes: Vec<String> =
        AXES.iter().map(|(name, values)| format!("{name}: [{}]", values.join(", "))).collect();
    let mut source = MemorySource::new()
        .with("lawful.yaml", format!("name: test\naxes: {{{}}}\n", axes.join(", ")))
        .with("compositions/c.yaml", format!("name: c\nbase: [p, q]\nrules:\n{rules}"));
    for id in IDS {
        source = source
            .with(&format!("fragments/{id}.md"), format!("---\nid: {id}\n---\ntext of {id}\n"));
    }
    let (book, problems) = load(&source, Options::default()).unwrap();
    assert!(problems.is_empty(), "{problems:?}");
    let (compositions, problems) = Compositions::decode(&book);
    assert!(problems.is_empty(), "{problems:?}\n{rules}");
    (book, compositions)
}

fn snapshot(rules: &str) -> String {
    let (book, compositions) = book(rules);
    let composition = compositions.get("c").unwrap();
    let matrix = compositions.matrix(composition, &book.manifest).unwrap();
    compositions.snapshot(composition, &book.manifest, &matrix, &book.sources).unwrap()
}

/// The prompt of every context, one after the other.
fn prompts(rules: &str) -> Vec<String> {
    let (book, compositions) = book(rules);
    let composition = compositions.get("c").unwrap();
    let mut contexts = vec![Map::new()];
    for axis in &book.manifest.axes {
        let put = |context: &Map, value: &Value| {
            let mut context = context.clone();
            context.insert(axis.path.to_string(), value.clone());
            context
        };
        contexts = contexts
            .iter()
            .flat_map(|context| {
                axis.values.iter().map(|value| put(context, value)).collect::<Vec<_>>()
            })
            .collect();
    }
    assert_eq!(contexts.len(), 24);
    let prompt = |context: Map| {
        compositions.resolve(composition, &Value::Map(context), &book.sources, false).prompt.text
    };
    contexts.into_iter().map(prompt).collect()
}

fn any_condition() -> impl Strategy<Value = String> {
    let axis = || prop::sample::select(&AXES[..]);
    let leaf = (axis(), 0..3_usize)
        .prop_map(|((name, values), at)| format!("{{{name}: {}}}", values[at % values.len()]));
    leaf.prop_recursive(2, 4, 2, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 2)
                .prop_map(|all| format!("{{all: [{}]}}", all.join(", "))),
            prop::collection::vec(inner.clone(), 2)
                .prop_map(|any| format!("{{any: [{}]}}", any.join(", "))),
            inner.prop_map(|inner| format!("{{not: {inner}}}")),
        ]
    })
}

fn any_action() -> impl Strategy<Value = String> {
    let id = || prop::sample::select(&IDS[..]);
    prop_oneof![
        id().prop_map(|id| format!("add: [{id}]")),
        id().prop_map(|id| format!("forbid: [{id}]")),
        (id(), id()).prop_map(|(from, to)| format!("replace: {{{from}: {to}}}")),
        (id(), id()).prop_map(|(one, other)| format!("order: [{one}, {other}]")),
    ]
}

fn any_rules() -> impl Strategy<Value = Vec<(String, String)>> {
    prop::collection::vec((any_condition(), any_action()), 1..4)
}

fn written(rules: &[(String, String)]) -> String {
    let rule = |(when, action): &(String, String)| format!("  - when: {when}\n    {action}\n");
    rules.iter().map(rule).collect::<Vec<_>>().concat()
}

fn check(one: &str, other: &str) -> Result<(), TestCaseError> {
    let same = prompts(one) == prompts(other);
    let (first, second) = (snapshot(one), snapshot(other));
    prop_assert_eq!(first == second, same, "{}\n{}\n{}\n{}", one, other, first, second);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn two_books_agree_in_their_snapshots_and_prompts_alike(one in any_rules(), other in any_rules()) {
        check(&written(&one), &written(&other))?;
    }

    /// Most changes of one condition are small, and many make no difference.
    #[test]
    fn a_changed_condition_is_seen_where_a_prompt_changes(rules in any_rules(), at in 0..4_usize, when in any_condition()) {
        let mut changed = rules.clone();
        let at = at % changed.len();
        changed[at].0 = when;
        check(&written(&rules), &written(&changed))?;
    }

    /// The same condition, written so that its paths are read in another order.
    #[test]
    fn how_a_condition_is_written_makes_no_difference(first in any_condition(), second in any_condition(), action in any_action()) {
        let one = format!("  - when: {{all: [{first}, {second}]}}\n    {action}\n");
        let other = format!("  - when: {{not: {{any: [{{not: {second}}}, {{not: {first}}}]}}}}\n    {action}\n");
        prop_assert_eq!(snapshot(&one), snapshot(&other));
    }
}

#[test]
fn equal_values_of_other_axes_are_told_apart() {
    let rules = |when: &str| format!("  - when: {{{when}}}\n    forbid: [q]\n");
    let (one, other) = (rules("minor: true, eu: false"), rules("minor: true, vip: false"));
    assert_ne!(prompts(&one), prompts(&other));
    assert_ne!(snapshot(&one), snapshot(&other));
}

#[test]
fn a_snapshot_says_which_contexts_lead_to_a_prompt() {
    let rules = "  - when: {any: [{minor: true, eu: false}, {tier: c}]}\n    forbid: [q]\n";
    assert_eq!(
        snapshot(rules),
        "# every prompt of `c`, written by `lawful matrix` (form 2)\n\
         # axis eu: false|true\n\
         # axis minor: false|true\n\
         # axis tier: \"a\"|\"b\"|\"c\"\n\
         # axis vip: false|true\n\
         \n\
         == 12 contexts\n   \
            eu: false, minor: false, tier: \"c\"\n   \
            eu: false, minor: true\n   \
            eu: true, tier: \"c\"\n\
         -- p\n\
         | text of p\n\
         \n\
         == 12 contexts\n   \
            eu: false, minor: false, tier: \"a\"|\"b\"\n   \
            eu: true, tier: \"a\"|\"b\"\n\
         -- p q\n\
         | text of p\n\
         |\n\
         | text of q\n"
    );
}

/// Undeclared paths are split into the classes that the rules distinguish.
#[test]
fn paths_without_an_axis_are_written_down_too() {
    let rules = |when: &str| format!("  - when: {when}\n    forbid: [q]\n");
    let snapshots: Vec<String> = [
        "{path: age, op: gt, value: 17}",
        "{path: age, op: gt, value: 18}",
        "{path: years, op: gt, value: 17}",
        "{path: name, op: matches, value: '^x'}",
        "{path: name, op: matches, value: '^y'}",
        "{path: 'tags[*]', op: contains, value: x}",
        "{path: 'tags[*]', op: contains, value: y}",
    ]
    .map(|when| snapshot(&rules(when)))
    .to_vec();
    for (at, one) in snapshots.iter().enumerate() {
        assert!(!snapshots[..at].contains(one), "{one}");
    }
}
