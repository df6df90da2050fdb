//! What goes wrong outside of the store: disks, files and other processes. Each has an error of its
//! own, and nothing that was acknowledged is lost.

#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "this is a test")]

mod support;

use std::fs;
use std::path::Path;
use std::time::Duration;

use lawful_store::{
    Error, Failure, Fork, NewTurn, Options, Outcome, Rewind, Rewound, Sqlite, Store, Target,
};
use rusqlite::Connection;
use support::{Folder, child, committed, json, keyed, open, options, shown, start, turn};

fn large(expect: u64) -> NewTurn {
    let mut turn = keyed(turn("s", expect, expect + 1, "x", &["1.1.1=ding"]), &expect.to_string());
    turn.snapshot = json(format!("\"{}\"", "x".repeat(4000)));
    turn
}

fn intact(file: &Path) {
    let connection = Connection::open(file).unwrap();
    let answer: String = connection.query_row("PRAGMA integrity_check", [], |r| r.get(0)).unwrap();
    assert_eq!(answer, "ok");
}

fn error(path: &Path) -> Error {
    Sqlite::open(path, &options()).unwrap_err()
}

#[test]
fn a_full_disk_refuses_the_turn_and_loses_nothing() {
    let folder = Folder::new();
    let file = folder.file("a.db");
    let store = Sqlite::open(&file, &Options { pages: Some(60), ..options() }).unwrap();
    start(&store, "s");
    let mut version = 0;
    let refused = loop {
        match store.commit(large(version)) {
            Ok(outcome) => version = committed(outcome).version,
            Err(error) => break error,
        }
    };
    assert!(matches!(&refused, Error::Store { failure: Failure::Full { .. }, .. }), "{refused:?}");
    let expected = "cannot grow: the disk is full, or the file has reached its limit";
    assert_eq!(refused.to_string(), format!("`{}` {expected}", file.display()));
    assert!(version > 5, "{version}");
    // It is still refused, and what is there can still be read.
    assert_eq!(store.commit(large(version)).unwrap_err(), refused);
    assert_eq!(store.head("s").unwrap().version, version);
    assert_eq!(store.export("s").unwrap().entries.len() as u64, version + 1);
    drop(store);
    intact(&file);
    // With room, the same request goes through.
    let store = open(&file);
    assert_eq!(committed(store.commit(large(version)).unwrap()).version, version + 1);
}

#[test]
fn on_a_full_disk_each_turn_of_a_group_has_its_own_answer() {
    let folder = Folder::new();
    let file = folder.file("a.db");
    let store = Sqlite::open(&file, &Options { pages: Some(60), ..options() }).unwrap();
    start(&store, "s");
    let tickets = store.submit((0..64).map(large).collect());
    let mut last = 0;
    for ticket in tickets {
        match ticket.wait() {
            Ok(Outcome::Committed(done)) => last = done.version,
            Ok(Outcome::Conflict(_)) | Err(Error::Store { failure: Failure::Full { .. }, .. }) => {}
            other => panic!("{other:?}"),
        }
    }
    assert!(last > 5);
    drop(store);
    intact(&file);
    assert_eq!(open(&file).head("s").unwrap().version, last);
}

#[test]
fn places_where_no_file_can_be() {
    let folder = Folder::new();
    fs::write(folder.file("file"), "x").unwrap();
    let cases = [
        (folder.file("file").join("a.db"), "its folder is a file"),
        (folder.file("nowhere").join("a.db"), "its folder: No such file or directory (os error 2)"),
        (folder.path().to_owned(), "it is a folder"),
    ];
    for (path, reason) in cases {
        let expected = Failure::CannotOpen { reason: reason.to_owned() };
        assert_eq!(error(&path), expected.of(shown(&path)));
    }
}

