use rusqlite::Connection;

use super::super::create::{keep_book, new_session};
use super::super::entry::NewEntry;
use super::super::schema::{STEPS, migrate};
use super::*;
use crate::{Book, Json, Record};

/// A session whose states are made by a function, one after the other.
fn session(states: &[String]) -> Connection {
    let connection = Connection::open_in_memory().unwrap();
    migrate(&connection, STEPS).unwrap();
    new_session(&connection, "s", [0, 0, 0]).unwrap();
    let text = Json::parse("{}").unwrap();
    let book = keep_book(&connection, &Book { hash: "1f".to_owned(), text }).unwrap();
    for (version, text) in (0..).zip(states) {
        let entry = NewEntry {
            version,
            parent: version.checked_sub(1),
            turn: version,
            branch: 0,
            abandoned: None,
            key: None,
            book: (book, "1f"),
            record: &Record::default(),
            snapshot: &Json::parse(text.clone()).unwrap(),
        };
        entry.write(&connection, 1, &mut States::new(&connection, 1)).unwrap();
    }
    connection
}

/// Text that does not repeat itself.
fn numbers(count: u32) -> String {
    let all: Vec<String> = (0..count).map(|n| (n * 7919 % 100_003).to_string()).collect();
    all.join(" ")
}

fn read(states: &mut States<'_>, version: u64) -> String {
    let links = states.links(version).unwrap();
    states.text(version, links).unwrap().to_owned()
}

/// What all states take, whether each reads back, in any order, and the longest chain.
fn check(states: &[String]) -> (usize, usize) {
    let connection = session(states);
    let mut kept = States::new(&connection, 1);
    let mut longest = 0;
    for (version, text) in (0..).zip(states) {
        assert_eq!(read(&mut kept, version), *text);
        assert_eq!(read(&mut States::new(&connection, 1), version), *text);
        longest = longest.max(kept.chain.len());
    }
    for (version, text) in states.iter().enumerate().rev() {
        assert_eq!(read(&mut kept, version as u64), *text);
    }
    let sql = "SELECT sum(length(CAST(snapshot AS BLOB))) FROM entry";
    (connection.query_row(sql, [], |row| row.get(0)).unwrap(), longest)
}

#[test]
fn the_base_of_a_depth_has_one_digit_less() {
    let bases: Vec<u64> = (0..=17).map(depth_of_base).collect();
    assert_eq!(bases, [0, 0, 0, 0, 0, 4, 4, 4, 0, 8, 8, 8, 0, 12, 12, 12, 0, 16]);
}

#[test]
fn a_large_value_is_stored_once_and_now_and_then_again() {
    let value: String = numbers(4000);
    let state = |turn: u32| format!(r#"{{"turn":{turn},"notes":"{value}","seen":{}}}"#, turn % 7);
    let states: Vec<String> = (0..600).map(state).collect();
    let (size, longest) = check(&states);
    assert!(size < value.len() * 3 + 600 * 40, "{size} beside {}", value.len());
    assert_eq!(longest, 5);
}

#[test]
fn a_state_that_grows_costs_what_it_grows_by() {
    let mut list = String::new();
    let states: Vec<String> = (0..300_u32)
        .map(|turn| {
            let item = format!(
                "\"{turn} {}\"",
                "a line that is about so long ".repeat(3) + &turn.to_string()
            );
            list = if list.is_empty() { item } else { format!("{list},{item}") };
            format!(r#"{{"turn":{turn},"list":[{list}]}}"#)
        })
        .collect();
    let whole: usize = states.iter().map(String::len).sum();
    let (size, _) = check(&states);
    assert!(size * 20 < whole, "{size} beside {whole}");
}

#[test]
fn states_that_share_nothing_are_whole() {
    let state =
        |n: u64| format!("\"{}\"", n.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_string().repeat(9));
    let states: Vec<String> = (1..40).map(state).collect();
    let (size, longest) = check(&states);
    assert_eq!((size, longest), (states.iter().map(String::len).sum(), 1));
}

#[test]
fn a_message_is_in_the_row_once() {
    let message: String = numbers(400);
    let input = format!(r#"{{"user":"{message}"}}"#);
    let events = format!(r#"[{{"type":"message:user","content":"{message}"}}]"#);
    let changes = format!(r#"[{{"event":{events}}},{{"event":{events}}}]"#);
    let packed = pack_trace(&input, "{}", [&events, &changes]);
    for (packed, text) in packed.into_iter().zip([&events, &changes]) {
        let Packed::Delta(delta) = packed else { panic!("{text} is whole") };
        assert!(delta.len() < 150, "{}", delta.len());
        let back =
            Packed::Delta(delta).unpack(|| Cow::Owned(trace_base(&input, "{}").into_bytes()));
        assert_eq!(back.as_deref(), Some(text.as_bytes()));
    }
}
