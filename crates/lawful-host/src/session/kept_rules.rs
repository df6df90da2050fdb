//! The lawbook that a turn is taken by, kept with the turn.
//!
//! The text of every document goes into the file under the fingerprint of the book, so a log can be
//! played again when the folder has changed or is gone. What comes back is only believed if it has
//! the fingerprint that it is kept under.

use std::collections::BTreeMap;
use std::sync::Arc;

use lawful::Value;
use lawful::book::{self, Book, MemorySource, Options};
use lawful::code;
use lawful::react::Rules;
use lawful::syntax::{Diagnostic, File, Span};
use lawful_store::{Json, Store};
use serde::Serialize;

use super::{ask, stored};
use crate::failure::Failure;

#[derive(Serialize)]
struct Packed<'b> {
    files: BTreeMap<&'b str, &'b str>,
}

/// A book in the form that the store keeps.
pub(crate) fn pack(book: &Book) -> Result<Arc<lawful_store::Book>, Failure> {
    let text = |file| book.sources.file(file).map_or("", File::text);
    let files = book.documents.iter().map(|document| (&*document.path, text(document.file)));
    let text = stored::json(&Packed { files: files.collect() })?;
    Ok(Arc::new(lawful_store::Book { hash: book.fingerprint(), text }))
}

/// The rules of a book that the store keeps.
pub(crate) fn unpack(store: &dyn Store, hash: &str) -> Result<Rules, Failure> {
    let text = ask(store, |store| store.book(hash))?;
    let loaded = match &text {
        Some(text) => load(text)?.filter(|book| book.fingerprint() == hash),
        None => None,
    };
    let Some(book) = loaded else {
        let message = "the law of a turn is not what the file says it is";
        let problem = Diagnostic::new(&code::SESSION_FILE, Span::NONE, message);
        return Err(Failure::of(problem.help("restore the file from a copy")));
    };
    // What is wrong with a rule was reported when the turn was taken.
    Ok(Rules::decode(&book).0)
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
