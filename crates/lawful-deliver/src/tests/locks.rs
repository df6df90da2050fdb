//! Clones, branches, moves: what a project says of itself, and how far it is believed.

mod values;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{User, all, book, codes, disk, named, request};
use crate::disk::memory::{FailingDisk, Fault, MemoryDisk};
use crate::{BookRef, Disk as _, FileState, FileStatus, Prompts, Request, Scope};

const LOCK: &str = "/p/lawful.lock";
const SCOUT: &str = "/p/.claude/agents/lawful-scout.md";
const SET: &str = "{\"outputStyle\": \"lawful-lead\"}\n";
const SETTINGS: &str = "/p/.claude/settings.json";

type Files = BTreeMap<PathBuf, Vec<u8>>;

/// The files of a project, as a branch or a stash keeps them.
fn files(disk: &MemoryDisk, root: &str) -> Files {
    let inside = |(path, bytes): (PathBuf, Option<Vec<u8>>)| {
        Some((path.strip_prefix(root).ok()?.to_owned(), bytes?))
    };
    disk.tree().into_iter().filter_map(inside).collect()
}

/// Makes these the files of a project, as a checkout does.
fn check_out(disk: &MemoryDisk, root: &str, wanted: &Files) {
    for path in files(disk, root).keys().filter(|path| !wanted.contains_key(*path)) {
        disk.remove_file(&Path::new(root).join(path)).unwrap();
    }
    for (path, bytes) in wanted {
        disk.put(&Path::new(root).join(path), bytes);
    }
}

fn put(disk: &MemoryDisk, path: &str, text: &str) {
    disk.put(Path::new(path), text.as_bytes());
}

fn text(disk: &MemoryDisk, path: &str) -> String {
    disk.text(Path::new(path)).unwrap_or_default()
}

fn active(harnesses: &[&str]) -> Request {
    Request { activate: true, ..request(named(harnesses)) }
}

/// The states of files, by path.
fn states(found: &[FileStatus]) -> BTreeMap<(String, String), FileState> {
    found.iter().map(|file| ((file.harness.clone(), file.path.clone()), file.state)).collect()
}

/// A project with files of its owner.
fn owned_by_someone() -> MemoryDisk {
    let disk = disk();
    put(&disk, "/p/AGENTS.md", "# Mine\r\n\r\nNo tabs.\r\n");
    put(&disk, "/p/GEMINI.md", "\u{feff}no line end");
    put(&disk, SETTINGS, "{\n  // mine\n  \"env\": {}\n}\n");
    put(&disk, "/p/.codex/config.toml", "# mine\n[tools]\nx = 1\n");
    put(&disk, "/p/opencode.jsonc", "{ \"a\": 1 }");
    put(&disk, "/p/.qwen/.env", "A=1\n");
    disk
}

#[test]
fn a_clone_knows_what_is_installed_and_takes_it_out() {
    for activate in [false, true] {
        let disk = owned_by_someone();
        let before = files(&disk, "/p");
        let asked = Request { activate, ..request(all()) };
        User::new(&disk, Scope::Project).install(&book("1"), &asked);
        let installed = files(&disk, "/p");
        check_out(&disk, "/q", &installed);
        let here = states(&User::new(&disk, Scope::Project).status(&book("1")));
        let clone = User::at(&disk, "/q", false);
        let mut there = states(&clone.status(&book("1")));
        if activate {
            // The path in the settings is that of the first one, and an update changes it.
            let gemini = |file: &str| ("gemini-cli".to_owned(), format!(".gemini/{file}"));
            assert_eq!(there.insert(gemini(".env"), FileState::Clean), Some(FileState::Stale));
            let system = there.insert(gemini("system.md"), FileState::Clean);
            assert_eq!(system, Some(FileState::Inactive));
        }
        assert_eq!(there, here);
        let update = Request { update: true, ..request(all()) };
        let plan = clone.install(&book("1"), &update);
        assert!(!plan.has_conflict() && plan.is_done() != activate, "{:?}", plan.findings);
        // An update there, and everything of it again.
        assert!(!clone.install(&book("2"), &request(named(&["codex"]))).has_conflict());
        let plan = User::at(&disk, "/q", false).uninstall(&all());
        assert!(!plan.has_conflict(), "{:?}", plan.findings);
        let mut left = files(&disk, "/q");
        // Nothing says whether the last line of this one had an end.
        let ended = |text: Option<&mut Vec<u8>>| text.unwrap().extend(b"\n");
        if left.get(Path::new("GEMINI.md")) != before.get(Path::new("GEMINI.md")) {
            let mut expected = before.clone();
            ended(expected.get_mut(Path::new("GEMINI.md")));
            assert_eq!(left.get(Path::new("GEMINI.md")), expected.get(Path::new("GEMINI.md")));
            left.insert("GEMINI.md".into(), before[Path::new("GEMINI.md")].clone());
        }
        assert_eq!(left, before, "activate: {activate}");
        assert_eq!(files(&disk, "/p"), installed, "and the first one is as it was");
        let first = User::new(&disk, Scope::Project);
        assert_eq!(states(&first.status(&book("1"))), here);
        first.uninstall(&all());
        assert_eq!(files(&disk, "/p"), before);
    }
}

