//! A snapshot of all prompts, and a book that changed since.

#![allow(clippy::unwrap_used, clippy::format_collect, reason = "this is a test")]

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

struct Book(PathBuf);

impl Book {
    fn new(name: &str) -> Self {
        let path =
            std::env::temp_dir().join(format!("lawful-matrix-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        let book = Self(path);
        let axes = "{vip: [true, false], eu: [true, false], minor: [true, false]}";
        book.write("lawful.yaml", &format!("name: desk\naxes: {axes}\n"));
        book.write("fragments/hello.md", "---\nid: hello\n---\nHello.\n");
        book.write("fragments/sponsor.md", "---\nid: sponsor\n---\nThe sponsor.\n");
        book
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn forbid(&self, when: &str) {
        let text = format!(
            "name: reply\nbase: [hello, sponsor]\nrules:\n  - when: {when}\n    forbid: [sponsor]\n"
        );
        self.write("compositions/reply.yaml", &text);
    }

    fn matrix(&self, args: &[&str]) -> (i32, String) {
        let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_lawful"))
            .args(["matrix", "reply"])
            .args(args)
            .current_dir(&self.0)
            .output()
            .unwrap();
        let said = String::from_utf8(stdout).unwrap() + &String::from_utf8(stderr).unwrap();
        (status.code().unwrap(), said)
    }
}

impl Drop for Book {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_rule_that_moves_to_another_axis_is_a_change() {
    let book = Book::new("axis");
    book.forbid("{minor: true, eu: false}");
    assert_eq!(book.matrix(&["--snapshot", "kept.txt"]).0, 0);
    assert_eq!(book.matrix(&["--check", "kept.txt"]).0, 0);
    book.forbid("{minor: true, vip: false}");
    let (code, said) = book.matrix(&["--check", "kept.txt"]);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("-   eu: false, minor: true"), "{said}");
    assert!(said.contains("+   minor: true, vip: false"), "{said}");
    let (code, said) = book.matrix(&["--check", "kept.txt", "--format", "json"]);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("\"changed\""), "{said}");
    // The same, written otherwise.
    book.forbid("{all: [{not: {eu: true}}, {minor: true}]}");
    assert_eq!(book.matrix(&["--check", "kept.txt"]).0, 0);
}

#[test]
fn a_changed_text_and_a_changed_axis_are_changes() {
    let book = Book::new("text");
    book.forbid("{minor: true}");
    assert_eq!(book.matrix(&["--snapshot", "kept.txt"]).0, 0);
    book.write("fragments/hello.md", "---\nid: hello\n---\nHello!\n");
    assert_eq!(book.matrix(&["--check", "kept.txt"]).0, 1);
    book.write("fragments/hello.md", "---\nid: hello\n---\nHello.\n");
    assert_eq!(book.matrix(&["--check", "kept.txt"]).0, 0);
    let axes = "{vip: [true, false], eu: [true, 0], minor: [true, false]}";
    book.write("lawful.yaml", &format!("name: desk\naxes: {axes}\n"));
    assert_eq!(book.matrix(&["--check", "kept.txt"]).0, 1);
}

#[test]
fn a_snapshot_of_an_earlier_form_is_never_a_pass() {
    let book = Book::new("earlier");
    book.forbid("{minor: true, eu: false}");
    book.write(
        "kept.txt",
        "# every prompt of `reply`, written by `lawful matrix`\n\n== 6 contexts, 0123456789abcdef, \
         such as {\"vip\": true}\n-- hello sponsor\nHello.\n\nThe sponsor.\n",
    );
    let (code, said) = book.matrix(&["--check", "kept.txt"]);
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("error[not-a-snapshot]: this snapshot has an older format"), "{said}");
}

#[test]
fn only_the_changes_are_shown() {
    let book = Book::new("changes");
    book.forbid("{minor: true}");
    assert_eq!(book.matrix(&["--snapshot", "kept.txt"]).0, 0);
    let (code, said) = book.matrix(&["--check", "kept.txt"]);
    assert_eq!((code, said.as_str()), (0, "no prompt of reply changed\n"));
    book.write("fragments/sponsor.md", "---\nid: sponsor\n---\nThe\u{a0}sponsor.\n");
    let (code, said) = book.matrix(&["--check", "kept.txt"]);
    assert_eq!(code, 1, "{said}");
    assert!(said.starts_with("--- kept\n+++ now\n@@ "), "{said}");
    assert!(said.contains("\n-| The sponsor.\n+| The\\u{a0}sponsor.\n"), "{said}");
}

#[test]
fn a_file_that_is_no_snapshot_is_an_error() {
    let book = Book::new("other");
    book.forbid("{minor: true}");
    let refused = |file: &str, expected: &str| {
        let (code, said) = book.matrix(&["--check", file]);
        assert_eq!(code, 2, "{said}");
        assert!(said.starts_with(expected), "{said}");
    };
    refused("nowhere.txt", "error[unreadable]: cannot read the snapshot: there is no such file");
    refused("fragments", "error[not-a-file]: expected a file, found a folder");
    for text in ["", "Hello.\n", "{\"prompts\": []}\n"] {
        book.write("kept.txt", text);
        refused("kept.txt", "error[not-a-snapshot]: this file is not a snapshot\n");
    }
    fs::write(book.0.join("kept.txt"), [0xff, 0xfe]).unwrap();
    refused("kept.txt", "error[invalid-utf8]");
    let title =
        |name: &str| format!("# every prompt of `{name}`, written by `lawful matrix` (form 2)\n");
    book.write("kept.txt", &title("note"));
    refused("kept.txt", "error[not-a-snapshot]: this is a snapshot of `note`, not of `reply`\n");
    book.write("kept.txt", &(title("reply") + "# axis a: 1\n\n== 1 contexts\nHello.\n"));
    refused(
        "kept.txt",
        "error[not-a-snapshot]: a snapshot has no such line here\n --> kept.txt:5:1",
    );
    let (code, said) = book.matrix(&["--check", "kept.txt", "--format", "json"]);
    assert_eq!(code, 2, "{said}");
    assert!(said.starts_with('{') && said.contains("\"not-a-snapshot\""), "{said}");
}

#[test]
fn four_thousand_rewritten_prompts_are_compared() {
    let book = Book::new("many");
    let letters = "abcdefghijkl";
    let axes: Vec<String> = letters.chars().map(|c| format!("  {c}: [true, false]\n")).collect();
    book.write("lawful.yaml", &format!("name: desk\naxes:\n{}", axes.concat()));
    let rule = |c: char| format!("  - when: {{{c}: true}}\n    add: [{c}]\n");
    let rules: String = letters.chars().map(rule).collect();
    book.write("compositions/reply.yaml", &format!("name: reply\nbase: [hello]\nrules:\n{rules}"));
    let rewrite = |how: &str| {
        for c in letters.chars() {
            let lines: String = (0..4).map(|n| format!("{how} {c} {n}.\n\n")).collect();
            book.write(&format!("fragments/{c}.md"), &format!("---\nid: {c}\n---\n{lines}"));
        }
    };
    rewrite("Do");
    assert_eq!(book.matrix(&["--snapshot", "kept.txt"]).0, 0);
    rewrite("Never do");
    let (code, said) = book.matrix(&["--check", "kept.txt"]);
    assert_eq!(code, 1);
    assert!(said.starts_with("--- kept\n"), "{}", said.lines().next().unwrap_or_default());
    assert_eq!(said.matches("\n-| Do a 0.").count(), 2_048);
    assert_eq!(said.matches("\n+| Never do a 0.").count(), 2_048);
}

#[test]
fn a_long_value_is_cut() {
    let book = Book::new("long");
    let long = "x".repeat(5_000);
    book.write("lawful.yaml", &format!("name: desk\naxes: {{eu: [{long}, short]}}\n"));
    book.forbid("{eu: short}");
    let (code, said) = book.matrix(&[]);
    assert_eq!(code, 0, "{said}");
    let example = said.lines().find(|line| line.contains("xxx")).unwrap();
    assert!(example.ends_with('…'), "{example}");
    assert!(example.chars().count() < 2_100, "{example}");
    let (_, whole) = book.matrix(&["--format", "json"]);
    assert!(whole.contains(&long), "{whole}");
}
