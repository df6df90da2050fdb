//! What the tests of the store share.
#![allow(dead_code, reason = "each test uses a part")]

pub(crate) mod child;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use lawful_store::{
    Book, Committed, Json, NewEffect, NewSession, NewTurn, Options, Outcome, Record, Repeat,
    Rewind, Rewound, Sqlite, Store, Target,
};

/// A folder that is removed at the end of a test.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("lawful-store-{}-{count}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn options() -> Options {
    Options { create: true, ..Options::default() }
}

pub(crate) fn open(path: &Path) -> Sqlite {
    Sqlite::open(path, &options()).unwrap()
}

/// How the store names a file in an error.
pub(crate) fn shown(path: &Path) -> String {
    path.display().to_string()
}

pub(crate) fn json(text: impl Into<String>) -> Json {
    Json::parse(text).unwrap()
}

pub(crate) fn book() -> Arc<Book> {
    Arc::new(Book { hash: "5ca1ab1e".to_owned(), text: json(r#"{"rules":[]}"#) })
}

pub(crate) fn start(store: &dyn Store, name: &str) {
    let new =
        NewSession { name: Some(name.to_owned()), book: book(), turn: 0, snapshot: json("0") };
    store.create(new).unwrap();
}

/// A turn whose state and input are the given texts, with effects `id=body`.
pub(crate) fn turn(
    session: &str,
    expect: u64,
    turn: u64,
    state: &str,
    effects: &[&str],
) -> NewTurn {
    let effect = |written: &&str| {
        let (id, body) = written.split_once('=').unwrap();
        // A body in capitals is requested again after a rewind.
        let again = body.chars().all(char::is_uppercase);
        let repeat = if again { Repeat::Again } else { Repeat::Once };
        NewEffect { id: id.parse().unwrap(), body: json(format!("\"{body}\"")), repeat }
    };
    NewTurn {
        session: session.to_owned(),
        key: None,
        expect,
        turn,
        book: book(),
        record: Record { input: json(format!("\"{state}\"")), ..Record::default() },
        snapshot: json(format!("\"{state}\"")),
        effects: effects.iter().map(effect).collect(),
    }
}

pub(crate) fn keyed(mut turn: NewTurn, key: &str) -> NewTurn {
    turn.key = Some(key.to_owned());
    turn
}

pub(crate) fn committed(outcome: Outcome) -> Committed {
    match outcome {
        Outcome::Committed(committed) => committed,
        Outcome::Duplicate(_) | Outcome::Conflict(_) => panic!("not committed: {outcome:?}"),
    }
}

pub(crate) fn rewind(store: &dyn Store, session: &str, to: u64) -> Rewound {
    let to = Target::Turn(to);
    store.rewind(Rewind { session: session.to_owned(), to, expect: None }).unwrap()
}

/// What waits for the host, as `id=body`.
pub(crate) fn pending(store: &dyn Store, session: &str) -> Vec<String> {
    let pending = store.pending(session).unwrap();
    let shown = pending.iter().map(|effect| {
        let body: String = serde_json::from_str(effect.body.text()).unwrap();
        format!("{}={body}", effect.id)
    });
    shown.collect()
}
