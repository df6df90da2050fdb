//! `--watch`: the command runs again when the lawbook changes.

#![allow(clippy::panic, clippy::unwrap_used, reason = "this is a test")]

use std::io::{BufRead as _, BufReader, Read};
use std::process::{Child, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

mod support;

use support::Folder;

/// A watching process, and the lines of both of its outputs.
struct Watching {
    child: Child,
    lines: Receiver<String>,
}

impl Watching {
    fn start(folder: &Folder, arguments: &[&str]) -> Self {
        let mut child = folder
            .lawful(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (report, lines) = channel();
        let outputs: [Box<dyn Read + Send>; 2] =
            [Box::new(child.stdout.take().unwrap()), Box::new(child.stderr.take().unwrap())];
        for output in outputs {
            let report = report.clone();
            thread::spawn(move || {
                for line in BufReader::new(output).lines().map_while(Result::ok) {
                    let _ = report.send(line);
                }
            });
        }
        Self { child, lines }
    }

    /// Waits for lines that contain these texts, in any order: the outputs are two.
    fn expect(&self, texts: &[&str]) {
        let mut open: Vec<&str> = texts.to_vec();
        let mut seen = Vec::new();
        while !open.is_empty() {
            let Ok(line) = self.lines.recv_timeout(Duration::from_mins(1)) else {
                panic!("not printed: {open:?}\nprinted: {seen:#?}");
            };
            open.retain(|text| !line.contains(text));
            seen.push(line);
        }
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const WAITING: &str = "watching for changes";

#[test]
fn check_runs_again_after_a_change() {
    let folder = Folder::new("watch-check");
    folder.write("lawful.yaml", "name: watched\n");
    folder.write("conditions/a.yaml", "vip: {tier: vip}\n");
    let watching = Watching::start(&folder, &["check", "--watch"]);
    watching.expect(&["no problems in 2 files", WAITING]);
    folder.write("conditions/a.yaml", "vip: {ref: nobody}\n");
    watching.expect(&["changed: conditions/a.yaml", "error[unknown-ref]", WAITING]);
    folder.write("conditions/a.yaml", "vip: {tier: vip}\n");
    watching.expect(&["no problems in 2 files", WAITING]);
    // A manifest that cannot be read does not end it.
    folder.write("lawful.yaml", "name: [\n");
    watching.expect(&["error", WAITING]);
    folder.write("lawful.yaml", "name: watched\n");
    watching.expect(&["no problems in 2 files", WAITING]);
}

#[test]
fn compose_prints_the_new_prompt() {
    let folder = Folder::new("watch-compose");
    folder.write("lawful.yaml", "name: watched\n");
    folder.write("fragments/hello.md", "Hello.\n");
    folder.write("compositions/greeting.yaml", "name: greeting\nbase: [hello]\n");
    let watching = Watching::start(&folder, &["compose", "greeting", "--watch"]);
    watching.expect(&["Hello.", WAITING]);
    folder.write("fragments/hello.md", "Good evening.\n");
    watching.expect(&["Good evening.", WAITING]);
}

#[test]
fn test_plays_what_a_change_concerns() {
    let folder = Folder::new("watch-test");
    folder.write("lawful.yaml", "name: watched\nvariables: {a: {type: number, initial: 1}}\n");
    let scenario = |a: u32| format!("steps: [{{turn: {{}}, expect: {{state: {{a: {a}}}}}}}]\n");
    folder.write("scenarios/one.yaml", scenario(1));
    folder.write("scenarios/two.yaml", scenario(1));
    let watching = Watching::start(&folder, &["test", "--watch"]);
    watching.expect(&["2 passed, 0 failed", WAITING]);
    folder.write("scenarios/two.yaml", scenario(2));
    watching.expect(&["0 passed, 1 failed", WAITING]);
    folder.write("lawful.yaml", "name: watched\nvariables: {a: {type: number, initial: 2}}\n");
    watching.expect(&["1 passed, 1 failed", WAITING]);
    // An envelope is no scenario: everything is played.
    folder.write("scenarios/sent/facts.yaml", "facts: {}\n");
    watching.expect(&["1 passed, 1 failed", WAITING]);
}

#[test]
fn there_must_be_a_lawbook_and_text_to_print() {
    let folder = Folder::new("watch-none");
    let lawful = |arguments: &[&str]| {
        let output = folder.output(arguments);
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, said) = lawful(&["check", "--watch"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("no-lawbook"), "{said}");
    let (code, said) = lawful(&["check", "--watch", "--format", "junit"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("cannot be used with"), "{said}");
}
