use std::panic::catch_unwind;

use super::*;

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
