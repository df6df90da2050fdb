//! What a store does with turns, keys, versions, branches and effects, case by case.

#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "this is a test")]

mod support;

use lawful_store::{
    Acknowledged, Durability, EffectId, Error, Export, Fork, NewSession, Options, Outcome, Rewind,
    Rewound, Sqlite, Status, Store, Target,
};
use support::{Folder, book, committed, json, keyed, open, options, pending, rewind, start, turn};

fn id(text: &str) -> EffectId {
    text.parse().unwrap()
}

#[test]
fn a_turn_is_kept_and_survives_closing() {
    let folder = Folder::new();
    let store = open(&folder.file("a.db"));
    start(&store, "s");
    let done =
        committed(store.commit(keyed(turn("s", 0, 1, "one", &["1.1.1=ding"]), "k")).unwrap());
    assert_eq!(done.version, 1);
    drop(store);
    assert!(!folder.file("a.db-wal").exists(), "the journal is emptied when the last one leaves");

    let store = open(&folder.file("a.db"));
    let head = store.head("s").unwrap();
    assert_eq!((head.version, head.turn, head.branch), (1, 1, 0));
    assert_eq!(head.snapshot, json("\"one\""));
    assert_eq!(head.book, book().hash);
    assert_eq!(pending(&store, "s"), ["1.1.1=ding"]);
    let log = store.log("s", None, 10).unwrap();
    assert_eq!(log.iter().map(|entry| entry.version).collect::<Vec<_>>(), [0, 1]);
    assert_eq!((log[1].parent, log[1].key.as_deref()), (Some(0), Some("k")));
    assert_eq!(store.log("s", Some(0), 10).unwrap(), log[1..]);
    assert_eq!(store.log("s", None, 1).unwrap(), log[..1]);
}

#[test]
fn the_same_request_again_is_answered_with_what_was_stored() {
    let folder = Folder::new();
    let store = open(&folder.file("a.db"));
    start(&store, "s");
    let request = keyed(turn("s", 0, 1, "one", &["1.1.1=ding"]), "k");
    committed(store.commit(request.clone()).unwrap());
    committed(store.commit(turn("s", 1, 2, "two", &[])).unwrap());
    let Outcome::Duplicate(again) = store.commit(request).unwrap() else { panic!() };
    assert!(again.same_input);
    assert_eq!((again.entry.version, &again.entry.snapshot), (1, &json("\"one\"")));
    assert_eq!(again.entry.effects[0].id, id("1.1.1"));
    assert_eq!(store.head("s").unwrap().version, 2);

    let other = keyed(turn("s", 2, 3, "another", &[]), "k");
    let Outcome::Duplicate(again) = store.commit(other).unwrap() else { panic!() };
    assert!(!again.same_input);
}

#[test]
fn a_key_belongs_to_its_session() {
    let folder = Folder::new();
    let store = open(&folder.file("a.db"));
    start(&store, "s");
    start(&store, "t");
    committed(store.commit(keyed(turn("s", 0, 1, "one", &[]), "k")).unwrap());
    committed(store.commit(keyed(turn("t", 0, 1, "one", &[]), "k")).unwrap());
}

#[test]
fn a_turn_worked_out_from_an_old_version_is_a_conflict() {
    let folder = Folder::new();
    let store = open(&folder.file("a.db"));
    start(&store, "s");
    committed(store.commit(turn("s", 0, 1, "one", &[])).unwrap());
    let late = store.commit(keyed(turn("s", 0, 1, "late", &["1.1.1=x"]), "k")).unwrap();
    let Outcome::Conflict(head) = late else { panic!() };
    assert_eq!((head.version, head.snapshot), (1, json("\"one\"")));
    assert!(pending(&store, "s").is_empty());
    // A conflict does not use the key up.
    committed(store.commit(keyed(turn("s", 1, 2, "two", &[]), "k")).unwrap());
}

