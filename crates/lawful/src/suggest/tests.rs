use crate::Lawbook;
use crate::book::MemorySource;
use crate::scenario::{Surroundings, Touched};

fn source() -> MemorySource {
    MemorySource::new()
        .with("lawful.yaml", "name: test\naxes: {tone: [warm, terse]}\nvariables: {hp: {type: number, initial: 9}, gold: {type: number, initial: 0}}\n")
        .with("fragments/a.md", "---\nid: a\n---\nA.")
        .with("fragments/b.md", "---\nid: b\n---\nB.")
        .with("compositions/c.yaml", "{name: reply, base: [a], rules: [{when: {tone: terse}, add: [b]}]}")
        .with(
            "rules/r.yaml",
            "- {id: hurt, trigger: {type: variable-crossed, variableId: hp, direction: drops-below, threshold: 3}, actions: [{type: trigger-rule, ruleId: fall}]}
- {id: fall, trigger: {type: manual}, conditions: [{gold: 0}], actions: []}
- {id: greet, trigger: {type: keyword, keywords: [/re+/, hello]}, actions: []}
- {id: dusk, trigger: {type: turn-count, atTurn: 2}, actions: []}
",
        )
        .with("guards/g.yaml", "- {id: no-rm, on: {action: shell}, when: {event.program: rm}, deny: No.}\n- {id: no-x, on: {action: shell}, when: {path: event.line, op: matches, value: '^x+y$'}, deny: No.}\n")
        .with("analysis/rulespec.yaml", "{claims: [{name: n, selector: n}], predicates: [{name: some, claim: n, rule: at_least, value: 1}]}")
}

#[test]
fn suggestions_cover_what_they_are_for() {
    let book = Lawbook::load(&source()).unwrap();
    let found = book.suggest(&Touched::default(), &Surroundings::default());
    let without: Vec<String> = found.without.iter().map(|one| one.what(&book)).collect();
    assert_eq!(
        without,
        ["the condition of guard `no-x` was never true", "guard `no-x` never decided"]
    );
    let with =
        |source: MemorySource, one: &super::Suggestion| source.with(&one.path, one.text.as_str());
    let book = Lawbook::load(&found.scenarios.iter().fold(source(), with)).unwrap();
    let report = book.check();
    assert_eq!(report.errors, 0, "{}", report.diagnostics);
    let coverage = book.coverage(&crate::coverage::tests::touched(&book));
    let missing = coverage.kinds().into_iter().flat_map(|(_, covered)| &covered.missing);
    assert_eq!(missing.map(|one| one.what(&book)).collect::<Vec<_>>(), without);
    let again = book.suggest(&crate::coverage::tests::touched(&book), &Surroundings::default());
    assert!(again.scenarios.is_empty(), "{:?}", again.scenarios);
}

#[test]
fn a_suggestion_has_steps_to_fill() {
    let book =
        Lawbook::load(&source().with("scenarios/suggested-rule-hurt.yaml", "steps: [{turn: }]"))
            .unwrap();
    let found = book.suggest(&Touched::default(), &Surroundings::default());
    let of = |path: &str| found.scenarios.iter().find(|one| one.path == path).unwrap().text.clone();
    assert_eq!(
        of("scenarios/suggested-reply.yaml"),
        "# Suggested by `lawful test --suggest`: fill the expectations with `lawful test --bless`, and review them.
# Covers: rule `reply#0` never fired
# Covers: the condition of rule `reply#0` was never false
name: suggested-reply
steps:
  - compose: {name: reply, context: {tone: terse}}
    expect: {}
  - compose: {name: reply, context: {tone: warm}}
    expect: {}
"
    );
    // The first name is taken.
    assert!(of("scenarios/suggested-rule-hurt-2.yaml").ends_with(
        "name: suggested-rule-hurt-2
given:
  state: {hp: 3}
steps:
  - set: [{path: hp, value: 2}]
    expect: {}
"
    ));
    assert!(of("scenarios/suggested-rule-dusk.yaml").ends_with(
        "steps:
  - turn: {user: Hello.}
  - turn: {user: Hello.}
    expect: {}
"
    ));
}
