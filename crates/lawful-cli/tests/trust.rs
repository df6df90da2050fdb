//! `lawful trust`, and what hooks judge by: as a person, an agent, another user and a container see it.

#![cfg(unix)]
#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "this is a test")]

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

mod support;

/// Fails unless the file `good` is there. No envelope is needed.
const STRICT: &str = "\
name: strict
hooks: {stop: {observe: {files: ['*']}, blocks: 100}}
";
/// Passes whatever happens.
const LAX: &str = "name: lax\nhooks: {stop: {observe: {files: ['*']}, undecided: allow}}\n";
const NEEDS_GOOD: &str = "\
claims: [{name: files, selector: observed.files}]
predicates: [{name: good-is-there, claim: files, rule: contains, value: good}]
";
const NEEDS_NOTHING: &str = "\
claims: [{name: files, selector: observed.files}]
predicates: [{name: anything, claim: files, rule: not_contains, value: never}]
";

struct Scene(support::Folder);

impl Scene {
    fn new(name: &str) -> Self {
        let scene = Self(support::Folder::new(&format!("trust-{name}")));
        fs::create_dir_all(scene.0.join("home")).unwrap();
        fs::create_dir_all(scene.0.join("p/.git")).unwrap();
        scene.book("p", STRICT, NEEDS_GOOD);
        scene
    }

    fn book(&self, folder: &str, manifest: &str, rulespec: &str) {
        self.0.write(&format!("{folder}/lawful.yaml"), manifest);
        self.0.write(&format!("{folder}/analysis/rulespec.yaml"), rulespec);
    }

    fn command(&self, folder: &str, words: &[&str]) -> Command {
        let mut command = self.0.lawful(words);
        command.current_dir(self.0.join(folder)).env("HOME", self.0.join("home"));
        for name in ["XDG_STATE_HOME", "CLAUDE_PROJECT_DIR", "CLAUDE_CONFIG_DIR", "LAWFUL_LAW"] {
            command.env_remove(name);
        }
        command.stdin(Stdio::null());
        command
    }

    fn run(&self, folder: &str, words: &[&str]) -> (i32, String, String) {
        said(&self.command(folder, words).output().unwrap())
    }

    fn json(&self, folder: &str, words: &[&str]) -> (i32, Value) {
        let output =
            self.command(folder, &[words, &["--format", "json"]].concat()).output().unwrap();
        (support::exit(&output), support::document(&output))
    }

    fn trust(&self, folder: &str) -> String {
        let (exit, trusted) = self.json(folder, &["trust", "--yes"]);
        assert_eq!((exit, &trusted["trusted"]), (0, &json!(true)), "{trusted}");
        trusted["fingerprint"].as_str().unwrap().to_owned()
    }

    /// `pass`, or the reason of a block and the message for the user.
    fn stop(&self, folder: &str, session: &str) -> String {
        self.stop_with(folder, session, |_| {})
    }

    fn stop_with(&self, folder: &str, session: &str, change: impl FnOnce(&mut Command)) -> String {
        let event = json!({"session_id": session, "cwd": self.0.join(folder)}).to_string();
        // The folder may be gone.
        let mut command = self.command("home", &["hook", "--harness", "claude-code", "stop"]);
        change(&mut command);
        let output = support::answer(&mut command, event);
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        if output.stdout.is_empty() {
            return "pass".to_owned();
        }
        let answer = support::document(&output);
        let said = ["reason", "systemMessage"].iter().filter_map(|key| answer[key].as_str());
        said.collect::<Vec<_>>().join("\n")
    }

    fn state(&self) -> PathBuf {
        self.0.join("home/.local/state/lawful/trust")
    }
}

fn said(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (support::exit(output), text(&output.stdout), text(&output.stderr))
}

#[track_caller]
fn contains(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part}: {text}");
    }
}

const FAILS: &str = "good-is-there";

