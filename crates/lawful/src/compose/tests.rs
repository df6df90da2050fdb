//! Properties of compose, over generated books and contexts.

mod snapshots;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use proptest::prelude::*;

use super::*;
use crate::book::{Book, MemorySource, Options, load};
use crate::testing::value;
use crate::value::Value;

#[expect(unreachable_pub, reason = "the benchmark includes this file as a module of its own")]
mod naive;

use naive::Action;

/// `a` to `e` are fragments; `y` and `z` are only names.
const IDS: [&str; 7] = ["a", "b", "c", "d", "e", "y", "z"];

/// Whether a condition is true for values of the axes `x` and `y`.
type Meaning = fn(u32, &str) -> bool;

/// Conditions with their meaning.
const WHENS: [(&str, Meaning); 9] = [
    ("{}", |_, _| true),
    ("{x: 1}", |x, _| x == 1),
    ("{x: 2}", |x, _| x == 2),
    ("{y: p}", |_, y| y == "p"),
    ("{x: 1, y: q}", |x, y| x == 1 && y == "q"),
    ("{path: x, op: gt, value: 1}", |x, _| x > 1),
    ("{any: [{x: 1}, {y: q}]}", |x, y| x == 1 || y == "q"),
    ("{not: {y: p}}", |_, y| y != "p"),
    ("{path: y, op: matches, value: 'q|r'}", |_, y| y == "q"),
];

/// A generated composition.
#[derive(Clone, Debug)]
struct Plan {
    base: Vec<String>,
    order: Option<Vec<String>>,
    /// The number of the condition, and the action.
    rules: Vec<(usize, Action)>,
}

fn any_id() -> impl Strategy<Value = String> {
    prop::sample::select(&IDS).prop_map(str::to_owned)
}

fn any_ids() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(any_id(), 0..4)
}

fn any_rule() -> impl Strategy<Value = (usize, Action)> {
    let action = prop_oneof![
        prop::collection::btree_map(any_id(), any_id(), 1..3)
            .prop_map(|pairs| Action::Replace(pairs.into_iter().collect())),
        (any_ids(), prop::option::of(any_id())).prop_map(|(ids, after)| Action::Add(ids, after)),
        any_ids().prop_map(Action::Forbid),
        any_ids().prop_map(Action::Order),
    ];
    (0..WHENS.len(), action)
}

fn any_plan() -> impl Strategy<Value = Plan> {
    let rules = prop::collection::vec(any_rule(), 0..8);
    (any_ids(), prop::option::of(any_ids()), rules).prop_map(|(base, order, rules)| Plan {
        base,
        order,
        rules,
    })
}

fn any_composition() -> impl Strategy<Value = String> {
    any_plan().prop_map(|plan| plan.text())
}

impl Plan {
    /// The document.
    fn text(&self) -> String {
        let mut text = format!("name: c\nbase: [{}]\n", self.base.join(", "));
        if let Some(order) = &self.order {
            let _ = writeln!(text, "order: [{}]", order.join(", "));
        }
        if !self.rules.is_empty() {
            text += "rules:\n";
        }
        for (when, action) in &self.rules {
            let _ = write!(text, "  - when: {}\n    ", WHENS[*when].0);
            let _ = match action {
                Action::Replace(pairs) => {
                    let pairs: Vec<String> =
                        pairs.iter().map(|(from, to)| format!("{from}: {to}")).collect();
                    writeln!(text, "replace: {{{}}}", pairs.join(", "))
                }
                Action::Add(ids, None) => writeln!(text, "add: [{}]", ids.join(", ")),
                Action::Add(ids, Some(after)) => {
                    writeln!(text, "add: [{}]\n    after: {after}", ids.join(", "))
                }
                Action::Forbid(ids) => writeln!(text, "forbid: [{}]", ids.join(", ")),
                Action::Order(ids) => writeln!(text, "order: [{}]", ids.join(", ")),
            };
        }
        text
    }
}

