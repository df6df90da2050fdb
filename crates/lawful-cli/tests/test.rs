//! `lawful test` from the outside: what it plays, what it prints, and what it changes.

#![allow(clippy::indexing_slicing, clippy::unwrap_used, reason = "this is a test")]

mod support;

use serde_json::{Value, json};
use support::{Folder, document, exit, said};

const RULES: &str = "\
rules:
  - id: rich
    trigger: {type: every-turn}
    conditions: [{variableId: gold, operator: gte, value: 10}]
    actions: [{type: notify-player, message: You are rich.}]
";
const GUARDS: &str = "\
- id: no-force-push
  on: {action: shell}
  when: {all: [{event.program: git}, {path: 'event.args[*]', op: matches, value: '^--force$'}]}
  deny: Push without --force.
";
const POOR: &str = "\
name: the poor get nothing
steps:
  - turn: {user: hello}
    expect: {fired: [rich]}
";
const PUSH: &str = "\
name: a forced push is denied
steps:
  - tool: {action: shell, command: git push --force}
    expect: {decision: deny, by: [no-force-push]}
";

/// A lawbook with a rule and a guard.
fn book(name: &str) -> Folder {
    let folder = Folder::new(&format!("test-{name}"));
    folder.write(
        "lawful.yaml",
        "name: t\nvariables: {gold: {type: number, initial: 3}}\nprotect: {paths: [ci, ~/.ssh]}\n",
    );
    folder.write("rules/r.yaml", RULES);
    folder.write("guards/g.yaml", GUARDS);
    folder
}

/// The names and results of a report.
fn results(report: &Value) -> Vec<(String, String)> {
    let scenarios = report["scenarios"].as_array().unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    scenarios.iter().map(|one| (text(&one["name"]), text(&one["result"]))).collect()
}

