//! Ledgers and journals that came with a project, on the real disk.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use serde_json::{Value, json};

use super::hostile::{BLOCK, tree, user};
use super::{User, all, book, codes, named, request, seal};
use crate::disk::OsDisk;
use crate::journal::Journal;
use crate::state::tests::{folder, state};
use crate::{Desk, Ledger, Places, Seal};

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

/// The same under a seal, as if the key were known.
fn sealed_journal(desk: &Desk, journal: &Value) -> String {
    let journal: Journal = serde_json::from_value(journal.clone()).unwrap();
    serde_json::to_string(&desk.seal(&OsDisk, "journal", journal).unwrap()).unwrap()
}

fn sealed_ledger(desk: &Desk, ledger: &Value) -> String {
    let ledger: Ledger = serde_json::from_value(ledger.clone()).unwrap();
    serde_json::to_string(&desk.seal(&OsDisk, "ledger", ledger).unwrap()).unwrap()
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
    victims
        .extend(tree(root).into_iter().filter(|(path, _)| !path.starts_with(root.join("project"))));
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
            let aside = file.with_file_name(name.replace(".json", ".foreign.json"));
            assert_eq!(fs::read_to_string(&aside).unwrap(), text, "nothing of it is lost");
            // A second one does not take the place of the first.
            fs::write(&file, "{}").unwrap();
            user.install(&book("2"), &request(named(&["codex"])));
            assert_eq!(fs::read_to_string(&aside).unwrap(), text);
            assert!(!file.exists());
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
        fs::write(user.desk.path(), &text).unwrap();
        assert!(user.ledger().files.is_empty());
        let all_before = tree(&root);
        assert_eq!(codes(&user.uninstall(&all())), ["foreign-ledger"]);
        assert_eq!(tree(&root), all_before);
        let (_, findings) = user.status_and_findings(&book("1"));
        assert_eq!(findings[0].code.name, "foreign-ledger");
        let plan = user.install(&book("1"), &request(named(&["codex"])));
        assert_eq!(codes(&plan), ["foreign-ledger"]);
        assert_eq!(victims(&root), before, "{path}");
        let aside = root.join("project/.lawful/ledger.foreign.json");
        assert_eq!(fs::read_to_string(aside).unwrap(), text);
        assert_eq!(codes(&user.uninstall(&all())), [""; 0]);
        assert_eq!(victims(&root), before, "{path}");
        assert!(!root.join("project/AGENTS.md").exists());
        fs::remove_dir_all(&root).unwrap();
    }
}

#[test]
fn a_seal_is_no_leave_to_write_where_the_table_names_nothing() {
    let root = folder("forged-sealed");
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
    for target in targets {
        for from in [Path::new("evil").to_owned(), beside(target)] {
            let text = sealed_journal(&user.desk, &journal(Path::new(target), &from));
            for name in ["journal.json", "journal.staged.json"] {
                let file = project.join(".lawful").join(name);
                fs::write(&file, &text).unwrap();
                let error = user.try_install(&book("1"), &request(named(&["codex"]))).unwrap_err();
                let said = error.to_string();
                let known = ["not a file that a harness reads", "leads out of", "is below `.git`"];
                assert!(known.iter().any(|known| said.contains(known)), "{target}: {said}");
                assert_eq!(victims(&root), before, "{target}");
                fs::remove_file(&file).unwrap();
            }
        }
        for mode in [evil(), json!({"block": {"before": "", "after": "", "ended": true}})] {
            let folders = [".git/refs/tags", "link/inner", "../victim/inner", "src"];
            fs::create_dir_all(project.join("src")).unwrap();
            fs::write(
                user.desk.path(),
                sealed_ledger(&user.desk, &ledger(target, &mode, &folders)),
            )
            .unwrap();
            let plan = user.uninstall(&all());
            assert!(plan.has_conflict(), "{target}");
            assert!(["cannot-deliver", "outside-root"].contains(&codes(&plan)[0]), "{target}");
            assert_eq!(victims(&root), before, "{target}");
            assert!(project.join("src").exists(), "a folder of others stays, empty or not");
        }
        fs::remove_file(user.desk.path()).unwrap();
    }
    // A text that takes a place must be the one that was written beside it.
    let text = sealed_journal(&user.desk, &journal(Path::new("AGENTS.md"), Path::new("evil")));
    fs::write(project.join(".lawful/journal.json"), text).unwrap();
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
    // Nor does the folder of the ledger lead there, or out of the project.
    let _ = fs::remove_dir_all(project.join(".lawful"));
    for to in [Path::new(".git/hooks"), &*root] {
        symlink(to, project.join(".lawful")).unwrap();
        assert!(user.try_install(&book("1"), &request(named(&["codex"]))).is_err());
        assert_eq!(victims(&root), before);
        fs::remove_file(project.join(".lawful")).unwrap();
    }
    fs::remove_dir_all(&root).unwrap();
}

#[test]
fn a_record_of_another_project_or_of_another_user_is_foreign() {
    let root = folder("forged-copied");
    let user = user(&root);
    let asked = request(named(&["codex"]));
    user.install(&book("1"), &asked);
    let text = fs::read_to_string(user.desk.path()).unwrap();
    let at = |name: &str, seal: Option<Seal>| {
        let project = root.join(name);
        fs::create_dir_all(project.join(".lawful")).unwrap();
        fs::write(project.join(".lawful/ledger.json"), &text).unwrap();
        let places = Places::new(&project, |_| None);
        User { disk: &OsDisk, places, desk: Desk::of_project(&project, seal) }
    };
    assert!(at("clone", Some(seal())).ledger().files.is_empty(), "a copy in another place");
    assert!(at("project", Some(Seal::new([9; 32]))).ledger().files.is_empty());
    assert!(at("project", None).ledger().files.is_empty(), "who never sealed anything has none");
    assert!(!user.ledger().files.is_empty());
    fs::write(user.desk.path(), text.replace("\"codex\"", "\"zed\"")).unwrap();
    assert!(user.ledger().files.is_empty(), "a seal is on every word");
    fs::write(user.desk.path(), &text).unwrap();
    // The same folder under another name is the same project.
    fs::rename(root.join("project"), root.join("moved")).unwrap();
    let moved = at("moved", Some(seal()));
    assert!(!moved.ledger().files.is_empty());
    assert_eq!(codes(&moved.uninstall(&all())), [""; 0]);
    assert!(!root.join("moved/AGENTS.md").exists());
    fs::remove_dir_all(&root).unwrap();
}

#[test]
fn a_key_is_made_once_and_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let root = folder("forged-key");
    let state = state(&root);
    assert_eq!(state.seal().unwrap(), None);
    let seal = state.make_seal().unwrap();
    assert_eq!(state.make_seal().unwrap(), seal);
    assert_eq!(state.seal().unwrap(), Some(seal.clone()));
    let key = root.join("lawful/key");
    assert_eq!(fs::metadata(&key).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(fs::read_dir(root.join("lawful")).unwrap().count(), 1);
    fs::set_permissions(&key, fs::Permissions::from_mode(0o644)).unwrap();
    assert!(state.seal().unwrap_err().to_string().contains("only you can read"));
    fs::set_permissions(&key, fs::Permissions::from_mode(0o600)).unwrap();
    fs::write(&key, "short").unwrap();
    assert!(state.make_seal().is_err());
    fs::remove_file(&key).unwrap();
    assert_ne!(state.make_seal().unwrap(), seal);
    fs::remove_dir_all(&root).unwrap();
}
