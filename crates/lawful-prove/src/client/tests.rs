use super::*;

#[test]
fn every_row_is_of_the_harness_table_and_is_filled() {
    let slots = Slots { port: 4711, home: "/h", project: "/p" };
    for client in &CLIENTS {
        assert!(lawful_deliver::find(client.id).is_some(), "{}", client.id);
        let words = client.arguments(slots);
        assert!(words.iter().any(|word| word == PROMPT), "{}: {words:?}", client.id);
        let values = client.variables(slots).into_iter().map(|(_, value)| value);
        let texts = client.files(slots).into_iter().map(|(_, text)| text);
        let all: Vec<String> = words.into_iter().chain(values).chain(texts).collect();
        let points = all.iter().any(|text| text.contains("http://127.0.0.1:4711"));
        assert!(points, "{} is not pointed at the stub", client.id);
        for slot in ["{base}", "{prompt}", "{home}", "{project}"] {
            assert!(!all.iter().any(|text| text.contains(slot)), "{}: {slot}", client.id);
        }
    }
}

#[test]
fn the_arguments_of_a_delegation_are_json() {
    for delegation in CLIENTS.iter().filter_map(|client| client.delegation) {
        let input = delegation.input("lawful-\"x\"", "say \"y\"");
        let value: serde_json::Value = serde_json::from_str(&input).unwrap();
        assert!(value.to_string().contains("say"), "{input}");
    }
}

#[test]
fn a_tool_can_have_the_name_of_the_agent() {
    let delegation = find("cline").and_then(|client| client.delegation).unwrap();
    let offered = ["other".to_owned(), "subagent_lawful_code_review".to_owned()];
    let tool = delegation.tool("lawful-code.review", &offered);
    assert_eq!(tool.as_deref(), Some("subagent_lawful_code_review"));
    assert_eq!(delegation.tool("lawful-scout", &offered), None);
}
