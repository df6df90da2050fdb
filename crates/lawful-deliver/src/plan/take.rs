//! Removing what was written.

use super::Op;
use super::draft::{Draft, Edited, Open, Turn};
use super::give::{bad_settings, unpaired};
use crate::finding::Finding;
use crate::harness::{Harness, Syntax};
use crate::keys::Earlier;
use crate::ledger::{Entry, Installed, Mode};
use crate::named_by::named_by;
use crate::separators::Separators;
use crate::target::Target;
use crate::text::{mark, with_plain_lines};
use crate::unledgered_blocks::UnledgeredBlock;
use crate::unledgered_files::UnledgeredFile;
use crate::{block, code, keys, owned};

impl Draft<'_> {
    /// Removes what a harness has of this lawbook and no longer should have.
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

    /// Removes everything that a harness has, of one lawbook or of all.
    pub(super) fn take_all(&mut self, harness: &str, book: Option<&str>) {
        for entry in self.held_by(harness, book) {
            self.take(harness, &entry);
        }
        let still: Vec<String> =
            self.held_by(harness, None).into_iter().map(|entry| entry.book).collect();
        let is_asked = |known: &Installed| {
            known.harness == harness && book.is_none_or(|book| book == known.book)
        };
        self.ledger.installed.retain(|known| !is_asked(known) || still.contains(&known.book));
        for known in self.ledger.installed.iter_mut().filter(|known| is_asked(known)) {
            known.partial = true;
        }
    }

    fn held_by(&self, harness: &str, book: Option<&str>) -> Vec<Entry> {
        let held = self.ledger.files.iter().filter(|entry| {
            let of_book = book.is_none_or(|book| book == entry.book);
            of_book && entry.harnesses.iter().any(|known| known == harness)
        });
        held.cloned().collect()
    }

    /// Removes one thing, unless another harness still reads it.
    fn take(&mut self, harness: &str, entry: &Entry) {
        // An earlier removal may have changed its entry.
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
                // Restore the replaced file, whoever removed ours.
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
            Mode::Block(separators) => self.take_block(&turn, open, &file, entry, separators),
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
            Some(found) if is_its(&found.id) && found.is_whole && entry.is_recorded() => {
                self.forget(entry);
                match before {
                    Some(before) => {
                        self.write(Op::ReplaceOwned, turn, open, Some(before.to_owned()));
                    }
                    None => {
                        self.write(Op::Delete, turn, open, None);
                        self.take_settings_naming(entry);
                    }
                }
            }
            Some(found) if is_its(&found.id) => {
                let edit = entry.is_recorded().then(|| Edited::of_file(&entry.text, mark(file).1));
                self.conflict_of_edit(turn, left(turn.path), edit);
            }
            // Someone put their own file in its place.
            Some(_) | None => {
                self.forget(entry);
                self.skip(turn);
            }
        }
    }

    fn take_block(
        &mut self,
        turn: &Turn<'_>,
        open: Open,
        file: &str,
        entry: &Entry,
        separators: &Separators,
    ) {
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
            Some(found) if !found.is_whole() || !entry.is_recorded() => {
                let edit = entry.is_recorded().then(|| {
                    let whole = block::replace(file, &found, &found.id, &entry.text);
                    Edited::of_file(&whole, file)
                });
                self.conflict_of_edit(turn, left(turn.path), edit);
            }
            Some(found) => {
                let after = block::remove(file, &found, separators);
                let is_gone = after.is_empty() && entry.created;
                self.forget(entry);
                if !separators.ended {
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

    /// Passes on that the text before a removed block had no line end, to the next block.
    fn pass_on(&mut self, path: &str, file: &str) {
        let found = block::blocks(file).unwrap_or_default();
        for entry in self.ledger.files.iter_mut().filter(|entry| entry.path == path) {
            let block = found.iter().find(|block| block.id == entry.book);
            if let (Mode::Block(separators), Some(block)) = (&mut entry.mode, block) {
                separators.ended =
                    separators.ended && block::is_after_a_line(file, block, separators);
            }
        }
    }

    fn take_key(&mut self, turn: &Turn<'_>, open: Open, file: &str, entry: &Entry) {
        let Mode::Key { key, earlier, separators } = &entry.mode else { return };
        let syntax = Syntax::of(&entry.path);
        let earlier = match earlier {
            Some(raw) => Earlier::Value(raw),
            None => Earlier::Nothing(separators),
        };
        let back = keys::get(syntax, file, key).and_then(|held| {
            let text = held.and_then(|held| held.text).map(|text| with_plain_lines(&text));
            let is_ours = text.as_deref() == Some(&*with_plain_lines(&entry.text));
            is_ours.then(|| keys::put_back(syntax, file, key, earlier)).transpose()
        });
        match back {
            Ok(Some(after)) => {
                self.forget(entry);
                if entry.created && keys::is_bare(syntax, &after) {
                    self.write(Op::Delete, turn, open, None);
                } else {
                    self.write(Op::SetKey, turn, open, Some(after));
                }
            }
            // Someone has changed the value since, so it stays.
            Ok(None) => {
                self.forget(entry);
                self.skip(turn);
            }
            Err(error) => self.conflict(turn, bad_settings(turn.path, &error)),
        }
    }

    /// Removes the settings that name a file of Lawful that was removed, and are in no ledger.
    fn take_settings_naming(&mut self, entry: &Entry) {
        for named in named_by(self.scope, self.places, &entry.path, &entry.role) {
            let kept = self.snapshot.kept(&named.at.path).unwrap_or(&named.at.path);
            let shown = self.places.shown(self.scope, kept);
            let (syntax, key) = (named.switch.syntax, named.switch.key);
            if self.ledger.find(&entry.book, &shown, Some(key)).is_some() {
                continue;
            }
            let Ok(open) = self.open(&named.at.path, &shown) else { continue };
            let Some(file) = &open.text else { continue };
            let value = keys::get(syntax, file, key).ok().flatten().and_then(|held| held.text);
            if !value.is_some_and(|value| named.is_named(self.places, &entry.role, &value)) {
                continue;
            }
            let separators = keys::around(syntax, file, key);
            let turn = Turn { harness: named.harness.id, path: &shown, role: &entry.role };
            match keys::put_back(syntax, file, key, Earlier::Nothing(&separators)) {
                Ok(after) if keys::is_bare(syntax, &after) => {
                    self.write(Op::Delete, &turn, open, None);
                }
                Ok(after) => self.write(Op::SetKey, &turn, open, Some(after)),
                Err(error) => self.conflict(&turn, bad_settings(&shown, &error)),
            }
        }
    }

    /// Reports settings that may have a prompt of a lawbook that is not here.
    pub(super) fn leave_unproven(&mut self, harnesses: &[&'static Harness]) {
        for row in self.ledger.unproven.clone() {
            if !harnesses.iter().any(|harness| harness.id == row.harness) {
                continue;
            }
            let role = row.role.as_deref().unwrap_or_default();
            let turn = Turn { harness: &row.harness, path: &row.path, role };
            let message = "this setting may be a prompt of a lawbook that is not here, so it stays";
            let help = "pass the lawbook with `--book`, or remove the setting by hand";
            self.conflict(&turn, Finding::new(&code::NOT_OURS, Some(&row.path), message, help));
        }
    }

    /// Removes a block that is not in the ledger.
    pub(super) fn take_unledgered(&mut self, unledgered: &UnledgeredBlock) {
        let turn = Turn { harness: unledgered.harness.id, path: &unledgered.shown, role: "" };
        let open = match self.open(&unledgered.at.path, &unledgered.shown) {
            Ok(open) => open,
            Err(finding) => return self.conflict(&turn, finding),
        };
        // Another block of the file may already have been removed.
        let file = open.text.clone().unwrap_or_default();
        let found = block::blocks(&file).unwrap_or_default();
        let found = found.into_iter().find(|found| found.id == unledgered.block.id);
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

    /// Removes a file that is not in the ledger, and the settings that name it.
    pub(super) fn take_unledgered_file(&mut self, unledgered: &UnledgeredFile) {
        let UnledgeredFile { harness, entry, is_whole, .. } = unledgered;
        let turn = Turn { harness: harness.id, path: &entry.path, role: &entry.role };
        let at = self.places.kept(self.scope, &entry.path);
        match self.open(&at.path, &entry.path) {
            Err(finding) => self.conflict(&turn, finding),
            Ok(_) if !is_whole => self.conflict(&turn, left(turn.path)),
            Ok(open) => {
                self.write(Op::Delete, &turn, open, None);
                self.take_settings_naming(entry);
            }
        }
    }

    /// Drops an entry. Lawful can still remove a file that it created while it has other text
    /// there.
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

/// An edited text, which stays.
fn left(path: &str) -> Finding {
    let message = "the text that Lawful wrote here was edited, so it stays";
    let help =
        "remove it by hand, or overwrite it with `lawful install --overwrite` and uninstall again";
    Finding::new(&code::EDITED_BY_HAND, Some(path), message, help)
}
