//! `lawful hook` while an agent works: guards, rules, sessions, and the log of decisions.

#![cfg(unix)]
#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "this is a test")]

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

mod support;

/// A project with a lawbook, a home and a state folder.
struct Project(support::Folder);

const GUARDS: &str = "\
- id: no-force-push
  on: {action: shell}
  when: {path: event.line, op: matches, value: '^git push .*--force'}
  deny: Push without --force.
- id: ask-deploy
  on: {action: shell}
  when: {path: event.program, op: equals, value: deploy}
  ask: Deploying needs a person.
- id: three-calls
  on: {action: read}
  when: {path: state.reads, op: gte, value: 3}
  deny: Three files are enough.
";

const RULES: &str = "\
- id: count
  trigger: {type: event, eventType: 'tool:call', match: {action: {op: equals, value: read}}}
  actions: [{type: modify-variable, variableId: reads, operation: add, value: 1}]
- id: calm
  trigger: {type: keyword, keywords: [hurry]}
  actions: [{type: inject-directive, directiveId: calm, content: Take your time., persistent: true}]
- id: told
  trigger: {type: event, eventType: 'guard:denied'}
  actions: [{type: inject-directive, directiveId: told, content: You were denied.}]
- id: welcome
  trigger: {type: session-start}
  actions: [{type: notify-player, message: Lawful is watching.}]
- id: turns
  trigger: {type: event, eventType: 'turn:complete'}
  actions: [{type: modify-variable, variableId: turns, operation: add, value: 1}]
";

const MANIFEST: &str = "\
name: law
variables: [{id: reads, type: number, initial: 0}, {id: turns, type: number, initial: 0}]
";

const RULESPEC: &str = "\
claims: [{name: done, selector: done}]
predicates: [{claim: done, rule: exists}]
";

impl Project {
    /// A project whose lawbook is trusted.
    fn new(name: &str) -> Self {
        let project = Self::untrusted(name, MANIFEST);
        project.trust();
        project
    }

    fn untrusted(name: &str, manifest: &str) -> Self {
        let project = Self(support::Folder::new(&format!("live-{name}")));
        fs::create_dir_all(project.0.join("home")).unwrap();
        fs::create_dir_all(project.0.join("project/.git")).unwrap();
        project.write("lawful.yaml", manifest);
        project.write("guards/all.yaml", GUARDS);
        project.write("rules/all.yaml", RULES);
        project.write("analysis/rulespec.yaml", RULESPEC);
        project.write(".lawful/envelope.yaml", "facts: {done: true}\n");
        project
    }

    fn write(&self, path: &str, text: &str) {
        self.0.write(&format!("project/{path}"), text);
    }

    fn folder(&self) -> PathBuf {
        self.0.join("project")
    }

    fn state(&self) -> PathBuf {
        self.0.join("state/lawful")
    }

    /// Trusts the lawbook as it is.
    fn trust(&self) {
        self.0.trust("project");
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = self.0.lawful(words);
        command.current_dir(self.folder()).env_clear();
        command.env("HOME", self.0.join("home")).env("XDG_STATE_HOME", self.0.join("state"));
        command.env("PATH", "/usr/bin:/bin");
        command
    }

    /// What a harness is told; nothing is null.
    fn told(&self, harness: &str, event: &str, input: &Value) -> Value {
        let mut command = self.command(&["hook", "--harness", harness, event]);
        let output = support::answer(&mut command, input.to_string());
        assert_eq!(support::exit(&output), 0, "{}", support::said(&output));
        if output.stdout.is_empty() {
            return Value::Null;
        }
        support::document(&output)
    }

    /// What Claude Code is told about a tool call.
    fn call(&self, session: &str, id: &str, tool: &str, input: &Value) -> Value {
        let event = json!({
            "session_id": session, "cwd": self.folder(), "hook_event_name": "PreToolUse",
            "tool_name": tool, "tool_input": input, "tool_use_id": id,
        });
        self.told("claude-code", "tool-call", &event)
    }

    fn shell(&self, session: &str, id: &str, command: &str) -> Value {
        self.call(session, id, "Bash", &json!({ "command": command }))
    }

    fn read_file(&self, session: &str, id: &str) -> Value {
        let file = self.folder().join("a.txt");
        self.call(session, id, "Read", &json!({ "file_path": file }))
    }

    fn prompt(&self, session: &str, text: &str) -> Value {
        let event = json!({
            "session_id": session, "cwd": self.folder(), "hook_event_name": "UserPromptSubmit",
            "prompt": text,
        });
        self.told("claude-code", "prompt", &event)
    }