#[test]
fn an_uninstalled_clone_leaves_no_setting_that_names_a_file_that_is_gone() {
    let disk = disk();
    let asked = active(&["claude-code", "gemini-cli", "qwen", "opencode", "codex"]);
    User::new(&disk, Scope::Project).install(&book("1"), &asked);
    check_out(&disk, "/q", &files(&disk, "/p"));
    let plan = User::at(&disk, "/q", false).uninstall(&all());
    assert!(!plan.has_conflict(), "{:?}", plan.findings);
    assert_eq!(files(&disk, "/q"), Files::new());
    let folders = disk.tree().into_keys().filter(|path| path.starts_with("/q"));
    assert_eq!(folders.collect::<Vec<_>>(), [Path::new("/q")], "nor an empty folder");
}

/// The lock without the rows of settings.
fn without_keys(lock: &str) -> String {
    let mut lock: Value = serde_json::from_str(lock).unwrap();
    lock["files"].as_array_mut().unwrap().retain(|row| row["kind"] != "key");
    lock.to_string()
}

#[test]
fn a_setting_that_names_a_removed_file_goes_too_whatever_the_lock_has() {
    let asked = active(&["claude-code", "gemini-cli", "qwen", "opencode"]);
    for (setting, mine) in
        [(SETTINGS, "{\n  \"env\": {}\n}\n"), ("/p/opencode.jsonc", "{ \"a\": 1 }")]
    {
        let disk = disk();
        put(&disk, setting, mine);
        let before = files(&disk, "/p");
        User::new(&disk, Scope::Project).install(&book("1"), &asked);
        let mut clone = files(&disk, "/p");
        let lock = without_keys(&text(&disk, LOCK));
        clone.insert("lawful.lock".into(), lock.into_bytes());
        check_out(&disk, "/q", &clone);
        let plan = User::at(&disk, "/q", false).uninstall(&all());
        assert!(!plan.has_conflict(), "{:?}", plan.findings);
        assert_eq!(files(&disk, "/q"), before);
    }
}

#[test]
fn files_that_no_lock_lists_are_told_and_taken_out_with_their_settings() {
    let disk = disk();
    let asked = active(&["claude-code", "gemini-cli", "qwen", "opencode"]);
    User::new(&disk, Scope::Project).install(&book("1"), &asked);
    let mut clone = files(&disk, "/p");
    clone.remove(Path::new("lawful.lock"));
    let crew = Some(BookRef { id: "crew", source: "law" });
    let take = |disk: &MemoryDisk| {
        let user = User::at(disk, "/q", false);
        let (desk, places, ledger) = (&user.desk, &user.places, &user.ledger());
        let plan = crate::plan_uninstall(&all(), crew, desk, places, ledger, disk);
        crate::apply(disk, desk, places, &plan).unwrap();
        plan
    };
    for installs in [false, true] {
        let disk = disk.clone();
        check_out(&disk, "/q", &clone);
        let found = User::at(&disk, "/q", false).status(&book("1"));
        let told: BTreeSet<&str> = found.iter().map(|file| &*file.path).collect();
        let expected: BTreeSet<&str> = clone.keys().map(|path| path.to_str().unwrap()).collect();
        assert_eq!(told, expected);
        assert!(found.iter().all(|file| file.state == FileState::Foreign), "{found:?}");
        if installs {
            let again = request(named(&["claude-code", "opencode"]));
            assert!(!User::at(&disk, "/q", false).install(&book("1"), &again).has_conflict());
        }
        assert!(!take(&disk).has_conflict());
        assert_eq!(files(&disk, "/q"), Files::new());
        assert_eq!(User::at(&disk, "/q", false).status(&book("1")), []);
    }
    // What was edited stays, and so does the setting that names it.
    let path = Path::new(".claude/output-styles/lawful-lead.md");
    clone.get_mut(path).unwrap().extend(b"mine\n");
    check_out(&disk, "/q", &clone);
    assert_eq!(codes(&take(&disk)), ["edited-by-hand"]);
    let left: Vec<PathBuf> = files(&disk, "/q").into_keys().collect();
    assert_eq!(left, [path, Path::new(".claude/settings.json")]);
}

