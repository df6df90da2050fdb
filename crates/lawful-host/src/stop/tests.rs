use std::fs;

use super::*;

fn state(name: &str) -> (PathBuf, State) {
    let folder = std::env::temp_dir().join(format!("lawful-hook-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    let value = folder.clone().into_os_string();
    let state = State::of_user(move |name| (name == "XDG_STATE_HOME").then(|| value.clone()));
    (folder, state.unwrap())
}

fn claude() -> &'static Harness {
    lawful_deliver::find_hook("claude-code").unwrap()
}

fn event(session: &str, continuing: bool) -> StopEvent {
    StopEvent { session: session.to_owned(), folder: None, continuing }
}

fn blocked(blocks: u64) -> Decision {
    Decision { outcome: Outcome::Block("why".to_owned()), blocks, notice: None }
}

/// `b` for a block, `s` for a release with a message, `.` for a pass.
fn shown(answer: &Answer) -> char {
    match answer {
        Answer::Pass => '.',
        Answer::Say(_) => 's',
        Answer::Block(_) => 'b',
    }
}

#[test]
fn after_enough_blocks_in_a_row_the_agent_is_let_go() {
    let (_, state) = state("count");
    let ask =
        |decision: Decision| shown(&count(decision, claude(), &event("a", false), Some(&state)));
    let answers: String = (0..8).map(|_| ask(blocked(3))).collect();
    assert_eq!(answers, "bbbsbbbs");
    assert_eq!(ask(blocked(1)), 'b');
    assert_eq!(ask(blocked(1)), 's');
}

#[test]
fn a_pass_starts_the_count_again_and_sessions_are_apart() {
    let (folder, state) = state("reset");
    let ask = |decision: Decision, session: &str| {
        shown(&count(decision, claude(), &event(session, true), Some(&state)))
    };
    let pass = || Decision { outcome: Outcome::Pass, blocks: 3, notice: None };
    let allow = || Decision { outcome: Outcome::Allow(String::new()), blocks: 3, notice: None };
    assert_eq!((ask(blocked(2), "a"), ask(blocked(2), "a")), ('b', 'b'));
    assert_eq!(ask(blocked(2), "b"), 'b');
    assert_eq!(ask(pass(), "a"), '.');
    assert_eq!((ask(blocked(2), "a"), ask(allow(), "a"), ask(blocked(2), "a")), ('b', 's', 'b'));
    assert_eq!((ask(blocked(2), "a"), ask(blocked(2), "a")), ('b', 's'));
    ask(pass(), "b");
    assert_eq!(fs::read_dir(folder.join("lawful/hooks")).unwrap().count(), 0);
}

#[test]
fn what_cannot_be_counted_blocks_once() {
    let ask = |continuing: bool, state: Option<&State>| {
        shown(&count(blocked(3), claude(), &event("a", continuing), state))
    };
    assert_eq!((ask(false, None), ask(true, None)), ('b', 's'));
    // A file is where the folder should be.
    let (folder, state) = state("uncounted");
    fs::write(&folder, "").unwrap();
    assert_eq!((ask(false, Some(&state)), ask(true, Some(&state))), ('b', 's'));
}

#[test]
fn letting_go_says_how_often_and_why() {
    let (_, state) = state("say");
    let ask = || count(blocked(1), claude(), &event("a", true), Some(&state));
    assert_eq!(ask(), Answer::Block("why".to_owned()));
    let Answer::Say(said) = ask() else { panic!() };
    assert_eq!(said, "Lawful allows the agent to stop, after blocking it once. why");
}

#[test]
fn what_takes_too_long_is_not_waited_for() {
    let soon = Instant::now() + Duration::from_millis(20);
    // The work ends only when the test releases it, after the answer.
    let (let_go, wait) = std::sync::mpsc::channel::<()>();
    assert_eq!(within(soon, move || wait.recv().is_ok()), None);
    let_go.send(()).unwrap();
    assert_eq!(within(Instant::now() + Duration::from_mins(1), || 3), Some(3));
    let bug = || within(Instant::now() + Duration::from_mins(1), || panic!("a bug"));
    assert!(catch_unwind(bug).is_err());
}
