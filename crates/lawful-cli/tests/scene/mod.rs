//! A project, a home and the program.

#![allow(dead_code, unreachable_pub, reason = "not every test needs all of it")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// A project with a lawbook, and a home that nobody lives in.
pub struct Scene {
    pub root: PathBuf,
}

impl Scene {
    pub fn new(name: &str) -> Self {
        let root =
            std::env::temp_dir().join(format!("lawful-install-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        fs::create_dir_all(root.join("home")).unwrap();
        let scene = Self { root: root.canonicalize().unwrap() };
        scene.write(
            "project/law/lawful.yaml",
            "name: crew\nconditioning:\n  core: core.md\n  personas: {lead: lead.md, scout: scout.md}\n",
        );
        scene.write("project/law/core.md", "Say what you saw.\n");
        scene.write("project/law/lead.md", "You lead.\n");
        scene.write("project/law/scout.md", "You look.\n");
        scene
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    pub fn has(&self, path: &str) -> bool {
        self.root.join(path).exists()
    }

    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lawful"));
        command.args(words).current_dir(self.root.join("project")).env_clear();
        command.env("HOME", self.root.join("home"));
        // Most tests are not about trust.
        command.env("GEMINI_CLI_TRUST_WORKSPACE", "true");
        command
    }

    /// The only folder with records of a project.
    pub fn records(&self) -> PathBuf {
        let folder = self.root.join("home/.local/state/lawful/projects");
        let mut found = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let only = found.next().unwrap();
        assert_eq!(found.next(), None);
        only
    }

    /// Runs git in a folder.
    pub fn git(&self, folder: &str, words: &[&str]) -> String {
        let mut command = Command::new("git");
        command.current_dir(self.root.join(folder));
        command.args(["-c", "user.name=x", "-c", "user.email=x@x"]).args(words);
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
        let output = command.output().unwrap();
        assert!(output.status.success(), "{words:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Has the user trust the project in Codex.
    pub fn trust_in_codex(&self) {
        self.trust_folders_in_codex(&["project"]);
    }

    /// Has the user trust folders in Codex.
    pub fn trust_folders_in_codex(&self, folders: &[&str]) {
        let root = self.root.canonicalize().unwrap();
        let trust = |folder: &&str| {
            format!("[projects.\"{}\"]\ntrust_level = \"trusted\"\n", root.join(folder).display())
        };
        self.write("home/.codex/config.toml", &folders.iter().map(trust).collect::<String>());
    }

    /// Every path below a folder, with what is in it.
    pub fn tree(&self, folder: &str) -> Vec<(PathBuf, Vec<u8>)> {
        let mut found = Vec::new();
        let mut folders = vec![self.root.join(folder)];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap().flatten() {
                found.push((entry.path(), fs::read(entry.path()).unwrap_or_default()));
                if entry.path().is_dir() {
                    folders.push(entry.path());
                }
            }
        }
        found.sort();
        found
    }

    pub fn run_with(&self, words: &[&str], set: &[(&str, &Path)]) -> Output {
        let mut command = self.command(words);
        for (name, value) in set {
            command.env(name, value);
        }
        command.output().unwrap()
    }

    /// The exit code and the document on standard output.
    pub fn json(&self, words: &[&str]) -> (i32, Value) {
        self.json_in("project", words)
    }

    /// The same in another folder.
    pub fn json_in(&self, folder: &str, words: &[&str]) -> (i32, Value) {
        let words = [words, &["--format", "json"]].concat();
        let output = self.command(&words).current_dir(self.root.join(folder)).output().unwrap();
        let document = serde_json::from_slice(&output.stdout);
        let document = document.unwrap_or_else(|error| panic!("{words:?}: {error}: {output:?}"));
        (output.status.code().unwrap(), document)
    }

    pub fn code_of(&self, words: &[&str]) -> (i32, String) {
        let (exit, document) = self.json(words);
        (exit, document["diagnostics"][0]["code"].as_str().unwrap_or_default().to_owned())
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.root);
    }
}
