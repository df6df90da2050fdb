//! Several processes, and processes that are killed.
//!
//! The torture test starts a process that writes turns from several threads, rewinds and acknowledges,
//! and kills it at a random moment, more than two hundred times. A process says when it hands a
//! request in and when it was told that it is durable. Afterwards everything that was told is there,
//! once; what was handed in and not told is there once or not at all, and is handed in again by the
//! next process.
//!
//! A kill ends a process and not the machine, so this says nothing about a disk that lies; that a
//! commit waits for the disk is `synchronous=FULL`.

#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used, reason = "this is a test")]

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use lawful_store::{
    Entry, Error, Failure, NewTurn, Options, Outcome, Rewind, Rewound, Sqlite, Status, Store,
    Target,
};
use rusqlite::Connection;
use support::{Folder, child, json, keyed, open, options, shown, start, turn};

const KILLS: u64 = 210;
/// A new file is begun now and then, so that some kills hit a file that is just being created.
const KILLS_OF_A_FILE: u64 = 30;
const SESSIONS: [&str; 2] = ["north", "south"];
const THREADS: u64 = 4;

fn this_program(test: &str, file: &Path, seed: u64) -> Command {
    child::seeded(child::command(&std::env::current_exe().unwrap(), test, file), seed)
}

/// Small, seeded, and the same on every machine.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

fn count(snapshot: &lawful_store::Json) -> u64 {
    let text = snapshot.text().trim_matches('"');
    text.rsplit(' ').next().unwrap().parse().unwrap()
}

/// The turn that counts one further from where the session stands.
fn next_turn(store: &dyn Store, session: &str, key: &str) -> NewTurn {
    let head = store.head(session).unwrap();
    let steps = count(&head.snapshot) + 1;
    let effect = format!("{}.{steps}.1=ding {key}", head.turn + 1);
    // Long enough that only what changed is stored.
    let state = format!("{}{steps}", "a state that hardly changes ".repeat(9));
    keyed(turn(session, head.version, head.turn + 1, &state, &[&effect]), key)
}

/// Hands a request in until it is there.
fn send(store: &dyn Store, session: &str, key: &str) -> (bool, u64) {
    child::say(&format!("sent {session} {key}"));
    loop {
        match store.commit(next_turn(store, session, key)).unwrap() {
            Outcome::Committed(done) => {
                child::say(&format!("told {session} {key}"));
                return (true, done.version);
            }
            Outcome::Duplicate(again) => {
                child::say(&format!("told {session} {key}"));
                return (false, again.entry.version);
            }
            Outcome::Conflict(_) => {}
        }
    }
}

/// Writes until it is killed.
#[test]
#[ignore = "a part of another test"]
fn child_writes_until_killed() {
    let Some(file) = child::file() else { return };
    // One thread that finds something wrong must be heard although the others go on.
    std::panic::set_hook(Box::new(|wrong| {
        child::say(&format!("panicked in child: {}", wrong.to_string().replace('\n', " ")));
    }));
    let store = open(&file);
    let seed = child::seed();
    for name in SESSIONS {
        match store.head(name) {
            Ok(_) => {}
            Err(Error::NoSession { .. }) => start(&store, name),
            Err(error) => panic!("{error}"),
        }
    }
    // What the processes before this one handed in and were not told about.
    let unsure = std::fs::read_to_string(file.with_extension("unsure")).unwrap_or_default();
    for line in unsure.lines() {
        let (session, key) = line.split_once(' ').unwrap();
        send(&store, session, key);
    }
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let store = &store;
            scope.spawn(move || write(store, seed, thread));
        }
    });
}

