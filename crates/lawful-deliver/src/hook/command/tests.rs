use super::*;
use crate::{HOOKS, find_hook};

fn line(id: &str, event: Event, command: &HookCommand) -> String {
    find_hook(id).unwrap().entry(event, command).unwrap().command
}

fn book(folder: BookFolder) -> HookCommand {
    HookCommand { book: Some(folder), allow_undecided: false }
}

#[test]
fn the_command_names_the_book() {
    let inside = book(BookFolder::InProject("a b".to_owned()));
    let stop = |id: &str| {
        let line = line(id, Event::Stop, &inside);
        line.split_once("PATH?\"}' ").map(|(_, rest)| rest.to_owned()).unwrap_or(line)
    };
    assert_eq!(stop("claude-code"), "--book \"$CLAUDE_PROJECT_DIR\"/'a b'");
    assert_eq!(stop("gemini-cli"), "--book \"${GEMINI_PROJECT_DIR}\"/'a b'");
    assert_eq!(stop("codex"), "--book 'a b'");
    assert_eq!(
        line("claude-code", Event::ToolCall, &inside),
        "lawful hook --harness claude-code tool-call --book ${CLAUDE_PROJECT_DIR}/a b"
    );
    assert_eq!(
        line("codex", Event::Compact, &book(BookFolder::At("/it's".to_owned()))),
        "lawful hook --harness codex compact --book '/it'\\''s'"
    );
}

#[test]
fn commands_are_found_again() {
    for hook in &HOOKS {
        for row in hook.events {
            let at = book(BookFolder::At("/x y".to_owned()));
            for command in [HookCommand::default(), at] {
                let line = hook.entry(row.event, &command).unwrap().command;
                assert_eq!(hook.event_of(&line), Some(row.event), "{line}");
                assert!(hook.is_current(row.event, &line), "{line}");
            }
        }
    }
    let claude = find_hook("claude-code").unwrap();
    assert_eq!(
        claude.event_of("\"/opt/my bin/lawful\" hook --harness claude-code stop"),
        Some(Event::Stop)
    );
    assert_eq!(claude.event_of("not-lawful hook --harness claude-code stop"), None);
    assert_eq!(claude.event_of("lawful hook --harness codex stop"), None);
    assert_eq!(claude.event_of("lawful hook --harness claude-code install"), None);
}

#[test]
fn only_what_must_be_is_quoted() {
    assert_eq!(quote("a/b-c.yaml"), "a/b-c.yaml");
    assert_eq!(quote(""), "''");
    assert_eq!(quote("a b"), "'a b'");
    assert_eq!(quote("it's; $HOME"), "'it'\\''s; $HOME'");
}

/// Runs the command of an event with a `lawful` that is a script, or with none.
#[cfg(unix)]
mod run {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;
    use std::process::Command;

    use super::*;
    use crate::state::tests::folder;

    fn answer(shell: &str, line: &str, script: Option<&str>) -> String {
        let bin = folder("fallback").join("bin");
        fs::create_dir_all(&bin).unwrap();
        if let Some(script) = script {
            fs::write(bin.join("lawful"), format!("#!/bin/sh\n{script}\n")).unwrap();
            fs::set_permissions(bin.join("lawful"), fs::Permissions::from_mode(0o755)).unwrap();
        }
        let path = format!("{}:/usr/bin:/bin", bin.display());
        let output = Command::new(shell).arg("-c").arg(line).env("PATH", path).output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stdout).unwrap()
    }

    #[test]
    fn a_hook_that_does_not_answer_is_answered_for() {
        let hostile = book(BookFolder::At("/it's $HOME \"x\" `y`".to_owned()));
        for hook in &HOOKS {
            for row in hook.events.iter().filter(|row| row.honours.can_stop()) {
                let line = hook.line(row.event, &hostile);
                let run = |script: Option<&str>| answer("sh", &line, script);
                for script in [
                    None,
                    Some("exit 1"),
                    Some("exit 2"),
                    Some("exit 127"),
                    Some("printf '{'; kill -9 $$"),
                ] {
                    let answer: serde_json::Value = serde_json::from_str(&run(script)).unwrap();
                    let text = answer.to_string();
                    let stops = ["\"deny\"", "\"block\"", "followup_message", "\"continue\":false"];
                    assert!(stops.iter().any(|word| text.contains(word)), "{} {text}", hook.id);
                    assert!(text.contains("Lawful did not answer"), "{text}");
                }
                assert_eq!(run(Some("exit 0")), "");
                // What `lawful` gets is what was written.
                let words = run(Some("printf '%s|' \"$@\""));
                let expected = format!(
                    "hook|--harness|{}|{}|--book|/it's $HOME \"x\" `y`|",
                    hook.id,
                    row.event.name()
                );
                assert_eq!(words, expected);
            }
        }
    }
}
