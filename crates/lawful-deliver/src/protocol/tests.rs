use super::*;
use crate::{HOOKS, find_hook as find};

fn read(id: &str, text: &str) -> Result<StopEvent, String> {
    read_stop(find(id).unwrap(), text.as_bytes())
}

#[test]
fn the_events_of_each_harness_are_read() {
    let event = |session: &str, continuing: bool| StopEvent {
        session: session.to_owned(),
        folder: Some(PathBuf::from("/p")),
        continuing,
    };
    let claude = r#"{"session_id":"s-1","transcript_path":"/t","cwd":"/p","permission_mode":"default",
        "hook_event_name":"Stop","stop_hook_active":true,"last_assistant_message":"\ud83d"}"#;
    assert_eq!(read("claude-code", claude), Ok(event("s-1", true)));
    let codex = r#"{"session_id":"s-2","turn_id":"1","cwd":"/p","hook_event_name":"Stop","model":"m",
        "transcript_path":null,"permission_mode":"default","stop_hook_active":false,"last_assistant_message":null}"#;
    assert_eq!(read("codex", codex), Ok(event("s-2", false)));
    let gemini = r#"{"session_id":"s-3","transcript_path":"","cwd":"/p","hook_event_name":"AfterAgent",
        "timestamp":"2026-11-15T00:00:00Z","prompt":"p","prompt_response":"r","stop_hook_active":false}"#;
    assert_eq!(read("gemini-cli", gemini), Ok(event("s-3", false)));
}

#[test]
fn what_is_not_said_is_not_made_up() {
    assert_eq!(read("claude-code", "{}"), Ok(StopEvent::default()));
}

#[test]
fn what_is_no_event_is_refused() {
    for text in
        ["", "[]", "{", "null", "{\"session_id\": 3}", "{\"stop_hook_active\": \"yes\"}", "\u{0}"]
    {
        let error = read("claude-code", text).unwrap_err();
        assert!(error.starts_with("the input from Claude Code"), "{text}: {error}");
        assert!(!error.contains("Wire"), "{text}: {error}");
    }
    assert_eq!(
        read("claude-code", r#"{"hook_event_name":"PreToolUse"}"#).unwrap_err(),
        "this hook is for the event `Stop`, not for `PreToolUse`"
    );
    let deep = format!("{{\"x\": {}", "[".repeat(1_000_000));
    assert!(read("claude-code", &deep).is_err());
}

#[test]
fn answers_are_nothing_or_one_document() {
    for harness in &HOOKS {
        assert_eq!(harness.answer(&Answer::Pass), Sent::default());
        let said = harness.answer(&Answer::Say("let go".to_owned()));
        if harness.honours(Event::Stop).message {
            let said: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
            assert_eq!(said, serde_json::json!({"systemMessage": "let go"}));
        } else {
            assert_eq!((&*said.stdout, &*said.stderr, said.code), ("", "let go\n", 0));
        }
        let hostile = "a\"b\\ \n\u{1b}[31m\u{202e}</x>";
        let block = harness.answer(&Answer::Block(hostile.to_owned())).stdout;
        assert!(!block.contains('\u{1b}') && !block.contains('\u{202e}'));
        let block: serde_json::Value = serde_json::from_str(&block).unwrap();
        let expected = match harness.id {
            "gemini-cli" => serde_json::json!({"decision": "deny", "reason": hostile}),
            "cursor" => serde_json::json!({"followup_message": hostile}),
            _ => serde_json::json!({"decision": "block", "reason": hostile}),
        };
        assert_eq!(block, expected);
    }
}