#[test]
fn rewinding_restores_the_state_and_keeps_the_abandoned_branch_readable() {
    let folder = Folder::new();
    let store = open(&folder.file("a.db"));
    start(&store, "s");
    committed(store.commit(turn("s", 0, 1, "one", &[])).unwrap());
    // A step that does not advance the turn belongs to the turn before it.
    committed(store.commit(turn("s", 1, 1, "one, a button", &[])).unwrap());
    committed(store.commit(keyed(turn("s", 2, 2, "two", &[]), "k")).unwrap());
    committed(store.commit(turn("s", 3, 3, "three", &[])).unwrap());

    let Rewound::Done { head, abandoned, .. } = rewind(&store, "s", 1) else { panic!() };
    assert_eq!((head.version, head.turn, head.branch), (5, 1, 1));
    assert_eq!(head.snapshot, json("\"one, a button\""));
    assert_eq!(abandoned, [3, 4]);
    assert_eq!(store.head("s").unwrap(), head);

    committed(store.commit(turn("s", 5, 2, "two again", &[])).unwrap());
    let log = store.log("s", None, 100).unwrap();
    let shape: Vec<_> =
        log.iter().map(|e| (e.version, e.parent, e.turn, e.branch, e.abandoned)).collect();
    assert_eq!(
        shape,
        [
            (0, None, 0, 0, None),
            (1, Some(0), 1, 0, None),
            (2, Some(1), 1, 0, None),
            (3, Some(2), 2, 0, Some(5)),
            (4, Some(3), 3, 0, Some(5)),
            (6, Some(2), 2, 1, None),
        ]
    );
    // A request of the abandoned branch that comes in late is not applied to the new one.
    let late = store.commit(keyed(turn("s", 2, 2, "two", &[]), "k")).unwrap();
    assert!(matches!(late, Outcome::Duplicate(again) if again.entry.abandoned == Some(5)));
}

#[test]
fn the_newest_entry_has_the_current_state_unless_a_step_was_taken_back() {
    let folder = Folder::new();
    let store = open(&folder.file("a.db"));
    start(&store, "s");
    let newest = || store.newest("s").unwrap();
    assert_eq!(newest().map(|entry| entry.version), Some(0));
    committed(store.commit(turn("s", 0, 1, "one", &[])).unwrap());
    committed(store.commit(turn("s", 1, 2, "two", &[])).unwrap());
    let head = store.head("s").unwrap();
    assert_eq!(newest().map(|entry| (entry.version, entry.snapshot)), Some((2, head.snapshot)));
    assert!(matches!(rewind(&store, "s", 1), Rewound::Done { .. }));
    assert_eq!(newest(), None);
    committed(store.commit(turn("s", 3, 2, "other", &[])).unwrap());
    assert_eq!(newest().map(|entry| entry.version), Some(4));
    assert!(matches!(store.newest("none"), Err(Error::NoSession { .. })));
}

#[test]
fn rewinding_to_where_it_stands_changes_nothing() {
    let folder = Folder::new();
    let store = open(&folder.file("a.db"));
    start(&store, "s");
    committed(store.commit(turn("s", 0, 1, "one", &["1.1.1=ding"])).unwrap());
    let before = store.export("s").unwrap();
    let Rewound::Done { abandoned, .. } = rewind(&store, "s", 1) else { panic!() };
    assert!(abandoned.is_empty());
    assert_eq!(store.export("s").unwrap(), before);
}

#[test]
fn rewinding_can_be_refused() {
    let folder = Folder::new();
    let store = open(&folder.file("a.db"));
    start(&store, "s");
    committed(store.commit(turn("s", 0, 1, "one", &[])).unwrap());
    let request = |to, expect| Rewind { session: "s".to_owned(), to: Target::Turn(to), expect };
    assert!(
        matches!(store.rewind(request(0, Some(0))), Ok(Rewound::Conflict(head)) if head.version == 1)
    );
    let error = store.rewind(request(2, None)).unwrap_err();
    assert_eq!(error, Error::NoTurn { session: "s".to_owned(), turn: 2, current: 1 });
    assert!(store.rewind(request(u64::MAX, None)).is_err());
    rewind(&store, "s", 0);
    // Turn 1 is on a branch that was abandoned, and there is no way back to it.
    assert!(store.rewind(request(1, None)).is_err());
}

#[test]
fn effects_are_acknowledged_together_or_not_at_all() {
    let folder = Folder::new();
    let store = open(&folder.file("a.db"));
    start(&store, "s");
    committed(store.commit(turn("s", 0, 1, "one", &["1.1.1=ding", "1.1.2=dong"])).unwrap());
    let error = store.acknowledge_all("s", &[id("1.1.1"), id("9.9.9")]).unwrap_err();
    assert_eq!(error, Error::NoEffect { session: "s".to_owned(), effect: "9.9.9".to_owned() });
    assert_eq!(pending(&store, "s").len(), 2);
    let answers = store.acknowledge_all("s", &[id("1.1.2"), id("1.1.1"), id("1.1.2")]).unwrap();
    assert_eq!(answers, [Acknowledged::Now, Acknowledged::Now, Acknowledged::Before]);
    assert!(pending(&store, "s").is_empty());
}

