//! Writing one target.

use super::draft::{Draft, Edited, Open, Turn};
use super::{Op, Request};
use crate::finding::Finding;
use crate::harness::Syntax;
use crate::kept::Part;
use crate::ledger::{Entry, Mode};
use crate::separators::Separators;
use crate::target::{KeyUse, Target, What};
use crate::text::{mark, with_plain_lines};
use crate::{block, code, keys, owned};

impl Draft<'_> {
    /// Writes every target, or reports why not.
    pub(super) fn give_all(&mut self, wanted: &[Target], request: &Request) {
        for (at, target) in wanted.iter().enumerate() {
            match wanted.iter().take(at).find(|other| clash(target, other)) {
                None => self.give(target, request),
                Some(other) => {
                    let path = &target.shown;
                    let turn = Turn { harness: target.harness.id, path, role: &target.role };
                    self.conflict(&turn, one_file(path, other));
                }
            }
        }
    }

    fn give(&mut self, target: &Target, request: &Request) {
        self.ledger.wake(self.book, &target.shown, target.key());
        let turn = Turn { harness: target.harness.id, path: &target.shown, role: &target.role };
        let open = match self.open(&target.at.path, &target.shown) {
            Ok(open) => open,
            Err(finding) => return self.conflict(&turn, finding),
        };
        self.share(&open, &request.made);
        match &target.what {
            What::Owned { file } => self.give_file(&turn, open, file, request),
            What::Block { text } => self.give_block(&turn, open, text, request),
            What::Key { syntax, key, value, use_of } => {
                let wish = Wish { syntax: *syntax, key, value, use_of: *use_of };
                self.give_key(&turn, open, &wish, request);
            }
        }
    }

    fn give_file(&mut self, turn: &Turn<'_>, open: Open, file: &str, request: &Request) {
        let known = self.ledger.find(self.book, turn.path, None).cloned();
        if let Some(other) = known.as_ref().filter(|known| self.is_kept_from_us(known, request)) {
            return self.conflict(turn, of_another_book(turn.path, &other.book));
        }
        let mut latest = None;
        let op = match &open.text {
            None => Op::Create,
            Some(text) => match owned::parse(text) {
                Some(found) if self.is_mine(&found.id) => {
                    if with_plain_lines(mark(text).1) == file {
                        Op::Skip
                    } else if found.is_whole {
                        Op::ReplaceOwned
                    } else if request.overwrite {
                        self.overwrite(&open, Part::File { text: text.clone() });
                        Op::ReplaceOwned
                    } else {
                        let recorded = known.as_ref().filter(|known| known.is_recorded());
                        let written = recorded.map_or(file, |known| &known.text);
                        let edit = Edited::of_file(written, mark(text).1);
                        return self.conflict_of_edit(turn, edited(turn.path), Some(edit));
                    }
                }
                found if request.overwrite => {
                    // Text of another lawbook is output; anything else is kept.
                    latest = found.is_none().then(|| text.clone());
                    if !found.is_some_and(|found| found.is_whole) {
                        self.overwrite(&open, Part::File { text: text.clone() });
                    }
                    Op::ReplaceOwned
                }
                Some(found) => return self.conflict(turn, of_another_book(turn.path, &found.id)),
                None => return self.conflict(turn, not_ours(turn.path)),
            },
        };
        // Whoever takes a file over inherits its earlier content.
        let before = match known.map(|known| known.mode) {
            Some(Mode::Owned { before }) => latest.or(before),
            Some(Mode::Block(_) | Mode::Key { .. }) | None => latest,
        };
        let created = before.is_none();
        let mode = Mode::Owned { before };
        let entry = Entry::new(turn.path, turn.harness, self.book, turn.role, file, mode);
        self.ledger.put(Entry { created, ..entry });
        if op == Op::Skip {
            self.skip(turn);
        } else {
            self.write(op, turn, open, Some(file.to_owned()));
        }
    }

    fn give_block(&mut self, turn: &Turn<'_>, open: Open, text: &str, request: &Request) {
        let known = self.ledger.find(self.book, turn.path, None).cloned();
        let recorded = known.as_ref().filter(|known| known.is_recorded());
        let written = recorded.map(|known| known.text.clone());
        let known = known.and_then(|known| match known.mode {
            Mode::Block(separators) => Some((known.created, separators)),
            Mode::Owned { .. } | Mode::Key { .. } => None,
        });
        let mut op = Op::UpdateBlock;
        let (after, created, separators) = match &open.text {
            None => {
                op = Op::Create;
                let (after, separators) = block::append("", self.book, text);
                (Some(after), true, separators)
            }
            Some(file) => {
                let found = match block::blocks(file) {
                    Ok(found) => self.my_block(found),
                    Err(broken) => return self.conflict(turn, unpaired(turn.path, &broken)),
                };
                let Some(found) = found else {
                    let (after, separators) = block::append(file, self.book, text);
                    let created = known.is_some_and(|(created, _)| created);
                    return self.put_block(
                        turn,
                        open,
                        text,
                        (op, Some(after), created, separators),
                    );
                };
                let (created, separators) = known.unwrap_or_else(|| {
                    // Without a ledger entry, a file with only a block of Lawful counts as created
                    // by Lawful.
                    let separators = block::around(file, &found);
                    (block::remove(file, &found, &separators).is_empty(), separators)
                });
                let is_so = found.id == self.book && found.is_whole() && found.text == text;
                if !is_so && !found.is_whole() && !request.overwrite {
                    let written = written.as_deref().unwrap_or(text);
                    let whole = block::replace(file, &found, &found.id, written);
                    let edit = Edited::of_file(&whole, file);
                    return self.conflict_of_edit(turn, edited(turn.path), Some(edit));
                }
                if !found.is_whole() {
                    self.overwrite(&open, Part::File { text: file.clone() });
                }
                let after = (!is_so).then(|| block::replace(file, &found, self.book, text));
                (after, created, separators)
            }
        };
        self.put_block(turn, open, text, (op, after, created, separators));
    }

    fn put_block(
        &mut self,
        turn: &Turn<'_>,
        open: Open,
        text: &str,
        (op, after, created, separators): (Op, Option<String>, bool, Separators),
    ) {
        let mode = Mode::Block(separators);
        let entry = Entry::new(turn.path, turn.harness, self.book, turn.role, text, mode);
        self.ledger.put(Entry { created, ..entry });
        match after {
            None => self.skip(turn),
            Some(after) => self.write(op, turn, open, Some(after)),
        }
    }

    fn give_key(&mut self, turn: &Turn<'_>, open: Open, wish: &Wish<'_>, request: &Request) {
        let known = self.ledger.find(self.book, turn.path, Some(wish.key)).cloned();
        let file = open.text.clone().unwrap_or_default();
        let held = match keys::get(wish.syntax, &file, wish.key) {
            Ok(held) => held,
            Err(error) => return self.conflict(turn, bad_settings(turn.path, &error)),
        };
        if let Some(other) = known.as_ref().filter(|known| self.is_kept_from_us(known, request)) {
            return self.conflict(turn, of_another_book(turn.path, &other.book));
        }
        let now = held.as_ref().and_then(|held| held.text.as_deref()).map(with_plain_lines);
        let is = |text: &str| now.as_deref() == Some(&*with_plain_lines(text));
        let is_ours = known.as_ref().is_some_and(|known| is(&known.text));
        let book = self.book;
        let entry = |mode: Mode, created: bool| {
            let entry = Entry::new(turn.path, turn.harness, book, turn.role, wish.value, mode);
            Entry { created, ..entry }
        };
        if is(wish.value) {
            if let Some(known) = known {
                let entry = entry(known.mode, known.created);
                self.ledger.put(entry);
            }
            return self.skip(turn);
        }
        match (wish.use_of, held.is_some() && !is_ours) {
            (KeyUse::Prompt, true) if !request.overwrite => {
                let Some(known) = known else {
                    return self.conflict(turn, taken(turn.path, wish.key));
                };
                let restored = keys::set(wish.syntax, &file, wish.key, &known.text).ok();
                let edit = restored.map(|(restored, _)| {
                    let now = now.as_deref().unwrap_or_default();
                    Edited::of_value((&restored, &file), (&known.text, now))
                });
                return self.conflict_of_edit(turn, edited(turn.path), edit);
            }
            // Someone has changed the value since; only an explicit request overwrites it.
            (KeyUse::Switch, _) if known.is_some() && !is_ours && !request.activate => {
                return self.skip(turn);
            }
            (KeyUse::Prompt | KeyUse::Switch, _) => {}
        }
        let (after, separators) = match keys::set(wish.syntax, &file, wish.key, wish.value) {
            Ok(set) => set,
            Err(error) => return self.conflict(turn, bad_settings(turn.path, &error)),
        };
        if let Some(held) = held.as_ref().filter(|_| !is_ours) {
            let (key, value) = (wish.key.to_owned(), Some(held.raw.clone()));
            self.overwrite(&open, Part::Key { key, value });
        }
        let created = match &known {
            Some(known) => known.created,
            None => open.text.is_none() || request.made.contains(&open.real),
        };
        let mode = match known.filter(|_| is_ours).map(|known| known.mode) {
            // Whoever takes a key over inherits its earlier value.
            Some(mode @ Mode::Key { .. }) => mode,
            Some(Mode::Owned { .. } | Mode::Block(_)) | None => Mode::Key {
                key: wish.key.to_owned(),
                earlier: held.map(|held| held.raw),
                separators: separators.unwrap_or_default(),
            },
        };
        let entry = entry(mode, created);
        self.ledger.put(entry);
        self.write(Op::SetKey, turn, open, Some(after));
    }

    /// Whether something belongs to another lawbook and must not be taken over.
    fn is_kept_from_us(&self, known: &Entry, request: &Request) -> bool {
        known.book != self.book && !request.overwrite
    }

    /// The block of this lawbook in a file, which may still have an earlier id.
    pub(super) fn my_block(&self, found: Vec<block::Found>) -> Option<block::Found> {
        let at = found.iter().position(|block| block.id == self.book);
        let at = at.or_else(|| found.iter().position(|block| self.former.contains(&block.id)));
        at.and_then(|at| found.into_iter().nth(at))
    }
}

