//! Settings files that are empty: after an installation is taken back they are as they were.

#![cfg(unix)]
#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "this is a test")]

mod scene;

use scene::Scene;

/// Texts that a harness reads as no settings.
const EMPTY: [&str; 8] =
    ["", "\n", " \n\n", "\u{feff}", "{}", "{}\n", "\u{feff}{\n}\n", "{\n  // mine\n}\n"];

/// What `P`, `H`, `p` and `h` do for a harness: install prompts and hooks, and uninstall them.
fn run(scene: &Scene, harness: &str, letter: char) {
    let words: &[&str] = match letter {
        'P' => &["install", "--book", "law", "--activate", "--harness", harness],
        'p' => &["uninstall", "--book", "law", "--harness", harness],
        'H' => &["hook", "install", "--harness", harness],
        'h' => &["hook", "uninstall", "--harness", harness],
        other => panic!("{other}"),
    };
    let (exit, document) = scene.json(words);
    assert_eq!(exit, 0, "{harness} {letter}: {document}");
}

fn check(harness: &str, file: &str, empty: &[&str], orders: &[&str]) {
    let scene = Scene::new(&format!("empty-{harness}"));
    let path = format!("project/{file}");
    for text in empty {
        for order in orders {
            scene.write(&path, text);
            for letter in order.chars() {
                run(&scene, harness, letter);
            }
            assert_eq!(scene.read(&path), *text, "{harness} {order} {text:?}");
        }
    }
}

const BOTH: [&str; 6] = ["Pp", "Hh", "PHph", "PHhp", "HPph", "HPhp"];

#[test]
fn settings_of_claude_code() {
    check("claude-code", ".claude/settings.json", &EMPTY, &BOTH);
}

#[test]
fn settings_of_opencode() {
    check("opencode", "opencode.json", &EMPTY, &["Pp"]);
}

#[test]
fn settings_with_a_version() {
    check("cursor", ".cursor/hooks.json", &EMPTY[..6], &["Hh", "HHh"]);
}

#[test]
fn settings_in_other_syntaxes() {
    let blank = ["", "\n", "\n\n", "# mine\n", "\u{feff}"];
    check("codex", ".codex/config.toml", &blank, &["Pp", "PPp"]);
    check("gemini-cli", ".gemini/.env", &blank[..4], &["Pp", "PPp"]);
    check("gemini-cli", ".gemini/settings.json", &EMPTY[..6], &["Hh"]);
}