#[test]
fn a_missing_file_is_created_only_when_asked_for() {
    let folder = Folder::new();
    let file = folder.file("a.db");
    let missing = Sqlite::open(&file, &Options::default()).unwrap_err();
    assert_eq!(missing, Failure::Missing.of(shown(&file)));
    assert!(!file.exists());
    drop(open(&file));
    drop(Sqlite::open(&file, &Options::default()).unwrap());
}

/// Started by a test below as a user whom permissions bind.
#[test]
#[ignore = "a part of another test"]
fn child_reads() {
    let Some(file) = child::file() else { return };
    let tried = Sqlite::open_for_reading(&file, &Options::default()).and_then(|store| {
        let refused = store.commit(turn("s", 1, 2, "two", &[]));
        assert!(matches!(refused, Err(Error::Store { failure: Failure::ReadOnly { .. }, .. })));
        store.export("s")
    });
    match tried {
        Ok(export) => child::say(&format!("ok {}", export.entries.len())),
        Err(error) => child::say(&format!("error {error:?}")),
    }
}

/// Started by a test below as a user whom permissions bind.
#[test]
#[ignore = "a part of another test"]
fn child_writes() {
    let Some(file) = child::file() else { return };
    let tried = Sqlite::open(&file, &options())
        .and_then(|store| store.commit(keyed(turn("s", 1, 2, "two", &[]), "k2")));
    match tried {
        Ok(outcome) => child::say(&format!("ok {outcome:?}")),
        Err(error) => child::say(&format!("error {error:?}")),
    }
}

#[cfg(unix)]
#[test]
fn reading_needs_no_right_to_write() {
    use std::os::unix::fs::PermissionsExt as _;
    use std::os::unix::process::CommandExt as _;

    let folder = Folder::new();
    let place = folder.file("a place? 100% #1");
    fs::create_dir(&place).unwrap();
    let file = place.join("a.db");
    let store = open(&file);
    start(&store, "s");
    committed(store.commit(turn("s", 0, 1, "one", &[])).unwrap());
    drop(store);
    let mode = |path: &Path, bits| {
        fs::set_permissions(path, fs::Permissions::from_mode(bits)).unwrap();
    };
    let program = folder.file("program");
    fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    mode(folder.path(), 0o755);
    mode(&program, 0o755);
    for (folder_bits, file_bits) in [(0o555, 0o444), (0o555, 0o666), (0o777, 0o444), (0o777, 0o666)]
    {
        mode(&file, file_bits);
        mode(&place, folder_bits);
        let mut command = child::command(&program, "child_reads", &file);
        // Permissions do not bind the superuser; somebody else has to try.
        if fs::metadata("/proc/self")
            .is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0)
        {
            command.uid(65_534);
        }
        let said = child::lines(&command.output().unwrap().stdout).join("\n");
        assert_eq!(said, "ok 2", "{folder_bits:o} {file_bits:o}");
        mode(&place, 0o755);
        let left: Vec<_> = fs::read_dir(&place).unwrap().map(|f| f.unwrap().file_name()).collect();
        assert_eq!(left, ["a.db"], "reading leaves nothing behind");
    }
    mode(&file, 0o644);
}