fn write(store: &Sqlite, seed: u64, thread: u64) {
    let mut dice = Dice(seed.wrapping_mul(31).wrapping_add(thread));
    for number in 0_u64.. {
        let session = SESSIONS[usize::from(thread % 2 == 1)];
        let key = format!("{seed}-{thread}-{number}");
        let (new, version) = send(store, session, &key);
        assert!(new, "a fresh key is a duplicate");
        if dice.below(4) == 0 {
            let again = send(store, session, &key);
            assert_eq!(again, (false, version), "a request was applied twice");
        }
        if dice.below(3) == 0
            && let Some(effect) = store.pending(session).unwrap().first()
        {
            // Another thread may have withdrawn it by now; then the acknowledgement is a late one.
            store.acknowledge(session, &effect.id).unwrap();
            child::say(&format!("acknowledged {session} {}", effect.id));
        }
        if dice.below(10) == 0 {
            let to = store.head(session).unwrap().turn.saturating_sub(dice.below(4));
            let to = Target::Turn(to);
            match store.rewind(Rewind { session: session.to_owned(), to, expect: None }) {
                Ok(Rewound::Done { head, abandoned, .. }) if !abandoned.is_empty() => {
                    child::say(&format!("rewound {session} {}", head.version));
                }
                // The other thread has gone back further in the meantime.
                Ok(_) | Err(Error::NoTurn { .. }) => {}
                Err(error) => panic!("{error}"),
            }
        }
    }
}

/// What processes said of one file.
#[derive(Default)]
struct Said {
    sent: BTreeSet<(String, String)>,
    told: BTreeSet<(String, String)>,
    acknowledged: BTreeSet<(String, String)>,
    rewound: BTreeSet<(String, u64)>,
}

impl Said {
    fn hear(&mut self, lines: &[String]) {
        for line in lines {
            let words: Vec<&str> = line.split(' ').collect();
            let pair = (words[1].to_owned(), words[2].to_owned());
            match words[0] {
                "sent" => self.sent.insert(pair),
                "told" => self.told.insert(pair),
                "acknowledged" => self.acknowledged.insert(pair),
                "rewound" => self.rewound.insert((pair.0, pair.1.parse().unwrap())),
                _ => panic!("a child said `{line}`"),
            };
        }
    }

    fn unsure(&self) -> String {
        let unsure = self.sent.difference(&self.told);
        unsure.map(|(session, key)| format!("{session} {key}")).collect::<Vec<_>>().join("\n")
    }
}

/// Everything that was told is there, nothing is there twice, and every state follows from the one
/// before it.
fn verify(file: &Path, said: &Said) {
    let connection = Connection::open(file).unwrap();
    let answer: String = connection.query_row("PRAGMA integrity_check", [], |r| r.get(0)).unwrap();
    assert_eq!(answer, "ok");
    drop(connection);
    let store = open(file);
    for summary in store.list().unwrap() {
        let export = store.export(&summary.session).unwrap();
        let of_this = |(session, _): &&(String, String)| *session == summary.session;
        let entries: BTreeMap<u64, &Entry> =
            export.entries.iter().map(|e| (e.version, e)).collect();
        let mut keys: Vec<&str> = export.entries.iter().filter_map(|e| e.key.as_deref()).collect();
        let all = keys.len();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), all, "a request was applied twice");
        for (_, key) in said.told.iter().filter(of_this) {
            assert!(
                keys.binary_search(&key.as_str()).is_ok(),
                "{key} was acknowledged and is gone"
            );
        }
        let sent: BTreeSet<&str> =
            said.sent.iter().filter(of_this).map(|(_, key)| key.as_str()).collect();
        for entry in &export.entries {
            assert!(entry.key.as_deref().is_none_or(|key| sent.contains(key)), "nobody sent it");
            let before = entry.parent.map(|parent| entries[&parent]);
            let expected = before.map_or(0, |before| count(&before.snapshot) + 1);
            assert_eq!(count(&entry.snapshot), expected, "a counter has drifted");
        }
        let effects = || export.entries.iter().flat_map(|entry| &entry.effects);
        let done: BTreeSet<String> = effects()
            .filter(|effect| effect.status == Status::Acknowledged)
            .map(|effect| effect.id.to_string())
            .collect();
        for (_, id) in said.acknowledged.iter().filter(of_this) {
            assert!(done.contains(id), "effect {id} was acknowledged and is not any more");
        }
        for (_, version) in said.rewound.iter().filter(|(s, _)| *s == summary.session) {
            let marked = export.entries.iter().any(|entry| entry.abandoned == Some(*version));
            assert!(marked, "the rewind at version {version} is gone");
        }
        let mut live = export.entries.iter().filter(|entry| entry.abandoned.is_none());
        assert_eq!(live.next_back().map(|entry| entry.version), Some(export.head));
    }
}

