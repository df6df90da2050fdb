//! Delivering from the outside: variables that move folders, interrupted runs, exit codes.

#![cfg(unix)]
#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "this is a test")]

mod scene;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use scene::Scene;
use serde_json::Value;

const INSTALL: [&str; 5] = ["install", "--book", "law", "--harness", "agents-md"];

#[test]
fn variables_say_where_the_files_of_a_user_are() {
    let scene = Scene::new("variables");
    let at = |name: &str| scene.root.join(name);
    let folders = [at("claude"), at("codex"), at("config"), at("state")];
    let names = ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"];
    for folder in &folders {
        fs::create_dir_all(folder).unwrap();
    }
    let set: Vec<(&str, &Path)> =
        names.into_iter().zip(folders.iter().map(PathBuf::as_path)).collect();
    let words = ["install", "--book", "law", "--scope", "user", "--activate", "--harness"];
    let words = [&words[..], &["claude-code", "codex", "opencode", "agy"]].concat();
    let output = scene.run_with(&words, &set);
    assert!(output.status.success(), "{output:?}");
    assert!(
        scene
            .read("claude/output-styles/lawful-lead.md")
            .contains("keep-coding-instructions: false")
    );
    assert!(scene.read("claude/agents/lawful-scout.md").contains("Say what you saw."));
    assert!(scene.read("claude/settings.json").contains("\"outputStyle\": \"lawful-lead\""));
    assert!(scene.read("codex/config.toml").contains("developer_instructions"));
    assert!(scene.read("config/opencode/agents/lawful-lead.md").contains("mode: primary"));
    assert!(scene.read("home/.gemini/GEMINI.md").contains("Say what you saw."));
    assert!(scene.has("state/lawful/ledger.json") && !scene.has("project/.lawful"));
    let output = scene.run_with(&["status"], &set);
    assert!(output.status.success(), "{output:?}");
    let output = scene.run_with(&["uninstall", "--scope", "user", "--book", "law"], &set);
    assert!(output.status.success(), "{output:?}");
    for left in ["claude/agents", "claude/settings.json", "codex/config.toml", "config/opencode"] {
        assert!(!scene.has(left), "{left}");
    }
    assert!(!scene.has("home/.gemini"));
}

#[test]
fn every_no_has_its_exit_code_and_one_document() {
    let scene = Scene::new("codes");
    assert_eq!(scene.json(&INSTALL).0, 0);
    assert_eq!(scene.json(&["status"]).0, 0);
    scene.write("project/law/lead.md", "You lead well.\n");
    let (exit, document) = scene.json(&["status"]);
    assert_eq!((exit, &document["files"][0]["state"]), (1, &Value::from("stale")));
    let text = scene.read("project/AGENTS.md");
    scene.write("project/AGENTS.md", &text.replace("what you saw", "what they want"));
    let (exit, document) = scene.json(&["status"]);
    assert_eq!((exit, &document["files"][0]["state"]), (1, &Value::from("both")));
    assert_eq!(document["files"][0]["core"], Value::from(false));
    let text = String::from_utf8(scene.run_with(&["status"], &[]).stdout).unwrap();
    assert!(text.contains("\n  lawful install --dry-run    shows the edits\n"), "{text}");
    let plan = scene.run_with(&["install", "--dry-run", "--book", "law"], &[]).stdout;
    let plan = String::from_utf8(plan).unwrap();
    assert!(plan.contains("-Say what you saw.\n+Say what they want.\n"), "{plan}");
    let (exit, document) = scene.json(&INSTALL);
    assert_eq!((exit, &document["diagnostics"][0]["code"]), (1, &Value::from("edited-by-hand")));
    assert_eq!(document["diagnostics"][0]["line"], Value::from(2));
    let diff = document["operations"][0]["diff"].as_str().unwrap();
    assert!(diff.contains("-Say what you saw.\n+Say what they want.\n"), "{diff}");
    assert!(document.get("roles").is_none(), "{document}");
    assert_eq!(scene.code_of(&["uninstall", "--book", "law"]), (1, "edited-by-hand".to_owned()));
    assert_eq!(scene.json(&[&INSTALL[..], &["--overwrite"]].concat()).0, 0);
    // The name that it had before.
    assert_eq!(scene.json(&[&INSTALL[..], &["--adopt"]].concat()).0, 0);
    assert_eq!(scene.json(&["uninstall", "--book", "law"]).0, 0);
    assert!(!scene.has("project/AGENTS.md") && !scene.has("project/.lawful"));
    scene.write("project/law/scout.md", "You look. Say what you saw.\n");
    let (exit, document) = scene.json(&INSTALL);
    assert_eq!((exit, document["operations"].as_array().unwrap().len()), (1, 0));
    assert!(!scene.has("project/AGENTS.md"), "a role that breaks the contract stops all");
    assert_eq!(
        scene.code_of(&["install", "--book", "nowhere", "--all"]),
        (2, "no-lawbook".to_owned())
    );
    assert_eq!(scene.json(&["install", "--all", "--detect"]).0, 2);
}

