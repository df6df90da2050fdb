//! What an installation and a status tell: which roles reach a harness, what waits for a setting,
//! and what someone edited.

use std::path::Path;

use super::{CORE, User, all, book, disk, named, request};
use crate::disk::memory::MemoryDisk;
use crate::{FileState, Plan, Prompts, Request, Scope};

const STYLE: &str = "/p/.claude/output-styles/lawful-lead.md";
const SETTINGS: &str = "/p/.claude/settings.json";
const SCOUT: &str = "/p/.claude/agents/lawful-scout.md";
const AGENTS: &str = "/p/AGENTS.md";

fn put(disk: &MemoryDisk, path: &str, text: &str) {
    disk.put(Path::new(path), text.as_bytes());
}

fn text(disk: &MemoryDisk, path: &str) -> String {
    disk.text(Path::new(path)).unwrap()
}

fn edit(disk: &MemoryDisk, path: &str, from: &str, to: &str) {
    put(disk, path, &text(disk, path).replace(from, to));
}

/// `harness role state path`, one a line.
fn roles(plan: &Plan) -> Vec<String> {
    let line = |delivery: &crate::RoleDelivery| {
        let path = delivery.surface.as_ref().map_or("-", |(path, _)| path);
        format!("{} {} {} {path}", delivery.harness, delivery.role, delivery.state.name())
    };
    plan.roles.iter().map(line).collect()
}

/// The state of each file, by path.
fn states(disk: &MemoryDisk, prompts: &Prompts) -> Vec<(String, &'static str)> {
    let found = User::new(disk, Scope::Project).status(prompts);
    found.into_iter().map(|file| (file.path, file.state.name())).collect()
}

fn state_of_style(disk: &MemoryDisk) -> &'static str {
    let found = states(disk, &book("1"));
    found.iter().find(|(path, _)| path.contains("output-styles")).unwrap().1
}

#[test]
fn an_installation_says_which_roles_reach_which_harness() {
    let disk = disk();
    let user = User::new(&disk, Scope::Project);
    let asked = request(named(&["claude-code", "agents-md"]));
    let asked = Request { roles: Some(vec!["lead".to_owned(), "scout".to_owned()]), ..asked };
    assert_eq!(
        roles(&user.install(&book("1"), &asked)),
        [
            "claude-code lead delivered CLAUDE.md",
            "claude-code scout delivered .claude/agents/lawful-scout.md",
            "claude-code smith unselected -",
            "agents-md lead delivered AGENTS.md",
            "agents-md scout undelivered -",
            "agents-md smith unselected -",
        ]
    );
    let active = Request { activate: true, ..asked };
    let first = "claude-code lead delivered .claude/output-styles/lawful-lead.md";
    assert_eq!(roles(&user.install(&book("1"), &active)).first().unwrap(), first);
}

#[test]
fn a_conflict_says_of_no_role_that_it_is_delivered() {
    let disk = disk();
    put(&disk, SCOUT, "mine\n");
    let user = User::new(&disk, Scope::Project);
    let plan = user.install(&book("1"), &request(named(&["claude-code"])));
    assert!(plan.has_conflict() && plan.roles.is_empty());
}

#[test]
fn what_waits_for_a_setting_is_inactive_until_the_setting_names_it() {
    let disk = disk();
    let user = User::new(&disk, Scope::Project);
    let asked = Request { activate: true, ..request(named(&["claude-code"])) };
    let plan = user.install(&book("1"), &asked);
    assert!(plan.notes.iter().all(|note| note.contains("started in the root")), "{:?}", plan.notes);
    assert_eq!(state_of_style(&disk), "clean");
    put(&disk, SETTINGS, "{\"outputStyle\": \"other\"}\n");
    assert_eq!(state_of_style(&disk), "inactive");
    put(&disk, SETTINGS, "{}\n");
    assert_eq!(state_of_style(&disk), "inactive");
    // Whoever sets it.
    put(&disk, SETTINGS, "{\"outputStyle\": \"lawful-lead\"}\n");
    assert_eq!(state_of_style(&disk), "clean");
    edit(&disk, SETTINGS, "lawful-lead", "other");
    user.install(&book("1"), &asked);
    assert_eq!(state_of_style(&disk), "clean");
    edit(&disk, SETTINGS, "lawful-lead", "other");
    edit(&disk, STYLE, "You lead.", "You obey.");
    assert_eq!(state_of_style(&disk), "drifted");
}

