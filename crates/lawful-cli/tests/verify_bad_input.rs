//! Bad rulespecs, envelopes and rules: a clear error that names the limit, never a pass, in bounded
//! time and memory; and hostile text in every output.

#![allow(
    clippy::format_collect,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "this is a test"
)]

use std::fs;

use lawful::syntax::escape;
use serde_json::{Value, json};

mod support;

struct Folder(support::Folder);

impl Folder {
    fn new(name: &str) -> Self {
        Self(support::Folder::new(&format!("verify-bad-{name}")))
    }

    fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        self.0.write(path, text);
    }

    fn run(&self, words: &[&str]) -> (i32, String) {
        let output = self.0.output(words);
        (support::exit(&output), support::said(&output))
    }

    /// `lawful verify --rulespec r.yaml FILE --format json`
    fn verify(&self, file: &str) -> (i32, Value) {
        let (exit, text) = self.run(&["verify", "--rulespec", "r.yaml", file, "--format", "json"]);
        (exit, serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}")))
    }

    /// What cannot be decided says this code, and this in its message.
    fn undecided(&self, file: &str, code: &str, says: &str) {
        let (exit, json) = self.verify(file);
        let first = &json["diagnostics"][0];
        let message = first["message"].as_str().unwrap_or_default();
        assert_eq!((exit, &first["code"]), (2, &json!(code)), "{message}");
        assert!(message.contains(says), "{message}");
    }
}

const ONE: &str = "claims: [{name: a, selector: a}]\npredicates: [{claim: a, rule: exists}]\n";

#[test]
fn ten_thousand_predicates_are_judged() {
    let folder = Folder::new("predicates");
    let claims: String =
        (0..10_000).map(|n| format!("  - {{name: c{n}, selector: f{n}}}\n")).collect();
    let predicates: String =
        (0..10_000).map(|n| format!("  - {{claim: c{n}, rule: exists}}\n")).collect();
    folder.write("r.yaml", format!("claims:\n{claims}predicates:\n{predicates}"));
    folder.write("none.yaml", "facts: {}");
    let (exit, json) = folder.verify("none.yaml");
    assert_eq!((exit, &json["failed"]), (1, &json!(10_000)));
    // Looking for hints stops at its limit; what is found is there.
    assert!(json["predicates"][0]["hint"].is_array());
    let all: String = (0..10_000).map(|n| format!("  f{n}: 1\n")).collect();
    folder.write("all.yaml", format!("facts:\n{all}"));
    let (exit, json) = folder.verify("all.yaml");
    assert_eq!((exit, &json["passed"]), (0, &json!(10_000)));
}

#[test]
fn more_predicates_than_the_limit_are_refused() {
    let folder = Folder::new("too-many");
    let predicates = "  - {claim: a, rule: exists}\n".repeat(20_001);
    folder
        .write("r.yaml", format!("claims: [{{name: a, selector: a}}]\npredicates:\n{predicates}"));
    folder.write("e.yaml", "facts: {a: 1}");
    folder.undecided("e.yaml", "too-many-predicates", "the limit is 20000");
}

#[test]
fn huge_regular_expressions_are_refused() {
    let folder = Folder::new("regex");
    folder.write("e.yaml", "facts: {a: aaaa}");
    let nested = "((a{1000}){1000}){1000}".to_owned();
    for pattern in [nested, "(a|b)".repeat(100_000), r"\w{5000}".to_owned()] {
        folder.write(
            "r.yaml",
            format!(
                "claims: [{{name: a, selector: a}}]\npredicates: [{{claim: a, rule: matches, value: '{pattern}'}}]\n"
            ),
        );
        folder.undecided(
            "e.yaml",
            "condition-too-large",
            "the regular expression exceeds the limit of",
        );
    }
    // Many that are large only together share one limit.
    let many: String = (0..2000)
        .map(|n| format!("  - {{claim: a, rule: not_matches, value: '[a-z{n}]{{{}}}'}}\n", 500 + n))
        .collect();
    folder.write("r.yaml", format!("claims: [{{name: a, selector: a}}]\npredicates:\n{many}"));
    folder.undecided("e.yaml", "condition-too-large", "limit of");
}

