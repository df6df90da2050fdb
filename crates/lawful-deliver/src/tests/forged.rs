//! Ledgers and journals that came with a project, on the real disk.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use lawful::compose::AgentKeys;
use serde::Serialize;
use serde_json::{Value, json};

use super::hostile::{BLOCK, tree, user};
use super::{User, all, book, codes, named, request};
use crate::agent_file::Subject;
use crate::disk::OsDisk;
use crate::in_project::EARLIER_IGNORE;
use crate::journal::Journal;
use crate::seal::{Seal, Sealed};
use crate::state::tests::folder;
use crate::{FileState, Ledger, Request};

/// A journal that puts a file of the project somewhere.
fn journal(path: &Path, from: &Path) -> Value {
    json!({"made": [], "left": [], "steps": [{"path": path, "from": from, "before": null}]})
}

/// A ledger that gives a file of `codex` back.
fn ledger(path: &str, mode: &Value, folders: &[&str]) -> Value {
    let entry = json!({
        "path": path, "harnesses": ["codex"], "book": "crew", "role": "lead",
        "created": false, "hash": "", "text": "", "mode": mode,
    });
    json!({"format": 1, "installed": [], "files": [entry], "folders": folders})
}

fn evil() -> Value {
    json!({"owned": {"before": "#!/bin/sh\ntouch pwned\n"}})
}

/// The same with the seal of an earlier version, as if the key were known.
fn sealed(root: &Path, kind: &str, record: &Value) -> String {
    fn stamped<T: Serialize>(root: &Path, kind: &str, record: T) -> String {
        let text = serde_json::to_vec(&record).unwrap();
        let seal = Some(Seal::new([7; 32]).stamp(&OsDisk, &root.join("project"), kind, &text));
        serde_json::to_string(&Sealed { record, seal }).unwrap()
    }
    if kind == "journal" {
        return stamped(root, kind, serde_json::from_value::<Journal>(record.clone()).unwrap());
    }
    stamped(root, kind, serde_json::from_value::<Ledger>(record.clone()).unwrap())
}

/// Gives the user the key of these seals, as an earlier version made it.
fn keep_key(root: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = root.join("state/lawful");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("key"), "07".repeat(32)).unwrap();
    fs::set_permissions(folder.join("key"), fs::Permissions::from_mode(0o600)).unwrap();
}

/// A project with a repository and a file that somebody wants to be run.
fn project(root: &Path) -> User<'static, OsDisk> {
    let user = user(root);
    let project = root.join("project");
    fs::create_dir_all(project.join(".git/hooks")).unwrap();
    fs::create_dir_all(project.join(".git/refs/tags")).unwrap();
    fs::write(project.join(".git/config"), "[core]\n").unwrap();
    fs::write(project.join("evil"), "evil\n").unwrap();
    fs::create_dir_all(project.join(".lawful")).unwrap();
    user
}

/// What nobody may change: everything outside of the project, and its repository.
fn victims(root: &Path) -> Vec<(std::path::PathBuf, String)> {
    let mut victims = tree(&root.join("project/.git"));
    let is_outside = |path: &Path| {
        !path.starts_with(root.join("project")) && !path.starts_with(root.join("state"))
    };
    victims.extend(tree(root).into_iter().filter(|(path, _)| is_outside(path)));
    victims
        .push((".envrc".into(), format!("{:?}", fs::read_to_string(root.join("project/.envrc")))));
    victims
}

#[test]
fn a_journal_without_the_seal_of_the_user_is_told_of_and_not_obeyed() {
    for name in ["journal.json", "journal.staged.json"] {
        for target in
            [".git/hooks/post-checkout", ".git/config", ".envrc", "AGENTS.md", "../victim"]
        {
            let root = folder("forged-journal");
            let user = project(&root);
            let (file, before) = (root.join("project/.lawful").join(name), victims(&root));
            let text = journal(Path::new(target), Path::new("evil")).to_string();
            fs::write(&file, &text).unwrap();
            assert!(!crate::is_interrupted(&OsDisk, &user.desk).unwrap());
            let all_before = tree(&root);
            assert_eq!(codes(&user.uninstall(&all())), ["foreign-ledger"]);
            assert_eq!(tree(&root), all_before, "left alone where there is nothing to write");
            let plan = user.install(&book("1"), &request(named(&["codex"])));
            assert_eq!(codes(&plan), ["foreign-ledger"], "{target}");
            assert!(!plan.has_conflict());
            assert_eq!(victims(&root), before, "{target}");
            assert!(root.join("project/evil").exists());
            assert!(
                fs::read_to_string(root.join("project/AGENTS.md")).unwrap().contains("You lead.")
            );
            assert_eq!(fs::read_to_string(&file).unwrap(), text, "and it stays as it is");
            fs::remove_file(&file).unwrap();
            assert_eq!(codes(&user.install(&book("2"), &request(named(&["codex"])))), [""; 0]);
            fs::remove_dir_all(&root).unwrap();
        }
    }
}

