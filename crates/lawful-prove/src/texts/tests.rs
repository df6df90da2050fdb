use super::*;

fn check(wire: Wire, body: &str, expected: &[&str]) {
    let texts = read(wire, body).unwrap_or_default();
    let found: Vec<String> =
        texts.iter().map(|text| format!("{}: {}", text.role.name(), text.text)).collect();
    assert_eq!(found, expected);
}

#[test]
fn messages_have_a_system_prompt_in_parts() {
    check(
        Wire::Messages,
        r#"{"system":[{"type":"text","text":"a"},{"type":"text","text":"b"}],"messages":[
            {"role":"user","content":[{"type":"text","text":"c"},{"type":"tool_result","content":"x"}]},
            {"role":"assistant","content":"y"},{"role":"user","content":"d"}]}"#,
        &["system: a", "system: b", "user: c", "user: d"],
    );
    check(
        Wire::Messages,
        r#"{"system":"a","messages":[{"role":"user","content":"b"}]}"#,
        &["system: a", "user: b"],
    );
}

#[test]
fn responses_have_instructions_and_items() {
    check(
        Wire::Responses,
        r#"{"instructions":"a","input":[
            {"type":"message","role":"developer","content":[{"type":"input_text","text":"b"}]},
            {"type":"message","role":"user","content":[{"type":"input_text","text":"c"}]},
            {"type":"function_call_output","call_id":"1","output":"x","content":"y"},
            {"type":"message","role":"assistant","content":[{"type":"output_text","text":"z"}]}]}"#,
        &["system: a", "developer: b", "user: c"],
    );
    check(Wire::Responses, r#"{"input":"a"}"#, &["user: a"]);
}

#[test]
fn chats_have_every_role_in_one_list() {
    check(
        Wire::Chat,
        r#"{"messages":[{"role":"system","content":"a"},{"role":"developer","content":"b"},
            {"role":"user","content":[{"type":"text","text":"c"},{"type":"image_url","image_url":{}}]},
            {"role":"tool","content":"x"},{"role":"assistant","content":null}]}"#,
        &["system: a", "developer: b", "user: c"],
    );
}

#[test]
fn gemini_has_parts_everywhere() {
    check(
        Wire::Gemini,
        r#"{"systemInstruction":{"role":"user","parts":[{"text":"a"}]},"contents":[
            {"role":"user","parts":[{"text":"b"},{"functionResponse":{}}]},
            {"role":"model","parts":[{"text":"x"}]}]}"#,
        &["system: a", "user: b"],
    );
}

#[test]
fn anything_else_is_no_request() {
    assert_eq!(read(Wire::Chat, "{}"), None);
    assert_eq!(read(Wire::Chat, "not json"), None);
}
