//! A condition and a document, split at the first line `---`.
//!
//! Checks these properties: a condition prints in the stored form and decodes back to itself;
//! checking finds an error exactly when compiling fails; evaluating twice gives the same result; an
//! explanation has the result that it explains; `not` inverts every result; and what the partition
//! is certain of is true.

#![no_main]

use std::sync::LazyLock;

use lawful::Value;
use lawful::cond::partition::{Answer, Caps, Domains, Partition};
use lawful::cond::{
    ArgKind, ArgSpec, CondId, Condition, ConditionKind, ConditionSet, Outcome, Primitive, Registry,
    SavedCondition, Surface, decode, decode_when, lint,
};
use lawful::syntax::{Format, Limits, Node, Sources, Span, parse, render, text};
use lawful_fuzz::{check_harmless, check_json, check_problems, has_error, read_clean};
use libfuzzer_sys::fuzz_target;

static REGISTRY: LazyLock<Registry> = LazyLock::new(registry);

fuzz_target!(|input: &str| {
    let (written, data) = input.split_once("\n---\n").unwrap_or((input, "{}"));
    let mut sources = Sources::default();
    let Some(node) = read_clean(&mut sources, written, Format::Yaml) else { return };
    let document = read_clean(&mut sources, data, Format::Yaml);
    let document = document.map_or(Value::Null, Value::from_owned_node);

    let (condition, problems) = decode(&node);
    check_problems(&sources, &problems);
    if has_error(&problems) {
        let found = REGISTRY.validate(&condition);
        check_problems(&sources, &found);
        assert!(REGISTRY.compile(&condition).is_err(), "a broken tree compiles: {problems:?}");
        return;
    }
    let (when, _) = decode_when(Some(&node));
    assert_eq!(condition, when, "a `when` decodes a condition differently");

    let printed = print_and_decode(&condition);
    assert_eq!(printed, condition, "the stored form has another meaning");

    let problems = REGISTRY.validate(&condition);
    check_problems(&sources, &problems);
    let Ok((set, id, _)) = REGISTRY.compile(&condition) else {
        assert!(has_error(&problems), "compiling fails, but checking finds no error");
        return;
    };
    assert!(!has_error(&problems), "compiling succeeds, but checking finds {problems:?}");

    let outcome = decide(&set, id, &document);
    check_together(&condition, &document, outcome);
    check_partition(&set, id, outcome);
    check_problems(&sources, &lint(&condition, &REGISTRY, &Domains::default(), CAPS));
    let (again, again_id, _) = REGISTRY.compile(&printed).expect("the stored form compiles too");
    assert_eq!(
        decide(&again, again_id, &document),
        outcome,
        "the stored form evaluates differently"
    );
});

/// Evaluates and explains a condition.
fn decide(set: &ConditionSet, id: CondId, document: &Value) -> Outcome {
    let mut run = set.run(document);
    let outcome = run.outcome(id);
    assert_ne!(outcome, Outcome::NotEvaluated);
    assert_eq!(run.outcome(id), outcome, "evaluated twice");
    assert_eq!(set.run(document).outcome(id), outcome, "run twice");

    let why = set.explain(id, document, &run.finish());
    assert_eq!(why.result, outcome, "the explanation has another result");
    let json = render::to_json(&why).expect("an explanation is JSON");
    check_harmless(&json);
    check_json(&json);
    for path in set.reads(id) {
        assert_eq!(lawful::Path::parse(&path.to_string()).as_ref(), Ok(path));
    }
    outcome
}

/// A condition has the same result in a set with others, and its negation has the opposite one.
fn check_together(condition: &Condition, document: &Value, outcome: Outcome) {
    let negated = Condition::not(condition.clone());
    let mut builder = REGISTRY.set();
    let (predicate, _) = builder.add(condition, Surface::Predicate);
    let (opposite, _) = builder.add(&negated, Surface::When);
    let (same, _) = builder.add(condition, Surface::When);
    let set = builder.finish();
    let mut run = set.run(document);
    assert!(predicate.is_some(), "a condition compiles on one surface, but not on the other");
    predicate.map(|id| run.outcome(id));
    // The negation is one level deeper, so it alone may reach the limit.
    if let Some(opposite) = opposite {
        let expected = match outcome {
            Outcome::True => Outcome::False,
            Outcome::False => Outcome::True,
            Outcome::Error | Outcome::NotEvaluated => outcome,
        };
        assert_eq!(run.outcome(opposite), expected, "`not` does not invert the result");
    }
    let same = same.expect("it compiled alone");
    assert_eq!(run.outcome(same), outcome, "it evaluates differently in a set with others");
    let outcomes = run.finish();
    assert_eq!(set.explain(same, document, &outcomes).result, outcome);
}