#[test]
fn a_ledger_without_the_seal_of_the_user_is_told_of_and_not_obeyed() {
    let paths = [".git/hooks/post-checkout", ".envrc", "AGENTS.md", "../victim", "/tmp/victim"];
    for path in paths {
        let root = folder("forged-ledger");
        let user = project(&root);
        let before = victims(&root);
        let text = ledger(path, &evil(), &[".git/refs/tags", ".git/hooks"]).to_string();
        let file = root.join("project/.lawful/ledger.json");
        fs::write(&file, &text).unwrap();
        assert!(user.ledger().files.is_empty());
        let all_before = tree(&root);
        assert_eq!(codes(&user.uninstall(&all())), ["foreign-ledger"]);
        assert_eq!(tree(&root), all_before);
        let (_, findings) = user.status_and_findings(&book("1"));
        assert_eq!(findings[0].code.name, "foreign-ledger");
        let plan = user.install(&book("1"), &request(named(&["codex"])));
        assert_eq!(codes(&plan), ["foreign-ledger"]);
        assert_eq!(victims(&root), before, "{path}");
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
        assert_eq!(codes(&user.uninstall(&all())), ["foreign-ledger"]);
        assert_eq!(victims(&root), before, "{path}");
        assert!(!root.join("project/AGENTS.md").exists());
        fs::remove_dir_all(&root).unwrap();
    }
}

#[test]
fn no_record_leads_to_a_place_that_the_table_does_not_name() {
    let root = folder("forged-sealed");
    keep_key(&root);
    let user = project(&root);
    let project = root.join("project");
    fs::create_dir_all(root.join("victim/inner")).unwrap();
    fs::write(root.join("victim.md"), BLOCK).unwrap();
    symlink(".git", project.join(".claude")).unwrap();
    symlink(root.join("victim"), project.join("link")).unwrap();
    let before = victims(&root);
    let beside = |path: &str| {
        let path = Path::new(path);
        crate::atomic::beside(path, "lawful-1")
    };
    let outside = root.join("victim.md").display().to_string();
    let targets = [
        ".git/hooks/post-checkout",
        ".git/config",
        ".GIT/config",
        ".envrc",
        "t.sh",
        "../victim.md",
        &outside,
        "link/x",
        ".claude/settings.json",
        ".claude/agents/lawful-x.md",
        ".cursor/agents/lawful-../../x.md",
        ".lawful/.gitignore",
        "sub/AGENTS.md",
    ];
    let state = user.desk.folder.clone();
    // Neither one in the state folder, nor a sealed one of an earlier version.
    let folders = [(state, false), (project.join(".lawful"), true)];
    for (target, (folder, is_sealed)) in
        targets.iter().flat_map(|target| folders.iter().map(move |folder| (target, folder)))
    {
        let text = |kind: &str, record: &Value| {
            if *is_sealed { sealed(&root, kind, record) } else { record.to_string() }
        };
        // An empty one is removed.
        fs::create_dir_all(folder).unwrap();
        for from in [Path::new("evil").to_owned(), beside(target)] {
            let text = text("journal", &journal(Path::new(target), &from));
            for name in ["journal.json", "journal.staged.json"] {
                let file = folder.join(name);
                fs::write(&file, &text).unwrap();
                assert!(crate::is_interrupted(&OsDisk, &user.desk).unwrap());
                let error = user.try_install(&book("1"), &request(named(&["codex"]))).unwrap_err();
                let said = error.to_string();
                let known = ["not a file that a harness reads", "leads out of", "is below `.git`"];
                assert!(known.iter().any(|known| said.contains(known)), "{target}: {said}");
                assert_eq!(victims(&root), before, "{target}");
                fs::remove_file(&file).unwrap();
            }
        }
        let file = folder.join("ledger.json");
        for mode in [evil(), json!({"block": {"before": "", "after": "", "ended": true}})] {
            let folders = [".git/refs/tags", "link/inner", "../victim/inner", "src"];
            fs::create_dir_all(project.join("src")).unwrap();
            fs::create_dir_all(folder).unwrap();
            fs::write(&file, text("ledger", &ledger(target, &mode, &folders))).unwrap();
            let plan = user.uninstall(&all());
            assert!(plan.has_conflict(), "{target}");
            assert!(["cannot-deliver", "outside-root"].contains(&codes(&plan)[0]), "{target}");
            assert_eq!(victims(&root), before, "{target}");
            assert!(project.join("src").exists(), "a folder of others stays, empty or not");
            for path in [&file, &user.desk.path(), &project.join("lawful.lock")] {
                let _ = fs::remove_file(path);
            }
        }
    }
    // A text that takes a place must be the one that was written beside it.
    let text = journal(Path::new("AGENTS.md"), Path::new("evil")).to_string();
    fs::create_dir_all(&user.desk.folder).unwrap();
    fs::write(user.desk.folder.join("journal.json"), text).unwrap();
    assert!(user.try_install(&book("1"), &request(named(&["codex"]))).is_err());
    assert!(!project.join("AGENTS.md").exists());
    fs::remove_dir_all(&root).unwrap();
}

