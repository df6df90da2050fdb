//! Where `lawful envelope write` and `lawful verify --artifacts` write, in a project from someone
//! else.

#![cfg(unix)]
#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "this is a test")]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

mod support;

const WRITE: &[&str] = &["envelope", "write", "--facts", "facts.yaml"];
const CHECK: &[&str] = &["envelope", "check"];

/// A repository in a folder with other files of the user.
struct Clone(support::Folder);

impl Clone {
    fn new(name: &str) -> Self {
        let folder = support::Folder::new(&format!("envelope-links-{name}"));
        folder.write("bashrc", "mine\n");
        folder.write("outdir/keep", "mine\n");
        folder.write("outdir/good.yaml", "facts: {a: 1}\n");
        folder.write("project/.git/hooks/pre-commit", "mine\n");
        folder.write("project/lawful.yaml", "name: law\n");
        folder.write("project/facts.yaml", "a: 1\n");
        folder.write("project/good.yaml", "facts: {a: 1}\n");
        folder.write(
            "project/analysis/rulespec.yaml",
            "claims: [{name: a, selector: a}]\npredicates: [{claim: a, rule: exists}]\n",
        );
        Self(folder)
    }

    fn manifest(&self, envelope: &str) {
        let text = format!("name: law\nhooks: {{stop: {{envelope: {envelope}}}}}\n");
        self.0.write("project/lawful.yaml", text);
    }

    fn link(&self, target: &str, path: &str) {
        let path = self.0.join("project").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink(target, path).unwrap();
    }

    /// The exit code, and the JSON on standard output.
    fn run(&self, words: &[&str]) -> (i32, Value) {
        let words = [words, &["--format", "json"]].concat();
        let output = self.0.lawful(&words).current_dir(self.0.join("project")).output().unwrap();
        (support::exit(&output), support::document(&output))
    }

    /// The command is refused with this code, and changes nothing.
    fn refuses(&self, words: &[&str], code: &str) {
        let before = tree(&self.0);
        let (exit, said) = self.run(words);
        assert_eq!(exit, 2, "{words:?}: {said}");
        assert!(said.to_string().contains(&format!("\"{code}\"")), "{words:?}: {said}");
        assert_eq!(tree(&self.0), before, "{words:?}");
    }

    fn passes(&self, words: &[&str]) {
        let (exit, said) = self.run(words);
        assert_eq!(exit, 0, "{words:?}: {said}");
    }

    fn has(&self, path: &str) -> bool {
        self.0.join("project").join(path).is_file()
    }
}

/// Every file and link below a folder, with its text or target.
fn tree(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_symlink() {
            let target = fs::read_link(&path).unwrap();
            found.insert(path, target.to_string_lossy().into_owned().into_bytes());
        } else if path.is_dir() {
            found.extend(tree(&path));
            found.insert(path, Vec::new());
        } else {
            let bytes = fs::read(&path).unwrap();
            found.insert(path, bytes);
        }
    }
    found
}

#[test]
fn a_file_that_is_a_link_is_refused() {
    for name in ["envelope.yaml", ".gitignore", "rulespec.compiled.dl", "datalog_evaluation.txt"] {
        for target in ["../.git/hooks/pre-commit", "../../bashrc", "../../absent", "../facts.yaml"]
        {
            let clone = Clone::new("file");
            clone.link(target, &format!(".lawful/{name}"));
            clone.refuses(WRITE, "cannot-deliver");
            if name != ".gitignore" {
                clone.refuses(&[WRITE, &["--dir", ".lawful"]].concat(), "cannot-deliver");
            }
            if name.ends_with(".dl") || name.ends_with(".txt") {
                let words = ["verify", "good.yaml", "--artifacts", ".lawful"];
                clone.refuses(&words, "cannot-deliver");
            }
        }
    }
}

#[test]
fn a_folder_that_leads_out_is_refused() {
    for target in ["../outdir", "../outdir/absent", "../absent"] {
        let clone = Clone::new("folder");
        clone.link(target, ".lawful");
        clone.refuses(WRITE, "outside-root");
        clone.refuses(&[WRITE, &["--dir", ".lawful"]].concat(), "outside-root");
        clone.refuses(&[WRITE, &["--dir", ".lawful/deep/er"]].concat(), "outside-root");
        clone.refuses(&["verify", "good.yaml", "--artifacts", ".lawful"], "outside-root");
        clone.manifest("a/b/c");
        clone.link(&format!("../{target}"), "a/b");
        clone.refuses(WRITE, "outside-root");
    }
}

#[test]
fn nothing_is_written_below_git() {
    let clone = Clone::new("git");
    for folder in [".git", ".git/hooks", ".GIT/hooks", "analysis/.git"] {
        clone.manifest(folder);
        let (exit, said) = clone.run(&["check"]);
        assert_eq!((exit, &said["diagnostics"][0]["code"]), (1, &json!("bad-value")), "{said}");
        clone.refuses(WRITE, "bad-value");
    }
    clone.link(".git/hooks", "lnk");
    clone.link(".git", ".lawful");
    for folder in ["lnk", "lnk/deeper", ".lawful", ".lawful/hooks"] {
        clone.manifest(folder);
        clone.refuses(WRITE, "cannot-deliver");
    }
    for folder in [".git", ".git/hooks/absent", "lnk", "../project/lnk"] {
        clone.refuses(&[WRITE, &["--dir", folder]].concat(), "cannot-deliver");
        clone.refuses(&["verify", "good.yaml", "--artifacts", folder], "cannot-deliver");
    }
}

#[test]
fn folders_of_the_lawbook_and_of_the_user_are_written_to() {
    let clone = Clone::new("good");
    clone.passes(WRITE);
    clone.passes(WRITE);
    for name in ["envelope.yaml", ".gitignore", "rulespec.compiled.dl", "datalog_evaluation.txt"] {
        assert!(clone.has(&format!(".lawful/{name}")), "{name}");
    }
    // A link that stays in the lawbook.
    clone.link("analysis", "inner");
    clone.manifest("inner/new/er");
    clone.passes(WRITE);
    assert!(clone.has("analysis/new/er/envelope.yaml"));
    // A folder that the user named.
    clone.passes(&[WRITE, &["--dir", "../outdir/new"]].concat());
    assert!(clone.has("../outdir/new/envelope.yaml"));
    clone.passes(&["verify", "good.yaml", "--artifacts", "../outdir"]);
    assert!(clone.has("../outdir/rulespec.compiled.dl"));
}

#[test]
fn an_envelope_outside_the_lawbook_is_not_judged() {
    let clone = Clone::new("read");
    clone.link("../../outdir/good.yaml", ".lawful/envelope.yaml");
    clone.refuses(CHECK, "outside-book");
    let event = json!({
        "session_id": "s", "transcript_path": "/t", "cwd": clone.0.join("project"),
        "hook_event_name": "Stop", "stop_hook_active": false,
    });
    let mut command = clone.0.lawful(&["hook", "--harness", "claude-code", "stop"]);
    command.current_dir(clone.0.join("project")).env("HOME", clone.0.join("outdir"));
    for name in ["XDG_STATE_HOME", "CLAUDE_PROJECT_DIR", "CLAUDE_CONFIG_DIR"] {
        command.env_remove(name);
    }
    support::pin(&mut command, &clone.0.join("project"));
    let answer = support::document(&support::answer(&mut command, event.to_string()));
    assert_eq!(answer["decision"], "block", "{answer}");
    let reason = answer["reason"].as_str().unwrap();
    assert!(reason.contains("cannot read `.lawful/envelope.yaml`"), "{reason}");
}
