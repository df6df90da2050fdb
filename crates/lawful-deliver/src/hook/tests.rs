use std::collections::BTreeSet;

use super::*;

#[test]
fn every_harness_can_deny_a_tool_call_and_block_a_stop() {
    for hook in &HOOKS {
        assert!(hook.honours(Event::ToolCall).deny, "{}", hook.id);
        assert!(hook.honours(Event::Stop).block, "{}", hook.id);
        assert!(!hook.honours(Event::ToolCall).block, "{}: a call is denied, not blocked", hook.id);
    }
}

#[test]
fn ids_events_and_tools_are_named_once() {
    let ids: BTreeSet<&str> =
        HOOKS.iter().flat_map(|hook| [Some(hook.id), hook.alias]).flatten().collect();
    assert_eq!(ids.len(), HOOKS.len() + HOOKS.iter().filter(|hook| hook.alias.is_some()).count());
    for hook in &HOOKS {
        let events: BTreeSet<Event> = hook.events.iter().map(|row| row.event).collect();
        assert_eq!(events.len(), hook.events.len(), "{}", hook.id);
        let tools: BTreeSet<&str> = hook.tools.iter().map(|tool| tool.name).collect();
        assert_eq!(tools.len(), hook.tools.len(), "{}", hook.id);
        assert_eq!(find_hook(hook.id), Some(hook));
        for read in hook.also_reads {
            assert!(find_hook(read).is_some(), "{read}");
        }
    }
    assert_eq!(find_hook("qwen-code").map(|hook| hook.id), Some("qwen"));
}

#[test]
fn a_harness_has_one_id_for_prompts_and_for_hooks() {
    for hook in &HOOKS {
        assert!(crate::find(hook.id).is_some(), "{}", hook.id);
    }
}

#[test]
fn events_are_found_by_their_names() {
    for event in Event::ALL {
        assert_eq!(Event::find(event.name()), Some(event));
    }
    assert_eq!(Event::find("Stop"), None);
}

/// The table of events in the documentation.
///
/// `UPDATE_GOLDEN=1 cargo test -p lawful-deliver documented` rewrites it; read the difference.
#[test]
fn every_event_is_documented() {
    use std::fmt::Write as _;
    let mut table =
        String::from("| harness | event | its name there | honours |\n|---|---|---|---|\n");
    for hook in &HOOKS {
        for event in Event::ALL {
            let (id, ours) = (hook.id, event.name());
            let Some(row) = hook.row(event) else {
                let _ = writeln!(table, "| `{id}` | `{ours}` | none | |");
                continue;
            };
            let can = row.honours;
            let all = [
                (can.deny, "deny"),
                (can.ask, "ask"),
                (can.allow, "allow"),
                (can.block, "block"),
                (can.context, "context"),
                (can.message, "message"),
            ];
            let honoured: Vec<&str> =
                all.into_iter().filter(|(is, _)| *is).map(|(_, name)| name).collect();
            let honoured =
                if honoured.is_empty() { "nothing".to_owned() } else { honoured.join(", ") };
            let _ = writeln!(table, "| `{id}` | `{ours}` | `{}` | {honoured} |", row.name);
        }
    }
    let mut limits = String::new();
    for hook in &HOOKS {
        let _ = writeln!(limits, "- `{}`: {}.", hook.id, hook.cannot().join("; "));
    }
    let mut versions = String::from("| harness | version | confirmed | by |\n|---|---|---|---|\n");
    for hook in &HOOKS {
        let Confirmed { version, day, source } = hook.confirmed;
        let source = match source {
            Evidence::Harness => "`cargo xtask e2e`, and the shipped package",
            Evidence::Documentation => "the documentation of the vendor",
        };
        let _ = writeln!(versions, "| `{}` | {version} | {day} | {source} |", hook.id);
    }
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/hooks.md");
    let mut page = std::fs::read_to_string(&path).unwrap();
    for (name, text) in [("events", table), ("limits", limits), ("versions", versions)] {
        let begin = format!("<!-- begin {name} -->\n");
        let (head, rest) = page.split_once(&begin).unwrap();
        let (found, tail) = rest.split_once("<!-- end -->").unwrap();
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            page = format!("{head}{begin}{text}<!-- end -->{tail}");
            std::fs::write(&path, &page).unwrap();
        } else {
            assert_eq!(found, text, "{name}");
        }
    }
}
