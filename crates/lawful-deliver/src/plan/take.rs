//! Taking back what was written.

use super::Op;
use super::draft::{Draft, Open, Turn};
use super::give::{bad_settings, unpaired};
use crate::finding::Finding;
use crate::glue::Glue;
use crate::harness::Syntax;
use crate::keys::{Earlier, json};
use crate::ledger::{Entry, Mode};
use crate::stray::Stray;
use crate::target::Target;
use crate::text::with_plain_lines;
use crate::{block, code, keys, owned};

impl Draft<'_> {
    /// Takes back what a harness was given of this book and is given no more.
    pub(super) fn take_unwanted(&mut self, harness: &str, wanted: &[Target]) {
        let is_wanted = |entry: &Entry| {
            wanted.iter().any(|target| {
                let same = entry.is_about(self.book, &target.shown, target.key());
                same && target.harness.id == harness
            })
        };
        let held = self.held_by(harness, Some(self.book));
        let old: Vec<Entry> = held.into_iter().filter(|entry| !is_wanted(entry)).collect();
        for entry in old {
            self.take(harness, &entry);
        }
    }

    /// Takes back everything that a harness was given, of one book or of all.
    pub(super) fn take_all(&mut self, harness: &str, book: Option<&str>) {
        for entry in self.held_by(harness, book) {
            self.take(harness, &entry);
        }
        let still: Vec<String> =
            self.held_by(harness, None).into_iter().map(|entry| entry.book).collect();
        self.ledger.installed.retain(|known| {
            let asked = known.harness == harness && book.is_none_or(|book| book == known.book);
            !asked || still.contains(&known.book)
        });
    }

    fn held_by(&self, harness: &str, book: Option<&str>) -> Vec<Entry> {
        let held = self.ledger.files.iter().filter(|entry| {
            let of_book = book.is_none_or(|book| book == entry.book);
            of_book && entry.harnesses.iter().any(|known| known == harness)
        });
        held.cloned().collect()
    }

    /// Takes one thing back, unless somebody else still reads it.
    fn take(&mut self, harness: &str, entry: &Entry) {
        // What was taken before this may have made it the heir of a file.
        let entry = self.ledger.find(&entry.book, &entry.path, entry.mode.key()).cloned();
        let Some(entry) = &entry else { return };
        let turn = Turn { harness, path: &entry.path, role: &entry.role };
        if entry.harnesses.len() > 1 {
            let place = entry.mode.key();
            let known =
                self.ledger.files.iter_mut().find(|e| e.is_about(&entry.book, &entry.path, place));
            if let Some(known) = known {
                known.harnesses.retain(|known| known != harness);
            }
            return self.skip(&turn);
        }
        let at = self.places.kept(self.scope, &entry.path);
        let open = match self.open(&at.path, &entry.path) {
            Ok(open) => open,
            Err(finding) => return self.conflict(&turn, finding),
        };
        let Some(file) = open.text.clone() else {
            self.forget(entry);
            return match &entry.mode {
                // What it took the place of comes back, whoever removed it.
                Mode::Owned { before: Some(before) } => {
                    self.write(Op::Create, &turn, open, Some(before.clone()));
                }
                Mode::Owned { before: None } | Mode::Block(_) | Mode::Key { .. } => {
                    self.skip(&turn);
                }
            };
        };
        match &entry.mode {
            Mode::Owned { before } => self.take_file(&turn, open, &file, entry, before.as_deref()),
            Mode::Block(glue) => self.take_block(&turn, open, &file, entry, glue),
            Mode::Key { .. } => self.take_key(&turn, open, &file, entry),
        }
    }

    fn take_file(
        &mut self,
        turn: &Turn<'_>,
        open: Open,
        file: &str,
        entry: &Entry,
        before: Option<&str>,
    ) {
        let is_its = |id: &str| id == entry.book || (self.is_mine(id) && self.is_mine(&entry.book));
        match owned::parse(file) {
            Some(found) if is_its(&found.id) && found.is_whole => {
                self.forget(entry);
                match before {
                    Some(before) => {
                        self.write(Op::ReplaceOwned, turn, open, Some(before.to_owned()));
                    }
                    None => self.write(Op::Delete, turn, open, None),
                }
            }
            Some(found) if is_its(&found.id) => self.conflict(turn, left(turn.path)),
            // Somebody put a file of their own in its place.
            Some(_) | None => {
                self.forget(entry);
                self.skip(turn);
            }
        }
    }

    fn take_block(&mut self, turn: &Turn<'_>, open: Open, file: &str, entry: &Entry, glue: &Glue) {
        let found = match block::blocks(file) {
            Ok(found) if entry.book == self.book => self.my_block(found),
            Ok(found) => found.into_iter().find(|found| found.id == entry.book),
            Err(broken) => return self.conflict(turn, unpaired(turn.path, &broken)),
        };
        match found {
            None => {
                self.forget(entry);
                self.skip(turn);
            }
            Some(found) if !found.is_whole() => self.conflict(turn, left(turn.path)),
            Some(found) => {
                let after = block::remove(file, &found, glue);
                let is_gone = after.is_empty() && entry.created;
                self.forget(entry);
                if !glue.ended {
                    self.pass_on(&entry.path, &after);
                }
                if is_gone {
                    self.write(Op::Delete, turn, open, None);
                } else {
                    self.write(Op::UpdateBlock, turn, open, Some(after));
                }
            }
        }
    }

    /// A line without an end, which the block that is gone had ended, is now before the next one.
    fn pass_on(&mut self, path: &str, file: &str) {
        let found = block::blocks(file).unwrap_or_default();
        for entry in self.ledger.files.iter_mut().filter(|entry| entry.path == path) {
            let block = found.iter().find(|block| block.id == entry.book);
            if let (Mode::Block(glue), Some(block)) = (&mut entry.mode, block) {
                glue.ended = glue.ended && block::is_after_a_line(file, block, glue);
            }
        }
    }

    fn take_key(&mut self, turn: &Turn<'_>, open: Open, file: &str, entry: &Entry) {
        let Mode::Key { key, earlier, glue } = &entry.mode else { return };
        let syntax = Syntax::of(&entry.path);
        let earlier = match earlier {
            Some(raw) => Earlier::Value(raw),
            None => Earlier::Nothing(glue),
        };
        let back = keys::get(syntax, file, key).and_then(|held| {
            let text = held.and_then(|held| held.text).map(|text| with_plain_lines(&text));
            let is_ours = text.as_deref() == Some(&*with_plain_lines(&entry.text));
            is_ours.then(|| keys::put_back(syntax, file, key, earlier)).transpose()
        });
        match back {
            Ok(Some(after)) => {
                self.forget(entry);
                let is_empty = match syntax {
                    Syntax::Json => json::is_bare(&after),
                    Syntax::Toml | Syntax::Env => after.trim().is_empty(),
                };
                if entry.created && is_empty {
                    self.write(Op::Delete, turn, open, None);
                } else {
                    self.write(Op::SetKey, turn, open, Some(after));
                }
            }
            // Somebody chose something else since, and that stays.
            Ok(None) => {
                self.forget(entry);
                self.skip(turn);
            }
            Err(error) => self.conflict(turn, bad_settings(turn.path, &error)),
        }
    }

    /// Takes out a block that no ledger knows of.
    pub(super) fn take_stray(&mut self, stray: &Stray) {
        let turn = Turn { harness: stray.harness.id, path: &stray.shown, role: "" };
        let open = match self.open(&stray.at.path, &stray.shown) {
            Ok(open) => open,
            Err(finding) => return self.conflict(&turn, finding),
        };
        // Another one may have been taken out before it.
        let file = open.text.clone().unwrap_or_default();
        let found = block::blocks(&file).unwrap_or_default();
        let found = found.into_iter().find(|found| found.id == stray.block.id);
        match found {
            None => self.skip(&turn),
            Some(found) if !found.is_whole() => self.conflict(&turn, left(turn.path)),
            Some(found) => {
                let after = block::remove(&file, &found, &block::around(&file, &found));
                if after.is_empty() {
                    self.write(Op::Delete, &turn, open, None);
                } else {
                    self.write(Op::UpdateBlock, &turn, open, Some(after));
                }
            }
        }
    }

    /// Drops an entry. A file that we made stays ours to remove as long as it has anything of ours.
    fn forget(&mut self, entry: &Entry) {
        let key = entry.mode.key();
        self.ledger.files.retain(|known| !known.is_about(&entry.book, &entry.path, key));
        if entry.created
            && let Some(heir) = self.ledger.files.iter_mut().find(|known| known.path == entry.path)
        {
            heir.created = true;
        }
    }
}

/// What stays because somebody edited it.
fn left(path: &str) -> Finding {
    let message = "what Lawful wrote here was edited since, and stays";
    let help =
        "take it out by hand, or write over it with `lawful install --adopt` and uninstall then";
    Finding::new(&code::EDITED_BY_HAND, Some(path), message, help)
}
