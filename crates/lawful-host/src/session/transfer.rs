//! Exporting, importing, forking and deleting sessions.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use lawful::syntax::{Diagnostic, Span, escape};
use lawful::{Value, code};
use lawful_store::{Entry, Export, Fork};
use serde::Serialize;

use super::trace::trace;
use super::view::StartedSession;
use super::{Sessions, ask, kept_rules, stored};
use crate::codes;
use crate::failure::Failure;

/// `{"session", "deleted"}`: a session that was deleted.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DeletedSession {
    /// Its name.
    pub session: String,
    /// True.
    pub deleted: bool,
    /// The number of effects that were pending, which no host will perform now.
    #[serde(rename = "lostEffects", skip_serializing_if = "is_zero")]
    pub lost_effects: usize,
}

impl Sessions {
    /// Everything about a session, as a document for programs.
    pub fn export(&self, session: &str) -> Result<Value, Failure> {
        let export = ask(&*self.store, |store| store.export(session))?;
        // Through a value, so that every text in it is escaped safely.
        stored::value(&stored::json(&export)?)
    }

    /// Creates a session from a document that [`export`](Self::export) returned, under its own name or
    /// another. `-` is standard input.
    pub fn import_file(&self, file: &Path, name: Option<&str>) -> Result<StartedSession, Failure> {
        let read = if file == Path::new("-") {
            decode(io::stdin().lock())
        } else {
            decode(File::open(file).map_err(|error| cannot_open(file, &error))?)
        };
        let export =
            read.map_err(|reason| Failure::instead_of(file, |span| not_an_export(&reason, span)))?;
        self.import(export, name)
    }

    /// Creates a session from an export, under its own name or another.
    pub fn import(&self, export: Export, name: Option<&str>) -> Result<StartedSession, Failure> {
        let mut export = sound(export)?;
        if let Some(name) = name {
            name.clone_into(&mut export.session);
        }
        let created = ask(&*self.store, |store| store.import(export))?;
        Ok(StartedSession::of(created))
    }

    /// Copies a session up to a version; default: its current state.
    pub fn fork(
        &self,
        session: &str,
        name: &str,
        at: Option<u64>,
    ) -> Result<StartedSession, Failure> {
        let fork = Fork { session: session.to_owned(), name: name.to_owned(), at };
        let created = ask(&*self.store, |store| store.fork(fork))?;
        Ok(StartedSession::of(created))
    }

    /// Deletes a session and its log.
    pub fn delete(&self, session: &str) -> Result<DeletedSession, Failure> {
        let lost_effects = ask(&*self.store, |store| store.pending(session))?.len();
        ask(&*self.store, |store| store.delete(session))?;
        Ok(DeletedSession { session: session.to_owned(), deleted: true, lost_effects })
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde calls")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

fn cannot_open(file: &Path, error: &io::Error) -> Failure {
    let message = if error.kind() == io::ErrorKind::NotFound {
        "file not found".to_owned()
    } else {
        format!("cannot read the file: {error}")
    };
    Failure::instead_of(file, |span| {
        Diagnostic::new(&code::UNREADABLE, span, message)
            .help("pass a document that `lawful session export` printed, or `-` for standard input")
    })
}

fn decode(text: impl Read) -> Result<Export, String> {
    serde_json::from_reader(BufReader::new(text)).map_err(|error| error.to_string())
}

fn not_an_export(reason: &str, span: Span) -> Diagnostic {
    let message = format!("not an exported session: {}", escape::line(reason));
    Diagnostic::new(&codes::SESSION_IMPORT, span, message)
        .help("pass a document that `lawful session export` printed")
}

/// An export whose texts can be read back, in the form in which the store keeps them.
fn sound(mut export: Export) -> Result<Export, Failure> {
    export.check().map_err(|error| super::refused(&error, None))?;
    for entry in &mut export.entries {
        if let Err(failure) = restore(entry) {
            let reason = failure.problems.first().map_or("", |problem| &*problem.message);
            let message = format!("version {}: {reason}", entry.version);
            return Err(Failure::of(not_an_export(&message, Span::NONE)));
        }
    }
    for book in &mut export.books {
        if !kept_rules::is_intact(book)? {
            let message = "a lawbook does not match its fingerprint";
            return Err(Failure::of(not_an_export(message, Span::NONE)));
        }
        book.text = stored::json(&stored::value(&book.text)?)?;
    }
    Ok(export)
}

/// Brings the texts of an entry into the stored form, which has no white space.
fn restore(entry: &mut Entry) -> Result<(), Failure> {
    let record = &mut entry.record;
    let texts = [
        &mut entry.snapshot,
        &mut record.input,
        &mut record.events,
        &mut record.changes,
        &mut record.result,
    ];
    let effects = entry.effects.iter_mut().map(|effect| &mut effect.body);
    for text in texts.into_iter().chain(effects) {
        *text = stored::json(&stored::value(text)?)?;
    }
    let state = stored::state(&entry.snapshot)?;
    if state.turn != entry.turn {
        let message = format!("its state is of turn {}, not {}", state.turn, entry.turn);
        return Err(Failure::of(Diagnostic::new(&codes::SESSION_IMPORT, Span::NONE, message)));
    }
    if entry.parent.is_some() {
        stored::input(&entry.record.input)?;
    }
    trace(&entry.record)?;
    Ok(())
}
