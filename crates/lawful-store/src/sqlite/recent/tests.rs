use super::super::state::{NewState, States};
use super::*;

fn latest(version: u64, size: usize) -> Latest {
    let connection = Connection::open_in_memory().unwrap();
    let state = Json::parse(format!("\"{}\"", "x".repeat(size - 2))).unwrap();
    let mut states = States::new(&connection, 1);
    states.wrote(version, &NewState::first(state.text()), state.text());
    let entry = Identity { version, turn: version, sum: 7 };
    Latest { entry, state, bases: states.into_bases().unwrap() }
}

fn known(recent: &Recent, sessions: impl Iterator<Item = i64>) -> Vec<i64> {
    let entry = Identity { version: 3, turn: 3, sum: 7 };
    sessions.filter(|session| recent.state(*session, entry).is_some()).collect()
}

#[test]
fn a_state_is_known_by_version_turn_and_checksum() {
    let mut recent = Recent::default();
    recent.keep(1, latest(3, 10));
    let entry = Identity { version: 3, turn: 3, sum: 7 };
    assert!(recent.state(1, entry).is_some());
    for other in [
        Identity { version: 4, ..entry },
        Identity { turn: 4, ..entry },
        Identity { sum: 8, ..entry },
    ] {
        assert!(recent.state(1, other).is_none(), "{other:?}");
    }
    assert!(recent.state(2, entry).is_none());
    assert!(recent.take(1).is_some());
    assert!(recent.is_empty());
    assert_eq!(recent.size, 0);
}

#[test]
fn what_was_stored_long_ago_is_dropped() {
    let mut recent = Recent::default();
    for session in 0..64 {
        recent.take(session);
        // The text counts twice: as the state, and as a base.
        recent.keep(session, latest(3, GENERATION / 16));
        assert!(recent.size <= GENERATION);
        let kept = recent.younger.len() + recent.older.len();
        assert!(kept <= 14, "{kept}");
    }
    assert_eq!(known(&recent, 0..64), (56..64).collect::<Vec<_>>());
}

#[test]
fn a_state_that_is_used_stays() {
    let mut recent = Recent::default();
    for session in 1..64 {
        if let Some(used) = recent.take(0) {
            recent.keep(0, used);
        } else {
            assert_eq!(session, 1);
            recent.keep(0, latest(3, GENERATION / 16));
        }
        recent.keep(session, latest(3, GENERATION / 16));
    }
    assert_eq!(known(&recent, 0..2), [0]);
}

#[test]
fn a_state_that_is_too_large_is_not_kept() {
    let mut recent = Recent::default();
    recent.keep(1, latest(3, GENERATION));
    assert!(recent.is_empty());
}

#[test]
fn what_another_connection_commits_drops_everything() {
    let folder = std::env::temp_dir().join(format!("lawful-store-recent-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("a.db");
    let here = Connection::open(&file).unwrap();
    here.execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE number (n INTEGER)").unwrap();
    let mut recent = Recent::default();
    recent.check(&here).unwrap();
    recent.keep(1, latest(3, 10));
    here.execute_batch("INSERT INTO number VALUES (1)").unwrap();
    recent.check(&here).unwrap();
    assert!(!recent.is_empty());
    let there = Connection::open(&file).unwrap();
    there.execute_batch("INSERT INTO number VALUES (2)").unwrap();
    recent.check(&here).unwrap();
    assert!(recent.is_empty());
    drop((here, there));
    std::fs::remove_dir_all(&folder).unwrap();
}
