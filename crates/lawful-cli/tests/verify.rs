//! `lawful verify` and `lawful envelope` from the outside: many envelopes, exit codes, JSON on each.

#![allow(
    clippy::format_push_string,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "this is a test"
)]

use std::process::Output;

use serde_json::{Value, json};

mod support;

struct Folder(support::Folder);

impl Folder {
    /// A folder with a rulespec that demands `a` to be 1 and warns unless there is `b`.
    fn new(name: &str) -> Self {
        let folder = Self(support::Folder::new(&format!("verify-{name}")));
        folder.write(
            "r.yaml",
            "claims: [{name: a, selector: a}, {name: b, selector: b}]\npredicates:\n  - {claim: a, rule: equals, value: 1}\n  - {claim: b, rule: exists, severity: warning}\n",
        );
        folder
    }

    fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        self.0.write(path, text);
    }

    fn read(&self, path: &str) -> String {
        self.0.read(path)
    }

    fn output(&self, words: &[&str], input: &str) -> Output {
        support::answer(&mut self.0.lawful(words), input)
    }

    /// Runs with `--format json`: exit code, the one document of standard output, standard error.
    fn json(&self, words: &[&str], input: &str) -> (i32, Value) {
        let output = self.output(&[words, &["--format", "json"]].concat(), input);
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{words:?}");
        (support::exit(&output), support::document(&output))
    }

    /// `lawful verify --rulespec r.yaml` with these words.
    fn verify(&self, words: &[&str]) -> (i32, Value) {
        self.json(&[&["verify", "--rulespec", "r.yaml"], words].concat(), "")
    }

    fn human(&self, words: &[&str]) -> (i32, String) {
        let output = self.output(words, "");
        (support::exit(&output), support::said(&output))
    }
}

fn codes(json: &Value) -> Vec<&str> {
    let found = json["diagnostics"].as_array().unwrap();
    found.iter().map(|problem| problem["code"].as_str().unwrap()).collect()
}

/// The numbers of an answer about many envelopes.
fn counts(json: &Value) -> [u64; 4] {
    ["envelopes", "passed", "failed", "undecided"].map(|key| json[key].as_u64().unwrap())
}

#[test]
fn an_envelope_passes_fails_or_cannot_be_decided() {
    let folder = Folder::new("one");
    folder.write("pass.yaml", "facts: {a: 1}\n");
    folder.write("fail.json", "{\"facts\": {\"a\": 2, \"b\": 1}}");
    folder.write("none.yaml", "a: 1\n");
    let (exit, json) = folder.verify(&["pass.yaml"]);
    assert_eq!((exit, &json["verdict"]), (0, &json!("pass")));
    assert_eq!([&json["passed"], &json["failed"], &json["skipped"]], [1, 1, 0]);
    assert_eq!(json["predicates"][1]["severity"], "warning");
    assert_eq!(json["predicates"][1]["outcome"], "fail");
    let (exit, json) = folder.verify(&["fail.json"]);
    assert_eq!((exit, &json["verdict"]), (1, &json!("fail")));
    let predicate = &json["predicates"][0];
    assert_eq!(predicate["expected"], 1);
    assert_eq!(predicate["actual"], 2);
    assert_eq!(predicate["hint"], json!([{"path": "a", "op": "set", "value": 1}]));
    assert_eq!(predicate["envelope"], json!({"file": "fail.json", "line": 1, "column": 17}));
    assert_eq!(predicate["rulespec"], json!({"file": "r.yaml", "line": 3, "column": 5}));
    let (exit, json) = folder.verify(&["none.yaml"]);
    assert_eq!((exit, codes(&json)), (2, vec!["no-facts"]));
}