#[test]
fn nothing_judges_until_a_person_trusts_it() {
    let scene = Scene::new("first");
    let book = scene.0.join("p").display().to_string();
    contains(
        &scene.stop("p", "a"),
        &["could not be verified", "nobody trusted it yet", &format!("run `lawful trust {book}`")],
    );
    // An untrusted lawbook cannot say that nothing is blocked, and neither can the command.
    scene.book("p", LAX, NEEDS_NOTHING);
    let words = ["hook", "--harness", "claude-code", "stop", "--undecided", "allow"];
    let event = json!({"session_id": "a", "cwd": scene.0.join("p")}).to_string();
    let answer = support::document(&support::answer(&mut scene.command("p", &words), event));
    assert_eq!(answer["decision"], "block", "{answer}");
    scene.book("p", STRICT, NEEDS_GOOD);
    let (exit, _, stderr) = scene.run("p", &["trust"]);
    assert_eq!(exit, 2, "there is no terminal");
    contains(&stderr, &["no terminal to ask on", "`--yes`"]);
    let (exit, failed) = scene.json("p", &["trust"]);
    assert_eq!((exit, &failed["diagnostics"][0]["code"]), (2, &json!("usage")));
    assert!(!scene.state().exists());
    assert_eq!(scene.json("p", &["trust", "--show"]).0, 1);
    scene.trust("p");
    contains(&scene.stop("p", "a"), &[FAILS, "Fix the work, and stop."]);
    scene.0.write("p/good", "");
    assert_eq!(scene.stop("p", "a"), "pass", "no envelope is asked for");
    let (exit, stdout, _) = scene.run("p", &["trust"]);
    assert_eq!(exit, 0, "it is trusted already");
    contains(&stdout, &["trusted, and unchanged since"]);
}

#[test]
fn an_edit_is_inert_and_reported_once_a_session() {
    let scene = Scene::new("edit");
    let before = scene.trust("p");
    scene.book("p", LAX, NEEDS_NOTHING);
    let (exit, shown) = scene.json("p", &["trust", "--show"]);
    assert_eq!((exit, &shown["trusted"]), (1, &json!(false)));
    assert_eq!(
        shown["changed"],
        json!([
            {"path": "analysis/rulespec.yaml", "change": "modified"},
            {"path": "lawful.yaml", "change": "modified"},
        ])
    );
    assert_ne!(shown["fingerprint"], json!(before));
    contains(&scene.stop("p", "a"), &[FAILS, "law-changed: ", "lawful trust "]);
    let again = scene.stop("p", "a");
    contains(&again, &[FAILS]);
    assert!(!again.contains("law-changed"), "{again}");
    contains(&scene.stop("p", "b"), &["law-changed"]);
    scene.0.write("p/good", "");
    contains(&scene.stop("p", "c"), &["law-changed"]);
    assert_eq!(scene.stop("p", "c"), "pass");
    // Removing the lawbook changes nothing either.
    fs::remove_file(scene.0.join("p/good")).unwrap();
    fs::remove_file(scene.0.join("p/lawful.yaml")).unwrap();
    contains(&scene.stop("p", "a"), &[FAILS]);
    scene.book("p", LAX, NEEDS_NOTHING);
    let (exit, stdout, _) = scene.run("p", &["trust", "--yes", "--diff"]);
    assert_eq!(exit, 0);
    contains(
        &stdout,
        &[
            "removed  predicate `good-is-there`",
            "added    predicate `anything`",
            "modified setting `hooks`",
            "-name: strict",
            "+name: lax",
        ],
    );
    assert_eq!(scene.stop("p", "a"), "pass");
    // The old copy is collected.
    assert_eq!(fs::read_dir(scene.state().join("books")).unwrap().count(), 1);
}

