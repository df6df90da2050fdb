//! Sessions in one SQLite file: WAL journal, every commit synchronised.
//!
//! One connection writes, for one caller at a time ([`writer`]), and another one reads. Readers see
//! what is committed and never wait for a writer. Several processes can open the same file: each
//! waits for the others' writes.

mod checksum;
mod commit;
mod create;
mod delta;
mod entry;
mod fault;
mod fork;
mod import;
mod open;
mod outbox;
mod read;
mod recent;
mod rewind;
mod rows;
mod schema;
mod state;
mod writer;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rusqlite::Connection;

use fault::{Fault, shown};
use fork::Delete;
use open::Stamp;
pub use open::{Durability, Options};
use outbox::Acknowledge;
use recent::Recent;
use rows::{head, known_head};
use writer::Writer;

use crate::{
    Acknowledged, Created, Effect, EffectId, Entry, Error, Export, Failure, Fork, Head, Json,
    NewSession, NewTurn, Outcome, Rewind, Rewound, Store, Summary, Ticket,
};

/// A file of sessions.
pub struct Sqlite {
    path: PathBuf,
    // Dropped before the writer, which then is the last to close the file and truncates the
    // journal. It is opened when it is first needed, because a process may only write.
    reader: Mutex<Option<Connection>>,
    options: Options,
    /// `None` if the file was opened for reading.
    writer: Option<Writer>,
    /// What the file looked like, if it is read without locks.
    unlocked: Option<Stamp>,
}

impl Sqlite {
    /// Opens a file, and migrates it to the current schema version.
    pub fn open(path: impl AsRef<Path>, options: &Options) -> Result<Self, Error> {
        let path = path.as_ref().to_owned();
        let connection = open::writer(&path, options)?;
        let writer = Some(Writer::new(connection, path.clone(), options.group));
        let (reader, options) = (Mutex::default(), options.clone());
        Ok(Self { path, reader, options, writer, unlocked: None })
    }

    /// Opens a file for reading. It and its folder may be read-only. Every change is refused.
    ///
    /// An older file is migrated, which needs write access.
    pub fn open_for_reading(path: impl AsRef<Path>, options: &Options) -> Result<Self, Error> {
        let path = path.as_ref().to_owned();
        let (connection, unlocked) = open::for_reading(&path, options)?;
        let (reader, options) = (Mutex::new(Some(connection)), options.clone());
        Ok(Self { path, reader, options, writer: None, unlocked })
    }

    /// The newest entry of a session, if its state is the current one: nothing was taken back.
    pub fn newest(&self, session: &str) -> Result<Option<Entry>, Error> {
        self.read(|connection| read::newest(connection, session))
    }

    /// Runs a query on a consistent snapshot.
    fn read<T>(&self, ask: impl FnOnce(&Connection) -> Result<T, Fault>) -> Result<T, Error> {
        let mut reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        let reader = match &mut *reader {
            Some(reader) => reader,
            none => none.insert(open::reader(&self.path, &self.options)?),
        };
        let answer = reader.transaction().map_err(Fault::from).and_then(|moment| ask(&moment));
        match &self.unlocked {
            // Without locks, another process may have written while this one read.
            Some(before) if *before != Stamp::of(&self.path) => {
                Err(Failure::Busy.of(shown(&self.path)))
            }
            Some(_) | None => answer.map_err(|fault| fault.of(&self.path)),
        }
    }

    fn writer(&self) -> Result<&Writer, Error> {
        let reason = || "it was opened for reading".to_owned();
        let read_only = || Failure::ReadOnly { reason: reason() }.of(shown(&self.path));
        self.writer.as_ref().ok_or_else(read_only)
    }
}

impl fmt::Debug for Sqlite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Sqlite").field(&self.path).finish()
    }
}

impl Store for Sqlite {
    fn create(&self, session: NewSession) -> Result<Created, Error> {
        self.writer()?.make(session)
    }

    fn submit(&self, turns: Vec<NewTurn>) -> Vec<Ticket<Outcome>> {
        match self.writer() {
            Ok(writer) => writer.submit(turns),
            Err(error) => turns.iter().map(|_| Ticket::ready(Err(error.clone()))).collect(),
        }
    }

    fn rewind(&self, rewind: Rewind) -> Result<Rewound, Error> {
        self.writer()?.make(rewind)
    }

    fn fork(&self, fork: Fork) -> Result<Created, Error> {
        self.writer()?.make(fork)
    }

    fn import(&self, export: Export) -> Result<Created, Error> {
        self.writer()?.make(export)
    }

    fn delete(&self, session: &str) -> Result<(), Error> {
        self.writer()?.make(Delete { session: session.to_owned() })
    }

    fn acknowledge_all(
        &self,
        session: &str,
        effects: &[EffectId],
    ) -> Result<Vec<Acknowledged>, Error> {
        let (session, effects) = (session.to_owned(), effects.to_vec());
        self.writer()?.make(Acknowledge { session, effects })
    }

    fn head(&self, session: &str) -> Result<Head, Error> {
        // The most frequent query between two turns. Entries never change, so it needs no
        // transaction, unless the session is deleted meanwhile: then it is read again in one.
        let warm = self.writer.as_ref();
        let ask = |connection: &Connection, recent: &Recent| match known_head(
            connection, recent, session,
        )? {
            Some(head) => Ok(head),
            None => head(connection, session),
        };
        match warm.and_then(|writer| writer.ask(ask)) {
            Some(Ok(head)) => Ok(head),
            Some(Err(_)) | None => self.read(|connection| head(connection, session)),
        }
    }

    fn log(&self, session: &str, after: Option<u64>, limit: usize) -> Result<Vec<Entry>, Error> {
        self.read(|connection| read::log(connection, session, after, limit))
    }

    fn pending(&self, session: &str) -> Result<Vec<Effect>, Error> {
        self.read(|connection| read::pending(connection, session))
    }

    fn list(&self) -> Result<Vec<Summary>, Error> {
        self.read(read::list)
    }

    fn book(&self, hash: &str) -> Result<Option<Json>, Error> {
        self.read(|connection| read::book(connection, hash))
    }

    fn export(&self, session: &str) -> Result<Export, Error> {
        self.read(|connection| read::export(connection, session))
    }
}