#[test]
fn whatever_cannot_be_read_is_undecided() {
    let folder = Folder::new("unread");
    folder.write("pass.yaml", "facts: {a: 1}\n");
    folder.write("broken.yaml", "predicates: [");
    folder.write("empty.yaml", "");
    let code = |words: &[&str]| {
        let (exit, json) = folder.json(&[&["verify"], words].concat(), "");
        assert_eq!(exit, 2, "{json}");
        codes(&json).join(" ")
    };
    assert_eq!(code(&["--rulespec", "gone.yaml", "pass.yaml"]), "unreadable");
    assert_eq!(code(&["--rulespec", "broken.yaml", "pass.yaml"]), "yaml-syntax");
    assert_eq!(code(&["--rulespec", "empty.yaml", "pass.yaml"]), "empty-document");
    assert_eq!(code(&["--rulespec", "r.yaml", "gone.yaml"]), "unreadable");
    assert_eq!(code(&["--rulespec", "r.yaml", "empty.yaml"]), "empty-document");
    assert_eq!(code(&["--rulespec", "r.yaml", "pass.yaml", "--observed", "gone"]), "unreadable");
    let twice = ["--rulespec", "r.yaml", "pass.yaml", "pass.yaml", "--observed", "empty.yaml"];
    assert_eq!(code(&twice), "empty-document");
    assert_eq!(code(&["--rulespec", "-", "-"]), "usage");
    assert_eq!(code(&["--rulespec", "r.yaml"]), "usage");
    assert_eq!(code(&["--rulespec", "r.yaml", "pass.yaml", "--max-failures", "x"]), "usage");
    // The rulespec of a lawbook.
    assert_eq!(code(&["pass.yaml"]), "no-lawbook");
    folder.write("lawful.yaml", "name: x\n");
    assert_eq!(code(&["pass.yaml"]), "no-rulespec");
    folder.write("analysis/rulespec.yaml", "claims: []\n");
    assert_eq!(code(&["pass.yaml"]), "no-predicates");
    folder.write("analysis/rulespec.yaml", folder.read("r.yaml"));
    assert_eq!(folder.json(&["verify", "pass.yaml"], "").0, 0);
}

#[test]
fn standard_input_is_an_envelope() {
    let folder = Folder::new("stdin");
    let words = ["verify", "--rulespec", "r.yaml", "-"];
    let (exit, json) = folder.json(&words, "facts: {a: 2}");
    assert_eq!((exit, &json["verdict"]), (1, &json!("fail")));
    assert_eq!(json["predicates"][0]["envelope"]["file"], "standard input");
    assert_eq!(folder.json(&words, "{\"facts\": {\"a\": 1}}").0, 0);
    let (exit, json) = folder.json(&words, "");
    assert_eq!((exit, codes(&json)), (2, vec!["empty-document"]));
}

const LINES: &str = "\u{feff}{\"facts\": {\"a\": 1}}\r\n\r\n{\"facts\": {\"a\": 2}}\r\n   \n{\"facts\": {\"a\": \n[]\nnull\n{\"facts\": null}\n{\"facts\": {\"observed\": 1}}\n{\"facts\": {\"a\": 1}, \"x\": 1}\n{\"facts\": {\"a\": 1, \"a\": 1}}\n{\"facts\": {\"a\": 3}}";

#[test]
fn lines_are_envelopes_with_their_own_places() {
    let folder = Folder::new("lines");
    folder.write("m.jsonl", LINES);
    let (exit, json) = folder.verify(&["m.jsonl"]);
    assert_eq!((exit, &json["verdict"]), (2, &json!("undecided")));
    assert_eq!(counts(&json), [10, 2, 2, 6]);
    let failures = json["failures"].as_array().unwrap();
    let places: Vec<&str> = failures.iter().map(|one| one["envelope"].as_str().unwrap()).collect();
    assert_eq!(places, ["m.jsonl:3", "m.jsonl:12"]);
    let predicates = failures[0]["predicates"].as_array().unwrap();
    assert_eq!(
        predicates[0]["envelope"],
        json!({"file": "m.jsonl", "line": 3, "column": 17}),
        "{json}"
    );
    let problems = json["diagnostics"].as_array().unwrap();
    let lines: Vec<(u64, &str)> = problems
        .iter()
        .map(|one| (one["line"].as_u64().unwrap(), one["code"].as_str().unwrap()))
        .collect();
    let expected = [
        (5, "json-syntax"),
        (6, "wrong-type"),
        (7, "wrong-type"),
        (8, "no-facts"),
        (9, "observed-in-envelope"),
        (11, "duplicate-key"),
        // A warning about a document that was judged.
        (10, "unjudged-key"),
    ];
    assert_eq!(lines, expected);
    assert!(problems.iter().all(|one| one["file"] == "m.jsonl"));
    assert_eq!(
        json["predicates"],
        json!([
            {"index": 0, "passed": 2, "failed": 2, "skipped": 0, "undecided": 0},
            {"index": 1, "passed": 0, "failed": 4, "skipped": 0, "undecided": 0},
        ])
    );
}

