//! The fences of `spec/live`: files, commands and hook events, one after the other.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Map, Value, json};

use crate::page::Block;
use crate::runner::Surface;
use crate::support::{self, Folder};

/// A machine with one user and one project, on which an agent works.
pub(crate) struct Machine {
    root: Folder,
    /// The folder of the agent, below the root.
    working: String,
    /// The variables of the harness and of the person.
    variables: Vec<(String, String)>,
    /// What the last command or hook wrote.
    said: Option<Output>,
    /// The last command, if it failed and nothing looked at that.
    failed: Option<String>,
    /// How many events there were. Each has its own id.
    events: usize,
}

const PROJECT: &str = "shop";

impl Machine {
    pub(crate) fn new() -> Self {
        static MADE: AtomicUsize = AtomicUsize::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let root = Folder::new(&format!("spec-live-{number}"));
        for folder in ["home", "state", "shop/.git"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        let working = PROJECT.to_owned();
        Self { root, working, variables: Vec::new(), said: None, failed: None, events: 0 }
    }

    fn folder(&self) -> PathBuf {
        self.root.join(&self.working)
    }

    /// A text of a page, with what the page cannot know.
    fn filled(&self, text: &str) -> String {
        let mut text = text.replace("@/", &format!("{}/", self.root.display()));
        if text.contains("FINGERPRINT") {
            let show = ["trust", "--show", "--format", "json"];
            let shown = support::document(&self.lawful(&show).output().unwrap());
            text = text.replace("FINGERPRINT", shown["fingerprint"].as_str().unwrap());
        }
        text
    }

    /// The same the other way round.
    fn shown(&self, text: &str) -> String {
        let text = text.replace(&format!("{}/", self.root.display()), "@/");
        let mut parts = text.split("sha256:");
        let mut shown = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let rest = part.trim_start_matches(|digit: char| digit.is_ascii_hexdigit());
            let is_hash = part.len() - rest.len() == 64;
            shown.extend([
                "sha256:",
                if is_hash { "…" } else { "" },
                if is_hash { rest } else { part },
            ]);
        }
        shown
    }

    fn prepared(&self, mut command: Command) -> Command {
        command.current_dir(self.folder()).env_clear().stdin(Stdio::null());
        command.env("HOME", self.root.join("home")).env("XDG_STATE_HOME", self.root.join("state"));
        command.env("PATH", "/usr/bin:/bin").envs(self.variables.iter().cloned());
        command
    }

    fn lawful(&self, words: &[&str]) -> Command {
        self.prepared(self.root.lawful(words))
    }

    /// Writes files and runs programs that are not ours.
    fn script(&self, text: &str) -> Result<(), String> {
        let mut shell = Command::new("sh");
        shell.args(["-ec", &self.filled(text)]);
        let mut shell = self.prepared(shell);
        for (name, value) in [("GIT_AUTHOR_NAME", "t"), ("GIT_AUTHOR_EMAIL", "t@localhost")] {
            shell.env(name, value).env(name.replace("AUTHOR", "COMMITTER"), value);
        }
        let output = shell.output().map_err(|error| error.to_string())?;
        if output.status.success() { Ok(()) } else { Err(support::said(&output)) }
    }

    /// What a harness sends: the fields of the page, and those that every event has.
    fn event(&mut self, kind: &str, fields: &str) -> Result<String, String> {
        self.events += 1;
        if fields.trim_start().starts_with("not an event") {
            return Ok(fields.to_owned());
        }
        let name = match kind {
            "session-start" => "SessionStart",
            "prompt" => "UserPromptSubmit",
            "tool-call" => "PreToolUse",
            "tool-result" => "PostToolUse",
            "agent-start" => "SubagentStart",
            "agent-stop" => "SubagentStop",
            "stop" => "Stop",
            "compact" => "PreCompact",
            _ => return Err(format!("unknown event `{kind}`")),
        };
        let mut event = Map::new();
        event.insert("session_id".to_owned(), json!("s"));
        event.insert("cwd".to_owned(), json!(self.folder()));
        event.insert("hook_event_name".to_owned(), json!(name));
        if kind.starts_with("tool-") {
            event.insert("tool_use_id".to_owned(), json!(self.events.to_string()));
        }
        let fields: lawful::Value =
            self.filled(fields).parse().map_err(|error| format!("{error}"))?;
        if let Ok(Value::Object(fields)) = serde_json::from_str(&fields.to_string()) {
            event.extend(fields);
        }
        event.retain(|_, value| !value.is_null());
        Ok(Value::Object(event).to_string())
    }

    fn last(&self) -> Result<&Output, String> {
        self.said.as_ref().ok_or_else(|| "nothing was run".to_owned())
    }

    fn json(&self, words: &[&str]) -> Value {
        let output = self.lawful(&[words, &["--format", "json"]].concat()).output().unwrap();
        serde_json::from_slice(&output.stdout).unwrap_or_default()
    }

