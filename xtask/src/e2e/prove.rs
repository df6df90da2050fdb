//! Prompts: what is installed arrives as the harness table promises.
//!
//! For each scope, with and without `--activate`, `lawful install` writes the prompts of a lawbook and
//! `lawful prove` starts the harness. The core must arrive once, byte for byte, and exactly as strongly
//! as the row of the table says; so must the prompt of an agent. Then uninstalling must leave nothing.

use std::process::Command;
use std::{env, fs};

use lawful_deliver::{Audience, Harness, Scope, Surface, Used};
use serde_json::{Value, json};

use super::Scene;
use super::agent::Installed;
use super::program_folder;
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

Ünïcödé stays: \u{2192} \u{201c}x\u{201d}.
";

/// Every way to install for a harness.
pub(super) fn run(installed: &Installed<'_>) -> Result {
    let mut wrong = Vec::new();
    for scope in [Scope::Project, Scope::User] {
        for activate in [false, true] {
            if let Err(Failure::Failed(why) | Failure::Usage(why)) = row(installed, scope, activate)
            {
                println!("   FAILED: {why}");
                wrong.push(why);
            }
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(Failure::Failed(wrong.join("\n"))) }
}

/// Both scopes, without changes of settings.
pub(super) fn run_plain(installed: &Installed<'_>) -> Result {
    row(installed, Scope::Project, false)?;
    row(installed, Scope::User, false)
}

/// One way to install: its rows for the main conversation and for agents.
fn row(installed: &Installed<'_>, scope: Scope, activate: bool) -> Result {
    let id = installed.agent.id;
    let Some(harness) = lawful_deliver::find(id) else { return Err(failed(id, "no such harness")) };
    let name = match scope {
        Scope::Project => "project",
        Scope::User => "user",
    };
    let main = surface(harness, scope, Audience::Main, activate);
    let agents = surface(harness, scope, Audience::Agents, activate);
    if activate && main.is_none_or(|main| main.used == Used::Always && main.switch.is_none()) {
        return Ok(());
    }
    let flag = if activate { " --activate" } else { "" };
    println!("-- install --harness {id} --scope {name}{flag}");
    let files = [
        ("lawful.yaml", MANIFEST),
        ("conditioning/core.md", CORE),
        ("conditioning/lead.md", "You lead the others.\n"),
        ("conditioning/scout.md", "You look around first.\n"),
    ];
    let scene = Scene::new(installed.agent, &files)?;
    trust_project(&scene, id)?;
    let mut words = vec!["install", "--harness", id, "--scope", name];
    if activate {
        words.push("--activate");
    }
    scene.lawful(&words)?;
    accept_agents(&scene)?;
    let proof = prove(installed, &scene)?;
    let mut wrong = Vec::new();
    if let Some(main) = main {
        compare(Audience::Main, main, &proof, &mut wrong);
    }
    if let Some(agents) = agents {
        let agent = proof.get("agents").and_then(|agents| agents.get(0)).unwrap_or(&Value::Null);
        compare(Audience::Agents, agents, agent, &mut wrong);
    }
    if !wrong.is_empty() {
        return Err(Failure::Failed(wrong.join("\n")));
    }
    scene.lawful(&["uninstall", "--scope", name])?;
    is_gone(&scene)
}

/// The surface that an installation uses: the first that it may.
fn surface(
    harness: &Harness,
    scope: Scope,
    audience: Audience,
    activate: bool,
) -> Option<&'static Surface> {
    harness.surfaces.iter().find(|surface| {
        let used = match surface.used {
            Used::Always => true,
            Used::Activated => activate,
            Used::Shared | Used::ByHand => false,
        };
        surface.scope == scope && surface.audience == audience && used
    })
}

