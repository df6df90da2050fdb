//! Compares what the analysis sees with what the cascade does in every context.

use proptest::prelude::*;

use super::*;
use crate::book::{Book, MemorySource, Options, load};
use crate::compose::{Compositions, Effect};
use crate::value::Value;

/// A rule on two axes of two values, with an action on the ids `a` to `d`.
fn rule() -> impl Strategy<Value = String> {
    let when = prop::sample::select(vec!["{x: 1}", "{x: 2}", "{y: 1}", "{x: 1, y: 2}", "{}"]);
    let id = || prop::sample::select(vec!["a", "b", "c", "d"]);
    let action = prop_oneof![
        (id(), id()).prop_map(|(from, to)| format!("replace: {{{from}: {to}}}")),
        (id(), id()).prop_map(|(one, two)| format!("add: [{one}, {two}]")),
        (id(), id()).prop_map(|(one, anchor)| format!("add: [{one}], after: {anchor}")),
        id().prop_map(|id| format!("forbid: [{id}]")),
    ];
    (when, action).prop_map(|(when, action)| format!("{{when: {when}, {action}}}"))
}

fn book(base: &[&str], rules: &[String]) -> Book {
    let (base, rules) = (base.join(", "), rules.join(", "));
    let source = MemorySource::new()
        .with("lawful.yaml", "name: test\naxes: {x: [1, 2], y: [1, 2]}\n")
        .with("compositions/c.yaml", format!("name: c\nbase: [{base}]\nrules: [{rules}]\n"));
    load(&source, Options::default()).unwrap().0
}

/// Every context over the axes, with and without each key.
fn contexts() -> Vec<Value> {
    let part = |key: &str| [String::new(), format!("{key}: 1, "), format!("{key}: 2, ")];
    let (x, y) = (part("x"), part("y"));
    let both = x.iter().flat_map(|x| y.iter().map(move |y| format!("{{{x}{y}}}")));
    both.map(|text| text.parse().unwrap()).collect()
}

proptest! {
    #[test]
    fn what_is_seen_is_what_the_cascade_does(
        rules in prop::collection::vec(rule(), 1..6),
        base in prop::collection::btree_set(prop::sample::select(vec!["a", "b"]), 0..2),
    ) {
        let book = book(&base.into_iter().collect::<Vec<_>>(), &rules);
        let (compositions, _) = Compositions::decode(&book);
        let composition = &compositions.all()[0];
        let subject =
            Subject { book: &book, compositions: &compositions, composition, matrix: None };
        let domains = Domains::of(&book.manifest);
        let mut found = Presence::new(&subject, &domains, Vec::new());
        prop_assert!(found.skipped.is_none());

        // Whether each action ever did something.
        let mut replaced: BTreeMap<(usize, FragmentId), bool> = BTreeMap::new();
        let mut added: BTreeMap<(usize, FragmentId), bool> = BTreeMap::new();
        // Whether each anchor was ever in the list when its rule fired.
        let mut anchored: BTreeMap<(usize, FragmentId), bool> = BTreeMap::new();
        for context in contexts() {
            let made = compositions.resolve(composition, &context, &book.sources, false);
            for (rule, row) in made.trace.rows.iter().enumerate() {
                if let Action::Add { after: Some((anchor, _)), .. } = &composition.rules[rule].action
                    && row.fired
                {
                    let missing = Effect::NoAnchor(*anchor);
                    *anchored.entry((rule, *anchor)).or_default() |=
                        !made.trace.effects_of(row).contains(&missing);
                }
                for effect in made.trace.effects_of(row) {
                    match effect {
                        Effect::Replaced(id, _) => *replaced.entry((rule, *id)).or_default() = true,
                        Effect::NothingToReplace(id) => {
                            replaced.entry((rule, *id)).or_default();
                        }
                        Effect::Added(id) => *added.entry((rule, *id)).or_default() = true,
                        Effect::AlreadyThere(id) => {
                            added.entry((rule, *id)).or_default();
                        }
                        Effect::NoAnchor(_)
                        | Effect::Forbade(_)
                        | Effect::KeepsOut(_)
                        | Effect::Ordered
                        | Effect::Superseded => {}
                    }
                }
            }
        }
        for ((rule, id), ever) in replaced {
            prop_assert_eq!(found.before(rule, id).is_never(), !ever, "{} {:?}", rule, id);
        }
        for ((rule, id), ever) in anchored {
            let seen = found.at_anchor(&subject, &domains, rule, id);
            prop_assert_eq!(seen.is_never(), !ever, "{} {:?}", rule, id);
        }
        for ((rule, id), ever) in added {
            prop_assert_eq!(found.before(rule, id).is_always(), !ever, "{} {:?}", rule, id);
        }
    }
}

#[test]
fn independent_groups_do_not_multiply() {
    // A product of all of them would have 2^60 combinations.
    let rule = |n: usize| format!("{{when: {{k{n}: 1}}, add: [f{n}]}}");
    let rules: Vec<String> = (0..60).map(rule).collect();
    let book = book(&["a"], &rules);
    let (compositions, _) = Compositions::decode(&book);
    let composition = &compositions.all()[0];
    let subject = Subject { book: &book, compositions: &compositions, composition, matrix: None };
    let found = Presence::new(&subject, &Domains::default(), Vec::new());
    assert!(found.skipped.is_none());
}

#[test]
fn what_is_too_large_is_not_guessed() {
    // One group: every rule replaces the same id.
    let rule = |n: usize| format!("{{when: {{k{n}: 1}}, replace: {{a: f{n}}}}}");
    let rules: Vec<String> = (0..60).map(rule).collect();
    let book = book(&["a"], &rules);
    let (compositions, _) = Compositions::decode(&book);
    let composition = &compositions.all()[0];
    let subject = Subject { book: &book, compositions: &compositions, composition, matrix: None };
    let found = Presence::new(&subject, &Domains::default(), Vec::new());
    assert!(found.skipped.is_some());
    let id = compositions.id("a").unwrap();
    assert!(found.before(0, id).is_always());
    let either = Seen { present: true, absent: true };
    assert_eq!((found.before(1, id), found.at_end(id)), (either, either));
}
