//! Edits that an installation overwrote, and how they come back.

#![cfg(unix)]
#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "this is a test")]

mod scene;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use scene::Scene;
use serde_json::Value;

const INSTALL: [&str; 5] = ["install", "--book", "law", "--harness", "agents-md"];

fn overwrite(scene: &Scene) {
    let (exit, document) = scene.json(&[&INSTALL[..], &["--overwrite"]].concat());
    assert_eq!(exit, 0, "{document}");
}

#[test]
fn an_overwritten_edit_comes_back() {
    let scene = Scene::new("restore");
    assert_eq!(scene.json(&INSTALL).0, 0);
    assert_eq!(scene.code_of(&["restore", "AGENTS.md"]), (1, "nothing-kept".to_owned()));
    let written = scene.read("project/AGENTS.md");
    let edited = written.replace("You lead.", "You lead, gently.") + "Mine.\n";
    scene.write("project/AGENTS.md", &edited);
    assert_eq!(scene.json(&INSTALL).0, 1);
    assert!(!scene.has("home/.local/state/lawful/restore"), "nothing was overwritten");
    let output = scene.run_with(&[&INSTALL[..], &["--overwrite"]].concat(), &[]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("`lawful restore AGENTS.md` brings it back"), "{said}");
    let overwritten = scene.read("project/AGENTS.md");
    assert!(!overwritten.contains("gently") && overwritten.ends_with("Mine.\n"));

    let (exit, document) = scene.json(&["restore", "AGENTS.md", "--list"]);
    assert_eq!((exit, document["files"].as_array().unwrap().len()), (0, 1));
    let version = &document["files"][0]["versions"][0];
    assert_eq!(version["number"], Value::from(1));
    assert_eq!(version["by"], Value::from("lawful install"));
    assert_eq!(version["bytes"], Value::from(edited.len()));
    assert_eq!(scene.json(&["restore", "--list"]).1, document);

    // Without a terminal nobody can be asked.
    assert_eq!(scene.code_of(&["restore", "AGENTS.md"]), (2, "usage".to_owned()));
    assert_eq!(scene.read("project/AGENTS.md"), overwritten);
    let (exit, document) = scene.json(&["restore", "AGENTS.md", "--dry-run"]);
    assert_eq!((exit, &document["restored"]), (0, &Value::from(false)));
    let diff = document["diff"].as_str().unwrap();
    assert!(diff.contains("-You lead.\n+You lead, gently.\n"), "{diff}");
    assert_eq!(scene.read("project/AGENTS.md"), overwritten);

    let (exit, document) = scene.json(&["restore", "AGENTS.md", "--yes"]);
    assert_eq!((exit, &document["restored"]), (0, &Value::from(true)));
    assert_eq!(scene.read("project/AGENTS.md"), edited);
    assert_eq!(scene.json(&["restore", "AGENTS.md", "--yes"]).0, 0);
    assert_eq!(scene.read("project/AGENTS.md"), overwritten, "and that can be undone");
    let (_, document) = scene.json(&["restore", "AGENTS.md", "--list"]);
    assert_eq!(document["files"][0]["versions"][0]["by"], Value::from("lawful restore"));
    assert_eq!(scene.json(&["restore", "AGENTS.md", "--yes", "--number", "9"]).0, 1);
}

