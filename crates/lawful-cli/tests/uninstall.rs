//! What is taken back, and from where; and projects that bring records of their own.

#![cfg(unix)]
#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "this is a test")]

mod scene;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use scene::Scene;
use serde_json::{Value, json};

const INSTALL: [&str; 5] = ["install", "--book", "law", "--harness", "zed"];

/// A second lawbook beside the first.
fn another(scene: &Scene) {
    for file in ["lawful.yaml", "core.md", "lead.md", "scout.md"] {
        let text = scene.read(&format!("project/law/{file}")).replace("name: crew", "name: other");
        scene.write(&format!("project/law2/{file}"), &text);
    }
}

#[test]
fn only_the_scope_and_the_lawbook_that_are_meant_are_taken_out() {
    let scene = Scene::new("meant");
    another(&scene);
    let user = |words: &[&str]| scene.json(&[words, &["--scope", "user"]].concat()).0;
    for book in ["law", "law2"] {
        let words = |id| ["install", "--book", book, "--role", "lead", "--harness", id];
        assert_eq!((scene.json(&words("agents-md")).0, user(&words("claude-code"))), (0, 0));
    }
    let (home, project) = (scene.read("home/.claude/CLAUDE.md"), scene.read("project/AGENTS.md"));
    // In a folder that has nothing to do with it, nothing is taken out.
    let unrelated = scene.root.join("unrelated");
    fs::create_dir(&unrelated).unwrap();
    for words in [&["uninstall"][..], &["uninstall", "--scope", "all"]] {
        let output = scene.command(words).current_dir(&unrelated).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("no-lawbook") && said.contains("--every-book"), "{said}");
    }
    let mut command = scene.command(&["uninstall", "--every-book"]);
    assert!(command.current_dir(&unrelated).output().unwrap().status.success());
    assert_eq!(scene.read("home/.claude/CLAUDE.md"), home, "a project is the default");
    assert_eq!(scene.read("project/AGENTS.md"), project);
    // The nearest lawbook, out of the project alone.
    let mut command = scene.command(&["uninstall", "--root", ".."]);
    assert!(command.current_dir(scene.root.join("project/law")).output().unwrap().status.success());
    let left = scene.read("project/AGENTS.md");
    assert!(!left.contains("lawful:begin crew") && left.contains("lawful:begin other"));
    assert_eq!(scene.read("home/.claude/CLAUDE.md"), home);
    assert_eq!(user(&["uninstall", "--book", "law2"]), 0);
    let left = scene.read("home/.claude/CLAUDE.md");
    assert!(left.contains("lawful:begin crew") && !left.contains("lawful:begin other"));
    assert_eq!(scene.json(&["uninstall", "--scope", "all", "--every-book"]).0, 0);
    assert!(!scene.has("home/.claude") && !scene.has("project/AGENTS.md"));
    assert_eq!(scene.json(&["uninstall", "--book", "law", "--every-book"]).0, 2);
    let words = ["uninstall", "--book", "law", "--scope", "user", "--root", "."];
    assert_eq!(scene.code_of(&words), (2, "usage".to_owned()));
}

/// Copies the lawbook of a scene, with its name.
fn namesake(scene: &Scene, folder: &str) {
    for file in ["lawful.yaml", "core.md", "lead.md", "scout.md"] {
        scene.write(&format!("{folder}/{file}"), &scene.read(&format!("project/law/{file}")));
    }
}