#[test]
fn a_setting_that_names_another_file_stays() {
    let disk = disk();
    let asked = active(&["claude-code", "gemini-cli"]);
    User::new(&disk, Scope::Project).install(&book("1"), &asked);
    let mut clone = files(&disk, "/p");
    let lock = without_keys(&text(&disk, LOCK));
    clone.insert("lawful.lock".into(), lock.into_bytes());
    let others = [
        (".claude/settings.json", "{\"outputStyle\": \"lawful-mine\"}\n"),
        (".gemini/.env", "GEMINI_SYSTEM_MD=/u/.gemini/system.md\n"),
    ];
    for (path, text) in others {
        clone.insert(path.into(), text.into());
    }
    check_out(&disk, "/q", &clone);
    User::at(&disk, "/q", false).uninstall(&all());
    let left = others.map(|(path, text)| (PathBuf::from(path), text.as_bytes().to_owned()));
    assert_eq!(files(&disk, "/q"), Files::from(left));
}

#[test]
fn what_was_adopted_stays_with_the_first() {
    let disk = disk();
    put(&disk, SCOUT, "mine\n");
    put(&disk, SETTINGS, "{\"outputStyle\": \"Terse\"}\n");
    let asked = Request { overwrite: true, ..active(&["claude-code"]) };
    User::new(&disk, Scope::Project).install(&book("1"), &asked);
    check_out(&disk, "/q", &files(&disk, "/p"));
    User::at(&disk, "/q", false).uninstall(&all());
    assert_eq!(files(&disk, "/q"), Files::new(), "a clone has nothing to restore");
    User::new(&disk, Scope::Project).uninstall(&all());
    assert_eq!(text(&disk, SCOUT), "mine\n");
    assert_eq!(text(&disk, SETTINGS), "{\"outputStyle\": \"Terse\"}\n");
}

#[test]
fn a_project_that_was_moved_is_known_again_once_that_is_confirmed() {
    let disk = disk();
    put(&disk, SCOUT, "mine\n");
    let asked = Request { overwrite: true, ..request(named(&["claude-code"])) };
    User::new(&disk, Scope::Project).install(&book("1"), &asked);
    let installed = files(&disk, "/p");
    disk.rename(Path::new("/p"), Path::new("/q")).unwrap();
    let user = User::at(&disk, "/q", false);
    assert_eq!(user.desk.moved_from(), Some(Path::new("/p")));
    let (found, findings) = user.status_and_findings(&book("1"));
    assert!(found.iter().all(|file| file.state != FileState::Foreign), "{found:?}");
    assert!(findings.iter().any(|finding| finding.code.name == "moved-project"));
    // Without a confirmation it is a clone, and the records stay where they were.
    let copy = disk.clone();
    let plan = User::at(&copy, "/q", false).uninstall(&all());
    assert_eq!(codes(&plan), ["moved-project"]);
    assert_eq!(files(&copy, "/q"), Files::new());
    check_out(&copy, "/p", &installed);
    User::new(&copy, Scope::Project).uninstall(&all());
    assert_eq!(text(&copy, SCOUT), "mine\n", "should it come back");
    // With one, it is the project that it was.
    let user = User::at(&disk, "/q", true);
    assert_eq!(user.desk.moved_from(), None);
    assert_eq!(codes(&user.install(&book("2"), &request(named(&["claude-code"])))), [""; 0]);
    let user = User::at(&disk, "/q", false);
    assert_eq!(user.desk.moved_from(), None, "and that is asked once");
    assert_eq!(codes(&user.uninstall(&all())), [""; 0]);
    assert_eq!(text(&disk, "/q/.claude/agents/lawful-scout.md"), "mine\n");
    assert!(!disk.tree().keys().any(|path| path.starts_with("/s")));
}

