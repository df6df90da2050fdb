//! Several harnesses, several books, several roles.

use std::path::Path;

use super::{User, all, book, codes, disk, named, request, shown};
use crate::{Prompts, Request, RolePrompt, Scope};

#[test]
fn a_shared_file_has_one_block_for_all_who_read_it() {
    let disk = disk();
    let user = User::new(&disk, Scope::Project);
    let plan = user.install(&book("1"), &request(named(&["goose", "zed", "agents-md"])));
    assert_eq!(
        shown(&plan),
        ["create goose AGENTS.md", "skip zed AGENTS.md", "skip agents-md AGENTS.md"]
    );
    let agents = Path::new("/p/AGENTS.md");
    assert_eq!(disk.text(agents).unwrap().matches("lawful:begin").count(), 1);
    user.uninstall(&named(&["goose"]));
    user.uninstall(&named(&["agents-md"]));
    assert!(disk.text(agents).is_some(), "zed still reads it");
    user.uninstall(&named(&["zed"]));
    assert_eq!(disk.text(agents), None);
}

#[test]
fn two_books_have_a_block_each_and_files_of_their_own() {
    let disk = disk();
    let user = User::new(&disk, Scope::Project);
    let first = book("1");
    let mut second = Prompts { book: "other law".to_owned(), ..book("1") };
    user.install(&first, &request(named(&["agents-md"])));
    let other = |ids: &[&str]| Request { source: "law2".to_owned(), ..request(named(ids)) };
    user.install(&second, &other(&["agents-md"]));
    let text = disk.text(Path::new("/p/AGENTS.md")).unwrap();
    assert_eq!(text.matches("lawful:begin").count(), 2, "{text}");
    assert!(text.contains("begin other-law."), "{text}");
    // The same role in both would be the same file.
    user.install(&first, &request(named(&["claude-code"])));
    let plan = user.install(&second, &other(&["claude-code"]));
    assert_eq!(codes(&plan), ["not-ours", "not-ours"]);
    second.roles.retain(|prompt| prompt.role != "lead");
    let overwriting = Request { overwrite: true, ..other(&["claude-code"]) };
    let plan = user.install(&second, &overwriting);
    assert!(!plan.has_conflict(), "{:?}", plan.findings);
    user.uninstall(&all());
    assert_eq!(disk.tree(), super::disk().tree());
}

#[test]
fn a_role_that_is_gone_from_the_book_goes_from_the_disk() {
    let disk = disk();
    let user = User::new(&disk, Scope::Project);
    let asked = request(named(&["claude-code"]));
    user.install(&book("1"), &asked);
    let mut fewer = book("1");
    fewer.roles.pop();
    let plan = user.install(&fewer, &asked);
    assert_eq!(
        shown(&plan),
        [
            "skip claude-code CLAUDE.md",
            "skip claude-code .claude/agents/lawful-scout.md",
            "delete claude-code .claude/agents/lawful-smith.md",
        ]
    );
}

#[test]
fn a_role_can_be_asked_for_alone() {
    let disk = disk();
    let user = User::new(&disk, Scope::Project);
    let only = |role: &str, ids: &[&str]| Request {
        roles: Some(vec![role.to_owned()]),
        ..request(named(ids))
    };
    user.install(&book("1"), &request(named(&["zed"])));
    let before = disk.tree();
    let plan = user.install(&book("1"), &only("scout", &["claude-code", "zed"]));
    assert_eq!(codes(&plan), ["no-place-for-role"], "Zed has no agents");
    assert!(plan.has_conflict());
    assert_eq!(disk.tree(), before, "nor is what it has taken away");
    let plan = user.install(&book("1"), &only("scout", &["claude-code"]));
    assert_eq!(shown(&plan), ["create claude-code .claude/agents/lawful-scout.md"]);
    // Bringing it up to date keeps the choice.
    let update = Request { update: true, ..request(named(&["claude-code", "zed"])) };
    assert!(user.install(&book("1"), &update).is_done());
    assert!(user.status(&book("1")).iter().all(|file| file.state == crate::FileState::Clean));
    let plan = user.install(&book("1"), &only("scot", &["claude-code"]));
    assert_eq!(codes(&plan), ["unknown-role"]);
    assert!(plan.is_done());
}

#[test]
fn a_setting_is_changed_once_asked_for_and_stays_so() {
    let disk = disk();
    let user = User::new(&disk, Scope::Project);
    let asked = request(named(&["gemini-cli"]));
    user.install(&book("1"), &asked);
    assert!(disk.text(Path::new("/p/GEMINI.md")).is_some());
    user.install(&book("1"), &Request { activate: true, ..asked.clone() });
    assert_eq!(disk.text(Path::new("/p/GEMINI.md")), None, "one place for one text");
    assert_eq!(
        disk.text(Path::new("/p/.gemini/.env")).unwrap(),
        "GEMINI_SYSTEM_MD=/p/.gemini/system.md\n"
    );
    assert!(user.install(&book("1"), &asked).is_done());
}

