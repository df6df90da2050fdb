//! Properties of the condition language, compared with a naive reference implementation.

use proptest::prelude::*;

use super::*;
use crate::testing::{condition, messages, value};
use crate::value::Value;

mod lazy;
mod reference;

const PATHS: [&str; 9] =
    ["a", "b", "a.b", "a[0]", "a[1].b", "a[*]", "a[*].b", "b[*][*]", "[\"a\"][*].b[*]"];

pub(super) fn any_scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<bool>().prop_map(Value::from),
        (0_i64..4).prop_map(Value::from),
        prop_oneof![Just("0.5"), Just("1.0"), Just("2.5")].prop_map(value_of),
        prop_oneof![Just(""), Just("x"), Just("xy"), Just("yx"), Just("1")].prop_map(Value::from),
    ]
}

fn value_of(yaml: &str) -> Value {
    value(&format!("[{yaml}]")).into_only()
}

impl Value {
    fn into_only(self) -> Self {
        match self {
            Self::List(mut items) => items.pop().unwrap(),
            Self::Null | Self::Bool(_) | Self::Number(_) | Self::Text(_) | Self::Map(_) => panic!(),
        }
    }
}

pub(super) fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![1 => Just(Value::Null), 4 => any_scalar()];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::List),
            prop::collection::btree_map("[ab]", inner, 0..3).prop_map(|map| {
                Value::Map(map.into_iter().map(|(key, value)| (key.into(), value)).collect())
            }),
        ]
    })
}

pub(crate) fn any_document() -> impl Strategy<Value = Value> {
    prop::collection::btree_map("[ab]", any_value(), 0..3).prop_map(|map| {
        Value::Map(map.into_iter().map(|(key, value)| (key.into(), value)).collect())
    })
}

pub(super) fn any_operand(operator: Operator) -> BoxedStrategy<Option<Value>> {
    let present = any_value().prop_filter("null is refused", |value| value.present().is_some());
    let set = prop::collection::vec(any_scalar(), 0..3);
    match operator {
        Operator::Exists | Operator::NotExists => Just(None).boxed(),
        Operator::Equals | Operator::NotEquals | Operator::Contains | Operator::NotContains => {
            present.prop_map(Some).boxed()
        }
        Operator::AnyOf | Operator::NoneOf => set.prop_map(|set| Some(Value::List(set))).boxed(),
        Operator::GreaterThan | Operator::LessThan | Operator::AtLeast | Operator::AtMost => {
            prop_oneof![(0_i64..4).prop_map(Value::from), Just(value_of("1.5"))]
                .prop_map(Some)
                .boxed()
        }
        Operator::MinLength | Operator::MaxLength => {
            (0_i64..4).prop_map(|count| Some(count.into())).boxed()
        }
        Operator::Matches | Operator::NotMatches => {
            prop_oneof![Just("x"), Just("^x"), Just("y$"), Just("^$"), Just("[xy]{2}")]
                .prop_map(|text| Some(text.into()))
                .boxed()
        }
        Operator::StartsWith | Operator::EndsWith => {
            prop_oneof![Just(""), Just("x"), Just("y")].prop_map(|text| Some(text.into())).boxed()
        }
    }
}

pub(super) fn any_test() -> impl Strategy<Value = Condition> {
    test_of(Operator::all().collect(), &[None, None, None, Some("all"), Some("any"), Some("none")])
}

fn test_of(
    operators: Vec<Operator>,
    quantifiers: &'static [Option<&'static str>],
) -> impl Strategy<Value = Condition> {
    let operator = prop::sample::select(operators);
    let path = prop::sample::select(&PATHS);
    let quantifier = prop::sample::select(quantifiers);
    (operator, path, quantifier).prop_flat_map(|(operator, path, quantifier)| {
        any_operand(operator).prop_map(move |operand| {
            let args = [
                Some(("path", Value::from(path))),
                operand.map(|value| ("value", value)),
                quantifier.map(|quantifier| ("quantifier", Value::from(quantifier))),
            ];
            Condition::with_args(operator.id(), args.into_iter().flatten())
        })
    })
}

pub(super) fn any_condition() -> impl Strategy<Value = Condition> {
    any_test().prop_recursive(4, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Condition::all),
            prop::collection::vec(inner.clone(), 0..4).prop_map(Condition::any),
            inner.prop_map(Condition::not),
        ]
    })
}

