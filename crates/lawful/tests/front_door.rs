//! The library from outside, exactly as a program uses it.

#![allow(clippy::indexing_slicing, clippy::unwrap_used, reason = "this is a test")]

use lawful::book::{Book, MemorySource};
use lawful::cond::{
    Args, Condition, ConditionSet, Inputs, Outcome, Primitive, Registry, RegistryBuilder,
};
use lawful::verify::{Rulespec, Verdict};
use lawful::{Diagnostics, Error, Lawbook, Value};
use serde_json::json;

const DESK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/support-desk");

#[test]
fn every_verb_answers() -> Result<(), Box<dyn std::error::Error>> {
    let book = lawful::Lawbook::open(DESK)?;
    let composed = book.compose("reply").context(json!({"tone": "terse"})).run()?;
    let text: String = composed.text;
    let order: Vec<String> = composed.order;
    assert!(text.contains("the Northlight desk"), "{text}");
    assert!(order.contains(&"tone-terse".to_owned()));
    let answer = book.eval(&"{tier: vip}".parse()?, &json!({"tier": "vip"}))?;
    assert_eq!(answer.result, Outcome::True);
    let step = book.step(book.start(), &json!({"user": "hello"}).try_into()?);
    assert_eq!((step.session.turn, step.effects.len(), step.trace.fired.len()), (1, 0, 0));
    let verdict = book.verify(&json!({"facts": {}})).observed(&json!({})).run()?;
    assert_eq!(verdict.verdict, Verdict::Fail);
    let report = book.check();
    assert!(report.diagnostics.is_empty(), "{}", report.diagnostics);
    Ok(())
}

#[test]
fn what_a_server_shares_may_be_shared() {
    fn shared<T: Send + Sync + 'static>() {}
    shared::<Lawbook>();
    shared::<Book>();
    shared::<Registry>();
    shared::<RegistryBuilder>();
    shared::<ConditionSet>();
    shared::<Rulespec>();
    shared::<lawful::compose::Compositions>();
    shared::<lawful::react::Rules>();
    shared::<Error>();
    shared::<Diagnostics>();
}

#[test]
fn an_error_prints_its_place_and_a_way_out() {
    let error = "{path: tier, op: equalls, value: vip}".parse::<Condition>().unwrap_err();
    let shown = error.to_string();
    assert!(shown.contains("error[unknown-operator]"), "{shown}");
    assert!(shown.contains("condition:1:18"), "{shown}");
    assert!(shown.contains("did you mean `equals`"), "{shown}");
    let source = MemorySource::new().with("lawful.yaml", "name: desk");
    let book = Lawbook::load(&source).unwrap();
    let error = book.compose("replly").run().unwrap_err();
    assert!(error.to_string().contains("unknown composition `replly`"), "{error}");
    assert!(error.diagnostics()[0].code == "unknown-composition");
    assert!(book.verify(&json!({"facts": {}})).run().is_err());
    assert!(Lawbook::load(&MemorySource::new()).unwrap_err().to_string().contains("lawful.yaml"));
    assert!(Lawbook::open("/no/such/folder").is_err());
}

#[test]
fn results_serialise_to_the_json_of_the_command_line() {
    let book = Lawbook::open(DESK).unwrap();
    let keys = |value: serde_json::Value| -> Vec<String> {
        value.as_object().unwrap().keys().cloned().collect()
    };
    let composed = book.compose("reply").run().unwrap();
    let composed = keys(serde_json::to_value(&composed).unwrap());
    let mut expected =
        ["composition", "context", "order", "text", "sections", "insertions", "tokens", "trace"];
    expected.sort_unstable();
    let mut composed = composed;
    composed.sort();
    assert_eq!(composed, expected);
    let step = book.step(book.start(), &json!({}).try_into().unwrap());
    let mut step = keys(serde_json::to_value(&step).unwrap());
    step.sort();
    assert_eq!(step, ["diagnostics", "effects", "state", "trace"]);
}

