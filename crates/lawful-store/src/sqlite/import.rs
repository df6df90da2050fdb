//! Importing an exported session.

use std::collections::BTreeMap;

use rusqlite::Connection;

use super::create::{keep_book, new_session};
use super::entry::NewEntry;
use super::fault::Fault;
use super::outbox::write_effect;
use super::recent::Recent;
use super::state::States;
use super::writer::Change;
use crate::{Created, Export};

impl Change for Export {
    type Done = Created;

    fn apply(&self, connection: &Connection, _: &mut Recent) -> Result<Created, Fault> {
        self.check()?;
        let place = [self.version, self.head, self.branch];
        let session = new_session(connection, &self.session, place)?;
        let mut books = BTreeMap::new();
        for book in &self.books {
            books.insert(&*book.hash, keep_book(connection, book)?);
        }
        let mut states = States::new(connection, session);
        for entry in &self.entries {
            // The check has found every book.
            let Some(book) = books.get(&*entry.book) else { continue };
            let new = NewEntry {
                version: entry.version,
                parent: entry.parent,
                turn: entry.turn,
                branch: entry.branch,
                abandoned: entry.abandoned,
                key: entry.key.as_deref(),
                book: (*book, &entry.book),
                record: &entry.record,
                snapshot: &entry.snapshot,
            };
            let row = new.write(connection, session, &mut states)?.row;
            for (position, effect) in entry.effects.iter().enumerate() {
                write_effect(connection, session, row, position, effect)?;
            }
        }
        Ok(Created { session: self.session.clone(), version: self.version })
    }
}