#[test]
fn what_was_uninstalled_in_part_is_not_missing() {
    let disk = disk();
    let user = User::new(&disk, Scope::Project);
    let asked = request(named(&["claude-code"]));
    user.install(&book("1"), &asked);
    edit(&disk, SCOUT, "You look.", "You listen.");
    user.uninstall(&all());
    let left = |state| [(".claude/agents/lawful-scout.md".to_owned(), state)];
    assert_eq!(states(&disk, &book("1")), left("drifted"));
    assert_eq!(states(&disk, &book("2")), left("both"));
    // As the help says.
    crate::Disk::remove_file(&disk, Path::new(SCOUT)).unwrap();
    assert_eq!(states(&disk, &book("1")), []);
    user.install(&book("1"), &asked);
    crate::Disk::remove_file(&disk, Path::new(SCOUT)).unwrap();
    let missing = states(&disk, &book("1")).into_iter().filter(|(_, state)| *state == "missing");
    assert_eq!(missing.count(), 1, "a file that was installed again is");
}

#[test]
fn a_stale_text_has_the_core_that_it_was_written_with() {
    let disk = disk();
    let user = User::new(&disk, Scope::Project);
    user.install(&book("1"), &request(named(&["agents-md"])));
    let core = "# The law\n\nSay nothing.";
    let mut changed = book("1");
    core.clone_into(&mut changed.core);
    for prompt in &mut changed.roles {
        prompt.text = prompt.text.replace(CORE, core);
    }
    let found = user.status(&changed);
    assert_eq!((found[0].state, found[0].core), (FileState::Stale, true));
    // A block that no ledger knows proves nothing by its hash.
    let clone = super::disk();
    put(&clone, AGENTS, &text(&disk, AGENTS));
    let stranger = User::new(&clone, Scope::Project);
    assert!(stranger.status(&changed).iter().all(|file| !file.core));
}

#[test]
fn an_edit_is_shown_with_its_first_line() {
    let disk = disk();
    put(&disk, AGENTS, "# Mine\r\n\r\nNo tabs.\r\n");
    let user = User::new(&disk, Scope::Project);
    let asked = request(named(&["claude-code", "agents-md"]));
    user.install(&book("1"), &asked);
    edit(&disk, AGENTS, "You lead.", "You obey.");
    edit(&disk, SCOUT, "You look.", "You listen.");
    let line_of = |path: &str, word: &str| {
        1 + text(&disk, path).lines().position(|line| line.contains(word)).unwrap()
    };
    for plan in [user.plan(&book("2"), &asked), user.uninstall(&all())] {
        for (path, now, word) in
            [(AGENTS, "You obey.", "You lead."), (SCOUT, "You listen.", "You look.")]
        {
            let shown = path.trim_start_matches("/p/");
            let finding = plan.findings.iter().find(|one| one.path.as_deref() == Some(shown));
            let finding = finding.unwrap();
            assert_eq!((finding.code.name, finding.line), ("edited-by-hand", line_of(path, now)));
            let operation =
                plan.operations.iter().find(|one| one.path == shown && one.edit.is_some());
            let edit = operation.unwrap().edit.clone().unwrap();
            assert!(edit.written.contains(word) && !edit.written.contains(now), "{edit:?}");
            assert_eq!(edit.now.replace(now, word), edit.written, "nothing else differs");
        }
    }
}

#[test]
fn an_edit_of_a_setting_shows_the_value_and_nothing_else() {
    let disk = disk();
    put(&disk, "/p/.codex/config.toml", "token = \"secret\"\n");
    let user = User::new(&disk, Scope::Project);
    let asked = Request { activate: true, ..request(named(&["codex"])) };
    user.install(&book("1"), &asked);
    edit(&disk, "/p/.codex/config.toml", "You lead.", "You obey.");
    let plan = user.plan(&book("2"), &asked);
    let edit = plan.operations.iter().find_map(|operation| operation.edit.clone()).unwrap();
    assert_eq!(edit.written.replace("You lead.", "You obey."), edit.now);
    assert!(!edit.now.contains("secret"));
    let file = text(&disk, "/p/.codex/config.toml");
    let line = 1 + file.lines().position(|line| line.contains("You obey.")).unwrap();
    assert_eq!(plan.findings.iter().find(|one| one.path.is_some()).unwrap().line, line);
}
