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
    scene.trust_in_codex();
    let words = ["install", "--book", "law", "--activate", "--harness"];
    let words = [&words[..], &["claude-code", "codex", "gemini-cli", "pi"]].concat();
    let expected = [
        "undelivered-key: `claude-code` does not get `tools` of the role `lead`",
        "undelivered-key: `codex` does not get `tools` of the role `lead`",
        "undelivered-key: `codex` does not get `tools` of the role `scout`",
        "undelivered-key: `pi` does not get `tools` of the role `lead`",
        "undelivered-tool: `gemini-cli` has no tool `Read`, which the role `scout` may use",
        "undelivered-key: `gemini-cli` does not get `tools` of the role `lead`",
        "undelivered-role: `pi` reads no file of a project for an agent such as `scout`",
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
fn an_action_is_the_tool_of_each_harness_and_codex_has_its_own_file() {
    let scene = Scene::new("actions");
    scene.trust_in_codex();
    scout(
        &scene,
        "description: Looks\ntools: [read, shell]\nmodel: m\n\
         harness:\n  codex: {sandbox_mode: read-only}\n  opencode: {model: a/b}",
    );
    let words = ["install", "--book", "law", "--harness"];
    let words = [&words[..], &["claude-code", "codex", "gemini-cli", "opencode"]].concat();
    let (exit, document) = scene.json(&words);
    let expected = "undelivered-key: `codex` does not get `tools` of the role `scout`";
    assert_eq!((exit, said(&document)), (0, vec![expected.to_owned()]));
    let head = |path: &str| scene.read(path).split("lawful:owned").next().unwrap().to_owned();
    let claude = head("project/.claude/agents/lawful-scout.md");
    assert!(claude.contains("\ntools: Read, Bash\nmodel: m\n---\n"), "{claude}");
    let gemini = head("project/.gemini/agents/lawful-scout.md");
    let tools = "\ntools:\n  - read_file\n  - read_many_files\n  - run_shell_command\nmodel: m\n";
    assert!(gemini.contains(tools), "{gemini}");
    let opencode = head("project/.opencode/agents/lawful-scout.md");
    let permission = "\npermission:\n  \"*\": deny\n  read: allow\n  bash: allow\nmodel: a/b\n";
    assert!(opencode.contains(permission), "{opencode}");
    let codex = scene.read("project/.codex/agents/lawful-scout.toml");
    let keys = "\nname = \"lawful-scout\"\ndescription = \"Looks\"\nmodel = \"m\"\n\
                sandbox_mode = \"read-only\"\n\
                developer_instructions = \"You look.\"\n";
    assert!(codex.starts_with("# lawful:owned crew scout ") && codex.ends_with(keys), "{codex}");
    // It is a file of Lawful like any other.
    assert_eq!(scene.json(&words).1["operations"][3]["op"], Value::from("skip"));
    let blame = scene.run_with(&["blame", "--installed", ".codex/agents/lawful-scout.toml"], &[]);
    let blame = String::from_utf8(blame.stdout).unwrap();
    assert!(blame.contains("law/scout.md:9") && blame.contains("You look."), "{blame}");
    scene.write("project/.codex/agents/lawful-scout.toml", &codex.replace("look", "book"));
    assert_eq!(scene.code_of(&words), (1, "edited-by-hand".to_owned()));
    scene.write("project/.codex/agents/lawful-scout.toml", &codex);
    assert_eq!(scene.json(&["uninstall", "--book", "law"]).0, 0);
    assert!(!scene.has("project/.codex") && !scene.has("project/.opencode"));
}

#[test]
fn a_role_that_would_get_every_tool_is_not_delivered() {
    let scene = Scene::new("no-tool");
    scout(&scene, "tools: [mcp]");
    let words = ["install", "--book", "law", "--harness", "claude-code"];
    assert_eq!(scene.code_of(&words), (1, "cannot-deliver".to_owned()));
    assert!(!scene.has("project/.claude"));
    scout(&scene, "tools: [mcp, read]");
    assert_eq!(scene.code_of(&words), (0, "undelivered-tool".to_owned()));
    assert_eq!(scene.code_of(&["status", "--scope", "project"]).1, "undelivered-tool");
    // What is said for one harness alone counts there.
    scout(&scene, "tools: [mcp]\nharness: {claude-code: {tools: mcp__git}}");
    assert_eq!(scene.json(&words).0, 0);
    let file = scene.read("project/.claude/agents/lawful-scout.md");
    assert!(file.contains("\ntools: mcp__git\n"), "{file}");
}

#[test]
fn keys_for_a_harness_are_its_own() {
    let scene = Scene::new("own-keys");
    for (front, code) in [
        ("harness: {claude: {a: 1}}", "unknown-harness"),
        ("harness: {claude-code: {name: x}}", "bad-value"),
        ("harness: {opencode: {mode: all}}", "bad-value"),
        ("harness: {codex: {developer_instructions: x}}", "bad-value"),
        ("harness: {codex: {a: [null]}}", "bad-value"),
        ("harness: {codex: 3}", "wrong-type"),
        ("harness: codex", "wrong-type"),
        ("model: \"a\\nb\"", "bad-value"),
    ] {
        scout(&scene, front);
        assert_eq!(scene.code_of(&["check", "law"]), (1, code.to_owned()), "{front}");
        let words = ["install", "--book", "law", "--harness", "agents-md"];
        assert_eq!(scene.code_of(&words), (2, code.to_owned()), "{front}");
        assert!(!scene.has("project/AGENTS.md"), "{front}");
    }
    scout(&scene, "harness: {claud-code: {a: 1}}");
    let document = scene.json(&["check", "law"]).1;
    let found = &document["diagnostics"][0];
    assert_eq!(found["help"], Value::from("did you mean `claude-code`?"));
    assert_eq!((&found["line"], &found["column"]), (&Value::from(2), &Value::from(11)));
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