fn outcome(condition: &Condition, surface: Surface, document: &Value) -> Outcome {
    let registry = Registry::default();
    let mut set = registry.set();
    let (id, problems) = set.add(condition, surface);
    let id = id.unwrap_or_else(|| panic!("{}", messages(&problems)));
    let set = set.finish();
    set.run(document).outcome(id)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn evaluation_agrees_with_the_naive_reading(
        condition in any_condition(),
        document in any_document(),
        predicate in any::<bool>(),
    ) {
        let surface = if predicate { Surface::Predicate } else { Surface::When };
        let expected = reference::holds(&condition, surface, &document);
        let found = outcome(&condition, surface, &document);
        prop_assert_eq!(found == Outcome::True, expected, "{} on {}", condition.to_value(), document);
    }

    #[test]
    fn decoding_what_was_printed_gives_the_same_tree(condition in any_condition()) {
        let printed = condition.to_value().to_string();
        let (decoded, _) = decode(&crate::testing::node(&printed));
        prop_assert_eq!(decoded, condition);
    }

    /// Sharing parts and paths between conditions changes neither a result nor an explanation.
    #[test]
    fn a_set_decides_as_each_condition_alone(
        conditions in prop::collection::vec(any_condition(), 1..6),
        document in any_document(),
    ) {
        let registry = Registry::default();
        let mut builder = registry.set();
        let ids: Vec<CondId> =
            conditions.iter().map(|c| builder.add(c, Surface::When).0.unwrap()).collect();
        let set = builder.finish();
        let mut run = set.run(&document);
        let together: Vec<Outcome> = ids.iter().map(|id| run.outcome(*id)).collect();
        let outcomes = run.finish();
        for ((condition, id), together) in conditions.iter().zip(&ids).zip(together) {
            let (alone, only, _) = registry.compile(condition).unwrap();
            let mut run = alone.run(&document);
            prop_assert_eq!(run.outcome(only), together);
            let explained = alone.explain(only, &document, &run.finish());
            prop_assert_eq!(explained.result, together);
            prop_assert_eq!(set.explain(*id, &document, &outcomes), explained);
        }
    }

    #[test]
    fn nothing_is_evaluated_after_the_answer_is_clear(
        condition in any_condition(),
        document in any_document(),
    ) {
        let (set, id, _) = Registry::default().compile(&condition).unwrap();
        let mut run = set.run(&document);
        run.outcome(id);
        let explanation = set.explain(id, &document, &run.finish());
        check_short_circuit(&explanation);
    }

    /// In a `when`, every negative operator is the complement of its positive one.
    #[test]
    fn twins_are_complements(
        test in test_of(Operator::all().filter_map(Operator::complement_of).collect(), &[None]),
        document in any_document(),
    ) {
        let ConditionKind::Ref(reference) = &test.kind else { panic!() };
        let operator = Operator::with_id(&reference.id).unwrap();
        let twin = Operator::all().find(|twin| twin.complement_of() == Some(operator));
        let mut other = reference.clone();
        other.id = twin.unwrap().id().into();
        let other = Condition { kind: ConditionKind::Ref(other), span: test.span };
        prop_assert_ne!(
            outcome(&test, Surface::When, &document),
            outcome(&other, Surface::When, &document)
        );
    }
}

fn check_short_circuit(explanation: &Explanation) {
    let decisive = match explanation.kind {
        ExplanationKind::All => Some(Outcome::False),
        ExplanationKind::Any => Some(Outcome::True),
        ExplanationKind::Not | ExplanationKind::Ref | ExplanationKind::Test => None,
    };
    let mut decided = explanation.result == Outcome::NotEvaluated;
    for child in &explanation.children {
        assert_eq!(child.result == Outcome::NotEvaluated, decided, "{explanation:?}");
        check_short_circuit(child);
        decided |= Some(child.result) == decisive;
    }
}

