//! States that a store keeps in memory never replace what the file says, whoever else writes it.

#![allow(clippy::panic, clippy::unwrap_used, reason = "this is a test")]

mod support;

use std::path::Path;

use lawful_store::{Error, Fork, NewTurn, Options, Outcome, Sqlite, Store};
use rusqlite::Connection;
use support::{Folder, committed, json, open, options, rewind, start, turn};

/// A state that is stored as a delta.
fn state(word: &str, version: u64) -> String {
    format!("\"{word} {version} {}\"", "a state that hardly changes ".repeat(9))
}

fn next(store: &Sqlite, word: &str) -> NewTurn {
    let head = store.head("s").unwrap();
    let version = head.version + 1;
    let mut turn = turn("s", head.version, head.turn + 1, word, &[]);
    turn.snapshot = json(state(word, version));
    turn
}

/// Commits turns; after each of them the head is what was committed.
fn go_on(store: &Sqlite, word: &str, turns: u64) {
    for _ in 0..turns {
        let turn = next(store, word);
        let snapshot = turn.snapshot.clone();
        let version = committed(store.commit(turn).unwrap()).version;
        let head = store.head("s").unwrap();
        assert_eq!((head.version, head.snapshot), (version, snapshot));
    }
}

/// Every state that the file contains, read by somebody who has stored none.
fn states(file: &Path) -> Vec<String> {
    let log = open(file).log("s", None, usize::MAX).unwrap();
    log.iter().map(|entry| entry.snapshot.text().to_owned()).collect()
}

fn expected(words: &[(&str, std::ops::RangeInclusive<u64>)]) -> Vec<String> {
    let all = words.iter().flat_map(|(word, versions)| {
        versions.clone().map(|version| state(word, version)).collect::<Vec<_>>()
    });
    std::iter::once("0".to_owned()).chain(all).collect()
}

#[test]
fn stores_that_take_turns_read_each_other() {
    let folder = Folder::new();
    let file = folder.file("a.db");
    let (one, two) = (open(&file), open(&file));
    start(&one, "s");
    for _ in 0..40 {
        go_on(&one, "x", 7);
        assert_eq!(two.head("s").unwrap(), one.head("s").unwrap());
        go_on(&two, "x", 1);
        assert_eq!(two.head("s").unwrap(), one.head("s").unwrap());
    }
    assert_eq!(states(&file), expected(&[("x", 1..=320)]));
}

#[test]
fn a_row_that_another_store_uses_again_is_not_confused() {
    for turns in 1..12 {
        let folder = Folder::new();
        let file = folder.file("a.db");
        let (one, two) = (open(&file), open(&file));
        start(&one, "s");
        go_on(&one, "x", turns);
        // Same row, same versions, and the same last state, made from others.
        two.delete("s").unwrap();
        start(&two, "s");
        go_on(&two, "other", turns - 1);
        go_on(&two, "x", 1);
        go_on(&one, "x", 9);
        let words = [("other", 1..=turns - 1), ("x", turns..=turns + 9)];
        assert_eq!(states(&file), expected(&words));
    }
}

#[test]
fn a_row_that_is_used_again_is_not_confused() {
    let folder = Folder::new();
    let file = folder.file("a.db");
    let store = open(&file);
    start(&store, "s");
    go_on(&store, "x", 6);
    store.delete("s").unwrap();
    assert!(matches!(store.head("s"), Err(Error::NoSession { .. })));
    start(&store, "s");
    assert_eq!(store.head("s").unwrap().snapshot, json("0"));
    go_on(&store, "y", 9);
    assert_eq!(states(&file), expected(&[("y", 1..=9)]));
}

#[test]
fn after_a_rewind_the_earlier_state_counts() {
    for to in 0..9 {
        let folder = Folder::new();
        let file = folder.file("a.db");
        let store = open(&file);
        start(&store, "s");
        go_on(&store, "x", 9);
        let fork = Fork { session: "s".to_owned(), name: "copy".to_owned(), at: None };
        store.fork(fork).unwrap();
        rewind(&store, "s", to);
        let earlier = if to == 0 { "0".to_owned() } else { state("x", to) };
        assert_eq!(store.head("s").unwrap().snapshot.text(), earlier);
        assert_eq!(store.head("copy").unwrap().snapshot.text(), state("x", 9));
        go_on(&store, "y", 9);
        assert_eq!(states(&file), expected(&[("x", 1..=9), ("y", 11..=19)]));
    }
}

#[test]
fn what_was_rolled_back_was_never_stored() {
    let folder = Folder::new();
    let file = folder.file("a.db");
    let store = Sqlite::open(&file, &Options { pages: Some(40), ..options() }).unwrap();
    start(&store, "s");
    go_on(&store, "x", 5);
    // The second one does not fit into the file, so that both are written again, one by one.
    let (first, mut second) = (next(&store, "x"), next(&store, "x"));
    second.expect += 1;
    second.record.input = json(format!("\"{}\"", "y".repeat(1 << 20)));
    let mut answers = store.submit(vec![first, second]).into_iter().map(lawful_store::Ticket::wait);
    assert!(matches!(answers.next(), Some(Ok(Outcome::Committed(_)))));
    assert!(matches!(answers.next(), Some(Err(_))));
    assert_eq!(store.head("s").unwrap().snapshot.text(), state("x", 6));
    go_on(&store, "x", 6);
    assert_eq!(states(&file), expected(&[("x", 1..=12)]));
}

#[test]
fn damage_is_found_while_the_state_is_in_memory() {
    let folder = Folder::new();
    let file = folder.file("a.db");
    let store = open(&file);
    start(&store, "s");
    go_on(&store, "x", 3);
    let sql = "UPDATE entry SET snapshot = x'ff' WHERE version = 3";
    Connection::open(&file).unwrap().execute_batch(sql).unwrap();
    let damaged = |found: Result<_, Error>| matches!(found, Err(Error::Damaged { version: 3, .. }));
    assert!(damaged(store.log("s", Some(2), 1).map(drop)));
    assert!(damaged(open(&file).head("s").map(drop)));
    let sql = "UPDATE entry SET turn = 7 WHERE version = 3";
    Connection::open(&file).unwrap().execute_batch(sql).unwrap();
    assert!(damaged(store.head("s").map(drop)));
}
