use lawful_deliver::HOOKS;

use super::*;

/// What each harness is told about an event.
fn told(harness: &'static Hook, event: Event, input: &[u8]) -> Sent {
    // Without a home nothing can be stored or trusted.
    let workspace = Workspace::at(std::env::temp_dir()).with_variables(|_| None);
    workspace.live(LiveRequest { harness, event, undecided: Undecided::Block }, input)
}

#[test]
fn what_cannot_be_decided_is_denied_in_every_harness() {
    let call = br#"{"tool_name":"Bash","tool_input":{"command":"ls"}}"#;
    for harness in &HOOKS {
        for input in [&b""[..], b"{}", b"\xff", call] {
            let sent = told(harness, Event::ToolCall, input);
            assert!(sent.stdout.contains("\"deny\""), "{}: {sent:?}", harness.id);
        }
    }
}
