use std::fmt::Write as _;

use crate::Lawbook;
use crate::book::MemorySource;
use crate::cond::partition::Answer;
use crate::coverage::Coverage;
use crate::scenario::{Collect, Surroundings, Touched, flow};

const COMPOSITION: &str = "{name: reply, base: [a], rules: [{when: {tone: terse}, add: [b]}, {when: {tone: loud}, forbid: [a]}]}";
const RULES: &str = "- {id: hurt, trigger: {type: action, actionId: hit}, conditions: {path: hp, op: lt, value: 3}, actions: []}\n";
const GUARDS: &str =
    "- {id: no-rm, on: {action: shell}, when: {event.program: rm}, ask: Really?}\n";
const RULESPEC: &str = "{claims: [{name: n, selector: n}], predicates: [{name: some, claim: n, rule: at_least, value: 1}]}";

fn book(steps: &str) -> Lawbook {
    let source = MemorySource::new()
        .with("lawful.yaml", "name: test\naxes: {tone: [warm, terse]}\nvariables: {hp: {type: number, initial: 9}}\n")
        .with("fragments/a.md", "---\nid: a\n---\nA.")
        .with("fragments/b.md", "---\nid: b\n---\nB.")
        .with("compositions/c.yaml", COMPOSITION)
        .with("rules/r.yaml", RULES)
        .with("guards/g.yaml", GUARDS)
        .with("analysis/rulespec.yaml", RULESPEC)
        .with("scenarios/s.yaml", format!("steps:\n{steps}"));
    Lawbook::load(&source).unwrap()
}

pub(crate) fn touched(book: &Lawbook) -> Touched {
    let mut touched = Touched::default();
    for scenario in book.scenarios() {
        let played = book.play(scenario, &Surroundings::default(), Collect::Touched);
        assert!(played.problems.is_empty(), "{:?}", played.problems);
        touched.merge(&played.touched);
    }
    touched
}

/// Checks what the steps of a scenario cover, and what is missing, with a context that reaches it.
#[track_caller]
fn check(steps: &str, expected: &str) {
    let book = book(steps);
    let coverage: Coverage = book.coverage(&touched(&book));
    let mut found = String::new();
    for (kind, covered) in coverage.kinds() {
        assert_eq!(covered.covered + covered.missing.len(), covered.total, "{kind}");
        let _ = writeln!(found, "{kind} {}/{}", covered.covered, covered.total);
        for missing in &covered.missing {
            let reach = match &missing.reach {
                Answer::Yes(context) => flow(context),
                Answer::No => "never".to_owned(),
                Answer::Unknown => "unknown".to_owned(),
            };
            let _ = writeln!(found, "  {}: {reach}", missing.what(&book));
        }
    }
    assert_eq!(found.trim_end(), expected);
    assert_eq!(coverage.is_complete(), !expected.contains("\n  "));
}

#[test]
fn what_is_missing_comes_with_a_context() {
    check(
        "  - set: [{path: hp, value: 1}]\n",
        "rules 0/3
  rule `reply#0` never fired: {tone: terse}
  rule `reply#1` never fired: never
  rule `hurt` never fired: {hp: 2}
conditions 0/7
  the condition of rule `reply#0` was never true: {tone: terse}
  the condition of rule `reply#0` was never false: {tone: warm}
  the condition of rule `reply#1` was never false: {tone: warm}
  the condition of rule `hurt` was never true: {hp: 2}
  the condition of rule `hurt` was never false: {hp: 3}
  the condition of guard `no-rm` was never true: {event: {action: shell, program: rm}}
  the condition of guard `no-rm` was never false: {}
fragments 0/2
  fragment `a` was in no prompt: {tone: warm}
  fragment `b` was in no prompt: {tone: terse}
predicates 0/2
  predicate `some` never passed: {n: 1}
  predicate `some` never failed: {}
guards 0/1
  guard `no-rm` never decided: {event: {action: shell, program: rm}}",
    );
}

#[test]
fn a_guard_counts_when_it_decides_as_it_says() {
    check(
        "  - compose: {name: reply, context: {tone: terse}}
  - compose: {name: reply, context: {tone: warm}}
  - action: hit
  - set: [{path: hp, value: 1}]
  - action: hit
  - tool: {action: shell, command: ls}
  - tool: {action: shell, command: rm x}
  - envelope: {facts: {n: 1}}
  - envelope: {facts: {n: 0}}
",
        "rules 2/3
  rule `reply#1` never fired: never
conditions 7/7
fragments 2/2
predicates 2/2
guards 1/1",
    );
}
