//! What of ours is in a file, so that its lines can be followed back to the lawbook.

use std::path::Path;

use crate::disk::Disk;
use crate::ledger::{Desk, Entry, Ledger, Mode};
use crate::place::Places;
use crate::{block, owned};

/// A text that was installed in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstalledText {
    /// The id of the book that it is from.
    pub book: String,
    /// The folder of the book, as the ledger keeps it.
    pub source: String,
    /// The role whose prompt it is.
    pub role: String,
    /// The line of the file that it starts on, from 1.
    pub first_line: usize,
    /// The text as it is in the file now.
    pub text: String,
}

/// The whole file, and what of ours is in it; `None` if the ledger knows nothing of it.
pub fn installed_texts(
    disk: &impl Disk,
    desk: &Desk,
    places: &Places,
    ledger: &Ledger,
    path: &Path,
) -> Option<(String, Vec<InstalledText>)> {
    let real = disk.resolve(path).ok()?;
    let is_there = |entry: &&Entry| {
        let at = places.kept(desk.scope, &entry.path);
        disk.resolve(&at.path).is_ok_and(|other| other == real)
    };
    let entries: Vec<&Entry> = ledger.files.iter().filter(is_there).collect();
    if entries.is_empty() {
        return None;
    }
    let file = String::from_utf8(disk.read(&real).ok()??).ok()?;
    let texts = entries.into_iter().filter_map(|entry| {
        let (first_line, text) = found(&file, entry)?;
        let of_book = ledger.installed.iter().find(|known| known.book == entry.book)?;
        Some(InstalledText {
            book: entry.book.clone(),
            source: of_book.source.clone(),
            role: entry.role.clone(),
            first_line,
            text,
        })
    });
    let texts = texts.collect();
    Some((file, texts))
}

fn found(file: &str, entry: &Entry) -> Option<(usize, String)> {
    match &entry.mode {
        Mode::Owned { .. } => {
            let found = owned::parse(file)?;
            Some((found.first_line, found.text))
        }
        Mode::Block(_) => {
            let blocks = block::blocks(file).ok()?;
            let found = blocks.into_iter().find(|block| block.id == entry.book)?;
            Some((found.first_line, found.text))
        }
        // A value that is written as it is has lines of its own.
        Mode::Key { .. } => {
            let at = file.find(&entry.text)?;
            let lines = file.get(..at)?.matches('\n').count();
            Some((lines + 1, entry.text.clone()))
        }
    }
}
