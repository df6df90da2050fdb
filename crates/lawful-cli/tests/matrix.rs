//! A snapshot of all prompts, and a book that changed since.

#![allow(clippy::unwrap_used, reason = "this is a test")]

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
    assert!(
        said.contains("`kept.txt` is not a snapshot of this composition, or has an older format")
    );
    book.write("kept.txt", "");
    assert_eq!(book.matrix(&["--check", "kept.txt"]).0, 2);
}
