//! Clones, worktrees, branches, stashes and moves of a project that prompts were installed in.

#![cfg(unix)]
#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "this is a test")]

mod scene;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use scene::Scene;
use serde_json::Value;

const INSTALL: [&str; 7] =
    ["install", "--book", "law", "--harness", "codex", "claude-code", "--activate"];

/// A repository with a file of its owner in the place of an agent file, which was replaced.
fn installed(name: &str) -> Scene {
    let scene = Scene::new(name);
    scene.trust_folders_in_codex(&["project", "clone", "copy", "there", "worktree", "moved"]);
    scene.write("project/AGENTS.md", "# Mine\n");
    scene.write("project/.claude/agents/lawful-scout.md", "mine\n");
    scene.git("project", &["init", "-q", "-b", "main", "."]);
    scene.git("project", &["add", "."]);
    scene.git("project", &["commit", "-q", "-m", "before"]);
    assert_eq!(scene.json(&[&INSTALL[..], &["--overwrite"]].concat()).0, 0);
    scene
}

fn commit(scene: &Scene, folder: &str) {
    scene.git(folder, &["add", "-A"]);
    scene.git(folder, &["commit", "-q", "-m", "x"]);
}

/// The states of the files of a project.
fn states(scene: &Scene, folder: &str) -> Vec<String> {
    let (_, document) = scene.json_in(folder, &["status", "--scope", "project"]);
    let files = document["files"].as_array().unwrap().iter();
    files.map(|file| file["state"].as_str().unwrap().to_owned()).collect()
}

fn all_clean(scene: &Scene, folder: &str) {
    let (exit, document) = scene.json_in(folder, &["status", "--scope", "project"]);
    assert_eq!((exit, states(scene, folder).len() >= 4), (0, true), "{document}");
}

#[test]
fn the_lock_says_what_a_clone_has_to_know_and_nothing_else() {
    let scene = installed("lock");
    let lock: Value = serde_json::from_str(&scene.read("project/lawful.lock")).unwrap();
    let keys: Vec<&String> = lock.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["files", "format", "project"]);
    assert_eq!(lock["format"], 1);
    let id = lock["project"].as_str().unwrap();
    assert!(id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit()), "{id}");
    let rows: Vec<String> = lock["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            assert_eq!(row["hash"].as_str().unwrap().len(), 64);
            let word = |key: &str| row[key].as_str().unwrap().to_owned();
            [word("path"), word("kind"), word("harness"), word("role")].join(" ")
        })
        .collect();
    for row in [
        ".claude/agents/lawful-scout.md owned claude-code scout",
        ".claude/output-styles/lawful-lead.md owned claude-code lead",
        ".claude/settings.json key claude-code lead",
        ".codex/config.toml key codex lead",
    ] {
        assert!(rows.iter().any(|found| found == row), "{row}: {rows:?}");
    }
    assert!(rows.is_sorted(), "{rows:?}");
    let text = lock.to_string();
    assert!(!text.contains("You lead") && !text.contains("mine"), "{text}");
    // The same book in another project has another id.
    let other = installed("lock-2");
    assert!(!other.read("project/lawful.lock").contains(id));
    // Records are for their owner alone, and none is in the project.
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&scene.records()), 0o700);
    for entry in fs::read_dir(scene.records()).unwrap() {
        assert_eq!(mode(&entry.unwrap().path()), 0o600);
    }
    assert!(!scene.has("project/.lawful"));
}