#[test]
fn a_failure_shows_its_place_and_why() {
    let book = book("failure");
    book.write("scenarios/poor.yaml", POOR);
    book.write("scenarios/push.yaml", PUSH);
    let output = book.output(&["test"]);
    assert_eq!(exit(&output), 1);
    assert_eq!(
        said(&output),
        "\
FAIL   the poor get nothing (scenarios/poor.yaml)
pass   a forced push is denied (scenarios/push.yaml)

error[expectation-failed]: step 1 (`turn`): `fired` lacks `rich`
 --> scenarios/poor.yaml:4:22
  |
4 |     expect: {fired: [rich]}
  |                      ^^^^
  |
  = note: expected: [\"rich\"]
  = note: actual:   []
  = note: `rich` stopped at the gate `conditions`: gold is at least 10: it is 3

1 passed, 1 failed
"
    );
    let (code, report, _) = book.json(&["test"]);
    assert_eq!(code, 1);
    let failure = &report["scenarios"][0]["failures"][0];
    assert_eq!(failure["step"], 1);
    assert_eq!((&failure["expected"], &failure["actual"]), (&json!(["rich"]), &json!([])));
    assert_eq!((&report["passed"], &report["failed"]), (&json!(1), &json!(1)));
    assert_eq!(report["errors"], 0);
}

#[test]
fn paths_and_a_filter_select_scenarios() {
    let book = book("select");
    book.write("scenarios/poor.yaml", POOR);
    book.write("scenarios/push.yaml", PUSH);
    let names = |words: &[&str]| -> Vec<String> {
        let (_, report, _) = book.json(&[&["test"], words].concat());
        results(&report).into_iter().map(|(name, _)| name).collect()
    };
    let (poor, push) = ("the poor get nothing", "a forced push is denied");
    assert_eq!(names(&[]), [poor, push]);
    assert_eq!(names(&["scenarios/push.yaml"]), [push]);
    assert_eq!(names(&["scenarios"]), [poor, push]);
    assert_eq!(names(&["--filter", "forced"]), [push]);
    assert_eq!(names(&["--filter", "poor.yaml"]), [poor]);
    assert_eq!(names(&["--jobs", "1"]), [poor, push]);
    for words in [&["nowhere.yaml"][..], &["guards"], &["--filter", "elephant"]] {
        assert_eq!(exit(&book.output(&[&["test"], words].concat())), 2, "{words:?}");
    }
    let elsewhere = Folder::new("test-elsewhere");
    let path = book.join("scenarios/push.yaml");
    assert_eq!(exit(&elsewhere.output(&["test", path.to_str().unwrap()])), 0);
    assert_eq!(exit(&elsewhere.output(&["test", "--book", book.to_str().unwrap()])), 1);
    assert_eq!(exit(&elsewhere.output(&["test"])), 2);
}

#[test]
fn a_lawbook_without_scenarios_has_no_success() {
    let (code, report, _) = book("none").json(&["test"]);
    assert_eq!(code, 2);
    assert_eq!(report["diagnostics"][0]["code"], "no-scenario");
}

#[test]
fn an_error_is_one_of_its_scenario() {
    let book = book("errors");
    book.write("scenarios/a.yaml", "steps:\n  - turn: {user: hello\n");
    book.write("scenarios/b.yaml", "steps: [{turn: null, expect: {not-fired: [rihc]}}]\n");
    book.write("scenarios/c.yaml", "given: {}\n");
    std::fs::create_dir(book.join("scenarios/d.yaml")).unwrap();
    book.write("scenarios/e.yaml", PUSH);
    book.write(
        "scenarios/f.yaml",
        "steps: [{tool: {harness: claude-cod, event: {}}, expect: {decision: deny}}]\n",
    );
    let (code, report, _) = book.json(&["test"]);
    assert_eq!(code, 2);
    let expected = [
        ("a", "error"),
        ("b", "error"),
        ("c", "error"),
        ("d", "error"),
        ("a forced push is denied", "pass"),
        ("f", "error"),
    ];
    let expected = expected.map(|(name, result)| (name.to_owned(), result.to_owned()));
    assert_eq!(results(&report), expected);
    let codes: Vec<&Value> =
        [0, 1, 2, 3, 5].map(|at| &report["scenarios"][at]["diagnostics"][0]["code"]).into();
    assert_eq!(codes, ["yaml-syntax", "unknown-name", "missing-key", "not-a-file", "unknown-name"]);
    assert_eq!(report["errors"], 5);
    // The check of the book reports the same.
    let (code, checked, _) = book.json(&["check"]);
    assert_eq!((code, &checked["errors"]), (1, &json!(5)));
    let (code, checked, _) = book.json(&["check", "scenarios/b.yaml"]);
    assert_eq!((code, &checked["errors"]), (1, &json!(1)));
}

/// What a test says of the scenarios beside others that it cannot play.
#[test]
fn a_scenario_that_is_not_played_is_no_success() {
    let book = book("unplayed");
    book.write("scenarios/ok.yaml", PUSH);
    book.write("scenarios/readme.md", "What is tested.\n");
    book.write("scenarios/notes.txt", "Later.\n");
    assert_eq!(exit(&book.output(&["test"])), 0);
    book.write("scenarios/sub/bad.yaml", POOR);
    book.write("scenarios/other.YAML", POOR);
    let (code, report, _) = book.json(&["test"]);
    assert_eq!(code, 2);
    let expected = [("other", "error"), ("sub", "error"), ("a forced push is denied", "pass")];
    let mut found = results(&report);
    found.sort_by_key(|(name, _)| name != "other" && name != "sub");
    assert_eq!(found, expected.map(|(name, result)| (name.to_owned(), result.to_owned())));
    for scenario in report["scenarios"].as_array().unwrap() {
        if scenario["result"] == "error" {
            assert_eq!(scenario["diagnostics"][0]["code"], "stray-file");
        }
    }
    let (code, checked, _) = book.json(&["check"]);
    assert_eq!((code, &checked["errors"]), (1, &json!(2)));
    // What it decides live does not depend on them.
    let (code, decided, _) = book.json(&["test", "scenarios/ok.yaml"]);
    assert_eq!((code, &decided["passed"]), (0, &json!(1)));
}

#[test]
fn a_folder_of_envelopes_may_lie_beside_the_scenarios() {
    let book = book("envelopes");
    book.write(
        "analysis/rulespec.yaml",
        "claims: [{name: a, selector: a}]\npredicates: [{name: p, claim: a, rule: exists}]\n",
    );
    book.write("scenarios/envelopes/a.yaml", "facts: {a: 1}\n");
    book.write(
        "scenarios/a.yaml",
        "steps: [{envelope: scenarios/envelopes/a.yaml, expect: {verdict: pass}}]\n",
    );
    let (code, report, _) = book.json(&["test"]);
    assert_eq!((code, &report["passed"]), (0, &json!(1)), "{report}");
}

#[cfg(unix)]
#[test]
fn an_entry_that_cannot_be_read_is_reported_once() {
    let book = book("unread");
    book.write("scenarios/push.yaml", PUSH);
    book.write("scenarios/turn.yaml", "steps: [{turn: null, expect: {not-fired: [rich]}}]\n");
    std::fs::create_dir(book.join("scenarios/dir.yaml")).unwrap();
    std::os::unix::fs::symlink("nowhere", book.join("scenarios/dangling.yaml")).unwrap();
    std::os::unix::fs::symlink("/etc/hosts", book.join("scenarios/outside.yaml")).unwrap();
    let (code, report, _) = book.json(&["test"]);
    assert_eq!(code, 2);
    let counts = [&report["passed"], &report["failed"], &report["errors"]];
    assert_eq!(counts, [&json!(2), &json!(0), &json!(3)], "{report}");
    let output = said(&book.output(&["test"]));
    for name in ["dir.yaml", "dangling.yaml", "outside.yaml"] {
        let reports =
            output.lines().filter(|line| line.starts_with("error") && line.contains(name));
        assert_eq!(reports.count(), 1, "{output}");
    }
}

#[test]
fn an_empty_expectation_is_counted() {
    let book = book("empty");
    book.write(
        "scenarios/a.yaml",
        "steps: [{turn: null, expect: {not-fired: [rich]}}, {turn: null, expect: {}}]\n",
    );
    let output = book.output(&["test"]);
    assert_eq!(exit(&output), 0);
    let text = said(&output);
    assert!(
        text.contains("1 passed, 0 failed, 1 empty expectation (fill it with `--bless`)"),
        "{text}"
    );
    let (_, report, _) = book.json(&["test"]);
    assert_eq!(report["unfilled"], 1);
}

#[test]
fn bless_refuses_an_expectation_that_steps_share() {
    let book = book("anchor");
    let text = "steps:\n  - turn: {user: hello}\n    expect: &e {}\n  - turn:\n    expect: *e\n";
    book.write("scenarios/a.yaml", text);
    let (code, report, _) = book.json(&["test", "--bless"]);
    assert_eq!((code, &report["diagnostics"][0]["code"]), (2, &json!("bad-scenario")), "{report}");
    assert_eq!(std::fs::read_to_string(book.join("scenarios/a.yaml")).unwrap(), text);
}

#[test]
fn a_path_that_does_not_exist_has_one_code() {
    let book = book("missing");
    book.write("scenarios/ok.yaml", PUSH);
    for paths in [&["test", "scenarios/ok.yaml", "nope.yaml"][..], &["test", "nope.yaml"]] {
        let (code, report, _) = book.json(paths);
        assert_eq!((code, &report["diagnostics"][0]["code"]), (2, &json!("unreadable")));
    }
}

#[test]
fn a_result_of_a_tool_has_no_decision() {
    let book = book("result");
    let event = json!({
        "hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_input": {"command": "git push --force"},
        "tool_response": {}, "session_id": "s", "cwd": "/srv",
    });
    book.write(
        "scenarios/a.yaml",
        format!("steps: [{{tool: {{harness: claude-code, event: {event}}}, expect: {{decision: none}}}}]\n"),
    );
    let (code, report, _) = book.json(&["test"]);
    assert_eq!(code, 2);
    assert_eq!(report["scenarios"][0]["diagnostics"][0]["code"], "bad-scenario");
    let (code, checked, _) = book.json(&["check"]);
    assert_eq!((code, &checked["errors"]), (1, &json!(1)), "{checked}");
}

#[test]
fn an_event_of_a_harness_is_read_by_its_protocol() {
    let book = book("harness");
    book.write(
        "scenarios/harness.yaml",
        "\
steps:
  - tool:
      harness: claude-code
      event:
        hook_event_name: PreToolUse
        session_id: s
        cwd: /srv/shop/web
        tool_name: Bash
        tool_input: {command: cd .. && git push --force}
    expect: {decision: deny, by: [no-force-push]}
  - tool:
      harness: claude-code
      event:
        {hook_event_name: PreToolUse, session_id: s, cwd: /srv/shop, tool_name: Write, tool_input: {file_path: /srv/shop/ci/a.yml, content: x}}
    expect: {decision: deny, by: [protect.paths]}
  - tool:
      harness: gemini-cli
      event:
        {hook_event_name: BeforeTool, session_id: s, cwd: /srv/shop, tool_name: run_shell_command, tool_input: {command: git push --force}}
    expect: {decision: deny, by: [no-force-push]}
",
    );
    let output = book.output(&["test"]);
    assert_eq!(exit(&output), 0, "{}", said(&output));
}

#[test]
fn the_law_is_protected_in_a_scenario_as_on_a_machine() {
    let book = book("protect");
    book.write(
        "scenarios/protect.yaml",
        "\
steps:
  - tool: {action: edit, paths: [.claude/settings.json]}
    expect: {decision: deny, by: [protect.law]}
  - tool: {action: shell, command: lawful trust}
    expect: {decision: deny, by: [protect.law]}
  - tool: {action: write, paths: [ci/deploy.yml]}
    expect: {decision: deny, by: [protect.paths]}
  - tool: {action: shell, command: 'echo x >> ~/.ssh/config'}
    expect: {decision: deny, by: [protect.paths]}
  - tool: {action: write, paths: [src/a.rs]}
    expect: {decision: none}
",
    );
    let output = book.output(&["test"]);
    assert_eq!(exit(&output), 0, "{}", said(&output));
}

#[test]
fn bless_fills_what_is_empty_and_nothing_else() {
    let book = book("bless");
    let written = "# push\r\nsteps:\r\n  - tool: {action: shell, command: git push --force}\r\n    expect: {}  # fill\r\n  - turn:\r\n    expect: {fired: [rich]}\r\n";
    book.write("scenarios/push.yaml", written);
    book.write("scenarios/poor.yaml", POOR);
    let output = book.output(&["test", "--bless"]);
    // The failures of the others stay failures.
    assert_eq!(exit(&output), 1, "{}", said(&output));
    let filled = "# push\r\nsteps:\r\n  - tool: {action: shell, command: git push --force}\r\n    expect:\r\n      fired: {exactly: []}\r\n      decision: deny\r\n      by: {exactly: [no-force-push]}  # fill\r\n  - turn:\r\n    expect: {fired: [rich]}\r\n";
    assert_eq!(book.read("scenarios/push.yaml"), filled);
    assert_eq!(book.read("scenarios/poor.yaml"), POOR);
    let output = book.output(&["test", "--bless", "--filter", "push"]);
    assert_eq!(exit(&output), 1);
    assert_eq!(book.read("scenarios/push.yaml"), filled);
}

#[test]
fn many_scenarios_are_reported_in_order_whatever_the_number_of_jobs() {
    let book = book("jobs");
    for number in 0..60 {
        let expected = if number % 7 == 0 { "allow" } else { "deny" };
        let text = PUSH.replace("name: a forced push is denied\n", "");
        let text = text.replace("decision: deny", &format!("decision: {expected}"));
        book.write(&format!("scenarios/s{number:02}.yaml"), text);
    }
    let one = book.output(&["test", "--jobs", "1"]);
    let many = book.output(&["test", "--jobs", "8"]);
    assert_eq!(exit(&one), 1);
    assert_eq!(one.stdout, many.stdout);
    assert!(said(&one).ends_with("51 passed, 9 failed\n"), "{}", said(&one));
}

#[test]
fn a_report_for_ci_has_a_case_for_each_scenario() {
    let book = book("junit");
    book.write("scenarios/poor.yaml", POOR);
    book.write("scenarios/push.yaml", PUSH);
    book.write("scenarios/wrong.yaml", "steps: []\n");
    let output = book.output(&["test", "--format", "junit"]);
    assert_eq!(exit(&output), 2);
    let text = said(&output);
    assert!(text.contains("tests=\"3\" failures=\"1\" errors=\"1\""), "{text}");
    assert!(text.contains(
        "<testcase classname=\"scenarios/push.yaml\" name=\"a forced push is denied\"/>"
    ));
    let output = book.output(&["test", "--format", "junit", "--filter", "elephant"]);
    assert_eq!(exit(&output), 2);
    assert!(said(&output).contains("errors=\"1\""));
}

#[test]
fn a_scenario_is_not_part_of_the_fingerprint() {
    let book = book("fingerprint");
    let fingerprint = || {
        let source = lawful::book::FolderSource::open(&book).unwrap();
        lawful::book::load(&source, lawful::book::Options::default()).unwrap().0.fingerprint()
    };
    let before = fingerprint();
    book.write("envelopes/e.yaml", "facts: {}");
    book.write(
        "scenarios/e.yaml",
        "steps: [{envelope: envelopes/e.yaml, expect: {verdict: pass}}]",
    );
    assert_eq!(fingerprint(), before);
}

#[test]
fn json_has_one_document_for_a_wrong_command_line_too() {
    let book = book("usage");
    let output = book.output(&["test", "--jobs", "0", "--format", "json"]);
    assert_eq!(exit(&output), 2);
    assert_eq!(document(&output)["diagnostics"][0]["code"], "usage");
}

/// A guard that reads what a rule counted of the decisions of another.
const STRIKES: &str = "\
- id: no-force-push
  on: {action: shell}
  when: {path: event.line, op: matches, value: '^git push .*--force'}
  deny: Push without --force.
- id: two-strikes
  when: {path: state.strikes, op: at_least, value: 2}
  deny: Ask a person.
";
const COUNT: &str = "\
rules:
  - id: strike
    trigger: {type: event, eventType: 'guard:denied'}
    conditions: [{variableId: event.id, operator: equals, value: no-force-push}]
    actions: [{type: modify-variable, variableId: strikes, operation: add, value: 1}]
";

#[test]
fn a_scenario_decides_as_hooks_do() {
    let folder = Folder::new("test-agrees");
    folder.write("lawful.yaml", "name: t\nvariables: {strikes: {type: number, initial: 0}}\n");
    folder.write("guards/g.yaml", STRIKES);
    folder.write("rules/r.yaml", COUNT);
    let project = folder.to_str().unwrap();
    let commands = ["ls", "git push origin --force", "ls", "cd a; git push x --force", "ls"];
    let mut steps = Vec::new();
    let mut decisions = Vec::new();
    for command in commands {
        let event = json!({
            "hook_event_name": "PreToolUse", "session_id": "s", "cwd": project,
            "tool_name": "Bash", "tool_input": {"command": command},
        });
        let mut hook = folder.lawful(&["hook", "--harness", "claude-code", "tool-call"]);
        hook.env("HOME", folder.join("home")).env("XDG_STATE_HOME", folder.join("state"));
        support::pin(&mut hook, &folder);
        let output = support::answer(&mut hook, event.to_string());
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        let decision = answer["hookSpecificOutput"]["permissionDecision"].as_str();
        let decision = decision.unwrap_or("none").to_owned();
        steps.push(json!({
            "tool": {"harness": "claude-code", "event": event},
            "expect": {"decision": decision},
        }));
        decisions.push(decision);
    }
    assert_eq!(decisions, ["none", "deny", "none", "deny", "deny"]);
    folder.write("scenarios/s.json", json!({ "steps": steps }).to_string());
    let output = folder.output(&["test"]);
    assert_eq!(exit(&output), 0, "{}", said(&output));
}
