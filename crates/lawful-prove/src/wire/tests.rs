use super::*;

const WIRES: [(Wire, &str); 4] = [
    (Wire::Gemini, "/v1beta/models/x:streamGenerateContent?alt=sse"),
    (Wire::Responses, "/v1/responses"),
    (Wire::Messages, "/v1/messages?beta=true"),
    (Wire::Chat, "/v1/chat/completions"),
];

#[test]
fn a_stream_is_sent_only_if_asked_for() {
    for (wire, path) in WIRES {
        let answer = Answer::text("a \"quoted\" word");
        let (kind, text) = wire.reply(path, r#"{"stream":true}"#, 1, &answer);
        assert_eq!(kind, "text/event-stream", "{wire:?}");
        assert!(text.contains("a \\\"quoted\\\" word"), "{text}");
        let path = path.replace("streamGenerateContent", "generateContent");
        let (kind, text) = wire.reply(&path, "{}", 1, &answer);
        assert_eq!(kind, "application/json", "{wire:?}");
        let whole: Value = serde_json::from_str(&text).unwrap();
        assert!(whole.to_string().contains("a \\\"quoted\\\" word"), "{whole}");
    }
}

#[test]
fn a_call_has_its_arguments_in_every_protocol() {
    let call = Answer::Call { tool: "Agent".to_owned(), input: r#"{"prompt":"x"}"#.to_owned() };
    for (wire, path) in WIRES {
        let (_, text) = wire.reply(path, r#"{"stream":true}"#, 1, &call);
        let plain = text.replace('\\', "");
        assert!(plain.contains("Agent") && plain.contains(r#"{"prompt":"x"}"#), "{wire:?}: {text}");
    }
}

#[test]
fn only_requests_with_tools_are_turns() {
    for (wire, path) in WIRES {
        assert!(wire.is_turn(path, r#"{"tools": [{"name":"x"}]}"#), "{wire:?}");
        assert!(!wire.is_turn(path, r#"{"tools": []}"#), "{wire:?}");
        assert!(!wire.is_turn("/v1/models", r#"{"tools": [{"name":"x"}]}"#), "{wire:?}");
    }
    assert!(!Wire::Messages.is_answered("/v1/messages/count_tokens"));
}