#[test]
fn effects_of_an_abandoned_turn_are_withdrawn() {
    let folder = Folder::new();
    let store = open(&folder.file("a.db"));
    start(&store, "s");
    committed(store.commit(turn("s", 0, 1, "one", &["1.1.1=ding", "1.1.2=dong"])).unwrap());
    assert_eq!(store.acknowledge("s", &id("1.1.1")).unwrap(), Acknowledged::Now);
    assert_eq!(store.acknowledge("s", &id("1.1.1")).unwrap(), Acknowledged::Before);
    let Rewound::Done { withdrawn, delivered, .. } = rewind(&store, "s", 0) else { panic!() };
    assert_eq!((withdrawn, delivered), (vec![id("1.1.2")], vec![id("1.1.1")]));
    assert!(pending(&store, "s").is_empty());
}

#[test]
fn a_regenerated_turn_repeats_what_was_delivered_and_renumbers_the_rest() {
    let folder = Folder::new();
    let store = open(&folder.file("a.db"));
    start(&store, "s");
    committed(store.commit(turn("s", 0, 1, "one", &["1.1.1=ding", "1.1.2=dong"])).unwrap());
    store.acknowledge("s", &id("1.1.1")).unwrap();
    rewind(&store, "s", 0);
    let again = turn("s", 2, 1, "one", &["1.1.1=ding", "1.1.2=dong", "1.1.3=ding"]);
    let done = committed(store.commit(again).unwrap());
    let shown: Vec<_> =
        done.effects.iter().map(|effect| (effect.id.to_string(), effect.status)).collect();
    assert_eq!(
        shown,
        [
            ("1.1.1".to_owned(), Status::Repeated),
            // `1.1.2` was withdrawn and means what it meant then.
            ("1.1.3".to_owned(), Status::Pending),
            ("1.1.4".to_owned(), Status::Pending),
        ]
    );
    assert_eq!(pending(&store, "s"), ["1.1.3=dong", "1.1.4=ding"]);
    assert_eq!(store.acknowledge("s", &id("1.1.1")).unwrap(), Acknowledged::Before);
    // Once more: the repetition is known still.
    rewind(&store, "s", 0);
    committed(store.commit(turn("s", 4, 1, "one", &["1.1.1=ding"])).unwrap());
    assert!(pending(&store, "s").is_empty());
}

#[test]
fn an_effect_that_was_edited_is_a_new_one() {
    let folder = Folder::new();
    let store = open(&folder.file("a.db"));
    start(&store, "s");
    committed(store.commit(turn("s", 0, 1, "one", &["1.1.1=ding"])).unwrap());
    store.acknowledge("s", &id("1.1.1")).unwrap();
    rewind(&store, "s", 0);
    committed(store.commit(turn("s", 2, 1, "edited", &["1.1.1=gong"])).unwrap());
    assert_eq!(pending(&store, "s"), ["1.1.2=gong"]);
}

#[test]
fn an_acknowledgement_that_comes_late_is_remembered() {
    let folder = Folder::new();
    let store = open(&folder.file("a.db"));
    start(&store, "s");
    committed(store.commit(turn("s", 0, 1, "one", &["1.1.1=ding"])).unwrap());
    rewind(&store, "s", 0);
    assert_eq!(store.acknowledge("s", &id("1.1.1")).unwrap(), Acknowledged::Late);
    committed(store.commit(turn("s", 2, 1, "one", &["1.1.1=ding"])).unwrap());
    assert!(pending(&store, "s").is_empty());
}

#[test]
fn an_id_that_the_caller_repeats_on_one_branch_is_still_used_once() {
    let folder = Folder::new();
    let store = open(&folder.file("a.db"));
    start(&store, "s");
    committed(store.commit(turn("s", 0, 1, "one", &["1.1.1=ding"])).unwrap());
    store.acknowledge("s", &id("1.1.1")).unwrap();
    committed(store.commit(turn("s", 1, 2, "two", &["1.1.1=ding"])).unwrap());
    assert_eq!(pending(&store, "s"), ["1.1.2=ding"]);
}