#[cfg(unix)]
#[test]
fn a_read_only_folder_is_said_to_be_one() {
    use std::os::unix::fs::PermissionsExt as _;
    use std::os::unix::process::CommandExt as _;

    let folder = Folder::new();
    let place = folder.file("place");
    fs::create_dir(&place).unwrap();
    let file = place.join("a.db");
    let store = open(&file);
    start(&store, "s");
    committed(store.commit(turn("s", 0, 1, "one", &[])).unwrap());
    drop(store);
    let mode = |path: &Path, bits| {
        fs::set_permissions(path, fs::Permissions::from_mode(bits)).unwrap();
    };
    // A copy, because the folder of the test may be closed to others.
    let program = folder.file("program");
    fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    mode(folder.path(), 0o755);
    mode(&program, 0o755);

    let tries = [(0o555, 0o666, "a.db"), (0o555, 0o666, "new.db"), (0o777, 0o444, "a.db")];
    for (folder_bits, file_bits, name) in tries {
        mode(&file, file_bits);
        mode(&place, folder_bits);
        let mut command = child::command(&program, "child_writes", &place.join(name));
        // Permissions do not bind the superuser; somebody else has to try.
        let bound = fs::write(place.join("probe"), "x").is_err() || {
            let _ = fs::remove_file(place.join("probe"));
            false
        };
        if !bound {
            command.uid(65_534);
        }
        let said = child::lines(&command.output().unwrap().stdout);
        let shown = said.join("\n");
        let clear = shown.contains("ReadOnly") || shown.contains("read-only");
        assert!(
            shown.starts_with("error ") && clear,
            "{folder_bits:o} {file_bits:o} {name}: {shown}"
        );
    }
    mode(&place, 0o755);
    mode(&file, 0o644);
    intact(&file);
    assert_eq!(open(&file).head("s").unwrap().version, 1);
}

#[test]
fn files_of_something_else_are_left_as_they_are() {
    let folder = Folder::new();
    for (name, text) in [("short", "hello"), ("long", "this is no database. ".repeat(100).as_str())]
    {
        let file = folder.file(name);
        fs::write(&file, text).unwrap();
        let expected = Failure::Foreign { found: "not a database".to_owned() };
        assert_eq!(error(&file), expected.of(shown(&file)));
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
    }
    let file = folder.file("recipes.db");
    Connection::open(&file).unwrap().execute_batch("CREATE TABLE recipe (name TEXT)").unwrap();
    let before = fs::read(&file).unwrap();
    let expected = "is a database without sessions of Lawful";
    assert_eq!(error(&file).to_string(), format!("`{}` {expected}", file.display()));
    assert_eq!(fs::read(&file).unwrap(), before);
    // An empty file is what an interrupted start leaves behind.
    fs::write(folder.file("empty"), "").unwrap();
    start(&open(&folder.file("empty")), "s");
}

#[test]
fn a_newer_file_is_refused() {
    let folder = Folder::new();
    let file = folder.file("a.db");
    start(&open(&file), "s");
    Connection::open(&file).unwrap().pragma_update(None, "user_version", 3).unwrap();
    let newer = Failure::Newer { found: 3, known: 2 }.of(shown(&file));
    assert_eq!(error(&file), newer);
    assert_eq!(Sqlite::open_for_reading(&file, &options()).unwrap_err(), newer);
    Connection::open(&file).unwrap().pragma_update(None, "user_version", 2).unwrap();
    assert_eq!(open(&file).head("s").unwrap().version, 0);
}

#[test]
fn rows_that_were_tampered_with_are_not_believed() {
    let cases = [
        ("UPDATE entry SET format = 2", "a row has format 2, expected 1"),
        ("UPDATE session SET format = 2", "a row has format 2, expected 1"),
        ("UPDATE session SET version = -1", "out of range"),
    ];
    for (sql, expected) in cases {
        let folder = Folder::new();
        let file = folder.file("a.db");
        start(&open(&file), "s");
        Connection::open(&file).unwrap().execute_batch(sql).unwrap();
        match open(&file).head("s") {
            Err(Error::Store { failure: Failure::Damaged { reason }, .. }) => {
                assert!(reason.contains(expected), "{reason}");
            }
            other => panic!("{sql}: {other:?}"),
        }
    }
}