#[test]
fn a_line_is_judged_as_a_file_is() {
    let folder = Folder::new("same");
    for (at, line) in LINES.split('\n').enumerate() {
        let line = line.trim_matches(['\u{feff}', '\r', ' ']);
        folder.write("one.json", line);
        folder.write("one.jsonl", line);
        let (exit, json) = folder.verify(&["one.json"]);
        let (lines_exit, lines) = folder.verify(&["one.jsonl"]);
        assert_eq!(lines_exit, exit, "line {at}: {line}");
        if exit == 2 && !line.is_empty() {
            assert_eq!(codes(&lines), codes(&json), "{line}");
        }
    }
}

#[test]
fn a_line_over_the_limit_is_passed_over_and_told() {
    let folder = Folder::new("long");
    let long = format!("{{\"facts\": {{\"a\": \"{}\"}}}}", "x".repeat(17 * 1024 * 1024));
    let good = "{\"facts\": {\"a\": 1}}";
    folder.write("m.jsonl", format!("{good}\n{long}\n{good}\n{long}"));
    let (exit, json) = folder.verify(&["m.jsonl"]);
    assert_eq!((exit, counts(&json)), (2, [4, 2, 0, 2]));
    assert_eq!(codes(&json), ["too-large", "too-large"]);
    assert_eq!([&json["diagnostics"][0]["line"], &json["diagnostics"][1]["line"]], [2, 4]);
    let message = json["diagnostics"][0]["message"].as_str().unwrap();
    assert!(message.contains("16 MiB"), "{message}");
}

#[test]
fn folders_and_files_are_judged_in_order_whoever_is_faster() {
    let folder = Folder::new("order");
    for at in 0..40 {
        folder.write(&format!("runs/{at:02}.yaml"), format!("facts: {{a: {}}}\n", at % 3));
    }
    folder.write("runs/.hidden/x.yaml", "broken: [");
    folder.write("runs/readme.txt", "no envelope");
    folder.write("runs/deep/er/x.yml", "facts: {a: 1}");
    let mut lines = String::new();
    for at in 0..5000 {
        lines += &match at % 500 {
            7 => "{\"facts\": \n".to_owned(),
            n => format!("{{\"facts\": {{\"a\": {}, \"b\": 1}}}}\n", if n == 9 { 2 } else { 1 }),
        };
    }
    folder.write("m.jsonl", lines);
    for format in ["human", "json"] {
        for more in [&[][..], &["--fail-fast"], &["--max-failures", "3"], &["--deny-vacuous"]] {
            let run = |jobs: &str| {
                let words = ["verify", "--rulespec", "r.yaml", "runs", "m.jsonl", "--jobs", jobs];
                let words = [&words[..], &["--format", format], more].concat();
                let output = folder.output(&words, "");
                (output.status.code(), String::from_utf8(output.stdout).unwrap())
            };
            let (exit, text) = run("1");
            assert!(matches!(exit, Some(1 | 2)), "{text}");
            for jobs in ["2", "4"] {
                assert_eq!(run(jobs), (exit, text.clone()), "{format} {more:?} {jobs}");
            }
        }
    }
    let (exit, json) = folder.verify(&["runs", "m.jsonl"]);
    // 40 and one in a folder below; 13 of them say 1, and so does that one.
    assert_eq!((exit, counts(&json)), (2, [5041, 13 + 1 + 4980, 27 + 10, 10]));
}

