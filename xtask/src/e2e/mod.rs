//! Tests with real harnesses: each is installed, started and connected to a stub of its model.
//!
//! `hold` tests the hook: the stub says it is done, and must be blocked until its envelope passes.
//! `guard` tests decisions: the stub asks for a forbidden command, which must not run, and without the
//! hook does run.
//! `prove` tests prompts: what `lawful install` wrote must arrive as the harness table promises, by
//! `lawful prove`.
//!
//! Everything stays on this machine: the stub listens on the loopback interface, every proxy is a
//! closed port, and the home folder is temporary. Time and requests are limited.

mod agent;
mod guard;
mod hold;
mod prove;
mod stub;
mod tools;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use crate::workspace::{Failure, Result, cargo, failed, run as run_command, target_folder};
use agent::{AGENTS, Agent, HookTest, Installed};
use stub::{Stub, Turn};

/// The time limit for one harness, without its installation.
const LIMIT: Duration = Duration::from_mins(2);

/// Runs the given harnesses, or all.
pub(crate) fn run(words: &[String]) -> Result {
    if let Some(unknown) = words.iter().find(|word| AGENTS.iter().all(|agent| agent.id != **word)) {
        let known: Vec<&str> = AGENTS.iter().map(|agent| agent.id).collect();
        let list = known.join(", ");
        return Err(Failure::Usage(format!(
            "unknown harness `{unknown}`; the harnesses are: {list}"
        )));
    }
    run_command(cargo(&["build", "--locked", "--package", "lawful-cli"]))?;
    let wanted = |agent: &&Agent| words.is_empty() || words.iter().any(|word| word == agent.id);
    let mut wrong = Vec::new();
    for agent in AGENTS.iter().filter(wanted) {
        println!("\n== {} {}", agent.package, agent.version);
        let start = Instant::now();
        match try_out(agent) {
            Ok(()) => println!("== passed in {:.1} seconds", start.elapsed().as_secs_f64()),
            Err(Failure::Failed(why) | Failure::Usage(why)) => {
                println!("== FAILED: {why}");
                wrong.push(agent.id);
            }
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(failed("not as it should be", wrong.join(", "))) }
}

/// Installs a harness and runs all its tests.
fn try_out(agent: &Agent) -> Result {
    let installed = agent.install()?;
    if let Some(hooks) = &agent.hooks {
        guard::run_without_hook(&installed, hooks)?;
        guard::run(&installed, hooks)?;
        if hooks.stops {
            hold::run(&installed, hooks)?;
        }
    }
    prove::run(&installed)
}

/// The test for every change: one harness is denied a command, and gets a prompt of the user and one
/// of the project. It is the smallest one, and needs no program for the platform.
pub(crate) fn run_smallest() -> Result {
    run_command(cargo(&["build", "--locked", "--package", "lawful-cli"]))?;
    let installed = AGENTS[0].install()?;
    if let Some(hooks) = &installed.agent.hooks {
        guard::run_without_hook(&installed, hooks)?;
        guard::run(&installed, hooks)?;
    }
    prove::run_plain(&installed)
}

/// Whether the hooks of a harness are installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hooks {
    Installed,
    Absent,
}

