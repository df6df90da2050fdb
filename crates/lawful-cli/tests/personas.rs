//! What a persona says of its agent, from the front matter to the files of harnesses.

#![cfg(unix)]
#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "this is a test")]

mod scene;

use scene::Scene;
use serde_json::Value;

/// The codes and messages of a document.
fn said(document: &Value) -> Vec<String> {
    let diagnostics = document["diagnostics"].as_array().cloned().unwrap_or_default();
    let line = |found: &Value| {
        format!("{}: {}", found["code"].as_str().unwrap(), found["message"].as_str().unwrap())
    };
    diagnostics.iter().map(line).collect()
}

fn scout(scene: &Scene, front: &str) {
    scene.write("project/law/scout.md", &format!("---\n{front}\n---\nYou look.\n"));
}

#[test]
fn what_a_persona_says_of_its_agent_reaches_claude_code() {
    let scene = Scene::new("agent");
    scout(&scene, "description: 'Looks: far'\ntools: [Read, Edit]\nmodel: sonnet");
    assert_eq!(said(&scene.json(&["check", "law"]).1), [""; 0], "all three are read");
    let words = ["install", "--book", "law", "--activate", "--harness", "claude-code"];
    let (exit, document) = scene.json(&words);
    assert_eq!((exit, said(&document)), (0, Vec::new()));
    let file = scene.read("project/.claude/agents/lawful-scout.md");
    let head = "---\nname: lawful-scout\ndescription: \"Looks: far\"\ntools: Read, Edit\nmodel: sonnet\n---\n";
    assert!(file.starts_with(head), "{file}");
    // A restriction that changes is a change of the lawbook.
    scout(&scene, "tools: Read, Bash(git log *)");
    assert_eq!(scene.json(&["status"]).0, 1);
    assert_eq!(scene.json(&words).0, 0);
    let file = scene.read("project/.claude/agents/lawful-scout.md");
    assert!(file.contains("\ntools: Read, Bash(git log *)\n---\n"), "{file}");
    assert_eq!(scene.json(&["status"]).0, 0);
}

#[test]
fn what_a_harness_is_not_given_is_said_every_time() {
    let scene = Scene::new("undelivered");
    scout(&scene, "description: Looks\ntools: [Read]\nmodel: sonnet");
    scene.write("project/law/lead.md", "---\ntools: [Read]\n---\nYou lead.\n");
    let words = ["install", "--book", "law", "--activate", "--harness"];
    let words = [&words[..], &["claude-code", "codex", "gemini-cli"]].concat();
    let expected = [
        "undelivered-key: `claude-code` does not get `tools` of the role `lead`",
        "undelivered-key: `codex` does not get `tools` of the role `lead`",
        "undelivered-key: `gemini-cli` does not get `tools` of the role `lead`",
        "undelivered-key: `gemini-cli` does not get `tools` of the role `scout`",
        "undelivered-key: `gemini-cli` does not get `model` of the role `scout`",
        "undelivered-role: `codex` reads no file of a project for an agent such as `scout`",
    ];
    for words in [&words[..], &words, &["status"]] {
        let (exit, document) = scene.json(words);
        let mut found = said(&document);
        found.sort_by_key(|line| expected.iter().position(|known| known == line));
        assert_eq!((exit, found), (0, expected.map(ToOwned::to_owned).to_vec()), "{words:?}");
    }
    for words in [&words[..], &["status"]] {
        let errors = String::from_utf8(scene.run_with(words, &[]).stderr).unwrap();
        assert!(errors.contains("warning[undelivered-key]"), "{errors}");
        assert!(errors.contains("warning[undelivered-role]"), "{errors}");
    }
    assert!(scene.read("project/.gemini/agents/lawful-scout.md").contains("description: Looks\n"));
}

#[test]
fn a_restriction_that_is_none_is_refused() {
    let scene = Scene::new("restriction");
    for (front, code) in [
        ("tools: 3", "wrong-type"),
        ("tools: [3]", "wrong-type"),
        ("tools: {Read: true}", "wrong-type"),
        ("tools: []", "bad-value"),
        ("tools:", "bad-value"),
        ("tools: ''", "bad-value"),
        ("tools: ['']", "bad-value"),
        ("tools: ['Read, Edit']", "bad-value"),
        ("tools: 'Read,,Edit'", "bad-value"),
        ("model: []", "wrong-type"),
        ("model: ' '", "bad-value"),
        ("description: 3", "wrong-type"),
    ] {
        scout(&scene, front);
        assert_eq!(scene.code_of(&["check", "law"]), (1, code.to_owned()), "{front}");
        let words = ["install", "--book", "law", "--harness", "claude-code"];
        assert_eq!(scene.code_of(&words), (2, code.to_owned()), "{front}");
        assert!(!scene.has("project/.claude"), "{front}");
    }
    // Of the core it is nothing, and that is said.
    scout(&scene, "tools: [Read]");
    scene.write("project/law/core.md", "---\ntools: [Read]\n---\nSay what you saw.\n");
    assert_eq!(scene.code_of(&["check", "law"]).1, "unread-key");
}
