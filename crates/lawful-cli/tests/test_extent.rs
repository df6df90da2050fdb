//! How much scenarios test: `lawful test` with `--coverage`, `--mutate`, `--deny`, `--suggest` and
//! `--record`.

#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "this is a test")]

use serde_json::{Value, json};

mod support;
use support::{Folder, exit, said};

const MANIFEST: &str = "\
name: tale
variables: {hp: {type: number, initial: 9, min: 0}}
";
const RULES: &str = "\
- id: hit
  trigger: {type: action, actionId: hit}
  conditions: [{path: hp, op: gt, value: 0}]
  actions:
    - {type: modify-variable, variableId: hp, operation: subtract, value: 3}
    - {type: notify-player, message: Ouch.}
- id: rest
  trigger: {type: keyword, keywords: [sleep]}
  actions: [{type: modify-variable, variableId: hp, operation: set, value: 9}]
";
const HIT: &str = "\
steps:
  - action: hit
    expect: {fired: {exactly: [hit]}, state: {hp: 6}}
";

fn tale(name: &str) -> Folder {
    let folder = Folder::new(&format!("extent-{name}"));
    folder.write("lawful.yaml", MANIFEST);
    folder.write("rules/tale.yaml", RULES);
    folder.write("scenarios/hit.yaml", HIT);
    folder
}

#[test]
fn coverage_names_what_is_missing_and_a_context_that_reaches_it() {
    let tale = tale("coverage");
    let (code, report, _) = tale.json(&["test", "--coverage"]);
    assert_eq!(code, 0);
    let coverage = &report["coverage"];
    assert_eq!(
        (&coverage["rules"]["covered"], &coverage["rules"]["total"]),
        (&json!(1), &json!(2))
    );
    let missing = &coverage["rules"]["missing"][0];
    assert_eq!(missing["name"], "rest");
    assert_eq!(missing["what"], "rule `rest` never fired");
    assert_eq!(missing["line"], 7);
    let missing = &coverage["conditions"]["missing"][0];
    assert_eq!((&missing["lacks"], &missing["name"]), (&json!("false"), &json!("hit")));
    assert!(missing["context"].is_object(), "{missing}");
    for kind in ["fragments", "predicates", "guards"] {
        assert_eq!(coverage[kind]["total"], 0);
    }
    assert!(report.get("mutation").is_none());
    assert_eq!(exit(&tale.output(&["test", "--deny", "uncovered"])), 1);
}

#[test]
fn mutants_that_no_scenario_notices_are_shown_with_their_place() {
    let tale = tale("mutate");
    let (code, report, _) = tale.json(&["test", "--mutate", "--jobs", "1"]);
    assert_eq!(code, 0);
    let mutation = &report["mutation"];
    let changes: Vec<&str> = mutation["survived"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["change"].as_str().unwrap())
        .collect();
    assert_eq!(
        changes,
        [
            "rule `hit`: `hp` is greater than 0 became 1",
            "rule `hit`: `hp` is greater than 0 became -1",
            "rule `hit`: action 1 (`notify-player`) removed",
            "rule `rest` removed",
            "rule `rest`: action 0 (`modify-variable hp`) removed",
        ]
    );
    assert_eq!(mutation["survived"][0]["line"], 3);
    let killed = mutation["mutants"].as_u64().unwrap() - 5;
    assert_eq!(mutation["killed"], killed);
    assert!(killed >= 3, "{mutation}");
    let (_, again, _) = tale.json(&["test", "--mutate", "--jobs", "4"]);
    assert_eq!(again["mutation"], *mutation);
    assert_eq!(exit(&tale.output(&["test", "--deny", "survivors"])), 1);
    assert!(said(&tale.output(&["test", "--mutate"])).contains("5 survived"));
}

#[test]
fn suggestions_are_written_once_and_cover_the_rest() {
    let tale = tale("suggest");
    let said = said(&tale.output(&["test", "--suggest"]));
    assert!(said.contains("wrote"), "{said}");
    let text = tale.read("scenarios/suggested-rule-rest.yaml");
    assert!(text.ends_with("steps:\n  - turn: {user: sleep}\n    expect: {}\n"), "{text}");
    assert_eq!(exit(&tale.output(&["check"])), 0);
    tale.write(
        "scenarios/suggested-rule-rest.yaml",
        "steps: [{turn: , expect: {fired: {exactly: []}}}]\n",
    );
    tale.output(&["test", "--suggest"]);
    assert!(tale.read("scenarios/suggested-rule-rest.yaml").starts_with("steps: [{turn:"));
    assert!(tale.join("scenarios/suggested-rule-rest-2.yaml").exists());
    let (code, report, _) = tale.json(&["test", "--bless", "--deny", "uncovered"]);
    assert_eq!(code, 0, "{report}");
    assert_eq!(report["failed"], 0);
}