    fn stop(&self, session: &str) -> Value {
        let event = json!({
            "session_id": session, "cwd": self.folder(), "hook_event_name": "Stop",
            "stop_hook_active": false, "last_assistant_message": "done",
        });
        self.told("claude-code", "stop", &event)
    }

    /// The decisions of the log.
    fn log(&self, words: &[&str]) -> Vec<Value> {
        let words = [&["log", "--format", "json"], words].concat();
        let output = self.command(&words).output().unwrap();
        assert_eq!(support::exit(&output), 0, "{}", support::said(&output));
        support::document(&output)["decisions"].as_array().unwrap().clone()
    }

    /// The state of a live session.
    fn session(&self, session: &str) -> Value {
        let name = format!("claude-code/{session}");
        let words = ["session", "show", &name, "--live", "--format", "json"];
        let output = self.command(&words).output().unwrap();
        assert_eq!(support::exit(&output), 0, "{}", support::said(&output));
        support::document(&output)
    }
}

fn decision(answer: &Value) -> &str {
    answer["hookSpecificOutput"]["permissionDecision"].as_str().unwrap_or("none")
}

fn reason(answer: &Value) -> &str {
    answer["hookSpecificOutput"]["permissionDecisionReason"].as_str().unwrap_or_default()
}

fn context(answer: &Value) -> &str {
    answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default()
}

fn message(answer: &Value) -> &str {
    answer["systemMessage"].as_str().unwrap_or_default()
}

