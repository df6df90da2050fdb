//! `lawful hook doctor`: does it find what is wrong with an installation?

#![cfg(unix)]
#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "this is a test")]

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

mod support;

/// A project with installed hooks, and the program in a folder of its own.
struct Project(support::Folder);

impl Project {
    fn new(name: &str) -> Self {
        let project = Self(support::Folder::new(&format!("doctor-{name}")));
        fs::create_dir_all(project.0.join("home")).unwrap();
        fs::create_dir_all(project.0.join("project/.git")).unwrap();
        fs::create_dir_all(project.0.join("bin")).unwrap();
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_lawful"), project.0.join("bin/lawful"))
            .unwrap();
        project.write("lawful.yaml", "name: law\n");
        project
    }

    /// A project whose hooks work.
    fn installed(name: &str, harness: &str) -> Self {
        let project = Self::new(name);
        project.install(harness, &[]);
        project.trust();
        project
    }

    fn write(&self, path: &str, text: &str) {
        self.0.write(&format!("project/{path}"), text);
    }

    fn folder(&self) -> PathBuf {
        self.0.join("project")
    }

    fn install(&self, harness: &str, more: &[&str]) {
        let words = [&["hook", "install", "--harness", harness], more].concat();
        let output = self.command(&words).output().unwrap();
        assert!(output.status.success(), "{}", support::said(&output));
    }

    fn trust(&self) {
        self.0.trust("project");
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = self.0.lawful(words);
        command.current_dir(self.folder()).env_clear();
        command.env("HOME", self.0.join("home")).env("XDG_STATE_HOME", self.0.join("state"));
        command.env("PATH", format!("{}:/usr/bin:/bin", self.0.join("bin").display()));
        command
    }

    /// The exit code, and the checks of a harness that fail, with their details.
    fn doctor(&self, harness: &str) -> (i32, Vec<(String, String)>) {
        let words = ["hook", "doctor", "--harness", harness, "--format", "json"];
        let output = self.command(&words).output().unwrap();
        let document = support::document(&output);
        let checks = document["harnesses"][0]["checks"].as_array().unwrap().clone();
        let text = |check: &Value, key: &str| check[key].as_str().unwrap().to_owned();
        let open = checks.iter().filter(|check| check["ok"] == false);
        let open = open.map(|check| (text(check, "check"), text(check, "detail")));
        (support::exit(&output), open.collect())
    }

    /// The checks that fail.
    fn open(&self, harness: &str) -> Vec<String> {
        let (code, open) = self.doctor(harness);
        assert_eq!(code, i32::from(!open.is_empty()));
        open.into_iter().map(|(check, _)| check).collect()
    }

    fn edit(&self, path: &str, from: &str, to: &str) {
        let file = self.folder().join(path);
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.contains(from), "{text}");
        fs::write(file, text.replace(from, to)).unwrap();
    }
}

#[test]
fn every_harness_passes_and_nothing_is_left_behind() {
    for harness in ["claude-code", "codex", "gemini-cli", "qwen", "copilot", "cursor", "opencode"] {
        let project = Project::installed(&format!("all-{harness}"), harness);
        let (code, open) = project.doctor(harness);
        assert!(open.is_empty(), "{harness}: {open:?}");
        assert_eq!(code, 0, "{harness}");
        assert!(!project.0.join("state/lawful/log").exists(), "{harness}");
        assert!(!project.0.join("state/lawful/live").exists(), "{harness}");
    }
}

#[test]
fn without_a_hook_there_is_nothing_to_check() {
    let project = Project::new("none");
    assert_eq!(project.open("codex"), ["installed"]);
    let output = project.command(&["hook", "doctor"]).output().unwrap();
    assert_eq!(support::exit(&output), 1);
    assert!(support::said(&output).contains("no hook is installed"));
}

#[test]
fn a_program_that_is_gone_is_found() {
    let project = Project::installed("gone", "claude-code");
    fs::remove_file(project.0.join("bin/lawful")).unwrap();
    let open = project.open("claude-code");
    assert!(open.contains(&"starts".to_owned()) && open.contains(&"denies".to_owned()), "{open:?}");
}

#[test]
fn edited_settings_are_found() {
    let project = Project::installed("edited", "claude-code");
    project.edit(".claude/settings.json", "\"PreToolUse\"", "\"PreTolUse\"");
    let open = project.open("claude-code");
    assert!(open.contains(&"installed".to_owned()), "{open:?}");
    let project = Project::installed("disabled", "claude-code");
    project.write(".claude/settings.local.json", "{\"disableAllHooks\": true}");
    let (_, open) = project.doctor("claude-code");
    assert_eq!(open[0].0, "installed");
    assert!(open[0].1.contains("disableAllHooks"), "{open:?}");
    // A command that answers something else.
    let project = Project::installed("other", "codex");
    let text = fs::read_to_string(project.folder().join(".codex/hooks.json")).unwrap();
    let text = text.replace("lawful hook", "echo '{}' # lawful hook");
    fs::write(project.folder().join(".codex/hooks.json"), text).unwrap();
    assert!(project.open("codex").contains(&"installed".to_owned()));
}

#[test]
fn a_hook_in_two_files_is_found() {
    let project = Project::installed("twice", "claude-code");
    project.install("claude-code", &["--scope", "user"]);
    assert_eq!(project.open("claude-code"), ["once"]);
}

#[test]
fn a_lawbook_that_nobody_trusts_and_shadow_mode_are_found() {
    let project = Project::installed("shadow", "claude-code");
    project.write("lawful.yaml", "name: law\nhooks: {mode: shadow}\n");
    project.trust();
    let (code, open) = project.doctor("claude-code");
    assert_eq!(code, 1);
    assert!(open.iter().any(|(check, detail)| check == "denies" && detail.contains("shadow")));
    fs::remove_dir_all(project.0.join("state/lawful/trust")).unwrap();
    assert!(project.open("claude-code").contains(&"trusted".to_owned()));
}
