//! Prompts: an installed prompt reaches the model.
//!
//! The core must be in a request that the harness sends to its model, byte for byte, and
//! uninstalling must remove it from the disk.

use std::process::Command;

use super::agent::Installed;
use super::stub::{Play, Stub, Turn};
use super::tools::Says;
use super::{Scene, bounded};
use crate::workspace::{Failure, Result, failed, run as run_command};

const MANIFEST: &str = "\
name: e2e
conditioning:
  core: conditioning/core.md
  personas: {lead: conditioning/lead.md, scout: conditioning/scout.md}
  main: lead
";

/// With text that a harness might normalise, except consecutive blank lines, which Gemini CLI
/// collapses.
const CORE: &str = "\
# The law of this test

- Say \"what you saw\", and *only* that; a \\ stays a \\.
-   Three spaces stay three.

Ünïcödé stays: \u{2192} \u{201c}x\u{201d}.";

/// The core as encoded in a request.
const SENT: &str = "# The law of this test\\n\\n- Say \\\"what you saw\\\", and *only* that; a \\\\ stays a \\\\.\\n\
-   Three spaces stay three.\\n\\nÜnïcödé stays: \u{2192} \u{201c}x\u{201d}.";

/// Installs the prompts of a lawbook, runs the harness once, and searches its requests for the
/// core.
pub(super) fn run(installed: &Installed<'_>, scope: &str, activate: bool) -> Result {
    let agent = installed.agent;
    let flag = if activate { " --activate" } else { "" };
    println!("-- install --harness {} --scope {scope}{flag}", agent.id);
    let core = format!("{CORE}\n");
    let files = [
        ("lawful.yaml", MANIFEST),
        ("conditioning/core.md", &*core),
        ("conditioning/lead.md", "You lead.\n"),
        ("conditioning/scout.md", "You look.\n"),
    ];
    let scene = Scene::new(agent, &files)?;
    let turn = Turn { expects: &[SENT], says: Says::Text("I am done.") };
    let stub = Stub::start(installed.model(Play::Same(turn), &scene.project))
        .map_err(|error| failed("the stub", error))?;
    agent.configure(&scene.home, stub.port()).map_err(|error| failed("the settings", error))?;
    let mut words = vec!["install", "--harness", agent.id, "--scope", scope];
    if activate {
        words.push("--activate");
    }
    scene.lawful(&words)?;
    scene.lawful(&["status", "--scope", scope])?;
    let mut command = installed.command(stub.port());
    scene.surround(&mut command);
    let output = bounded(command, &scene.root.join("output.txt"))?;
    if let Some(problem) = stub.problem() {
        return Err(Failure::Failed(format!("{problem}\n{output}")));
    }
    match (stub.turns(), stub.found()) {
        (0, _) => Err(Failure::Failed(format!("the model got no request\n{output}"))),
        (turns, 0) => {
            Err(Failure::Failed(format!("none of {turns} requests has the core\n{output}")))
        }
        (turns, found) => {
            println!("   {found} of {turns} requests have the core, byte for byte");
            scene.lawful(&["uninstall", "--scope", scope])?;
            is_gone(&scene)
        }
    }
}

/// Checks that nothing of the core is left in the project, other than its source, or in the home.
fn is_gone(scene: &Scene) -> Result {
    let mut grep = Command::new("sh");
    let left =
        "! grep -rl --include=*.md --include=*.toml --exclude-dir=.git 'lawful:' . \"$HOME\"";
    grep.args(["-c", left]);
    scene.surround(&mut grep);
    run_command(grep).map_err(|_| Failure::Failed("uninstalling left something behind".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::e2e::wire::quoted;

    #[test]
    fn the_core_is_looked_for_as_it_is_sent() {
        assert_eq!(quoted(CORE), format!("\"{SENT}\""));
    }
}
