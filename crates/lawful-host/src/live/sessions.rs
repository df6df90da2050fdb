//! The sessions of harnesses, in one file of the state folder.
//!
//! A harness names its sessions as it likes, so an id from outside is only a part of a name here if it
//! is short and printable; else its hash is. A step is stored with what the agent was given, so that the
//! next hook, which is another process, knows both.
//!
//! **Invariant:** a step is stored on top of the state that it was computed from, or not at all.

use std::cell::OnceCell;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use lawful::react::Session;
use lawful::syntax::escape;
use lawful_deliver::State;
use lawful_store::{
    Book, Durability, Error, Json, NewSession, NewTurn, Options, Outcome as Committed, Record,
    Sqlite, Store as _,
};
use serde::{Deserialize, Serialize};

use super::given::Given;
use super::grant::hash;
use super::law::OpenLaw;
use super::outcome::Outcome;
use crate::decision_log::{create_private, open_private};
use crate::failure::Failure;
use crate::session::refused;
use crate::session::step_record::StepTexts;
use crate::session::{kept_rules, stored};

/// The file of live sessions.
pub(crate) struct LiveSessions {
    file: PathBuf,
    /// Open until a step is stored. Otherwise the file would be closed, and the journal read twice.
    reader: OnceCell<Sqlite>,
}

/// A session as it is stored.
#[derive(Clone, Debug)]
pub(crate) struct LiveSession {
    version: u64,
    /// Its state.
    pub(crate) state: Session,
    /// What is kept beside it.
    pub(crate) memory: Memory,
}

/// What is kept beside the state of a session.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
pub(crate) struct Memory {
    /// What the main agent was given.
    #[serde(default)]
    pub(crate) given: Given,
    /// The last answers, by the key of their request.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    answers: Vec<(String, Outcome)>,
    /// Messages for the user that no answer could contain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) untold: Vec<String>,
}

/// How many answers are kept. A hook that runs twice does so at once.
const ANSWERS: usize = 8;

impl Memory {
    /// The answer to a request that was answered before.
    pub(crate) fn answer(&self, key: &str) -> Option<&Outcome> {
        self.answers.iter().find(|(known, _)| known == key).map(|(_, answer)| answer)
    }

    /// Keeps the answer to a request.
    pub(crate) fn keep_answer(&mut self, key: &str, outcome: &Outcome) {
        self.answers.push((key.to_owned(), outcome.clone()));
        let surplus = self.answers.len().saturating_sub(ANSWERS);
        self.answers.drain(..surplus);
    }
}

/// A step to store.
pub(crate) struct NewStep {
    /// The input, as the log shows it.
    pub(crate) input: Json,
    /// The turn of the new state.
    pub(crate) turn: u64,
    /// The new state, and what happened.
    pub(crate) texts: StepTexts,
}

/// What is stored with a trace.
#[derive(Deserialize, Serialize)]
struct Kept {
    #[serde(default)]
    live: Memory,
}

/// The maximal number of sessions. The oldest are deleted.
const MOST_SESSIONS: usize = 1_000;

impl LiveSessions {
    /// The sessions in a state folder.
    pub(crate) fn of(state: &State) -> Self {
        Self { file: file(state), reader: OnceCell::new() }
    }

    /// A session, if it is known.
    pub(crate) fn read(&self, name: &str) -> Result<Option<LiveSession>, Failure> {
        if matches!(self.file.try_exists(), Ok(false)) {
            return Ok(None);
        }
        let store = self.reader()?;
        match store.newest(name) {
            Ok(Some(newest)) => {
                return Ok(Some(LiveSession {
                    version: newest.version,
                    state: stored::state(&newest.snapshot)?,
                    memory: memory(&newest.record),
                }));
            }
            // A step was taken back.
            Ok(None) => {}
            Err(Error::NoSession { .. }) => return Ok(None),
            Err(error) => return Err(failed(error)),
        }
        let head = match store.head(name) {
            Ok(head) => head,
            Err(Error::NoSession { .. }) => return Ok(None),
            Err(error) => return Err(failed(error)),
        };
        let before = head.version.checked_sub(1);
        let entry = store.log(name, before, 1).map_err(failed)?.pop();
        let record = entry.filter(|entry| entry.version == head.version).map(|entry| entry.record);
        Ok(Some(LiveSession {
            version: head.version,
            state: stored::state(&head.snapshot)?,
            memory: record.map_or_else(Memory::default, |record| memory(&record)),
        }))
    }