#[test]
fn nothing_is_lost_and_nothing_happens_twice_when_the_process_is_killed() {
    let mut dice = Dice(20_261_115);
    let (mut told, mut unsure) = (0, 0);
    for file_number in 0..KILLS / KILLS_OF_A_FILE {
        let folder = Folder::new();
        let file = folder.file("stories.db");
        let mut said = Said::default();
        for kill in 0..KILLS_OF_A_FILE {
            let seed = file_number * KILLS_OF_A_FILE + kill;
            let left = said.unsure();
            unsure += left.lines().count();
            std::fs::write(file.with_extension("unsure"), left).unwrap();
            let mut process =
                this_program("child_writes_until_killed", &file, seed).spawn().unwrap();
            let mut out = process.stdout.take().unwrap();
            let listener = std::thread::spawn(move || {
                let mut bytes = Vec::new();
                out.read_to_end(&mut bytes).unwrap();
                bytes
            });
            std::thread::sleep(Duration::from_millis(dice.below(90)));
            assert!(process.try_wait().unwrap().is_none(), "the process ended by itself");
            process.kill().unwrap();
            process.wait().unwrap();
            said.hear(&child::lines(&listener.join().unwrap()));
            if file.exists() {
                verify(&file, &said);
            }
        }
        told += said.told.len();
    }
    // The test means something only if the kills hit a store at work.
    assert!(told > 200 && unsure > 20, "{told} turns told, {unsure} unsure");
}

/// Writes forty turns to a session that others write to as well.
#[test]
#[ignore = "a part of another test"]
fn child_writes_beside_others() {
    let Some(file) = child::file() else { return };
    let store = open(&file);
    for number in 0..40 {
        send(&store, "north", &format!("{}-{number}", child::seed()));
    }
}

#[test]
fn processes_that_share_a_file_lose_nothing() {
    let folder = Folder::new();
    let file = folder.file("stories.db");
    start(&open(&file), "north");
    let spawn = |seed| this_program("child_writes_beside_others", &file, seed).spawn().unwrap();
    let mut said = Said::default();
    for process in [spawn(1), spawn(2), spawn(3)] {
        let output = process.wait_with_output().unwrap();
        assert!(output.status.success());
        said.hear(&child::lines(&output.stdout));
    }
    assert_eq!(said.told.len(), 120);
    verify(&file, &said);
    assert_eq!(open(&file).head("north").unwrap().version, 120);
}

#[test]
fn openers_that_create_a_file_together_agree_on_it() {
    for _ in 0..5 {
        let folder = Folder::new();
        let file = folder.file("stories.db");
        let opened: Vec<_> = (0..4)
            .map(|_| {
                let file = file.clone();
                std::thread::spawn(move || open(&file).list().unwrap().len())
            })
            .collect();
        assert!(opened.into_iter().all(|thread| thread.join().unwrap() == 0));
    }
}

/// Holds the file until its input ends.
#[test]
#[ignore = "a part of another test"]
fn child_holds_the_file() {
    let Some(file) = child::file() else { return };
    let connection = Connection::open(&file).unwrap();
    connection.execute_batch("BEGIN IMMEDIATE").unwrap();
    child::say("held");
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
}

#[test]
fn a_process_that_holds_the_file_is_waited_for_and_then_reported() {
    let folder = Folder::new();
    let file = folder.file("stories.db");
    let store =
        Sqlite::open(&file, &Options { busy: Duration::from_millis(100), ..options() }).unwrap();
    start(&store, "north");
    let mut command = this_program("child_holds_the_file", &file, 0);
    let mut holder = command.stdin(std::process::Stdio::piped()).spawn().unwrap();
    let mut out = holder.stdout.take().unwrap();
    let mut heard = Vec::new();
    while child::lines(&heard).is_empty() {
        let mut byte = [0];
        out.read_exact(&mut byte).unwrap();
        heard.push(byte[0]);
    }
    let request = || keyed(turn("north", 0, 1, "1", &[]), "k");
    assert_eq!(store.commit(request()).unwrap_err(), Failure::Busy.of(shown(&file)));
    assert_eq!(store.head("north").unwrap().snapshot, json("0"));
    drop(holder.stdin.take());
    holder.wait().unwrap();
    assert!(matches!(store.commit(request()), Ok(Outcome::Committed(_))));
}