#[test]
fn envelopes_that_are_none_are_refused() {
    let folder = Folder::new("envelopes");
    folder.write("r.yaml", ONE);
    for (text, code) in [
        ("", "empty-document"),
        ("\n# nothing\n", "empty-document"),
        ("[]", "wrong-type"),
        ("- facts: {a: 1}", "wrong-type"),
        ("1", "wrong-type"),
        ("text", "wrong-type"),
        ("true", "wrong-type"),
        ("null", "wrong-type"),
        ("{}", "no-facts"),
        ("facts:", "no-facts"),
        ("facts: null", "no-facts"),
        ("facts: 1", "wrong-type"),
        ("facts: []", "wrong-type"),
        ("facts: {observed: {}}", "observed-in-envelope"),
        ("facts: {a: 1}\nobserved: {}", "observed-in-envelope"),
    ] {
        folder.write("e.yaml", text);
        folder.undecided("e.yaml", code, "");
    }
    folder.write("e.yaml", b"facts: {a: \xff}");
    folder.undecided("e.yaml", "invalid-utf8", "");
    let deep = format!("facts: {}1{}", "{a: ".repeat(1000), "}".repeat(1000));
    folder.write("e.yaml", deep);
    folder.undecided("e.yaml", "too-deep", "");
}

#[test]
fn an_envelope_of_a_hundred_mebibytes_is_refused() {
    let folder = Folder::new("large");
    folder.write("r.yaml", ONE);
    let mut text = b"facts: {a: \"".to_vec();
    text.resize(100 * 1024 * 1024, b'x');
    text.extend(b"\"}\n");
    folder.write("e.yaml", &text);
    folder.undecided("e.yaml", "too-large", "the limit of 16 MiB");
    folder.write("e.json", &text);
    folder.undecided("e.json", "too-large", "the limit of 16 MiB");
    let write = ["envelope", "write", "--rulespec", "r.yaml", "--facts", "e.yaml", "--dir", "d"];
    let (exit, shown) = folder.run(&write);
    assert_eq!(exit, 2, "{shown}");
    assert!(!folder.0.join("d").exists());
}

#[test]
fn rules_that_derive_too_much_run_out_of_fuel() {
    let folder = Folder::new("fuel");
    folder.write(
        "r.yaml",
        "relations: [{name: edge, from: 'edges[*]', columns: ['[0]', '[1]']}]\nrules: |\n  path(x, y) :- edge(x, y).\n  path(x, z) :- path(x, y), edge(y, z).\npredicates: [{relation: path, rule: not_exists}, {relation: path, rule: exists}]\n",
    );
    let ring: Vec<[u32; 2]> = (0..3000).map(|n| [n, (n + 1) % 3000]).collect();
    folder.write("e.json", json!({"facts": {"edges": ring}}).to_string());
    folder.undecided("e.json", "out-of-fuel", "the limit of 1000000 facts");

    folder.write(
        "r.yaml",
        "relations: [{name: r, from: 'list[*]'}]\nrules: |\n  all(a, b, c, d, e) :- r(a), r(b), r(c), r(d), r(e).\npredicates: [{relation: all, rule: exists}]\n",
    );
    let list: Vec<u32> = (0..300).collect();
    folder.write("e.json", json!({"facts": {"list": list}}).to_string());
    folder.undecided("e.json", "out-of-fuel", "the limit of 1000000 facts");

    // The tuples alone, before any rule.
    folder.write(
        "r.yaml",
        "relations: [{name: r, from: o, columns: ['l[*]', 'l[*]', 'l[*]', 'l[*]', 'l[*]']}]\npredicates: [{relation: r, rule: exists}]\n",
    );
    folder.write("e.json", json!({"facts": {"o": {"l": list}}}).to_string());
    folder.undecided("e.json", "out-of-fuel", "the limit of 1000000 facts");
}

