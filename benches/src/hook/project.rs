//! A project with the book, its own home, and the calls that its agent makes.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::Result;

use super::book;

/// A tool call of the agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Call {
    /// No guard and no rule is about it.
    Quiet,
    /// A guard denies it.
    Denied,
    /// A rule changes a variable.
    Written,
}

impl Call {
    fn line(self) -> &'static str {
        match self {
            Self::Quiet => "cargo test --workspace",
            Self::Denied => "git push --force origin main",
            Self::Written => "./deploy staging",
        }
    }
}

/// A project with a trusted book.
pub(super) struct Project {
    program: PathBuf,
    folder: PathBuf,
    home: PathBuf,
    calls: AtomicUsize,
}

impl Project {
    pub(super) fn new(program: &Path, folder: &Path) -> Result<Self> {
        let project = Self {
            program: program.to_owned(),
            folder: folder.join("project"),
            home: folder.join("home"),
            calls: AtomicUsize::new(0),
        };
        fs::create_dir_all(&project.home)?;
        for (path, text) in book::files() {
            let path = project.folder.join(path);
            fs::create_dir_all(path.parent().unwrap_or(&project.folder))?;
            fs::write(path, text)?;
        }
        project.run(&["trust", "--yes"])?;
        Ok(project)
    }

    /// The program in the project, with a home of its own.
    fn lawful(&self, words: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.args(words).current_dir(&self.folder).env("HOME", &self.home);
        command.env("XDG_STATE_HOME", self.home.join("state"));
        for variable in ["CLAUDE_PROJECT_DIR", "CLAUDE_CONFIG_DIR", "LAWFUL_LAW", "LAWFUL_DB"] {
            command.env_remove(variable);
        }
        command
    }

    fn run(&self, words: &[&str]) -> Result<String> {
        let output = self.lawful(words).stdin(Stdio::null()).output()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        if output.status.success() {
            return Ok(text);
        }
        let error = String::from_utf8_lossy(&output.stderr);
        Err(format!("lawful {words:?} failed: {text}{error}").into())
    }

    /// What the harness runs before a tool call.
    pub(super) fn command(&self) -> Command {
        self.lawful(&["hook", "--harness", "claude-code", "tool-call"])
    }

    /// The event of a call, which no call before had.
    pub(super) fn event(&self, call: Call) -> Result<Stdio> {
        let number = self.calls.fetch_add(1, Ordering::Relaxed);
        let event = serde_json::json!({
            "session_id": "bench",
            "transcript_path": self.home.join("transcript.jsonl"),
            "cwd": self.folder,
            "permission_mode": "default",
            "hook_event_name": "PreToolUse",
            "tool_name": "Bash",
            "tool_input": {"command": call.line(), "description": "One step of the work"},
            "tool_use_id": format!("toolu_{number}"),
        });
        let file = self.home.join("event.json");
        fs::write(&file, event.to_string())?;
        Ok(File::open(file)?.into())
    }

    /// The answers must be the ones that are timed.
    pub(super) fn check(&self) -> Result<()> {
        for call in [Call::Written, Call::Quiet, Call::Denied] {
            let output = self.command().stdin(self.event(call)?).output()?;
            let answer = String::from_utf8_lossy(&output.stdout);
            let right = match call {
                Call::Denied => {
                    answer.contains("\"permissionDecision\": \"deny\"")
                        && answer.contains("Push without --force.")
                }
                Call::Quiet | Call::Written => answer.is_empty(),
            };
            if !right || !output.status.success() {
                let line = call.line();
                return Err(format!("void: `{line}` was answered `{}`", answer.trim()).into());
            }
        }
        Ok(())
    }

    /// Every call that writes must have written: those that were timed, and the first.
    pub(super) fn check_written(&self, turns: usize) -> Result<()> {
        let state =
            self.run(&["session", "show", "claude-code/bench", "--live", "--format", "json"])?;
        let state: serde_json::Value = serde_json::from_str(&state)?;
        let found = find(&state, "deploys").and_then(serde_json::Value::as_u64);
        if found == u64::try_from(turns + 1).ok() {
            return Ok(());
        }
        Err(format!("void: {turns} calls were counted as {found:?}").into())
    }
}

/// The value of a key, wherever it is.
fn find<'v>(value: &'v serde_json::Value, key: &str) -> Option<&'v serde_json::Value> {
    match value {
        serde_json::Value::Object(map) => {
            map.get(key).or_else(|| map.values().find_map(|inner| find(inner, key)))
        }
        serde_json::Value::Array(list) => list.iter().find_map(|inner| find(inner, key)),
        serde_json::Value::Null
        | serde_json::Value::Bool(_)
        | serde_json::Value::Number(_)
        | serde_json::Value::String(_) => None,
    }
}
