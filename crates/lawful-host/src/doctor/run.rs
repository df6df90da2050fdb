//! Running the command of a hook as a harness does.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use lawful::syntax::escape;
use lawful_deliver::Hook;
use serde_json::Value;

use crate::workspace::Workspace;

/// How long to wait for an answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// The variables that a hook has in any environment, or that say where things are.
const KEPT: [&str; 12] = [
    "PATH",
    "HOME",
    "USER",
    "TMPDIR",
    "SYSTEMROOT",
    "XDG_STATE_HOME",
    "XDG_CONFIG_HOME",
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "COPILOT_HOME",
    "LAWFUL_LAW",
    "LAWFUL_SESSION",
];

/// Runs a command with an event on its standard input. Returns the document that it prints.
pub(super) fn answer(
    workspace: &Workspace,
    harness: &Hook,
    (line, project): (&str, &Path),
    event: &Value,
) -> Result<Value, String> {
    let mut command = Command::new("sh");
    command.args(["-c", line]).current_dir(project).env_clear();
    for name in KEPT {
        command.envs(workspace.variable(name).map(|value| (name, value)));
    }
    command.envs(harness.project_variable().map(|name| (name, project)));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| format!("cannot start a shell: {error}"))?;
    if let Some(mut stdin) = child.stdin.take() {
        // One that answers before it has read everything closes the pipe.
        let _ = stdin.write_all(event.to_string().as_bytes());
    }
    let id = child.id();
    let (sender, done) = mpsc::channel();
    thread::spawn(move || sender.send(child.wait_with_output()));
    let Ok(output) = done.recv_timeout(PATIENCE) else {
        return Err(format!("`{line}` (process {id}) has not answered after 30 seconds"));
    };
    let output = output.map_err(|error| error.to_string())?;
    let said = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        escape::shorten(&escape::line(text.trim()), 300).into_owned()
    };
    if !output.status.success() {
        return Err(format!("`{line}` failed ({}): {}", output.status, said(&output.stderr)));
    }
    serde_json::from_slice(&output.stdout).map_err(|_| {
        format!("`{line}` printed no answer: {} {}", said(&output.stdout), said(&output.stderr))
    })
}