/// The file of a session that was hit once and slept once.
fn play(tale: &Folder) {
    tale.write("hit.json", json!({"action": "hit"}).to_string());
    tale.write("sleep.json", json!({"user": "I sleep."}).to_string());
    for words in [
        &["session", "new", "one", "--db", "tales.db"][..],
        &["session", "turn", "one", "--db", "tales.db", "--input", "hit.json"],
        &["session", "turn", "one", "--db", "tales.db", "--input", "hit.json"],
        &["session", "turn", "one", "--db", "tales.db", "--input", "sleep.json"],
    ] {
        let output = tale.output(words);
        assert_eq!(exit(&output), 0, "{}", support::said(&output));
    }
}

#[test]
fn a_recorded_session_passes_until_the_lawbook_behaves_differently() {
    let tale = tale("record");
    play(&tale);
    let record = ["test", "--record", "one", "--db", "tales.db"];
    let (code, report, stderr) = tale.json(&record);
    assert_eq!((code, &report["passed"]), (0, &json!(1)), "{report} {stderr}");
    assert_eq!(
        tale.read("scenarios/recorded-one.yaml"),
        "\
# Recorded from the session `one`.
name: recorded-one
steps:
  - action: hit
    expect:
      state: {hp: 6}
      fired: {exactly: [hit]}
      effects: {exactly: [{type: notify-player, style: info, message: Ouch.}]}
  - action: hit
    expect:
      state: {hp: 3}
      fired: {exactly: [hit]}
      effects: {exactly: [{type: notify-player, style: info, message: Ouch.}]}
  - turn: {user: \"I sleep.\"}
    expect:
      state: {hp: 9}
      fired: {exactly: [rest]}
"
    );
    let (code, refused, _) = tale.json(&record);
    assert_eq!(code, 2);
    let message = refused["diagnostics"][0]["message"].as_str().unwrap();
    assert!(message.contains("is not written over"), "{message}");
    // Another lawbook is another behaviour: the log says what happened then.
    std::fs::remove_file(tale.join("scenarios/recorded-one.yaml")).unwrap();
    tale.write("rules/tale.yaml", RULES.replace("value: 3", "value: 4"));
    tale.write("scenarios/hit.yaml", HIT.replace("hp: 6", "hp: 5"));
    let (code, report, _) = tale.json(&record);
    assert_eq!((code, &report["failed"]), (1, &json!(1)), "{report}");
}

#[test]
fn an_unknown_session_is_not_recorded() {
    let tale = tale("unknown");
    play(&tale);
    let (code, _, _) = tale.json(&["test", "--record", "two", "--db", "tales.db"]);
    assert_eq!(code, 2);
    assert!(!tale.join("scenarios/recorded-two.yaml").exists());
}

#[test]
#[cfg(unix)]
fn a_live_session_is_recorded() {
    let folder = Folder::new("extent-live");
    std::fs::create_dir_all(folder.join("home")).unwrap();
    std::fs::create_dir_all(folder.join("project/.git")).unwrap();
    folder.write(
        "project/lawful.yaml",
        "name: law\nvariables: {calls: {type: number, initial: 0}}\n",
    );
    folder.write(
        "project/guards/all.yaml",
        "- {id: no-rm, on: {action: shell}, when: {event.program: rm}, deny: No.}\n",
    );
    folder.write(
        "project/rules/all.yaml",
        "- {id: count, trigger: {type: event, eventType: 'tool:call'}, actions: [{type: modify-variable, variableId: calls, operation: add, value: 1}]}\n",
    );
    folder.trust("project");
    let lawful = |words: &[&str]| {
        let mut command = folder.lawful(words);
        command.current_dir(folder.join("project"));
        command.env("HOME", folder.join("home")).env("XDG_STATE_HOME", folder.join("state"));
        command
    };
    let call = |id: &str, line: &str| {
        let event = json!({
            "session_id": "s", "cwd": folder.join("project"), "hook_event_name": "PreToolUse",
            "tool_name": "Bash", "tool_input": {"command": line}, "tool_use_id": id,
        });
        let mut command = lawful(&["hook", "--harness", "claude-code", "tool-call"]);
        assert_eq!(exit(&support::answer(&mut command, event.to_string())), 0);
    };
    call("1", "ls");
    call("2", "rm x");
    let words = ["test", "--record", "claude-code/s", "--live", "--format", "json"];
    let output = lawful(&words).output().unwrap();
    let report: Value = support::document(&output);
    assert_eq!((exit(&output), &report["passed"]), (0, &json!(1)), "{report}");
    let text = folder.read("project/scenarios/recorded-claude-code-s.yaml");
    assert!(text.contains("command: rm x") || text.contains("command: \"rm x\""), "{text}");
    assert!(text.contains("decision: deny") && text.contains("by: {exactly: [no-rm]}"), "{text}");
}
