//! `lawful verify --records`, one line for each record, and the formats of CI systems.

#![allow(
    clippy::format_push_string,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "this is a test"
)]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

mod support;

const RULESPEC: &str = "\
claims:
  - {name: a, selector: a}
  - {name: exit, selector: observed.runs.tests.exit}
predicates:
  - {name: a-is-one, claim: a, rule: equals, value: 1}
  - {claim: exit, rule: equals, value: 0}
  - {claim: a, rule: not_equals, value: 3, severity: warning}
";

const RECORDS: &str = r#"{"id": "first", "facts": {"a": 1}, "observed": {"runs": {"tests": {"exit": 0}}}, "meta": {"host": "ci"}}
{"facts": {"a": 2}, "observed": {"runs": {"tests": {"exit": 1}}}}

{"id": 17, "facts": {"a": 1}}
{"facts": {"a": 1}, "observed": [1]}
{"facts": {"a": 1
{"facts": {"a": 3, "observed": {}}}
"#;

fn folder(name: &str) -> support::Folder {
    let folder = support::Folder::new(&format!("records-{name}"));
    folder.write("r.yaml", RULESPEC);
    folder
}

fn run(folder: &support::Folder, words: &[&str], input: &[u8]) -> Output {
    let mut command = folder.lawful(&[&["verify", "--rulespec", "r.yaml"], words].concat());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

/// The lines of `--format jsonl`.
fn lines(output: &Output) -> Vec<Value> {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn law() -> String {
    let hash = Sha256::digest(RULESPEC);
    hash.iter().fold("sha256:".to_owned(), |hex, byte| format!("{hex}{byte:02x}"))
}

fn gz(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn zst(text: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(text, ruzstd::encoding::CompressionLevel::Fastest)
}

fn expected() -> Vec<Value> {
    let law = law();
    let line = |id: Value, verdict: &str, failed: Value, undecided: Value| json!({"id": id, "verdict": verdict, "failed": failed, "undecided": undecided, "law": law});
    let broken = |id: u64, error: &str| json!({"id": id, "verdict": "undecided", "failed": [], "undecided": [], "error": error, "law": law});
    vec![
        line(json!("first"), "pass", json!([]), json!([])),
        line(json!(2), "fail", json!(["a-is-one", 1]), json!([])),
        line(json!(17), "undecided", json!([]), json!([1])),
        broken(5, "an observation must be a mapping, found a list"),
        broken(6, "expected `,` or `}`, found the end of the text"),
        broken(7, "an envelope cannot have a fact named `observed`"),
    ]
}

#[test]
fn every_record_is_a_line_from_every_kind_of_file() {
    let folder = folder("kinds");
    let plain = RECORDS.as_bytes();
    folder.write("a.jsonl", plain);
    folder.write("b.ndjson", plain);
    folder.write("c.jsonl.gz", gz(plain));
    folder.write("d.ndjson.zst", zst(plain));
    for file in ["a.jsonl", "b.ndjson", "c.jsonl.gz", "d.ndjson.zst", "-"] {
        for jobs in ["1", "3"] {
            let words = ["--records", file, "--format", "jsonl", "--jobs", jobs];
            let output = run(&folder, &words, plain);
            assert_eq!(lines(&output), expected(), "{file}");
            assert_eq!(support::exit(&output), 2);
            assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        }
    }
    // With several files each line has its own.
    let output = run(&folder, &["--records", "a.jsonl", "b.ndjson", "--format", "jsonl"], b"");
    let files: Vec<Value> = lines(&output).into_iter().map(|line| line["file"].clone()).collect();
    assert_eq!((&files[5], &files[6]), (&json!("a.jsonl"), &json!("b.ndjson")));
}

#[test]
fn the_other_formats_read_records_too() {
    let folder = folder("formats");
    folder.write("a.jsonl", RECORDS);
    let output = run(&folder, &["--records", "a.jsonl", "--format", "json"], b"");
    let many = support::document(&output);
    let counts = ["envelopes", "passed", "failed", "undecided"].map(|key| &many[key]);
    assert_eq!(counts, [6, 1, 1, 4]);
    assert_eq!(many["failures"][0]["envelope"], "a.jsonl:2");
    let output = run(&folder, &["--records", "a.jsonl"], b"");
    let text = support::said(&output);
    assert!(text.ends_with("undecided: 6 records, 1 passed, 1 failed, 4 undecided\n"), "{text}");
    // Without the switch these are envelopes, which have no observation of their own.
    let output = run(&folder, &["a.jsonl", "--format", "jsonl"], b"");
    let first = &lines(&output)[0];
    assert_eq!(first["error"], "an envelope cannot have the key `observed`");
    let output = run(&folder, &["--records", "a.jsonl", "--observed", "r.yaml"], b"");
    assert_eq!(support::exit(&output), 2);
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot be used with"));
}

#[test]
fn one_envelope_is_a_line_too() {
    let folder = folder("one");
    folder.write("e.yaml", "id: run-1\nfacts: {a: 3}\n");
    let output = run(&folder, &["e.yaml", "--format", "jsonl"], b"");
    let line = json!({"id": "run-1", "verdict": "fail", "failed": ["a-is-one", 2], "undecided": [1], "law": law()});
    assert_eq!(lines(&output), [line]);
}

#[test]
fn a_run_can_start_at_a_line() {
    let folder = folder("from");
    folder.write("a.jsonl.gz", gz(RECORDS.as_bytes()));
    let words = ["--records", "--from", "5", "--format", "jsonl"];
    for (file, input) in [("a.jsonl.gz", ""), ("-", RECORDS)] {
        let output = run(&folder, &[&words[..], &[file]].concat(), input.as_bytes());
        assert_eq!(lines(&output), expected()[3..]);
    }
    let output = run(&folder, &["--from", "5", "r.yaml"], b"");
    assert_eq!(support::exit(&output), 2);
    assert!(String::from_utf8_lossy(&output.stderr).contains("`--from` needs"));
    let output = run(&folder, &["--records", "--from", "50", "a.jsonl.gz"], b"");
    assert_eq!(support::exit(&output), 2);
}

/// Many lines that do not compress to almost nothing.
fn many_lines() -> String {
    let line = |number: usize| {
        let text = number * 7919;
        format!("{{\"facts\": {{\"a\": 1}}, \"n\": {{\"text\": \"{text}\"}}}}\n")
    };
    (0..6_000).map(line).collect()
}

#[test]
fn a_damaged_file_costs_only_its_rest() {
    let folder = folder("damaged");
    let text = many_lines();
    let cut = |bytes: &[u8], at: usize| bytes[..at].to_vec();
    let flipped = |bytes: &[u8], at: usize| {
        let mut bytes = bytes.to_vec();
        bytes[at..at + 8].iter_mut().for_each(|byte| *byte ^= 0x5a);
        bytes
    };
    for (name, bytes, format) in [
        ("a.jsonl.gz", gz(text.as_bytes()), "gzip"),
        ("a.jsonl.zst", zst(text.as_bytes()), "Zstandard"),
    ] {
        let half = bytes.len() / 2;
        for (damaged, least, message) in [
            (cut(&bytes, bytes.len() - 9), 4_500, "data ends early: the file is cut off"),
            (cut(&bytes, half), 2_000, "data ends early: the file is cut off"),
            (flipped(&bytes, half), 2_000, "data is damaged"),
        ] {
            folder.write(name, &damaged);
            for jobs in ["1", "2"] {
                let output = run(&folder, &[name, "--format", "jsonl", "--jobs", jobs], b"");
                let lines = lines(&output);
                assert_eq!(support::exit(&output), 2);
                let passed = lines
                    .iter()
                    .take_while(|line| line["verdict"] != "undecided" || line["error"].is_null());
                assert!(passed.count() > least, "{name}: {}", lines.len());
                let error = lines.last().unwrap()["error"].as_str().unwrap();
                assert!(
                    error.starts_with(&format!("cannot read this: the {format} {message}")),
                    "{error}"
                );
                // What no predicate reads is said once, however many have it.
                let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
                assert_eq!(stderr.matches("unjudged-key").count(), 1, "{stderr}");
            }
            // The place is the line that could not be read.
            let output = run(
                &folder,
                &[name, "--from", "1500", "--format", "json", "--max-failures", "6000"],
                b"",
            );
            let document = support::document(&output);
            let problems = document["diagnostics"].as_array().unwrap();
            let problem = problems.iter().find(|one| one["code"] == "unreadable").unwrap();
            assert!(problem["line"].as_u64().unwrap() > least as u64, "{problem}");
            assert_eq!(problem["help"], "the lines before this one are judged; get the rest again");
        }
    }
    folder.write("b.jsonl.zst", "{\"facts\": {}}\n");
    folder.write("b.jsonl.gz", "{\"facts\": {}}\n");
    for (name, message) in [
        ("b.jsonl.zst", "cannot read this: this is not Zstandard data"),
        ("b.jsonl.gz", "cannot read this: this is not gzip data"),
    ] {
        let output = run(&folder, &[name, "--format", "jsonl"], b"");
        assert_eq!(lines(&output)[0]["error"], message);
    }
}

#[test]
fn compressed_bytes_are_recognised_without_a_name() {
    let folder = folder("magic");
    let plain = RECORDS.as_bytes();
    folder.write("a.jsonl", zst(plain));
    for input in [gz(plain), zst(plain), [zst(b"\n"), zst(plain)].concat()] {
        let output = run(&folder, &["--records", "-", "--format", "jsonl"], &input);
        let expected_lines = expected();
        assert_eq!(lines(&output).len(), expected_lines.len());
        assert_eq!(lines(&output)[0], expected_lines[0]);
    }
    let output = run(&folder, &["--records", "a.jsonl", "--format", "jsonl"], b"");
    assert_eq!(lines(&output), expected());
    // The first bytes of a pipe may be all that is sent for a while.
    let output = run(&folder, &["--records", "-", "--format", "jsonl"], b"(");
    assert_eq!(lines(&output).len(), 1);
}

#[test]
fn a_record_that_cannot_be_judged_keeps_its_id() {
    let folder = folder("ids");
    let records = [
        r#"{"id": "no-facts"}"#,
        r#"{"id": "cut", "facts": {"a": "#,
        r#"{"id": "too-long", "facts": {"a": 123456789012345678901234567890}}"#,
        r#"{"facts": {"a": 1}, "observed": [1], "id": 7}"#,
        r#"{"id": 123456789012345678901234567890, "facts": {"a": 2}}"#,
        r#"{"id": [1], "facts": {"a": 1}}"#,
        r#"{"id": 1.5, "facts": {"a": 1}}"#,
        r#"{"id": null, "facts": {"a": 2}}"#,
    ];
    let long = format!("{{\"id\": \"long\", \"facts\": {{\"a\": \"{}\"}}}}", "x".repeat(20 << 20));
    folder.write("a.jsonl", records.join("\n") + "\n" + &long + "\n");
    let output = run(&folder, &["--records", "a.jsonl", "--format", "jsonl"], b"");
    let found = lines(&output);
    let ids: Vec<&Value> = found.iter().map(|line| &line["id"]).collect();
    let long_id = "123456789012345678901234567890";
    assert_eq!(json!(ids), json!(["no-facts", "cut", "too-long", 7, long_id, 6, 7, 8, "long"]));
    assert_eq!(found[4]["verdict"], "fail");
    assert_eq!(found[5]["verdict"], "undecided");
    assert_eq!(
        found[5]["error"],
        "the `id` of a record must be a string or an integer, found a list"
    );
    assert_eq!(found[6]["verdict"], "undecided");
    assert_eq!(found[7]["verdict"], "fail");
    // An envelope is what an agent says: it is judged, and its place names it.
    folder.write("e.jsonl", "{\"id\": [1], \"facts\": {\"a\": 2}}\n");
    let output = run(&folder, &["e.jsonl", "--format", "jsonl"], b"");
    assert_eq!(
        (&lines(&output)[0]["id"], &lines(&output)[0]["verdict"]),
        (&json!(1), &json!("fail"))
    );
    assert!(String::from_utf8_lossy(&output.stderr).contains("warning[bad-id]"));
}

#[test]
fn a_failure_has_the_id_of_its_record() {
    let folder = folder("failure-ids");
    folder.write("a.jsonl", "{\"id\": \"x\", \"facts\": {\"a\": 2}}\n{\"facts\": {\"a\": 2}}\n");
    let output = run(&folder, &["--records", "a.jsonl", "--format", "json"], b"");
    let many = support::document(&output);
    assert_eq!(many["failures"][0]["id"], "x");
    assert_eq!(many["failures"][1].get("id"), None);
}

#[test]
fn a_start_after_the_last_line_says_so() {
    let folder = folder("past");
    for text in ["{\"facts\": {}}\n{\"facts\": {}}\n", "{\"facts\": {}}\n{\"facts\": {}}"] {
        folder.write("a.jsonl", text);
        for from in ["3", "50"] {
            let output = run(&folder, &["--records", "--from", from, "a.jsonl"], b"");
            let text = support::said(&output);
            assert!(text.contains("nothing is left to judge: `a.jsonl` has 2 lines\n"), "{text}");
            assert_eq!(support::exit(&output), 2);
        }
    }
}

#[test]
fn a_format_without_a_place_for_derivations_refuses_explain() {
    let folder = folder("explain");
    folder.write("a.jsonl", RECORDS);
    for format in ["jsonl", "junit", "sarif", "github"] {
        let output = run(&folder, &["--records", "a.jsonl", "--explain", "--format", format], b"");
        let text = String::from_utf8_lossy(&output.stdout).into_owned()
            + &String::from_utf8_lossy(&output.stderr);
        assert!(text.contains("--explain"), "{format}: {text}");
        assert_eq!(support::exit(&output), 2);
    }
}

#[test]
fn counts_agree_with_their_noun() {
    let folder = folder("one-record");
    folder.write("a.jsonl", "{\"facts\": {\"a\": 2}}\n");
    let text = support::said(&run(&folder, &["--records", "a.jsonl"], b""));
    assert!(text.ends_with("fail: 1 record, 0 passed, 1 failed, 0 undecided\n"), "{text}");
}

/// What is reported of a record does not depend on the size of the lawbook.
#[cfg(target_os = "linux")]
#[test]
fn many_reports_share_the_texts_of_the_lawbook() {
    let folder = support::Folder::new("records-shared");
    folder.write("lawful.yaml", "name: many\n");
    folder.write("analysis/rulespec.yaml", RULESPEC);
    for number in 0..4000 {
        folder.write(&format!("fragments/f{number}.md"), "text\n");
    }
    folder.write("a.jsonl", "{\"facts\": {\"a\": 2}}\n".repeat(8_000));
    let words = [
        "verify",
        "--records",
        "a.jsonl",
        "--max-failures",
        "100000",
        "--jobs",
        "1",
        "--format",
        "json",
    ];
    let mut child = folder.lawful(&words).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let mut first = [0; 1];
    stdout.read_exact(&mut first).unwrap();
    let peak = peak(&child);
    let mut rest = Vec::new();
    stdout.read_to_end(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert!(peak < (160 << 10), "{peak} KiB");
}

#[test]
fn a_line_over_the_limit_costs_that_line() {
    let folder = folder("long");
    let long = format!("{{\"facts\": {{\"a\": \"{}\"}}}}", "x".repeat(20 << 20));
    let text = format!("{{\"facts\": {{\"a\": 2}}}}\n{long}\n{{\"facts\": {{\"a\": 2}}}}\n");
    folder.write("a.jsonl.zst", zst(text.as_bytes()));
    let output = run(&folder, &["a.jsonl.zst", "--format", "jsonl"], b"");
    let lines = lines(&output);
    assert_eq!(lines.len(), 3);
    assert!(lines[1]["error"].as_str().unwrap().starts_with("the line is longer than the limit"));
    assert_eq!((&lines[1]["id"], &lines[2]["id"]), (&json!(2), &json!(3)));
    assert_eq!(lines[2]["failed"], json!(["a-is-one"]));
}

#[test]
fn half_of_a_surrogate_pair_costs_nothing() {
    let folder = folder("surrogate");
    folder.write("a.jsonl", "{\"facts\": {\"a\": 1, \"t\": \"x\\ud83d\"}, \"observed\": {\"runs\": {\"tests\": {\"exit\": 0}}}}\n");
    let output = run(&folder, &["--records", "a.jsonl", "--format", "jsonl"], b"");
    assert_eq!(lines(&output)[0]["verdict"], "pass");
    assert!(String::from_utf8_lossy(&output.stderr).contains("lone-surrogate"));
    let output = run(&folder, &["--records", "a.jsonl", "--format", "json"], b"");
    assert_eq!(support::document(&output)["diagnostics"][0]["code"], "lone-surrogate");
    assert_eq!(support::exit(&output), 0);
}

/// Lines of a pipe are judged as they come, and an interrupt says where to go on.
#[test]
fn an_interrupted_run_says_where_to_go_on() {
    let folder = folder("interrupt");
    for jobs in ["1", "2"] {
        let words = [
            "verify",
            "--rulespec",
            "r.yaml",
            "--records",
            "-",
            "--format",
            "jsonl",
            "--jobs",
            jobs,
        ];
        let mut command = folder.lawful(&words);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(b"{\"facts\": {\"a\": 1}}\n{\"facts\": {\"a\": 2}}\n{\"facts\":").unwrap();
        stdin.flush().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        for id in 1..=2 {
            line.clear();
            stdout.read_line(&mut line).unwrap();
            assert_eq!(serde_json::from_str::<Value>(&line).unwrap()["id"], id);
        }
        let pid = child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
        let status = child.wait().unwrap();
        let mut stderr = String::new();
        child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        assert_eq!(status.code(), Some(2), "{stderr}");
        assert_eq!(
            stderr,
            "interrupted at standard input:3 after 2 records; to go on, pass `--from 3` and the files from this one on\n"
        );
        drop(stdin);
    }
}

#[test]
fn a_run_whose_output_nobody_reads_does_not_pass() {
    let folder = folder("closed");
    let good = "{\"facts\": {\"a\": 1}, \"observed\": {\"runs\": {\"tests\": {\"exit\": 0}}}}\n";
    folder.write("a.jsonl", &(good.repeat(60_000) + "{\"facts\": {\"a\": 2}}\n"));
    let mut command = folder.lawful(&[
        "verify",
        "--rulespec",
        "r.yaml",
        "--records",
        "a.jsonl",
        "--format",
        "jsonl",
    ]);
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(2));
}

#[test]
fn formats_of_ci_systems_say_what_they_do_not_show() {
    let folder = folder("unshown");
    folder.write("a.jsonl", RECORDS);
    let words = ["--records", "a.jsonl", "--max-failures", "0"];
    for (format, expected) in [
        ("sarif", "\"ruleId\": \"more-failures\""),
        ("github", "title=more-failures::5 more envelopes failed or could not be judged"),
    ] {
        let output = run(&folder, &[&words[..], &["--format", format]].concat(), b"");
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains(expected), "{text}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_is_an_error_in_formats_of_ci_systems() {
    let folder = folder("interrupted-ci");
    for (format, expected) in [
        ("junit", "errors=\"1\""),
        ("sarif", "\"ruleId\": \"interrupted\""),
        ("github", "title=interrupted::"),
    ] {
        let words = ["verify", "--rulespec", "r.yaml", "--records", "-", "--format", format];
        // A process that is not ready for the signal yet ends without an exit code.
        let output = (1..20).find_map(|attempt| {
            let mut command = folder.lawful(&words);
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let mut child = command.spawn().unwrap();
            let stdin = child.stdin.take().unwrap();
            std::thread::sleep(std::time::Duration::from_millis(200 * attempt));
            Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
            let output = child.wait_with_output().unwrap();
            drop(stdin);
            output.status.code().map(|_| output)
        });
        let output = output.unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(expected), "{text}");
    }
}

/// The most memory that a process has used so far, in KiB.
#[cfg(target_os = "linux")]
fn peak(child: &std::process::Child) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_depend_on_the_number_of_failures() {
    let folder = folder("memory");
    let words =
        ["verify", "--rulespec", "r.yaml", "--records", "-", "--format", "jsonl", "--jobs", "2"];
    let mut command = folder.lawful(&words);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut judge = |count: usize| {
        std::thread::scope(|scope| {
            scope.spawn(|| {
                stdin.write_all("{\"facts\": {\"a\": 2}}\n".repeat(count).as_bytes()).unwrap()
            });
            assert_eq!(stdout.by_ref().take(count).flatten().count(), count);
        });
    };
    judge(5_000);
    let before = peak(&child);
    judge(40_000);
    let after = peak(&child);
    assert!(after < before + (24 << 10), "{before} KiB, then {after} KiB");
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn a_test_case_is_a_predicate_or_an_envelope() {
    let folder = folder("junit");
    folder.write("e.yaml", "facts: {a: \"<x>\"}\n");
    folder.write("a.jsonl", RECORDS);
    let suite = |words: &[&str]| {
        let output = run(&folder, words, b"");
        let text = String::from_utf8(output.stdout).unwrap();
        let document =
            roxmltree::Document::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let suite = document.descendants().find(|node| node.has_tag_name("testsuite")).unwrap();
        let counts = ["tests", "failures", "errors", "skipped"];
        let counts = counts.map(|name| suite.attribute(name).unwrap().to_owned()).join(" ");
        let case = |node: roxmltree::Node<'_, '_>| {
            let result = node.children().find(roxmltree::Node::is_element);
            let result = result.map_or("passed", |node| node.tag_name().name());
            format!("{} {result}", node.attribute("name").unwrap())
        };
        let cases = suite.children().filter(|node| node.has_tag_name("testcase"));
        (counts, cases.map(case).collect::<Vec<_>>())
    };
    let (counts, cases) = suite(&["e.yaml", "--format", "junit"]);
    assert_eq!(counts, "3 1 1 0");
    assert_eq!(
        cases,
        ["predicate 0 `a-is-one` failure", "predicate 1 error", "predicate 2 passed"]
    );
    let (counts, cases) = suite(&["--records", "a.jsonl", "--format", "junit"]);
    assert_eq!(counts, "6 1 4 0");
    let expected = [
        "first passed",
        "a.jsonl:2 failure",
        "17 error",
        "a.jsonl:5 error",
        "a.jsonl:6 error",
        "a.jsonl:7 error",
    ];
    assert_eq!(cases, expected);
    // Beyond the limit of reports a test case still says that it failed.
    let (counts, again) =
        suite(&["--records", "a.jsonl", "--format", "junit", "--max-failures", "0"]);
    assert_eq!((counts.as_str(), again), ("6 1 4 0", cases));
    folder.write("e.yaml", "facts: [\n");
    let (counts, cases) = suite(&["e.yaml", "--format", "junit"]);
    assert_eq!((counts.as_str(), cases), ("1 0 1 0", vec!["lawful verify error".to_owned()]));
}

#[test]
fn sarif_is_valid_by_its_schema() {
    let folder = folder("sarif");
    folder.write("e f.yaml", "facts: {a: 3}\nnotes: x\n");
    folder.write("a.jsonl", RECORDS);
    folder.write("b/lawful.yaml", "name: b\nmistake: 1\n");
    let mut schema: Value = serde_json::from_str(include_str!("support/sarif-2.1.0.json")).unwrap();
    // Of the published schema one pattern is not a regular expression.
    for part in ["run", "toolComponent"] {
        let language = &mut schema["definitions"][part]["properties"]["language"];
        language.as_object_mut().unwrap().remove("pattern");
    }
    let schema = jsonschema::validator_for(&schema).unwrap();
    let results = |output: &Output| {
        let document = support::document(output);
        let problems: Vec<String> =
            schema.iter_errors(&document).map(|one| one.to_string()).collect();
        assert!(problems.is_empty(), "{problems:?}\n{document:#}");
        let run = &document["runs"][0];
        let results = run["results"].as_array().unwrap().clone();
        for result in &results {
            let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
            assert!(rules.iter().any(|rule| rule["id"] == result["ruleId"]), "{result}");
        }
        results
    };
    let one = results(&run(&folder, &["e f.yaml", "--format", "sarif"], b""));
    let rules: Vec<&Value> = one.iter().map(|result| &result["ruleId"]).collect();
    assert_eq!(
        rules,
        ["unjudged-key", "predicate-failed", "predicate-undecided", "predicate-failed"]
    );
    let levels: Vec<&Value> = one.iter().map(|result| &result["level"]).collect();
    assert_eq!(levels, ["warning", "error", "error", "warning"]);
    let place = &one[1]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "e%20f.yaml");
    assert_eq!(place["region"], json!({"startLine": 1, "startColumn": 12}));
    assert_eq!(
        results(&run(&folder, &["--records", "a.jsonl", "--format", "sarif"], b"")).len(),
        6
    );
    assert_eq!(results(&run(&folder, &["missing.yaml", "--format", "sarif"], b"")).len(), 1);
    let checked = folder.output(&["check", "--book", "b", "--format", "sarif"]);
    assert_eq!(support::exit(&checked), 1);
    assert_eq!(results(&checked)[0]["ruleId"], "unknown-key");
}

#[test]
fn github_gets_an_annotation_for_each_problem() {
    let folder = folder("github");
    folder.write("e.yaml", "facts: {a: 3}\n");
    folder.write("b/lawful.yaml", "name: b\nmistake: 1\n");
    let output = run(&folder, &["e.yaml", "--format", "github"], b"");
    let text = String::from_utf8(output.stdout).unwrap();
    let starts = [
        "::error file=e.yaml,line=1,col=12,title=predicate-failed::predicate 0 `a-is-one` fails",
        "::error file=r.yaml,line=6,col=5,title=predicate-undecided::predicate 1 is undecided",
        "::warning file=e.yaml,line=1,col=12,title=predicate-failed::predicate 2 fails",
    ];
    assert_eq!(text.lines().count(), starts.len(), "{text}");
    for (line, start) in text.lines().zip(starts) {
        assert!(line.starts_with(start), "{line}");
    }
    let checked = folder.output(&["check", "--book", "b", "--format", "github"]);
    let text = String::from_utf8(checked.stdout).unwrap();
    assert!(
        text.starts_with("::error file=b/lawful.yaml,line=2,col=1,title=unknown-key::"),
        "{text}"
    );
    let checked = folder.output(&["check", "--book", "b", "--format", "junit"]);
    let text = String::from_utf8(checked.stdout).unwrap();
    assert!(roxmltree::Document::parse(&text).is_ok(), "{text}");
    assert!(
        text.contains("<testcase classname=\"lawful check\" name=\"b/lawful.yaml\">"),
        "{text}"
    );
}

/// Warnings that are not denied do not fail a document, and are still shown.
#[test]
fn junit_shows_warnings_that_are_not_denied() {
    let folder = folder("junit-warnings");
    folder.write("b/lawful.yaml", "name: b\n");
    folder.write("b/fragments/unused.md", "text\n");
    folder.write("b/compositions/c.yaml", "name: c\nbase: [missing]\n");
    let check = |words: &[&str]| {
        let output =
            folder.output(&[&["check", "--book", "b", "--format", "junit"], words].concat());
        (support::exit(&output), String::from_utf8(output.stdout).unwrap())
    };
    let (exit, text) = check(&[]);
    assert_eq!(exit, 0, "{text}");
    assert!(roxmltree::Document::parse(&text).is_ok(), "{text}");
    assert!(text.contains("failures=\"0\""), "{text}");
    assert!(
        text.contains("<system-out>b/compositions/c.yaml:2:8: warning[unknown-fragment]: "),
        "{text}"
    );
    let (exit, text) = check(&["--deny", "warnings"]);
    assert_eq!(exit, 1);
    assert!(text.contains("<failure ") && !text.contains("<system-out>"), "{text}");
}