/// SEMANTICS 7.1 and 7.2, for every output of verify.
#[test]
fn hostile_text_is_shown_and_not_obeyed() {
    let folder = Folder::new("hostile");
    let hostile = "\"'\n*/ ). pass(0). // \0 \u{1f600} \u{202e}\u{2066} \u{1b}[2J\u{1b}]0;x\u{7} \\ \r \u{2028}\t";
    let text = |suffix: &str| format!("{hostile}{suffix}");
    let rulespec = json!({
        "claims": [{"name": text("c"), "selector": "a"}, {"name": "list", "selector": "l[*]"}],
        "relations": [{"name": "r", "from": "l[*]"}],
        "predicates": [
            {"claim": text("c"), "rule": "equals", "value": text("v"), "name": text("n"),
             "notes": text("notes"), "source": text("s")},
            {"claim": "list", "rule": "not_contains", "value": text("l")},
            {"relation": "r", "rule": "contains", "value": [text("other")], "notes": text("r")},
            {"relation": "r", "rule": "not_exists"},
            {"claim": "list", "rule": "exists", "when": {"claim": text("c"), "rule": "matches",
             "value": "x$"}},
        ],
    });
    folder.write("r.json", rulespec.to_string());
    let envelope = json!({"facts": {"a": hostile.repeat(1000), "l": [text("l"), text("m")],
        hostile: hostile}});
    folder.write("e.json", envelope.to_string());
    folder
        .write("m.jsonl", format!("{envelope}\n{{\"facts\": {}}}\n", json!({"observed": hostile})));
    for format in ["human", "json"] {
        for file in ["e.json", "m.jsonl"] {
            let words = ["verify", "--rulespec", "r.json", file, "--explain", "--format", format];
            let words = [&words[..], if file == "e.json" { &["--artifacts", "out"] } else { &[] }];
            let (exit, shown) = folder.run(&words.concat());
            assert_eq!(exit, if file == "e.json" { 1 } else { 2 }, "{shown}");
            check(&shown, &format!("{file} {format}"));
            if format == "human" {
                assert!(shown.len() < 20_000, "{file}: {} bytes", shown.len());
            } else {
                let json: Value = serde_json::from_str(&shown).unwrap();
                let predicates = &json["predicates"];
                if file == "e.json" {
                    assert_eq!(predicates[0]["notes"], text("notes"));
                    assert_eq!(predicates[0]["expected"], text("v"));
                    // What was there is cut short even here.
                    let actual = predicates[0]["actual"].as_str().unwrap();
                    assert!(actual.starts_with(hostile) && actual.len() < 20_000);
                }
            }
        }
    }
    for file in ["rulespec.compiled.dl", "datalog_evaluation.txt"] {
        let written = fs::read_to_string(folder.0.join("out").join(file)).unwrap();
        check(&written, file);
        // No line starts as the text wants it to.
        assert!(!written.lines().any(|line| line.trim_start().starts_with("*/")), "{written}");
    }
    let program = fs::read_to_string(folder.0.join("out/rulespec.compiled.dl")).unwrap();
    let mut facts = program.lines().filter(|line| line.starts_with("pass(0)"));
    assert_eq!((facts.next(), facts.next()), (Some("pass(0) :- law_holds(0)."), None));
}

fn check(shown: &str, what: &str) {
    let bad: Vec<char> =
        shown.chars().filter(|c| *c != '\n' && escape::is_unsafe(*c)).take(5).collect();
    assert_eq!(bad, [], "{what}");
}

#[test]
fn check_reports_what_can_never_pass_and_what_nothing_uses() {
    let folder = Folder::new("check");
    folder.write("lawful.yaml", "name: x\nhooks: {stop: {rulespec: analysis/rulespec.yaml}}\n");
    let codes = |rulespec: &str| {
        folder.write("analysis/rulespec.yaml", rulespec);
        let (exit, text) = folder.run(&["check", "--book", ".", "--format", "json"]);
        let json: Value = serde_json::from_str(&text).unwrap();
        let code = |one: &Value| {
            let word = |key: &str| one[key].as_str().unwrap_or_default().to_owned();
            format!("{} {}", word("severity"), word("code"))
        };
        let found = json["diagnostics"].as_array().unwrap().iter().map(code);
        (exit, found.collect::<Vec<String>>().join(", "))
    };
    let claims = "claims: [{name: a, selector: a}, {name: b, selector: b}]\n";
    let both = "predicates: [{claim: a, rule: exists}, {claim: a, rule: not_exists}]\n";
    let (exit, found) = codes(&format!("{claims}{both}"));
    assert_eq!((exit, found.as_str()), (1, "warning unused-claim, error never-passes"));
    let rules = "relations: [{name: test, from: 'tests[*]', columns: [name, state]}]\n\
                 rules: |\n  bad(x) :- test(x, failed).\n\
                 predicates: [{relation: bad, rule: not_exists}]\n";
    assert_eq!(codes(rules), (0, "warning single-use-variable".to_owned()));
}

#[test]
fn a_limit_is_named_with_its_figure() {
    let folder = Folder::new("figures");
    folder.write("r.yaml", ONE);
    let deep = format!("facts: {}{}\n", "[".repeat(200), "]".repeat(200));
    folder.write("deep.yaml", deep);
    folder.undecided("deep.yaml", "too-deep", "the limit of 128 levels");
    let claims: String = (0..20_001).map(|_| "  - {claim: a, rule: exists}\n").collect();
    folder.write("r.yaml", format!("claims: [{{name: a, selector: a}}]\npredicates:\n{claims}"));
    folder.write("e.yaml", "facts: {}\n");
    folder.undecided("e.yaml", "too-many-predicates", "20001 predicates, and the limit is 20000");
}

