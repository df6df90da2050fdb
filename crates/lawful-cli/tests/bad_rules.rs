//! Rules, states and inputs that are wrong, hostile or too large: a diagnostic, never a panic, a
//! hang or a half-obeyed rule.

#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "this is a test")]

use std::fmt::Write as _;
use std::fs;
use std::process::Output;

use serde_json::{Value, json};

mod support;

struct Book(support::Folder);

impl Book {
    fn new(name: &str, rules: &str) -> Self {
        let folder = support::Folder::new(&format!("rules-{name}"));
        folder.write("lawful.yaml", "name: test\n");
        folder.write("rules/r.yaml", rules);
        Self(folder)
    }

    fn write(&self, file: &str, text: impl AsRef<[u8]>) {
        self.0.write(file, text);
    }

    fn output(&self, arguments: &[&str]) -> Output {
        self.0.output(arguments)
    }

    fn run(&self, arguments: &[&str]) -> (i32, Value) {
        let (exit, json, _) = self.0.json(arguments);
        (exit, json)
    }

    /// Takes a step and tells the exit code and the codes of what was reported.
    fn react(&self, input: &Value) -> (i32, Vec<String>, Value) {
        self.write("input.json", input.to_string());
        let (exit, json) = self.run(&["react", "--input", "input.json"]);
        let code = |problem: &Value| problem["code"].as_str().unwrap().to_owned();
        let codes = json["diagnostics"].as_array().unwrap().iter().map(code).collect();
        (exit, codes, json)
    }
}

const TURN: &str = "trigger: {type: every-turn}, actions: []";

#[test]
fn keywords_that_ask_for_too_much() {
    let book = Book::new(
        "patterns",
        "rules:\n\
         \x20 - {id: bomb, trigger: {type: keyword, keywords: ['/((a{500}){500}){500}/']}, actions: []}\n\
         \x20 - {id: slow, trigger: {type: keyword, keywords: ['/(a+)+$/']}, actions: []}\n",
    );
    let message = "a".repeat(50_000) + "b";
    let (exit, codes, json) = book.react(&json!({ "user": message }));
    assert_eq!(exit, 0);
    assert_eq!(codes, ["quarantined-rule", "condition-too-large"]);
    assert_eq!(json["trace"]["fired"], json!([]));

    let words: Vec<String> = (0..600).map(|n| format!("\"{}{n}\"", "w".repeat(10_000))).collect();
    let large = format!(
        "rules:\n  - {{id: large, trigger: {{type: keyword, keywords: [{}]}}, actions: []}}\n",
        words.join(", ")
    );
    let book = Book::new("keywords", &large);
    let (exit, codes, _) = book.react(&json!({}));
    assert_eq!(exit, 0);
    assert_eq!(codes[0], "quarantined-rule");
    assert!(codes.contains(&"condition-too-large".to_owned()));
}

#[test]
fn keywords_that_are_everywhere_are_not_found_where_they_are_not() {
    let mut rules = String::from("rules:\n");
    for n in 0..1000 {
        let word = "a".repeat(n + 1);
        let _ = writeln!(
            rules,
            "  - {{id: n{n}, trigger: {{type: ai-keyword, keywords: [{word}]}}, actions: []}}"
        );
    }
    for n in 0..300 {
        let _ = writeln!(
            rules,
            "  - {{id: w{n}, trigger: {{type: keyword, keywords: [a, '/a|b/'], wholeWord: true}}, actions: []}}"
        );
    }
    let book = Book::new("dense", &rules);
    let (exit, _, json) = book.react(&json!({"user": "a".repeat(1_000_000)}));
    assert_eq!((exit, &json["trace"]["fired"]), (0, &json!([])));
}

