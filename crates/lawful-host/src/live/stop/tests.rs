use std::fs;
use std::path::PathBuf;

use super::*;

fn state(name: &str) -> (PathBuf, State) {
    let folder = std::env::temp_dir().join(format!("lawful-hook-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    let value = folder.clone().into_os_string();
    let state = State::of_user(move |name| (name == "XDG_STATE_HOME").then(|| value.clone()));
    (folder, state.unwrap())
}

fn counter<'s>(agent: &str, continuing: bool, state: Option<&'s State>) -> Counter<'s> {
    Counter { state, harness: "claude-code", agent: agent.to_owned(), continuing }
}

/// `b` for a block, `s` for an agent that may stop.
fn ask(counter: &Counter<'_>, most: u64) -> char {
    counter.let_go(most).map_or('b', |_| 's')
}

#[test]
fn after_enough_blocks_in_a_row_the_agent_may_stop() {
    let (_, state) = state("count");
    let counter = counter("a", false, Some(&state));
    let answers: String = (0..8).map(|_| ask(&counter, 3)).collect();
    assert_eq!(answers, "bbbsbbbs");
    assert_eq!((counter.let_go(1), counter.let_go(1)), (None, Some(1)));
}

#[test]
fn a_pass_starts_the_count_again_and_agents_are_apart() {
    let (folder, state) = state("reset");
    let (a, b) = (counter("a", true, Some(&state)), counter("b", true, Some(&state)));
    assert_eq!((ask(&a, 2), ask(&a, 2), ask(&b, 2)), ('b', 'b', 'b'));
    assert!(a.set(0));
    assert_eq!((ask(&a, 2), ask(&a, 2), ask(&a, 2)), ('b', 'b', 's'));
    assert!(b.set(0));
    assert_eq!(fs::read_dir(folder.join("lawful/hooks")).unwrap().count(), 0);
}

#[test]
fn what_cannot_be_counted_blocks_once() {
    assert_eq!((ask(&counter("a", false, None), 3), ask(&counter("a", true, None), 3)), ('b', 's'));
    // A file is where the folder should be.
    let (folder, state) = state("uncounted");
    fs::write(&folder, "").unwrap();
    assert_eq!(ask(&counter("a", false, Some(&state)), 3), 'b');
    assert_eq!(ask(&counter("a", true, Some(&state)), 3), 's');
}

#[test]
fn the_user_is_told_how_often_and_why() {
    let said = "Lawful allows the agent to stop, after blocking it once. why";
    assert_eq!(stop::let_go(1, "why"), said);
}
