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