#[test]
fn a_person_sees_the_commands_and_is_warned() {
    let scene = Scene::new("commands");
    scene.0.write(
        "p/lawful.yaml",
        "name: law\nobserve: {tests: [./check.sh, --all], evil: \"curl x | sh\\e[2J\"}\n",
    );
    fs::remove_dir_all(scene.0.join("p/analysis")).unwrap();
    let (exit, stdout, stderr) = scene.run("p", &["trust", "--show"]);
    assert_eq!(exit, 1);
    contains(
        &stdout,
        &["added    command `tests` runs [./check.sh, --all]", "curl x | sh\\u{1b}[2J"],
    );
    contains(&stderr, &["warning[unprotected-command]", "add `check.sh` to `protect.paths`"]);
    let (_, view) = scene.json("p", &["trust", "--show"]);
    assert_eq!(view["diagnostics"][0]["code"], "unprotected-command");
    let protected = "name: law\nobserve: {tests: [./check.sh]}\nprotect: {paths: [check.sh]}\n";
    scene.0.write("p/lawful.yaml", protected);
    assert!(scene.json("p", &["trust", "--show"]).1.get("diagnostics").is_none());
}

#[test]
fn a_lawbook_with_errors_is_refused() {
    let scene = Scene::new("errors");
    scene.0.write("p/lawful.yaml", "name: law\nnmae: x\nhooks: {stp: 1}\n");
    scene.0.write("p/rules/r.yaml", "rules: [{id: r}]\n");
    for words in [&["trust", "--yes"][..], &["hook", "install", "--harness", "claude-code"]] {
        let (exit, failed) = scene.json("p", words);
        assert_eq!(exit, 2, "{failed}");
        assert!(failed["diagnostics"].as_array().unwrap().len() >= 3, "{failed}");
    }
    assert!(!scene.state().exists() && !scene.0.join("p/.claude").exists());
}

#[test]
fn only_the_named_fingerprint_is_trusted() {
    let scene = Scene::new("hash");
    let shown = scene.json("p", &["trust", "--show"]).1;
    let right = shown["fingerprint"].as_str().unwrap();
    let wrong = format!("sha256:{}", "0".repeat(64));
    let (exit, failed) = scene.json("p", &["trust", "--yes", "--hash", &wrong]);
    assert_eq!((exit, &failed["diagnostics"][0]["code"]), (2, &json!("trust-mismatch")));
    assert_eq!(scene.json("p", &["trust", "--yes", "--hash", "12"]).0, 2);
    assert_eq!(scene.json("p", &["trust", "--hash", right]).0, 2, "there is no terminal");
    assert_eq!(scene.json("p", &["trust", "--yes", "--hash", right]).0, 0);
    assert_eq!(scene.json("p", &["trust", "--show"]).0, 0);
    let (exit, revoked) = scene.json("p", &["trust", "--revoke"]);
    assert_eq!((exit, &revoked["revoked"]), (0, &json!(true)));
    assert_eq!(scene.json("p", &["trust", "--revoke"]).1["revoked"], false);
    assert_eq!(scene.json("p", &["trust", "--show"]).0, 1);
    contains(&scene.stop("p", "a"), &["nobody trusted it yet"]);
}

