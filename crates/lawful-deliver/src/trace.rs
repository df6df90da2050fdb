//! What Lawful has in a file, to trace its lines to the lawbook.

use std::path::Path;

use crate::desk::Desk;
use crate::disk::Disk;
use crate::ledger::{Entry, Ledger, Mode};
use crate::place::Places;
use crate::text::with_plain_lines;
use crate::{Syntax, block, keys, owned};

/// A text that was installed in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstalledText {
    /// The id of its lawbook.
    pub book: String,
    /// The folder of the lawbook, as stored in the ledger.
    pub source: String,
    /// The role of the prompt.
    pub role: String,
    /// The line of the file on which it starts, from 1.
    pub first_line: usize,
    /// The current text.
    pub text: String,
}

/// The whole file, and what Lawful has in it; `None` if it is not in the ledger.
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
        Mode::Key { key, .. } => in_settings(file, Syntax::of(&entry.path), key),
    }
}

/// The value of a key, and the line on which it starts.
pub(crate) fn in_settings(file: &str, syntax: Syntax, key: &str) -> Option<(usize, String)> {
    let held = keys::get(syntax, file, key).ok()??;
    let text = with_plain_lines(&held.text?);
    let raw = with_plain_lines(&held.raw);
    let lines = |text: &str| text.matches('\n').count();
    let first = lines(with_plain_lines(file).split(&raw).next()?) + 1;
    // A line end after the quotes is not part of the text; others are lines of the file too.
    let is_long = ["\"\"\"\n", "'''\n"].iter().any(|start| raw.starts_with(start));
    let first = first + usize::from(is_long);
    if lines(&raw) == lines(&text) + usize::from(is_long) {
        return Some((first, text));
    }
    text.lines().next().map(|line| (first, line.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_a_value_are_lines_of_the_file() {
        let text = "# The law\n\nSay \"\"\" and ''' \\d.";
        let head = "a = 1\nb = 2\n";
        let (file, _) = keys::set(Syntax::Toml, head, "key", text).unwrap();
        assert!(!file.contains(text), "it is escaped");
        for file in [file.clone(), file.replace('\n', "\r\n")] {
            let (first, found) = in_settings(&file, Syntax::Toml, "key").unwrap();
            assert_eq!(found, text);
            assert_eq!(file.lines().nth(first - 1), Some("# The law"));
        }
        let found = in_settings("key = \"a\\nb\"\n", Syntax::Toml, "key");
        assert_eq!(found, Some((1, "a".to_owned())));
    }
}
