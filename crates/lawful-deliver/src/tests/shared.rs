//! One thing, and several who would have it: two books, two names of a book, two names of a file.

use std::path::Path;

use super::{User, all, book, codes, disk, named, request, shown};
use crate::disk::memory::MemoryDisk;
use crate::{FileState, FileStatus, Prompts, Request, Scope};

const AGENT: &str = "/p/.claude/agents/lawful-scout.md";
const SETTINGS: &str = "/p/.claude/settings.json";
const AGENTS: &str = "/p/AGENTS.md";

fn second() -> Prompts {
    Prompts { book: "other".to_owned(), ..book("1") }
}

/// Another book, from another place.
fn from_second(ids: &[&str]) -> Request {
    Request { source: "law2".to_owned(), ..request(named(ids)) }
}

/// Whether a file is what would be written now, though a setting may have to enable it.
fn is_current(file: &FileStatus) -> bool {
    matches!(file.state, FileState::Clean | FileState::Inactive)
}

fn overwriting(request: Request) -> Request {
    Request { overwrite: true, ..request }
}

fn text(disk: &MemoryDisk, path: &str) -> String {
    disk.text(Path::new(path)).unwrap_or_default()
}

fn put(disk: &MemoryDisk, path: &str, text: &str) {
    disk.put(Path::new(path), text.as_bytes());
}

#[test]
fn a_file_that_was_overwritten_comes_back_whoever_had_it_last() {
    let disk = disk();
    put(&disk, AGENT, "mine\n");
    let before = disk.tree();
    let user = User::new(&disk, Scope::Project);
    user.install(&book("1"), &overwriting(request(named(&["claude-code"]))));
    let plan = user.install(&second(), &from_second(&["claude-code"]));
    assert_eq!(codes(&plan), ["not-ours"; 2]);
    user.install(&second(), &overwriting(from_second(&["claude-code"])));
    let of_first: Vec<FileState> = user.status(&book("1")).iter().map(|f| f.state).collect();
    assert!(of_first.contains(&FileState::Foreign), "the first has lost it: {of_first:?}");
    user.uninstall(&all());
    assert_eq!(disk.tree(), before);
}

#[test]
fn a_file_that_was_overwritten_comes_back_though_ours_is_gone() {
    let disk = disk();
    put(&disk, AGENT, "mine\n");
    let before = disk.tree();
    let user = User::new(&disk, Scope::Project);
    user.install(&book("1"), &overwriting(request(named(&["claude-code"]))));
    crate::Disk::remove_file(&disk, Path::new(AGENT)).unwrap();
    let plan = user.uninstall(&all());
    assert!(shown(&plan).contains(&"create claude-code .claude/agents/lawful-scout.md".to_owned()));
    assert_eq!(disk.tree(), before);
}

#[test]
fn what_the_owner_wrote_last_comes_back() {
    let disk = disk();
    let user = User::new(&disk, Scope::Project);
    for mine in ["mine1\n", "mine2\n"] {
        put(&disk, AGENT, mine);
        user.install(&book("1"), &overwriting(request(named(&["claude-code"]))));
        user.install(&book("2"), &request(named(&["claude-code"])));
    }
    user.uninstall(&all());
    assert_eq!(text(&disk, AGENT), "mine2\n");
}

#[test]
fn a_setting_comes_back_whoever_had_it_last() {
    let disk = disk();
    put(&disk, SETTINGS, "{\"outputStyle\": \"Terse\"}\n");
    let before = disk.tree();
    let user = User::new(&disk, Scope::Project);
    let active = |request: Request| Request { activate: true, ..request };
    let mut boss = second();
    boss.main = "boss".to_owned();
    boss.roles.truncate(1);
    boss.roles[0].role = "boss".to_owned();
    user.install(&book("1"), &active(request(named(&["claude-code"]))));
    let plan = user.install(&boss, &active(from_second(&["claude-code"])));
    assert_eq!(codes(&plan), ["not-ours"], "the first book would be switched off");
    let plan = user.install(&boss, &overwriting(active(from_second(&["claude-code"]))));
    assert!(!plan.has_conflict(), "{:?}", plan.findings);
    assert!(text(&disk, SETTINGS).contains("lawful-boss"));
    let states = user.status(&book("1"));
    let is_taken = |file: &FileStatus| {
        file.path == ".claude/settings.json" && file.state == FileState::Foreign
    };
    assert!(states.iter().any(is_taken), "{states:?}");
    user.uninstall(&all());
    assert_eq!(disk.tree(), before);
}