    fn reader(&self) -> Result<&Sqlite, Failure> {
        if let Some(reader) = self.reader.get() {
            return Ok(reader);
        }
        let opened = Sqlite::open_for_reading(&self.file, &options()).map_err(failed)?;
        Ok(self.reader.get_or_init(|| opened))
    }

    /// Stores the steps of one hook on top of a session, in order; false if another hook was faster.
    pub(crate) fn write(
        &self,
        law: &OpenLaw,
        (name, before): (&str, Option<&LiveSession>),
        steps: Vec<NewStep>,
        memory: &Memory,
    ) -> Result<bool, Failure> {
        let store = self.open()?;
        let kept = kept_rules::pack_bundle(law.trusted.bundle())?;
        let mut version = match before {
            Some(before) => before.version,
            None => {
                if !create(&store, law, &kept, name)? {
                    return Ok(false);
                }
                collect(&store)?;
                0
            }
        };
        for step in steps {
            let StepTexts { snapshot, events, changes, effects } = step.texts;
            let result = stored::json(&Kept { live: memory.clone() })?;
            let turn = NewTurn {
                session: name.to_owned(),
                key: None,
                expect: version,
                turn: step.turn,
                book: Arc::clone(&kept),
                record: Record { input: step.input, events, changes, result },
                snapshot,
                effects,
            };
            version = match store.commit(turn).map_err(failed)? {
                Committed::Committed(done) => done.version,
                Committed::Duplicate(_) | Committed::Conflict(_) => return Ok(false),
            };
        }
        Ok(true)
    }

    /// Creates an empty file that only its owner can read. SQLite would let others read it.
    fn create_file(&self) -> io::Result<()> {
        if self.file.exists() {
            return Ok(());
        }
        create_private(self.file.parent().unwrap_or(&self.file))?;
        open_private(&self.file).map(drop)
    }

    fn open(&self) -> Result<Sqlite, Failure> {
        if let Err(error) = self.create_file() {
            let message = format!("cannot create `{}`: {error}", self.file.display());
            return Err(Failure::usage(message, "check the state folder"));
        }
        Sqlite::open(&self.file, &Options { create: true, ..options() }).map_err(failed)
    }
}

/// Where live sessions are.
pub(crate) fn file(state: &State) -> PathBuf {
    state.folder().join("live").join("sessions.db")
}

/// The name of a session of a harness.
pub(crate) fn name(harness: &str, session: &str) -> String {
    let plain = |c: char| !escape::is_unsafe(c) && !c.is_whitespace();
    if !session.is_empty() && session.len() <= LONGEST_ID && session.chars().all(plain) {
        format!("{harness}/{session}")
    } else {
        format!("{harness}/#{}", hash(&[session]))
    }
}

/// The maximal length of an id that is a part of a name.
const LONGEST_ID: usize = 120;

fn options() -> Options {
    // An agent waits for every hook. A state of the last second before a power failure is not worth a
    // sync at every tool call.
    let busy = Duration::from_secs(5);
    Options { durability: Durability::Process, busy, ..Options::default() }
}

/// Starts a session; false if another hook did.
fn create(store: &Sqlite, law: &OpenLaw, kept: &Arc<Book>, name: &str) -> Result<bool, Failure> {
    let start = law.book.start();
    let session = NewSession {
        name: Some(name.to_owned()),
        book: Arc::clone(kept),
        turn: start.turn,
        snapshot: stored::json(&start)?,
    };
    match store.create(session) {
        Ok(_) => Ok(true),
        Err(Error::SessionExists { .. }) => Ok(false),
        Err(error) => Err(failed(error)),
    }
}

/// Deletes the oldest sessions if there are too many.
fn collect(store: &Sqlite) -> Result<(), Failure> {
    let sessions = store.list().map_err(failed)?;
    let surplus = sessions.len().saturating_sub(MOST_SESSIONS);
    for session in sessions.iter().take(surplus) {
        match store.delete(&session.session) {
            Ok(()) | Err(Error::NoSession { .. }) => {}
            Err(error) => return Err(failed(error)),
        }
    }
    Ok(())
}

fn memory(record: &Record) -> Memory {
    // What an older version wrote is no reason to fail: directives are given again.
    serde_json::from_str::<Kept>(record.result.text())
        .map_or_else(|_| Memory::default(), |kept| kept.live)
}

#[expect(clippy::needless_pass_by_value, reason = "it is an argument of `map_err`")]
fn failed(error: Error) -> Failure {
    refused(&error, None)
}
