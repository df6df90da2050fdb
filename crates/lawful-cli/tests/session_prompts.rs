//! Prompts of stored sessions, inputs of the host, and bad values in inputs.

#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "this is a test")]

use serde_json::{Value, json};

mod support;

/// A lawbook in which a variable and a field of an action reach the prompt.
fn folder(name: &str) -> support::Folder {
    let folder = support::Folder::new(name);
    folder.write(
        "lawful.yaml",
        "name: tale
variables:
  hp: {type: number, initial: 9, protected: true}
  mood: {type: string, initial: calm, values: [calm, angry]}
  note: {type: string, initial: none}
",
    );
    folder.write("fragments/guide.md", "---\nid: guide\n---\nYou are ${state.mood}.\n");
    folder.write("fragments/low.md", "---\nid: low\n---\nOnly ${state.hp} left.\n");
    folder.write(
        "compositions/scene.yaml",
        "name: scene
base: [guide]
rules:
  - {when: {path: state.hp, op: lt, value: 5}, add: [low], after: guide}
",
    );
    folder.write(
        "rules/shop.yaml",
        "rules:
  - id: bought
    trigger: {type: action, actionId: buy}
    conditions: [{event.item: rope}]
    actions:
      - {type: send-context, message: 'They bought ${event.item}: ${state.note}', role: user}
      - {type: modify-variable, variableId: note, operation: set, valueFrom: event.item}
",
    );
    folder
}

fn ok(folder: &support::Folder, words: &[&str]) -> Value {
    let (exit, json, _) = folder.json(words);
    assert_eq!(exit, 0, "{words:?}: {json}");
    json
}

fn turn(folder: &support::Folder, input: &str) -> Value {
    folder.write("input.json", input);
    ok(folder, &["session", "turn", "s", "--input", "input.json", "--db", "s.db"])
}

#[test]
fn a_prompt_is_composed_for_a_stored_session() {
    let folder = folder("session-prompts");
    ok(&folder, &["session", "new", "s", "--db", "s.db"]);
    turn(
        &folder,
        r#"{"set": [{"path": "hp", "value": 3}, {"variableId": "mood", "value": "angry"}]}"#,
    );
    let done = turn(&folder, r#"{"action": "buy", "item": "rope"}"#);
    assert_eq!(done["state"]["turn"], json!(0));
    assert_eq!(done["trace"]["fired"][0]["event"]["item"], json!("rope"));
    let stored = ["--session", "s", "--db", "s.db"];
    let composed = ok(&folder, &[&["compose", "scene"], &stored[..]].concat());
    assert_eq!(composed["text"], json!("You are angry.\n\nOnly 3 left."));
    assert_eq!(composed["context"]["session"]["turn"], json!(0));
    assert_eq!(composed["insertions"][0]["text"], json!("They bought rope: rope"));
    // What `session show` prints is a state.
    let shown = ok(&folder, &["session", "show", "s", "--db", "s.db"]);
    folder.write("shown.json", shown.to_string());
    let again = ok(&folder, &["compose", "scene", "--state", "shown.json"]);
    assert_eq!(again["text"], composed["text"]);
    let blamed = ok(&folder, &[&["blame", "scene"], &stored[..]].concat());
    assert_eq!(blamed["lines"][2]["text"], json!("Only 3 left."));
    ok(&folder, &[&["diff", "scene"], &stored[..]].concat());
}

#[test]
fn a_session_of_a_prompt_is_named_once() {
    let folder = folder("session-prompts-once");
    for (words, code) in [
        (&["compose", "scene", "--db", "s.db"][..], "usage"),
        (&["compose", "scene", "--session", "s", "--state", "x.json"][..], "usage"),
    ] {
        let (exit, json, _) = folder.json(words);
        assert_eq!((exit, &json["diagnostics"][0]["code"]), (2, &json!(code)), "{words:?}: {json}");
    }
    let (exit, ..) = folder.json(&["compose", "scene", "--session", "s", "--db", "none.db"]);
    assert_eq!(exit, 2);
    assert!(!folder.join("none.db").exists());
}

#[test]
fn one_bad_value_does_not_cost_the_turn() {
    let folder = folder("session-prompts-bad");
    ok(&folder, &["session", "new", "s", "--db", "s.db"]);
    let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
    let long = "x".repeat(17 * 1024 * 1024);
    for bad in [deep, format!("\"{long}\""), "1e999".to_owned()] {
        let input = format!(
            r#"{{"user": "half \ud83d", "writes": [
                {{"variableId": "note", "operation": "set", "value": {bad}}},
                {{"variableId": "kept", "operation": "set", "value": "\ud83d"}}]}}"#
        );
        let done = turn(&folder, &input);
        let list = done["diagnostics"].as_array().unwrap();
        let mut codes: Vec<&str> = list.iter().map(|one| one["code"].as_str().unwrap()).collect();
        codes.sort_unstable();
        assert_eq!(codes, ["lone-surrogate", "lone-surrogate", "refused-write"]);
        assert_eq!(done["state"]["variables"]["note"], json!("none"));
        assert_eq!(done["state"]["variables"]["kept"], json!("\u{fffd}"));
    }
    // The log has the writes that were applied, so replaying gives the same.
    let (exit, json, _) = folder.json(&["replay", "s", "--db", "s.db"]);
    assert_eq!(exit, 0, "{json}");
    folder.write("input.json", "{\"user\": \"half \\ud83d\"}");
    let stepped = ok(&folder, &["react", "--input", "input.json"]);
    assert_eq!(stepped["diagnostics"][0]["code"], json!("lone-surrogate"));
}