    /// `decision by, by (mode)` for each line of the log.
    fn log(&self) -> String {
        let lines = self.json(&["log"])["decisions"].clone();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let line = |line: &Value| {
            let by: Vec<String> = line["by"].as_array().into_iter().flatten().map(text).collect();
            let [agent, event, decision, mode] =
                ["agent", "event", "decision", "mode"].map(|key| text(&line[key]));
            format!("{event} of {agent}: {decision} by [{}], {mode}\n", by.join(", "))
        };
        lines.as_array().into_iter().flatten().map(line).collect()
    }

    /// The last line of the log, one key on a line. What is different each time is `…`.
    fn line(&self) -> String {
        let lines = self.json(&["log"])["decisions"].clone();
        let Some(Value::Object(line)) = lines.as_array().and_then(|lines| lines.last()) else {
            return String::new();
        };
        let varies = |key: &str| matches!(key, "id" | "time" | "ms" | "call");
        let shown = |(key, value): (&String, &Value)| {
            let value = if varies(key) { "…".to_owned() } else { self.shown(&value.to_string()) };
            format!("{key}: {value}\n")
        };
        line.iter().map(shown).collect()
    }

    /// The turn and the variables of a live session, if it is stored.
    fn session(&self, name: &str) -> String {
        let shown = self.json(&["session", "show", name, "--live"]);
        let state = &shown["state"];
        if state.is_null() {
            return "not stored".to_owned();
        }
        let version = &shown["version"];
        format!("version {version}, turn {}, variables {}", state["turn"], state["variables"])
    }
}

impl Surface for Machine {
    fn input(&mut self, block: &Block) -> Result<bool, String> {
        let info = self.filled(&block.info);
        let (_, rest) = info.split_once(' ').unwrap_or((&info, ""));
        if let Some(failed) = self.failed.take_if(|_| block.kind != "said") {
            return Err(format!("a command failed: {failed}"));
        }
        match block.kind.as_str() {
            "file" => self.root.write(&format!("{PROJECT}/{rest}"), &block.text),
            "sh" => self.script(&block.text)?,
            "works-in" => block.text.trim().clone_into(&mut self.working),
            "env" => {
                let set = self.filled(&block.text);
                let pairs = set.lines().filter_map(|line| line.split_once('='));
                self.variables = pairs.map(|(a, b)| (a.to_owned(), b.to_owned())).collect();
            }
            "run" => {
                let text = self.filled(&block.text);
                for line in text.lines() {
                    let words: Vec<&str> = line.split_whitespace().collect();
                    if let Some(failed) = self.failed.take() {
                        return Err(format!("a command failed: {failed}"));
                    }
                    let output = self.lawful(words.get(1..).unwrap_or_default()).output();
                    let output = output.map_err(|error| error.to_string())?;
                    self.failed = (!output.status.success()).then(|| support::said(&output));
                    self.said = Some(output);
                }
            }
            "hook" => {
                let words: Vec<&str> = rest.split_whitespace().collect();
                let [harness, kind, more @ ..] = words.as_slice() else {
                    return Err("write `hook HARNESS EVENT`".to_owned());
                };
                let event = self.event(kind, &block.text)?;
                let words = [&["hook", "--harness", harness, kind], more].concat();
                self.said = Some(support::answer(&mut self.lawful(&words), event));
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn output(&mut self, block: &Block) -> Option<Result<String, String>> {
        let (_, rest) = block.info.split_once(' ').unwrap_or((&block.info, ""));
        if block.kind == "said" {
            self.failed = None;
        }
        Some(match block.kind.as_str() {
            "said" => self.last().map(|output| {
                let said = self.shown(&support::said(output));
                format!("exit code {}\n{said}", support::exit(output))
            }),
            "answer" => self.last().and_then(|output| self.answer(output)),
            "log" => Ok(self.log()),
            "line" => Ok(self.line()),
            "session" => Ok(self.session(if rest.is_empty() { "claude-code/s" } else { rest })),
            _ => return None,
        })
    }
}

impl Machine {
    /// The answer to a hook, one field on a line.
    fn answer(&self, output: &Output) -> Result<String, String> {
        if support::exit(output) != 0 {
            return Err(support::said(output));
        }
        if output.stdout.is_empty() {
            return Ok("nothing".to_owned());
        }
        let mut out = String::new();
        self.fields("", &support::document(output), &mut out);
        Ok(out)
    }

    fn fields(&self, above: &str, value: &Value, out: &mut String) {
        match value {
            Value::Object(fields) => {
                for (key, value) in fields {
                    // The name of the event, again.
                    if key != "hookEventName" {
                        let above = if above.is_empty() { "" } else { &format!("{above}.") };
                        self.fields(&format!("{above}{key}"), value, out);
                    }
                }
            }
            Value::String(text) => {
                // The id of a decision is different each time.
                let lines = text.lines().filter(|line| !line.contains("lawful allow "));
                let lines: Vec<&str> = lines.collect();
                if !lines.is_empty() {
                    let text = lines.join("\n  ").replace("\n  \n", "\n\n");
                    out.extend([above, ": ", &self.shown(&text), "\n"]);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => {
                out.extend([above, ": ", &value.to_string(), "\n"]);
            }
        }
    }
}