#[test]
fn a_book_that_was_renamed_takes_over_what_it_had() {
    let disk = disk();
    put(&disk, AGENTS, "# Mine\n");
    let before = disk.tree();
    let user = User::new(&disk, Scope::Project);
    user.install(&book("1"), &request(named(&["agents-md", "claude-code", "zed"])));
    let renamed = Prompts { book: "team".to_owned(), ..book("1") };
    let states = user.status(&renamed);
    assert_eq!(states.len(), 5, "{states:?}");
    assert!(states.iter().all(|file| file.state == FileState::Stale && file.core), "{states:?}");
    put(&disk, AGENTS, &text(&disk, AGENTS).replace("what you saw", "LIES"));
    let states = user.status(&renamed);
    assert!(states.iter().any(|file| file.state == FileState::Both && !file.core), "{states:?}");
    // One harness is asked for, and there is one of it everywhere.
    let plan = user.install(&renamed, &overwriting(request(named(&["agents-md"]))));
    assert!(!plan.has_conflict(), "{:?}", plan.findings);
    assert_eq!(text(&disk, AGENTS).matches("lawful:begin").count(), 1);
    assert!(text(&disk, AGENTS).contains("begin team ") && text(&disk, AGENT).contains("team"));
    assert!(user.status(&renamed).iter().all(|file| is_current(file) && file.core));
    assert!(user.install(&renamed, &request(named(&["zed"]))).is_done());
    user.uninstall(&all());
    assert_eq!(disk.tree(), before);
}

#[test]
fn another_book_of_the_same_name_is_told_apart() {
    let disk = disk();
    let user = User::new(&disk, Scope::Project);
    user.install(&book("1"), &request(named(&["agents-md", "zed"])));
    let before = disk.tree();
    let plan = user.install(&book("2"), &from_second(&["agents-md"]));
    assert_eq!(codes(&plan), ["not-ours"]);
    assert_eq!(disk.tree(), before);
    assert!(!user.install(&book("2"), &overwriting(from_second(&["agents-md"]))).has_conflict());
    assert!(user.install(&book("2"), &from_second(&["zed"])).is_done());
}

#[test]
fn two_names_of_one_file_are_one_file() {
    let disk = disk();
    put(&disk, AGENTS, "# Mine\n");
    disk.link(Path::new("/p/GEMINI.md"), Path::new(AGENTS));
    let before = disk.tree();
    let user = User::new(&disk, Scope::Project);
    let plan = user.install(&book("1"), &request(named(&["codex", "gemini-cli"])));
    let lines = shown(&plan);
    assert!(lines.contains(&"update-block codex AGENTS.md".to_owned()), "{lines:?}");
    assert!(lines.contains(&"skip gemini-cli AGENTS.md".to_owned()), "{lines:?}");
    user.uninstall(&named(&["gemini-cli"]));
    assert!(user.status(&book("1")).iter().all(|file| file.state == FileState::Clean));
    assert_eq!(text(&disk, AGENTS).matches("lawful:begin").count(), 1);
    user.uninstall(&all());
    assert_eq!(disk.tree(), before);
}

#[test]
fn line_ends_are_their_owners() {
    let crlf = |text: &str| text.replace('\n', "\r\n");
    for (before, after) in [("# Mine\n", "# Mine\r\n"), ("# Mine", "# Mine"), ("", "")] {
        let disk = disk();
        if !before.is_empty() {
            put(&disk, AGENTS, before);
        }
        let user = User::new(&disk, Scope::Project);
        user.install(&book("1"), &request(named(&["agents-md"])));
        put(&disk, AGENTS, &crlf(&text(&disk, AGENTS)));
        user.uninstall(&all());
        assert_eq!(text(&disk, AGENTS), after);
        assert_eq!(disk.text(Path::new(AGENTS)).is_some(), !before.is_empty());
    }
}

#[test]
fn a_block_without_a_ledger_goes_as_it_came() {
    let disk = disk();
    put(&disk, AGENTS, "# Mine\n");
    let user = User::new(&disk, Scope::Project);
    user.install(&book("1"), &request(named(&["agents-md"])));
    super::lose_ledger(&disk, true);
    // It is not what this ledger knows.
    let found = user.status(&book("1"));
    assert_eq!(
        (found.len(), found[0].state, found[0].harness.as_str()),
        (1, FileState::Foreign, "agents-md")
    );
    let clone = disk.clone();
    user.install(&book("1"), &request(named(&["agents-md"])));
    user.uninstall(&all());
    assert_eq!(text(&disk, AGENTS), "# Mine\n");
    // Who names the book takes its block out by its markers, and no other.
    let user = User::new(&clone, Scope::Project);
    let take = |id: &str| {
        let book = Some(crate::BookRef { id, source: "law" });
        let plan =
            crate::plan_uninstall(&all(), book, &user.desk, &user.places, &user.ledger(), &clone);
        crate::apply(&clone, &user.desk, &user.places, &plan).unwrap();
        shown(&plan)
    };
    assert!(take("other").is_empty());
    assert_eq!(take("crew"), ["update-block agents-md AGENTS.md"]);
    assert_eq!(text(&clone, AGENTS), "# Mine\n");
}

#[test]
fn a_byte_order_mark_before_a_file_of_ours_is_no_edit() {
    let disk = disk();
    let user = User::new(&disk, Scope::Project);
    user.install(&book("1"), &request(named(&["claude-code"])));
    put(&disk, AGENT, &format!("\u{feff}{}", text(&disk, AGENT)));
    assert!(user.status(&book("1")).iter().all(is_current));
    user.uninstall(&all());
    assert_eq!(disk.tree(), super::disk().tree());
}