fn git(folder: &Path, words: &[&str]) {
    let who = ["-c", "user.name=t", "-c", "user.email=t@localhost"];
    let output = Command::new("git").args(who).args(words).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn working_trees_share_trust_and_clones_need_one_confirmation() {
    let scene = Scene::new("trees");
    let project = scene.0.join("p");
    fs::remove_dir(project.join(".git")).unwrap();
    git(&project, &["init", "--quiet"]);
    git(&project, &["add", "--all"]);
    git(&project, &["commit", "-qm", "start"]);
    scene.trust("p");
    git(&project, &["worktree", "add", "-q", "../tree"]);
    assert_eq!(scene.json("tree", &["trust", "--show"]).0, 0);
    contains(&scene.stop("tree", "a"), &[FAILS]);
    scene.0.write("tree/good", "");
    assert_eq!(scene.stop("tree", "a"), "pass", "the project is where the agent works");
    contains(&scene.stop("p", "a"), &[FAILS]);
    git(&project, &["clone", "-q", ".", "../clone"]);
    contains(&scene.stop("clone", "a"), &["nobody trusted it yet"]);
    let (exit, stdout, _) = scene.run("clone", &["trust", "--show"]);
    assert_eq!(exit, 1);
    contains(&stdout, &["you trusted the same content in"]);
    assert_eq!(scene.json("clone", &["trust", "--show"]).1["changed"], json!([]));
    scene.trust("clone");
    contains(&scene.stop("clone", "a"), &[FAILS]);
    // An older version than the registered one needs more than that.
    git(&project, &["clone", "-q", ".", "../old"]);
    for folder in ["p", "clone"] {
        scene.0.write(&format!("{folder}/lawful.yaml"), format!("{STRICT}lint: {{}}\n"));
        scene.trust(folder);
    }
    let (_, stdout, _) = scene.run("old", &["trust", "--show"]);
    contains(&stdout, &["you trusted a newer version in", "removed  setting `lint`"]);
    contains(&scene.stop("old", "a"), &["nobody trusted it yet"]);
}

#[test]
fn an_agent_cannot_escape_by_moving_things() {
    let scene = Scene::new("escape");
    scene.trust("p");
    scene.book("lax", LAX, NEEDS_NOTHING);
    fs::create_dir_all(scene.0.join("lax/.git")).unwrap();
    scene.trust("lax");
    // A nested lawbook in a nested repository.
    scene.book("p/sub", LAX, NEEDS_NOTHING);
    fs::create_dir_all(scene.0.join("p/sub/.git")).unwrap();
    contains(&scene.stop("p/sub", "a"), &[FAILS]);
    // Installing the hook for it does not accept it.
    let install = ["hook", "install", "--harness", "claude-code", "--book", "."];
    let (exit, installed) = scene.json("p/sub", &install);
    assert_eq!((exit, installed.get("trusted")), (0, None), "{installed}");
    contains(&installed["notices"].to_string(), &["is not what is trusted here"]);
    contains(&scene.stop("p/sub", "a"), &[FAILS]);
    // A `.git` that leads to the repository of another law.
    fs::remove_dir_all(scene.0.join("p/.git")).unwrap();
    let pointer = format!("gitdir: {}\n", scene.0.join("lax/.git").display());
    scene.0.write("p/.git", &pointer);
    contains(&scene.stop("p", "a"), &[FAILS]);
    scene.0.write("p/sub2/.git", &pointer);
    contains(&scene.stop("p/sub2", "a"), &[FAILS]);
    // A moved project is not trusted where it is now, and still judged where it was.
    fs::rename(scene.0.join("p"), scene.0.join("q")).unwrap();
    fs::remove_file(scene.0.join("q/.git")).unwrap();
    contains(&scene.stop("q", "a"), &["is not trusted"]);
    let gone = ["could not be verified: cannot read the folder", "law-changed"];
    contains(&scene.stop("p", "b"), &gone);
    let stop = scene.stop_with("q", "c", |command| {
        command.env("CLAUDE_PROJECT_DIR", scene.0.join("p"));
    });
    contains(&stop, &gone);
    let (_, stdout, _) = scene.run("q", &["trust", "--show"]);
    contains(&stdout, &["you trusted the same content in"]);
}

#[test]
fn the_law_can_be_outside_the_project() {
    let scene = Scene::new("outside");
    fs::remove_dir_all(scene.0.join("p/analysis")).unwrap();
    fs::remove_file(scene.0.join("p/lawful.yaml")).unwrap();
    let rulespec = format!(
        "{}  - {{claim: said, rule: equals, value: yes}}\n",
        NEEDS_GOOD
            .replace("claims: [", "claims: [{name: said, selector: said}, ")
            .replace("predicates: [", "predicates:\n  - ")
            .replace("}]\n", "}\n")
            .replacen("observed.files}\n", "observed.files}]\n", 1)
    );
    scene.book("law", STRICT, &rulespec);
    scene.trust("law");
    let law = scene.0.join("law").display().to_string();
    let stop = || {
        scene.stop_with("p", "a", |command| {
            command.args(["--book", &law]);
        })
    };
    // The envelope is in the project, and the agent is told where.
    let dir = scene.0.join("p/.lawful").display().to_string();
    let reason = stop();
    let again = format!("lawful envelope write --facts - --observe --book {law} --dir {dir}");
    contains(&reason, &[&format!("`{dir}/envelope.yaml` does not exist"), &again]);
    scene.0.write("p/.lawful/envelope.yaml", "facts: {said: 'yes'}\n");
    scene.0.write("law/good", "");
    contains(&stop(), &[FAILS]);
    // The command that the agent is told observes what the hook observes.
    scene.0.write("facts.yaml", "said: 'yes'\n");
    let facts = scene.0.join("facts.yaml").display().to_string();
    let words =
        ["envelope", "write", "--facts", &facts, "--observe", "--book", &law, "--dir", &dir];
    let (exit, failed, _) = scene.run("p", &words);
    assert_eq!(exit, 1, "{failed}");
    contains(&failed, &[FAILS]);
    let observe = ["observe", "--files", "good", "--book", &law];
    contains(&scene.run("p", &observe).1, &["\"files\": []"]);
    scene.0.write("p/good", "");
    assert_eq!(scene.run("p", &words).0, 0);
    contains(&scene.run("p", &observe).1, &["\"good\""]);
    assert_eq!(stop(), "pass");
    contains(&scene.stop("p", "b"), &["no `lawful.yaml`"]);
}

#[test]
fn a_container_trusts_by_its_environment() {
    let scene = Scene::new("container");
    let fingerprint = scene.json("p", &["trust", "--show"]).1["fingerprint"].clone();
    let stop = |pin: &str, home: bool| {
        scene.stop_with("p", "a", |command| {
            command.env("LAWFUL_LAW", pin);
            if !home {
                command.env_remove("HOME");
            }
        })
    };
    let pin = fingerprint.as_str().unwrap();
    contains(&stop(pin, true), &[FAILS]);
    contains(&stop(pin, false), &[FAILS]);
    contains(&stop("sha256:0", true), &["`LAWFUL_LAW` is not a fingerprint"]);
    let mut command = scene.command("p", &["trust", "--show"]);
    assert_eq!(command.env("LAWFUL_LAW", pin).status().unwrap().code(), Some(0));
    scene.book("p", LAX, NEEDS_NOTHING);
    contains(&stop(pin, false), &["its content is not what `LAWFUL_LAW`"]);
    // What the user trusts does not count against it.
    scene.trust("p");
    contains(&stop(pin, true), &["its content is not what `LAWFUL_LAW`"]);
}

#[test]
fn another_user_trusts_for_themselves() {
    let scene = Scene::new("users");
    scene.trust("p");
    let stop = |state: &Path| {
        scene.stop_with("p", "a", |command| {
            command.env("XDG_STATE_HOME", state);
        })
    };
    contains(&stop(&scene.0.join("other")), &["nobody trusted it yet"]);
    // A state folder that others can write to, or that belongs to someone else, says nothing.
    let state = scene.0.join("home/.local/state");
    contains(&stop(&state), &[FAILS]);
    let set = |mode| {
        fs::set_permissions(scene.state(), fs::Permissions::from_mode(mode)).unwrap();
    };
    set(0o777);
    contains(&stop(&state), &["can be written to by other users"]);
    let (exit, failed) = scene.json("p", &["trust", "--yes"]);
    assert_eq!((exit, &failed["diagnostics"][0]["code"]), (2, &json!("trust-state")));
    set(0o700);
    let moved = scene.0.join("moved");
    fs::rename(scene.state(), &moved).unwrap();
    symlink(&moved, scene.state()).unwrap();
    contains(&stop(&state), &["is not a folder"]);
    fs::remove_file(scene.state()).unwrap();
    fs::rename(&moved, scene.state()).unwrap();
    // An edited copy.
    let copy = fs::read_dir(scene.state().join("books")).unwrap().next().unwrap().unwrap().path();
    let mut bytes = fs::read(&copy).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&copy, bytes).unwrap();
    scene.book("p", LAX, NEEDS_NOTHING);
    contains(&stop(&state), &["is not the copy that was trusted"]);
}

