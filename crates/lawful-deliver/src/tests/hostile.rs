//! A project in which nothing is as it should be, on the real disk.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use super::{User, all, book, codes, named, request};
use crate::disk::OsDisk;
use crate::state::tests::{folder, state};
use crate::{Desk, Places, Request};

pub(super) fn user(root: &Path) -> User<'static, OsDisk> {
    let home = root.join("home").into_os_string();
    let project = root.join("project");
    fs::create_dir_all(&project).unwrap();
    fs::create_dir_all(Path::new(&home).join(".codex")).unwrap();
    // Most tests are not about trust.
    let trust =
        format!("[projects.{:?}]\ntrust_level = \"trusted\"\n", project.display().to_string());
    fs::write(Path::new(&home).join(".codex/config.toml"), trust).unwrap();
    User {
        disk: &OsDisk,
        places: Places::new(&project, |name| match name {
            "HOME" => Some(home.clone()),
            "GEMINI_CLI_TRUST_WORKSPACE" => Some("true".into()),
            _ => None,
        }),
        desk: super::of_project(&OsDisk, &project, &state(&root.join("state"))),
    }
}

/// Every file and what is in it, every link and where it leads.
pub(super) fn tree(root: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(root).unwrap().flatten() {
        let (path, kind) = (entry.path(), entry.file_type().unwrap());
        if kind.is_dir() {
            found.push((path.clone(), "folder".to_owned()));
            found.extend(tree(&path));
        } else if kind.is_symlink() {
            found.push((path.clone(), fs::read_link(&path).unwrap().display().to_string()));
        } else {
            let bytes = fs::read(&path).unwrap();
            found.push((path, String::from_utf8_lossy(&bytes).into_owned()));
        }
    }
    found.sort();
    found
}

/// Installs where it cannot be done: this is said, and nothing is different.
fn check(name: &str, ids: &[&str], code: &str, spoil: impl Fn(&Path)) {
    let root = folder(name);
    let user = user(&root);
    spoil(&root.join("project"));
    let before = tree(&root);
    let asked = Request { activate: true, ..request(named(ids)) };
    let plan = user.install(&book("1"), &asked);
    assert!(plan.has_conflict(), "{name}");
    assert!(codes(&plan).contains(&code), "{name}: {:?}", plan.findings);
    assert_eq!(tree(&root), before, "{name}");
    fs::remove_dir_all(&root).unwrap();
}

pub(super) const BLOCK: &str = "<!-- lawful:begin crew 0 -->\nold\n<!-- lawful:end crew -->\n";

#[test]
fn nothing_is_written_where_anything_is_wrong() {
    let put = |path: &'static str, text: &'static str| {
        move |root: &Path| {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
    };
    let ids = ["claude-code", "codex", "opencode", "gemini-cli", "agents-md"];
    check("hostile-unclosed", &ids, "broken-block", |root| {
        fs::write(root.join("AGENTS.md"), "a\n<!-- lawful:begin crew 0 -->\nb\n").unwrap();
    });
    check("hostile-doubled", &ids, "broken-block", |root| {
        fs::write(root.join("AGENTS.md"), format!("{BLOCK}mine\n{BLOCK}")).unwrap();
    });
    check("hostile-other", &ids, "broken-block", |root| {
        fs::write(root.join("AGENTS.md"), "# >>> predicate conditioning block >>>\nx\n").unwrap();
    });
    check("hostile-edited", &ids, "edited-by-hand", |root| {
        fs::write(root.join("AGENTS.md"), BLOCK).unwrap();
    });
    check("hostile-folder", &ids, "cannot-deliver", |root| {
        fs::create_dir_all(root.join("AGENTS.md")).unwrap();
    });
    check("hostile-file", &ids, "cannot-deliver", put(".claude", "a file\n"));
    check("hostile-bytes", &ids, "cannot-deliver", |root| {
        fs::write(root.join("AGENTS.md"), b"\xff\xfe").unwrap();
    });
    check("hostile-json", &ids, "cannot-deliver", put(".claude/settings.json", "{\"a\": "));
    check("hostile-toml", &["codex"], "cannot-deliver", put(".codex/config.toml", "a = \n"));
    check(
        "hostile-taken",
        &["codex"],
        "not-ours",
        put(".codex/config.toml", "developer_instructions = 'x'\n"),
    );
    check("hostile-foreign", &ids, "not-ours", put(".claude/agents/lawful-scout.md", "mine\n"));
    check("hostile-link", &ids, "outside-root", |root| {
        fs::write(root.parent().unwrap().join("victim.md"), "theirs\n").unwrap();
        symlink(root.parent().unwrap().join("victim.md"), root.join("AGENTS.md")).unwrap();
    });
    check("hostile-link-folder", &ids, "outside-root", |root| {
        symlink(root.parent().unwrap(), root.join(".claude")).unwrap();
    });
    check("hostile-nowhere", &ids, "outside-root", |root| {
        symlink("nowhere.md", root.join("AGENTS.md")).unwrap();
    });
}

#[test]
fn a_folder_that_cannot_be_written_is_named_and_nothing_is_written() {
    let root = folder("hostile-read-only");
    let user = user(&root);
    let locked = root.join("project/.github");
    fs::create_dir_all(&locked).unwrap();
    let before = tree(&root);
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o555)).unwrap();
    let is_root = fs::write(locked.join("probe"), "").is_ok();
    let _ = fs::remove_file(locked.join("probe"));
    let done = user.try_install(&book("1"), &request(all())).unwrap();
    let after = tree(&root);
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o755)).unwrap();
    // Nothing is closed to the superuser; the disk in memory and the program under another name are
    // tried elsewhere.
    if !is_root {
        assert!(done.has_conflict());
        assert_eq!(done.findings[0].path.as_deref(), Some(".github"));
        assert_eq!(after, before);
    }
    fs::remove_dir_all(&root).unwrap();
}

