//! The hook: an agent that says it is done is kept until its envelope passes.
//!
//! The stub says it is done; the hook must block, because there is no envelope. The stub then
//! writes one that does not hold, says it is done, and must be told which predicate failed. At
//! last it writes one that holds, and must be let go. Whether what the hook says reaches the model
//! is seen in the next request.

use std::fs;

use super::agent::Installed;
use super::stub::{Play, Stub, Turn};
use super::wire::Says;
use super::{Scene, bounded};
use crate::workspace::{Failure, Result, failed};

/// The lawbook that the agents work under.
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

/// What the model does, turn by turn, and what must be in the request that asks for it.
const SCRIPT: [Turn; 5] = [
    Turn { expects: "write the note", says: Says::Text("I am done.") },
    Turn {
        expects: "No envelope was written",
        says: Says::Shell(
            "echo noted > note.txt; echo '{files: [note.txt], tests: {passed: false}}' | lawful envelope write --facts -",
        ),
    },
    Turn { expects: "tests-pass", says: Says::Text("Now I am done.") },
    Turn {
        expects: "does not pass verification yet",
        says: Says::Shell(
            "echo '{files: [note.txt], tests: {passed: true}}' | lawful envelope write --facts -",
        ),
    },
    Turn { expects: "lawful", says: Says::Text("Done at last.") },
];

/// Runs one harness to its end, and checks what happened.
pub(super) fn run(installed: &Installed<'_>, scope: &str) -> Result {
    let agent = installed.agent;
    let files = [("lawful.yaml", MANIFEST), ("analysis/rulespec.yaml", RULESPEC)];
    let scene = Scene::new(agent, &files)?;
    let stub = Stub::start(agent.wire, Play::Script(&SCRIPT))
        .map_err(|error| failed("the stub", error))?;
    agent.configure(&scene.home, stub.port()).map_err(|error| failed("the settings", error))?;
    scene.lawful(&["hook", "install", "--harness", agent.id, "--scope", scope])?;
    let mut command = installed.command(stub.port());
    scene.surround(&mut command);
    let output = bounded(command, &scene.root.join("output.txt"))?;
    check(&stub, &scene, &output).map_err(|why| Failure::Failed(format!("{why}\n{output}")))
}

/// Everything that the run must have come to.
fn check(stub: &Stub, scene: &Scene, output: &str) -> std::result::Result<(), String> {
    if let Some(problem) = stub.problem() {
        return Err(problem);
    }
    let turns = stub.turns();
    if turns != SCRIPT.len() {
        return Err(format!("the model was asked {turns} times, and {} were due", SCRIPT.len()));
    }
    if output.contains("lets the agent stop") {
        return Err("the agent was let go and did not pass".to_owned());
    }
    let counted = fs::read_dir(scene.home.join(".local/state/lawful/hooks")).map(Iterator::count);
    match counted {
        Ok(0) => Ok(()),
        Ok(_) => Err("the last stop did not pass: its blocks are still counted".to_owned()),
        Err(error) => Err(format!("no block was ever counted: {error}")),
    }
}
