//! The hook in real harnesses: each is installed, started and talked to by a stub of its model.
//!
//! The stub says it is done; the hook must block, because there is no envelope. The stub then
//! writes one that does not hold, says it is done, and must be told which predicate failed. At
//! last it writes one that holds, and must be let go. Whether what the hook says reaches the model
//! is seen in the next request.
//!
//! Everything stays on this machine: the stub listens on the loopback, every other way out leads to
//! a closed port, and the home folder is a temporary one. Time and requests are bounded.

mod agent;
mod stub;
mod wire;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use crate::workspace::{Failure, Result, cargo, failed, run as run_command, target_folder};
use agent::{AGENTS, Agent};
use stub::{Stub, Turn};

/// One harness may take so long, its installation aside.
const LIMIT: Duration = Duration::from_mins(2);

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
    Turn { expects: "write the note", says: wire::Says::Text("I am done.") },
    Turn {
        expects: "No envelope was written",
        says: wire::Says::Shell(
            "echo noted > note.txt; echo '{files: [note.txt], tests: {passed: false}}' | lawful envelope write --facts -",
        ),
    },
    Turn { expects: "tests-pass", says: wire::Says::Text("Now I am done.") },
    Turn {
        expects: "does not pass verification yet",
        says: wire::Says::Shell(
            "echo '{files: [note.txt], tests: {passed: true}}' | lawful envelope write --facts -",
        ),
    },
    Turn { expects: "lawful", says: wire::Says::Text("Done at last.") },
];

/// Runs the harnesses that are named, or all.
pub(crate) fn run(words: &[String]) -> Result {
    if let Some(unknown) = words.iter().find(|word| AGENTS.iter().all(|agent| agent.id != **word)) {
        let known: Vec<&str> = AGENTS.iter().map(|agent| agent.id).collect();
        let list = known.join(", ");
        return Err(Failure::Usage(format!("there is no harness `{unknown}`; there are: {list}")));
    }
    run_command(cargo(&["build", "--locked", "--package", "lawful-cli"]))?;
    let wanted = |agent: &&Agent| words.is_empty() || words.iter().any(|word| word == agent.id);
    let mut wrong = Vec::new();
    for agent in AGENTS.iter().filter(wanted) {
        println!("\n== {} {}", agent.package, agent.version);
        let start = Instant::now();
        match hold(agent) {
            Ok(()) => println!("== held in {:.1} seconds", start.elapsed().as_secs_f64()),
            Err(Failure::Failed(why) | Failure::Usage(why)) => {
                println!("== FAILED: {why}");
                wrong.push(agent.id);
            }
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(failed("not held", wrong.join(", "))) }
}

/// Runs one harness from its installation to its end, and checks what happened.
fn hold(agent: &Agent) -> Result {
    let installed = target_folder().join("e2e").join(agent.id);
    agent.install(&installed)?;
    let scene = Scene::new(agent)?;
    let stub = Stub::start(agent.wire, &SCRIPT).map_err(|error| failed("the stub", error))?;
    agent.configure(&scene.home, stub.port()).map_err(|error| failed("the settings", error))?;
    scene.lawful(&["hook", "install", "--harness", agent.id, "--scope", agent.scope])?;
    let mut command = agent.command(&installed, stub.port());
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

/// A repository with a lawbook, and a home that nobody lives in.
struct Scene {
    root: PathBuf,
    home: PathBuf,
    project: PathBuf,
}

impl Scene {
    fn new(agent: &Agent) -> Result<Self> {
        let root = env::temp_dir().join(format!("lawful-e2e-{}-{}", agent.id, std::process::id()));
        let scene = Self { home: root.join("home"), project: root.join("project"), root };
        let write = |path: &str, text: &str| {
            let path = scene.project.join(path);
            fs::create_dir_all(path.parent().unwrap_or(&scene.project))?;
            fs::write(path, text)
        };
        fs::create_dir_all(&scene.home)
            .and_then(|()| write("lawful.yaml", MANIFEST))
            .and_then(|()| write("analysis/rulespec.yaml", RULESPEC))
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

    /// An environment with nothing of the person at the machine in it and no way out.
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

/// Where the program was built.
fn program_folder() -> PathBuf {
    target_folder().join("debug")
}

/// Runs a command for a bounded time, and gives what it printed.
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
