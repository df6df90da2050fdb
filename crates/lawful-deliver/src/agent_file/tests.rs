use super::*;
use crate::{HARNESSES, Harness, Scope, find, owned};

const KEYS: &str = "\
description: 'Looks: \"far\"'
tools: [read, shell, mcp__git__log]
model: some/model
harness:
  claude-code: {permissionMode: plan, maxTurns: 3, hooks: {Stop: [{a: 'x, y'}]}}
  codex: {sandbox_mode: read-only, nickname_candidates: [A, B], shell_environment_policy: {inherit: none}}
  gemini-cli: {temperature: 0.5, tools: [glob]}
  opencode: {model: other/model, steps: 5}
";

/// The keys of a persona with this front matter.
fn keys(front: &str) -> AgentKeys {
    use lawful::book::{MemorySource, Options, load};
    let manifest = "name: crew\nconditioning: {core: core.md, personas: {scout: scout.md}}\n";
    let source = MemorySource::new()
        .with("lawful.yaml", manifest)
        .with("core.md", "Law.\n")
        .with("scout.md", format!("---\n{front}---\nYou look.\n").as_str());
    let (book, problems) = load(&source, Options::default()).unwrap();
    assert!(problems.is_empty(), "{problems:?}");
    AgentKeys::of_book(&book).pop().unwrap().1
}

fn agent_surfaces(harness: &'static Harness) -> impl Iterator<Item = Form> {
    let of_project = harness.surfaces.iter().filter(|one| one.scope == Scope::Project);
    of_project.filter(|one| one.audience == crate::Audience::Agents).map(|one| one.form)
}

fn file(harness: &'static Harness, form: Form, agent: &AgentKeys) -> String {
    let subject = Subject { harness: harness.id, book: "crew", role: "scout", agent };
    owned::render(form, &subject, "Law.\n\nYou look.")
}

/// Everything before the prompt, without the marker.
fn head(file: &str) -> String {
    let marker = |line: &&str| !line.contains("lawful:owned");
    let lines: Vec<&str> = file.lines().take_while(|line| *line != "Law.").filter(marker).collect();
    lines.join("\n") + "\n"
}

#[test]
fn every_agent_file_has_the_keys_that_its_harness_reads() {
    let agent = keys(KEYS);
    let mut out = String::new();
    for harness in &HARNESSES {
        for form in agent_surfaces(harness) {
            let file = file(harness, form, &agent);
            let _ = writeln!(out, "# {}\n{}", harness.id, head(&file));
            let found = owned::parse(&file).unwrap();
            assert_eq!((&*found.id, &*found.text), ("crew", "Law.\n\nYou look."), "{file}");
            assert!(found.is_whole, "{file}");
            assert_eq!(file.lines().nth(found.first_line - 1), Some("Law."), "{file}");
        }
    }
    let golden = include_str!("golden.txt");
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/agent_file/golden.txt");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(path, &out).unwrap();
        return;
    }
    assert_eq!(out, golden, "{path}");
}

#[test]
fn without_keys_a_file_has_what_its_harness_requires() {
    let of = |id: &str| {
        let harness = find(id).unwrap();
        head(&file(harness, agent_surfaces(harness).next().unwrap(), &AgentKeys::default()))
    };
    let required = "name: lawful-scout\ndescription: The role scout of the lawbook crew\n";
    for id in ["claude-code", "gemini-cli", "qwen", "copilot", "cline", "devin", "cursor", "agy"] {
        assert_eq!(of(id), format!("---\n{required}---\n"), "{id}");
    }
    assert_eq!(
        of("codex"),
        "name = \"lawful-scout\"\ndescription = \"The role scout of the lawbook crew\"\n\
         developer_instructions = \"\"\"\n"
    );
}

#[test]
fn a_text_is_yaml_that_says_the_same() {
    let one = |text: &str| scalar(text);
    assert_eq!(
        one("Looks: \"far\" # and\n---\nwide \u{85}\u{2028}\\"),
        "\"Looks: \\\"far\\\" # and\\n---\\nwide \\u0085\\u2028\\\\\""
    );
    assert_eq!(one("Read, Bash(git log *)"), "Read, Bash(git log *)");
    for word in ["true", "No", "3", "*", "- a", "a: b", "[a]", "a #b", "~", "&a", "x ", ""] {
        assert_eq!(one(word), format!("\"{word}\""), "{word}");
    }
}

#[test]
fn keys_that_lawful_writes_are_refused() {
    let problems = |id: &str, key: &str| {
        let agent = keys(&format!("harness: {{{id}: {{{key}}}}}\n"));
        let found = bad_keys(find(id).unwrap(), &agent);
        found.iter().map(|bad| bad.message.clone()).collect::<Vec<String>>().join("; ")
    };
    for (id, key) in [
        ("claude-code", "name"),
        ("opencode", "mode"),
        ("codex", "developer_instructions"),
        ("cline", "name"),
    ] {
        let expected = format!("Lawful writes `{key}` in the files of `{id}` itself");
        assert_eq!(problems(id, &format!("{key}: x")), expected);
    }
    for (id, key) in [("claude-code", "model"), ("opencode", "permission"), ("codex", "name_x")] {
        assert_eq!(problems(id, &format!("{key}: x")), "", "{id} {key}");
    }
    assert_eq!(
        problems("codex", "a: {b: [1, null]}"),
        "`a` has a null, and `codex` reads TOML, which has none"
    );
    assert_eq!(problems("claude-code", "a: {b: [1, null]}"), "");
}