#[test]
fn sessions_are_listed_in_the_order_they_were_started() {
    let folder = Folder::new();
    let store = open(&folder.file("a.db"));
    assert!(store.list().unwrap().is_empty());
    start(&store, "zebra");
    start(&store, "ant");
    committed(store.commit(turn("ant", 0, 1, "one", &["1.1.1=ding"])).unwrap());
    let list: Vec<_> = store
        .list()
        .unwrap()
        .into_iter()
        .map(|s| (s.session, s.version, s.turn, s.pending))
        .collect();
    assert_eq!(list, [("zebra".to_owned(), 0, 0, 0), ("ant".to_owned(), 1, 1, 1)]);
}

#[test]
fn names_are_made_up_where_none_is_given_and_checked_where_one_is() {
    let folder = Folder::new();
    let store = open(&folder.file("a.db"));
    let new = |name: Option<&str>| NewSession {
        name: name.map(str::to_owned),
        book: book(),
        turn: 0,
        snapshot: json("0"),
    };
    let first = store.create(new(None)).unwrap().session;
    assert_ne!(first, store.create(new(None)).unwrap().session);
    assert_eq!(first.len(), 16);
    let taken = store.create(new(Some(&first))).unwrap_err();
    assert_eq!(taken, Error::SessionExists { session: first });
    for bad in ["", "a\nb", "\u{1b}[2J", &"x".repeat(201)] {
        assert!(matches!(store.create(new(Some(bad))), Err(Error::BadName { .. })), "{bad:?}");
        let request = keyed(turn("s", 0, 1, "one", &[]), bad);
        assert!(matches!(store.commit(request), Err(Error::BadName { .. })), "{bad:?}");
    }
}

#[test]
fn what_does_not_exist_is_said_to_be_missing() {
    let folder = Folder::new();
    let store = open(&folder.file("a.db"));
    let missing = Error::NoSession { session: "s".to_owned() };
    assert_eq!(store.head("s").unwrap_err(), missing);
    assert_eq!(store.log("s", None, 1).unwrap_err(), missing);
    assert_eq!(store.pending("s").unwrap_err(), missing);
    assert_eq!(store.export("s").unwrap_err(), missing);
    assert_eq!(store.commit(turn("s", 0, 1, "one", &[])).unwrap_err(), missing);
    assert_eq!(store.acknowledge("s", &id("1.1.1")).unwrap_err(), missing);
    start(&store, "s");
    let error = store.acknowledge("s", &id("1.1.1")).unwrap_err();
    assert_eq!(error, Error::NoEffect { session: "s".to_owned(), effect: "1.1.1".to_owned() });
    assert_eq!(store.book("00").unwrap(), None);
}

#[test]
fn an_export_holds_everything_and_books_once() {
    let folder = Folder::new();
    let store = open(&folder.file("a.db"));
    start(&store, "s");
    committed(store.commit(keyed(turn("s", 0, 1, "one", &["1.1.1=ding"]), "k")).unwrap());
    rewind(&store, "s", 0);
    committed(store.commit(turn("s", 2, 1, "other", &[])).unwrap());
    let export = serde_json::to_value(store.export("s").unwrap()).unwrap();
    let hash = book().hash.clone();
    let record = |input| serde_json::json!({"input": input, "events": null, "changes": null, "result": null});
    assert_eq!(
        export,
        serde_json::json!({
            "format": 1, "session": "s", "version": 3, "head": 3, "branch": 1,
            "entries": [
                {"version": 0, "parent": null, "turn": 0, "branch": 0, "abandoned": null, "key": null,
                 "book": hash, "record": record(None), "snapshot": 0, "effects": []},
                {"version": 1, "parent": 0, "turn": 1, "branch": 0, "abandoned": 2, "key": "k",
                 "book": hash, "record": record(Some("one")), "snapshot": "one", "effects": [
                    {"id": "1.1.1", "version": 1, "status": "withdrawn", "body": "ding"}]},
                {"version": 3, "parent": 0, "turn": 1, "branch": 1, "abandoned": null, "key": null,
                 "book": hash, "record": record(Some("other")), "snapshot": "other", "effects": []},
            ],
            "books": [{"hash": hash, "text": {"rules": []}}],
        })
    );
}

#[test]
fn effect_ids_have_one_spelling() {
    for good in ["1.2.3", "a.0", "1.10"] {
        assert_eq!(id(good).to_string(), good);
    }
    for bad in ["", "1", "1.", ".1", "1.01", "1.+1", "1.-1", "1.x", "1.9223372036854775808", "\n.1"]
    {
        assert!(bad.parse::<EffectId>().is_err(), "{bad}");
    }
}