#[test]
fn a_state_folder_that_cannot_be_written_is_an_error() {
    let scene = Scene::new("readonly");
    fs::create_dir_all(scene.0.join("home/.local")).unwrap();
    // A file in its place cannot be written to by anyone, root included.
    scene.0.write("home/.local/state", "");
    let (exit, failed) = scene.json("p", &["trust", "--yes"]);
    assert_eq!(exit, 2, "{failed}");
    assert_eq!(failed["diagnostics"][0]["code"], "trust-state");
}

#[test]
fn installing_the_hook_trusts_its_lawbook_and_says_so() {
    let scene = Scene::new("install");
    let install = ["hook", "install", "--harness", "claude-code"];
    let (exit, stdout, _) = scene.run("p", &install);
    assert_eq!(exit, 0);
    contains(&stdout, &["trusted the lawbook `.` (sha256:"]);
    contains(&scene.stop("p", "a"), &[FAILS]);
    let status = |name: &str| scene.json("p", &[name]);
    assert_eq!(status("status").0, 0);
    // An edit is reported, and installing again does not accept it.
    scene.book("p", LAX, NEEDS_NOTHING);
    let (exit, said) = status("status");
    assert_eq!((exit, &said["diagnostics"][0]["code"]), (1, &json!("law-changed")), "{said}");
    let (exit, stdout, _) = scene.run("p", &["hook", "status"]);
    assert_eq!(exit, 1);
    contains(&stdout, &["law-changed: "]);
    let (exit, stdout, _) = scene.run("p", &install);
    assert_eq!(exit, 0);
    contains(&stdout, &["is not what is trusted here: run `lawful trust .`"]);
    contains(&scene.stop("p", "b"), &[FAILS]);
    scene.trust("p");
    assert_eq!(status("status").0, 0);
    scene.json("p", &["trust", "--revoke"]);
    assert_eq!(status("status").1["diagnostics"][0]["code"], "untrusted-law");
}

