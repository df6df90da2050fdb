use jsonc_parser::CollectOptions;
use proptest::prelude::*;

use super::*;
use crate::{BookFolder, find_hook as find};

const STOP: [Event; 1] = [Event::Stop];
/// What occurs once in the hook of the stop.
const ONCE: &str = "lawful hook --harness claude-code stop";

fn plain() -> HookCommand {
    HookCommand::default()
}

fn claude() -> &'static Hook {
    find("claude-code").unwrap()
}

fn check(before: &str, after: &str) {
    let installed = install(before, claude(), &STOP, &plain()).unwrap().unwrap();
    let command = claude().entries(&STOP, &plain())[0].command.clone();
    let literal = serde_json::Value::from(command).to_string();
    assert_eq!(installed, after.replace("\"COMMAND\"", &literal));
    assert_eq!(install(&installed, claude(), &STOP, &plain()).unwrap(), None, "twice is once");
}

#[test]
fn a_file_that_is_not_there_is_made() {
    check(
        "",
        r#"{
  "hooks": {
    "Stop": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "COMMAND",
            "timeout": 900
          }
        ]
      }
    ]
  }
}
"#,
    );
}

#[test]
fn comments_and_layout_stay() {
    check(
        "\u{feff}{\r\n\t// mine\r\n\t\"model\": \"opus\", /* why */\r\n\t\"hooks\": {\r\n\t\t\"PreToolUse\": [],\r\n\t},\r\n}",
        "\u{feff}{\r\n\t// mine\r\n\t\"model\": \"opus\", /* why */\r\n\t\"hooks\": {\r\n\t\t\"PreToolUse\": [],\r\n\t\t\"Stop\": [\r\n\t\t\t{\r\n\t\t\t\t\"hooks\": [\r\n\t\t\t\t\t{\r\n\t\t\t\t\t\t\"type\": \"command\",\r\n\t\t\t\t\t\t\"command\": \"COMMAND\",\r\n\t\t\t\t\t\t\"timeout\": 900\r\n\t\t\t\t\t}\r\n\t\t\t\t]\r\n\t\t\t}\r\n\t\t],\r\n\t},\r\n}",
    );
}

#[test]
fn each_harness_has_its_own_event_and_clock() {
    let gemini = find("gemini-cli").unwrap();
    let text = install("{}", gemini, &STOP, &plain()).unwrap().unwrap();
    assert!(text.contains("\"AfterAgent\"") && text.contains("900000"), "{text}");
    assert_eq!(uninstall(&text, claude()).unwrap(), None);
    assert!(uninstall(&text, gemini).unwrap().is_some());
}

#[test]
fn only_our_own_is_taken_out() {
    let text = r#"{
  "hooks": {
    "Stop": [
      // theirs
      {"hooks": [{"type": "command", "command": "say done"}]},
      {"hooks": [
        {"type": "command", "command": "/opt/bin/lawful hook --harness claude-code stop --book law"},
        {"type": "command", "command": "not-lawful hook --harness claude-code stop"},
        {"type": "command", "command": "lawful hook --harness codex stop"}
      ]}
    ]
  }
}
"#;
    let without = uninstall(text, claude()).unwrap().unwrap();
    assert!(!without.contains("/opt/bin"), "{without}");
    for kept in ["// theirs", "say done", "not-lawful", "--harness codex"] {
        assert!(without.contains(kept), "{without}");
    }
    assert_eq!(uninstall(&without, claude()).unwrap(), None);
}

#[test]
fn another_command_takes_the_place_of_the_old_one() {
    let old = install("{}", claude(), &STOP, &plain()).unwrap().unwrap();
    let twice = old.replace(
        "\"Stop\": [",
        "\"Stop\": [{\"hooks\": [{\"command\": \"lawful hook --harness claude-code stop\"}]},",
    );
    for text in [old, twice] {
        let new = HookCommand { book: Some(BookFolder::At("law".to_owned())), ..plain() };
        let changed = install(&text, claude(), &STOP, &new).unwrap().unwrap();
        assert_eq!(changed.matches("lawful hook").count(), 1, "{changed}");
        assert!(changed.contains("--book law"));
    }
}

#[test]
fn what_cannot_be_edited_is_refused() {
    let refused = |text: &str| install(text, claude(), &STOP, &plain()).unwrap_err().to_string();
    for broken in ["{", "{]", "nothing", "{'a': 1}", "{a: 1}", "{\"a\" 1}", "{} {}"] {
        assert!(refused(broken).starts_with("it is not JSON: "), "{broken}: {}", refused(broken));
    }
    assert_eq!(refused("[]"), "the document is not a mapping");
    assert_eq!(refused("{\"hooks\": []}"), "`hooks` is not a mapping");
    assert_eq!(refused("{\"hooks\": {\"Stop\": {}}}"), "`Stop` is not a list");
    assert_eq!(refused("{\"hooks\": {}, \"hooks\": {}}"), "it has the key `hooks` twice");
    assert_eq!(
        refused("{\"hooks\": {\"Stop\": [], \"\\u0053top\": []}}"),
        "it has the key `Stop` twice"
    );
    let deep = "[".repeat(100_000);
    assert!(refused(&deep).starts_with("it is not JSON: "));
}