#[test]
fn the_first_that_does_not_pass_stops_a_fast_run() {
    let folder = Folder::new("fast");
    folder.write("m.jsonl", "{\"facts\": {\"a\": 1}}\n{\"facts\": {\"a\": 2}}\n{\"facts\": \n");
    let (exit, json) = folder.verify(&["m.jsonl", "--fail-fast"]);
    assert_eq!((exit, counts(&json)), (1, [2, 1, 1, 0]));
    folder.write("m.jsonl", "{\"facts\": {\"a\": 1}}\n{\"facts\": \n{\"facts\": {\"a\": 2}}\n");
    let (exit, json) = folder.verify(&["m.jsonl", "--fail-fast"]);
    assert_eq!((exit, counts(&json)), (2, [2, 1, 0, 1]));
    folder.write("m.jsonl", "{\"facts\": {\"a\": 1}}\n");
    let (exit, json) = folder.verify(&["m.jsonl", "--fail-fast"]);
    assert_eq!((exit, counts(&json)), (0, [1, 1, 0, 0]));
}

#[test]
fn failures_are_capped_and_the_cap_is_said() {
    let folder = Folder::new("cap");
    folder.write("m.jsonl", "{\"facts\": {\"a\": 2}}\n".repeat(250) + &"x\n".repeat(150));
    let (exit, json) = folder.verify(&["m.jsonl"]);
    assert_eq!((exit, counts(&json)), (2, [400, 0, 250, 150]));
    assert_eq!(json["failures"].as_array().unwrap().len(), 100);
    assert_eq!(json["omitted"], 150);
    assert_eq!(codes(&json).len(), 100);
    let (_, json) = folder.verify(&["m.jsonl", "--max-failures", "1000"]);
    assert_eq!(json["failures"].as_array().unwrap().len(), 250);
    assert_eq!((json.get("omitted"), codes(&json).len()), (None, 150));
    let (_, text) = folder.human(&["verify", "--rulespec", "r.yaml", "m.jsonl"]);
    assert!(text.contains("150 more failed; `--max-failures` shows more than 100"), "{text}");
    assert!(text.contains("50 more could not be judged"), "{text}");
}

#[test]
fn an_empty_lot_is_undecided() {
    let folder = Folder::new("empty");
    folder.write("none/readme.txt", "x");
    folder.write("blank.jsonl", "\n\n  \n");
    for path in ["none", "blank.jsonl"] {
        let (exit, json) = folder.verify(&[path]);
        assert_eq!((exit, &json["verdict"]), (2, &json!("undecided")), "{path}");
        assert_eq!(codes(&json), ["no-envelope"], "{path}");
    }
    let (exit, json) = folder.verify(&["gone.jsonl"]);
    assert_eq!((exit, codes(&json)), (2, vec!["unreadable"]));
    folder.write("pass.yaml", "facts: {a: 1}");
    let (exit, json) = folder.verify(&["pass.yaml", "gone.yaml"]);
    assert_eq!((exit, codes(&json)), (2, vec!["unreadable"]));
}

#[test]
fn what_stops_the_program_names_the_envelope() {
    let folder = Folder::new("stops");
    folder.write(
        "r.yaml",
        "relations: [{name: r, from: 'l[*]'}]\npredicates: [{relation: r, rule: exists}]\n",
    );
    folder.write("m.jsonl", "{\"facts\": {\"l\": [1]}}\n{\"facts\": {\"l\": [1, \"x\"]}}\n");
    let (exit, json) = folder.verify(&["m.jsonl"]);
    assert_eq!((exit, codes(&json)), (2, vec!["unfit-column"]));
    let message = json["diagnostics"][0]["message"].as_str().unwrap();
    assert!(message.starts_with("in `m.jsonl:2`: "), "{message}");
}