#[test]
fn a_replaced_file_of_others_is_kept_too() {
    let scene = Scene::new("restore-foreign");
    scene.trust_in_codex();
    scene.write("project/.claude/agents/lawful-scout.md", "Mine.\n");
    scene.write(
        "project/.codex/config.toml",
        "token = 'secret'\ndeveloper_instructions = 'Mine.'\n",
    );
    let words = ["install", "--book", "law", "--activate", "--overwrite", "--harness"];
    let words = [&words[..], &["claude-code,codex"]].concat();
    assert_eq!(scene.json(&words).0, 0);
    let restore = |path: &str| scene.json(&["restore", path, "--yes"]);
    assert_eq!(restore(".claude/agents/lawful-scout.md").0, 0);
    assert_eq!(scene.read("project/.claude/agents/lawful-scout.md"), "Mine.\n");
    // Of settings only the value, and nothing else is shown or stored.
    let (exit, document) = restore(".codex/config.toml");
    assert_eq!((exit, &document["version"]["key"]), (0, &Value::from("developer_instructions")));
    assert!(!document.to_string().contains("secret"), "{document}");
    let now = scene.read("project/.codex/config.toml");
    assert_eq!(now, "token = 'secret'\ndeveloper_instructions = 'Mine.'\n");
    for entry in fs::read_dir(scene.root.join("home/.local/state/lawful/restore")).unwrap() {
        let path = entry.unwrap().path();
        assert!(!fs::read_to_string(&path).unwrap().contains("secret"));
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[test]
fn an_edited_hook_is_kept_before_it_is_installed_again() {
    let scene = Scene::new("restore-hook");
    let install = ["hook", "install", "--harness", "claude-code"];
    assert_eq!(scene.json(&install).0, 0);
    let path = "project/.claude/settings.json";
    let edited = scene.read(path).replacen("\"timeout\": ", "\"timeout\": 1", 1);
    assert_ne!(edited, scene.read(path));
    scene.write(path, &edited);
    assert_eq!(scene.json(&install).0, 0);
    assert_ne!(scene.read(path), edited);
    let (exit, document) = scene.json(&["restore", ".claude/settings.json", "--yes"]);
    assert_eq!((exit, &document["version"]["by"]), (0, &Value::from("lawful hook install")));
    let read = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    assert_eq!(read(&scene.read(path)), read(&edited));
}

#[test]
fn what_a_replacement_does_not_keep_is_said_before() {
    let scene = Scene::new("not-kept");
    scene.write("project/AGENTS.md", "Mine.\n");
    fs::hard_link(scene.root.join("project/AGENTS.md"), scene.root.join("other")).unwrap();
    for words in [&[&INSTALL[..], &["--dry-run"]].concat()[..], &INSTALL] {
        let (exit, document) = scene.json(words);
        let said = document["diagnostics"].as_array().unwrap();
        let said = said.iter().find(|one| one["code"] == "not-kept").unwrap();
        let message = "replacing this file does not keep its hard links";
        assert_eq!((exit, &said["message"]), (0, &Value::from(message)));
        assert_eq!(said["file"], Value::from("AGENTS.md"));
    }
    assert_eq!(scene.read("other"), "Mine.\n");
    // They are two files by now.
    scene.write("project/law/lead.md", "You lead well.\n");
    let (_, document) = scene.json(&INSTALL);
    let said = document["diagnostics"].as_array().unwrap();
    assert!(!said.iter().any(|one| one["code"] == "not-kept"), "{document}");
    // So do settings with hooks.
    scene.write("project/.claude/settings.json", "{}\n");
    let settings = scene.root.join("project/.claude/settings.json");
    fs::hard_link(settings, scene.root.join("more")).unwrap();
    let (_, document) = scene.json(&["hook", "install", "--harness", "claude-code"]);
    let notices = document["notices"].to_string();
    assert!(notices.contains("did not keep its hard links"), "{notices}");
}

#[test]
fn a_link_to_a_file_that_no_harness_reads_is_said() {
    let scene = Scene::new("followed");
    let said = |to: &str| {
        let link = scene.root.join("project/AGENTS.md");
        let _ = fs::remove_file(&link);
        std::os::unix::fs::symlink(to, &link).unwrap();
        let (exit, document) = scene.json(&[&INSTALL[..], &["--dry-run"]].concat());
        assert_eq!(exit, 0, "{document}");
        let found = document["diagnostics"].as_array().unwrap().iter();
        let found = found.filter(|one| one["code"] == "followed-link");
        found.map(|one| one["file"].as_str().unwrap().to_owned()).collect::<Vec<String>>()
    };
    scene.write("project/notes/Makefile", "all:\n");
    scene.write("project/GEMINI.md", "Mine.\n");
    assert_eq!(said("notes/Makefile"), ["notes/Makefile"]);
    assert_eq!(said("GEMINI.md"), [""; 0], "a harness reads this one");
}

#[test]
fn several_harnesses_are_one_word_and_a_short_name_is_understood() {
    let scene = Scene::new("names");
    let help = |words: &[&str]| {
        let (exit, document) = scene.json(words);
        assert_eq!(exit, 2, "{document}");
        document["diagnostics"][0]["help"].as_str().unwrap().to_owned()
    };
    for words in [
        &["install", "--book", "law", "--harness", "claude"][..],
        &["uninstall", "--book", "law", "--harness", "claude"],
        &["status", "--harness", "claude"],
        &["harnesses", "claude"],
        &["prove", "--book", "law", "--harness", "codex,claude"],
        &["hook", "install", "--harness", "claude"],
        &["hook", "status", "--harness", "claude"],
        &["hook", "doctor", "--harness", "claude"],
        &["init", "new", "--yes", "--harness", "claude"],
    ] {
        assert_eq!(help(words), "did you mean `claude-code`?", "{words:?}");
    }
    assert_eq!(help(&["harnesses", "windsurf"]), "did you mean `devin`?");
    assert_eq!(help(&["harnesses", "gemini"]), "did you mean `gemini-cli`?");
    let words = ["install", "--book", "law", "--harness", "claude-code,codex", "zed"];
    assert_eq!(scene.json(&words).0, 0);
    assert!(scene.has("project/.claude/agents") && scene.has("project/.codex/agents"));
    assert!(scene.read("project/AGENTS.md").contains("You lead."));
    let (_, document) = scene.json(&["status", "--harness", "codex,zed"]);
    let harnesses = document["files"].as_array().unwrap().iter();
    assert!(harnesses.clone().count() > 1);
    assert!(harnesses.clone().all(|file| file["harness"] != "claude-code"));
    assert_eq!(scene.json(&["hook", "install", "--harness", "claude-code,codex"]).0, 0);
    let (_, document) = scene.json(&["hook", "status", "--harness", "claude-code,codex"]);
    assert_eq!(document["hooks"].as_array().unwrap().len(), 2);
    assert_eq!(scene.json(&["uninstall", "--book", "law", "--harness", "claude-code,codex"]).0, 0);
    assert!(!scene.has("project/.codex/agents"));
    let (_, document) = scene.json(&["harnesses", "codex", "zed"]);
    assert_eq!(document["harnesses"].as_array().unwrap().len(), 2);
    let confirmed = |at: usize| {
        let surfaces = document["harnesses"][at]["surfaces"].as_array().unwrap().iter();
        surfaces.map(|surface| &surface["confirmed"]).collect::<Vec<&Value>>()
    };
    assert!(confirmed(0).iter().any(|day| day.is_string()), "{document}");
    assert!(confirmed(1).iter().all(|day| day.is_null()), "{document}");
}

#[test]
fn status_says_what_to_run() {
    let scene = Scene::new("next");
    let next = || {
        let (_, document) = scene.json(&["status", "--scope", "project"]);
        let steps = document["next"].as_array().cloned().unwrap_or_default();
        steps.iter().map(|step| step["run"].as_str().unwrap().to_owned()).collect::<Vec<String>>()
    };
    let words = ["install", "--book", "law", "--harness", "claude-code", "agents-md"];
    assert_eq!(scene.json(&words).0, 0);
    assert_eq!(next(), [""; 0]);
    assert_eq!(scene.json(&[&words[..], &["--activate"]].concat()).0, 0);
    assert_eq!(next(), [""; 0]);
    scene.write("project/law/lead.md", "You lead well.\n");
    assert_eq!(next(), ["lawful install"]);
    let edited = scene.read("project/AGENTS.md").replace("saw", "heard");
    scene.write("project/AGENTS.md", &edited);
    let steps = ["lawful install", "lawful install --dry-run", "lawful install --overwrite"];
    let mut found = next();
    found.sort();
    assert_eq!(found, steps);
    overwrite(&scene);
    assert_eq!(scene.json(&words).0, 0);
    assert_eq!(next(), [""; 0]);
}
