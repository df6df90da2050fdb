use lawful::live::Target;
use proptest::prelude::*;

use super::*;
use crate::{HOOKS, find_hook};

fn hook(id: &str) -> &'static Hook {
    find_hook(id).unwrap()
}

fn read_text(id: &str, event: Event, text: &str) -> Result<Incoming, String> {
    read(hook(id), event, text.as_bytes())
}

/// What was read, in one line.
fn shown(incoming: &Incoming) -> String {
    let moment = match &incoming.moment {
        Moment::SessionStart { source, agent } => format!("session-start {source} {agent}"),
        Moment::Prompt { content } => format!("prompt {content}"),
        Moment::ToolCall(call) => format!("call {}", of_call(call)),
        Moment::ToolResult { call, ok, output } => {
            format!("result {} ok={ok} {}", of_call(call), output.kind_name())
        }
        Moment::AgentStart { agent } => format!("agent-start {agent}"),
        Moment::AgentStop { agent, message } => format!("agent-stop {agent} {message:?}"),
        Moment::Stop { message } => format!("stop {message:?}"),
        Moment::Compact { trigger } => format!("compact {trigger}"),
    };
    let id = incoming.agent_id.as_deref().map_or(String::new(), |id| format!("#{id}"));
    format!("{} {}{id}: {moment}", incoming.session, incoming.agent)
}

fn of_call(call: &ToolUse) -> String {
    let target = match &call.target {
        Target::Shell { command, .. } => command.to_string(),
        Target::Paths(paths) => paths.join(" "),
        Target::Url(url) => url.to_string(),
        Target::Mcp { server, name } => format!("{server}/{name}"),
        Target::Nothing => "-".to_owned(),
    };
    format!("{} {} {target}", call.tool, call.action.name())
}

#[track_caller]
fn check(id: &str, event: Event, text: &str, expected: &str) {
    assert_eq!(shown(&read_text(id, event, text).unwrap()), expected);
}