#[test]
fn what_was_seen_is_beside_every_envelope() {
    let folder = Folder::new("seen");
    folder.write(
        "r.yaml",
        "claims: [{name: x, selector: observed.exit}]\npredicates: [{claim: x, rule: equals, value: 0}]\n",
    );
    folder.write("m.jsonl", "{\"facts\": {}}\n{\"facts\": {\"exit\": 0}}\n");
    folder.write("ok.json", "{\"exit\": 0}");
    folder.write("bad.json", "{\"exit\": 1}");
    folder.write("list.json", "[]");
    let (exit, json) = folder.verify(&["m.jsonl"]);
    assert_eq!((exit, &json["verdict"], &json["undecided"]), (2, &json!("undecided"), &json!(2)));
    assert_eq!(codes(&json), ["predicate-undecided", "predicate-undecided"]);
    assert_eq!(json["predicates"][0]["undecided"], 2);
    let (exit, json) = folder.verify(&["m.jsonl", "--max-failures", "1"]);
    assert_eq!((exit, &json["omitted_undecided"]), (2, &json!(1)));
    assert_eq!(folder.verify(&["m.jsonl", "--observed", "ok.json"]).0, 0);
    assert_eq!(folder.verify(&["m.jsonl", "--observed", "bad.json"]).0, 1);
    let (exit, json) = folder.verify(&["m.jsonl", "--observed", "list.json"]);
    assert_eq!((exit, codes(&json)), (2, vec!["wrong-type"]));
}

#[test]
fn artifacts_are_written_for_one_envelope() {
    let folder = Folder::new("artifacts");
    folder.write("fail.yaml", "facts: {a: 2}");
    let (exit, _) = folder.verify(&["fail.yaml", "--artifacts", "out/deep"]);
    assert_eq!(exit, 1);
    let program = folder.read("out/deep/rulespec.compiled.dl");
    assert!(program.contains("fail(0) :- !law_holds(0).") && program.contains(".output skipped"));
    let report = folder.read("out/deep/datalog_evaluation.txt");
    assert!(report.starts_with("fail    predicate 0: a equals 1\n"), "{report}");
    let (exit, json) = folder.verify(&["fail.yaml", "fail.yaml", "--artifacts", "out"]);
    assert_eq!((exit, codes(&json)), (2, vec!["usage"]));
    folder.write("file", "");
    let (exit, json) = folder.verify(&["fail.yaml", "--artifacts", "file/x"]);
    assert_eq!((exit, codes(&json)), (2, vec!["unreadable"]));
}

#[test]
fn denied_vacuity_fails_one_and_many() {
    let folder = Folder::new("vacuous");
    folder.write(
        "r.yaml",
        "claims: [{name: a, selector: a}]\npredicates: [{claim: a, rule: not_equals, value: 1}]\n",
    );
    folder.write("e.json", "{\"facts\": {}}");
    folder.write("m.jsonl", "{\"facts\": {}}\n{\"facts\": {\"a\": 2}}\n");
    assert_eq!(folder.verify(&["e.json"]).0, 0);
    let (exit, json) = folder.verify(&["e.json", "--deny-vacuous"]);
    assert_eq!((exit, codes(&json)), (1, vec!["vacuous-pass"]));
    assert_eq!(json["predicates"][0]["vacuous"], true);
    assert_eq!(folder.verify(&["m.jsonl"]).0, 0);
    let (exit, json) = folder.verify(&["m.jsonl", "--deny-vacuous"]);
    assert_eq!((exit, counts(&json)), (1, [2, 1, 1, 0]));
    assert_eq!(json["failures"][0]["predicates"][0]["vacuous"], true);
    folder.write(
        "r.yaml",
        "claims: [{name: a, selector: a}]\npredicates: [{claim: a, rule: exists, when: {a: 1}}]\n",
    );
    let (exit, json) = folder.verify(&["e.json", "--deny-vacuous"]);
    assert_eq!((exit, codes(&json)), (1, vec!["nothing-evaluated"]));
    assert_eq!(folder.verify(&["m.jsonl", "--deny-vacuous"]).0, 1);
}