#[test]
fn hostile_names_are_shown_and_not_obeyed() {
    let rules = "rules:\n\
        \x20 - id: \"red\\e[31m\\u202e\"\n    trigger: {type: every-turn}\n    actions:\n\
        \x20     - {type: modify-variable, variableId: \"v\\e[2J\", operation: set, value: \"x\\e[0m\\n+ forged\"}\n\
        \x20     - {type: notify-player, message: \"a\\e]0;title\\a\\nb\"}\n\
        \x20     - {type: toggle-rule, ruleId: \"nobody\\e[1m\", enabled: true}\n";
    let book = Book::new("hostile", rules);
    book.write("input.json", json!({"user": "\u{1b}[31m\nhello"}).to_string());
    for arguments in [
        &["react", "--input", "input.json", "--why-not"][..],
        &["react", "--input", "input.json", "--format", "json"],
        &["check"],
        &["check", "--graph", "dot"],
        &["check", "--graph", "mermaid"],
    ] {
        let output = book.output(arguments);
        for text in [output.stdout, output.stderr] {
            let text = String::from_utf8(text).unwrap();
            let bad = text.chars().find(|c| *c != '\n' && (c.is_control() || *c == '\u{202e}'));
            assert_eq!(bad, None, "{arguments:?}: {text:?}");
            assert!(!text.lines().any(|line| line.starts_with("+ forged")), "{text}");
        }
    }
}

#[test]
fn what_an_agent_writes_stays_in_its_place() {
    let book = Book::new("writes", &format!("rules: [{{id: guard, {TURN}}}]\n"));
    let deep = vec!["a"; 129].join(".");
    for writes in [
        json!([{"variableId": deep, "operation": "set", "value": 1}]),
        json!([{"variableId": "x"}]),
        json!({}),
    ] {
        let (exit, codes, json) = book.react(&json!({"writes": writes}));
        assert_eq!((exit, codes), (0, vec!["refused-write".to_owned()]));
        assert_eq!(json["state"]["variables"], json!({}));
        assert_eq!(json["trace"]["waves"][0]["fired"], json!(["guard"]));
    }
    let mut nested = json!(1);
    for _ in 0..100 {
        nested = json!([nested]);
    }
    let path = vec!["a"; 100].join(".");
    let (exit, codes, json) = book.react(&json!({
        "writes": [
            {"variableId": path, "operation": "set", "value": nested},
            {"variableId": "@rules.disabled.guard", "operation": "set", "value": true},
            {"variableId": "list[999999]", "operation": "set", "value": 1},
            {"variableId": "big", "operation": "add", "value": i64::MAX},
            {"variableId": "big", "operation": "add", "value": 1},
        ]
    }));
    assert_eq!(exit, 0);
    assert_eq!(codes, vec!["refused-write"; 4]);
    assert_eq!(json["state"]["variables"], json!({"big": i64::MAX}));
    assert_eq!(json["trace"]["waves"][0]["fired"], json!(["guard"]));
}

#[test]
fn a_state_that_was_written_is_read_again() {
    let rules = "rules:\n  - id: grow\n    trigger: {type: every-turn}\n    actions:\n\
        \x20     - {type: modify-variable, variableId: n, operation: add, value: 0.1}\n\
        \x20     - {type: inject-directive, directiveId: d, content: \"\\u202e\\e[1m\", position: depth}\n";
    let book = Book::new("again", rules);
    book.write("input.json", "{}");
    for turn in 1..4 {
        let state: &[&str] = if turn == 1 { &[] } else { &["--state", "state.json"] };
        let step = ["react", "--input", "input.json", "--state-out", "state.json"];
        let (exit, json) = book.run(&[&step[..], state].concat());
        assert_eq!((exit, &json["state"]["turn"]), (0, &json!(turn)));
        let kept: Value =
            serde_json::from_slice(&fs::read(book.0.join("state.json")).unwrap()).unwrap();
        assert_eq!(kept, json["state"]);
    }
    let left: Vec<_> = fs::read_dir(&book.0).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left.len(), 4, "{left:?}");
    // What cannot be written changes nothing and leaves nothing behind.
    let (exit, json) = book.run(&["react", "--input", "input.json", "--state-out", "rules"]);
    assert_eq!((exit, &json["diagnostics"][0]["code"]), (2, &json!("usage")));
}