#[test]
fn a_move_can_be_confirmed_after_the_project_was_used_as_a_clone() {
    let disk = disk();
    put(&disk, SCOUT, "mine\n");
    put(&disk, SETTINGS, "{\"outputStyle\": \"Terse\"}\n");
    let asked = Request { overwrite: true, ..active(&["claude-code"]) };
    User::new(&disk, Scope::Project).install(&book("1"), &asked);
    disk.rename(Path::new("/p"), Path::new("/q")).unwrap();
    let update = request(named(&["claude-code", "codex"]));
    // Nor does a crash close the question.
    for at in 0.. {
        let disk = disk.clone();
        let failing = FailingDisk::new(&disk, Fault::Crash, at);
        let is_done = User::at(&failing, "/q", false).try_install(&book("2"), &update).is_ok();
        disk.lose_power();
        assert_eq!(codes(&User::at(&disk, "/q", true).uninstall(&all())), [""; 0]);
        assert_eq!(text(&disk, "/q/.claude/agents/lawful-scout.md"), "mine\n", "at {at}");
        if is_done {
            break;
        }
    }
    let user = || User::at(&disk, "/q", false);
    assert_eq!(codes(&user().install(&book("2"), &update)), ["moved-project"]);
    let records = |disk: &MemoryDisk| files(disk, "/s").len();
    assert_eq!(records(&disk), 4);
    assert_eq!(codes(&user().install(&book("3"), &update)), ["moved-project"], "it stays open");
    // Whoever says no is not asked again.
    let copy = disk.clone();
    let no = crate::Desk::of_project(&copy, Path::new("/q"), &super::state(), Some(false));
    let no = User { disk: &copy, places: user().places, desk: no.unwrap() };
    assert_eq!(codes(&no.install(&book("3"), &update)), [""; 0]);
    assert_eq!(User::at(&copy, "/q", false).desk.moved_from(), None);
    assert_eq!(records(&copy), 4);
    // Whoever says yes has both, at every crash in between.
    for at in 0.. {
        let disk = disk.clone();
        let failing = FailingDisk::new(&disk, Fault::Crash, at);
        let is_done = User::at(&failing, "/q", true).try_install(&book("3"), &update).is_ok();
        disk.lose_power();
        assert_eq!(codes(&User::at(&disk, "/q", true).install(&book("3"), &update)), [""; 0]);
        assert_eq!(codes(&User::at(&disk, "/q", false).uninstall(&all())), [""; 0]);
        assert_eq!(records(&disk), 0, "at {at}");
        assert_eq!(text(&disk, "/q/.claude/agents/lawful-scout.md"), "mine\n", "at {at}");
        let settings = text(&disk, "/q/.claude/settings.json");
        assert_eq!(settings, "{\"outputStyle\": \"Terse\"}\n", "at {at}");
        if is_done {
            break;
        }
    }
}

#[test]
fn a_stash_loses_no_track() {
    let disk = disk();
    put(&disk, SCOUT, "mine\n");
    let before = files(&disk, "/p");
    let asked = Request { overwrite: true, ..active(&["claude-code"]) };
    User::new(&disk, Scope::Project).install(&book("1"), &asked);
    let installed = files(&disk, "/p");
    check_out(&disk, "/p", &before);
    // Nothing of it is there, and it is known.
    let found = User::new(&disk, Scope::Project).status(&book("1"));
    assert!(!found.is_empty());
    assert!(found.iter().all(|file| file.state != FileState::Clean), "{found:?}");
    check_out(&disk, "/p", &installed);
    let user = User::new(&disk, Scope::Project);
    assert!(user.status(&book("1")).iter().all(|file| file.state == FileState::Clean));
    // A lock that was deleted comes back with the same id.
    disk.remove_file(Path::new(LOCK)).unwrap();
    User::new(&disk, Scope::Project).install(&book("1"), &asked);
    assert_eq!(files(&disk, "/p"), installed);
    User::new(&disk, Scope::Project).uninstall(&all());
    assert_eq!(files(&disk, "/p"), before);
}

