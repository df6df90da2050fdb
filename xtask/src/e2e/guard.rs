//! Guards: a forbidden command does not run, and the model is told why.
//!
//! The stub asks for a forbidden command. The next request must have the reason of the guard and the
//! directive of a rule on the denial. Then the stub empties the file of the guard, which is allowed and
//! changes nothing: it asks for another forbidden command, and is denied again. With some harnesses
//! a sub-agent tries it too.
//!
//! The control is the same command in the same project without the hook: it runs. So a command that does
//! not run was denied, and not just left out by the harness or by the stub.

use std::fs;
use std::process::Command;

use super::agent::{HookTest, Installed, SubAgent};
use super::stub::{Stub, Turn};
use super::tools::Says;
use super::{Hooks, Scene, play, program_folder};
use crate::workspace::{Failure, Result};

const MANIFEST: &str = "name: e2e\n";

const GUARDS: &str = "guards/files.yaml";

const GUARD: &str = "\
- id: no-forbidden-file
  when: {path: event.line, op: matches, value: '^touch forbidden'}
  deny: \"Denied by the law of this test: ${event.line}.\"
";

const RULE: &str = "\
- id: warn-after-denial
  trigger: {type: event, eventType: \"guard:denied\", match: {id: {op: equals, value: no-forbidden-file}}}
  actions:
    - {type: inject-directive, directiveId: ask-first, content: Ask a person for every file that you need., persistent: true}
";

const DIRECTIVE: &str = "Ask a person for every file that you need.";

/// What the model does in each turn, and what the request for it must contain.
const SCRIPT: [Turn; 5] = [
    Turn { expects: &["write the note"], says: Says::Shell("touch forbidden-first") },
    Turn {
        expects: &["Denied by the law of this test: touch forbidden-first.", DIRECTIVE],
        says: Says::Read(GUARDS),
    },
    Turn { expects: &["no-forbidden-file"], says: Says::Write { path: GUARDS, text: "[]\n" } },
    Turn { expects: &[], says: Says::Shell("touch forbidden-second") },
    Turn {
        expects: &["Denied by the law of this test: touch forbidden-second."],
        says: Says::Text("I give up."),
    },
];

/// The command alone.
const CONTROL: [Turn; 2] = [
    Turn { expects: &["write the note"], says: Says::Shell("touch forbidden-first") },
    Turn { expects: &[], says: Says::Text("Done.") },
];

const TASK: &str = "Create the file for me.";

/// The same, and then a sub-agent is given the task, and perhaps the directive.
const SUB_AGENT: [Turn; 8] = with_sub_agent(&[TASK]);
const TOLD_SUB_AGENT: [Turn; 8] = with_sub_agent(&[TASK, DIRECTIVE]);

const fn with_sub_agent(is_given: &'static [&'static str]) -> [Turn; 8] {
    let [first, second, third, fourth, Turn { expects, .. }] = SCRIPT;
    [
        first,
        second,
        third,
        fourth,
        Turn { expects, says: Says::Delegate(TASK) },
        Turn { expects: is_given, says: Says::Shell("touch forbidden-third") },
        Turn {
            expects: &["Denied by the law of this test: touch forbidden-third."],
            says: Says::Text("I cannot create it."),
        },
        Turn { expects: &["I cannot create it."], says: Says::Text("I give up.") },
    ]
}

const FILES: [(&str, &str); 3] =
    [("lawful.yaml", MANIFEST), (GUARDS, GUARD), ("rules/files.yaml", RULE)];

/// Runs one harness without the hook, and checks that nothing else keeps the command from running.
pub(super) fn run_without_hook(installed: &Installed<'_>, test: &HookTest) -> Result {
    println!("-- without the hook the command runs");
    let (scene, stub, output) = play((installed, test), &FILES, &CONTROL, Hooks::Absent)?;
    let checked = match stub.problem() {
        Some(problem) => Err(problem),
        None if scene.project.join("forbidden-first").exists() => Ok(()),
        None => Err("the command did not run, although no hook is installed".to_owned()),
    };
    checked.map_err(|why| Failure::Failed(format!("{why}\n{output}")))
}

/// Runs one harness to its end, and checks what happened.
pub(super) fn run(installed: &Installed<'_>, test: &HookTest) -> Result {
    println!("-- a forbidden command does not run");
    let (scene, stub, output) = play((installed, test), &FILES, script(test), Hooks::Installed)?;
    check(test, &stub, &scene).map_err(|why| Failure::Failed(format!("{why}\n{output}")))
}

fn script(test: &HookTest) -> &'static [Turn] {
    match &test.delegate {
        None => &SCRIPT,
        Some(SubAgent { is_told: false, .. }) => &SUB_AGENT,
        Some(SubAgent { is_told: true, .. }) => &TOLD_SUB_AGENT,
    }
}

/// Checks the result of the run.
fn check(test: &HookTest, stub: &Stub, scene: &Scene) -> std::result::Result<(), String> {
    let created = ["forbidden-first", "forbidden-second", "forbidden-third"];
    if let Some(file) = created.iter().find(|file| scene.project.join(file).exists()) {
        return Err(format!("the command that creates `{file}` ran"));
    }
    if let Some(problem) = stub.problem() {
        return Err(problem);
    }
    let (turns, expected) = (stub.turns(), script(test).len());
    if turns != expected {
        return Err(format!("the model got {turns} requests, expected {expected}"));
    }
    let guards = fs::read_to_string(scene.project.join(GUARDS));
    if !guards.as_ref().is_ok_and(|text| text == "[]\n") {
        return Err(format!("the edit of the guards was not made: {guards:?}"));
    }
    let denials = denials(scene)?;
    let by = |agent: &str| denials.matches(&format!("\"agent\": \"{agent}\"")).count();
    let sub_agent = test.delegate.as_ref();
    let found = (by("main"), sub_agent.map(|sub_agent| by(sub_agent.kind)));
    let expected = (2, sub_agent.map(|_| 1));
    if found != expected {
        return Err(format!("{found:?} denials are in the log, expected {expected:?}:\n{denials}"));
    }
    Ok(())
}

/// The log of what the guard denied, as JSON.
fn denials(scene: &Scene) -> std::result::Result<String, String> {
    let mut command = Command::new(program_folder().join("lawful"));
    command.args(["log", "--decision", "deny", "--by", "no-forbidden-file", "--format", "json"]);
    scene.surround(&mut command);
    let output = command.output().map_err(|error| format!("`lawful log`: {error}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