#[test]
fn a_process_that_is_killed_leaves_the_old_trust_or_the_new() {
    let scene = Scene::new("killed");
    // Enough bytes to be killed in the middle of writing them.
    for at in 0..8 {
        scene.0.write(
            &format!("p/fragments/f{at}.md"),
            format!("---\nid: f{at}\n---\n{}", "x ".repeat(20_000)),
        );
    }
    scene.trust("p");
    let started = Instant::now();
    scene.0.write("p/fragments/f0.md", "---\nid: f0\n---\nwarm up\n");
    scene.trust("p");
    let whole = started.elapsed();
    let mut seen = [0, 0];
    for round in 0..12_u32 {
        let before = scene.json("p", &["trust", "--show"]).1["fingerprint"].clone();
        scene.0.write("p/fragments/f0.md", format!("---\nid: f0\n---\nround {round}\n"));
        let mut child = scene.command("p", &["trust", "--yes"]);
        let mut child = child.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(whole * round / 10);
        child.kill().unwrap();
        child.wait().unwrap();
        let (exit, shown) = scene.json("p", &["trust", "--show"]);
        assert!(exit == 0 || shown["changed"].as_array().unwrap().len() == 1, "{shown}");
        seen[usize::from(exit == 0)] += 1;
        assert_ne!(shown["fingerprint"], before);
        contains(&scene.stop("p", &round.to_string()), &[FAILS]);
        scene.trust("p");
    }
    assert!(seen[0] > 0, "some were killed before the end: {seen:?}");
    let left = fs::read_dir(scene.state().join("books")).unwrap().count();
    assert_eq!(left, 1, "and nothing is left of them");
}