#[test]
fn an_envelope_is_written_from_anywhere_and_judged() {
    let folder = Folder::new("write");
    let write = |facts: &str, input: &str| {
        let words = ["envelope", "write", "--rulespec", "r.yaml", "--facts", facts, "--dir", "d"];
        folder.json(&words, input)
    };
    let check = || folder.json(&["envelope", "check", "--rulespec", "r.yaml", "--dir", "d"], "");
    let (exit, json) = check();
    assert_eq!((exit, codes(&json)), (1, vec!["no-envelope"]));
    for (input, exit, written) in [
        ("a: 1 # one\n", 0, "facts:\n  a: 1 # one\n"),
        ("facts: {a: 2}\n", 1, "facts: {a: 2}\n"),
        ("# first\n---\n# second\na: 1\n...\n", 0, "facts:\n  # first\n  # second\n  a: 1\n"),
        ("---\nfacts:\n  a: 1\n", 0, "---\nfacts:\n  a: 1\n"),
        ("{\"a\": 1}", 0, "facts:\n  {\"a\": 1}\n"),
        ("{\"facts\": {\"a\": 1}}\n", 0, "{\"facts\": {\"a\": 1}}\n"),
        ("a: 1\nt: |\n  x\n\n  y\n", 0, "facts:\n  a: 1\n  t: |\n    x\n\n    y\n"),
        ("a: 1\r\nb: x\r\n", 0, "facts:\n  a: 1\n  b: x\n"),
        ("\u{feff}a: 1\n", 0, "facts:\n  a: 1\n"),
        ("{}", 1, "facts:\n  {}\n"),
        // A text over several lines in quotes must not change when it is indented.
        ("{a: 1, t: \"x\n y\"}\n", 0, "facts:\n  {a: 1, t: \"x\n   y\"}\n"),
    ] {
        let (found, json) = write("-", input);
        assert_eq!(found, exit, "{input}: {json}");
        assert_eq!(folder.read("d/envelope.yaml"), written, "{input}");
        assert_eq!(check().0, exit, "{input}");
        assert!(folder.read("d/rulespec.compiled.dl").contains(".output pass"));
        assert!(folder.read("d/datalog_evaluation.txt").contains("predicate 0: a equals 1"));
    }
    folder.write("facts.json", "{\"a\": 1}");
    assert_eq!(write("facts.json", "").0, 0);
    // What is no envelope leaves the last one alone.
    let before = folder.read("d/envelope.yaml");
    for (input, code) in [
        ("", "empty-document"),
        ("[a]", "wrong-type"),
        ("text", "wrong-type"),
        ("facts: null", "no-facts"),
        ("facts: [a]", "wrong-type"),
        ("observed: {exit: 0}", "observed-in-envelope"),
        ("facts: {a: 1}\nobserved: {exit: 0}", "observed-in-envelope"),
        ("a: 1\n---\nb: 1\n", "multiple-documents"),
        ("a: [", "yaml-syntax"),
    ] {
        let (exit, json) = write("-", input);
        assert_eq!((exit, codes(&json)), (2, vec![code]), "{input}");
        assert_eq!(folder.read("d/envelope.yaml"), before, "{input}");
    }
}

#[test]
fn an_envelope_of_a_lawbook_is_kept_beside_it() {
    let folder = Folder::new("book");
    folder.write("lawful.yaml", "name: x\n");
    folder.write("analysis/rulespec.yaml", folder.read("r.yaml"));
    folder.write("sub/facts.yaml", "a: 2\n");
    assert_eq!(folder.json(&["envelope", "check"], "").0, 1);
    assert_eq!(folder.json(&["envelope", "write", "--facts", "sub/facts.yaml"], "").0, 1);
    assert_eq!(folder.read(".lawful/envelope.yaml"), "facts:\n  a: 2\n");
    assert_eq!(folder.json(&["envelope", "check"], "").0, 1);
    assert_eq!(folder.json(&["envelope", "write", "--facts", "-"], "a: 1").0, 0);
    assert_eq!(folder.json(&["envelope", "check"], "").0, 0);
    // One that cannot be decided never passes.
    folder.write(".lawful/envelope.yaml", "");
    assert_eq!(folder.json(&["envelope", "check"], "").0, 2);
    folder.write("analysis/rulespec.yaml", "predicates: []\n");
    assert_eq!(folder.json(&["envelope", "check"], "").0, 2);
}