/// Compares what arrives with a row of the table. The file of an agent may have its persona alone, if
/// the harness gives it the core as well.
fn compare(audience: Audience, row: &Surface, proof: &Value, wrong: &mut Vec<String>) {
    let core = proof.get("core").unwrap_or(&Value::Null);
    let of_row = match audience {
        Audience::Main => core,
        Audience::Agents => proof.get("persona").unwrap_or(&Value::Null),
    };
    let (path, promised) = (row.place.shown(), row.strength.name());
    let strength = of_row.get("strength").and_then(Value::as_str).unwrap_or("missing");
    let is_once = core.get("times").and_then(Value::as_u64) == Some(1);
    let is_equal = core.get("bytes_equal").and_then(Value::as_bool) == Some(true);
    let problems = proof.get("problems").filter(|problems| !problems.is_null());
    let sources: Vec<&str> =
        proof.get("texts").and_then(Value::as_array).map_or_else(Vec::new, |texts| {
            texts.iter().filter_map(|text| text.get("source").and_then(Value::as_str)).collect()
        });
    let (who, files) = (audience.name(), sources.join(", "));
    println!("   {who:6} {path}: {strength}, core {core}, files {files}");
    if !is_once || !is_equal || strength != promised || problems.is_some() {
        let problems = problems.map_or_else(String::new, Value::to_string);
        wrong.push(format!("{who}: `{path}` promises {promised}: {strength}, {core} {problems}"));
    } else if row.confirmed.is_none() {
        println!("   {who:6} {path} can be marked as confirmed");
    }
}

/// Trusts the project in the client, as a person would when it asks.
fn trust_project(scene: &Scene, id: &str) -> Result {
    let project = scene.project.to_string_lossy();
    let (file, text) = match id {
        "codex" => {
            (".codex/config.toml", format!("[projects.\"{project}\"]\ntrust_level = \"trusted\"\n"))
        }
        "gemini-cli" => {
            (".gemini/trustedFolders.json", format!("{{\"{project}\": \"TRUST_FOLDER\"}}\n"))
        }
        _ => return Ok(()),
    };
    let file = scene.home.join(file);
    fs::create_dir_all(file.parent().unwrap_or(&scene.home))
        .and_then(|()| fs::write(&file, text))
        .map_err(|error| failed("the trusted project", error))
}

/// Accepts the agent of the project in Gemini CLI, as a person would when it asks.
fn accept_agents(scene: &Scene) -> Result {
    let agent = scene.project.join(".gemini/agents/lawful-scout.md");
    if !agent.exists() {
        return Ok(());
    }
    let output = Command::new("sha256sum").arg(&agent).output();
    let output = output.map_err(|error| failed("`sha256sum`", error))?;
    let printed = String::from_utf8_lossy(&output.stdout);
    let hash = printed.split_whitespace().next().unwrap_or_default();
    let accepted = json!({ scene.project.to_string_lossy(): { "lawful-scout": hash } });
    let folder = scene.home.join(".gemini/acknowledgments");
    fs::create_dir_all(&folder)
        .and_then(|()| fs::write(folder.join("agents.json"), accepted.to_string()))
        .map_err(|error| failed("the accepted agents", error))
}

/// The proof of the harness.
fn prove(installed: &Installed<'_>, scene: &Scene) -> Result<Value> {
    let mut command = Command::new(program_folder().join("lawful"));
    command.args(["prove", "--harness", installed.agent.id, "--format", "json"]);
    scene.surround(&mut command);
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = [installed.bin()?, program_folder()].into_iter().chain(env::split_paths(&path));
    if let Ok(path) = env::join_paths(folders) {
        command.env("PATH", path);
    }
    let output = command.output().map_err(|error| failed("`lawful prove`", error))?;
    let document: Value = serde_json::from_slice(&output.stdout).map_err(|error| {
        failed("`lawful prove`", format!("{error}: {}", String::from_utf8_lossy(&output.stderr)))
    })?;
    let proof = document.get("harnesses").and_then(|harnesses| harnesses.get(0)).cloned();
    let proof = proof.ok_or_else(|| failed("`lawful prove`", &document))?;
    match proof.get("error") {
        Some(error) => Err(failed("`lawful prove`", error)),
        None => Ok(proof),
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