#[test]
fn a_guard_decides_and_the_log_says_so() {
    let project = Project::new("decides");
    let denied = project.shell("s", "1", "cd web && git push origin --force");
    assert_eq!((decision(&denied), reason(&denied)), ("deny", "Push without --force."));
    assert_eq!(decision(&project.shell("s", "2", "deploy now")), "ask");
    assert_eq!(decision(&project.shell("s", "3", "ls")), "none");
    let log = project.log(&[]);
    let kinds: Vec<&str> = log.iter().map(|line| line["decision"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["deny", "ask", "none"]);
    let first = &log[0];
    assert_eq!(first["by"], json!(["no-force-push"]));
    assert_eq!(first["event"], "tool:call");
    assert_eq!((&first["harness"], &first["session"]), (&json!("claude-code"), &json!("s")));
    assert_eq!((&first["agent"], &first["mode"]), (&json!("main"), &json!("enforce")));
    assert_eq!(first["about"]["command"], "cd web && git push origin --force");
    assert!(first["law"].as_str().unwrap().starts_with("sha256:"));
    assert!(message(&denied).contains(&format!("lawful allow {}", first["id"].as_str().unwrap())));
    assert_eq!(project.log(&["--decision", "ask"]).len(), 1);
    assert_eq!(project.log(&["--by", "no-force-push", "--since", "1h"]).len(), 1);
    assert_eq!(project.log(&["--session", "other"]).len(), 0);
    let text = project.command(&["log"]).output().unwrap();
    let text = support::said(&text);
    assert!(text.contains("deny") && text.contains("by no-force-push"), "{text}");
}

#[test]
fn every_harness_is_answered_in_its_own_protocol() {
    let project = Project::new("harnesses");
    let cwd = project.folder();
    let bad = "git push --force";
    let claude = json!({
        "session_id": "s", "cwd": cwd, "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": {"command": bad}, "tool_use_id": "1", "turn_id": "1", "model": "m",
    });
    let gemini = json!({
        "session_id": "s", "cwd": cwd, "hook_event_name": "BeforeTool",
        "tool_name": "run_shell_command", "tool_input": {"command": bad},
    });
    let qwen = json!({
        "session_id": "s", "cwd": cwd, "hook_event_name": "PreToolUse",
        "tool_name": "run_shell_command", "tool_input": {"command": bad}, "tool_use_id": "1",
    });
    let copilot = json!({
        "sessionId": "s", "cwd": cwd, "toolName": "bash",
        "toolArgs": json!({"command": bad}).to_string(),
    });
    let cursor = json!({
        "conversation_id": "s", "workspace_roots": [cwd], "hook_event_name": "preToolUse",
        "tool_name": "Shell", "tool_input": {"command": bad}, "cwd": cwd,
    });
    let opencode = json!({
        "session_id": "s", "cwd": cwd, "project": cwd, "tool_name": "bash",
        "tool_input": {"command": bad}, "call_id": "1",
    });
    let own = |answer: &Value| answer["hookSpecificOutput"]["permissionDecision"].clone();
    let check = |harness: &str, event: &Value, decided: &dyn Fn(&Value) -> Value| {
        let answer = project.told(harness, "tool-call", event);
        assert_eq!(decided(&answer), "deny", "{harness}: {answer}");
        assert!(answer.to_string().contains("Push without --force."), "{harness}: {answer}");
    };
    check("claude-code", &claude, &own);
    check("codex", &claude, &own);
    check("qwen", &qwen, &own);
    check("gemini-cli", &gemini, &|answer| answer["decision"].clone());
    check("copilot-cli", &copilot, &|answer| answer["permissionDecision"].clone());
    check("cursor", &cursor, &|answer| answer["permission"].clone());
    check("opencode", &opencode, &|answer| answer["decision"].clone());
    assert_eq!(project.log(&["--decision", "deny"]).len(), 7);
}

#[test]
fn a_session_remembers_across_hooks() {
    let project = Project::new("remembers");
    for id in ["1", "2", "3"] {
        assert_eq!(decision(&project.read_file("s", id)), "none", "{id}");
    }
    // The guard decides on the state before the call.
    let denied = project.read_file("s", "4");
    assert_eq!((decision(&denied), reason(&denied)), ("deny", "Three files are enough."));
    // The denied call counts, and another session does not.
    assert_eq!(project.session("s")["state"]["variables"]["reads"], 4);
    assert_eq!(decision(&project.read_file("other", "1")), "none");
    let list = project.command(&["session", "list", "--live"]).output().unwrap();
    let list = support::said(&list);
    assert!(list.contains("claude-code/s ") && list.contains("claude-code/other "), "{list}");
}

#[test]
fn a_hook_that_runs_twice_for_one_call_is_one_step() {
    let project = Project::new("twice");
    for id in ["1", "1", "2", "2", "3", "3"] {
        assert_eq!(decision(&project.read_file("s", id)), "none", "{id}");
    }
    assert_eq!(project.session("s")["state"]["variables"]["reads"], 3);
    let first = project.read_file("s", "4");
    assert_eq!(decision(&first), "deny");
    let again = project.read_file("s", "4");
    assert_eq!(
        (decision(&again), reason(&again), context(&again)),
        (decision(&first), reason(&first), context(&first))
    );
    assert_eq!(project.session("s")["state"]["variables"]["reads"], 4);
}

#[test]
fn the_session_starts_once_and_the_user_is_told() {
    let project = Project::new("start");
    let start = |source: &str| {
        let event = json!({
            "session_id": "s", "cwd": project.folder(), "hook_event_name": "SessionStart",
            "source": source,
        });
        project.told("claude-code", "session-start", &event)
    };
    assert_eq!(message(&start("startup")), "Lawful is watching.");
    assert_eq!(start("resume"), Value::Null);
    assert_eq!(project.session("s")["state"]["fired"]["welcome"]["count"], 1);
    // Without that event, the first one that is seen starts the session.
    assert!(message(&project.prompt("t", "hello")).contains("Lawful is watching."));
    assert_eq!(project.session("t")["state"]["fired"]["welcome"]["count"], 1);
    project.stop("t");
    assert_eq!(project.session("t")["state"]["fired"]["welcome"]["count"], 1);
}

#[test]
fn a_prompt_gets_its_directives_and_a_stop_completes_the_turn() {
    let project = Project::new("turns");
    assert_eq!(context(&project.prompt("s", "please hurry")), "Take your time.");
    assert_eq!(project.session("s")["state"]["turn"], 0);
    // It is in the conversation now.
    assert_eq!(context(&project.prompt("s", "hurry, hurry")), "");
    project.stop("s");
    let state = project.session("s")["state"].clone();
    assert_eq!((&state["turn"], &state["variables"]["turns"]), (&json!(1), &json!(1)));
    project.prompt("s", "and now");
    project.stop("s");
    assert_eq!(project.session("s")["state"]["turn"], 2);
}

#[test]
fn directives_are_given_again_after_a_compaction_and_to_sub_agents() {
    let project = Project::new("again");
    let event = |name: &str, more: Value| {
        let mut event = json!({
            "session_id": "s", "cwd": project.folder(), "hook_event_name": name,
        });
        event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        event
    };
    assert_eq!(context(&project.prompt("s", "hurry")), "Take your time.");
    let start = event("SubagentStart", json!({"agent_id": "a1", "agent_type": "scout"}));
    let answer = project.told("claude-code", "agent-start", &start);
    assert_eq!(context(&answer), "Take your time.");
    project.told("claude-code", "compact", &event("PreCompact", json!({"trigger": "auto"})));
    let start = event("SessionStart", json!({"source": "compact"}));
    assert_eq!(context(&project.told("claude-code", "session-start", &start)), "Take your time.");
    assert_eq!(context(&project.prompt("s", "go on")), "");
    // Without an event after the compaction, the next answer has them.
    project.told("claude-code", "compact", &event("PreCompact", json!({"trigger": "auto"})));
    assert_eq!(context(&project.shell("s", "1", "ls")), "Take your time.");
}

#[test]
fn a_sub_agent_shares_the_session_and_what_it_is_given_the_main_agent_lacks() {
    let project = Project::new("sub-agent");
    let call = json!({
        "session_id": "s", "cwd": project.folder(), "hook_event_name": "PreToolUse",
        "tool_name": "Bash", "tool_input": {"command": "git push --force"}, "tool_use_id": "1",
        "agent_id": "a1", "agent_type": "scout",
    });
    let answer = project.told("claude-code", "tool-call", &call);
    assert_eq!((decision(&answer), context(&answer)), ("deny", "You were denied."));
    assert_eq!(project.log(&[])[0]["agent"], "scout");
    assert_eq!(context(&project.shell("s", "2", "ls")), "You were denied.");
    assert_eq!(context(&project.shell("s", "3", "ls")), "");
}

#[test]
fn what_a_harness_has_no_place_for_is_in_the_next_answer() {
    let project = Project::untrusted("owed", MANIFEST);
    let rule = "\
- id: reading
  trigger: {type: event, eventType: 'tool:call', match: {action: {op: equals, value: read}}}
  actions: [{type: inject-directive, directiveId: reading, content: Read slowly.}]
";
    project.write("rules/reading.yaml", rule);
    project.trust();
    let event = |name: &str, more: Value| {
        let mut event = json!({
            "session_id": "s", "cwd": project.folder(), "hook_event_name": name,
        });
        event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        event
    };
    // Gemini CLI takes no context with the answer to a tool call.
    let call = json!({"tool_name": "read_file", "tool_input": {"file_path": "a"}});
    let answer = project.told("gemini-cli", "tool-call", &event("BeforeTool", call));
    assert_eq!((&answer["decision"], context(&answer)), (&Value::Null, ""));
    // The directive was for this turn, and the turn ends before anything can be given.
    let stop = event("AfterAgent", json!({"prompt_response": "done", "stop_hook_active": false}));
    project.told("gemini-cli", "stop", &stop);
    let prompt = event("BeforeAgent", json!({"prompt": "next"}));
    assert_eq!(context(&project.told("gemini-cli", "prompt", &prompt)), "Read slowly.");
    assert_eq!(context(&project.told("gemini-cli", "prompt", &prompt)), "");
}

#[test]
fn a_denial_gives_what_the_harness_has_no_other_place_for() {
    let project = Project::new("denial");
    let event = |name: &str, more: Value| {
        let mut event = json!({
            "session_id": "s", "cwd": project.folder(), "hook_event_name": name,
        });
        event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        event
    };
    let call =
        json!({"tool_name": "run_shell_command", "tool_input": {"command": "git push --force"}});
    let answer = project.told("gemini-cli", "tool-call", &event("BeforeTool", call));
    assert_eq!(answer["decision"], "deny");
    let reason = answer["reason"].as_str().unwrap();
    assert!(reason.starts_with("Push without --force."), "{reason}");
    assert!(reason.ends_with("\n\nYou were denied."), "{reason}");
    let prompt = event("BeforeAgent", json!({"prompt": "next"}));
    assert_eq!(context(&project.told("gemini-cli", "prompt", &prompt)), "");
}

#[test]
fn a_blocked_stop_does_not_advance_the_turn() {
    let project = Project::new("blocked");
    let guards = "- id: read-first\n  on: {event: turn:stop}\n  when: {path: state.reads, op: lt, value: 1}\n  deny: Read something first.\n";
    project.write("guards/stop.yaml", guards);
    project.trust();
    let blocked = project.stop("s");
    assert_eq!(
        (&blocked["decision"], &blocked["reason"]),
        (&json!("block"), &json!("Read something first."))
    );
    assert_eq!(project.session("s")["state"]["turn"], 0);
    let log = project.log(&["--decision", "block"]);
    assert_eq!((log.len(), &log[0]["by"]), (1, &json!(["read-first"])));
    project.read_file("s", "1");
    assert!(project.stop("s").get("decision").is_none());
    assert_eq!(project.session("s")["state"]["turn"], 1);
    // After three blocks in a row the agent may stop, and the turn is complete.
    for _ in 0..3 {
        assert_eq!(project.stop("t")["decision"], "block");
    }
    assert!(message(&project.stop("t")).contains("Lawful allows the agent to stop"));
    assert_eq!(project.session("t")["state"]["turn"], 1);
}

#[test]
fn a_lawbook_of_guards_alone_verifies_nothing() {
    let project = Project::new("guards-alone");
    fs::remove_dir_all(project.folder().join("analysis")).unwrap();
    fs::remove_dir_all(project.folder().join(".lawful")).unwrap();
    project.trust();
    assert!(project.stop("s").get("decision").is_none());
}

#[test]
fn a_step_that_changes_nothing_is_not_stored() {
    let project = Project::new("nothing");
    project.shell("s", "1", "ls");
    let version = project.session("s")["version"].clone();
    for id in ["2", "3", "4"] {
        project.shell("s", id, "ls");
    }
    assert_eq!(project.session("s")["version"], version);
}

#[test]
fn parallel_hooks_are_all_applied() {
    let project = Project::new("parallel");
    project.shell("s", "0", "ls");
    let children: Vec<_> = (0..12)
        .map(|id| {
            let mut command = project.command(&["hook", "--harness", "claude-code", "tool-call"]);
            let event = json!({
                "session_id": "s", "cwd": project.folder(), "hook_event_name": "PreToolUse",
                "tool_name": "Read", "tool_input": {"file_path": "a.txt"},
                "tool_use_id": format!("p{id}"),
            });
            std::thread::spawn(move || support::answer(&mut command, event.to_string()))
        })
        .collect();
    for child in children {
        assert_eq!(support::exit(&child.join().unwrap()), 0);
    }
    assert_eq!(project.session("s")["state"]["variables"]["reads"], 12);
    assert_eq!(project.log(&[]).len(), 13);
}

#[test]
fn a_killed_hook_leaves_the_session_usable() {
    let project = Project::new("killed");
    project.shell("s", "0", "ls");
    for round in 0..40_u64 {
        let mut command = project.command(&["hook", "--harness", "claude-code", "tool-call"]);
        let event = json!({
            "session_id": "s", "cwd": project.folder(), "hook_event_name": "PreToolUse",
            "tool_name": "Read", "tool_input": {"file_path": "a.txt"},
            "tool_use_id": format!("k{round}"),
        });
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let _ = std::io::Write::write_all(
            &mut child.stdin.take().unwrap(),
            event.to_string().as_bytes(),
        );
        std::thread::sleep(std::time::Duration::from_micros(700 * round));
        let _ = child.kill();
        child.wait().unwrap();
    }
    let reads = project.session("s")["state"]["variables"]["reads"].as_i64().unwrap();
    assert!((0..=40).contains(&reads), "{reads}");
    project.read_file("s", "last");
    assert_eq!(project.session("s")["state"]["variables"]["reads"], reads + 1);
}

#[test]
fn whatever_goes_wrong_is_an_answer() {
    let project = Project::untrusted("wrong", "name: law\n");
    let answer = project.shell("s", "1", "ls");
    assert_eq!(decision(&answer), "deny");
    assert!(reason(&answer).contains("lawful trust"), "{answer}");
    let line = project.log(&[]).pop().unwrap();
    assert_eq!(
        (&line["decision"], &line["by"], &line["law"]),
        (&json!("deny"), &json!(["undecided"]), &Value::Null)
    );
    project.trust();
    assert_eq!(decision(&project.shell("s", "2", "ls")), "none");
    // What is no event of the harness.
    for input in ["", "{", "[]", "null", "{\"tool_name\": 3}", "\u{1b}[2J"] {
        let mut command = project.command(&["hook", "--harness", "claude-code", "tool-call"]);
        let output = support::answer(&mut command, input);
        assert_eq!(decision(&support::document(&output)), "deny", "{input}");
    }
    // A prompt is not refused because of it, and the user is told.
    let mut command = project.command(&["hook", "--harness", "claude-code", "prompt"]);
    let answer = support::document(&support::answer(&mut command, "{}"));
    assert!(answer.get("decision").is_none() && message(&answer).contains("could not"), "{answer}");
    // A store that is no database.
    project.shell("s", "3", "ls");
    for name in ["sessions.db", "sessions.db-wal"] {
        fs::write(project.state().join("live").join(name), "x".repeat(10_000)).unwrap();
    }
    let answer = project.shell("s", "4", "ls");
    assert_eq!(decision(&answer), "deny");
    assert!(reason(&answer).contains("the session cannot be used"), "{answer}");
    // A guard that needs no session still says what it has to say.
    assert_eq!(reason(&project.shell("s", "5", "git push --force")), "Push without --force.");
    let stopped = project.stop("s");
    assert_eq!(stopped["decision"], "block", "{stopped}");
}

#[test]
fn without_a_lawbook_the_settings_of_the_user_decide() {
    let project = Project(support::Folder::new("live-none"));
    fs::create_dir_all(project.0.join("project/.git")).unwrap();
    assert_eq!(decision(&project.shell("s", "1", "ls")), "deny");
    let words = ["hook", "--harness", "claude-code", "tool-call", "--undecided", "allow"];
    let event = json!({
        "session_id": "s", "cwd": project.folder(), "hook_event_name": "PreToolUse",
        "tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "2",
    });
    let output = support::answer(&mut project.command(&words), event.to_string());
    let answer = support::document(&output);
    assert_eq!(decision(&answer), "none");
    assert!(message(&answer).contains("no lawbook"), "{answer}");
}

#[test]
fn an_edit_is_told_once_and_counts_only_when_it_is_trusted() {
    let project = Project::new("changed");
    project.write("guards/all.yaml", "[]\n");
    let first = project.shell("s", "1", "git push --force");
    assert_eq!(decision(&first), "deny");
    assert!(message(&first).contains("law-changed: "), "{first}");
    let second = project.shell("s", "2", "git push --force");
    assert!(!message(&second).contains("law-changed"), "{second}");
    project.trust();
    assert_eq!(decision(&project.shell("s", "3", "git push --force")), "none");
}

#[test]
fn shadow_mode_decides_and_enforces_nothing() {
    let project = Project::untrusted("shadow", &format!("{MANIFEST}hooks: {{mode: shadow}}\n"));
    project.trust();
    for id in ["1", "2", "3", "4"] {
        assert_eq!(project.read_file("s", id), Value::Null);
    }
    assert_eq!(project.shell("s", "5", "git push --force"), Value::Null);
    assert_eq!(project.stop("s"), Value::Null);
    let log = project.log(&["--decision", "deny"]);
    assert_eq!(log.len(), 2);
    assert!(log.iter().all(|line| line["mode"] == "shadow"));
    let state = project.session("s")["state"].clone();
    assert_eq!((&state["variables"]["reads"], &state["turn"]), (&json!(4), &json!(1)));
}

#[test]
fn the_log_masks_what_the_manifest_names() {
    let manifest = format!("{MANIFEST}log: {{mask: [event.input.token, event.command]}}\n");
    let project = Project::untrusted("mask", &manifest);
    project.trust();
    project.call("s", "1", "Bash", &json!({"command": "login hunter2", "token": "hunter2"}));
    project.call(
        "s",
        "2",
        "WebFetch",
        &json!({"url": "https://x.test/?k=hunter2", "token": "hunter2"}),
    );
    let text = fs::read_to_string(project.state().join("log/decisions.jsonl")).unwrap();
    assert!(!text.contains("hunter2") && text.contains("https://x.test/?k=***"), "{text}");
}

#[test]
fn a_person_lets_one_denied_call_through() {
    let project = Project::new("allow");
    let bad = "git push --force";
    project.shell("s", "1", bad);
    let id = project.log(&[])[0]["id"].as_str().unwrap().to_owned();
    // Without a terminal nobody is asked.
    let output = support::answer(&mut project.command(&["allow", &id]), "y\n");
    assert_eq!(support::exit(&output), 2);
    assert_eq!(decision(&project.shell("s", "2", bad)), "deny");
    let asked = |said: &str, id: &str| {
        let program = env!("CARGO_BIN_EXE_lawful");
        let mut command = project.command(&[]);
        let line = format!("{program} allow {id}");
        let mut script = Command::new("script");
        script.args(["-qec", &line, "/dev/null"]).current_dir(project.folder()).env_clear();
        script.envs(command.get_envs().filter_map(|(key, value)| Some((key, value?))));
        command.stdin(Stdio::null());
        support::answer(&mut script, said)
    };
    assert_eq!(support::exit(&asked("n\n", &id)), 1);
    assert_eq!(decision(&project.shell("s", "3", bad)), "deny");
    let output = asked("y\n", &id);
    assert_eq!(support::exit(&output), 0, "{}", support::said(&output));
    // Another session, another call: nothing changes for them.
    assert_eq!(decision(&project.shell("t", "4", bad)), "deny");
    assert_eq!(decision(&project.shell("s", "5", "git push --force x")), "deny");
    assert_eq!(decision(&project.shell("s", "6", bad)), "allow");
    assert_eq!(decision(&project.shell("s", "6", bad)), "allow");
    assert_eq!(decision(&project.shell("s", "7", bad)), "deny");
    let log = project.log(&["--by", "person"]);
    let events: Vec<&Value> = log.iter().map(|line| &line["event"]).collect();
    assert_eq!(events, ["person:allowed", "tool:call", "tool:call"]);
    assert!(log.iter().all(|line| line["overrides"] == *id));
    assert_eq!(support::exit(&asked("y\n", "nothing")), 2);
}

#[test]
fn a_preview_decides_without_trust_and_says_why() {
    let project = Project::untrusted("preview", MANIFEST);
    let preview = |event: &str, more: &[&str]| {
        let words = ["guard", "--harness", "claude-code", "--event", "-", "--format", "json"];
        let output = support::answer(&mut project.command(&[&words, more].concat()), event);
        (support::exit(&output), support::document(&output))
    };
    let call = json!({
        "session_id": "s", "cwd": project.folder().join("guards"), "hook_event_name": "PreToolUse",
        "tool_name": "Bash", "tool_input": {"command": "git push --force > ../x"},
        "tool_use_id": "1",
    });
    let (code, denied) = preview(&call.to_string(), &["--explain"]);
    assert_eq!(
        (code, &denied["decision"], &denied["by"]),
        (1, &json!("deny"), &json!(["no-force-push"]))
    );
    assert_eq!(
        (&denied["event"]["type"], &denied["event"]["writes"]),
        (&json!("tool:call"), &json!(["x"]))
    );
    assert_eq!(denied["reason"], "Push without --force.");
    assert!(denied["law"].as_str().unwrap().starts_with("sha256:"));
    let rows = denied["guards"].as_array().unwrap();
    assert!(rows.iter().any(|row| row["id"] == "no-force-push" && row["result"] == "acted"));
    // As guards see it.
    let (code, asked) = preview(r#"{"action": "shell", "command": "deploy"}"#, &[]);
    assert_eq!((code, &asked["decision"]), (1, &json!("ask")));
    let (code, read) = preview(r#"{"action": "read", "paths": ["../a/./b"]}"#, &[]);
    assert_eq!((code, &read["decision"]), (0, &json!("none")));
    for event in ["", "{", "[]", "{}", r#"{"action": "shell"}"#, r#"{"action": "fly"}"#] {
        let (code, document) = preview(event, &[]);
        assert_eq!((code, &document["decision"]), (2, &json!("deny")), "{event}: {document}");
    }
    let (code, document) = preview(r#"{"action": "shell", "command": "ls", "comand": "x"}"#, &[]);
    assert_eq!(code, 2);
    assert_eq!(
        document["reason"],
        "The call could not be decided: unknown key `comand` in a call of the action `shell`; the \
         keys are `type`, `action`, `tool`, `agent`, `input`, `command`, `folder`"
    );
    // Nothing was stored.
    assert!(!project.state().exists());
    let words = ["guard", "--harness", "codex", "--event", "-", "--explain"];
    let event = r#"{"action": "shell", "command": "git push --force"}"#;
    let output = support::answer(&mut project.command(&words), event);
    let text = support::said(&output);
    assert!(text.starts_with("deny by no-force-push\n  Push without --force.\n"), "{text}");
}

#[test]
fn the_log_can_be_followed() {
    let project = Project::new("follow");
    project.shell("s", "1", "ls");
    let mut command = project.command(&["log", "--follow", "--since", "1h", "--format", "json"]);
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(child.stdout.take().unwrap()));
    let mut next = || -> Value { serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap() };
    assert_eq!(next()["decision"], "none");
    project.shell("s", "2", "git push --force");
    assert_eq!(next()["decision"], "deny");
    child.kill().unwrap();
    child.wait().unwrap();
    let output = project.command(&["log", "--since", "yesterday"]).output().unwrap();
    assert_eq!(support::exit(&output), 2);
}

#[test]
fn a_session_that_is_locked_or_full_denies() {
    let project = Project::new("locked");
    project.read_file("s", "1");
    let database = rusqlite::Connection::open(project.state().join("live/sessions.db")).unwrap();
    database.execute_batch("BEGIN IMMEDIATE").unwrap();
    let answer = project.read_file("s", "2");
    assert_eq!(decision(&answer), "deny");
    assert!(reason(&answer).contains("the session cannot be used"), "{answer}");
    // A call that changes nothing only reads.
    assert_eq!(decision(&project.shell("s", "3", "ls")), "none");
    database.execute_batch("ROLLBACK").unwrap();
    assert_eq!(decision(&project.read_file("s", "4")), "none");
    assert_eq!(project.session("s")["state"]["variables"]["reads"], 2);
    // No file can grow.
    let program = env!("CARGO_BIN_EXE_lawful");
    let line = format!("ulimit -f 0; {program} hook --harness claude-code tool-call");
    let mut shell = Command::new("sh");
    shell.args(["-c", &line]).current_dir(project.folder());
    shell.env("HOME", project.0.join("home")).env("XDG_STATE_HOME", project.0.join("state"));
    let event = json!({
        "session_id": "s", "cwd": project.folder(), "hook_event_name": "PreToolUse",
        "tool_name": "Read", "tool_input": {"file_path": "a.txt"}, "tool_use_id": "5",
    });
    let answer = support::document(&support::answer(&mut shell, event.to_string()));
    assert_eq!(decision(&answer), "deny", "{answer}");
    assert!(message(&answer).contains("could not be logged"), "{answer}");
    assert_eq!(project.session("s")["state"]["variables"]["reads"], 2);
}

#[test]
fn work_that_is_not_verified_keeps_the_turn() {
    let project = Project::new("unverified");
    fs::remove_file(project.folder().join(".lawful/envelope.yaml")).unwrap();
    assert_eq!(project.stop("s")["decision"], "block");
    assert_eq!(project.session("s")["state"]["turn"], 0);
    assert_eq!(project.log(&["--by", "verify", "--decision", "block"]).len(), 1);
    project.write(".lawful/envelope.yaml", "facts: {done: true}\n");
    assert!(project.stop("s").get("decision").is_none());
    assert_eq!(project.session("s")["state"]["turn"], 1);
}

#[test]
fn ids_of_sessions_are_only_names() {
    let project = Project::new("ids");
    for id in ["", "../../x", "a\nb", "\u{202e}x", &"long".repeat(100)] {
        assert_eq!(decision(&project.shell(id, "1", "git push --force")), "deny", "{id:?}");
    }
    let output =
        project.command(&["session", "list", "--live", "--format", "json"]).output().unwrap();
    let list = support::document(&output)["sessions"].as_array().unwrap().clone();
    assert_eq!(list.len(), 5);
    let names = |file: &std::path::Path| {
        let entries = fs::read_dir(file).unwrap().flatten();
        entries.map(|entry| entry.file_name().into_string().unwrap()).collect::<Vec<_>>()
    };
    assert!(
        names(&project.state().join("live")).iter().all(|name| name.starts_with("sessions.db"))
    );
    let text = support::said(&project.command(&["log"]).output().unwrap());
    assert!(!text.contains('\u{202e}') && text.contains("\\u{202e}x"), "{text}");
}

#[test]
fn what_paths_are_relative_to_cannot_be_changed_by_a_repository() {
    let manifest = format!("{MANIFEST}protect: {{paths: ['ci/**']}}\n");
    let project = Project::untrusted("nested", &manifest);
    project.trust();
    fs::create_dir_all(project.folder().join("sub/.git")).unwrap();
    // Codex names no project, so the folder of the agent is all there is.
    let call = |folder: &str, path: &str| {
        let event = json!({
            "session_id": "s", "cwd": project.folder().join(folder),
            "hook_event_name": "PreToolUse", "tool_name": "Bash",
            "tool_input": {"command": format!("echo x > {path}")},
            "tool_use_id": format!("{folder} {path}"),
        });
        let answer = project.told("codex", "tool-call", &event);
        format!("{}: {}", decision(&answer), reason(&answer))
    };
    let protected = "deny: `ci/build` is protected by the lawbook (`ci/**`)";
    assert_eq!(call("", "ci/build"), protected);
    assert_eq!(call("sub", "../ci/build"), protected);
    assert_eq!(call("sub", "ci/build"), "none: ");
    // The settings that hold the hooks are protected, too.
    let claude = project.folder().join(".claude/settings.local.json");
    let state = project.state().join("key");
    for path in ["../.codex/hooks.json", claude.to_str().unwrap(), state.to_str().unwrap()] {
        assert!(call("sub", path).contains("holds hooks or state of Lawful"), "{path}");
    }
}
