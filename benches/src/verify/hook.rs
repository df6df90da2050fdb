//! `lawful hook --harness claude-code stop` on a small book, from start to exit.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::Result;
use crate::cli::{Folder, Spread, build, spread_of, timed_with};

/// The hook must be done within so many milliseconds, commands that it is told to run aside.
pub const GOAL: f64 = 15.0;

/// What was measured, in milliseconds from start to exit.
#[derive(Clone, Copy, Debug)]
pub struct Figures {
    /// An envelope that passes.
    pub pass: Spread,
    /// An envelope that fails, with its reasons.
    pub block: Spread,
    /// One that passes after git was asked what changed.
    pub git: Spread,
    /// A program that does nothing.
    pub nothing: Spread,
}

impl Figures {
    /// Whether 99 of 100 are done in time.
    pub fn reaches_goal(&self) -> bool {
        self.pass.p99 < GOAL && self.block.p99 < GOAL
    }

    /// A line for each figure.
    pub fn render(&self) -> String {
        let line = |name: &str, spread: Spread| {
            format!("| {name} | {:.2} | {:.2} |\n", spread.median, spread.p99)
        };
        let mut text =
            String::from("| `lawful hook`, ms from start to exit | p50 | p99 |\n|---|---:|---:|\n");
        text.push_str(&line("the envelope passes", self.pass));
        text.push_str(&line("the envelope fails", self.block));
        text.push_str(&line("passes, after git was asked", self.git));
        text.push_str(&line("a program that does nothing", self.nothing));
        text
    }
}

/// Builds the program, checks its answers and times them in turns.
pub fn measure(starts: usize) -> Result<Figures> {
    let program = build()?;
    let folder = Folder::new()?;
    let pass = Scene::new(&program, &folder.0.join("pass"), "passed: true", "")?;
    let block = Scene::new(&program, &folder.0.join("block"), "passed: false", "")?;
    let git =
        Scene::new(&program, &folder.0.join("git"), "passed: true", "observe: {git: HEAD}, ")?;
    for (scene, expected) in [(&pass, false), (&block, true), (&git, false)] {
        scene.check(expected)?;
    }
    let mut took: [Vec<f64>; 4] = Default::default();
    for _ in 0..starts {
        for (scene, took) in [&pass, &block, &git].into_iter().zip(&mut took) {
            took.push(timed_with(scene.command(), scene.event()?)?);
        }
        let [.., nothing] = &mut took;
        nothing.push(timed_with(Command::new("true"), Stdio::null())?);
    }
    let [pass, block, git, nothing] = took.map(spread_of);
    Ok(Figures { pass, block, git, nothing })
}

/// A project with a book, an envelope and an event.
struct Scene {
    program: PathBuf,
    folder: PathBuf,
}

impl Scene {
    fn new(program: &Path, folder: &Path, facts: &str, observe: &str) -> Result<Self> {
        // So many blocks that the agent is never let go.
        let manifest = format!("name: small\nhooks: {{stop: {{{observe}blocks: 1000000}}}}\n");
        let rulespec = "claims:\n  - {name: tests, selector: tests.passed}\n  - {name: files, selector: files}\n\
                        predicates:\n  - {claim: tests, rule: equals, value: true}\n  - {claim: files, rule: min_length, value: 1}\n";
        let envelope = format!("facts:\n  files: [src/main.rs, README.md]\n  tests: {{{facts}}}\n");
        let event = format!(
            r#"{{"session_id":"bench","transcript_path":"/t","cwd":{:?},"hook_event_name":"Stop","stop_hook_active":false}}"#,
            folder.display().to_string()
        );
        for (path, text) in [
            ("lawful.yaml", &*manifest),
            ("analysis/rulespec.yaml", rulespec),
            (".lawful/envelope.yaml", &*envelope),
            (".gitignore", ".lawful/\nevent.json\nstate/\n"),
            ("event.json", &*event),
        ] {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().unwrap_or(folder))?;
            fs::write(path, text)?;
        }
        let who = ["-c", "user.name=bench", "-c", "user.email=bench@localhost"];
        for words in [&["init", "--quiet"][..], &["add", "--all"], &["commit", "-qm", "start"]] {
            let status = Command::new("git").args(who).args(words).current_dir(folder).status()?;
            if !status.success() {
                return Err(format!("git {words:?} failed: {status}").into());
            }
        }
        let scene = Self { program: program.to_owned(), folder: folder.to_owned() };
        let mut trust = Command::new(program);
        trust.args(["trust", "--yes"]).current_dir(folder).stdout(Stdio::null());
        let status = trust.env("XDG_STATE_HOME", folder.join("state")).status()?;
        if !status.success() {
            return Err(format!("lawful trust failed: {status}").into());
        }
        Ok(scene)
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(["hook", "--harness", "claude-code", "stop"]).current_dir(&self.folder);
        command.env("XDG_STATE_HOME", self.folder.join("state")).env_remove("CLAUDE_PROJECT_DIR");
        command
    }

    fn event(&self) -> Result<Stdio> {
        Ok(File::open(self.folder.join("event.json"))?.into())
    }

    /// The answer must be the one that is timed.
    fn check(&self, blocks: bool) -> Result<()> {
        let output = self.command().stdin(self.event()?).output()?;
        let answer = String::from_utf8_lossy(&output.stdout);
        let right = if blocks {
            answer.contains("\"decision\": \"block\"") && answer.contains("tests")
        } else {
            answer.is_empty()
        };
        if right && output.status.success() {
            Ok(())
        } else {
            Err(format!("void: the hook answered `{}`", answer.trim()).into())
        }
    }
}
