//! Bad input: always a diagnostic with a code, never a panic, a hang or an answer.

#![allow(
    clippy::format_collect,
    clippy::format_push_string,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "this is a test"
)]

use std::fs;

use serde_json::Value;

mod support;

struct Folder(support::Folder);

impl Folder {
    fn new(name: &str) -> Self {
        Self(support::Folder::new(&format!("bad-{name}")))
    }

    fn run(&self, arguments: &[&str]) -> (i32, Value, String) {
        self.0.json(arguments)
    }

    /// What people see, and the exit code.
    fn shown(&self, arguments: &[&str]) -> (String, i32) {
        let output = self.0.output(arguments);
        (support::said(&output), support::exit(&output))
    }
}

/// Evaluates a condition that any mapping satisfies, on these bytes.
fn check_data(name: &str, file: &str, bytes: &[u8], code: &str, place: (u64, u64)) {
    let folder = Folder::new(name);
    fs::write(folder.0.join("when.yaml"), "{}").unwrap();
    fs::write(folder.0.join(file), bytes).unwrap();
    let (exit, json, stderr) = folder.run(&["eval", "when.yaml", "--data", file]);
    assert_eq!(exit, 2, "{name}: {json}");
    assert_eq!(json["result"], "error", "{name}");
    let found = &json["diagnostics"][0];
    assert_eq!(found["code"], code, "{name}: {json}");
    assert_eq!(found["file"], file, "{name}");
    assert_eq!(
        (found["line"].as_u64(), found["column"].as_u64()),
        (Some(place.0), Some(place.1)),
        "{name}"
    );
    assert_eq!(stderr, "", "{name}");
}

#[test]
fn documents_that_are_not_text() {
    check_data("utf8", "d.yaml", b"a: 1\nb: \xff\xfe\n", "invalid-utf8", (2, 4));
    check_data("utf16", "d.yaml", b"\xff\xfea\0:\0", "invalid-utf8", (1, 1));
    check_data("nul", "d.yaml", b"a: \0\n", "yaml-syntax", (1, 4));
    check_data("nul-json", "d.json", b"{\"a\": \"\0\"}", "json-syntax", (1, 8));
    check_data("empty", "d.yaml", b"", "empty-document", (1, 1));
    check_data("blank", "d.yaml", b"\n  \n# nothing\n", "empty-document", (1, 1));
    check_data("empty-json", "d.json", b" \n", "empty-document", (1, 1));
    check_data("only-bom", "d.yaml", b"\xef\xbb\xbf", "empty-document", (1, 1));
}

#[test]
fn documents_that_ask_for_too_much() {
    let megabytes = vec![b'a'; 50 * 1024 * 1024];
    check_data("large", "d.yaml", &megabytes, "too-large", (1, 1));
    check_data("deep-flow", "d.yaml", "[".repeat(100_000).as_bytes(), "too-deep", (1, 129));
    check_data("deep-json", "d.json", "[".repeat(100_000).as_bytes(), "too-deep", (1, 129));
    check_data("deep-map", "d.json", "{\"a\":".repeat(100_000).as_bytes(), "too-deep", (1, 641));
    check_data("deep-block", "d.yaml", "- ".repeat(10_000).as_bytes(), "too-deep", (1, 257));
    let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for n in 1..12 {
        let before = format!("*a{}, ", n - 1);
        bomb += &format!("a{n}: &a{n} [{}]\n", before.repeat(9).trim_end_matches(", "));
    }
    check_data("bomb", "d.yaml", bomb.as_bytes(), "alias-limit", (6, 40));
    let text = format!("a: &a {}\nb: [{}]\n", "x".repeat(100_000), "*a, ".repeat(11));
    check_data("fat-alias", "d.yaml", text.as_bytes(), "alias-limit", (2, 41));
    check_data("self-alias", "d.yaml", b"a: &a [*a]\n", "recursive-alias", (1, 8));
    let mut ladder = String::from("a0: &a0 [x]\n");
    for n in 1..200 {
        ladder += &format!("a{n}: &a{n} [*a{}]\n", n - 1);
    }
    check_data("ladder", "d.yaml", ladder.as_bytes(), "too-deep", (128, 14));
    // Anchors inside anchors: each would need a copy of everything in it.
    let open: String = (0..100).map(|n| format!("&a{n} [")).collect();
    let aliases: String = (0..100).map(|n| format!("*a{n}, ")).collect();
    let nested = format!("a: {open}{}{}\nb: [{aliases}]\n", "x, ".repeat(20_000), "]".repeat(100));
    check_data("nested", "d.yaml", nested.as_bytes(), "alias-limit", (1, 449));
}