#[test]
fn a_clone_and_a_worktree_know_what_was_committed() {
    let scene = installed("clone");
    commit(&scene, "project");
    scene.git(".", &["clone", "-q", "project", "clone"]);
    scene.git("project", &["worktree", "add", "-q", "-b", "other", "../worktree"]);
    for folder in ["clone", "worktree"] {
        all_clean(&scene, folder);
        let (exit, document) = scene.json_in(folder, &["install", "--book", "law"]);
        assert_eq!(exit, 0, "{document}");
        assert_eq!(scene.git(folder, &["status", "--porcelain"]), "", "nothing to do");
        // An update is an update.
        scene.write(&format!("{folder}/law/scout.md"), "You look twice.\n");
        assert_eq!(scene.json_in(folder, &["install", "--book", "law"]).0, 0);
        all_clean(&scene, folder);
        let (exit, document) = scene.json_in(folder, &["uninstall", "--book", "law"]);
        assert_eq!(exit, 0, "{document}");
        let left = [".claude", ".codex", "lawful.lock"];
        assert!(left.iter().all(|path| !scene.has(&format!("{folder}/{path}"))));
        assert_eq!(scene.read(&format!("{folder}/AGENTS.md")), "# Mine\n");
    }
    // What was replaced stays with the first.
    all_clean(&scene, "project");
    assert_eq!(scene.json(&["uninstall", "--book", "law"]).0, 0);
    assert_eq!(scene.read("project/.claude/agents/lawful-scout.md"), "mine\n");
    assert!(!scene.has("home/.local/state/lawful/projects"), "no record is left of any of them");
}

#[test]
fn a_clone_of_another_user_needs_no_state() {
    let scene = installed("stranger");
    commit(&scene, "project");
    scene.git(".", &["clone", "-q", "project", "clone"]);
    fs::remove_dir_all(scene.root.join("home/.local")).unwrap();
    fs::remove_dir_all(scene.root.join("project")).unwrap();
    all_clean(&scene, "clone");
    assert!(!scene.has("home/.local"), "looking keeps nothing");
    let text = scene.read("clone/.codex/config.toml").replace("You lead.", "You obey.");
    scene.write("clone/.codex/config.toml", &text);
    let (exit, _) = scene.json_in("clone", &["uninstall", "--every-book"]);
    assert_eq!(exit, 0);
    assert_eq!(scene.read("clone/.codex/config.toml"), text, "a value that is not ours stays");
    assert!(!scene.has("clone/.claude") && !scene.has("clone/lawful.lock"));
}

#[test]
fn a_clone_without_the_lawbook_says_which_it_lacks() {
    let scene = Scene::new("bookless");
    scene.trust_folders_in_codex(&["project", "elsewhere/clone"]);
    fs::rename(scene.root.join("project/law"), scene.root.join("law")).unwrap();
    let install = ["install", "--book", "../law", "--harness", "codex", "--activate"];
    assert_eq!(scene.json(&install).0, 0);
    fs::create_dir_all(scene.root.join("elsewhere/clone/.codex")).unwrap();
    for file in ["lawful.lock", ".codex/config.toml"] {
        let text = scene.read(&format!("project/{file}"));
        scene.write(&format!("elsewhere/clone/{file}"), &text);
    }
    scene.write("elsewhere/clone/AGENTS.md", "mine\n");
    // Nothing proves that the text is a prompt.
    let (exit, document) = scene.json_in("elsewhere/clone", &["status", "--scope", "project"]);
    assert_eq!((exit, &document["files"]), (0, &Value::Array(Vec::new())), "{document}");
    // A file with a marker is proof.
    let words = ["install", "--book", "../law", "--harness", "cursor"];
    assert_eq!(scene.json(&words).0, 0);
    for (path, bytes) in scene.tree("project") {
        let inside = path.strip_prefix(scene.root.join("project")).unwrap();
        if path.is_file() {
            let text = String::from_utf8(bytes).unwrap();
            scene.write(&format!("elsewhere/clone/{}", inside.display()), &text);
        }
    }
    let (exit, document) = scene.json_in("elsewhere/clone", &["status", "--scope", "project"]);
    assert_eq!((exit, &document["diagnostics"][0]["code"]), (2, &Value::from("no-lawbook")));
    let said = document["diagnostics"][0]["message"].as_str().unwrap();
    assert!(said.contains("`crew`"), "{said}");
    let status = ["status", "--scope", "project", "--book", "../../law"];
    let (exit, document) = scene.json_in("elsewhere/clone", &status);
    assert!(exit == 0 && document["files"].as_array().unwrap().len() >= 3, "{document}");
    let (exit, document) = scene.json_in("elsewhere/clone", &["uninstall", "--every-book"]);
    assert_eq!((exit, &document["diagnostics"][0]["code"]), (1, &Value::from("not-ours")));
    assert!(!scene.has("elsewhere/clone/.cursor"));
    assert!(scene.has("elsewhere/clone/.codex/config.toml"), "what is not proven stays");
    assert!(scene.read("elsewhere/clone/lawful.lock").contains("codex"), "and is not forgotten");
    // The lawbook is the proof, as the help says.
    let uninstall = ["uninstall", "--book", "../../law"];
    assert_eq!(scene.json_in("elsewhere/clone", &uninstall).0, 0);
    assert!(!scene.has("elsewhere/clone/.codex") && !scene.has("elsewhere/clone/lawful.lock"));
}