#[test]
fn a_link_into_the_repository_is_not_followed() {
    let root = folder("forged-links");
    let user = project(&root);
    let project = root.join("project");
    symlink(".git/hooks/post-checkout", project.join("AGENTS.md")).unwrap();
    fs::write(project.join(".git/hooks/post-checkout"), "#!/bin/sh\n").unwrap();
    let before = victims(&root);
    let plan = user.install(&book("1"), &request(named(&["codex"])));
    assert_eq!(codes(&plan), ["cannot-deliver"]);
    assert_eq!(victims(&root), before);
    fs::remove_file(project.join("AGENTS.md")).unwrap();
    // Nor does the folder of earlier records lead there, or out of the project.
    let _ = fs::remove_dir_all(project.join(".lawful"));
    fs::write(root.join("ledger.json"), "{}").unwrap();
    let before = victims(&root);
    for to in [Path::new(".git/hooks"), &*root] {
        symlink(to, project.join(".lawful")).unwrap();
        assert_eq!(codes(&user.install(&book("1"), &request(named(&["codex"])))), [""; 0]);
        assert_eq!(victims(&root), before);
        user.uninstall(&all());
        assert_eq!(victims(&root), before);
        fs::remove_file(project.join(".lawful")).unwrap();
    }
    // And a lock that is a link is none.
    for to in [&project.join(".git/config"), &root.join("victim.lock")] {
        symlink(to, project.join("lawful.lock")).unwrap();
        let asked = Request { overwrite: true, ..request(named(&["codex"])) };
        assert_eq!(codes(&user.install(&book("1"), &asked)), ["bad-lock"]);
        assert_eq!(codes(&user.uninstall(&all())), ["bad-lock"]);
        assert_eq!(victims(&root), before);
        fs::remove_file(project.join("lawful.lock")).unwrap();
    }
    fs::remove_dir_all(&root).unwrap();
}

#[test]
fn a_lock_leads_through_no_link_that_leaves_the_project() {
    let root = folder("forged-lock-links");
    let user = || user(&root);
    drop(project(&root));
    let project = root.join("project");
    // Everything is as a lock says, and somewhere else.
    let (with_block, _) = crate::block::append("theirs\n", "crew", "You lead.");
    let agent = &AgentKeys::default();
    let subject = Subject { harness: "claude-code", book: "crew", role: "scout", agent };
    let agent = crate::owned::render(crate::Form::Owned(&[]), &subject, "You look.");
    fs::create_dir_all(root.join("outside/agents")).unwrap();
    fs::write(root.join("outside/victim.md"), &with_block).unwrap();
    fs::write(root.join("outside/agents/lawful-scout.md"), &agent).unwrap();
    fs::write(root.join("outside/settings.json"), "{\"outputStyle\": \"lawful-lead\"}").unwrap();
    fs::write(project.join(".git/info"), &with_block).unwrap();
    symlink(root.join("outside/victim.md"), project.join("AGENTS.md")).unwrap();
    symlink(".git/info", project.join("GEMINI.md")).unwrap();
    symlink(root.join("outside"), project.join(".claude")).unwrap();
    let row = |path: &str, kind: &str, harness: &str, role: &str, text: &str| {
        let hash = crate::text::hash(text);
        json!({"path": path, "kind": kind, "harness": harness, "role": role, "hash": hash})
    };
    let rows = [
        row("AGENTS.md", "block", "codex", "lead", "You lead."),
        row("GEMINI.md", "block", "gemini-cli", "lead", "You lead."),
        row(".claude/agents/lawful-scout.md", "owned", "claude-code", "scout", &agent),
        row(".claude/settings.json", "key", "claude-code", "lead", "lawful-lead"),
    ];
    let lock = json!({"format": 1, "project": "7".repeat(32), "files": rows});
    fs::write(project.join("lawful.lock"), lock.to_string()).unwrap();
    let before = victims(&root);
    assert!(user().ledger().files.is_empty());
    user().status(&book("1"));
    let asked = Request { overwrite: true, activate: true, ..request(all()) };
    assert!(user().install(&book("1"), &asked).has_conflict());
    assert!(!user().install(&book("1"), &request(named(&["cursor"]))).has_conflict());
    user().uninstall(&all());
    assert_eq!(victims(&root), before);
    for link in ["AGENTS.md", "GEMINI.md", ".claude"] {
        assert!(fs::symlink_metadata(project.join(link)).unwrap().is_symlink(), "{link}");
    }
    fs::remove_dir_all(&root).unwrap();
}

