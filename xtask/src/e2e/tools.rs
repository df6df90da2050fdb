//! The tools of the harnesses: how the model of each asks for the same thing.

use std::path::Path;

use lawful_prove::Answer;
use serde_json::Value;

/// What the model says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Says {
    /// A final message.
    Text(&'static str),
    /// A command to run.
    Shell(&'static str),
    /// A file of the project to read.
    Read(&'static str),
    /// A file of the project to write.
    Write { path: &'static str, text: &'static str },
    /// A task for a sub-agent.
    Delegate(&'static str),
}

/// The tools of one harness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tools {
    ClaudeCode,
    Codex,
    /// Of Gemini CLI, and of Qwen Code, which comes from it.
    GeminiCli,
    OpenCode,
}

impl Tools {
    /// The answer of the model in a project.
    pub(super) fn answer(self, says: Says, project: &Path) -> Answer {
        let at = |path: &str| quoted(&project.join(path).to_string_lossy());
        match says {
            Says::Text(text) => Answer::text(text),
            Says::Shell(line) => self.shell(line),
            Says::Read(path) => {
                let (tool, key) = match self {
                    Self::ClaudeCode => ("Read", "file_path"),
                    Self::Codex => return self.shell(&format!("cat {path}")),
                    Self::GeminiCli => ("read_file", "file_path"),
                    Self::OpenCode => ("read", "filePath"),
                };
                Answer::Call {
                    tool: tool.to_owned(),
                    input: format!(r#"{{"{key}":{}}}"#, at(path)),
                }
            }
            Says::Write { path, text } => {
                let (tool, key) = match self {
                    Self::ClaudeCode => ("Write", "file_path"),
                    // Its tool for edits is a patch, which can be given as a command.
                    Self::Codex => return self.shell(&patch(path, text)),
                    Self::GeminiCli => ("write_file", "file_path"),
                    Self::OpenCode => ("write", "filePath"),
                };
                let input = format!(r#"{{"{key}":{},"content":{}}}"#, at(path), quoted(text));
                Answer::Call { tool: tool.to_owned(), input }
            }
            Says::Delegate(task) => {
                let (tool, kind) = match self {
                    Self::ClaudeCode => ("Agent", "general-purpose"),
                    Self::Codex => ("spawn_agent", "default"),
                    Self::GeminiCli => ("agent", "general-purpose"),
                    Self::OpenCode => ("task", "general"),
                };
                let input = format!(
                    r#"{{"description":"a task","prompt":{},"subagent_type":"{kind}","run_in_background":false}}"#,
                    quoted(task)
                );
                Answer::Call { tool: tool.to_owned(), input }
            }
        }
    }

    fn shell(self, line: &str) -> Answer {
        let (tool, key, rest) = match self {
            Self::ClaudeCode => ("Bash", "command", r#""description":"run""#),
            // A login shell would reset the `PATH`, which contains `lawful`.
            Self::Codex => ("exec_command", "cmd", r#""login":false"#),
            Self::GeminiCli => {
                ("run_shell_command", "command", r#""description":"run","is_background":false"#)
            }
            Self::OpenCode => ("bash", "command", r#""description":"run""#),
        };
        Answer::Call {
            tool: tool.to_owned(),
            input: format!(r#"{{"{key}":{},{rest}}}"#, quoted(line)),
        }
    }
}

/// A command that writes a file, whether it exists or not.
fn patch(path: &str, text: &str) -> String {
    let added: String = text.lines().flat_map(|line| ["+", line, "\n"]).collect();
    format!("apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: {path}\n{added}*** End Patch\nEOF")
}

/// A JSON string.
fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}