/// Installs the hooks of a harness for a lawbook, and runs the harness against a script to its end.
/// Also returns the output of the harness.
fn play(
    (installed, test): (&Installed<'_>, &HookTest),
    files: &[(&str, &str)],
    script: &'static [Turn],
    hooks: Hooks,
) -> Result<(Scene, Stub, String)> {
    let agent = installed.agent;
    let scene = Scene::new(agent, files)?;
    let stub = Stub::start(installed.model(test.tools, script, &scene.project))
        .map_err(|error| failed("the stub", error))?;
    agent.configure(&scene.home, stub.port()).map_err(|error| failed("the settings", error))?;
    if hooks == Hooks::Installed {
        scene.lawful(&["hook", "install", "--harness", agent.id, "--scope", test.scope])?;
    }
    // A hook for all projects of a user trusts none of them.
    scene.lawful(&["trust", "--yes"])?;
    let mut command = installed.command(stub.port());
    scene.surround(&mut command);
    let output = bounded(command, &scene.root.join("output.txt"))?;
    Ok((scene, stub, output))
}

/// A repository with a lawbook, and an empty home.
struct Scene {
    root: PathBuf,
    home: PathBuf,
    project: PathBuf,
}

impl Scene {
    fn new(agent: &Agent, files: &[(&str, &str)]) -> Result<Self> {
        let root = env::temp_dir().join(format!("lawful-e2e-{}-{}", agent.id, std::process::id()));
        let scene = Self { home: root.join("home"), project: root.join("project"), root };
        let write = |path: &str, text: &str| {
            let path = scene.project.join(path);
            fs::create_dir_all(path.parent().unwrap_or(&scene.project))?;
            fs::write(path, text)
        };
        fs::create_dir_all(&scene.home)
            .and_then(|()| files.iter().try_for_each(|(path, text)| write(path, text)))
            .and_then(|()| write("README.md", "# A project\n"))
            .and_then(|()| write(".gitignore", ".lawful/\n"))
            .map_err(|error| failed("the scene", error))?;
        for words in [
            &["init", "--quiet"][..],
            &["add", "--all"],
            &["-c", "user.name=e2e", "-c", "user.email=e2e@localhost", "commit", "-qm", "start"],
        ] {
            let mut git = Command::new("git");
            git.args(words);
            scene.surround(&mut git);
            run_command(git)?;
        }
        Ok(scene)
    }

    fn lawful(&self, words: &[&str]) -> Result {
        let mut command = Command::new(program_folder().join("lawful"));
        command.args(words);
        self.surround(&mut command);
        run_command(command)
    }

    /// An isolated environment without network access.
    fn surround(&self, command: &mut Command) {
        let kept: BTreeSet<&str> = BTreeSet::from(["LANG", "TERM", "TMPDIR"]);
        let set: Vec<_> =
            command.get_envs().map(|(k, v)| (k.to_owned(), v.map(ToOwned::to_owned))).collect();
        command.env_clear();
        for name in kept {
            if let Some(value) = env::var_os(name) {
                command.env(name, value);
            }
        }
        let path = env::var_os("PATH").unwrap_or_default();
        let folders = std::iter::once(program_folder()).chain(env::split_paths(&path));
        if let Ok(path) = env::join_paths(folders) {
            command.env("PATH", path);
        }
        for name in ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"] {
            command.env(name, "http://127.0.0.1:9");
        }
        for name in ["NO_PROXY", "no_proxy"] {
            command.env(name, "127.0.0.1,localhost");
        }
        command.env("HOME", &self.home).current_dir(&self.project);
        for (name, value) in set {
            if let Some(value) = value {
                command.env(name, value);
            }
        }
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.root);
    }
}

/// The folder of the built program.
fn program_folder() -> PathBuf {
    target_folder().join("debug")
}

/// Runs a command with a time limit, and returns its output.
fn bounded(mut command: Command, output: &Path) -> Result<String> {
    let cannot = |error: std::io::Error| failed("the harness", error);
    let file = fs::File::create(output).map_err(cannot)?;
    let both = file.try_clone().map_err(cannot)?;
    let mut child =
        command.stdin(Stdio::null()).stdout(file).stderr(both).spawn().map_err(cannot)?;
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().map_err(cannot)? {
            break Some(status);
        }
        if start.elapsed() > LIMIT {
            let _ = child.kill();
            let _ = child.wait();
            break None;
        }
        thread::sleep(Duration::from_millis(20));
    };
    let printed = fs::read(output).map_err(cannot)?;
    let printed = String::from_utf8_lossy(&printed).into_owned();
    match status {
        Some(status) if status.success() => Ok(printed),
        Some(status) => Err(Failure::Failed(format!("the harness failed: {status}\n{printed}"))),
        None => {
            let seconds = LIMIT.as_secs();
            Err(Failure::Failed(format!("the harness took more than {seconds} seconds\n{printed}")))
        }
    }
}