#[test]
fn another_project_at_the_path_of_one_that_is_gone_inherits_nothing() {
    let disk = disk();
    disk.identify(Path::new("/p"), "1");
    put(&disk, SETTINGS, "{\"outputStyle\": \"A-private-style\"}\n");
    let asked = Request { overwrite: true, ..active(&["claude-code"]) };
    User::new(&disk, Scope::Project).install(&book("1"), &asked);
    let first = files(&disk, "/p");
    let records = files(&disk, "/s");
    disk.identify(Path::new("/p"), "2");
    let second = Files::from([(".claude/settings.json".into(), SET.into())]);
    check_out(&disk, "/p", &second);
    let user = || {
        let desk = crate::Desk::of_project(&disk, Path::new("/p"), &super::state(), None).unwrap();
        User { desk, ..User::new(&disk, Scope::Project) }
    };
    let (found, findings) = user().status_and_findings(&book("1"));
    assert_eq!(found, []);
    let told = |code: &str| findings.iter().any(|finding| finding.code.name == code);
    assert!(told("other-project"), "{findings:?}");
    assert_eq!(codes(&user().uninstall(&all())), ["other-project"]);
    assert_eq!((files(&disk, "/p"), files(&disk, "/s")), (second, records.clone()));
    // It has records of its own, beside those.
    user().install(&book("1"), &request(named(&["goose"])));
    assert_eq!(codes(&user().uninstall(&all())), [""; 0]);
    assert_eq!(files(&disk, "/s"), records);
    // The first one is known by its lock, and then by its folder.
    check_out(&disk, "/p", &first);
    user().install(&book("2"), &request(named(&["claude-code"])));
    disk.remove_file(Path::new(LOCK)).unwrap();
    assert_eq!(codes(&user().uninstall(&all())), [""; 0]);
    assert_eq!(text(&disk, SETTINGS), "{\"outputStyle\": \"A-private-style\"}\n");
}

#[test]
fn uninstalling_what_is_not_there_forgets_nothing() {
    let disk = disk();
    put(&disk, SCOUT, "mine\n");
    put(&disk, SETTINGS, "{\"outputStyle\": \"Terse\"}\n");
    put(&disk, "/p/opencode.json", "{}");
    let before = files(&disk, "/p");
    let asked = Request { overwrite: true, ..active(&["claude-code", "opencode", "codex"]) };
    User::new(&disk, Scope::Project).install(&book("1"), &asked);
    let installed = files(&disk, "/p");
    check_out(&disk, "/p", &before);
    let tree = disk.tree();
    let plan = User::new(&disk, Scope::Project).uninstall(&all());
    assert!(plan.is_done() && !plan.has_conflict(), "{:?}", plan.findings);
    assert_eq!(disk.tree(), tree);
    check_out(&disk, "/p", &installed);
    User::new(&disk, Scope::Project).uninstall(&all());
    assert_eq!(files(&disk, "/p"), before);
}

#[test]
fn a_branch_has_what_its_lock_and_its_files_have() {
    let disk = disk();
    put(&disk, SCOUT, "mine\n");
    let user = || User::new(&disk, Scope::Project);
    user().install(&book("1"), &request(named(&["goose"])));
    let main = files(&disk, "/p");
    let overwriting = Request { overwrite: true, ..active(&["claude-code"]) };
    user().install(&book("2"), &overwriting);
    user().install(&book("2"), &request(named(&["goose"])));
    let other = files(&disk, "/p");
    check_out(&disk, "/p", &main);
    let found = user().status(&book("2"));
    let expected = ("goose".to_owned(), "AGENTS.md".to_owned());
    // The older text is what was written here, not an edit.
    assert_eq!(states(&found), [(expected, FileState::Stale)].into());
    let plan = user().install(&book("3"), &Request { update: true, ..request(named(&["goose"])) });
    assert!(!plan.has_conflict());
    let main = files(&disk, "/p");
    assert!(!text(&disk, LOCK).contains("claude-code"));
    check_out(&disk, "/p", &other);
    let found = user().status(&book("2"));
    assert_eq!(found.len(), 5, "{found:?}");
    assert!(found.iter().all(|file| file.state == FileState::Clean), "{found:?}");
    // Uninstalled on one branch, it is there on the other.
    check_out(&disk, "/p", &main);
    user().uninstall(&all());
    assert_eq!(text(&disk, LOCK), "");
    check_out(&disk, "/p", &other);
    assert!(!user().uninstall(&all()).has_conflict());
    assert_eq!(text(&disk, SCOUT), "mine\n", "what was replaced there is known still");
}