#[test]
fn a_lawbook_counts_beside_a_rulespec_that_is_named() {
    let folder = Folder::new("named");
    folder.write("lawful.yaml", "name: law\n");
    folder.write("deep/x", "");
    let words = ["envelope", "write", "--facts", "-", "--rulespec", "../r.yaml"];
    let mut command = folder.0.lawful(&words);
    let output = support::answer(command.current_dir(folder.0.join("deep")), "a: 1\n");
    assert!(output.status.success());
    // Where `envelope check` and the hook look for it.
    assert_eq!(folder.read(".lawful/envelope.yaml"), "facts:\n  a: 1\n");
    assert!(!folder.0.join("deep/.lawful").exists());
}

#[test]
fn nothing_is_left_of_an_earlier_verdict() {
    let folder = Folder::new("stale");
    folder.write(
        "c.yaml",
        "relations: [{name: file, from: 'files[*]'}]\npredicates: [{relation: file, rule: exists}]\n",
    );
    let left = |dir: &str| {
        ["rulespec.compiled.dl", "datalog_evaluation.txt"]
            .map(|name| folder.0.join(dir).join(name).exists())
    };
    let write = ["envelope", "write", "--facts", "-", "--rulespec", "c.yaml", "--dir", "d"];
    assert_eq!(folder.json(&write, "files: [a]\n").0, 0);
    assert_eq!(left("d"), [true, true]);
    assert_eq!(folder.json(&write, "files: [1.5]\n").0, 2);
    assert_eq!(left("d"), [false, false]);
    let verify = ["verify", "--rulespec", "c.yaml", "e.yaml", "--artifacts", "out"];
    folder.write("e.yaml", "facts: {files: [a]}\n");
    assert_eq!(folder.json(&verify, "").0, 0);
    assert_eq!(left("out"), [true, true]);
    folder.write("e.yaml", "facts: {files: [[]]}\n");
    assert_eq!(folder.json(&verify, "").0, 2);
    assert_eq!(left("out"), [false, false]);
}

