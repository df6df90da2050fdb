//! Decodes rules, an input and a state, split at lines `---`.
//!
//! Checks these properties: no document panics; every problem points into its file and renders to
//! harmless text; a step ends within its limits, is the same the second time, and returns a state
//! that reads back unchanged; and every rule fires or has a reason why not.

#![no_main]

use std::sync::Arc;

use lawful::book::{MemorySource, Options, load};
use lawful::react::{Gate, Input, Rules, Session};
use lawful::syntax::render::to_json;
use lawful::syntax::{Format, Sources};
use lawful::view::{Stepped, step_text};
use lawful_fuzz::{check_harmless, check_json, check_problems, has_error, read_clean};
use libfuzzer_sys::fuzz_target;

const MANIFEST: &str = "\
name: fuzz
variables:
  hp: {type: number, initial: 10, min: 0, max: 20}
  bag: {type: array, initial: []}
limits: {waves: 8, events: 64, actions: 256, pattern-bytes: 1000000, keyword-bytes: 10000}
";

const INPUTS: [&str; 4] = [
    "{user: I draw my Sword, ai: It is dark, writes: [{variableId: hp, operation: subtract, value: 9}]}",
    "{action: push}",
    "{event: {type: 'zone:enter', zone: forest}}",
    "{user: gold, writes: [{variableId: bag, operation: push, value: rope}]}",
];

fuzz_target!(|text: &str| {
    let mut parts = text.split("\n---\n");
    let source = MemorySource::new()
        .with("lawful.yaml", MANIFEST)
        .with("entries/lore.md", "---\nid: lore\n---\nLore.\n")
        .with("rules/r.yaml", parts.next().unwrap_or_default());
    let Ok((book, problems)) = load(&source, Options::default()) else { return };
    check_problems(&book.sources, &problems);
    let (rules, problems) = Rules::decode(&book);
    check_problems(&book.sources, &problems);
    check_problems(&book.sources, &lawful::check(&book));
    if let Some(graph) = rules.graph() {
        check_harmless(&graph.to_dot());
        check_harmless(&graph.to_mermaid());
    }
    let mut sources = Sources::default();
    let own = parts.next().and_then(|text| read_clean(&mut sources, text, Format::Yaml));
    let own = own.and_then(|node| {
        let (input, problems) = Input::decode(&node);
        check_problems(&sources, &problems);
        assert_eq!(input.is_none(), has_error(&problems));
        input
    });
    let state = parts.next().and_then(|text| read_clean(&mut sources, text, Format::Yaml));
    let state = state.and_then(|node| {
        let (session, problems) = Session::decode(&node);
        check_problems(&sources, &problems);
        assert_eq!(session.is_none(), has_error(&problems));
        session
    });
    let mut session = state.unwrap_or_default();
    let known = INPUTS.iter().filter_map(|text| text.parse::<Input>().ok());
    for input in own.into_iter().chain(known) {
        session = step(&rules, &session, &input);
    }
});

fn step(rules: &Rules, before: &Session, input: &Input) -> Session {
    let step = rules.step(before.clone(), input);
    let again = rules.step(before.clone(), input);
    assert_eq!(step.session, again.session);
    assert_eq!(step.trace, again.trace);
    assert_eq!(step.effects, again.effects);
    assert!(step.trace.waves.len() <= 8);
    let why = rules.why_not(before.clone(), input);
    for (id, rule) in rules.all() {
        let fired = step.trace.fired.iter().any(|firing| firing.rule == id);
        let row = why.iter().find(|row| row.rule == id);
        match row {
            None => assert!(fired, "{} neither fired nor has a reason", rule.id),
            Some(row) => assert!(!fired || row.gate == Gate::Once),
        }
    }
    let view = Stepped::new(rules, step.clone(), Some(&why), &Arc::default());
    check_harmless(&step_text(before, &view));
    let json = to_json(&view).expect("a step is JSON");
    check_harmless(&json);
    // Only the state stays within the depth of documents; a trace nests values deeper.
    let state = step.session.to_json();
    check_json(&state);
    assert_eq!(Session::from_json(&state).ok().as_ref(), Some(&step.session));
    step.session
}