fn book(composition: &str) -> (Book, Compositions) {
    let mut source = MemorySource::new()
        .with("lawful.yaml", "name: test\naxes: {x: [1, 2, 3], y: [p, q]}\n")
        .with("compositions/c.yaml", composition);
    for id in &IDS[..5] {
        let page = format!("---\nid: {id}\n---\n{id} in ${{y}}\n");
        source = source.with(&format!("fragments/{id}.md"), page);
    }
    let (book, problems) = load(&source, Options::default()).unwrap();
    assert!(problems.is_empty(), "{problems:?}");
    let (compositions, problems) = Compositions::decode(&book);
    assert!(problems.is_empty(), "{problems:?}");
    (book, compositions)
}

fn contexts() -> Vec<Value> {
    let mut out = Vec::new();
    for x in ["1", "2", "3"] {
        for y in ["p", "q"] {
            out.push(value(&format!("{{x: {x}, y: {y}}}")));
        }
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_composition_resolves_as_the_naive_reading_says(plan in any_plan()) {
        let text = plan.text();
        let (book, compositions) = book(&text);
        let composition = compositions.get("c").unwrap();
        let names = |ids: &[FragmentId]| -> Vec<String> {
            ids.iter().map(|id| compositions.name(*id).to_owned()).collect()
        };
        for (x, y) in [(1, "p"), (1, "q"), (2, "p"), (2, "q"), (3, "p"), (3, "q")] {
            let fires: Vec<bool> = plan.rules.iter().map(|(when, _)| WHENS[*when].1(x, y)).collect();
            let actions = plan.rules.iter().map(|(_, action)| action);
            let rules = fires.iter().copied().zip(actions);
            let expected = naive::resolve(&plan.base, plan.order.as_deref(), rules);
            let context = value(&format!("{{x: {x}, y: {y}}}"));
            let found = compositions.resolve(composition, &context, &book.sources, true);
            let rows = &found.trace.rows;
            prop_assert_eq!(rows.iter().map(|row| row.fired).collect::<Vec<_>>(), fires, "{}", text);
            let found_lists = naive::Outcome {
                after: rows.iter().map(|row| names(&row.after)).collect(),
                order: names(&found.order),
                forbidden: names(&found.trace.forbidden),
            };
            prop_assert_eq!(&found_lists, &expected, "{}\n{}", text, context);
            let known = expected.order.iter().filter(|id| IDS[..5].contains(&id.as_str()));
            let bodies: Vec<String> = known.map(|id| format!("{id} in {y}")).collect();
            prop_assert_eq!(found.prompt.text, bodies.join("\n\n"), "{}\n{}", text, context);
        }
    }

    #[test]
    fn what_comes_out_is_what_went_in_less_what_is_forbidden(text in any_composition()) {
        let (book, compositions) = book(&text);
        let composition = compositions.get("c").unwrap();
        for context in contexts() {
            let found = compositions.resolve(composition, &context, &book.sources, true);
            for id in &found.trace.forbidden {
                prop_assert!(!found.order.contains(id), "{text}");
            }
            // Every id occurs once, and was in the base or added by a rule.
            let mut sorted = found.order.clone();
            sorted.sort();
            sorted.dedup();
            prop_assert_eq!(sorted.len(), found.order.len());
            let brought: Vec<FragmentId> =
                found.trace.brought_by.iter().map(|(id, _)| *id).collect();
            for id in &found.order {
                prop_assert!(composition.base.iter().any(|(known, _)| known == id) || brought.contains(id));
            }
            // The last row shows the final list.
            if let Some(last) = found.trace.rows.last() {
                prop_assert_eq!(&last.after, &found.order);
            }
            prop_assert_eq!(found.trace.rows.len(), composition.rules.len());
        }
    }

    #[test]
    fn tracing_changes_nothing_and_resolving_is_repeatable(text in any_composition()) {
        let (book, compositions) = book(&text);
        let composition = compositions.get("c").unwrap();
        for context in contexts() {
            let plain = compositions.resolve(composition, &context, &book.sources, false);
            let traced = compositions.resolve(composition, &context, &book.sources, true);
            prop_assert_eq!(&plain.order, &traced.order);
            prop_assert_eq!(&plain.prompt.text, &traced.prompt.text);
            prop_assert_eq!(&plain.trace.warnings, &traced.trace.warnings);
            // Every line has an origin.
            let lines: Vec<&str> = plain.prompt.lines().iter().map(|line| line.text).collect();
            if !plain.prompt.text.is_empty() {
                prop_assert_eq!(lines.join("\n"), plain.prompt.text);
            }
        }
    }

    #[test]
    fn the_matrix_agrees_with_every_context(text in any_composition()) {
        let (book, compositions) = book(&text);
        let composition = compositions.get("c").unwrap();
        let mut counted: BTreeMap<Vec<FragmentId>, u128> = BTreeMap::new();
        let mut fired = vec![false; composition.rules.len()];
        for context in contexts() {
            let found = compositions.resolve(composition, &context, &book.sources, false);
            *counted.entry(found.order).or_default() += 1;
            for (fired, row) in fired.iter_mut().zip(&found.trace.rows) {
                *fired |= row.fired;
            }
        }
        let matrix = compositions.matrix(composition, &book.manifest).unwrap();
        let classes: BTreeMap<Vec<FragmentId>, u128> = matrix
            .classes
            .iter()
            .map(|class| (class.order.clone(), class.contexts.unwrap()))
            .collect();
        prop_assert_eq!(classes, counted, "{}", text);
        let never: Vec<usize> = (0..fired.len()).filter(|rule| !fired[*rule]).collect();
        prop_assert_eq!(matrix.never_fire, never);
        for class in &matrix.classes {
            let context = class.witness.as_ref().unwrap();
            let found = compositions.resolve(composition, context, &book.sources, false);
            prop_assert_eq!(&found.order, &class.order);
        }
    }
}

#[test]
fn twelve_axes_of_ten_values_are_never_walked() {
    let axes: Vec<String> =
        (0..12).map(|n| format!("x{n}: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]")).collect();
    let source = MemorySource::new()
        .with("lawful.yaml", format!("name: test\naxes: {{{}}}\n", axes.join(", ")))
        .with(
            "compositions/c.yaml",
            "name: c\nbase: [a]\nrules:\n  - when: {x0: 1}\n    add: [b]\n  - when: {x5: 2, x6: 3}\n    add: [c]\n  - when: {path: x11, op: gt, value: 7}\n    forbid: [b]\n",
        );
    let (book, _) = load(&source, Options::default()).unwrap();
    let (compositions, _) = Compositions::decode(&book);
    let matrix = compositions.matrix(compositions.get("c").unwrap(), &book.manifest).unwrap();
    let sum: u128 = matrix.classes.iter().map(|class| class.contexts.unwrap()).sum();
    assert_eq!(sum, 1_000_000_000_000);
    assert_eq!(matrix.classes.len(), 4);
}

#[test]
fn a_matrix_that_is_too_large_says_so() {
    let rules: Vec<String> =
        (0..20).map(|n| format!("  - when: {{x{n}: 1}}\n    add: [f{n}]\n")).collect();
    let rules = rules.concat();
    let source = MemorySource::new()
        .with("lawful.yaml", "name: test\n")
        .with("compositions/c.yaml", format!("name: c\nbase: [a]\nrules:\n{rules}"));
    let (book, _) = load(&source, Options::default()).unwrap();
    let (compositions, _) = Compositions::decode(&book);
    let composition = compositions.get("c").unwrap();
    let problem = compositions.matrix(composition, &book.manifest).unwrap_err();
    assert_eq!(problem.code.name, "matrix-too-large");
    let found = crate::check(&book);
    assert!(found.iter().any(|problem| problem.code.name == "analysis-skipped"));
}

/// Opaque tests are not ignored: a regular expression may match, a list may contain anything.
#[test]
fn the_matrix_leaves_no_context_out() {
    let check = |rules: &str, classes: usize| {
        let source = MemorySource::new()
            .with("lawful.yaml", "name: test\n")
            .with("compositions/c.yaml", format!("name: c\nbase: [a]\nrules:\n{rules}"));
        let (book, _) = load(&source, Options::default()).unwrap();
        let (compositions, problems) = Compositions::decode(&book);
        assert!(problems.is_empty(), "{problems:?}");
        let composition = compositions.get("c").unwrap();
        let matrix = compositions.matrix(composition, &book.manifest).unwrap();
        assert_eq!(matrix.never_fire, [] as [usize; 0], "{rules}");
        assert_eq!(matrix.always_forbidden, [], "{rules}");
        assert_eq!(matrix.classes.len(), classes, "{rules}");
    };
    check("  - when: {path: s, op: matches, value: 'refund'}\n    add: [b]\n", 2);
    check(
        "  - when: {path: t.att, op: exists}\n    add: [b]\n  - when: {path: 't.att[*].mib', op: gt, value: 5}\n    add: [c]\n",
        3,
    );
    check(
        "  - add: [b]\n  - when: {path: s, op: not_matches, value: '^x+$'}\n    forbid: [b]\n",
        2,
    );
    check("  - when: {path: 'l[*]', op: contains, value: x}\n    add: [b]\n", 2);
}

#[test]
fn a_composition_without_rules_has_one_prompt_and_a_witness() {
    let (book, compositions) = book("name: c\nbase: [a, b]\n");
    let matrix = compositions.matrix(compositions.get("c").unwrap(), &book.manifest).unwrap();
    assert_eq!(matrix.classes.len(), 1);
    assert_eq!(matrix.classes[0].contexts, Some(6));
    assert!(matrix.classes[0].witness.is_some());
}

#[test]
fn a_body_is_trimmed_and_its_values_are_not() {
    let source = MemorySource::new()
        .with("lawful.yaml", "name: test\n")
        .with("fragments/a.md", "---\nid: a\n---\n${lead}\n\nLine\n${x}\n")
        .with("fragments/b.md", "---\nid: b\n---\nEnd\n")
        .with("compositions/c.yaml", "name: c\nbase: [a, b]\n");
    let (book, _) = load(&source, Options::default()).unwrap();
    let (compositions, _) = Compositions::decode(&book);
    let composition = compositions.get("c").unwrap();
    let check = |context: &str, text: &str, lines: &[Option<usize>]| {
        let found = compositions.resolve(composition, &value(context), &book.sources, false);
        assert_eq!(found.prompt.text, text);
        let places = found.prompt.lines();
        let places: Vec<_> = places.iter().map(|line| line.place.map(|(_, at)| at)).collect();
        assert_eq!(places, lines);
    };
    let (four, five, six, seven) = (Some(4), Some(5), Some(6), Some(7));
    check("{lead: Hi, x: end}", "Hi\n\nLine\nend\n\nEnd", &[four, five, six, seven, None, four]);
    check(
        "{lead: \" \", x: \"a\\n \"}",
        " \n\nLine\na\n \n\nEnd",
        &[four, five, six, seven, seven, None, four],
    );
}

#[test]
fn a_rule_may_read_the_parent_of_an_axis() {
    let check = |when: &str, expected: &[(&str, u128)]| {
        let source = MemorySource::new()
            .with(
                "lawful.yaml",
                "name: test\naxes: {user.tier: [vip, free], tone: [warm, terse]}\n",
            )
            .with(
                "compositions/c.yaml",
                format!("name: c\nbase: [a]\nrules:\n  - when: {when}\n    add: [b]\n"),
            );
        let (book, _) = load(&source, Options::default()).unwrap();
        let (compositions, problems) = Compositions::decode(&book);
        assert!(problems.is_empty(), "{problems:?}");
        let composition = compositions.get("c").unwrap();
        let matrix = compositions.matrix(composition, &book.manifest).unwrap();
        let found: Vec<(String, u128)> = matrix
            .classes
            .iter()
            .map(|class| {
                let names: Vec<&str> =
                    class.order.iter().map(|id| compositions.name(*id)).collect();
                let witness = class.witness.as_ref().unwrap();
                let resolved = compositions.resolve(composition, witness, &book.sources, false);
                assert_eq!(resolved.order, class.order, "{when}");
                (names.join(" "), class.contexts.unwrap())
            })
            .collect();
        let expected: Vec<(String, u128)> =
            expected.iter().map(|(order, count)| ((*order).to_owned(), *count)).collect();
        assert_eq!(found, expected, "{when}");
    };
    check("{path: user, op: exists}", &[("b a", 4)]);
    check("{user: {tier: vip}}", &[("a", 2), ("b a", 2)]);
    check(
        "{all: [{path: user, op: exists}, {user.tier: vip}, {tone: warm}]}",
        &[("a", 3), ("b a", 1)],
    );
}