#[test]
fn values_convert_both_ways_and_nothing_is_rounded() {
    let json = json!({"a": [1, 2.5, "x", null, true], "b": {"c": -3}});
    let value = Value::from(json.clone());
    assert_eq!(serde_json::Value::from(value.clone()), json);
    assert_eq!(Value::of(&json).unwrap(), value);
    assert_eq!(serde_json::from_value::<Value>(json).unwrap(), value);
    assert!(Value::of(&u64::MAX).is_err());
    assert!(Value::of(&f64::NAN).is_err());
    assert!(Value::of(&std::collections::BTreeMap::from([(1, 2)])).is_err());
    assert!("a: [".parse::<Value>().is_err());
}

#[test]
fn conditions_convert_both_ways() {
    let condition: Condition = "{tier: vip}".parse().unwrap();
    let stored = serde_json::to_value(&condition).unwrap();
    assert_eq!(stored["type"], "ref");
    assert_eq!(serde_json::from_value::<Condition>(stored.clone()).unwrap(), condition);
    assert_eq!(Condition::from(stored), condition);
    assert!(serde_json::from_value::<Condition>(json!({"type": "alll", "rules": []})).is_err());
    // What is not a condition never compiles, and says so.
    let broken = Condition::from(json!(3));
    let problems = Registry::default().compile(&broken).unwrap_err();
    assert!(problems[0].code == "broken-condition");
}

#[test]
fn compiling_returns_warnings() {
    let empty: Condition = "all: []".parse().unwrap();
    let (_, _, warnings) = Registry::default().compile(&empty).unwrap();
    assert!(warnings[0].code == "empty-all");
}