/// Small, so that an input costs little. Above these limits there is no answer to check.
const CAPS: Caps = Caps { classes: 200, variables: 30, size: 20_000, outcomes: 100, work: 100_000 };

/// A document is one of the contexts that the partition covers, so no certain answer may contradict
/// its result.
fn check_partition(set: &ConditionSet, id: CondId, outcome: Outcome) {
    let Ok(mut partition) = Partition::new(set, &[id], &Domains::default(), CAPS) else { return };
    if partition.is_always(id) {
        assert_eq!(outcome, Outcome::True, "the partition says that it is always true");
    }
    for (answer, wanted) in
        [(partition.can_hold(id), Outcome::True), (partition.can_fail(id), Outcome::False)]
    {
        match answer {
            Answer::Yes(witness) => assert_eq!(set.run(&witness).outcome(id), wanted),
            Answer::No => {
                assert_ne!(outcome, wanted, "the partition says that no context has this result")
            }
            Answer::Unknown => {}
        }
    }
    if let Ok(classes) = partition.outcomes(&[id]) {
        let named = classes.iter().any(|class| class.outcomes == [outcome]);
        assert!(named, "{outcome:?} is not among {classes:?}");
        for class in classes {
            if let Answer::Yes(witness) = class.witness {
                assert_eq!([set.run(&witness).outcome(id)], *class.outcomes);
            }
        }
    }
    assert_ne!(partition.implies(id, id), Ok(Some(false)), "it does not imply itself");
}

/// The stored form, written as JSON and decoded again.
fn print_and_decode(condition: &Condition) -> Condition {
    let written = condition.to_value().to_string();
    check_harmless(&written);
    let node = parse_stored(&written);
    let (decoded, problems) = decode(&node);
    assert!(!has_error(&problems), "{written} does not decode: {problems:?}");
    decoded
}

fn parse_stored(written: &str) -> Node {
    let mut sources = Sources::default();
    let (file, _) = text::add(&mut sources, "stored.json", written.as_bytes());
    // The stored form of a test nests up to four levels deeper than the shortest way to write it.
    let limits = Limits { depth: Limits::default().depth + 4, ..Limits::default() };
    match parse(&sources, file, Format::Json, &limits) {
        (Some(node), problems) if problems.is_empty() => node,
        (_, problems) => panic!("{written} is not JSON: {problems:?}"),
    }
}

/// Saved conditions of every sort (a valid one, two in a cycle, an invalid one), and a primitive
/// that fails if its input is not a boolean.
fn registry() -> Registry {
    const BROKEN: Condition = Condition { kind: ConditionKind::Broken, span: Span::NONE };
    let mut builder = Registry::builder();
    let saved = |id: &str, tree: Option<&str>| SavedCondition {
        id: id.into(),
        id_span: Span::NONE,
        tree: tree.map_or(BROKEN, |text| text.parse().expect("a condition")),
    };
    for condition in [
        saved("vip", Some("{user.tier: vip}")),
        saved("quiet-vip", Some("all: [{ref: vip}, {path: 'tags[*]', op: contains, value: q}]")),
        saved("round", Some("any: [{ref: about}, {ref: vip}]")),
        saved("about", Some("not: {ref: round}")),
        saved("broken", None),
    ] {
        builder.saved(condition).expect("the ids differ");
    }
    let flag = Primitive::new("host.flag", |args| {
        let wanted = args.get("is") != Some(&Value::Bool(false));
        if args.text("mode") == "refuse" {
            return Err("refused".to_owned());
        }
        Ok(move |inputs: &lawful::cond::Inputs<'_>| match inputs.get(0) {
            Some(Value::Bool(flag)) => Ok(*flag == wanted),
            Some(other) => Err(format!("the flag is {}", other.kind_name())),
            None => Err("there is no flag".to_owned()),
        })
    })
    .reads("flag")
    .arg(ArgSpec::optional("is", ArgKind::Bool))
    .arg(ArgSpec::optional("mode", ArgKind::Text));
    builder.primitive(flag).expect("the id is free");
    builder.build()
}