#[test]
fn a_text_that_a_harness_gets_twice_or_not_at_all_is_said() {
    let disk = disk();
    let user = User::new(&disk, Scope::Project);
    user.install(&book("1"), &request(named(&["agents-md"])));
    // Cursor reads it there, so it gets no second one.
    let plan = user.install(&book("1"), &request(named(&["cursor"])));
    assert_eq!(shown(&plan).first().unwrap(), "skip cursor AGENTS.md");
    assert_eq!(codes(&plan), [""; 0]);
    disk.put(Path::new("/p/CLAUDE.md"), super::CORE.as_bytes());
    let plan = user.install(&book("1"), &request(named(&["copilot"])));
    assert_eq!(codes(&plan), ["delivered-twice"], "someone copied it");
    disk.put(Path::new("/p/.rules"), b"mine");
    disk.put(Path::new("/p/AGENTS.override.md"), b"mine");
    let plan = user.install(&book("1"), &request(named(&["zed", "codex"])));
    assert_eq!(codes(&plan), ["shadowed", "shadowed"]);
    assert!(!plan.has_conflict());
}

#[test]
fn a_file_that_would_be_cut_short_is_not_written() {
    let disk = disk();
    let before = disk.tree();
    let user = User::new(&disk, Scope::Project);
    let long = |length: usize| {
        let mut prompts = book("1");
        prompts.roles[0].text.push_str(&"é".repeat(length));
        prompts
    };
    for (id, length) in [("devin", 12_000), ("codex", 16_400)] {
        let plan = user.install(&long(length), &request(named(&[id])));
        assert_eq!(codes(&plan), ["too-long-for-harness"], "{id}");
        assert!(plan.has_conflict() && plan.is_done());
        assert_eq!(disk.tree(), before);
    }
    // What others have in the file counts too.
    disk.put(Path::new("/p/AGENTS.md"), "x".repeat(32 * 1024).as_bytes());
    assert!(user.install(&book("1"), &request(named(&["codex"]))).has_conflict());
    assert!(!user.install(&book("1"), &request(named(&["agents-md"]))).has_conflict());
}

#[test]
fn a_limit_holds_for_all_who_read_the_file() {
    let disk = disk();
    let mut user = User::new(&disk, Scope::Project);
    user.places = user.places.standing_in(Path::new("/p/a/b"));
    user.install(&book("1"), &request(named(&["codex", "agents-md"])));
    let mut long = book("2");
    long.roles[0].text.push_str(&"x".repeat(33_000));
    let before = disk.tree();
    let plan = user.install(&long, &request(named(&["agents-md"])));
    assert_eq!(codes(&plan), ["too-long-for-harness"], "Codex reads it too");
    assert_eq!(shown(&plan), ["conflict agents-md AGENTS.md"]);
    // A block of another book counts as well.
    let other = Prompts { book: "other".to_owned(), ..long };
    let of_other = Request { source: "law2".to_owned(), ..request(named(&["agents-md"])) };
    assert_eq!(codes(&user.install(&other, &of_other)), ["too-long-for-harness"]);
    assert_eq!(disk.tree(), before);
    // So do the files on the way to where we are, and no others.
    disk.put(Path::new("/p/c/AGENTS.md"), "x".repeat(40_000).as_bytes());
    disk.put(Path::new("/p/a/AGENTS.md"), "x".repeat(20_000).as_bytes());
    let (_, findings) = user.status_and_findings(&book("1"));
    assert!(findings.iter().all(|finding| finding.code.name == "undelivered-role"));
    disk.put(Path::new("/p/a/b/AGENTS.md"), "x".repeat(20_000).as_bytes());
    let plan = user.install(&book("2"), &request(named(&["codex"])));
    assert_eq!(codes(&plan), ["too-long-for-harness"]);
    let findings = user.status_and_findings(&book("1")).1;
    let found = findings.iter().map(|finding| finding.code.name);
    let found: Vec<&str> = found.filter(|code| *code != "undelivered-role").collect();
    assert_eq!(found, ["cut-short"], "what is so already is said of the files that are there");
}

#[test]
fn status_says_what_is_not_read() {
    let disk = disk();
    let user = User::new(&disk, Scope::Project);
    user.install(&book("1"), &request(named(&["zed"])));
    disk.put(Path::new("/p/.rules"), b"mine");
    let (files, findings) = user.status_and_findings(&book("1"));
    assert!(files.iter().all(|file| file.state == crate::FileState::Inactive));
    assert!(findings.iter().any(|finding| finding.code.name == "shadowed"));
}

#[test]
fn only_who_reads_settings_with_comments_by_that_name_has_them_so() {
    let disk = disk();
    disk.put(Path::new("/p/.claude/settings.jsonc"), b"{}");
    disk.put(Path::new("/p/opencode.jsonc"), b"{}");
    let user = User::new(&disk, Scope::Project);
    let asked = Request { activate: true, ..request(named(&["claude-code", "opencode"])) };
    let lines = shown(&user.install(&book("1"), &asked));
    assert!(lines.contains(&"set-key claude-code .claude/settings.json".to_owned()), "{lines:?}");
    assert!(lines.contains(&"set-key opencode opencode.jsonc".to_owned()), "{lines:?}");
}

