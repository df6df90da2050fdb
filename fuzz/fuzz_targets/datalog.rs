//! Parses text as a Datalog program.
//!
//! Checks these properties: no text panics; every problem is inside the text; a text without
//! problems prints to one that parses to the same print; both derive the same facts or run out of
//! the same fuel; and every fact can be explained.

#![no_main]

use lawful_datalog::{Exhausted, Limits, Program, parse};
use libfuzzer_sys::fuzz_target;

/// Small, so that an input costs little.
const FUEL: Limits = Limits { facts: 2_000, derivations: 50_000 };

fuzz_target!(|text: &str| {
    let mut program = Program::default();
    let problems = parse(text, &mut program);
    for problem in &problems {
        let at = problem.at.start as usize..problem.at.end as usize;
        assert!(text.get(at).is_some(), "{problem:?} in {text:?}");
        assert!(!problem.message.is_empty() && !problem.help.is_empty());
    }
    if !problems.is_empty() {
        let _ = program.compile();
        return;
    }
    let printed = program.to_string();
    let mut again = Program::default();
    let found = parse(&printed, &mut again);
    assert!(found.is_empty(), "{printed} does not parse: {found:?}");
    assert_eq!(again.to_string(), printed, "printed twice");
    let _ = program.to_clingo();

    // An undefined relation is an error, but the printed program declares it.
    if let Some(first) = derived(program) {
        assert_eq!(
            derived(again),
            Some(first),
            "the printed program has another result: {printed}"
        );
    }
});

/// The number of facts of each relation; `None` for an invalid program.
fn derived(program: Program) -> Option<Result<Vec<(String, usize)>, Exhausted>> {
    let compiled = program.compile().ok()?;
    let mut run = compiled.start();
    if let Err(error) = run.run(FUEL) {
        return Some(Err(error));
    }
    let mut counts = Vec::new();
    for (id, relation) in compiled.program().relations() {
        counts.push((relation.name.to_string(), run.len(id)));
        for row in run.rows(id).take(3) {
            assert!(run.contains(id, &row));
            let why = run.why(id, &row, 100).expect("a fact that holds is explained");
            assert!(!run.show_derivation(&why).is_empty());
        }
    }
    Some(Ok(counts))
}