#[test]
fn many_are_told_as_one_is() {
    let folder = Folder::new("as-one");
    let rulespec = "\
claims: [{name: a, selector: a}, {name: b, selector: b}]
predicates:
  - {claim: a, rule: equals, value: 1, source: memory, notes: it was always so}
  - {claim: b, rule: exists, severity: warning}
";
    folder.write("r.yaml", rulespec);
    folder.write("fail.yaml", "facts:\n  a: 2\n  b: 1\n");
    folder.write("warn.yaml", "facts: {a: 1}\n");
    let words = ["verify", "--rulespec", "r.yaml", "fail.yaml", "warn.yaml"];
    let (exit, said) = folder.human(&[&words[..], &["--explain"]].concat());
    assert_eq!(exit, 1);
    for part in [
        "fail.yaml:\nerror[predicate-failed]: predicate 0 fails for the claim `a`",
        " --> fail.yaml:2:6\n",
        "required here, by memory",
        "= note: it was always so",
        "= help: set `a` to 1",
        "    fail(0)\n      no law_holds(0)\n",
        "warn.yaml:\nwarning[predicate-failed]: predicate 1 fails for the claim `b`",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let (_, json) = folder.json(&words, "");
    assert_eq!(json["failures"].as_array().unwrap().len(), 1);
    assert_eq!(json["warnings"][0]["envelope"], "warn.yaml");
    assert_eq!(json["warnings"][0]["predicates"][0]["index"], 1);
    let (_, json) = folder.json(&[&words[..], &["--max-failures", "0"]].concat(), "");
    assert_eq!((&json["omitted"], &json["omitted_warnings"]), (&json!(1), &json!(1)));
    assert!(json.get("warnings").is_none());
}

#[test]
fn every_envelope_says_why_it_is_denied() {
    let folder = Folder::new("denied");
    folder.write(
        "w.yaml",
        "claims: [{name: a, selector: a}]\npredicates: [{claim: a, rule: exists, when: {a: 1}}]\n",
    );
    folder.write("none.yaml", "facts: {}\n");
    let words = ["verify", "--rulespec", "w.yaml", "none.yaml", "none.yaml", "--deny-vacuous"];
    let (exit, json) = folder.json(&words, "");
    assert_eq!((exit, counts(&json)), (1, [2, 0, 2, 0]));
    for failure in json["failures"].as_array().unwrap() {
        assert_eq!(codes(failure), ["nothing-evaluated"]);
    }
    let (_, said) = folder.human(&words);
    assert_eq!(said.matches("error[nothing-evaluated]").count(), 2, "{said}");
}

#[test]
fn what_is_left_out_is_counted() {
    let folder = Folder::new("left-out");
    folder.write("m.jsonl", "{\"facts\": null}\n".repeat(9));
    let (exit, json) = folder.verify(&["m.jsonl", "--max-failures", "1"]);
    assert_eq!((exit, codes(&json)), (2, vec!["no-facts"]));
    assert_eq!((&json["undecided"], &json["omitted_undecided"]), (&json!(9), &json!(8)));
    assert!(json.get("omitted").is_none());
}

#[test]
fn a_value_that_no_column_holds_is_shown_in_the_envelope() {
    let folder = Folder::new("unfit");
    folder.write(
        "c.yaml",
        "relations: [{name: file, from: 'files[*]'}]\npredicates: [{relation: file, rule: exists}]\n",
    );
    folder.write("e.yaml", "facts:\n  files:\n    - a\n    - 1.5\n");
    let (exit, said) = folder.human(&["verify", "--rulespec", "c.yaml", "e.yaml"]);
    assert_eq!(exit, 2);
    assert!(said.contains("e.yaml:4:7") && said.contains("the value is here"), "{said}");
    let (exit, said) = folder.human(&["verify", "--rulespec", "c.yaml", "e.yaml", "e.yaml"]);
    assert_eq!(exit, 2);
    assert_eq!(said.matches("e.yaml:4:7").count(), 2, "{said}");
}

#[test]
fn other_keys_are_kept_and_told() {
    let folder = Folder::new("kept");
    let write = ["envelope", "write", "--facts", "-", "--rulespec", "r.yaml", "--dir", "d"];
    let (exit, json) = folder.json(&write, "facts: {a: 1}\nid: 7\nnotes: all is well\n");
    assert_eq!((exit, codes(&json)), (0, vec!["unjudged-key"]));
    assert_eq!(folder.read("d/envelope.yaml"), "facts: {a: 1}\nid: 7\nnotes: all is well\n");
    let (exit, said) = folder.human(&["verify", "--rulespec", "r.yaml", "d/envelope.yaml"]);
    assert_eq!(exit, 0);
    assert!(said.contains("warning[unjudged-key]: the key `notes` is not judged"), "{said}");
    assert!(!said.contains("`id`"), "{said}");
}

#[test]
fn a_rulespec_that_nothing_passes_is_an_error_of_the_lawbook() {
    let folder = Folder::new("never");
    folder.write("book/lawful.yaml", "name: never\nhooks: {stop: {}}\n");
    folder.write(
        "book/analysis/rulespec.yaml",
        "claims: [{name: n, selector: n}]\npredicates:\n  - {claim: n, rule: gt, value: 5}\n  - {claim: n, rule: lt, value: 3}\n",
    );
    let (exit, json) = folder.json(&["check", "--book", "book"], "");
    assert_eq!((exit, codes(&json)), (1, vec!["never-passes"]));
    let message = "no envelope can pass this rulespec: predicates 0 and 1 contradict each other";
    assert_eq!(json["diagnostics"][0]["message"], message);
    assert_eq!(json["diagnostics"][0]["labels"][0]["line"], 3);
}

#[test]
fn no_jobs_judge_nothing() {
    let folder = Folder::new("jobs");
    let output = folder.output(&["verify", "--rulespec", "r.yaml", ".", "--jobs", "0"], "");
    assert_eq!(output.status.code(), Some(2));
}