#[test]
fn an_odd_project_is_left_as_it_was() {
    let root = folder("hostile-odd");
    let user = user(&root);
    let project = root.join("project");
    let write = |path: &str, text: &str| {
        fs::create_dir_all(project.join(path).parent().unwrap()).unwrap();
        fs::write(project.join(path), text).unwrap();
    };
    write("docs/agents.md", "\u{feff}# Mine\r\nno line end");
    symlink("docs/agents.md", project.join("AGENTS.md")).unwrap();
    write(
        "GEMINI.md",
        "# >>> predicate conditioning block >>>\nx\n# <<< predicate conditioning block <<<\n",
    );
    write(".claude/settings.json", "{\r\n  // mine\r\n  \"a\": [1,],\r\n}\r\n");
    write(".codex/config.toml", "# mine\r\n[t]\r\nx = 1");
    write(".clinerules/mine.md", "");
    fs::set_permissions(project.join(".codex/config.toml"), fs::Permissions::from_mode(0o600))
        .unwrap();
    let before = tree(&root);
    let asked = Request { activate: true, ..request(all()) };
    for edition in ["1", "2", "2"] {
        let plan = user.install(&book(edition), &asked);
        assert!(!plan.has_conflict(), "{:?}", plan.findings);
    }
    assert!(fs::symlink_metadata(project.join("AGENTS.md")).unwrap().is_symlink());
    let mode = |path: &str| fs::metadata(project.join(path)).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(".codex/config.toml"), 0o600);
    let of_state = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(of_state(&user.desk.path()), 0o600);
    fs::set_permissions(user.desk.path(), fs::Permissions::from_mode(0o644)).unwrap();
    user.install(&book("3"), &asked);
    user.install(&book("2"), &asked);
    assert_eq!(of_state(&user.desk.path()), 0o600, "and made so again");
    for folder in user.desk.folder.ancestors().take_while(|folder| *folder != root) {
        assert_eq!(of_state(folder), 0o700, "{}", folder.display());
    }
    assert!(!project.join(".lawful").exists(), "no record of ours is in the project");
    assert!(
        user.status(&book("2"))
            .iter()
            .all(|file| file.state == crate::FileState::Clean && file.core)
    );
    assert!(!user.uninstall(&all()).has_conflict());
    assert_eq!(tree(&root), before);
    fs::remove_dir_all(&root).unwrap();
}

#[test]
fn overwriting_takes_the_place_and_gives_it_back() {
    let root = folder("hostile-overwrite");
    let user = user(&root);
    let agent = root.join("project/.claude/agents/lawful-scout.md");
    fs::create_dir_all(agent.parent().unwrap()).unwrap();
    fs::write(&agent, "mine\n").unwrap();
    let before = tree(&root);
    let asked = Request { overwrite: true, ..request(named(&["claude-code"])) };
    assert!(!user.install(&book("1"), &asked).has_conflict());
    assert!(fs::read_to_string(&agent).unwrap().contains("You look."));
    // An edit of ours is written over only so as well.
    let text = fs::read_to_string(&agent).unwrap();
    fs::write(&agent, text.replace("You look", "You sleep")).unwrap();
    assert_eq!(
        codes(&user.install(&book("2"), &request(named(&["claude-code"])))),
        ["edited-by-hand"]
    );
    assert_eq!(codes(&user.uninstall(&all())), ["edited-by-hand"], "nor is it removed");
    assert!(agent.exists());
    user.install(&book("2"), &asked);
    user.uninstall(&all());
    assert_eq!(tree(&root), before);
    fs::remove_dir_all(&root).unwrap();
}

#[test]
fn a_project_that_was_moved_in_the_middle_is_finished_where_it_is() {
    use crate::disk::memory::{FailingDisk, Fault};
    let (mut back, mut forth) = (0, 0);
    for at in 0..200 {
        let root = folder("hostile-moved");
        let old = user(&root);
        fs::write(root.join("project/AGENTS.md"), "# Mine\n").unwrap();
        let failing = FailingDisk::new(&OsDisk, Fault::Crash, at);
        let broken = User { disk: &failing, places: old.places, desk: old.desk };
        let asked = request(named(&["agents-md", "claude-code"]));
        let is_done = broken.try_install(&book("1"), &asked).is_ok();
        let moved = root.join("moved");
        fs::rename(root.join("project"), &moved).unwrap();
        let state = state(&root.join("state"));
        let mut desk = Desk::of_project(&OsDisk, &moved, &state, Some(true)).unwrap();
        let places = Places::new(&moved, |_| None);
        crate::recover(&OsDisk, &mut desk, &places).unwrap();
        let left = tree(&moved);
        let has = |end: &str| left.iter().any(|(path, _)| path.ends_with(end));
        let agents = fs::read_to_string(moved.join("AGENTS.md")).unwrap();
        if has("lawful.lock") {
            // The lock says which project it is.
            assert!(agents.contains("You lead.") && has("CLAUDE.md"), "{left:?}");
            assert!(!left.iter().any(|(path, _)| path.extension().is_some_and(|e| e == "tmp")));
            forth += 1;
        } else {
            assert!(agents == "# Mine\n" && !has("CLAUDE.md"), "{left:?}");
            back += 1;
        }
        fs::remove_dir_all(&root).unwrap();
        if is_done {
            break;
        }
    }
    assert!(back > 3 && forth > 3, "{back} back, {forth} forth");
}