/// A process that is killed after it registered a lawbook has not removed the copy before.
#[test]
fn what_a_killed_process_left_is_removed_although_nothing_changed() {
    let scene = Scene::new("left");
    scene.trust("p");
    let books = scene.state().join("books");
    scene.0.write(&books.join("0".repeat(64)).display().to_string(), "an earlier copy");
    scene.0.write(&books.join(".x.1.0.tmp").display().to_string(), "half a copy");
    assert_eq!(scene.json("p", &["trust", "--show"]).0, 0);
    assert_eq!(fs::read_dir(&books).unwrap().count(), 3, "showing changes nothing");
    scene.trust("p");
    assert_eq!(fs::read_dir(&books).unwrap().count(), 1);
    contains(&scene.stop("p", "a"), &[FAILS]);
}

#[test]
fn many_processes_trust_at_once() {
    let scene = Scene::new("many");
    let folders: Vec<String> = (0..8).map(|at| format!("many/p{at}")).collect();
    for folder in &folders {
        scene.book(folder, STRICT, NEEDS_GOOD);
        scene.0.write(&format!("{folder}/fragments/f.md"), format!("---\nid: f\n---\n{folder}\n"));
    }
    let spawn = |folder: &String| {
        scene.command(folder, &["trust", "--yes"]).stdout(Stdio::null()).spawn().unwrap()
    };
    let children: Vec<_> = folders.iter().map(spawn).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    for folder in &folders {
        assert_eq!(scene.json(folder, &["trust", "--show"]).0, 0, "{folder}");
        contains(&scene.stop(folder, "a"), &[FAILS]);
    }
}

#[test]
fn a_huge_lawbook_is_refused_by_its_limits() {
    let scene = Scene::new("huge");
    for at in 0..300 {
        scene.0.write(&format!("p/fragments/f{at}.md"), format!("---\nid: f{at}\n---\n"));
    }
    scene.trust("p");
    scene.0.write("p/fragments/huge.md", "x".repeat(17 << 20));
    let (exit, failed) = scene.json("p", &["trust", "--yes"]);
    assert_eq!(exit, 2);
    contains(&failed.to_string(), &["too-large"]);
    let started = Instant::now();
    contains(&scene.stop("p", "a"), &[FAILS, "law-changed"]);
    assert!(started.elapsed() < Duration::from_secs(20));
}

/// A terminal is needed to ask; no is the default.
#[test]
fn a_person_is_asked_on_a_terminal() {
    let scene = Scene::new("asked");
    let has_script =
        Command::new("script").arg("--version").output().is_ok_and(|o| o.status.success());
    if !has_script {
        return;
    }
    let ask = |answer: &str| {
        let lawful = env!("CARGO_BIN_EXE_lawful");
        let mut command = Command::new("script");
        command.args(["-qec", &format!("{lawful} trust"), "/dev/null"]);
        command.current_dir(scene.0.join("p")).env("HOME", scene.0.join("home"));
        command.env_remove("XDG_STATE_HOME").env_remove("LAWFUL_LAW");
        said(&support::answer(&mut command, answer))
    };
    let (exit, stdout, _) = ask("\n");
    assert_eq!(exit, 1, "{stdout}");
    contains(&stdout, &["[y/N]", "nothing was trusted"]);
    assert_eq!(scene.json("p", &["trust", "--show"]).0, 1);
    let (exit, stdout, _) = ask("y\n");
    assert_eq!(exit, 0, "{stdout}");
    assert_eq!(scene.json("p", &["trust", "--show"]).0, 0);
}
