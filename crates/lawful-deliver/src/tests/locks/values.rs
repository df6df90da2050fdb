//! Values of settings that a lock claims.

use std::path::Path;

use serde_json::{Value, json};

use super::{LOCK, SCOUT, SETTINGS, files, put, text};
use crate::Scope;
use crate::tests::{CORE, User, all, codes, disk, named};
use crate::text::hash;

/// A lock with these rows: path, kind, harness, role and hash.
fn lock_of(rows: &[(&str, &str, &str, Option<&str>, String)]) -> String {
    let row = |(path, kind, harness, role, hash): &(&str, &str, &str, Option<&str>, String)| {
        let mut row = json!({"path": path, "kind": kind, "harness": harness, "hash": hash});
        if let Some(role) = role {
            row["role"] = Value::from(*role);
        }
        row
    };
    let rows: Vec<Value> = rows.iter().map(row).collect();
    json!({"format": 1, "project": "7".repeat(32), "files": rows}).to_string()
}

#[test]
fn a_value_of_the_user_is_not_ours_because_a_lock_says_so() {
    let disk = disk();
    put(&disk, SETTINGS, "{\"outputStyle\": \"Explanatory\"}\n");
    put(&disk, "/p/.codex/config.toml", "developer_instructions = \"Be brief.\"\n");
    put(&disk, "/p/.gemini/.env", "GEMINI_SYSTEM_MD=mine.md\n");
    put(&disk, "/p/.qwen/.env", "KEY=secret\n");
    put(&disk, "/p/opencode.json", "{\"default_agent\": \"build\"}\n");
    put(&disk, "/p/AGENTS.md", "mine\n");
    put(&disk, SCOUT, "mine\n");
    put(&disk, "/p/src/main.rs", "mine\n");
    let lead = Some("lead");
    put(
        &disk,
        LOCK,
        &lock_of(&[
            (".claude/settings.json", "key", "claude-code", lead, hash("Explanatory")),
            (".codex/config.toml", "key", "codex", lead, hash("Be brief.")),
            (".gemini/.env", "key", "gemini-cli", lead, hash("mine.md")),
            (".qwen/.env", "key", "qwen", lead, hash("secret")),
            ("opencode.json", "key", "opencode", lead, hash("build")),
            ("AGENTS.md", "block", "codex", lead, hash("mine")),
            ("AGENTS.md", "owned", "codex", lead, hash("mine\n")),
            (
                ".claude/agents/lawful-scout.md",
                "owned",
                "claude-code",
                Some("scout"),
                hash("mine\n"),
            ),
            ("src/main.rs", "owned", "codex", None, hash("mine\n")),
            ("src/main.rs", "owned", "no-such-harness", None, hash("mine\n")),
        ]),
    );
    let before = files(&disk, "/p");
    let user = || User::new(&disk, Scope::Project);
    assert!(user().ledger().files.is_empty());
    let plan = user().uninstall(&named(&["zed"]));
    assert!(plan.is_done(), "rows of other harnesses stay as they are");
    // Whether this text is a prompt, only a lawbook that is not here could say.
    let plan = user().uninstall(&all());
    assert_eq!(
        (codes(&plan), plan.findings[0].path.as_deref()),
        (vec!["not-ours"], Some(".codex/config.toml"))
    );
    let mut after = files(&disk, "/p");
    after.insert("lawful.lock".into(), before[Path::new("lawful.lock")].clone());
    assert_eq!(after, before);
    assert_eq!(text(&disk, LOCK).matches("\"harness\"").count(), 2);
    assert!(text(&disk, LOCK).contains("\"path\":\".codex/config.toml\""));
    assert!(text(&disk, LOCK).contains("no-such-harness"), "another version may know it");
}

#[test]
fn a_value_that_lawful_writes_is_ours_if_the_hash_agrees() {
    let prompt = format!("{CORE}\n\nYou led once.");
    let toml = toml_edit::Value::from(prompt.as_str()).to_string();
    let texts = [
        (SETTINGS, "{\"outputStyle\": \"lawful-lead\", \"a\": 1}\n", "{\"a\": 1}\n"),
        ("/p/.gemini/.env", "A=1\nGEMINI_SYSTEM_MD=.gemini/system.md\n", "A=1\n"),
        ("/p/.qwen/.env", "QWEN_SYSTEM_MD=/somewhere/.qwen/system.md\n", ""),
        (
            "/p/opencode.json",
            "{\n  \"default_agent\": \"lawful-lead\",\n  \"b\": 2\n}\n",
            "{\n  \"b\": 2\n}\n",
        ),
        ("/p/.codex/config.toml", &format!("developer_instructions = {toml}\n[t]\n"), "[t]\n"),
    ];
    for agrees in [true, false] {
        let disk = disk();
        for (path, before, _) in &texts {
            put(&disk, path, before);
        }
        let of = |value: &str| if agrees { hash(value) } else { hash("other") };
        let lead = Some("lead");
        let lock = lock_of(&[
            (".claude/settings.json", "key", "claude-code", lead, of("lawful-lead")),
            (".gemini/.env", "key", "gemini-cli", lead, of(".gemini/system.md")),
            (".qwen/.env", "key", "qwen", lead, of("/somewhere/.qwen/system.md")),
            ("opencode.json", "key", "opencode", lead, of("lawful-lead")),
            (".codex/config.toml", "key", "codex", lead, of(&prompt)),
        ]);
        put(&disk, LOCK, &lock);
        User::new(&disk, Scope::Project).uninstall(&all());
        for (path, before, after) in &texts {
            assert_eq!(text(&disk, path), if agrees { *after } else { *before }, "{path}");
        }
    }
}

#[test]
fn a_setting_that_names_a_file_of_the_user_is_not_ours_because_a_lock_says_so() {
    let disk = disk();
    put(&disk, SETTINGS, "{\"outputStyle\": \"lawful-mine\"}\n");
    put(&disk, "/p/.claude/output-styles/lawful-mine.md", "my style\n");
    put(&disk, "/p/.gemini/.env", "GEMINI_SYSTEM_MD=.gemini/system.md\n");
    put(&disk, "/p/.gemini/system.md", "my words\n");
    let before = files(&disk, "/p");
    let lock = lock_of(&[
        (".claude/settings.json", "key", "claude-code", Some("mine"), hash("lawful-mine")),
        (".gemini/.env", "key", "gemini-cli", Some("lead"), hash(".gemini/system.md")),
    ]);
    put(&disk, LOCK, &lock);
    User::new(&disk, Scope::Project).uninstall(&all());
    assert_eq!(files(&disk, "/p"), before);
}
