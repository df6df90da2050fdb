use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use proptest::prelude::*;

use super::*;
use crate::{HOOKS, Honours};

fn reply(decision: Decision) -> Reply {
    Reply { decision, reason: "why".to_owned(), ..Reply::default() }
}

/// Every answer of every harness.
///
/// `UPDATE_GOLDEN=1 cargo test -p lawful-deliver answers` rewrites the file; read the difference.
#[test]
fn answers_are_as_written_down() {
    let mut out = String::new();
    for hook in &HOOKS {
        let _ = writeln!(out, "## {}", hook.id);
        for row in hook.events {
            let _ = writeln!(out, "\n{} ({})", row.event.name(), row.name);
            let text = |text: &str| Some(text.to_owned());
            let replies = [
                ("none", Reply::default()),
                ("allow", reply(Decision::Allow)),
                ("ask", reply(Decision::Ask)),
                ("deny", reply(Decision::Deny)),
                ("context", Reply { context: text("for the model"), ..Reply::default() }),
                ("both", Reply { context: text("for the model"), ..reply(Decision::Deny) }),
                ("message", Reply { message: text("for the user"), ..Reply::default() }),
            ];
            for (name, reply) in replies {
                let sent = answer(hook, row.event, &reply);
                let document: String = sent.stdout.lines().map(str::trim_start).collect();
                let mut line = format!("  {name:8}{document}");
                if !sent.stderr.is_empty() {
                    let _ = write!(line, "  stderr: {:?}", sent.stderr.trim_end());
                }
                if sent.code != 0 {
                    let _ = write!(line, "  exit: {}", sent.code);
                }
                let _ = writeln!(out, "{}", line.trim_end());
            }
            // A call is denied and a stop is blocked, whichever of the two words is used.
            assert_eq!(
                answer(hook, row.event, &reply(Decision::Deny)),
                answer(hook, row.event, &reply(Decision::Block)),
            );
        }
        out.push('\n');
    }
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/protocol/reply/answers.golden");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, &out).unwrap();
    }
    assert_eq!(out, fs::read_to_string(&path).unwrap());
}

/// The keys that stand for what a row honours.
fn keys_of(hook: &Hook, can: Honours) -> BTreeSet<&'static str> {
    let mut keys = BTreeSet::new();
    let mut add = |is_honoured: bool, names: &[&'static str]| {
        if is_honoured {
            keys.extend(names);
        }
    };
    let own = ["hookSpecificOutput", "hookEventName"];
    match hook.dialect {
        Dialect::Claude => {
            add(can.deny, &["permissionDecision", "permissionDecisionReason"]);
            add(can.block, &["decision", "reason"]);
            add(can.context, &["additionalContext"]);
            add(can.deny || can.context, &own);
            add(can.message, &["systemMessage"]);
        }
        Dialect::Gemini => {
            add(can.deny || can.block, &["decision", "reason"]);
            add(can.context, &["additionalContext", "hookSpecificOutput", "hookEventName"]);
            add(can.message, &["systemMessage"]);
        }
        Dialect::Copilot => {
            add(can.deny, &["permissionDecision", "permissionDecisionReason"]);
            add(can.block, &["decision", "reason"]);
            add(can.context, &["additionalContext"]);
        }
        Dialect::Cursor => {
            add(can.deny, &["permission", "agent_message"]);
            add(can.block, &["continue", "followup_message", "user_message"]);
            add(can.context, &["additional_context"]);
            add(can.message, &["user_message"]);
        }
        Dialect::Plugin => {
            add(can.deny || can.block, &["decision", "reason"]);
            add(can.context, &["context"]);
        }
    }
    keys
}

fn keys(value: &serde_json::Value, found: &mut BTreeSet<String>) {
    for (key, value) in value.as_object().into_iter().flatten() {
        found.insert(key.clone());
        keys(value, found);
    }
}

fn any_reply() -> impl Strategy<Value = Reply> {
    let decision = prop::sample::select(vec![
        Decision::None,
        Decision::Allow,
        Decision::Ask,
        Decision::Deny,
        Decision::Block,
    ]);
    let text = prop::option::of("[a-z<>\"\\\\\n\u{202e}é]{0,20}");
    (decision, "[a-z<>\"\\\\ \n\u{1b}é]{0,20}", text.clone(), text).prop_map(
        |(decision, reason, context, message)| Reply { decision, reason, context, message },
    )
}

proptest! {
    #[test]
    fn only_what_is_honoured_is_sent_and_no_denial_is_lost(reply in any_reply()) {
        for hook in &HOOKS {
            for event in Event::ALL {
                let can = hook.honours(event);
                let sent = answer(hook, event, &reply);
                let document = match sent.stdout.as_str() {
                    "" => serde_json::Value::Null,
                    text => serde_json::from_str(text).unwrap(),
                };
                let mut found = BTreeSet::new();
                keys(&document, &mut found);
                let known = keys_of(hook, can);
                prop_assert!(found.iter().all(|key| known.contains(&**key)), "{} {event:?} {document}", hook.id);
                let text = document.to_string();
                let asks = reply.decision == Decision::Ask;
                let denies = matches!(reply.decision, Decision::Deny | Decision::Block) || (asks && !can.ask);
                let stops = ["\"deny\"", "\"block\"", "followup_message", "\"continue\":false"]
                    .iter()
                    .any(|word| text.contains(word));
                if denies && can.can_stop() {
                    prop_assert!(stops, "{} {event:?} {text}", hook.id);
                } else if denies {
                    prop_assert!(sent.code != 0 || !found.is_empty(), "{} {event:?}", hook.id);
                }
                if !denies {
                    prop_assert!(!stops && sent.code == 0, "{} {event:?} {text}", hook.id);
                }
                prop_assert_eq!(text.contains("\"ask\""), asks && can.ask);
                prop_assert_eq!(text.contains("\"allow\""), reply.decision == Decision::Allow && can.allow);
                // What the harness prints is safe on a terminal.
                let is_unsafe = ['\u{1b}', '\u{202e}'];
                let is_safe = !sent.stdout.contains(is_unsafe) && !sent.stderr.contains(is_unsafe);
                prop_assert!(is_safe);
            }
        }
    }
}

#[test]
fn a_reason_is_never_empty() {
    // Codex treats a denial without a reason as a failed hook, and runs the tool.
    for hook in &HOOKS {
        let empty =
            Reply { decision: Decision::Deny, reason: " \n".to_owned(), ..Reply::default() };
        assert!(answer(hook, Event::ToolCall, &empty).stdout.contains(NO_REASON), "{}", hook.id);
    }
}

#[test]
fn a_context_is_cut_where_the_harness_would_move_it_to_a_file() {
    let long = Reply { context: Some("é".repeat(20_000)), ..Reply::default() };
    let context = |id: &str| {
        let hook = crate::find_hook(id).unwrap();
        let sent: serde_json::Value =
            serde_json::from_str(&answer(hook, Event::Prompt, &long).stdout).unwrap();
        sent["hookSpecificOutput"]["additionalContext"].as_str().unwrap().to_owned()
    };
    let cut = context("codex");
    assert!(
        cut.len() <= 9_600 && cut.len() > 9_500 && cut.ends_with("no longer text.]"),
        "{}",
        cut.len()
    );
    assert_eq!(context("claude-code").len(), 40_000);
}