#[test]
fn documents_that_say_two_things() {
    check_data("duplicate", "d.yaml", b"a: 1\nb: 2\na: 3\n", "duplicate-key", (3, 1));
    check_data("duplicate-json", "d.json", b"{\"a\": 1, \"\\u0061\": 2}", "duplicate-key", (1, 10));
    check_data("documents", "d.yaml", b"a: 1\n---\nb: 2\n", "multiple-documents", (2, 1));
    check_data("merge", "d.yaml", b"a: &a {x: 1}\nb: {<<: *a}\n", "merge-key", (2, 5));
    check_data("tag", "d.yaml", b"a: !secret x\n", "custom-tag", (1, 4));
    check_data("key", "d.yaml", b"1: a\n", "non-string-key", (1, 1));
    check_data("list-key", "d.yaml", b"? [a]\n: b\n", "non-string-key", (1, 3));
    check_data("tabs", "d.yaml", b"a:\n\tb: 1\n", "tab-indent", (2, 1));
    check_data("tab-first", "d.yaml", b"\ta: 1\n", "tab-indent", (1, 1));
}

#[test]
fn numbers_that_cannot_be_kept() {
    check_data("nan", "d.yaml", b"a: .nan\n", "number-not-finite", (1, 4));
    check_data("inf", "d.yaml", b"a: -.inf\n", "number-not-finite", (1, 4));
    check_data("huge", "d.yaml", b"a: 1e999\n", "number-not-finite", (1, 4));
    check_data("huge-json", "d.json", b"{\"a\": 1e999}", "number-not-finite", (1, 7));
    check_data("wide", "d.yaml", b"a: 9223372036854775808\n", "integer-range", (1, 4));
    check_data("wide-json", "d.json", b"{\"a\": -9223372036854775809}", "integer-range", (1, 7));
    check_data("nan-json", "d.json", b"{\"a\": NaN}", "json-syntax", (1, 7));
}

#[test]
fn marks_and_line_ends_make_no_difference() {
    let folder = Folder::new("marks");
    fs::write(folder.0.join("when.yaml"), b"\xef\xbb\xbfall:\r\n  - {a: 1}\r\n  - {b: x}\r\n")
        .unwrap();
    fs::write(folder.0.join("data.yaml"), b"\xef\xbb\xbfa: 1\r\nb: x\r\n").unwrap();
    fs::write(folder.0.join("data.json"), b"\xef\xbb\xbf{\"a\": 1,\r\n\"b\": \"x\"}\r\n").unwrap();
    for data in ["data.yaml", "data.json"] {
        let (exit, json, _) = folder.run(&["eval", "when.yaml", "--data", data]);
        assert_eq!((exit, &json["result"]), (0, &Value::from("true")), "{json}");
    }
    // Places count lines as an editor does.
    fs::write(folder.0.join("data.yaml"), b"a: 1\r\n\r\nb: .nan\r\n").unwrap();
    let (_, json, _) = folder.run(&["eval", "when.yaml", "--data", "data.yaml"]);
    assert_eq!(json["diagnostics"][0]["line"], 3);
}

