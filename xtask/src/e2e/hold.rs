//! The hook: an agent that says it is done is blocked until its envelope passes.
//!
//! The stub says it is done; the hook must block, because there is no envelope. The stub then
//! writes one that fails and says it is done; it must get the failed predicate. Finally it writes
//! one that passes, and must be allowed to stop. The next request shows whether the answer of the
//! hook reaches the model.

use std::fs;

use super::agent::{HookTest, Installed};
use super::stub::{Stub, Turn};
use super::tools::Says;
use super::{Hooks, Scene, play};
use crate::workspace::{Failure, Result};

/// The lawbook of the agents.
const MANIFEST: &str = "\
name: e2e
observe:
  readme: [test, -f, README.md]
hooks:
  stop:
    observe: {git: HEAD, run: [readme]}
";

const RULESPEC: &str = "\
claims:
  - {name: files, selector: files}
  - {name: tests, selector: tests.passed}
  - {name: readme, selector: observed.runs.readme.exit}
  - {name: seen, selector: observed.added}
predicates:
  - {name: tests-pass, claim: tests, rule: equals, value: true, source: task_prompt}
  - {name: note-is-claimed, claim: files, rule: contains, value: note.txt}
  - {name: note-was-seen, claim: seen, rule: contains, value: note.txt}
  - {name: readme-is-there, claim: readme, rule: equals, value: 0}
";

/// What the model does in each turn, and what the request for it must contain.
const SCRIPT: [Turn; 5] = [
    Turn { expects: &["write the note"], says: Says::Text("I am done.") },
    Turn {
        expects: &["No envelope was written"],
        says: Says::Shell(
            "echo noted > note.txt; echo '{files: [note.txt], tests: {passed: false}}' | lawful envelope write --facts -",
        ),
    },
    Turn { expects: &["tests-pass"], says: Says::Text("Now I am done.") },
    Turn {
        expects: &["does not pass verification yet"],
        says: Says::Shell(
            "echo '{files: [note.txt], tests: {passed: true}}' | lawful envelope write --facts -",
        ),
    },
    Turn { expects: &["lawful"], says: Says::Text("Done at last.") },
];

/// Runs one harness to its end, and checks what happened.
pub(super) fn run(installed: &Installed<'_>, test: &HookTest) -> Result {
    println!("-- a stop is blocked until the envelope passes");
    let files = [("lawful.yaml", MANIFEST), ("analysis/rulespec.yaml", RULESPEC)];
    let (scene, stub, output) = play((installed, test), &files, &SCRIPT, Hooks::Installed)?;
    check(&stub, &scene, &output).map_err(|why| Failure::Failed(format!("{why}\n{output}")))
}

/// Checks the result of the run.
fn check(stub: &Stub, scene: &Scene, output: &str) -> std::result::Result<(), String> {
    if let Some(problem) = stub.problem() {
        return Err(problem);
    }
    let turns = stub.turns();
    if turns != SCRIPT.len() {
        return Err(format!("the model got {turns} requests, expected {}", SCRIPT.len()));
    }
    if output.contains("allows the agent to stop") {
        return Err("the agent was allowed to stop without passing".to_owned());
    }
    let counted = fs::read_dir(scene.home.join(".local/state/lawful/hooks")).map(Iterator::count);
    match counted {
        Ok(0) => Ok(()),
        Ok(_) => Err("the last stop did not pass: its blocks are still counted".to_owned()),
        Err(error) => Err(format!("no block was ever counted: {error}")),
    }
}