/// JSON with comments, in many layouts.
fn settings() -> impl Strategy<Value = String> {
    let gap =
        prop::sample::select(vec!["", " ", "\n", "\n\n  ", "\t", " // REMARK\n", " /* REMARK */ "]);
    let gap2 = gap.clone();
    let value = prop::sample::select(vec![
        "1",
        "true",
        "null",
        "\"a // b\"",
        "[]",
        "[1, 2]",
        "{}",
        "{\"x\": {\"y\": []}}",
    ]);
    let stop = prop::sample::select(vec![
        None,
        Some("{}"),
        Some("{\"Stop\": []}"),
        Some("{\"Stop\": [ /* REMARK */ ]}"),
        Some("{ \"Stop\" : [ {\"hooks\": [{\"command\": \"say\"}]} ] }"),
        Some("{\"PreToolUse\": [{\"hooks\": []}], // REMARK\n \"Stop\": [\n{}\n] }"),
    ]);
    (prop::collection::vec((gap, value), 0..4), stop, gap2, any::<bool>()).prop_map(
        |(members, stop, gap, hooks_first)| {
            let mut parts: Vec<String> = members
                .iter()
                .enumerate()
                .map(|(at, (gap, value))| format!("{gap}\"k{at}\":{gap}{value}{gap}"))
                .collect();
            if let Some(stop) = stop {
                let at = if hooks_first { 0 } else { parts.len() };
                parts.insert(at, format!("{gap}\"hooks\":{gap}{stop}{gap}"));
            }
            format!("{gap}{{{gap}{}}}{gap}", parts.join(","))
        },
    )
}

/// The text as data, comments left out.
fn data(text: &str) -> Option<String> {
    let value = jsonc_parser::parse_to_ast(
        text,
        &CollectOptions::default(),
        &jsonc_parser::ParseOptions::default(),
    );
    value.ok()?.value.map(|value| format!("{:?}", strip(&value)))
}

fn strip(value: &jsonc_parser::ast::Value<'_>) -> serde_json::Value {
    use jsonc_parser::ast::Value;
    match value {
        Value::StringLit(text) => text.value.to_string().into(),
        Value::NumberLit(number) => number.value.to_owned().into(),
        Value::BooleanLit(value) => value.value.into(),
        Value::NullKeyword(_) => serde_json::Value::Null,
        Value::Array(array) => array.elements.iter().map(strip).collect(),
        Value::Object(object) => serde_json::Value::Object(
            object
                .properties
                .iter()
                .map(|p| (p.name.as_str().to_owned(), strip(&p.value)))
                .collect(),
        ),
    }
}

proptest! {
    #[test]
    fn what_others_wrote_means_the_same_afterwards(text in settings()) {
        let installed = install(&text, claude(), &STOP, &plain()).unwrap().unwrap();
        prop_assert_eq!(install(&installed, claude(), &STOP, &plain()).unwrap(), None);
        prop_assert_eq!(installed.matches(ONCE).count(), 1);
        let remarks = |text: &str| text.matches("REMARK").count();
        prop_assert_eq!(remarks(&installed), remarks(&text));
        let without = uninstall(&installed, claude()).unwrap().unwrap();
        prop_assert_eq!(uninstall(&without, claude()).unwrap(), None);
        prop_assert_eq!(remarks(&without), remarks(&text));
        // An empty list or mapping that only we filled may be gone; nothing else is.
        let bare = |text: &str| {
            data(text).map(|text| {
                text.replace("\"Stop\": Array []", "").replace("\"hooks\": Object {}", "")
                    .replace(", ", "")
            })
        };
        prop_assert_eq!(bare(&without), bare(&text));
    }

    #[test]
    fn what_was_put_in_is_taken_out_to_the_byte(text in settings(), hook_first in any::<bool>()) {
        let entries = claude().entries(&STOP, &plain());
        let hook = |text: &str| {
            let written = put_in(text, claude(), &entries).unwrap().unwrap();
            let separators = match written.change {
                Change::Key { separators, .. } => Some(separators),
                Change::Splice(_) | Change::Splices(_) => None,
            };
            (written.text, separators)
        };
        let key = |text: &str| json::put(text, "style", "\"x\"").unwrap();
        let (with, separators) = hook(&text);
        if let Some(separators) = &separators {
            prop_assert_eq!(json::remove(&with, "hooks", separators).unwrap(), text.clone());
        }
        let (with, separators) = key(&text);
        prop_assert_eq!(json::remove(&with, "style", &separators.unwrap()).unwrap(), text.clone());
        // Both, in any order.
        let ((one, first), second) = (hook(&text), key);
        let (both, second) = second(&one);
        if let (Some(first), Some(second)) = (first, second) {
            let order = if hook_first { [("hooks", first), ("style", second)] } else { [("style", second), ("hooks", first)] };
            let mut left = both;
            for (name, separators) in &order {
                left = json::remove(&left, name, separators).unwrap();
            }
            // Blanks between two brackets with no key in them are nobody's.
            let is_empty = top(&parse(mark(&text).1).unwrap()).unwrap().properties().is_empty();
            let bare = |text: &str| {
                if is_empty { text.split_whitespace().collect() } else { text.to_owned() }
            };
            prop_assert_eq!(bare(&left), bare(&text));
        }
    }
}