#[test]
fn a_lawbook_of_bad_files_is_reported_whole() {
    let folder = Folder::new("book");
    fs::create_dir_all(folder.0.join("conditions/dir.yaml")).unwrap();
    fs::write(folder.0.join("lawful.yaml"), "name: x\n").unwrap();
    fs::write(folder.0.join("conditions/a.yaml"), b"\xff").unwrap();
    fs::write(folder.0.join("conditions/b.yaml"), b"").unwrap();
    fs::write(folder.0.join("conditions/c.yaml"), vec![b'#'; 17 * 1024 * 1024]).unwrap();
    let (exit, json, _) = folder.run(&["check"]);
    assert_eq!(exit, 1, "{json}");
    let codes: Vec<&str> = json["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|d| d["code"].as_str().unwrap())
        .collect();
    assert_eq!(codes, ["invalid-utf8", "empty-document", "too-large", "not-a-file"]);
    assert_eq!(json["errors"], 4);
}

/// SEMANTICS 7.1 and 7.2: what others wrote is shown on one line, escaped and cut short.
#[test]
fn hostile_text_is_shown_and_not_obeyed() {
    let folder = Folder::new("hostile");
    let hostile = "\u{1b}[2J\u{202e}\u{7}\n";
    let when = serde_json::json!({"path": hostile, "op": hostile, "value": hostile});
    fs::write(folder.0.join("when.json"), when.to_string()).unwrap();
    let data = serde_json::json!({"a": hostile.repeat(10_000)});
    fs::write(folder.0.join("data.json"), data.to_string()).unwrap();
    let ask = serde_json::json!({"path": "a", "op": "eq", "value": hostile});
    fs::write(folder.0.join("ask.json"), ask.to_string()).unwrap();
    for file in ["when.json", "ask.json"] {
        for format in ["human", "json"] {
            let words = ["eval", file, "--data", "data.json", "--format", format];
            let shown = support::said(&folder.0.output(&words));
            let unsafe_ones: Vec<char> = shown
                .chars()
                .filter(|c| *c != '\n' && lawful::syntax::escape::is_unsafe(*c))
                .collect();
            assert_eq!(unsafe_ones, [], "{file} {format}");
            assert!(shown.len() < 20_000, "{file} {format}: {} bytes", shown.len());
        }
    }
}

#[test]
fn so_many_problems_are_counted() {
    let folder = Folder::new("many");
    fs::write(folder.0.join("when.yaml"), "{}").unwrap();
    let many = format!("{{{}\"b\": 1}}", "\"a\": 1, ".repeat(50_000));
    fs::write(folder.0.join("d.json"), many).unwrap();
    let (exit, json, _) = folder.run(&["eval", "when.yaml", "--data", "d.json"]);
    let found = json["diagnostics"].as_array().unwrap();
    assert_eq!((exit, found.len()), (2, 10_001));
    assert_eq!(found[10_000]["code"], "more-errors");
    assert_eq!(found[10_000]["message"], "this file has more than 10000 problems");

    fs::create_dir(folder.0.join("conditions")).unwrap();
    fs::write(folder.0.join("lawful.yaml"), "name: x\n").unwrap();
    let many: String = (0..300).map(|n| format!("c{n}: {{any: []}}\n")).collect();
    fs::write(folder.0.join("conditions/a.yaml"), many).unwrap();
    let (exit, json, _) = folder.run(&["check"]);
    let counts = (json["errors"].as_u64(), json["warnings"].as_u64());
    assert_eq!((exit, counts), (0, (Some(0), Some(300))));
    assert_eq!(json["diagnostics"].as_array().unwrap().len(), 300);
    let (shown, _) = folder.shown(&["check"]);
    assert!(shown.contains("warning[more-warnings]: this file has 100 more problems"));
    assert!(shown.ends_with("\n300 warnings in 2 files\n"), "{shown}");
}

#[test]
fn every_error_of_a_file_is_counted_once() {
    let folder = Folder::new("errors");
    fs::create_dir(folder.0.join("conditions")).unwrap();
    fs::write(folder.0.join("lawful.yaml"), "name: x\n").unwrap();
    let many: String = (0..500).map(|n| format!("c{n}: {{ref: nothing}}\n")).collect();
    fs::write(folder.0.join("conditions/a.yaml"), many).unwrap();
    let (exit, json, _) = folder.run(&["check"]);
    assert_eq!((exit, json["errors"].as_u64()), (1, Some(500)));
    let found = json["diagnostics"].as_array().unwrap();
    assert_eq!(found.len(), 500);
    assert!(found.iter().all(|problem| problem["code"] == "unknown-ref"));
    let (shown, exit) = folder.shown(&["check"]);
    assert_eq!(exit, 1);
    assert_eq!(shown.matches("error[unknown-ref]").count(), 200);
    assert_eq!(shown.matches("error[more-errors]").count(), 1);
    assert!(shown.contains("error[more-errors]: this file has 300 more problems"));
    assert!(shown.ends_with("\n500 errors in 2 files\n"), "{shown}");

    // No number of warnings hides an error.
    let warnings = (0..300).map(|n| format!("w{n}: {{any: []}}\n"));
    let errors = (0..30).map(|n| format!("c{n}: {{ref: nothing}}\n"));
    let many: String = warnings.chain(errors).collect();
    fs::write(folder.0.join("conditions/a.yaml"), many).unwrap();
    let (shown, _) = folder.shown(&["check"]);
    assert_eq!(shown.matches("error[unknown-ref]").count(), 30);
    assert_eq!(shown.matches("warning[empty-any]").count(), 170);
    assert!(shown.contains("warning[more-warnings]: this file has 130 more problems"), "{shown}");

    let many: String = (0..20_000).map(|n| format!("c{n}: {n}\n")).collect();
    fs::write(folder.0.join("conditions/a.yaml"), many).unwrap();
    let (exit, json, _) = folder.run(&["check"]);
    assert_eq!((exit, json["errors"].as_u64()), (1, Some(10_000)));
    let (shown, _) = folder.shown(&["check"]);
    assert!(shown.contains("this file has more than 9800 more problems"));
    assert!(shown.ends_with("\nmore than 10000 errors in 2 files\n"), "{shown}");
}

/// Text that is not Unicode has no place in JSON; the mistake is still reported as one document.
#[cfg(unix)]
#[test]
fn arguments_that_are_not_unicode_are_no_panic() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = Folder::new("unicode");
    let mut command = folder.0.lawful(&["check", "--bogus", "--format", "json"]);
    let output = command.arg(std::ffi::OsStr::from_bytes(b"\xff")).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let json = support::document(&output);
    assert_eq!(json["diagnostics"][0]["code"], "usage");
}

