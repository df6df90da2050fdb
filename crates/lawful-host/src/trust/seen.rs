//! Whether a lawbook folder still has the content that was trusted, without reading it each time.
//!
//! A comparison notes the stamp of every file and folder that it read. While the stamps are the same,
//! so is the content. A note only saves work: losing or forging one changes no decision.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use lawful::book::{FolderSource, Item, Source, SourceError};
use lawful::syntax::Diagnostic;
use lawful_deliver::State;
use serde::{Deserialize, Serialize};

use crate::lawbook;

const KIND: &str = "law-seen";

/// Whether a folder has other content than that with a fingerprint.
pub(super) fn is_changed(folder: &Path, fingerprint: &str, state: Option<&State>) -> bool {
    let Ok(source) = FolderSource::open(folder) else { return true };
    let name = folder.display().to_string();
    let key = [fingerprint, &name];
    let note = state.and_then(|state| state.note(KIND, &key).ok().flatten());
    let note: Option<Note> = note.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    if note.is_some_and(|note| note.fingerprint == fingerprint && note.holds(&source)) {
        return false;
    }
    let watched = Watched { source, seen: Mutex::default() };
    let same = lawbook::open_from(&watched, folder).is_ok_and(|opened| {
        let is_read = |problem: &Diagnostic| {
            opened.book.documents.iter().any(|document| document.file == problem.span.file)
        };
        // A file that cannot be read has no text that could be compared.
        let unread = opened.problems.iter().any(|one| one.is_error() && !is_read(one));
        !unread && opened.book.fingerprint() == fingerprint
    });
    if let (true, Some(state), Some(paths)) = (same, state, watched.stamps())
        && let Ok(bytes) = serde_json::to_vec(&Note { fingerprint: fingerprint.to_owned(), paths })
    {
        // Without it, the files are read again.
        let _ = state.set_note(KIND, &key, &bytes);
    }
    !same
}

/// The stamp of every path that was read; `None` if nothing was there.
#[derive(Deserialize, Serialize)]
struct Note {
    fingerprint: String,
    paths: BTreeMap<String, Option<Vec<u8>>>,
}

impl Note {
    fn holds(&self, source: &FolderSource) -> bool {
        self.paths.iter().all(|(path, stamp)| match stamp {
            Some(stamp) => source.stamp(path).is_some_and(|now| now.as_bytes() == stamp),
            None => matches!(source.read(path, 0), Err(SourceError::Missing)),
        })
    }
}

/// What is known of a path.
enum Seen {
    Stamp(Vec<u8>),
    Missing,
    /// It changed too recently to have a stamp.
    Recent,
}

/// A folder that notes what is read from it.
struct Watched {
    source: FolderSource,
    seen: Mutex<BTreeMap<String, Seen>>,
}

impl Watched {
    /// Notes the stamp of a path. It is taken before the path is read.
    fn note(&self, path: &str) {
        let seen = match self.source.stamp(path) {
            Some(stamp) => Seen::Stamp(stamp.as_bytes().to_owned()),
            None => match self.source.read(path, 0) {
                Err(SourceError::Missing) => Seen::Missing,
                Ok(_) | Err(_) => Seen::Recent,
            },
        };
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), seen);
    }

    /// The stamps, if every path has one.
    fn stamps(self) -> Option<BTreeMap<String, Option<Vec<u8>>>> {
        let seen = self.seen.into_inner().unwrap_or_else(PoisonError::into_inner);
        let stamps = seen.into_iter().map(|(path, seen)| match seen {
            Seen::Stamp(stamp) => Some((path, Some(stamp))),
            Seen::Missing => Some((path, None)),
            Seen::Recent => None,
        });
        stamps.collect()
    }
}

impl Source for &Watched {
    fn list(&self, folder: &str) -> Result<Option<Vec<Item>>, SourceError> {
        // The items of the lawbook folder itself are not part of the book: the project is in it.
        if !folder.is_empty() {
            self.note(folder);
        }
        self.source.list(folder)
    }

    fn read(&self, path: &str, limit: usize) -> Result<Vec<u8>, SourceError> {
        self.note(path);
        self.source.read(path, limit)
    }

    fn shown(&self, path: &str) -> String {
        self.source.shown(path)
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