#[test]
fn an_entry_that_was_changed_is_damaged_and_the_others_are_believed() {
    let cases = [
        ("UPDATE entry SET snapshot = '{\"a\":' WHERE version = 1", "its state does not match"),
        ("UPDATE entry SET snapshot = '\"two\"' WHERE version = 1", "its state does not match"),
        ("UPDATE entry SET turn = 7 WHERE version = 1", "its state does not match"),
        ("UPDATE entry SET state_sum = 0 WHERE version = 1", "its state does not match"),
        ("UPDATE entry SET snapshot = x'ff' WHERE version = 1", "its state cannot be restored"),
        ("UPDATE entry SET input = '\"b\"' WHERE version = 1", "its record does not match"),
        ("UPDATE entry SET key = 'other' WHERE version = 1", "its record does not match"),
        ("UPDATE entry SET branch = 1 WHERE version = 1", "its record does not match"),
        ("UPDATE entry SET events = x'ff' WHERE version = 1", "its trace cannot be restored"),
    ];
    for (sql, expected) in cases {
        let folder = Folder::new();
        let file = folder.file("a.db");
        let store = open(&file);
        start(&store, "s");
        committed(store.commit(keyed(turn("s", 0, 1, "one", &[]), "k")).unwrap());
        committed(store.commit(turn("s", 1, 2, "two", &[])).unwrap());
        drop(store);
        Connection::open(&file).unwrap().execute_batch(sql).unwrap();
        let store = open(&file);
        match store.log("s", None, 9) {
            Err(Error::Damaged { session, version: 1, reason }) => {
                assert_eq!(session, "s");
                assert!(reason.starts_with(expected), "{sql}: {reason}");
            }
            other => panic!("{sql}: {other:?}"),
        }
        assert_eq!(store.log("s", None, 1).unwrap().len(), 1);
        assert_eq!(store.log("s", Some(1), 9).unwrap().len(), 1);
        assert_eq!(store.head("s").unwrap().snapshot, json("\"two\""));
        // A copy would be as damaged. Before the damage, there is one.
        let fork = |at| store.fork(Fork { session: "s".to_owned(), name: "copy".to_owned(), at });
        for at in [None, Some(2), Some(1)] {
            let refused = fork(at).unwrap_err();
            let is_named =
                matches!(&refused, Error::Damaged { session, version: 1, .. } if session == "s");
            assert!(is_named, "{sql}, {at:?}: {refused:?}");
            assert_eq!(store.list().unwrap().len(), 1);
        }
        fork(Some(0)).unwrap();
        assert_eq!(store.log("copy", None, 9).unwrap().len(), 1);
    }
}

#[test]
fn damage_beside_the_way_to_an_entry_does_not_prevent_a_fork() {
    let folder = Folder::new();
    let file = folder.file("a.db");
    let store = open(&file);
    start(&store, "s");
    committed(store.commit(turn("s", 0, 1, "one", &[])).unwrap());
    store.rewind(Rewind { session: "s".to_owned(), to: Target::Version(0), expect: None }).unwrap();
    committed(store.commit(turn("s", 2, 1, "other", &[])).unwrap());
    drop(store);
    let sql = "UPDATE entry SET input = '7' WHERE version = 1";
    Connection::open(&file).unwrap().execute_batch(sql).unwrap();
    let store = open(&file);
    store.fork(Fork { session: "s".to_owned(), name: "copy".to_owned(), at: None }).unwrap();
    assert_eq!(store.log("copy", None, 9).unwrap().len(), 2);
}

