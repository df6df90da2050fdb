//! Putting one thing where it should be.

use super::draft::{Draft, Open, Turn};
use super::{Op, Request};
use crate::finding::Finding;
use crate::harness::Syntax;
use crate::ledger::{Entry, Mode};
use crate::splice::Splice;
use crate::target::{KeyUse, Target, What};
use crate::text::with_plain_lines;
use crate::{block, code, keys, owned};

impl Draft<'_> {
    /// Puts one thing where it should be, or says why not.
    pub(super) fn give(&mut self, target: &Target, request: &Request) {
        let turn = Turn { harness: target.harness.id, path: &target.shown, role: &target.role };
        let open = match self.open(&target.at.path, &target.shown) {
            Ok(open) => open,
            Err(finding) => return self.conflict(&turn, finding),
        };
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
        let mut before = None;
        let op = match &open.text {
            None => Op::Create,
            Some(text) => match owned::parse(text) {
                Some(found) if found.id == self.book => {
                    if with_plain_lines(text) == file {
                        Op::Skip
                    } else if found.is_whole || request.adopt {
                        Op::ReplaceOwned
                    } else {
                        return self.conflict(turn, edited(turn.path));
                    }
                }
                found if request.adopt => {
                    // What another book wrote is output; what anybody else wrote is kept.
                    before = found.is_none().then(|| text.clone());
                    Op::ReplaceOwned
                }
                Some(found) => return self.conflict(turn, of_another_book(turn.path, &found.id)),
                None => return self.conflict(turn, not_ours(turn.path)),
            },
        };
        // What was there before the first of several installations counts.
        let (created, before) = match known {
            Some(Entry { created, mode: Mode::Owned { before: first }, .. }) => {
                (created || op == Op::Create, first.or(before))
            }
            Some(_) | None => (before.is_none(), before),
        };
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
        let (mut created, mut glue) = match (known, &open.text) {
            (Some(Entry { created, mode: Mode::Block(glue), .. }), _) => (created, glue),
            // Where the ledger is lost, a file with nothing but a block of ours is one we made.
            (Some(_) | None, Some(file)) => block::alone(file, self.book),
            (Some(_) | None, None) => (false, block::Glue::default()),
        };
        let mut op = Op::UpdateBlock;
        let after = match &open.text {
            None => {
                created = true;
                op = Op::Create;
                let (after, around) = block::append("", self.book, text);
                glue = around;
                Some(after)
            }
            Some(file) => {
                let found = match block::blocks(file) {
                    Ok(found) => found.into_iter().find(|found| found.id == self.book),
                    Err(broken) => return self.conflict(turn, unpaired(turn.path, &broken)),
                };
                match found {
                    None => {
                        let (after, around) = block::append(file, self.book, text);
                        glue = around;
                        Some(after)
                    }
                    Some(found) if found.is_whole() && found.text == text => None,
                    Some(found) if found.is_whole() || request.adopt => {
                        Some(block::replace(file, &found, text))
                    }
                    Some(_) => return self.conflict(turn, edited(turn.path)),
                }
            }
        };
        let entry =
            Entry::new(turn.path, turn.harness, self.book, turn.role, text, Mode::Block(glue));
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
        let now = held.as_ref().and_then(|held| held.text.as_deref());
        let is_ours = known.as_ref().is_some_and(|known| now == Some(&known.text));
        if now == Some(wish.value) {
            if let Some(known) = known {
                self.ledger.put(Entry { harnesses: vec![turn.harness.to_owned()], ..known });
            }
            return self.skip(turn);
        }
        match (wish.use_of, held.is_some() && !is_ours) {
            (KeyUse::Prompt, true) if !request.adopt => {
                let finding =
                    if known.is_some() { edited(turn.path) } else { taken(turn.path, wish.key) };
                return self.conflict(turn, finding);
            }
            // Somebody chose something else since; only who asks for it again gets it.
            (KeyUse::Switch, _) if known.is_some() && !is_ours && !request.activate => {
                return self.skip(turn);
            }
            (KeyUse::Prompt | KeyUse::Switch, _) => {}
        }
        let after = match keys::set(wish.syntax, &file, wish.key, wish.value) {
            Ok(after) => after,
            Err(error) => return self.conflict(turn, bad_settings(turn.path, &error)),
        };
        let created = match &known {
            Some(known) => known.created,
            None => open.text.is_none(),
        };
        // Of a value of ours that changes, what was there before the first one counts.
        let (earlier, change) = match known.filter(|_| is_ours).map(|known| known.mode) {
            Some(Mode::Key { earlier, change, .. }) => {
                let first = change.and_then(|change| change.undo(&file));
                (earlier, first.map(|first| Splice::between(&first, &after)))
            }
            Some(_) | None => (held.map(|held| held.raw), Some(Splice::between(&file, &after))),
        };
        let mode = Mode::Key { key: wish.key.to_owned(), earlier, change };
        let entry = Entry::new(turn.path, turn.harness, self.book, turn.role, wish.value, mode);
        self.ledger.put(Entry { created, ..entry });
        self.write(Op::SetKey, turn, open, Some(after));
    }
}

/// A key and what it should be.
struct Wish<'w> {
    syntax: Syntax,
    key: &'static str,
    value: &'w str,
    use_of: KeyUse,
}

pub(super) fn edited(path: &str) -> Finding {
    let message = "what Lawful wrote here was edited since";
    let help = "make the change in the lawbook; `lawful install --adopt` writes over the edit";
    Finding::new(&code::EDITED_BY_HAND, Some(path), message, help)
}

pub(super) fn unpaired(path: &str, broken: &block::Broken) -> Finding {
    let help = "mend the lines, or take them out";
    Finding::new(&code::BROKEN_BLOCK, Some(path), broken.to_string(), help)
}

pub(super) fn bad_settings(path: &str, error: &crate::EditError) -> Finding {
    let message = format!("these settings cannot be edited: {error}");
    Finding::new(&code::CANNOT_DELIVER, Some(path), message, "mend the file and try again")
}

fn not_ours(path: &str) -> Finding {
    let message = "there is a file here that Lawful did not write";
    let help = "move it away, or take its place with `--adopt`; `lawful uninstall` puts it back";
    Finding::new(&code::NOT_OURS, Some(path), message, help)
}

fn of_another_book(path: &str, book: &str) -> Finding {
    let message =
        format!("this file belongs to the lawbook `{}`", lawful::syntax::escape::name(book));
    let help = "call the role something else, or take its place with `--adopt`";
    Finding::new(&code::NOT_OURS, Some(path), message, help)
}

fn taken(path: &str, key: &str) -> Finding {
    let message = format!("`{key}` is set here to something else");
    let help = "take its place with `--adopt`; `lawful uninstall` puts it back";
    Finding::new(&code::NOT_OURS, Some(path), message, help)
}