#[test]
fn a_registration_needs_a_dot_a_free_id_and_plain_reads() {
    let always = |_: &Args| Ok(|_: &Inputs<'_>| Ok(true));
    let mut builder = Registry::builder();
    let error = builder.primitive(Primitive::new("stage", always)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the id `stage` of a primitive must contain a `.`, as in `deal.stage`"
    );
    builder.primitive(Primitive::new("deal.stage", always)).unwrap();
    let error = builder.primitive(Primitive::new("deal.stage", always)).unwrap_err();
    assert_eq!(error.to_string(), "the id `deal.stage` is already taken");
    let error = builder.primitive(Primitive::new("value.equals", always)).unwrap_err();
    assert_eq!(error.to_string(), "the id `value.equals` is already taken");
    let error = builder.primitive(Primitive::new("x.y", always).reads("a[*]")).unwrap_err();
    assert!(error.to_string().contains("contains `[*]`"), "{error}");
    let id = "deal.stage".into();
    let saved =
        SavedCondition { id, id_span: crate::syntax::Span::NONE, tree: Condition::always() };
    assert_eq!(builder.saved(saved.clone()).unwrap_err().code.name, "duplicate-id");
    let mut builder = Registry::builder();
    builder.saved(saved).unwrap();
    let error = builder.primitive(Primitive::new("deal.stage", always)).unwrap_err();
    assert_eq!(error, RegistrationError::Taken("deal.stage".into()));
}

#[test]
fn a_host_primitive_has_its_arguments_checked() {
    let build = |args: &Args| {
        if args.text("stage") == "lost" {
            return Err("lost deals are not tracked".to_owned());
        }
        Ok(|_: &Inputs<'_>| Ok(true))
    };
    let mut builder = Registry::builder();
    let stages = ["won", "lost", "open"];
    let primitive = Primitive::new("deal.stage", build)
        .arg(ArgSpec::one_of("stage", &stages))
        .arg(ArgSpec::optional("days", ArgKind::Number));
    builder.primitive(primitive).unwrap();
    let registry = builder.build();
    let check = |yaml: &str, expected: &str| {
        assert_eq!(messages(&registry.validate(&condition(yaml))), expected, "{yaml}");
    };
    check("{ref: deal.stage, args: {stage: won}}", "");
    check("{ref: deal.stage, args: {stage: won, days: 3}}", "");
    check("{ref: deal.stage}", "bad-args: `deal.stage` needs the argument `stage`");
    check(
        "{ref: deal.stage, args: {stage: wom}}",
        "bad-args: invalid value `wom` for the argument `stage`",
    );
    check(
        "{ref: deal.stage, args: {stage: 1, day: 2, days: x}}",
        "bad-args: `deal.stage` has no argument `day`\n\
         bad-args: the argument `stage` must be a string, found a number\n\
         bad-args: the argument `days` must be a number, found a string",
    );
    check("{ref: deal.stage, args: [won]}", "bad-args: `args` must be a mapping, found a list");
    check(
        "{ref: deal.stage, args: {stage: lost}}",
        "bad-args: `deal.stage` rejects its arguments: lost deals are not tracked",
    );
}

/// A few lines that would expand to more than a billion nodes.
#[test]
fn saved_conditions_cannot_grow_without_bound() {
    let mut builder = Registry::builder();
    for n in 0..30 {
        let next = format!("c{}", n + 1);
        let tree = Condition::all([Condition::reference(&next), Condition::reference(&next)]);
        save(&mut builder, &format!("c{n}"), tree);
    }
    save(&mut builder, "c30", condition("{a: 1}"));
    let problems = builder.build().validate(&Condition::reference("c0"));
    let codes: Vec<&str> = problems.iter().map(|problem| problem.code.name).collect();
    assert_eq!(codes, ["condition-too-large"]);
}

#[test]
fn a_chain_of_saved_conditions_cannot_exhaust_the_stack() {
    let mut builder = Registry::builder();
    for n in 0..100_000 {
        let next = Condition::reference(&format!("c{}", n + 1));
        save(&mut builder, &format!("c{n}"), Condition::not(next));
    }
    save(&mut builder, "c100000", condition("{a: 1}"));
    let registry = builder.build();
    let codes = |problems: Vec<crate::syntax::Diagnostic>| {
        problems.iter().map(|problem| problem.code.name).collect::<Vec<_>>()
    };
    assert_eq!(codes(registry.validate(&Condition::reference("c0"))), ["condition-too-large"]);
    assert!(registry.validate(&Condition::reference("c99990")).is_empty());
    // In one set too: a chain that is too long does not affect the others.
    let mut set = registry.set();
    assert!(set.add(&Condition::reference("c0"), Surface::When).0.is_none());
    assert!(set.add(&Condition::reference("c99990"), Surface::When).0.is_some());
    let (again, problems) = set.add(&Condition::reference("c1"), Surface::When);
    assert!(again.is_none());
    assert_eq!(codes(problems), ["broken-condition"]);
}

#[test]
fn regular_expressions_share_one_budget() {
    let limits = crate::Limits { pattern_bytes: 1 << 20, ..crate::Limits::default() };
    let registry = Registry::builder().limits(limits).build();
    let patterns = (0..200).map(|n| {
        Condition::test("a", Operator::Matches, Some(format!("\\w{{{}}}", n + 10).as_str().into()))
    });
    let problems = registry.validate(&Condition::any(patterns));
    assert!(problems.iter().any(|problem| problem.code.name == "condition-too-large"));
    assert!(registry.validate(&condition("{path: a, op: matches, value: 'x{3}'}")).is_empty());
}

fn save(builder: &mut RegistryBuilder, id: &str, tree: Condition) {
    let id_span = crate::syntax::Span::NONE;
    builder.saved(SavedCondition { id: id.into(), id_span, tree }).unwrap();
}

/// A saved condition is a snapshot of its registry, with the default quantifier of where it is
/// used.
#[test]
fn a_saved_condition_follows_the_surface_it_is_asked_on() {
    let mut builder = Registry::builder();
    save(&mut builder, "passed", condition("{path: 'tests[*]', op: eq, value: true}"));
    let registry = builder.build();
    let mut set = registry.set();
    let when = set.add(&Condition::reference("passed"), Surface::When).0.unwrap();
    let predicate = set.add(&Condition::reference("passed"), Surface::Predicate).0.unwrap();
    let again = set.add(&Condition::reference("passed"), Surface::When).0.unwrap();
    let set = set.finish();
    let document = value("tests: [true, false]");
    let mut run = set.run(&document);
    assert_eq!(run.outcome(when), Outcome::True);
    assert_eq!(run.outcome(predicate), Outcome::False);
    assert_eq!(run.outcome(again), Outcome::True);
}