#[test]
fn another_lawbook_with_the_same_name_keeps_what_it_installed() {
    let scene = Scene::new("namesake");
    namesake(&scene, "project/law2");
    namesake(&scene, "elsewhere");
    for (scope, harnesses) in [("user", &["codex", "claude-code"][..]), ("project", &["agents-md"])]
    {
        let install = ["install", "--book", "law", "--scope", scope, "--harness"];
        assert_eq!(scene.json(&[&install, harnesses].concat()).0, 0);
    }
    let before = (scene.tree("project"), scene.tree("home"));
    for book in ["law2", "../elsewhere"] {
        for words in [
            &["uninstall", "--book", book][..],
            &["uninstall", "--book", book, "--scope", "user"],
            &["uninstall", "--book", book, "--scope", "all", "--harness", "codex"],
        ] {
            let (exit, document) = scene.json(words);
            assert_eq!((exit, &document["operations"]), (0, &json!([])), "{words:?}: {document}");
            assert_eq!(document["diagnostics"][0]["code"], "same-name", "{words:?}");
            assert_eq!((scene.tree("project"), scene.tree("home")), before, "{words:?}");
        }
    }
    // Harnesses for which the other one is not installed are not mentioned.
    let words = ["uninstall", "--book", "law2", "--harness", "gemini-cli"];
    assert_eq!(scene.json(&words).1["diagnostics"], json!([]));
    let (exit, document) = scene.json(&["uninstall", "--book", "law", "--scope", "all"]);
    assert_eq!((exit, &document["diagnostics"]), (0, &json!([])));
    assert!(!scene.has("project/AGENTS.md") && !scene.has("home/.codex"));
    assert!(!scene.has("project/.lawful"));
}

#[test]
fn a_block_of_one_of_two_lawbooks_with_the_same_name_stays() {
    let scene = Scene::new("namesake-block");
    assert_eq!(scene.json(&INSTALL).0, 0);
    fs::copy(scene.root.join("project/AGENTS.md"), scene.root.join("project/GEMINI.md")).unwrap();
    namesake(&scene, "project/law2");
    let before = scene.tree("project");
    assert_eq!(scene.json(&["uninstall", "--book", "law2"]).0, 0);
    assert_eq!(scene.tree("project"), before);
    assert_eq!(scene.json(&["uninstall", "--book", "law"]).0, 0);
    assert!(!scene.has("project/AGENTS.md") && !scene.has("project/GEMINI.md"));
}

#[test]
fn a_lawbook_that_was_moved_is_known_by_its_name() {
    for remains in ["nothing", "a folder", "a link"] {
        let scene = Scene::new(&format!("moved-{}", remains.replace(' ', "-")));
        let (law, moved) = (scene.root.join("project/law"), scene.root.join("project/moved"));
        assert_eq!(scene.json(&INSTALL).0, 0);
        let of_user = ["install", "--book", "law", "--harness", "claude-code", "--scope", "user"];
        assert_eq!(scene.json(&of_user).0, 0);
        fs::rename(&law, &moved).unwrap();
        match remains {
            "a folder" => fs::create_dir(&law).unwrap(),
            "a link" => std::os::unix::fs::symlink(&moved, &law).unwrap(),
            _ => {}
        }
        let (exit, document) = scene.json(&["uninstall", "--book", "moved", "--scope", "all"]);
        assert_eq!((exit, &document["diagnostics"]), (0, &json!([])), "{remains}");
        assert!(!scene.has("project/AGENTS.md") && !scene.has("home/.claude"), "{remains}");
    }
}

#[test]
fn what_would_be_taken_back_is_shown_and_stays() {
    let scene = Scene::new("dry");
    assert_eq!(scene.json(&INSTALL).0, 0);
    let before = (scene.tree("project"), scene.tree("home"));
    let words = ["uninstall", "--book", "law", "--scope", "all", "--dry-run"];
    let output = scene.run_with(&words, &[]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success());
    assert!(said.contains("delete        zed AGENTS.md"), "{said}");
    assert!(said.contains("-You lead.") && said.contains("1 file would be changed"), "{said}");
    let (exit, document) = scene.json(&words);
    assert_eq!((exit, &document["operations"][0]["op"]), (0, &Value::from("delete")));
    assert!(document["operations"][0]["diff"].as_str().unwrap().contains("-You lead."));
    assert_eq!((scene.tree("project"), scene.tree("home")), before);
    assert_eq!(scene.json(&["uninstall", "--book", "law"]).0, 0);
    assert!(!scene.has("project/AGENTS.md"));
}