#[test]
fn turns_that_wait_together_are_all_kept() {
    let folder = Folder::new();
    let store = open(&folder.file("a.db"));
    for session in 0..8 {
        start(&store, &session.to_string());
    }
    let request = |at: u64| turn(&(at % 8).to_string(), at / 8, at / 8 + 1, "x", &[]);
    let tickets = store.submit((0..64).map(request).collect());
    for (at, ticket) in (0..).zip(tickets) {
        assert_eq!(committed(ticket.wait().unwrap()).version, at / 8 + 1);
    }
    assert!(store.list().unwrap().iter().all(|session| session.version == 8));
}

#[test]
fn what_nobody_waits_for_is_kept_when_the_store_is_closed() {
    let folder = Folder::new();
    let store = open(&folder.file("a.db"));
    start(&store, "s");
    drop(store.submit(vec![turn("s", 0, 1, "one", &[]), turn("s", 1, 2, "two", &[])]));
    drop(store);
    assert_eq!(open(&folder.file("a.db")).head("s").unwrap().version, 2);
}

#[test]
fn callers_on_many_threads_are_all_answered() {
    let folder = Folder::new();
    let store = open(&folder.file("a.db"));
    for session in 0..8 {
        start(&store, &session.to_string());
    }
    std::thread::scope(|scope| {
        for session in 0..8_u64 {
            let store = &store;
            scope.spawn(move || {
                let name = session.to_string();
                for version in 0..20 {
                    let request = turn(&name, version, version + 1, "x", &[]);
                    assert_eq!(committed(store.commit(request).unwrap()).version, version + 1);
                    // What is refused beside it concerns nobody else.
                    assert!(store.commit(turn("nobody", 0, 1, "x", &[])).is_err());
                    assert_eq!(store.head(&name).unwrap().version, version + 1);
                }
            });
        }
    });
    assert!(store.list().unwrap().iter().all(|session| session.version == 20));
}

#[test]
fn rewinding_to_a_version_undoes_a_step_that_is_no_turn() {
    let folder = Folder::new();
    let store = open(&folder.file("a.db"));
    start(&store, "s");
    committed(store.commit(turn("s", 0, 1, "one", &[])).unwrap());
    committed(store.commit(turn("s", 1, 1, "one, a button", &["1.2.1=ding"])).unwrap());
    committed(store.commit(turn("s", 2, 1, "one, two buttons", &[])).unwrap());
    let to = |version| {
        let to = Target::Version(version);
        store.rewind(Rewind { session: "s".to_owned(), to, expect: None })
    };
    let Rewound::Done { head, abandoned, withdrawn, .. } = to(1).unwrap() else { panic!() };
    assert_eq!((head.version, head.turn, &head.snapshot), (4, 1, &json("\"one\"")));
    assert_eq!((abandoned, withdrawn), (vec![2, 3], vec![id("1.2.1")]));
    // A version of an abandoned branch, one of a rewind, and one that never was.
    for version in [2, 4, 9, u64::MAX] {
        let missing = Error::NotOnBranch { session: "s".to_owned(), version };
        assert_eq!(to(version).unwrap_err(), missing);
    }
}

#[test]
fn an_effect_that_is_requested_again_gets_a_new_id() {
    let folder = Folder::new();
    let store = open(&folder.file("a.db"));
    start(&store, "s");
    committed(store.commit(turn("s", 0, 1, "one", &["1.1.1=MUSIC", "1.1.2=ding"])).unwrap());
    store.acknowledge_all("s", &[id("1.1.1"), id("1.1.2")]).unwrap();
    rewind(&store, "s", 0);
    let again = turn("s", 2, 1, "one", &["1.1.1=MUSIC", "1.1.2=ding"]);
    let done = committed(store.commit(again).unwrap());
    let shown: Vec<_> = done.effects.iter().map(|e| (e.id.to_string(), e.status)).collect();
    let expected = [("1.1.3".to_owned(), Status::Pending), ("1.1.2".to_owned(), Status::Repeated)];
    assert_eq!(shown, expected);
}

