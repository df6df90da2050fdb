//! A scenario, played on a book with something of everything.
//!
//! Checks these properties: no document panics; every problem points into its file and renders to
//! harmless text; playing twice gives the same result, also if what is touched is collected; the
//! report serialises; and filling empty expectations leaves the result as it is.

#![no_main]

use lawful::Lawbook;
use lawful::book::{MemorySource, Options, load};
use lawful::scenario::{Collect, Surroundings, bless};
use lawful::syntax::render::to_json;
use lawful::view::TestReport;
use lawful_fuzz::{check_harmless, check_json, check_problems};
use libfuzzer_sys::fuzz_target;

const MANIFEST: &str = "name: fuzz\nvariables: {hp: {type: number, initial: 3, min: 0}}\n";
const RULES: &str = "\
rules:
  - id: hurt
    trigger: {type: keyword, keywords: [ouch]}
    conditions: [{variableId: hp, operator: gt, value: 0}]
    actions:
      - {type: modify-variable, variableId: hp, operation: subtract, value: 1}
      - {type: inject-directive, directiveId: pain, content: Limp., persistent: true}
";
const RULESPEC: &str = "\
{claims: [{name: t, selector: t}], predicates: [{name: p, claim: t, rule: exists}]}";

fn source(scenario: &str) -> MemorySource {
    MemorySource::new()
        .with("lawful.yaml", MANIFEST)
        .with("rules/r.yaml", RULES)
        .with("guards/g.yaml", "- {id: no-net, on: {action: fetch}, deny: No.}")
        .with(
            "compositions/c.yaml",
            "{name: c, base: [a], rules: [{id: r, when: {t: x}, add: [b]}]}",
        )
        .with("fragments/a.md", "A")
        .with("fragments/b.md", "B ${state.hp}")
        .with("analysis/rulespec.yaml", RULESPEC)
        .with("envelopes/e.yaml", "facts: {t: 1}")
        .with("scenarios/s.yaml", scenario)
}

fuzz_target!(|text: &str| {
    let Ok((book, problems)) = load(&source(text), Options::default()) else { return };
    check_problems(&book.sources, &problems);
    check_problems(&book.sources, &lawful::check(&book));
    let book = Lawbook::new(book, problems);
    let surroundings = Surroundings::default();
    for case in book.test_cases() {
        let (once, _) = book.run_case(&case, &surroundings, Collect::Nothing);
        let (twice, _) = book.run_case(&case, &surroundings, Collect::Touched);
        let json = to_json(&once).expect("a result is JSON");
        assert_eq!(json, to_json(&twice).expect("a result is JSON"), "playing is a function");
        check_harmless(&json);
        check_json(&json);
        let Some(scenario) = case.scenario else { continue };
        let played = book.play(scenario, &surroundings, Collect::Nothing);
        if let Some(filled) = bless(text.as_bytes(), text, scenario, &played) {
            let filled = String::from_utf8(filled).expect("it was text before");
            let book = Lawbook::load(&source(&filled)).expect("it was a book before");
            let report = book.test().run().expect("there is a scenario");
            let before = TestReport::new(vec![once]);
            assert_eq!(report.result(), before.result(), "what was filled holds");
        }
    }
});