#[test]
fn of_two_states_of_a_path_the_one_of_the_lock_is_used_or_the_last() {
    let disk = disk();
    let user = || User::new(&disk, Scope::Project);
    user().install(&book("1"), &request(named(&["goose"])));
    let ours = files(&disk, "/p");
    // A branch on which somebody else installed first, so it has another id.
    let mut theirs = ours.clone();
    let lock = text(&disk, LOCK).replace(&"5".repeat(32), &"6".repeat(32));
    theirs.insert("lawful.lock".into(), lock.clone().into_bytes());
    check_out(&disk, "/p", &theirs);
    assert!(user().ledger().files.iter().all(|entry| entry.path == "AGENTS.md"));
    user().install(&book("2"), &request(named(&["gemini-cli"])));
    assert!(text(&disk, LOCK).contains(&"6".repeat(32)));
    let folders = || {
        let tree = disk.tree().into_keys();
        tree.filter(|path| path.parent() == Some(Path::new("/s/lawful/projects"))).count()
    };
    assert_eq!(folders(), 2);
    check_out(&disk, "/p", &Files::new());
    let paths = |user: &User<'_, MemoryDisk>| {
        user.ledger().files.iter().map(|entry| entry.path.clone()).collect::<Vec<_>>()
    };
    assert!(paths(&user()).contains(&"GEMINI.md".to_owned()), "the last one");
    check_out(&disk, "/p", &ours);
    assert_eq!(paths(&user()), ["AGENTS.md"]);
    user().install(&book("2"), &request(named(&["goose"])));
    check_out(&disk, "/p", &Files::new());
    assert_eq!(paths(&user()), ["AGENTS.md"], "which is this one now");
}

#[test]
fn a_lost_ledger_is_made_up_for_by_the_lock() {
    let disk = owned_by_someone();
    let before = files(&disk, "/p");
    let asked = active(&["claude-code", "codex", "opencode", "cursor", "qwen"]);
    User::new(&disk, Scope::Project).install(&book("1"), &asked);
    super::lose_ledger(&disk, false);
    let user = User::new(&disk, Scope::Project);
    let found = user.status(&book("1"));
    assert!(found.iter().all(|file| file.state == FileState::Clean), "{found:?}");
    assert!(!user.uninstall(&all()).has_conflict());
    assert_eq!(files(&disk, "/p"), before);
}

#[test]
fn what_was_edited_in_a_clone_stays_and_is_told() {
    let disk = disk();
    User::new(&disk, Scope::Project)
        .install(&book("1"), &request(named(&["claude-code", "codex"])));
    check_out(&disk, "/q", &files(&disk, "/p"));
    for path in ["/q/AGENTS.md", "/q/.claude/agents/lawful-scout.md"] {
        let edited = text(&disk, path).replace("You ", "You must ");
        put(&disk, path, &edited);
    }
    let user = || User::at(&disk, "/q", false);
    let found = states(&user().status(&book("1")));
    let drifted = found.values().filter(|state| **state == FileState::Drifted).count();
    assert_eq!(drifted, 2, "{found:?}");
    let found = states(&user().status(&book("2")));
    assert_eq!(found.values().filter(|state| **state == FileState::Both).count(), 2, "{found:?}");
    let edited = files(&disk, "/q");
    let plan = user().install(&book("2"), &request(named(&["claude-code", "codex"])));
    assert_eq!(codes(&plan), ["edited-by-hand"; 2]);
    assert_eq!(files(&disk, "/q"), edited);
    assert_eq!(codes(&user().uninstall(&all())), ["edited-by-hand"; 2]);
    let left: Vec<PathBuf> = files(&disk, "/q").into_keys().collect();
    let expected = [".claude/agents/lawful-scout.md", "AGENTS.md", "lawful.lock"];
    assert_eq!(left, expected.map(PathBuf::from), "what stays is still in the lock");
    assert!(
        !user()
            .install(&book("2"), &Request { overwrite: true, ..request(named(&["codex"])) })
            .has_conflict()
    );
}