#[test]
fn the_events_of_claude_code() {
    let base = r#""session_id":"s","transcript_path":"/t","cwd":"/p","permission_mode":"default""#;
    let check = |event, name: &str, more: &str, expected: &str| {
        let text = format!("{{{base},\"hook_event_name\":\"{name}\"{more}}}");
        check("claude-code", event, &text, expected);
    };
    check(
        Event::SessionStart,
        "SessionStart",
        r#","source":"resume""#,
        "s main: session-start resume main",
    );
    check(Event::Prompt, "UserPromptSubmit", r#","prompt":"do it""#, "s main: prompt do it");
    let bash = r#","tool_name":"Bash","tool_input":{"command":"ls"},"tool_use_id":"t-1""#;
    check(Event::ToolCall, "PreToolUse", bash, "s main: call Bash shell ls");
    let in_agent = format!(r#"{bash},"agent_id":"a-1","agent_type":"reviewer""#);
    check(Event::ToolCall, "PreToolUse", &in_agent, "s reviewer#a-1: call Bash shell ls");
    let as_main = format!(r#"{bash},"agent_id":"a-1","agent_type":"main""#);
    check(Event::ToolCall, "PreToolUse", &as_main, "s sub-agent main#a-1: call Bash shell ls");
    // A main conversation that runs as an agent has a type and no id.
    let as_agent = format!(r#"{bash},"agent_type":"reviewer""#);
    check(Event::ToolCall, "PreToolUse", &as_agent, "s main: call Bash shell ls");
    let result = format!(r#"{bash},"tool_response":{{"stdout":"x","is_error":true}}"#);
    check(
        Event::ToolResult,
        "PostToolUse",
        &result,
        "s main: result Bash shell ls ok=false an object",
    );
    let agent = r#","agent_id":"a-1","agent_type":"reviewer""#;
    check(Event::AgentStart, "SubagentStart", agent, "s reviewer#a-1: agent-start reviewer");
    let stop = format!(r#"{agent},"stop_hook_active":false,"last_assistant_message":"done""#);
    check(
        Event::AgentStop,
        "SubagentStop",
        &stop,
        "s reviewer#a-1: agent-stop reviewer Some(\"done\")",
    );
    check(Event::Stop, "Stop", r#","last_assistant_message":"ok""#, "s main: stop Some(\"ok\")");
    check(Event::Compact, "PreCompact", r#","trigger":"manual""#, "s main: compact manual");
}

#[test]
fn the_events_of_gemini_cli() {
    let base =
        r#""session_id":"s","transcript_path":"","cwd":"/p","timestamp":"2026-11-15T00:00:00Z""#;
    let check = |event, name: &str, more: &str, expected: &str| {
        let text = format!("{{{base},\"hook_event_name\":\"{name}\"{more}}}");
        check("gemini-cli", event, &text, expected);
    };
    check(Event::Prompt, "BeforeAgent", r#","prompt":"p""#, "s main: prompt p");
    check(
        Event::ToolCall,
        "BeforeTool",
        r#","tool_name":"mcp_a_b_c","tool_input":{},"mcp_context":{"server_name":"a_b","tool_name":"c"}"#,
        "s main: call mcp_a_b_c mcp a_b/c",
    );
    check(
        Event::ToolResult,
        "AfterTool",
        r#","tool_name":"read_file","tool_input":{"file_path":"x"},"tool_response":{"llmContent":"t"}"#,
        "s main: result read_file read x ok=true an object",
    );
    check(
        Event::Stop,
        "AfterAgent",
        r#","prompt":"p","prompt_response":"r""#,
        "s main: stop Some(\"r\")",
    );
    check(Event::Compact, "PreCompress", r#","trigger":"auto""#, "s main: compact auto");
    assert!(read_text("gemini-cli", Event::AgentStart, "{}").unwrap_err().contains("has no hook"));
}

#[test]
fn both_spellings_of_copilot() {
    let camel = r#"{"sessionId":"s","timestamp":1,"cwd":"/p","toolName":"bash","toolArgs":{"command":"ls"}}"#;
    let text = r#"{"sessionId":"s","timestamp":1,"cwd":"/p","toolName":"bash","toolArgs":"{\"command\":\"ls\"}"}"#;
    let pascal = r#"{"hook_event_name":"PreToolUse","session_id":"s","timestamp":"t","cwd":"/p",
        "tool_name":"bash","tool_input":{"command":"ls"}}"#;
    for payload in [camel, text, pascal] {
        check("copilot", Event::ToolCall, payload, "s main: call bash shell ls");
    }
    check(
        "copilot",
        Event::AgentStart,
        r#"{"sessionId":"s","cwd":"/p","agentName":"reviewer"}"#,
        "s reviewer: agent-start reviewer",
    );
    check(
        "copilot",
        Event::ToolResult,
        r#"{"sessionId":"s","toolName":"view","toolArgs":{"path":"x"},"toolResult":{"resultType":"failure"}}"#,
        "s main: result view read x ok=false an object",
    );
    check(
        "copilot",
        Event::Stop,
        r#"{"sessionId":"s","stopReason":"end_turn"}"#,
        "s main: stop None",
    );
    let both = r#"{"sessionId":"s","session_id":"t"}"#;
    let error = read_text("copilot", Event::Stop, both).unwrap_err();
    assert!(error.ends_with("it has both `session_id` and `sessionId`"), "{error}");
}

#[test]
fn the_events_of_cursor_and_opencode() {
    let cursor = r#"{"conversation_id":"s","generation_id":"g","hook_event_name":"preToolUse",
        "workspace_roots":["/w"],"tool_name":"Shell","tool_input":{"command":"ls"},"tool_use_id":"t"}"#;
    let read = read_text("cursor", Event::ToolCall, cursor).unwrap();
    assert_eq!(shown(&read), "s main: call Shell shell ls");
    assert_eq!((read.folder, read.project), (Some("/w".into()), Some("/w".into())));
    assert_eq!(read.call.as_deref(), Some("t"));
    let stop =
        r#"{"conversation_id":"s","hook_event_name":"stop","status":"completed","loop_count":2}"#;
    assert!(read_text("cursor", Event::Stop, stop).unwrap().continuing);
    check(
        "opencode",
        Event::ToolCall,
        r#"{"hook_event_name":"tool.execute.before","session_id":"s","cwd":"/p","project":"/p",
            "agent_id":"c","agent_type":"build","call_id":"t","mcp_servers":["x"],
            "tool_name":"x_run","tool_input":{}}"#,
        "s build#c: call x_run mcp x/run",
    );
}

#[test]
fn a_tool_call_that_cannot_be_read_whole_is_refused() {
    let refused = |text: &str| {
        let error = read_text("claude-code", Event::ToolCall, text).unwrap_err();
        assert!(!error.contains('\u{1b}') && error.len() < 400, "{error}");
    };
    refused("{}");
    refused(r#"{"tool_name":"Bash"}"#);
    refused(r#"{"tool_input":{"command":"ls"}}"#);
    refused(r#"{"tool_name":"","tool_input":{}}"#);
    refused(r#"{"tool_name":3,"tool_input":{}}"#);
    refused(r#"{"tool_name":"Ba\u0000sh","tool_input":{}}"#);
    refused(r#"{"tool_name":"Bash","tool_input":[]}"#);
    refused(r#"{"tool_name":"Bash","tool_input":null}"#);
    refused(r#"{"tool_name":"Bash","tool_name":"Read","tool_input":{"command":"ls"}}"#);
    refused(r#"{"tool_name":"Bash","tool_input":{"command":"ls","command":"rm"}}"#);
    refused(r#"{"tool_name":"Bash","tool_input":{"command":"ls","n":1e999}}"#);
    refused(
        r#"{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}"#,
    );
    refused(
        r#"{"hook_event_name":"Evil\u001b[2J","tool_name":"Bash","tool_input":{"command":"ls"}}"#,
    );
    refused(r#"{"tool_name":"Bash","tool_input":{"command":"ls"}} {}"#);
    let deep = format!(
        r#"{{"tool_name":"Bash","tool_input":{{"command":"ls","x":{}{}}}}}"#,
        "[".repeat(500),
        "]".repeat(500)
    );
    refused(&deep);
    refused(&"[".repeat(1_000_000));
    assert!(read(hook("codex"), Event::ToolCall, b"\xff\xfe{}").is_err());
    assert!(read(hook("codex"), Event::ToolCall, &vec![b' '; LONGEST_EVENT + 1]).is_err());
}

#[test]
fn half_of_a_surrogate_pair_is_replaced_and_said() {
    let text = r#"{"tool_name":"Write","tool_input":{"file_path":"a\ud83d"}}"#;
    let read = read_text("claude-code", Event::ToolCall, text).unwrap();
    assert_eq!(shown(&read), " main: call Write write a\u{fffd}");
    assert_eq!(read.warnings.len(), 1);
}

#[test]
fn a_result_is_read_although_its_target_is_not() {
    let text = r#"{"tool_name":"Bash","tool_input":{},"tool_response":{"error":"no command"}}"#;
    check("claude-code", Event::ToolResult, text, " main: result Bash other - ok=false an object");
}

proptest! {
    /// Whatever bytes come, every harness answers, and a call never loses its tool.
    #[test]
    fn any_input_is_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        for hook in &HOOKS {
            for event in Event::ALL {
                let is_refused = read(hook, event, &bytes).is_err();
                prop_assert!(is_refused || bytes.contains(&b':') || event != Event::ToolCall);
            }
        }
    }

    #[test]
    fn a_known_tool_is_refused_or_has_a_target(
        tool in prop::sample::select(vec!["Bash", "Write", "Read", "Edit", "apply_patch", "WebFetch"]),
        key in prop::sample::select(vec!["command", "file_path", "url", "path", "x"]),
        value in prop::sample::select(vec!["1", "null", "[]", "{}", "\"\"", "\"v\"", "[\"v\"]", "[null]"]),
    ) {
        let text = format!("{{\"tool_name\":\"{tool}\",\"tool_input\":{{\"{key}\":{value}}}}}");
        if let Ok(read) = read_text("codex", Event::ToolCall, &text) {
            let Moment::ToolCall(call) = read.moment else { panic!() };
            prop_assert!(call.target != Target::Nothing, "{text}");
        }
    }
}
