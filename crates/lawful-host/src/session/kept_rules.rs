//! The lawbook of a turn, stored with the turn.
//!
//! The text of every document is stored under the fingerprint of the lawbook, so a log can be
//! replayed after the folder changed or was deleted. Stored documents are trusted only if they have
//! that fingerprint.

use std::collections::BTreeMap;
use std::sync::Arc;

use lawful::Value;
use lawful::book::{self, Book, Bundle, MemorySource, Options};
use lawful::react::Rules;
use lawful::syntax::{Diagnostic, File, Span};
use lawful_store::{Json, Store};
use serde::Serialize;

use super::{ask, stored};
use crate::codes;
use crate::failure::Failure;

#[derive(Serialize)]
struct Packed<'b> {
    files: BTreeMap<&'b str, &'b str>,
}

/// A lawbook in the form that the store keeps.
pub(crate) fn pack(book: &Book) -> Result<Arc<lawful_store::Book>, Failure> {
    let text = |file| book.sources.file(file).map_or("", File::text);
    let files = book.documents.iter().map(|document| (&*document.path, text(document.file)));
    let text = stored::json(&Packed { files: files.collect() })?;
    Ok(Arc::new(lawful_store::Book { hash: book.fingerprint(), text }))
}

/// The lawbook of a bundle in the same form.
pub(crate) fn pack_bundle(bundle: &Bundle) -> Result<Arc<lawful_store::Book>, Failure> {
    let text = |bytes| std::str::from_utf8(bytes).unwrap_or_default();
    let files = bundle.files().map(|(path, bytes)| (path, text(bytes)));
    let text = stored::json(&Packed { files: files.collect() })?;
    Ok(Arc::new(lawful_store::Book { hash: bundle.fingerprint().to_owned(), text }))
}

/// The rules of a stored lawbook.
pub(crate) fn unpack(store: &dyn Store, hash: &str) -> Result<Rules, Failure> {
    let text = ask(store, |store| store.book(hash))?;
    let loaded = match &text {
        Some(text) => load(text)?.filter(|book| book.fingerprint() == hash),
        None => None,
    };
    let Some(book) = loaded else {
        let message = "the stored lawbook of a turn does not match its fingerprint";
        let problem = Diagnostic::new(&codes::SESSION_FILE, Span::NONE, message);
        return Err(Failure::of(problem.help("restore the file from a backup")));
    };
    // Problems of a rule were reported when the turn was taken.
    Ok(Rules::decode(&book).0)
}

/// The name of a stored lawbook, if it can be read.
pub(crate) fn name(store: &dyn Store, hash: &str) -> Result<Option<String>, Failure> {
    let Some(text) = ask(store, |store| store.book(hash))? else { return Ok(None) };
    Ok(load(&text)?.map(|book| book.manifest.name.clone()))
}

/// Whether a stored lawbook has the fingerprint that it is stored under.
pub(crate) fn is_intact(book: &lawful_store::Book) -> Result<bool, Failure> {
    Ok(load(&book.text)?.is_some_and(|loaded| loaded.fingerprint() == book.hash))
}

fn load(text: &Json) -> Result<Option<Book>, Failure> {
    let value = stored::value(text)?;
    let Some(Value::Map(files)) = value.get("files") else { return Ok(None) };
    let mut source = MemorySource::new();
    for (path, text) in files.iter() {
        source = source.with(path, text.as_text().unwrap_or_default());
    }
    Ok(book::load(&source, Options::default()).ok().map(|(book, _)| book))
}
