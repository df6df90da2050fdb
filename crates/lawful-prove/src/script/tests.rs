use super::*;
use crate::client;

fn request(user: &str, tools: &str) -> Recorded {
    let body = format!(
        r#"{{"system":"x","messages":[{{"role":"user","content":"{user}"}}],"tools":{tools}}}"#
    );
    Recorded { path: "/v1/messages".to_owned(), body }
}

fn script(agents: &[&str]) -> Script {
    let client = client::find("claude-code").unwrap();
    let agents = agents.iter().map(|agent| (*agent).to_owned()).collect();
    Script::new(client.wire, client.delegation, agents)
}

const TOOLS: &str = r#"[{"name":"Bash"},{"name":"Task"}]"#;

#[test]
fn each_agent_is_asked_for_once() {
    let mut script = script(&["lawful-a", "lawful-b"]);
    let main = request(PROMPT, TOOLS);
    let mut said = |request: &Recorded| script.answer(request).unwrap().text;
    assert!(said(&main).contains("lawful-a"));
    assert!(said(&request(&task("lawful-a"), TOOLS)).contains("ready"));
    // A title, for which no tools are offered.
    assert!(said(&request(PROMPT, "[]")).contains("ready"));
    assert!(said(&main).contains("lawful-b"));
    assert!(said(&main).contains("ready"));
}

#[test]
fn a_tool_that_is_not_offered_is_not_called() {
    let mut script = script(&["lawful-a"]);
    let said = script.answer(&request(PROMPT, r#"[{"name":"Bash"}]"#)).unwrap().text;
    assert!(!said.contains("lawful-a"), "{said}");
}

#[test]
fn other_paths_are_refused() {
    let other = Recorded { path: "/v1/models".to_owned(), body: String::new() };
    assert_eq!(script(&[]).answer(&other), None);
}

#[test]
fn the_tools_of_every_protocol_are_found() {
    assert_eq!(
        tools(r#"{"tools":[{"functionDeclarations":[{"name":"a"},{"name":"b"}]}]}"#),
        ["a", "b"]
    );
    assert_eq!(tools(r#"{"tools":[{"type":"function","function":{"name":"a"}}]}"#), ["a"]);
    assert_eq!(tools(r#"{"tools":[{"type":"function","name":"a"}]}"#), ["a"]);
    let space = r#"{"tools":[{"type":"namespace","name":"a","tools":[{"name":"b"}]}]}"#;
    assert_eq!(tools(space), ["a", "a/b"]);
}

#[test]
fn the_last_message_decides_whose_conversation_it_is() {
    let both = format!(
        r#"{{"messages":[{{"role":"user","content":"{PROMPT}"}},{{"role":"user","content":"{}"}}],"tools":{TOOLS}}}"#,
        task("lawful-a")
    );
    let both = Recorded { path: "/v1/messages".to_owned(), body: both };
    assert!(!is_main(Wire::Messages, &both));
    assert!(is_for(Wire::Messages, &both, &task("lawful-a")));
}