#[test]
fn a_stash_and_another_branch_lose_no_track() {
    let scene = installed("stash");
    scene.git("project", &["stash", "-q", "-u"]);
    assert!(!scene.has("project/lawful.lock"));
    assert!(states(&scene, "project").iter().all(|state| state != "clean"));
    scene.git("project", &["stash", "pop", "-q"]);
    all_clean(&scene, "project");
    scene.git("project", &["checkout", "-q", "-b", "law"]);
    commit(&scene, "project");
    scene.git("project", &["checkout", "-q", "main"]);
    scene.git("project", &["checkout", "-q", "-b", "less"]);
    assert_eq!(scene.json(&["install", "--book", "law", "--harness", "codex"]).0, 0);
    commit(&scene, "project");
    scene.git("project", &["checkout", "-q", "law"]);
    all_clean(&scene, "project");
    assert_eq!(scene.json(&["uninstall", "--book", "law"]).0, 0);
    assert_eq!(scene.read("project/.claude/agents/lawful-scout.md"), "mine\n");
    let changed = scene.git("project", &["diff", "--stat", "main"]);
    assert_eq!(changed, "", "every byte is as it was");
}

#[test]
fn a_project_that_was_moved_is_asked_about() {
    let scene = installed("moved");
    fs::rename(scene.root.join("project"), scene.root.join("there")).unwrap();
    let told = |words: &[&str]| {
        let (exit, document) = scene.json_in("there", words);
        assert_eq!(exit, 0, "{words:?}: {document}");
        let diagnostics = document["diagnostics"].as_array().cloned().unwrap_or_default();
        diagnostics.iter().any(|found| found["code"] == "moved-project")
    };
    assert!(told(&["status", "--scope", "project"]));
    assert!(told(&["install", "--book", "law"]));
    assert!(told(&["uninstall", "--book", "law", "--dry-run"]));
    assert!(!told(&["uninstall", "--book", "law", "--dry-run", "--yes"]));
    assert!(told(&["status", "--scope", "project"]), "a dry run confirms nothing");
    assert!(!told(&["install", "--book", "law", "--yes"]));
    assert!(!told(&["status", "--scope", "project"]), "it is confirmed once");
    assert!(!told(&["uninstall", "--book", "law"]));
    assert_eq!(scene.read("there/.claude/agents/lawful-scout.md"), "mine\n");
    assert!(!scene.has("home/.local/state/lawful/projects"));
}

#[test]
fn a_hook_in_a_project_that_was_moved_is_undone_as_it_was_done() {
    let scene = Scene::new("moved-hook");
    let before = scene.tree("project").len();
    let hook = ["hook", "--harness", "claude-code"];
    let install = [&hook[..], &["install", "--scope", "project"]].concat();
    assert!(scene.run_with(&install, &[]).status.success());
    assert_eq!(scene.json(&["install", "--book", "law", "--harness", "codex"]).0, 0);
    fs::rename(scene.root.join("project"), scene.root.join("there")).unwrap();
    assert_eq!(scene.json_in("there", &["uninstall", "--book", "law", "--yes"]).0, 0);
    assert!(scene.has("there/.claude/settings.json"));
    let uninstall = [&hook[..], &["uninstall", "--scope", "project"]].concat();
    let mut command = scene.command(&uninstall);
    assert!(command.current_dir(scene.root.join("there")).output().unwrap().status.success());
    let left = scene.tree("there");
    assert_eq!(left.len(), before, "the file and its folder were made for the hook: {left:?}");
}

