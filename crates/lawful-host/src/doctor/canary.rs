//! Events that test an installation, and what the harness understands of the answer.
//!
//! The answer is read here as the harness reads it, and not with the code that wrote it.

use std::path::Path;

use lawful_deliver::{Event, Hook};
use serde_json::{Value, json};

use crate::live::CANARY_SESSION;

/// What a canary wants to run. It does nothing, should it ever run.
const COMMAND: &str = "true lawful-hook-doctor";

/// The event that a harness would send; `None` if it does not send such an event.
pub(super) fn event(
    harness: &Hook,
    event: Event,
    project: &Path,
    sub_agent: bool,
) -> Option<Value> {
    let name = harness.row(event)?.name;
    let folder = project.to_str()?;
    let mut sent = match harness.id {
        "copilot" => json!({ "sessionId": CANARY_SESSION, "cwd": folder }),
        "cursor" => json!({
            "conversation_id": CANARY_SESSION, "hook_event_name": name, "cwd": folder,
            "workspace_roots": [folder],
        }),
        "opencode" => json!({ "session_id": CANARY_SESSION, "cwd": folder, "project": folder }),
        _ => json!({ "session_id": CANARY_SESSION, "cwd": folder, "hook_event_name": name }),
    };
    let more = match (harness.id, event) {
        ("copilot", Event::ToolCall) => {
            json!({ "toolName": "bash", "toolArgs": json!({ "command": COMMAND }).to_string() })
        }
        (_, Event::ToolCall) => json!({
            "tool_name": shell(harness), "tool_input": { "command": COMMAND },
        }),
        (_, _) => json!({ "stop_hook_active": false }),
    };
    let sent_map = sent.as_object_mut()?;
    sent_map.extend(more.as_object()?.clone());
    if sub_agent {
        let agent = json!({ "agent_id": "lawful-hook-doctor", "agent_type": "doctor" });
        sent_map.extend(agent.as_object()?.clone());
    }
    Some(sent)
}

/// The name of the tool that runs shell lines.
fn shell(harness: &Hook) -> &'static str {
    match harness.id {
        "gemini-cli" | "qwen" => "run_shell_command",
        "cursor" => "Shell",
        "opencode" => "bash",
        _ => "Bash",
    }
}

/// Why a harness does not run the call, or makes the agent continue; `None` if it lets it go.
pub(super) fn refusal(harness: &Hook, event: Event, answer: &Value) -> Option<String> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let own = answer.get("hookSpecificOutput");
    let (decision, word, reason) = match (harness.id, event) {
        ("claude-code" | "codex" | "qwen", Event::ToolCall) => {
            let own = own?;
            if own.get("hookEventName")?.as_str()? != harness.row(event)?.name {
                return None;
            }
            (own.get("permissionDecision"), "deny", own.get("permissionDecisionReason"))
        }
        ("copilot", Event::ToolCall) => {
            (answer.get("permissionDecision"), "deny", answer.get("permissionDecisionReason"))
        }
        ("cursor", Event::ToolCall) => {
            (answer.get("permission"), "deny", answer.get("agent_message"))
        }
        ("cursor", _) => return text(answer.get("followup_message")?),
        ("gemini-cli", _) => (answer.get("decision"), "deny", answer.get("reason")),
        ("opencode", Event::ToolCall) => (answer.get("decision"), "deny", answer.get("reason")),
        (_, _) => (answer.get("decision"), "block", answer.get("reason")),
    };
    if decision?.as_str()? != word {
        return None;
    }
    text(reason?)
}