#[test]
fn an_empty_file_has_no_sessions_and_reading_leaves_it_empty() {
    let folder = Folder::new();
    let file = folder.file("a.db");
    fs::write(&file, "").unwrap();
    let store = Sqlite::open_for_reading(&file, &options()).unwrap();
    assert_eq!(store.list().unwrap(), []);
    assert_eq!(store.head("s").unwrap_err(), Error::NoSession { session: "s".to_owned() });
    drop(store);
    assert_eq!(fs::read(&file).unwrap(), b"");
    start(&open(&file), "s");
    let store = Sqlite::open_for_reading(&file, &options()).unwrap();
    assert_eq!(store.list().unwrap().len(), 1);
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_not_opened() {
    let folder = Folder::new();
    for (path, expected) in
        [(folder.path(), "it is a folder"), (Path::new("/dev/null"), "it is not a regular file")]
    {
        let reason = expected.to_owned();
        let expected = Failure::CannotOpen { reason }.of(shown(path));
        assert_eq!(Sqlite::open_for_reading(path, &options()).unwrap_err(), expected);
        assert_eq!(error(path), expected);
    }
}

#[test]
fn damage_to_a_state_reaches_only_what_is_made_from_it() {
    let folder = Folder::new();
    let file = folder.file("a.db");
    let store = open(&file);
    start(&store, "s");
    for version in 0..9 {
        let mut turn = turn("s", version, version + 1, "x", &[]);
        let text = format!("\"{}{version}\"", "a state that hardly changes ".repeat(9));
        turn.snapshot = json(text);
        committed(store.commit(turn).unwrap());
    }
    drop(store);
    let sql = "UPDATE entry SET snapshot = replace(snapshot, 'hardly', 'seldom') WHERE version = 1";
    Connection::open(&file).unwrap().execute_batch(sql).unwrap();
    let store = open(&file);
    assert!(matches!(store.head("s"), Err(Error::Damaged { version: 9, .. })));
    // There is a way back.
    let to = Rewind { session: "s".to_owned(), to: Target::Version(0), expect: None };
    let rewound = store.rewind(to).unwrap();
    assert!(matches!(rewound, Rewound::Done { head, .. } if head.snapshot == json("0")));
    assert!(matches!(store.head("s"), Ok(head) if head.turn == 0));
}

#[test]
fn a_file_of_the_first_version_is_migrated_and_loses_nothing() {
    let folder = Folder::new();
    let file = folder.file("a.db");
    let connection = Connection::open(&file).unwrap();
    connection.execute_batch(include_str!("../src/sqlite/schema/1.sql")).unwrap();
    connection.execute_batch(include_str!("support/first.sql")).unwrap();
    connection.pragma_update(None, "application_id", 0x4c41_5746).unwrap();
    connection.pragma_update(None, "user_version", 1).unwrap();
    drop(connection);
    let expected = include_str!("support/first.json");
    let expected: lawful_store::Export = serde_json::from_str(expected).unwrap();
    // A reader migrates it too, if it may write.
    let store = Sqlite::open_for_reading(&file, &options()).unwrap();
    assert_eq!(store.export("s").unwrap(), expected);
    drop(store);
    let store = open(&file);
    assert_eq!(store.export("s").unwrap(), expected);
    assert_eq!(committed(store.commit(turn("s", 4, 2, "two", &[])).unwrap()).version, 5);
    drop(store);
    intact(&file);
}

#[test]
fn a_file_that_was_cut_off_is_an_error() {
    let folder = Folder::new();
    let file = folder.file("a.db");
    let store = open(&file);
    start(&store, "s");
    for version in 0..20 {
        committed(store.commit(large(version)).unwrap());
    }
    drop(store);
    let bytes = fs::read(&file).unwrap();
    fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
    let read = Sqlite::open(&file, &options()).and_then(|store| store.export("s"));
    let damaged = matches!(read, Err(Error::Store { failure: Failure::Damaged { .. }, .. }));
    assert!(damaged, "{read:?}");
}

#[test]
fn a_file_that_another_holds_is_busy_and_nothing_is_lost() {
    let folder = Folder::new();
    let file = folder.file("a.db");
    let store =
        Sqlite::open(&file, &Options { busy: Duration::from_millis(50), ..options() }).unwrap();
    start(&store, "s");
    let other = Connection::open(&file).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let tickets = store.submit((0..3).map(large).collect());
    for ticket in tickets {
        assert_eq!(ticket.wait().unwrap_err(), Failure::Busy.of(shown(&file)));
    }
    // Reading goes on, and so does opening.
    assert_eq!(store.head("s").unwrap().version, 0);
    assert_eq!(open(&file).head("s").unwrap().version, 0);
    other.execute_batch("ROLLBACK").unwrap();
    assert_eq!(committed(store.commit(large(0)).unwrap()).version, 1);
}