#[test]
fn a_copy_beside_the_project_is_not_the_project() {
    let scene = installed("copied");
    let copied = std::process::Command::new("cp")
        .args(["-rp", "project", "copy"])
        .current_dir(&scene.root)
        .status();
    assert!(copied.unwrap().success());
    let (exit, document) = scene.json_in("copy", &["uninstall", "--every-book"]);
    assert_eq!((exit, &document["diagnostics"]), (0, &Value::Array(Vec::new())), "{document}");
    assert!(!scene.has("copy/.claude/agents"));
    all_clean(&scene, "project");
    // Nor after the project is on a branch without a lock.
    scene.git("project", &["stash", "-q", "-u"]);
    fs::write(scene.root.join("copy/lawful.lock"), "").unwrap();
    let (exit, document) = scene.json_in("copy", &["status", "--scope", "project"]);
    assert_eq!((exit, &document["diagnostics"][0]["code"]), (1, &Value::from("bad-lock")));
}

#[test]
fn a_lock_that_is_not_valid_stops_what_would_write() {
    let scene = installed("bad");
    let good = scene.read("project/lawful.lock");
    let outside = good.replace("\".claude/settings.json\"", "\"../settings.json\"");
    let in_git = good.replace("\".claude/settings.json\"", "\".git/config\"");
    let conflict = format!("<<<<<<< a\n{good}=======\n{good}>>>>>>> b\n");
    for bad in [&outside, &in_git, &conflict, "", "{}", "[]"] {
        scene.write("project/lawful.lock", bad);
        let before = (scene.tree("project"), scene.tree("home"));
        for words in [
            &["install", "--book", "law"][..],
            &["uninstall", "--book", "law"],
            &["status", "--scope", "project"],
        ] {
            assert_eq!(scene.code_of(words), (1, "bad-lock".to_owned()), "{words:?}: {bad}");
        }
        assert_eq!((scene.tree("project"), scene.tree("home")), before, "{bad}");
    }
    assert_eq!(scene.json(&["install", "--book", "law", "--overwrite"]).0, 0);
    assert_eq!(scene.read("project/lawful.lock"), good);
    all_clean(&scene, "project");
}

/// Kills the program while it writes, many times, and looks at what is there afterwards.
#[test]
fn a_killed_installation_is_completed_or_reverted() {
    let scene = Scene::new("killed");
    scene.trust_in_codex();
    scene.write("project/AGENTS.md", "# Mine\n");
    scene.write("project/.claude/settings.json", "{\"outputStyle\": \"Terse\"}\n");
    let before = scene.tree("project");
    let install = ["install", "--book", "law", "--all", "--activate"];
    let uninstall = ["uninstall", "--book", "law"];
    let is_whole = |words: &[&str]| {
        let output = scene.run_with(words, &[]);
        assert!(output.status.success(), "{words:?}: {output:?}");
    };
    let law: Vec<PathBuf> = before.iter().map(|(path, _)| path.clone()).collect();
    let mut killed = 0;
    for round in 0..60_u64 {
        let words: &[&str] = if round % 2 == 0 { &install } else { &uninstall };
        let mut command = scene.command(words);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_micros(500 * (round * 37 % 97)));
        let _ = child.kill();
        killed += u64::from(!child.wait().unwrap().success());
        // Whatever was done, the next command leaves a whole, and nothing lies about.
        if round % 3 == 0 {
            is_whole(&uninstall);
            assert_eq!(scene.tree("project"), before, "round {round}");
            assert!(!scene.has("home/.local/state/lawful/projects"), "round {round}");
        } else {
            is_whole(&install);
            is_whole(&["status", "--book", "law", "--scope", "project"]);
            let left = [scene.tree("project"), scene.tree("home")].concat();
            let is_left = |path: &PathBuf| {
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                name.ends_with(".tmp") || name.starts_with("journal")
            };
            assert!(!left.iter().any(|(path, _)| is_left(path)), "round {round}");
        }
        assert!(law.iter().all(|path| path.exists()), "round {round}");
    }
    assert!(killed > 10, "{killed} of 60");
}
