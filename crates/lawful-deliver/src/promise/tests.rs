use super::*;
use crate::Scope;
use crate::tests::{User, book, disk, named, places, request};

fn find_one(id: &str) -> &'static Harness {
    named(&[id])[0]
}

/// What the table promises after an installation: `role strength path active`.
fn promised(id: &str, scope: Scope, activate: bool) -> Vec<String> {
    let disk = disk();
    let user = User::new(&disk, scope);
    user.install(&book("1"), &crate::Request { activate, ..request(vec![find_one(id)]) });
    let promises = promises(find_one(id), &book("1"), &places(), &disk);
    let line = |promise: &Promise| {
        let active = if promise.active { "" } else { " inactive" };
        format!("{} {} {}{active}", promise.role, promise.strength.name(), promise.path)
    };
    promises.iter().map(line).collect()
}

#[test]
fn a_promise_is_made_where_a_prompt_is_installed() {
    let disk = disk();
    assert_eq!(promises(find_one("codex"), &book("1"), &places(), &disk), []);
    let found = promised("codex", Scope::User, true);
    assert_eq!(found.first().map(String::as_str), Some("lead developer /u/.codex/config.toml"));
    let found = promised("gemini-cli", Scope::Project, true);
    assert!(found.contains(&"lead replaces .gemini/system.md".to_owned()), "{found:?}");
    assert!(
        found.contains(&"scout replaces .gemini/agents/lawful-scout.md".to_owned()),
        "{found:?}"
    );
    let found = promised("opencode", Scope::Project, true);
    assert!(
        found.contains(&"lead replaces .opencode/agents/lawful-lead.md".to_owned()),
        "{found:?}"
    );
}

#[test]
fn the_files_of_the_table_are_named_once_each() {
    let here = places().standing_in(Path::new("/p/a/b"));
    let more = [Place { base: Base::Project, path: ".claude/settings.local.json" }];
    let files = named_files(find_one("claude-code"), &more, &["lead", "scout"], &here);
    let shown: Vec<&str> = files.iter().map(|file| &*file.shown).collect();
    for expected in [
        ".claude/output-styles/lawful-lead.md",
        ".claude/agents/lawful-scout.md",
        ".claude/settings.json",
        ".claude/settings.local.json",
        "~/.claude/settings.json",
        "CLAUDE.md",
        "a/CLAUDE.md",
        "a/b/CLAUDE.md",
    ] {
        assert_eq!(shown.iter().filter(|path| **path == expected).count(), 1, "{shown:?}");
    }
    let settings = files.iter().find(|file| file.shown == "~/.claude/settings.json").unwrap();
    assert_eq!(settings.settings, Some(Syntax::Json));
    assert_eq!(settings.below, Path::new(".claude/settings.json"));
    assert!(!settings.in_project && settings.path == Path::new("/u/.claude/settings.json"));
}