#[test]
fn a_file_without_rules_is_passed_over_and_one_that_cannot_be_parsed_is_not() {
    let book =
        Book::new("files", "rules: [{id: good, trigger: {type: every-turn}, actions: []}]\n");
    for nothing in ["", "# rules: []\n", "---\n"] {
        book.write("rules/z.yaml", nothing);
        let (exit, codes, json) = book.react(&json!({}));
        assert_eq!((exit, codes.len()), (0, 0), "{json}");
        assert_eq!(json["trace"]["waves"][0]["fired"], json!(["good"]));
        let (exit, json) = book.run(&["check"]);
        assert_eq!((exit, &json["diagnostics"][0]["code"]), (0, &json!("no-rules")), "{json}");
    }
    // Which rules are missing cannot be known.
    for broken in ["rules: [{id: b, id: c}]\n", "rules: [\n", "rules: [99999999999999999999]\n"] {
        book.write("rules/z.yaml", broken);
        book.write("input.json", "{}");
        let (exit, json) = book.run(&["react", "--input", "input.json"]);
        assert_eq!(exit, 2, "{json}");
    }
}

#[cfg(unix)]
#[test]
fn a_state_behind_a_link_is_written_where_it_is() {
    let book = Book::new("link", "rules: []\n");
    book.write("input.json", "{}");
    book.write("real.json", "{}");
    std::os::unix::fs::symlink("real.json", book.0.join("link.json")).unwrap();
    let step = ["react", "--input", "input.json", "--state", "link.json"];
    for turn in 1..4 {
        let (exit, json) = book.run(&[&step[..], &["--state-out", "link.json"]].concat());
        assert_eq!((exit, &json["state"]["turn"]), (0, &json!(turn)));
    }
    let kept: Value = serde_json::from_slice(&fs::read(book.0.join("real.json")).unwrap()).unwrap();
    assert_eq!(kept["turn"], 3);
    assert!(fs::symlink_metadata(book.0.join("link.json")).unwrap().is_symlink());
}

#[test]
fn a_long_chain_of_rules_ends() {
    let mut rules = String::from("reactions:\n");
    for n in 0..3000 {
        let next = n + 1;
        let _ = writeln!(
            rules,
            "  - {{id: r{n}, when: {{eventType: e{n}}}, then: [{{type: emit, event: {{type: e{next}}}}}]}}"
        );
    }
    let book = Book::new("chain", &rules);
    let (exit, codes, json) = book.react(&json!({"event": {"type": "e0"}}));
    assert_eq!((exit, codes), (0, vec!["cascade-limit".to_owned()]));
    assert_eq!(json["trace"]["waves"].as_array().unwrap().len(), 16);
    let (exit, json) = book.run(&["check"]);
    assert_eq!((exit, &json["diagnostics"]), (0, &json!([])));
}

#[test]
fn documents_that_cannot_be_read_are_no_rules() {
    for (name, text) in [
        ("syntax", "rules: [{id: a,"),
        ("twice", "rules: []\nrules: []\n"),
        (
            "number",
            "rules: [{id: a, priority: 99999999999999999999, trigger: {type: manual}, actions: []}]\n",
        ),
    ] {
        let book = Book::new(name, text);
        let (exit, _, json) = book.react(&json!({}));
        assert_eq!(exit, 2, "{name}: {json}");
        assert_eq!(json["diagnostics"][0]["severity"], "error");
    }
    let book = Book::new("input", "rules: []\n");
    for (input, code) in [
        (json!([]), "wrong-type"),
        (json!({"user": 3}), "wrong-type"),
        (json!({"action": null}), "bad-event"),
        (json!({"usr": "hello"}), "unknown-key"),
        (json!({"action": ""}), "bad-value"),
        (json!({"event": {"type": 3}}), "bad-event"),
        (json!({"event": "boo"}), "bad-event"),
    ] {
        let (exit, codes, _) = book.react(&input);
        assert_eq!((exit, &*codes[0]), (2, code), "{input}");
    }
}