/// Whether two targets are one file with two texts, because of a link.
fn clash(one: &Target, other: &Target) -> bool {
    match (&one.what, &other.what) {
        (What::Owned { file }, What::Owned { file: written }) => {
            one.shown == other.shown && file != written
        }
        _ => false,
    }
}

fn one_file(path: &str, other: &Target) -> Finding {
    let message = format!(
        "because of a link, this is also the file of {}, which needs another text",
        other.harness.name
    );
    let help = "replace the link with a folder, or install for only one of the two";
    Finding::new(&code::CANNOT_DELIVER, Some(path), message, help)
}

/// A key and its target value.
struct Wish<'w> {
    syntax: Syntax,
    key: &'static str,
    value: &'w str,
    use_of: KeyUse,
}

pub(super) fn edited(path: &str) -> Finding {
    let message = "the text that Lawful wrote here was edited";
    let help = "make the change in the lawbook; `lawful install --overwrite` overwrites the edit";
    Finding::new(&code::EDITED_BY_HAND, Some(path), message, help)
}

pub(super) fn unpaired(path: &str, broken: &block::Broken) -> Finding {
    let help = "fix the lines, or remove them";
    let found = Finding::new(&code::BROKEN_BLOCK, Some(path), broken.to_string(), help);
    Finding { line: broken.line(), ..found }
}

pub(super) fn bad_settings(path: &str, error: &crate::EditError) -> Finding {
    let message = format!("cannot edit these settings: {error}");
    Finding::new(&code::CANNOT_DELIVER, Some(path), message, "fix the file and try again")
}

fn not_ours(path: &str) -> Finding {
    let message = "Lawful did not write the file at this path";
    let help = "move it, or replace it with `--overwrite`; `lawful uninstall` restores it";
    Finding::new(&code::NOT_OURS, Some(path), message, help)
}

fn of_another_book(path: &str, book: &str) -> Finding {
    let message = format!("this belongs to the lawbook `{}`", lawful::syntax::escape::name(book));
    let help = "uninstall that one, rename the role, or replace it with `--overwrite`";
    Finding::new(&code::NOT_OURS, Some(path), message, help)
}

fn taken(path: &str, key: &str) -> Finding {
    let message = format!("`{key}` has another value here");
    let help = "replace it with `--overwrite`; `lawful uninstall` restores it";
    Finding::new(&code::NOT_OURS, Some(path), message, help)
}