#[test]
fn a_lock_that_is_none_is_neither_used_nor_lost() {
    let disk = disk();
    let user = || User::new(&disk, Scope::Project);
    let asked = request(named(&["codex"]));
    user().install(&book("1"), &asked);
    let good = text(&disk, LOCK);
    let bad = format!("<<<<<<< HEAD\n{good}=======\n>>>>>>> other\n");
    put(&disk, LOCK, &bad);
    let before = disk.tree();
    let plan = user().install(&book("2"), &asked);
    assert_eq!(codes(&plan), ["bad-lock"]);
    assert!(plan.has_conflict());
    let plan = user().uninstall(&all());
    assert_eq!(codes(&plan), ["bad-lock"]);
    assert!(plan.has_conflict());
    let (found, findings) = user().status_and_findings(&book("1"));
    assert_eq!(found[0].state, FileState::Clean, "the ledger knows it");
    assert!(findings.iter().any(|finding| finding.code.name == "bad-lock"));
    assert_eq!(disk.tree(), before);
    // Both ways out that the help names.
    let copy = disk.clone();
    let overwriting = Request { overwrite: true, ..asked.clone() };
    assert!(!User::new(&copy, Scope::Project).install(&book("1"), &overwriting).has_conflict());
    assert_eq!(text(&copy, LOCK), good);
    disk.remove_file(Path::new(LOCK)).unwrap();
    user().install(&book("1"), &asked);
    assert_eq!(text(&disk, LOCK), good);
}

#[test]
fn a_ledger_holds_a_thousand_roles_and_no_more() {
    let many = |number: usize, length: usize| {
        let mut prompts = book("1");
        let more = (prompts.roles.len()..number).map(|at| {
            let mut prompt = prompts.roles[1].clone();
            prompt.role = format!("scout-{at}");
            prompt.text.push_str(&"x".repeat(length));
            prompt
        });
        let more: Vec<_> = more.collect();
        prompts.roles.extend(more);
        prompts
    };
    let disk = disk();
    let before = disk.tree();
    let user = User::new(&disk, Scope::Project);
    let asked = request(named(&["claude-code"]));
    for (prompts, expected) in [(many(1_001, 0), "roles"), (many(70, 1024 * 1024), "MiB")] {
        let plan = user.install(&prompts, &asked);
        assert_eq!(codes(&plan), ["ledger-full"]);
        let message = &plan.findings[0].message;
        assert!(message.contains(expected), "{message}");
        assert_eq!(disk.tree(), before);
    }
    // More than any other file that is read.
    let most = many(1_000, 5 * 1024);
    assert_eq!(codes(&user.install(&most, &asked)), [""; 0]);
    assert!(super::ledger_text(&disk).len() > 5 * 1024 * 1024);
    assert!(user.install(&most, &asked).is_done());
    super::lose_ledger(&disk, false);
    let user = User::new(&disk, Scope::Project);
    assert_eq!(user.ledger().files.len(), 1_000, "the lock has room for as many");
    user.uninstall(&all());
    assert_eq!(files(&disk, "/p"), Files::new());
}

#[test]
fn two_books_in_one_file_are_told_apart_in_a_clone() {
    let disk = disk();
    let user = || User::new(&disk, Scope::Project);
    let other = Prompts { book: "other".to_owned(), ..book("1") };
    user().install(&book("1"), &request(named(&["goose", "zed"])));
    let of_other = Request { source: "law2".to_owned(), ..request(named(&["goose"])) };
    user().install(&other, &of_other);
    super::lose_ledger(&disk, false);
    let ledger = user().ledger();
    let found: Vec<(&str, usize)> =
        ledger.files.iter().map(|entry| (&*entry.book, entry.harnesses.len())).collect();
    assert_eq!(found, [("crew", 2), ("other", 1)]);
}