/// A clone of a repository that has a file in `.lawful`.
fn cloned(name: &str, record: &str, text: &str) -> Scene {
    let scene = Scene::new(name);
    scene.write("project/t.sh", "#!/bin/sh\ntouch \"$PWD/pwned\"\n");
    let script = scene.root.join("project/t.sh");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    scene.write(&format!("project/.lawful/{record}"), text);
    scene.git("project", &["init", "-q", "-b", "main", "."]);
    scene.git("project", &["add", "-f", "."]);
    scene.git("project", &["commit", "-q", "-m", "x"]);
    fs::rename(scene.root.join("project"), scene.root.join("origin")).unwrap();
    scene.git(".", &["clone", "-q", "origin", "project"]);
    scene
}

/// Runs a command in the clone: it works, says what it found, and leaves the repository as it was.
fn is_not_obeyed(scene: &Scene, record: &str) {
    let repository = scene.tree("project/.git");
    for words in [
        &["status"][..],
        &["uninstall", "--book", "law"],
        &["uninstall", "--every-book", "--scope", "all"],
        &[&INSTALL[..], &["--dry-run"]].concat(),
        &INSTALL,
        &["uninstall", "--book", "law"],
    ] {
        let (exit, document) = scene.json(words);
        assert_eq!(exit, 0, "{words:?}: {document}");
        assert_eq!(document["diagnostics"][0]["code"], "foreign-ledger", "{words:?}: {document}");
        assert_eq!(scene.tree("project/.git"), repository, "{words:?}");
    }
    let origin = scene.read(&format!("origin/.lawful/{record}"));
    assert_eq!(scene.read(&format!("project/.lawful/{record}")), origin, "it stays as it is");
    scene.git("project", &["checkout", "-q", "-b", "y"]);
    assert!(!scene.has("project/pwned") && !scene.has("project/.envrc"));
    assert!(scene.has("project/t.sh"));
}

#[test]
fn a_journal_that_came_with_a_clone_runs_nothing() {
    for (at, path) in [".git/hooks/post-checkout", ".git/config", ".envrc"].iter().enumerate() {
        for record in ["journal.json", "journal.staged.json"] {
            let steps = json!([{"path": path, "from": "t.sh", "before": null}]);
            let text = json!({"made": [], "steps": steps, "left": []}).to_string();
            is_not_obeyed(&cloned(&format!("journal-{at}-{record}"), record, &text), record);
        }
    }
}

#[test]
fn a_ledger_that_came_with_a_clone_puts_nothing_back() {
    for (at, path) in [".git/hooks/post-checkout", ".envrc", "../victim"].iter().enumerate() {
        let entry = json!({
            "path": path, "harnesses": ["zed"], "book": "crew", "role": "lead", "created": false,
            "hash": "", "text": "", "mode": {"owned": {"before": "#!/bin/sh\ntouch pwned\n"}},
        });
        let installed = json!([{
            "harness": "zed", "book": "crew", "source": "law", "roles": null, "active": false,
        }]);
        let folders = [".git/refs/tags", ".git/branches"];
        let text = json!({
            "format": 1, "installed": installed, "files": [entry], "folders": folders,
        });
        let scene = cloned(&format!("ledger-{at}"), "ledger.json", &text.to_string());
        is_not_obeyed(&scene, "ledger.json");
        assert!(!scene.has("victim"));
    }
}

#[test]
fn a_ledger_that_came_with_a_clone_and_is_none_stops_nothing() {
    let with_rows = r#"{"format": 9, "installed": [], "files": [], "folders": []}"#;
    let texts = ["", "{", "{}", "[]", r#"{"format":99}"#, with_rows, "\u{0}\u{1}\u{fffd}"];
    for (at, text) in texts.iter().enumerate() {
        is_not_obeyed(&cloned(&format!("none-{at}"), "ledger.json", text), "ledger.json");
    }
    // Bytes that are not text.
    let scene = Scene::new("none-bytes");
    let bytes: Vec<u8> = (0..=255).rev().collect();
    scene.write("project/.lawful/ledger.json", "");
    fs::write(scene.root.join("project/.lawful/ledger.json"), &bytes).unwrap();
    assert_eq!(scene.json(&INSTALL).0, 0);
    assert_eq!(fs::read(scene.root.join("project/.lawful/ledger.json")).unwrap(), bytes);
}