/// A ledger of an earlier version for an agent file in the place of a file of the user.
fn earlier(root: &Path) -> String {
    let user = user(root);
    let agent = root.join("project/.claude/agents/lawful-scout.md");
    fs::create_dir_all(agent.parent().unwrap()).unwrap();
    fs::write(&agent, "mine\n").unwrap();
    let asked = Request { overwrite: true, ..request(named(&["claude-code"])) };
    assert!(!user.install(&book("1"), &asked).has_conflict());
    let ledger: Value =
        serde_json::from_str(&fs::read_to_string(user.desk.path()).unwrap()).unwrap();
    // It had neither a lock nor anything in the state folder but the key.
    fs::remove_dir_all(root.join("state")).unwrap();
    fs::remove_file(root.join("project/lawful.lock")).unwrap();
    fs::create_dir_all(root.join("project/.lawful")).unwrap();
    fs::write(root.join("project/.lawful/.gitignore"), EARLIER_IGNORE).unwrap();
    keep_key(root);
    sealed(root, "ledger", &ledger)
}

#[test]
fn a_ledger_of_an_earlier_version_is_moved_to_the_state_folder() {
    let root = folder("forged-earlier");
    let text = earlier(&root);
    let file = root.join("project/.lawful/ledger.json");
    fs::write(&file, &text).unwrap();
    let user = || user(&root);
    // It is read where it is.
    assert!(!user().ledger().files.is_empty());
    assert!(user().status(&book("1")).iter().all(|file| file.state != FileState::Foreign));
    assert!(file.exists());
    // The next installation moves it, though nothing else changes.
    let plan = user().install(&book("1"), &request(named(&["claude-code"])));
    assert_eq!(codes(&plan), [""; 0]);
    assert!(!root.join("project/.lawful").exists() && root.join("project/lawful.lock").exists());
    assert!(!user().uninstall(&all()).has_conflict());
    let agent = root.join("project/.claude/agents/lawful-scout.md");
    assert_eq!(fs::read_to_string(&agent).unwrap(), "mine\n", "what it replaced is not lost");
    // So does an uninstallation.
    let text = earlier(&root);
    fs::write(&file, &text).unwrap();
    assert!(!user().uninstall(&all()).has_conflict());
    assert!(!root.join("project/.lawful").exists() && !root.join("project/lawful.lock").exists());
    assert_eq!(fs::read_to_string(&agent).unwrap(), "mine\n");
    // Of a change in it, or with another key, nothing is used.
    let text = earlier(&root);
    for (change, key) in [("\"zed\"", "07"), ("\"claude-code\"", "09")] {
        fs::write(&file, text.replace("\"claude-code\"", change)).unwrap();
        fs::write(root.join("state/lawful/key"), key.repeat(32)).unwrap();
        assert!(user().ledger().files.is_empty());
        assert_eq!(codes(&user().uninstall(&all())), ["foreign-ledger"]);
        assert!(file.exists());
    }
    fs::remove_dir_all(&root).unwrap();
}

#[test]
fn a_journal_of_an_earlier_version_is_completed() {
    for name in ["journal.json", "journal.staged.json"] {
        let root = folder("forged-earlier-journal");
        let text = earlier(&root);
        let project = root.join("project");
        fs::write(project.join(".lawful/ledger.json"), &text).unwrap();
        let from = crate::atomic::beside(Path::new("AGENTS.md"), "lawful-1");
        fs::write(project.join(&from), "written\n").unwrap();
        let journal = sealed(&root, "journal", &journal(Path::new("AGENTS.md"), &from));
        fs::write(project.join(".lawful").join(name), journal).unwrap();
        let user = user(&root);
        assert!(crate::is_interrupted(&OsDisk, &user.desk).unwrap());
        assert!(!user.uninstall(&all()).has_conflict());
        let agents = fs::read_to_string(project.join("AGENTS.md")).ok();
        assert_eq!(agents.is_some(), name == "journal.json");
        assert!(!project.join(&from).exists() && !project.join(".lawful").exists());
        fs::remove_dir_all(&root).unwrap();
    }
}
