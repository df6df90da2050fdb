//! No scenario panics, whatever is written in it, and playing is a function.

use proptest::prelude::*;

use crate::Lawbook;
use crate::book::MemorySource;
use crate::scenario::{Collect, Surroundings, TestOutcome, bless};

/// A book with something of everything.
fn book(scenario: &str) -> MemorySource {
    MemorySource::new()
        .with("lawful.yaml", "name: all\nvariables: {hp: {type: number, initial: 3, min: 0}}\n")
        .with(
            "rules/r.yaml",
            "rules:\n  - id: hurt\n    trigger: {type: keyword, keywords: [ouch]}\n    \
             conditions: [{variableId: hp, operator: gt, value: 0}]\n    actions:\n      \
             - {type: modify-variable, variableId: hp, operation: subtract, value: 1}\n      \
             - {type: inject-directive, directiveId: pain, content: Limp., persistent: true}\n",
        )
        .with("guards/g.yaml", "- {id: no-net, on: {action: fetch}, deny: No.}")
        .with(
            "compositions/c.yaml",
            "{name: reply, base: [a], rules: [{id: r, when: {t: x}, add: [b]}]}",
        )
        .with("fragments/a.md", "A")
        .with("fragments/b.md", "B ${state.hp}")
        .with(
            "analysis/rulespec.yaml",
            "{claims: [{name: t, selector: t}], predicates: [{name: p, claim: t, rule: exists}]}",
        )
        .with("envelopes/e.yaml", "facts: {t: 1}")
        .with("scenarios/s.yaml", scenario.to_owned())
}

const EVERYTHING: &str = "\
name: everything
given: {context: {t: x}, state: {hp: 2}}
steps:
  - turn: {user: ouch, ai: ok, writes: [{variableId: hp, operation: add, value: 1}]}
    expect: {state: {hp: 2}, fired: {exactly: [hurt]}, directives: [pain]}
  - action: {action: hit, item: rope}
    expect: {fired: {exactly: []}, effects: {exactly: []}}
  - event: {type: zone:enter}
  - set: [{path: hp, value: 1}]
  - prompt: ouch
    expect: {decision: none, not-fired: []}
  - tool: {action: fetch, url: 'https://a.example', agent: main}
    expect: {decision: deny, by: [no-net], diagnostics: {exactly: []}}
  - envelope: envelopes/e.yaml
    observed: {changed: []}
    expect: {verdict: pass, failed: {exactly: []}, skipped: {exactly: []}, undecided: {exactly: []}}
  - stop: {message: done, envelope: {facts: {t: 1}}}
    expect: {}
  - rewind: {version: 1}
  - rewind: 0
  - compose: {name: reply, context: {t: y}}
    expect: {prompt: {contains: A, lacks: [B], order: [a]}}
";

/// Plays a scenario twice, and returns its result.
fn play(text: &str) -> TestOutcome {
    let book = Lawbook::load(&book(text)).unwrap();
    let surroundings = Surroundings::default();
    let cases = book.test_cases();
    let case = cases.first().unwrap();
    let (once, _) = book.run_case(case, &surroundings, Collect::Nothing);
    let (twice, _) = book.run_case(case, &surroundings, Collect::Touched);
    let shown = |one| serde_json::to_string(one).unwrap();
    assert_eq!(shown(&once), shown(&twice));
    if let Some(scenario) = case.scenario {
        let played = book.play(scenario, &surroundings, Collect::Nothing);
        if let Some(bytes) = bless(text.as_bytes(), text, scenario, &played) {
            check_blessed(&String::from_utf8(bytes).unwrap(), once.result);
        }
    }
    once.result
}

/// What was filled holds, and changes nothing else.
fn check_blessed(text: &str, before: TestOutcome) {
    let book = Lawbook::load(&book(text)).unwrap();
    let report = book.test().run().unwrap();
    assert_eq!(report.result(), before, "{text}\n{}", report.scenarios[0].problems);
}

#[test]
fn everything_plays() {
    let sound = EVERYTHING.replace(", not-fired: []", "");
    assert_eq!(play(&sound), TestOutcome::Pass);
    assert_eq!(play(EVERYTHING), TestOutcome::Error);
}

#[test]
fn line_ends_and_byte_order_marks_stay() {
    let text = "steps:\n  - turn: {user: ouch}\n    expect: {}\n";
    let book = Lawbook::load(&book(text)).unwrap();
    let scenario = &book.scenarios()[0];
    let played = book.play(scenario, &Surroundings::default(), Collect::Nothing);
    let raw = format!("\u{feff}{}", text.replace('\n', "\r\n"));
    let filled = bless(raw.as_bytes(), text, scenario, &played).unwrap();
    let filled = String::from_utf8(filled).unwrap();
    assert!(
        filled
            .starts_with("\u{feff}steps:\r\n  - turn: {user: ouch}\r\n    expect:\r\n      state")
    );
    assert!(filled.ends_with("}\r\n") && !filled.replace("\r\n", "").contains('\n'));
    // A file that changed since it was read is left alone.
    assert!(bless(b"steps: []", text, scenario, &played).is_none());
}

/// Parts of scenarios, to put in the place of others.
const PARTS: [&str; 34] = [
    "turn",
    "action",
    "event",
    "set",
    "prompt",
    "tool",
    "envelope",
    "stop",
    "rewind",
    "compose",
    "expect",
    "fired",
    "state",
    "exactly",
    "hurt",
    "no-net",
    "reply",
    "{}",
    "[]",
    "null",
    "3",
    "-1",
    "true",
    "'",
    "{",
    "}",
    "[",
    "]",
    ": ",
    ", ",
    "\n",
    "  ",
    "9223372036854775808",
    "\u{202e}",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, ..ProptestConfig::default() })]

    #[test]
    fn no_text_panics(edits in prop::collection::vec((any::<prop::sample::Index>(), 0..12_usize, 0..PARTS.len()), 1..6)) {
        let mut text: Vec<char> = EVERYTHING.replace(", not-fired: []", "").chars().collect();
        for (at, length, part) in edits {
            let start = at.index(text.len());
            let end = (start + length).min(text.len());
            text.splice(start..end, PARTS[part].chars());
        }
        play(&text.into_iter().collect::<String>());
    }
}