#[test]
fn primitives_are_registered_once_and_survive_a_reload() {
    let open = Primitive::new("desk.open", |_: &Args| Ok(|_: &Inputs<'_>| Ok(true)));
    let source = MemorySource::new()
        .with("lawful.yaml", "name: desk")
        .with("conditions/a.yaml", "working: {ref: desk.open}");
    let book = Lawbook::options().primitive(open).unwrap().load(&source).unwrap();
    assert_eq!(book.check().errors, 0);
    let book = book.reload(&source.with("conditions/b.yaml", "vip: {tier: vip}")).unwrap();
    assert_eq!(book.check().errors, 0);
    let condition: Condition = "all: [{ref: working}, {ref: vip}]".parse().unwrap();
    assert_eq!(book.eval(&condition, &json!({"tier": "vip"})).unwrap().result, Outcome::True);
}

#[test]
fn a_condition_of_another_set_is_an_error_and_never_an_answer() {
    let registry = Registry::default();
    let (one, first, _) = registry.compile(&"{a: 1}".parse().unwrap()).unwrap();
    let (other, second, _) = registry.compile(&"{b: 1}".parse().unwrap()).unwrap();
    let document: Value = "{a: 1, b: 1}".parse().unwrap();
    assert_eq!(one.run(&document).outcome(first), Outcome::True);
    let mut run = one.run(&document);
    assert_eq!(run.outcome(second), Outcome::Error);
    let why = one.explain(second, &document, &run.finish());
    assert_eq!(why.note.as_deref(), Some("the condition belongs to another set"));
    assert!(one.reads(second).is_empty());
    assert_eq!(other.reads(second).len(), 1);
}

#[test]
fn a_condition_from_text_points_into_no_other_file() {
    let book = Lawbook::open(DESK).unwrap();
    let answer = book.eval(&"{ref: nosuch}".parse().unwrap(), &json!({})).unwrap();
    assert_eq!(answer.result, Outcome::Error);
    assert_eq!(answer.diagnostics.views()[0].file, None);
}

#[test]
fn what_nests_too_deeply_is_refused() {
    let mut deep = json!(1);
    for _ in 0..400 {
        deep = json!([deep]);
    }
    assert!(Value::of(&deep).is_err());
    let book = Lawbook::load(&MemorySource::new().with("lawful.yaml", "name: desk")).unwrap();
    assert!(book.eval(&"{a: 1}".parse().unwrap(), &json!({"a": deep})).is_err());
    let mut condition = json!({"a": 1});
    for _ in 0..300 {
        condition = json!({"not": condition});
    }
    assert!(Registry::default().compile(&Condition::from(condition)).is_err());
}

#[test]
fn check_and_the_matrix_name_the_same_largest_prompt() {
    let long = "a very long tone of voice";
    let source = MemorySource::new()
        .with(
            "lawful.yaml",
            format!(
                "name: desk\naxes: {{tone: [warm, terse, '{long}'], tier: [free, vip]}}\n\
                 lint: {{token-budgets: {{prompt: 1}}}}\n"
            ),
        )
        .with("fragments/hello.md", "---\nid: hello\n---\nGreet in ${tone}, and ${tone} again.")
        .with("fragments/vip.md", "---\nid: vip\n---\nThank them.")
        .with("fragments/short.md", "---\nid: short\n---\nBe brief with the whole answer.")
        .with(
            "compositions/reply.yaml",
            "name: reply\nbase: [hello]\nrules:\n\
             - {when: {tier: vip}, add: [vip]}\n- {when: {tone: terse}, add: [short]}\n",
        );
    let book = Lawbook::load(&source).unwrap();
    let report = book.matrix("reply").unwrap().report();
    let largest = &report.classes[report.largest.unwrap()];
    let context = largest.witness.as_ref().unwrap();
    assert_eq!(context.to_string(), format!("{{\"tone\": \"{long}\", \"tier\": \"vip\"}}"));
    let composed = book.compose("reply").context(context).run().unwrap();
    assert_eq!(composed.order, largest.order);
    assert_eq!(composed.tokens.total, largest.tokens);
    let expected = format!(
        "the prompt has about {} tokens in the context {context}, over the budget of 1",
        largest.tokens
    );
    let check = book.check();
    assert!(check.diagnostics.iter().any(|one| one.message == expected), "{}", check.diagnostics);
}

#[test]
fn no_context_of_the_matrix_is_warned_of() -> Result<(), Error> {
    let book = Lawbook::open(DESK)?;
    for composition in book.compositions().all() {
        let classes = book.matrix(&composition.name)?.report().classes;
        for context in classes.into_iter().filter_map(|class| class.witness) {
            assert_eq!(book.check_context(&context), [], "{context}");
        }
    }
    Ok(())
}

#[test]
fn a_context_is_checked_by_every_verb_that_takes_one() -> Result<(), Error> {
    let source = MemorySource::new()
        .with("lawful.yaml", "{name: t, conditioning: {core: core.md, personas: {lead: lead.md}}}")
        .with("core.md", "Be exact.")
        .with("lead.md", "You lead ${team}.")
        .with("fragments/hello.md", "Greet ${name}.")
        .with("compositions/reply.yaml", "{name: reply, base: [hello]}");
    let book = Lawbook::load(&source)?;
    let context = json!({"name": "Ada", "team": "core", "nmae": "Ada"});
    let codes = |found: &Diagnostics| -> Vec<&str> {
        found.iter().map(|problem| problem.code.name).collect()
    };
    let request = || book.compose("reply").context(&context);
    let expected = ["unknown-context"];
    assert_eq!(codes(&request().run()?.trace.warnings), expected);
    assert_eq!(codes(&request().blame()?.diagnostics), expected);
    assert_eq!(codes(&request().diff(request())?.diagnostics), expected);
    assert_eq!(codes(&book.role("lead").context(&context).run()?.warnings), expected);
    // A reloaded book knows what its pages read now.
    let book = book.reload(&source.with("lead.md", "You lead ${nmae}."))?;
    let warnings = book.compose("reply").context(&context).run()?.trace.warnings;
    let messages: Vec<&str> = warnings.iter().map(|warning| &*warning.message).collect();
    assert_eq!(messages, ["unknown context key `team`"]);
    Ok(())
}