#[test]
fn a_fork_has_the_history_up_to_a_version_and_a_life_of_its_own() {
    let folder = Folder::new();
    let store = open(&folder.file("a.db"));
    start(&store, "s");
    committed(store.commit(keyed(turn("s", 0, 1, "one", &["1.1.1=ding"]), "k")).unwrap());
    committed(store.commit(turn("s", 1, 2, "two", &["2.2.1=dong"])).unwrap());
    store.acknowledge("s", &id("1.1.1")).unwrap();
    rewind(&store, "s", 0);
    committed(store.commit(turn("s", 3, 1, "other", &[])).unwrap());
    let fork =
        |name: &str, at| store.fork(Fork { session: "s".to_owned(), name: name.to_owned(), at });
    // An abandoned version can be forked, which brings it back.
    assert_eq!(fork("back", Some(2)).unwrap().version, 2);
    let head = store.head("back").unwrap();
    assert_eq!((head.version, head.turn, head.branch), (2, 2, 0));
    assert_eq!(head.snapshot, json("\"two\""));
    let status: Vec<Status> = store.export("back").unwrap().entries[1..]
        .iter()
        .flat_map(|entry| entry.effects.iter().map(|effect| effect.status))
        .collect();
    assert_eq!(status, [Status::Acknowledged, Status::Withdrawn]);
    assert!(pending(&store, "back").is_empty(), "the host would be asked twice");
    let again = store.commit(keyed(turn("back", 2, 3, "three", &[]), "k")).unwrap();
    assert!(matches!(again, Outcome::Duplicate(_)), "a request is known in the fork");
    committed(store.commit(turn("back", 2, 3, "three", &[])).unwrap());
    assert_eq!(store.head("s").unwrap().snapshot, json("\"other\""));
    assert_eq!(fork("now", None).unwrap().version, 4);
    assert_eq!(store.head("now").unwrap().snapshot, json("\"other\""));
    let missing = Error::NoVersion { session: "s".to_owned(), version: 3 };
    assert_eq!(fork("none", Some(3)).unwrap_err(), missing);
    assert_eq!(fork("now", None).unwrap_err(), Error::SessionExists { session: "now".to_owned() });
    assert!(matches!(fork("", None), Err(Error::BadName { .. })));
}

#[test]
fn an_import_is_what_was_exported() {
    let folder = Folder::new();
    let store = open(&folder.file("a.db"));
    start(&store, "s");
    committed(store.commit(keyed(turn("s", 0, 1, "one", &["1.1.1=ding"]), "k")).unwrap());
    rewind(&store, "s", 0);
    committed(store.commit(turn("s", 2, 1, "other", &["1.1.1=ding"])).unwrap());
    let export = store.export("s").unwrap();
    let text = serde_json::to_string(&export).unwrap();
    let read: Export = serde_json::from_str(&text).unwrap();
    assert_eq!(read, export);
    let other = open(&folder.file("b.db"));
    assert_eq!(other.import(read.clone()).unwrap().version, 3);
    assert_eq!(other.export("s").unwrap(), export);
    assert_eq!(other.head("s").unwrap(), store.head("s").unwrap());
    assert_eq!(pending(&other, "s"), ["1.1.2=ding"]);
    let taken = Error::SessionExists { session: "s".to_owned() };
    assert_eq!(other.import(read).unwrap_err(), taken);
    committed(other.commit(turn("s", 3, 2, "two", &[])).unwrap());
}

#[test]
fn a_deleted_session_is_gone_and_its_name_is_free() {
    let folder = Folder::new();
    let store = open(&folder.file("a.db"));
    start(&store, "s");
    start(&store, "t");
    committed(store.commit(keyed(turn("s", 0, 1, "one", &["1.1.1=ding"]), "k")).unwrap());
    store.delete("s").unwrap();
    assert!(matches!(store.head("s"), Err(Error::NoSession { .. })));
    assert!(store.book(&book().hash).unwrap().is_some(), "another session has it");
    start(&store, "s");
    assert_eq!(store.log("s", None, 9).unwrap().len(), 1);
    assert!(pending(&store, "s").is_empty());
    store.delete("s").unwrap();
    store.delete("t").unwrap();
    assert_eq!(store.book(&book().hash).unwrap(), None);
    assert!(store.list().unwrap().is_empty());
}

#[test]
fn a_journal_that_is_left_to_the_next_process_stays_short() {
    let folder = Folder::new();
    let file = folder.file("a.db");
    let options = Options { durability: Durability::Process, ..options() };
    start(&Sqlite::open(&file, &options).unwrap(), "s");
    let mut longest = 0;
    for version in 0..60 {
        let store = Sqlite::open(&file, &options).unwrap();
        let state = "x".repeat(5_000);
        committed(store.commit(turn("s", version, version, &state, &[])).unwrap());
        drop(store);
        longest = longest.max(folder.file("a.db-wal").metadata().unwrap().len());
    }
    assert!(longest < 512 * 1024, "{longest}");
    let store = Sqlite::open(&file, &options).unwrap();
    assert_eq!(store.head("s").unwrap().version, 60);
}
