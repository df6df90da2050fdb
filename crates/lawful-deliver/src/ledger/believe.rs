//! What the disk confirms of a lock.
//!
//! | row | confirmed by |
//! |---|---|
//! | a file of Lawful | its marker, and the hash of the whole file |
//! | a block | its first and last line, and the hash of its text |
//! | a key | the hash of its value, if it is a value that Lawful writes there, and the file that it names is Lawful's or missing |
//!
//! A file or block that has the lines of Lawful and another text was edited: it is known, and it
//! stays. A row about anything else is not used.
//!
//! **Invariant:** a row leads to no file that the table of harnesses does not name for its harness.

use std::collections::BTreeSet;

use super::{Entry, Installed, Ledger, Mode};
use crate::disk::Disk;
use crate::disk_snapshot::{DiskSnapshot, Look};
use crate::harness::{Audience, Form, Harness, Place, Surface, Syntax, Used};
use crate::lockfile::{LockFile, LockedFile, LockedKind};
use crate::named_by::is_named;
use crate::place::{Located, Places};
use crate::text::{hash, mark, with_plain_lines};
use crate::{Scope, block, find, holds_core, keys, owned};

/// A lawbook of the project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownBook {
    /// Its id.
    pub id: String,
    /// Its folder, as a ledger stores it.
    pub source: String,
    /// Its core; `None` if it cannot be composed.
    pub core: Option<String>,
}

/// What a lock says, as far as it is true.
pub(super) struct Believed {
    pub(super) ledger: Ledger,
    /// The rows that are not in the ledger.
    pub(super) unconfirmed: Vec<LockedFile>,
    /// Rows about settings with exactly the text of the row, which no lawbook here has written.
    pub(super) unproven: Vec<LockedFile>,
}

/// Compares a lock with the files of a project.
pub(super) fn believe(
    lock: &LockFile,
    books: &[KnownBook],
    places: &Places,
    disk: &impl Disk,
) -> Believed {
    let mut reader = Reader { books, places, disk, snapshot: DiskSnapshot::default() };
    let mut found: Vec<Claim> = Vec::new();
    let mut rest: Vec<&LockedFile> = lock.files.iter().collect();
    // A key belongs to the lawbook of the file that it enables, so it comes after the files. What
    // was edited comes last: a block of another lawbook is not an edit of this one.
    for pass in [Pass::Confirmed, Pass::Keys, Pass::Edited] {
        rest.retain(|row| match reader.claim(row, pass, &found) {
            None => true,
            Some(claim) => {
                found.push(claim);
                false
            }
        });
    }
    let (unproven, unconfirmed): (Vec<LockedFile>, Vec<LockedFile>) =
        rest.into_iter().cloned().partition(|row| reader.is_prompt(row));
    let mut ledger = Ledger { format: super::FORMAT, ..Ledger::default() };
    for row in installed(&found, books) {
        ledger.note(row);
    }
    for claim in found {
        ledger.put(claim.entry);
    }
    Believed { ledger, unconfirmed, unproven }
}

