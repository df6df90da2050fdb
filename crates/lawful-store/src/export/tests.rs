use crate::{Book, Effect, Entry, Export, FORMAT, Json, Record, Status};

fn entry(version: u64, parent: Option<u64>, abandoned: Option<u64>) -> Entry {
    Entry {
        version,
        parent,
        turn: version,
        branch: 0,
        abandoned,
        key: Some(format!("k{version}")),
        book: "1f".to_owned(),
        record: Record::default(),
        snapshot: Json::default(),
        effects: vec![Effect {
            id: format!("{version}.1.1").parse().unwrap(),
            version,
            status: if abandoned.is_some() { Status::Withdrawn } else { Status::Pending },
            body: Json::default(),
        }],
    }
}

/// A session of two steps; the second was abandoned and taken again.
fn sound() -> Export {
    Export {
        format: FORMAT,
        session: "s".to_owned(),
        version: 4,
        head: 4,
        branch: 1,
        entries: vec![
            entry(0, None, None),
            entry(1, Some(0), None),
            entry(2, Some(1), Some(3)),
            Entry { turn: 2, branch: 1, ..entry(4, Some(1), None) },
        ],
        books: vec![Book { hash: "1f".to_owned(), text: Json::default() }],
    }
}

fn check(change: impl FnOnce(&mut Export), expected: &str) {
    let mut export = sound();
    change(&mut export);
    let error = export.check().unwrap_err().to_string();
    assert!(error.contains(expected), "{error}, not {expected}");
}

#[test]
fn what_a_store_writes_is_sound() {
    assert_eq!(sound().check(), Ok(()));
}

#[test]
fn what_no_store_writes_is_refused() {
    check(|e| e.format = 2, "its format is 2, expected 1");
    check(|e| e.session.clear(), "it is empty");
    check(|e| e.version = u64::MAX, "a number is too large");
    check(|e| e.entries.clear(), "`head` is not the last entry");
    check(|e| e.head = 1, "`head` is not the last entry");
    check(|e| e.head = 2, "`head` is not the last entry");
    check(|e| drop(e.entries.remove(0)), "version 1: the first entry is not the start");
    check(|e| e.entries.swap(1, 2), "version 2: the entry before it is missing");
    check(|e| e.entries[3].version = 2, "version 2: it is not in order");
    check(|e| e.entries[3].parent = Some(2), "version 4: it follows an abandoned entry");
    check(|e| e.entries[3].parent = Some(0), "version 4: the current branch divides");
    check(|e| e.entries[3].parent = None, "version 4: the entry before it is missing");
    check(|e| e.entries[3].branch = 2, "version 4: it is newer than the session");
    check(|e| e.version = 3, "version 4: it is newer than the session");
    check(|e| e.entries[2].abandoned = Some(2), "version 2: it was abandoned at an impossible");
    check(|e| e.entries[2].abandoned = Some(9), "version 2: it was abandoned at an impossible");
    check(|e| e.entries[0].turn = u64::MAX, "version 0: its turn is too large");
    for turn in [0, 3, u64::MAX] {
        check(|e| e.entries[3].turn = turn, "version 4: its turn is neither that of the entry");
    }
    let apart = "its version and branch do not follow";
    check(|e| e.entries[3].branch = 0, &format!("version 4: {apart}"));
    check(|e| e.entries[1].branch = 1, &format!("version 1: {apart}"));
    check(|e| e.entries[1].effects[0].version = 2, "version 1: an effect has another version");
    check(|e| e.entries[2].effects[0].status = Status::Pending, "abandoned entry is pending");
    check(|e| e.entries[1].key = Some("k0".to_owned()), "the key `k0` is used twice");
    check(|e| e.entries[1].key = Some("a\n".to_owned()), "it contains a control character");
    check(|e| e.entries[1].effects[0].id = "0.1.1".parse().unwrap(), "the effect id `0.1.1` is");
    check(|e| e.books.clear(), "version 0: its lawbook is missing");
    check(|e| e.books.push(e.books[0].clone()), "a lawbook is listed twice");
}