#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_cannot_be_written_is_no_yes() {
    let folder = Folder::new("full");
    fs::write(folder.0.join("a.yaml"), "{}").unwrap();
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = folder.0.lawful(&["eval", "a.yaml", "--data", "a.yaml"]);
    let output = command.stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_closed_pipe_is_no_panic() {
    let folder = Folder::new("pipe");
    let mut child = folder
        .0
        .lawful(&["completions", "bash"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

/// Composes a role of a book with these files.
fn check_role(name: &str, files: &[(&str, &str)], exit: i32, code: &str) {
    let folder = Folder::new(&format!("role-{name}"));
    for (path, text) in files {
        let path = folder.0.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let (found, json, stderr) = folder.run(&["compose", "--role", "lead"]);
    assert_eq!(json["diagnostics"][0]["code"], code, "{name}: {json}");
    assert!(json["text"].is_null(), "{name}: {json}");
    assert_eq!((found, &*stderr), (exit, ""), "{name}");
}

#[test]
fn conditioning_that_makes_no_prompt() {
    let book = "name: b\nconditioning: {core: core.md, personas: {lead: lead.md}}\n";
    let (law, lead) = (("core.md", "Never guess.\n"), ("lead.md", "You lead.\n"));
    check_role("none", &[("lawful.yaml", "name: b\n")], 2, "no-conditioning");
    check_role("missing", &[("lawful.yaml", book), law], 2, "unreadable");
    check_role("empty", &[("lawful.yaml", book), ("core.md", " \n"), lead], 1, "empty-core");
    check_role(
        "twice",
        &[("lawful.yaml", book), law, ("lead.md", "x Never guess.")],
        1,
        "core-repeated",
    );
    check_role(
        "utf8",
        &[("lawful.yaml", book), ("core.md", "---\na: [\n---\n"), lead],
        2,
        "yaml-syntax",
    );
    check_role("path", &[("lawful.yaml", book), law, ("lead.md", "${a..b}")], 2, "bad-path");
}