/// Whether the disk has what an entry is about, edited or not.
pub(super) fn is_there(entry: &Entry, places: &Places, disk: &impl Disk) -> bool {
    let mut snapshot = DiskSnapshot::default();
    let at = places.kept(Scope::Project, &entry.path);
    snapshot.add(disk, &at);
    let Some(Look::Text { text, .. }) = snapshot.get(&at.path) else { return false };
    match &entry.mode {
        Mode::Owned { .. } => owned::parse(text).is_some_and(|found| found.id == entry.book),
        // A file with broken lines is reported where it is used.
        Mode::Block(_) => block::blocks(text)
            .map_or(true, |found| found.iter().any(|block| block.id == entry.book)),
        Mode::Key { key, .. } => {
            let held = keys::get(Syntax::of(&entry.path), text, key).ok().flatten();
            let value = held.and_then(|held| held.text).map(|value| with_plain_lines(&value));
            value.as_deref() == Some(&*entry.text)
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    Confirmed,
    Keys,
    Edited,
}

/// A row that counts.
struct Claim {
    harness: &'static Harness,
    audience: Audience,
    entry: Entry,
}

struct Reader<'a, D> {
    books: &'a [KnownBook],
    places: &'a Places,
    disk: &'a D,
    snapshot: DiskSnapshot,
}

impl<D: Disk> Reader<'_, D> {
    fn claim(&mut self, row: &LockedFile, pass: Pass, found: &[Claim]) -> Option<Claim> {
        let harness = find(&row.harness)?;
        let is_used =
            |surface: &&Surface| surface.scope == Scope::Project && surface.used != Used::ByHand;
        harness.surfaces.iter().filter(is_used).find_map(|surface| {
            let entry = match (row.kind, pass) {
                (LockedKind::Owned, Pass::Confirmed | Pass::Edited) => {
                    self.owned(row, surface, pass)
                }
                (LockedKind::Block, Pass::Confirmed | Pass::Edited) => {
                    self.block(row, surface, pass, found)
                }
                (LockedKind::Key, Pass::Keys) => self.key(row, surface, found),
                (LockedKind::Key, Pass::Confirmed | Pass::Edited)
                | (LockedKind::Owned | LockedKind::Block, Pass::Keys) => None,
            }?;
            Some(Claim { harness, audience: surface.audience, entry })
        })
    }

    /// The text of a row, if the table names its file as this place.
    fn text(&mut self, row: &LockedFile, place: Place) -> Option<String> {
        let at = self.places.locate(place, row.role.as_deref().unwrap_or_default())?;
        self.text_at(row, &at)
    }

    fn text_at(&mut self, row: &LockedFile, at: &Located) -> Option<String> {
        self.snapshot.add(self.disk, at);
        match self.snapshot.get(&at.path) {
            Some(Look::Text { kept, text, .. })
                if self.places.shown(Scope::Project, kept) == row.path =>
            {
                Some(text.clone())
            }
            Some(Look::Text { .. } | Look::Missing { .. } | Look::Outside | Look::Unfit(_))
            | None => None,
        }
    }

    fn owned(&mut self, row: &LockedFile, surface: &Surface, pass: Pass) -> Option<Entry> {
        let (Form::Owned(_) | Form::OwnedToml(_)) = surface.form else { return None };
        let file = self.text(row, surface.place)?;
        let text = with_plain_lines(mark(&file).1);
        let found = owned::parse(&file)?;
        let is_confirmed = found.is_whole && hash(&text) == row.hash;
        let entry = entry(row, &found.id, Mode::Owned { before: None }, true);
        match (pass, is_confirmed) {
            (Pass::Confirmed, true) => Some(Entry { text, ..entry }),
            (Pass::Edited, false) => Some(entry),
            (Pass::Confirmed | Pass::Keys | Pass::Edited, _) => None,
        }
    }

    fn block(
        &mut self,
        row: &LockedFile,
        surface: &Surface,
        pass: Pass,
        found: &[Claim],
    ) -> Option<Entry> {
        if surface.form != Form::Block {
            return None;
        }
        let file = self.text(row, surface.place)?;
        let blocks = block::blocks(&file).ok()?;
        let is_free = |block: &&block::Found| {
            !found.iter().any(|claim| {
                claim.entry.is_about(&block.id, &row.path, None)
                    && (claim.harness.id == row.harness || claim.entry.hash != row.hash)
            })
        };
        let is_confirmed = |block: &block::Found| block.is_whole() && hash(&block.text) == row.hash;
        let block = blocks
            .iter()
            .filter(is_free)
            .find(|block| is_confirmed(block) == (pass == Pass::Confirmed))?;
        let separators = block::around(&file, block);
        let created = block::remove(&file, block, &separators).is_empty();
        let entry = entry(row, &block.id, Mode::Block(separators), created);
        Some(match pass {
            Pass::Confirmed => Entry { text: block.text.clone(), ..entry },
            Pass::Keys | Pass::Edited => entry,
        })
    }

    /// Whether a row is about a setting with a prompt, and has its hash.
    fn is_prompt(&mut self, row: &LockedFile) -> bool {
        let surfaces = find(&row.harness).map(|harness| harness.surfaces).unwrap_or_default();
        surfaces.iter().any(|surface| match surface.form {
            Form::Setting(syntax, key) if row.kind == LockedKind::Key => {
                let file = self.text(row, surface.place);
                file.is_some_and(|file| value(row, syntax, &file, key).is_some())
            }
            Form::Setting(..) | Form::Owned(_) | Form::OwnedToml(_) | Form::Block => false,
        })
    }

    /// Whether there is something at a place that Lawful did not write.
    fn is_of_other(&mut self, place: Place, role: &str) -> bool {
        let Some(at) = self.places.locate(place, role) else { return true };
        self.snapshot.add(self.disk, &at);
        match self.snapshot.get(&at.path) {
            Some(Look::Missing { .. }) => false,
            Some(Look::Text { text, .. }) => owned::parse(text).is_none(),
            Some(Look::Outside | Look::Unfit(_)) | None => true,
        }
    }

    fn key(&mut self, row: &LockedFile, surface: &Surface, found: &[Claim]) -> Option<Entry> {
        if let Form::Setting(syntax, key) = surface.form
            && let Some(file) = self.text(row, surface.place)
            && let Some(value) = value(row, syntax, &file, key)
        {
            // Any text can be there, so only the core of a lawbook tells whose it is.
            let holds = |book: &&KnownBook| {
                book.core.as_deref().is_some_and(|core| holds_core(&value, core))
            };
            let book = self.books.iter().find(holds)?.id.clone();
            return Some(key_entry(row, &book, syntax, &file, key, value));
        }
        let switch = surface.switch?;
        let role = row.role.as_deref()?;
        let at = self.places.locate(switch.place, role)?;
        let other = Located { path: at.path.with_extension("jsonc"), root: at.root.clone() };
        let file = match self.text_at(row, &at) {
            None if switch.or_jsonc => self.text_at(row, &other)?,
            text => text?,
        };
        let value = value(row, switch.syntax, &file, switch.key)?;
        let is_ours = is_named(surface, switch, self.places, role, &value)
            && !self.is_of_other(surface.place, role);
        let of_file = |claim: &&Claim| {
            claim.harness.id == row.harness
                && claim.entry.role == role
                && claim.audience == surface.audience
        };
        let book = match found.iter().find(of_file) {
            Some(claim) => claim.entry.book.clone(),
            None => self.books.first()?.id.clone(),
        };
        is_ours.then(|| key_entry(row, &book, switch.syntax, &file, switch.key, value))
    }
}