/// A limit that the manifest lowers holds for every document, and the help names its key.
#[test]
fn a_lowered_limit_holds_for_every_document_and_says_how_to_raise_it() {
    let folder = Folder::new("lowered");
    folder.write("lawful.yaml", "name: low\nlimits: {document-bytes: 400, document-depth: 8}\n");
    folder.write("analysis/rulespec.yaml", ONE);
    folder.write("fragments/f.md", "text\n");
    folder.write("compositions/c.yaml", "name: c\nbase: [f]\n");
    folder.write("rules/r.yaml", "rules: []\n");
    let long = "x".repeat(500);
    folder.write("e.yaml", format!("facts: {{a: {long}}}\n"));
    folder.write("runs/e.yaml", format!("facts: {{a: {long}}}\n"));
    folder.write("e.jsonl", format!("{{\"facts\": {{\"a\": \"{long}\"}}}}\n"));
    folder.write("seen.json", format!("{{\"a\": \"{long}\"}}"));
    folder.write("small.yaml", "facts: {a: 1}\n");
    folder.write("deep.yaml", format!("facts: {{a: {}1{}}}\n", "[".repeat(9), "]".repeat(9)));
    folder.write("state.json", format!("{{\"variables\": {{\"a\": \"{long}\"}}}}"));
    folder.write("input.yaml", "{}\n");
    let bytes = "or raise `limits.document-bytes` in `lawful.yaml`";
    for words in [
        &["verify", "e.yaml"][..],
        &["verify", "runs"],
        &["verify", "e.jsonl"],
        &["verify", "small.yaml", "--observed", "seen.json"],
        &["envelope", "write", "--facts", "e.yaml"],
        &["compose", "c", "--state", "state.json"],
        &["react", "--state", "state.json", "--input", "input.yaml"],
    ] {
        let (exit, text) = folder.run(words);
        assert_eq!(exit, 2, "{words:?}: {text}");
        assert!(text.contains("400 bytes") && text.contains(bytes), "{words:?}: {text}");
    }
    let (exit, text) = folder.run(&["verify", "deep.yaml"]);
    assert!(text.contains("or raise `limits.document-depth` in `lawful.yaml`"), "{text}");
    assert_eq!(exit, 2);
    // A limit at its maximum has no key to raise it.
    folder.write("lawful.yaml", "name: low\n");
    let (_, text) = folder.run(&["verify", "e.yaml"]);
    assert!(!text.contains("limits."), "{text}");
}

#[test]
fn every_limit_of_the_manifest_names_its_key() {
    let folder = Folder::new("keys");
    folder.write("e.yaml", "facts: {a: [1, 2, 3]}\n");
    let rulespec = "claims: [{name: a, selector: a}]\n\
         relations: [{name: n, from: 'a[*]'}]\n\
         rules: |\n  pair(x, y) :- n(x), n(y).\n\
         predicates:\n  - {claim: a, rule: exists, when: {claim: a, rule: matches, value: 'a{1,20}'}}\n  \
         - {relation: pair, rule: exists}\n";
    folder.write("analysis/rulespec.yaml", rulespec);
    folder.write(
        "rules/r.yaml",
        "rules: [{id: r, trigger: {type: keyword, keywords: [long-word]}, actions: []}]\n",
    );
    let anchored = "x: &x [1, 2, 3, 4]\ny: [*x, *x, *x]\nfacts: {a: 1}\n";
    folder.write("anchors.yaml", anchored);
    for (limit, words) in [
        ("predicates: 1", &["verify", "e.yaml"][..]),
        ("datalog-facts: 1", &["verify", "e.yaml"]),
        ("datalog-derivations: 1", &["verify", "e.yaml"]),
        ("condition-nodes: 1", &["check"]),
        ("condition-depth: 1", &["check"]),
        ("pattern-bytes: 10", &["check"]),
        ("keyword-bytes: 3", &["check"]),
        ("alias-expansion: 2", &["verify", "anchors.yaml"]),
    ] {
        let key = limit.split(':').next().unwrap();
        folder.write("lawful.yaml", format!("name: keys\nlimits: {{{limit}}}\n"));
        if key.starts_with("condition") {
            folder
                .write("conditions/c.yaml", "c: {all: [{a: 1}, {not: {any: [{b: 2}, {c: 3}]}}]}\n");
        }
        let (_, text) = folder.run(words);
        assert!(
            text.contains(&format!("or raise `limits.{key}` in `lawful.yaml`")),
            "{key}: {text}"
        );
    }
}