#[test]
fn a_prompt_that_may_not_be_delivered_stops_everything() {
    let disk = disk();
    let before = disk.tree();
    let user = User::new(&disk, Scope::Project);
    let with = |change: &dyn Fn(&mut RolePrompt)| {
        let mut prompts = book("1");
        prompts.roles.iter_mut().skip(2).for_each(change);
        prompts
    };
    let cases = [
        (with(&|prompt| prompt.text.push_str("\n<!-- lawful:end x -->\n")), "sentinel-in-prompt"),
        (
            with(&|prompt| prompt.text.push_str("\n# <<< predicate conditioning block <<<")),
            "sentinel-in-prompt",
        ),
        (with(&|prompt| prompt.text.insert(0, ' ')), "cannot-deliver"),
        (with(&|prompt| prompt.text.push_str(super::CORE)), "cannot-deliver"),
        (with(&|prompt| prompt.text = format!("{} unless asked", super::CORE)), "core-runs-on"),
        (with(&|prompt| prompt.role = "../up".to_owned()), "bad-role-name"),
        (with(&|prompt| prompt.role = "Scout".to_owned()), "bad-role-name"),
        (with(&|prompt| prompt.role = "a:b".to_owned()), "bad-role-name"),
    ];
    for (prompts, code) in cases {
        let plan = user.install(&prompts, &request(all()));
        assert_eq!(codes(&plan), [code]);
        assert_eq!(disk.tree(), before, "{code}");
    }
}

#[test]
fn the_ledger_keeps_of_settings_what_it_changed() {
    let disk = disk();
    disk.put(Path::new("/p/.claude/settings.json"), b"{\"env\": {\"TOKEN\": \"secret\"}}\n");
    disk.put(Path::new("/p/.codex/config.toml"), b"token = \"secret\"\n");
    disk.put(Path::new("/p/opencode.json"), b"{\"key\": \"secret\"}\n");
    let user = User::new(&disk, Scope::Project);
    let asked = request(named(&["claude-code", "codex", "opencode"]));
    user.install(&book("1"), &Request { activate: true, ..asked });
    let ledger = super::ledger_text(&disk);
    assert!(ledger.contains("developer_instructions") && !ledger.contains("secret"), "{ledger}");
}

#[test]
fn a_closed_folder_is_a_conflict_and_nothing_is_written() {
    let disk = disk();
    disk.put(Path::new("/p/.claude/agents/mine.md"), b"mine\n");
    disk.close(Path::new("/p/.claude/agents"));
    let before = disk.tree();
    let user = User::new(&disk, Scope::Project);
    let plan = user.install(&book("1"), &request(named(&["claude-code", "codex"])));
    assert_eq!(codes(&plan), ["cannot-deliver"]);
    assert_eq!(plan.findings[0].path.as_deref(), Some(".claude/agents"));
    assert!(plan.has_conflict());
    assert_eq!(disk.tree(), before);
    // Nor is anything taken back by half.
    assert!(!user.install(&book("1"), &request(named(&["codex"]))).has_conflict());
    disk.close(Path::new("/p"));
    let before = disk.tree();
    let plan = user.uninstall(&all());
    assert_eq!(plan.findings[0].path.as_deref(), Some("."));
    assert_eq!(disk.tree(), before);
}

#[test]
fn a_user_has_every_folder_back() {
    let disk = disk();
    let before = disk.tree();
    let user = User::new(&disk, Scope::User);
    user.install(&book("1"), &Request { activate: true, ..request(all()) });
    assert!(disk.text(Path::new("/s/lawful/ledger.json")).is_some());
    user.uninstall(&all());
    assert_eq!(disk.tree(), before);
}

#[test]
fn a_harness_without_a_place_is_said_and_passed_over() {
    let disk = disk();
    let user = User::new(&disk, Scope::User);
    let plan = user.install(&book("1"), &request(named(&["agents-md", "zed"])));
    assert_eq!(codes(&plan), ["no-surface"]);
    assert!(!plan.has_conflict());
    assert_eq!(shown(&plan), ["create zed /u/.config/zed/AGENTS.md"]);
    assert!(plan.findings[0].message.starts_with("`agents-md` reads no file of a user"));
}

#[test]
fn a_broken_block_is_said_with_its_line() {
    let disk = disk();
    disk.put(Path::new("/p/AGENTS.md"), b"a\n\n<!-- lawful:begin crew 0 -->\nb\n");
    let plan = User::new(&disk, Scope::Project).install(&book("1"), &request(named(&["codex"])));
    assert_eq!((codes(&plan), plan.findings[0].line), (vec!["broken-block"], 3));
}