/// An entry of which only the hash is known.
fn entry(row: &LockedFile, book: &str, mode: Mode, created: bool) -> Entry {
    let role = row.role.as_deref().unwrap_or_default();
    let entry = Entry::new(&row.path, &row.harness, book, role, "", mode);
    Entry { hash: row.hash.clone(), created, ..entry }
}

/// The value of a key, if its hash is that of a row.
fn value(row: &LockedFile, syntax: Syntax, file: &str, key: &str) -> Option<String> {
    let value = with_plain_lines(&keys::get(syntax, file, key).ok()??.text?);
    (hash(&value) == row.hash).then_some(value)
}

fn key_entry(
    row: &LockedFile,
    book: &str,
    syntax: Syntax,
    file: &str,
    key: &str,
    value: String,
) -> Entry {
    let separators = keys::around(syntax, file, key);
    let earlier = keys::Earlier::Nothing(&separators);
    let left = keys::put_back(syntax, file, key, earlier);
    let created = left.is_ok_and(|left| keys::is_bare(syntax, &left));
    let mode = Mode::Key { key: key.to_owned(), earlier: None, separators };
    Entry { text: value, ..entry(row, book, mode, created) }
}

/// How each lawbook is installed for each harness.
fn installed(found: &[Claim], books: &[KnownBook]) -> Vec<Installed> {
    let pairs: BTreeSet<(&str, &str)> =
        found.iter().map(|claim| (claim.harness.id, &*claim.entry.book)).collect();
    let row = |(harness, book): (&str, &str)| {
        let of_pair = || {
            found
                .iter()
                .filter(move |claim| claim.harness.id == harness && claim.entry.book == book)
        };
        let roles: BTreeSet<String> = of_pair().map(|claim| claim.entry.role.clone()).collect();
        // Whoever chose roles left the main one out; otherwise new roles are wanted too.
        let has_main = of_pair().any(|claim| claim.audience == Audience::Main);
        let source = books.iter().find(|known| known.id == book);
        Installed {
            harness: harness.to_owned(),
            book: book.to_owned(),
            source: source.map(|known| known.source.clone()).unwrap_or_default(),
            roles: (!has_main).then(|| roles.into_iter().collect()),
            active: of_pair().any(|claim| claim.entry.mode.key().is_some()),
            partial: false,
        }
    };
    pairs.into_iter().map(row).collect()
}
