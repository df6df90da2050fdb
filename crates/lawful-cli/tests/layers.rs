//! The project layer comes from the repository that a lawbook is in, and from nowhere else.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "this is a test")]

use std::fs;
use std::process::Command;

mod support;

struct Folder(support::Folder);

impl Folder {
    /// A repository with a book in `law/book`.
    fn new(name: &str) -> Self {
        let folder = Self(support::Folder::new(&format!("layer-{name}")));
        fs::create_dir_all(folder.0.join("repo/.git")).unwrap();
        let manifest = "name: b\nconditioning: {core: core.md, personas: {lead: lead.md}}\n";
        folder.write("repo/law/book/lawful.yaml", manifest);
        folder.write("repo/law/book/core.md", "Never guess.\n");
        folder.write("repo/law/book/lead.md", "You lead.\n");
        folder
    }

    fn write(&self, path: &str, text: &str) {
        self.0.write(path, text);
    }

    /// `lawful compose --role lead --layers` with these words, in the book.
    fn compose(&self, words: &[&str]) -> Command {
        let mut command =
            self.0.lawful(&[&["compose", "--role", "lead", "--layers"], words].concat());
        command.current_dir(self.0.join("repo/law/book"));
        command
    }

    fn project(&self) -> String {
        let output = self.compose(&[]).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let (system, rest) = text.split_once("\n\n[project]\n").unwrap();
        assert_eq!(system, "[system]\nNever guess.\n\nYou lead.");
        rest.strip_suffix("\n[task]\n").unwrap().trim_end().to_owned()
    }
}

#[test]
fn the_nearest_record_up_to_the_root_of_the_repository() {
    let folder = Folder::new("near");
    folder.write("AGENTS.md", "## Requirements\nof somebody else\n");
    assert_eq!(folder.project(), "");
    folder.write("repo/AGENTS.md", "# Repo\n\nHow to build.\n\n## Invariants\n\n- stones turn\n");
    assert_eq!(folder.project(), "## Invariants\n\n- stones turn");
    folder.write("repo/law/AGENTS.md", "## Unknowns\r\n- the river\r\n");
    assert_eq!(folder.project(), "## Unknowns\n- the river");
}

#[test]
fn a_link_out_of_the_repository_is_not_followed() {
    let folder = Folder::new("link");
    folder.write("secret.md", "## Requirements\nsecret\n");
    std::os::unix::fs::symlink("../secret.md", folder.0.join("repo/AGENTS.md")).unwrap();
    assert_eq!(folder.project(), "");
    fs::remove_file(folder.0.join("repo/AGENTS.md")).unwrap();
    folder.write("repo/AGENTS.md", "## Requirements\nin the open\n");
    std::os::unix::fs::symlink("../../secret.md", folder.0.join("repo/law/AGENTS.md")).unwrap();
    // The one above it is the nearest that there is.
    assert_eq!(folder.project(), "## Requirements\nin the open");
}

#[test]
fn without_a_repository_the_folder_of_the_book_is_all_there_is() {
    let folder = Folder::new("bare");
    fs::remove_dir(folder.0.join("repo/.git")).unwrap();
    folder.write("repo/law/AGENTS.md", "## Requirements\nof somebody else\n");
    assert_eq!(folder.project(), "");
    folder.write("repo/law/book/AGENTS.md", "## Requirements\nof the book\n");
    assert_eq!(folder.project(), "## Requirements\nof the book");
    folder.write("repo/secret.md", "## Requirements\nsecret\n");
    fs::remove_file(folder.0.join("repo/law/book/AGENTS.md")).unwrap();
    std::os::unix::fs::symlink("../../secret.md", folder.0.join("repo/law/book/AGENTS.md"))
        .unwrap();
    assert_eq!(folder.project(), "");
}

#[test]
fn the_task_may_come_from_standard_input_if_nothing_else_does() {
    let folder = Folder::new("task");
    let run = |arguments: &[&str]| {
        let mut command = folder.compose(&[&["--task", "-"], arguments].concat());
        let output = support::answer(&mut command, "Fix the door.\n");
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let (code, out, _) = run(&[]);
    assert_eq!(code, Some(0));
    assert!(out.ends_with("[task]\nFix the door.\n"), "{out}");
    for other in [["--context", "@-"], ["--state", "-"]] {
        let (code, _, error) = run(&other);
        assert_eq!(code, Some(2));
        assert!(error.contains("standard input can be read only once"), "{error}");
    }
}

#[test]
fn what_a_project_fragment_lacks_is_in_the_answer() {
    let folder = Folder::new("warning");
    folder.write(
        "repo/law/book/fragments/p.md",
        "---\nid: p\nlayer: project\n---\nThe mill ${x} stays.\n",
    );
    let output = folder.compose(&["--format", "json"]).output().unwrap();
    assert!(output.stderr.is_empty());
    let answer = support::document(&output);
    assert_eq!(answer["warnings"][0]["code"], "missing-placeholder");
}