#[test]
fn what_was_interrupted_is_finished_first() {
    let scene = Scene::new("interrupted");
    assert_eq!(scene.json(&INSTALL).0, 0);
    fs::write(scene.records().join("journal.staged.json"), "{\"made\": [").unwrap();
    assert_eq!(scene.code_of(&["status"]), (2, "interrupted-install".to_owned()));
    assert_eq!(scene.code_of(&[&INSTALL[..], &["--dry-run"]].concat()).0, 2);
    assert_eq!(scene.json(&INSTALL).0, 0);
    assert_eq!(scene.json(&["status"]).0, 0);
}

#[test]
fn one_process_writes_at_a_time() {
    let scene = Scene::new("busy");
    assert_eq!(scene.json(&INSTALL).0, 0);
    let folder = File::open(scene.root.join("project")).unwrap();
    folder.lock().unwrap();
    assert_eq!(scene.code_of(&INSTALL), (2, "install-busy".to_owned()));
    assert_eq!(scene.json(&["status"]).0, 0, "reading waits for nobody");
    folder.unlock().unwrap();
    assert_eq!(scene.json(&INSTALL).0, 0);
}

#[test]
fn a_ledger_that_cannot_be_read_decides_nothing() {
    let scene = Scene::new("ledger");
    let is_bad = |words: &[&str]| {
        assert_eq!(scene.code_of(words), (2, "bad-ledger".to_owned()), "{words:?}");
    };
    let user = |words: &[&'static str]| [words, &["--scope", "user"]].concat();
    let install = ["install", "--book", "law", "--harness", "codex"];
    assert_eq!(scene.json(&user(&install)).0, 0);
    let ledger = "home/.local/state/lawful/ledger.json";
    assert!(scene.has(ledger));
    for text in ["{", "{\"format\": 9, \"installed\": [], \"files\": [], \"folders\": []}"] {
        scene.write(ledger, text);
        for words in [&install[..], &["status"], &["uninstall", "--every-book"]] {
            is_bad(&user(words));
        }
    }
    assert_eq!(scene.json(&INSTALL).0, 0);
    fs::write(scene.records().join("ledger.json"), "{").unwrap();
    for words in [&INSTALL[..], &["status", "--scope", "project"], &["uninstall", "--every-book"]] {
        is_bad(words);
    }
    // Once it is deleted, as the help says, the lock and the files tell.
    fs::remove_file(scene.records().join("ledger.json")).unwrap();
    assert_eq!(scene.json(&["status", "--scope", "project"]).0, 0);
    assert_eq!(scene.json(&["uninstall", "--every-book"]).0, 0);
    assert!(!scene.has("project/AGENTS.md") && !scene.has("project/lawful.lock"));
}

#[test]
fn harnesses_are_found_by_what_they_left() {
    let scene = Scene::new("detect");
    assert_eq!(scene.code_of(&["install", "--book", "law"]), (2, "usage".to_owned()));
    scene.write("project/.cursor/x", "");
    scene.trust_in_codex();
    let (exit, document) = scene.json(&["install", "--book", "law", "--detect"]);
    assert_eq!(exit, 0);
    let found: Vec<&str> = document["operations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|operation| operation["harness"].as_str().unwrap())
        .collect();
    assert_eq!(found, ["codex", "codex", "cursor", "cursor"]);
    // Both read one file.
    assert_eq!(document["operations"][2]["path"], "AGENTS.md");
    assert_eq!(document["diagnostics"].as_array().unwrap().len(), 0);
}

#[test]
fn a_lawbook_that_was_renamed_is_not_forgotten() {
    let scene = Scene::new("renamed");
    assert_eq!(scene.json(&INSTALL).0, 0);
    let manifest = scene.read("project/law/lawful.yaml");
    scene.write("project/law/lawful.yaml", &manifest.replace("crew", "team"));
    let (exit, document) = scene.json(&["status"]);
    assert_eq!((exit, &document["files"][0]["state"]), (1, &Value::from("stale")));
    // Asked for by its folder, it is the same book.
    assert_eq!(scene.json(&["status", "--book", "law"]).1["files"], document["files"]);
    assert_eq!(scene.json(&["install", "--book", "law"]).0, 0);
    assert_eq!(scene.read("project/AGENTS.md").matches("lawful:begin team").count(), 1);
    assert_eq!(scene.json(&["status"]).0, 0);
    scene.write("project/law/lawful.yaml", &manifest);
    assert_eq!(scene.json(&["uninstall", "--book", "law"]).0, 0);
    assert!(!scene.has("project/AGENTS.md") && !scene.has("project/.lawful"));
}

#[test]
fn a_lawbook_that_cannot_be_read_hides_no_other() {
    let scene = Scene::new("unreadable");
    assert_eq!(scene.json(&INSTALL).0, 0);
    for file in ["lawful.yaml", "core.md", "lead.md", "scout.md"] {
        let text = scene.read(&format!("project/law/{file}")).replace("name: crew", "name: other");
        scene.write(&format!("project/law2/{file}"), &text);
    }
    let words = ["install", "--book", "law2", "--harness", "gemini-cli"];
    assert_eq!(scene.json(&words).0, 0);
    fs::remove_dir_all(scene.root.join("project/law2")).unwrap();
    let (exit, document) = scene.json(&["status"]);
    assert_eq!((exit, &document["diagnostics"][0]["code"]), (2, &Value::from("no-lawbook")));
    let states: Vec<&str> = document["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["state"].as_str().unwrap())
        .collect();
    assert_eq!(states, ["clean", "stale", "stale"]);
}

#[test]
fn a_lawbook_outside_of_a_project_is_not_gone_by_because_its_ledger_says_so() {
    let scene = Scene::new("outside");
    assert_eq!(scene.json(&INSTALL).0, 0);
    fs::rename(scene.root.join("project/law"), scene.root.join("outside")).unwrap();
    let ledger = fs::read_to_string(scene.records().join("ledger.json")).unwrap();
    fs::remove_dir_all(scene.root.join("home/.local")).unwrap();
    fs::remove_file(scene.root.join("project/lawful.lock")).unwrap();
    let outside = scene.root.join("outside");
    for source in ["../outside", outside.to_str().unwrap()] {
        let changed = ledger.replace("\"source\": \"law\"", &format!("\"source\": \"{source}\""));
        assert_ne!(changed, ledger);
        scene.write("project/.lawful/ledger.json", &changed);
        assert_eq!(scene.code_of(&["status"]), (1, "foreign-ledger".to_owned()));
        let words = ["blame", "--installed", "AGENTS.md"];
        assert_eq!(scene.code_of(&words), (2, "not-installed".to_owned()));
    }
}

#[test]
fn a_lawbook_outside_of_a_project_is_remembered() {
    let scene = Scene::new("shared");
    scene.trust_in_codex();
    fs::rename(scene.root.join("project/law"), scene.root.join("law")).unwrap();
    let install = ["install", "--book", "../law", "--harness", "codex"];
    assert!(scene.run_with(&install, &[]).status.success());
    assert_eq!(scene.json(&["status"]).0, 0);
    scene.write("law/lead.md", "You lead them.\n");
    assert_eq!(scene.json(&["status"]).0, 1);
    assert!(scene.run_with(&["install"], &[]).status.success());
    assert!(scene.read("project/AGENTS.md").contains("You lead them."));
    assert!(scene.run_with(&["blame", "--installed", "AGENTS.md"], &[]).status.success());
}

#[test]
fn what_is_brought_up_to_date_is_what_was_asked_for() {
    let scene = Scene::new("update");
    let words = ["install", "--book", "law", "--harness", "claude-code", "--role", "scout"];
    assert_eq!(scene.json(&words).0, 0);
    scene.write("project/law/scout.md", "You look twice.\n");
    // The ledger knows the only book there is.
    let (exit, document) = scene.json(&["install"]);
    assert_eq!(exit, 0);
    let operations = document["operations"].as_array().unwrap();
    assert_eq!(operations.len(), 1, "{operations:?}");
    assert_eq!(operations[0]["op"], Value::from("replace-owned"));
    assert_eq!(scene.code_of(&["install", "--harness", "zed", "--role", "scout"]).0, 1);
    // A book that was never installed is nobody's update.
    for file in ["lawful.yaml", "core.md", "lead.md", "scout.md"] {
        let text = scene.read(&format!("project/law/{file}")).replace("name: crew", "name: other");
        scene.write(&format!("project/law2/{file}"), &text);
    }
    scene.write("project/.cursor/x", "");
    fs::remove_dir_all(scene.root.join("project/.claude")).unwrap();
    let (_, document) = scene.json(&["install", "--book", "law2"]);
    assert!(
        document["operations"]
            .as_array()
            .unwrap()
            .iter()
            .all(|operation| operation["harness"] == "cursor"),
        "{document}"
    );
}

#[test]
fn two_that_start_from_nothing_meet() {
    for (round, scope) in ["project", "user"].repeat(6).into_iter().enumerate() {
        let scene = Scene::new(&format!("race-{round}"));
        scene.trust_in_codex();
        scene.write("project/.claude/settings.json", "{\"env\": {\"TOKEN\": \"secret\"}}\n");
        let before = (scene.tree("project"), scene.tree("home"));
        let words = ["install", "--book", "law", "--all", "--activate", "--scope", scope];
        let start = || {
            let mut command = scene.command(&words);
            command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
        };
        let running = [start(), start(), start()];
        let exits = running.map(|mut child| child.wait().unwrap().code().unwrap());
        assert!(exits.iter().all(|exit| [0, 2].contains(exit)), "{exits:?}");
        assert!(exits.contains(&0), "{exits:?}");
        assert_eq!(scene.json(&["status"]).0, 0);
        let left = [scene.tree("project"), scene.tree("home")].concat();
        assert!(!left.iter().any(|(path, _)| path.extension().is_some_and(|end| end == "tmp")));
        assert_eq!(scene.json(&["uninstall", "--book", "law", "--scope", scope]).0, 0);
        assert_eq!((scene.tree("project"), scene.tree("home")), before);
    }
}

#[test]
fn a_folder_that_is_closed_is_named_and_nothing_is_written() {
    use std::os::unix::fs::{PermissionsExt as _, chown};
    use std::os::unix::process::CommandExt as _;
    const NOBODY: u32 = 65534;
    let scene = Scene::new("closed");
    let closed = scene.root.join("project/.claude/agents");
    fs::create_dir_all(&closed).unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o555)).unwrap();
    let before = scene.tree("project");
    let words = ["install", "--book", "law", "--harness", "claude-code", "--format", "json"];
    let mut command = scene.command(&words);
    // Nothing is closed to the superuser.
    if fs::write(closed.join("probe"), "").is_ok() {
        fs::remove_file(closed.join("probe")).unwrap();
        for (path, _) in &before {
            chown(path, Some(NOBODY), Some(NOBODY)).unwrap();
        }
        for folder in ["project", "home"] {
            chown(scene.root.join(folder), Some(NOBODY), Some(NOBODY)).unwrap();
        }
        command.uid(NOBODY).gid(NOBODY);
    }
    let Ok(output) = command.output() else {
        eprintln!("SKIPPED: the program cannot be run by another user here");
        return;
    };
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{document}");
    assert_eq!(document["diagnostics"][0]["file"], Value::from(".claude/agents"), "{document}");
    assert_eq!(scene.tree("project"), before);
}

#[test]
fn a_folder_that_a_variable_names_from_here_is_kept_in_full() {
    let scene = Scene::new("relative");
    let words = ["install", "--book", "law", "--harness", "claude-code", "--scope", "user"];
    let set = [("CLAUDE_CONFIG_DIR", Path::new("cfg"))];
    assert!(scene.run_with(&words, &set).status.success());
    assert!(scene.has("project/cfg/agents/lawful-scout.md"));
    let mut elsewhere = scene.command(&["uninstall", "--scope", "user", "--every-book"]);
    assert!(elsewhere.current_dir(&scene.root).output().unwrap().status.success());
    assert!(!scene.has("project/cfg/agents"));
    // A backslash in a name is a letter.
    let odd = scene.root.join("we\\ird");
    fs::create_dir_all(&odd).unwrap();
    let set = [("HOME", odd.as_path())];
    assert!(scene.run_with(&words, &set).status.success());
    assert!(odd.join(".claude/agents/lawful-scout.md").exists());
    assert!(
        scene.run_with(&["uninstall", "--scope", "user", "--book", "law"], &set).status.success()
    );
    assert_eq!(fs::read_dir(&odd).unwrap().count(), 0);
}

#[test]
fn lines_that_settings_had_to_escape_are_followed_back() {
    let scene = Scene::new("escaped");
    scene.write("project/law/lead.md", "Say \"\"\" and ''' \\d.\n");
    scene.trust_in_codex();
    let words = ["install", "--book", "law", "--harness", "codex", "--activate"];
    assert_eq!(scene.json(&words).0, 0);
    let (exit, document) = scene.json(&["blame", "--installed", ".codex/config.toml"]);
    assert_eq!(exit, 0);
    let text = document.to_string();
    assert!(text.contains("core.md") && text.contains("lead.md"), "{text}");
}

#[test]
fn a_hook_and_prompts_in_one_file_are_undone_in_any_order() {
    const HOOK: [&str; 6] = ["hook", "--harness", "claude-code", "install", "--scope", "project"];
    const UNHOOK: [&str; 6] =
        ["hook", "--harness", "claude-code", "uninstall", "--scope", "project"];
    const PROMPTS: [&str; 6] =
        ["install", "--book", "law", "--harness", "claude-code", "--activate"];
    const UNPROMPT: [&str; 3] = ["uninstall", "--book", "law"];
    let texts = [
        None,
        Some("{\"a\": 1}\n"),
        Some("{}"),
        Some("{\r\n\t// mine\r\n\t\"outputStyle\": \"Terse\",\r\n}\r\n"),
        Some("{\n  \"hooks\": {\n    \"Stop\": []\n  }\n}\n"),
    ];
    for (at, text) in texts.into_iter().enumerate() {
        for order in 0..4 {
            let scene = Scene::new(&format!("hook-{at}-{order}"));
            if let Some(text) = text {
                scene.write("project/.claude/settings.json", text);
            }
            let before = scene.tree("project");
            let (first, second): (&[&str], &[&str]) =
                if order < 2 { (&HOOK, &PROMPTS) } else { (&PROMPTS, &HOOK) };
            let (third, last): (&[&str], &[&str]) =
                if order % 2 == 0 { (&UNHOOK, &UNPROMPT) } else { (&UNPROMPT, &UNHOOK) };
            for words in [first, second, third, last] {
                let output = scene.run_with(words, &[]);
                assert!(output.status.success(), "{words:?}: {output:?}");
            }
            assert_eq!(scene.tree("project"), before, "{text:?}: {first:?} {third:?}");
        }
    }
}

#[test]
fn a_link_that_was_made_later_takes_nothing_away() {
    let scene = Scene::new("later");
    scene.trust_in_codex();
    scene.write("project/AGENTS.md", "# Mine\n");
    let install = ["install", "--book", "law", "--harness", "codex", "gemini-cli"];
    assert!(scene.run_with(&install, &[]).status.success());
    let written = scene.read("project/AGENTS.md");
    // Two files become one.
    let link = scene.root.join("project/GEMINI.md");
    fs::remove_file(&link).unwrap();
    std::os::unix::fs::symlink("AGENTS.md", &link).unwrap();
    assert!(scene.run_with(&["install", "--book", "law"], &[]).status.success());
    assert_eq!(scene.read("project/AGENTS.md"), written);
    assert!(scene.run_with(&["status"], &[]).status.success());
    assert!(
        scene
            .run_with(&["uninstall", "--book", "law", "--harness", "gemini-cli"], &[])
            .status
            .success()
    );
    assert_eq!(scene.read("project/AGENTS.md"), written);
    assert!(scene.run_with(&["uninstall", "--book", "law"], &[]).status.success());
    assert_eq!(scene.read("project/AGENTS.md"), "# Mine\n");
    // A file moves, and a link stands in its place.
    assert!(scene.run_with(&install, &[]).status.success());
    let (agents, doc) = (scene.root.join("project/AGENTS.md"), scene.root.join("project/DOC.md"));
    fs::rename(&agents, &doc).unwrap();
    std::os::unix::fs::symlink("DOC.md", &agents).unwrap();
    assert!(scene.run_with(&["install", "--book", "law"], &[]).status.success());
    assert_eq!(scene.read("project/DOC.md"), written);
    assert!(scene.run_with(&["status"], &[]).status.success());
    assert!(scene.run_with(&["uninstall", "--book", "law"], &[]).status.success());
    assert_eq!(scene.read("project/DOC.md"), "# Mine\n");
}

#[test]
fn a_folder_that_became_a_link_is_no_less_ours() {
    let scene = Scene::new("moved");
    let install = ["install", "--book", "law", "--activate", "--scope", "user", "--harness"];
    let install = [&install[..], &["claude-code"]].concat();
    assert!(scene.run_with(&install, &[]).status.success());
    let (claude, moved) = (scene.root.join("home/.claude"), scene.root.join("home/dotfiles"));
    fs::create_dir(&moved).unwrap();
    fs::rename(&claude, moved.join("claude")).unwrap();
    std::os::unix::fs::symlink("dotfiles/claude", &claude).unwrap();
    let output = scene.run_with(&install, &[]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(scene.has("home/.claude/output-styles/lawful-lead.md"));
    assert!(scene.run_with(&["status", "--scope", "user"], &[]).status.success());
    let output = scene.run_with(&["uninstall", "--scope", "user", "--book", "law"], &[]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(claude.is_symlink() && !scene.has("home/.claude/output-styles/lawful-lead.md"));
}

#[test]
fn a_prompt_with_a_hole_is_delivered_and_told_of() {
    let scene = Scene::new("hole");
    scene.write("project/law/lead.md", "You lead ${crew}.\n");
    let words = ["install", "--book", "law", "--harness", "agents-md"];
    let output = scene.run_with(&words, &[]);
    assert!(output.status.success());
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("law/lead.md:1:10"), "{said}");
    let output = scene.run_with(&[&words[..], &["--format", "json"]].concat(), &[]);
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["diagnostics"][0]["severity"], "warning");
}

#[test]
fn two_harnesses_whose_agents_are_one_folder_are_told_apart_or_refused() {
    let scene = Scene::new("one-folder");
    scene.write("project/.claude/agents/mine.md", "mine\n");
    fs::create_dir(scene.root.join("project/.opencode")).unwrap();
    std::os::unix::fs::symlink("../.claude/agents", scene.root.join("project/.opencode/agents"))
        .unwrap();
    let words = ["install", "--book", "law", "--harness", "claude-code", "opencode"];
    assert_eq!(scene.code_of(&words), (1, "cannot-deliver".to_owned()));
    assert!(!scene.has("project/.claude/agents/lawful-scout.md"));
}
