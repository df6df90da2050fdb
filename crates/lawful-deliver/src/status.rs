//! How the disk compares with what was written, and with what would be written now.

use std::collections::BTreeSet;
use std::path::Path;

use crate::desk::Desk;
use crate::disk::Disk;
use crate::disk_snapshot::{DiskSnapshot, Look};
use crate::finding::Finding;
use crate::harness_limits::HarnessLimits;
use crate::ledger::{Entry, Installed, Ledger, Mode};
use crate::place::Places;
use crate::plan::look;
use crate::target::{Ask, Target, What, targets};
use crate::text::{hash, mark, with_plain_lines};
use crate::undelivered::is_undelivered;
use crate::unledgered_blocks::{UnledgeredBlock, unledgered_blocks};
use crate::{Harness, Prompts, Syntax, block, code, holds_core, keys, lockfile, owned};

/// The state of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileState {
    /// Equal to what would be written now.
    Clean,
    /// Equal to what would be written now, but a setting of the harness must enable it.
    Inactive,
    /// Unedited, but the lawbook changed after the install.
    Stale,
    /// Edited after the install.
    Drifted,
    /// Edited, and the lawbook changed too.
    Both,
    /// Deleted.
    Missing,
    /// Not written by Lawful.
    Foreign,
}

impl FileState {
    /// The name in output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Clean => "clean",
            Self::Inactive => "inactive",
            Self::Stale => "stale",
            Self::Drifted => "drifted",
            Self::Both => "both",
            Self::Missing => "missing",
            Self::Foreign => "foreign",
        }
    }

    fn of(drifted: bool, stale: bool) -> Self {
        match (drifted, stale) {
            (false, false) => Self::Clean,
            (false, true) => Self::Stale,
            (true, false) => Self::Drifted,
            (true, true) => Self::Both,
        }
    }
}

/// The state of one file of one harness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileStatus {
    /// The harness.
    pub harness: String,
    /// The file, as shown to the user.
    pub path: String,
    /// The role of the prompt.
    pub role: String,
    /// Its state.
    pub state: FileState,
    /// Whether the text starts with the core and has it once. A stale text has the core that it
    /// was written with.
    pub core: bool,
    /// Whether the lawbook could not be read, so that there was no core to compare with.
    pub unread: bool,
}

/// A lawbook to report on, and its harness.
#[derive(Clone, Debug)]
pub struct Asked<'a> {
    /// The harness.
    pub harness: &'static Harness,
    /// The current prompts of the lawbook; `None` if it cannot be read.
    pub prompts: Option<&'a Prompts>,
    /// How it was installed; `None` if it was not.
    pub installed: Option<&'a Installed>,
}

impl Asked<'_> {
    /// The id under which the lawbook was installed.
    fn book(&self) -> String {
        match (self.installed, self.prompts) {
            (Some(installed), _) => installed.book.clone(),
            (None, Some(prompts)) => prompts.id(),
            (None, None) => String::new(),
        }
    }
}

/// The state of everything that these harnesses have or should have, and of other blocks of Lawful
/// in their files, of one lawbook or of all.
pub fn status(
    asked: &[Asked<'_>],
    harnesses: &[&'static Harness],
    only: Option<&str>,
    desk: &Desk,
    places: &Places,
    ledger: &Ledger,
    disk: &impl Disk,
) -> (Vec<FileStatus>, Vec<Finding>) {
    let mut found = Vec::new();
    let mut findings = desk.findings(disk);
    findings.extend(lockfile::problem(disk, desk).map(|bad| bad.finding()));
    let mut all: Vec<Vec<Target>> = Vec::new();
    for asked in asked {
        let ask = Ask {
            scope: desk.scope,
            roles: asked.installed.and_then(|installed| installed.roles.as_deref()),
            active: asked.installed.is_some_and(|installed| installed.active),
        };
        // Nothing would be written under the id of a lawbook that was renamed or cannot be read.
        let prompts = asked.prompts.filter(|prompts| prompts.id() == asked.book());
        let mut said = Vec::new();
        let wanted = prompts.map(|prompts| targets(prompts, asked.harness, ask, places, &mut said));
        let is_lost = |finding: &Finding| asked.installed.is_some() && is_undelivered(finding);
        findings.extend(said.into_iter().filter(is_lost));
        all.push(wanted.unwrap_or_default());
    }
    let mut snapshot = look(disk, all.iter_mut().flatten(), desk, places, ledger);
    let ledger = &ledger.followed(&snapshot, desk.scope, places);
    let mut unledgered_blocks =
        unledgered_blocks(harnesses, desk, places, ledger, &mut snapshot, disk);
    unledgered_blocks.retain(|unledgered| only.is_none_or(|only| only == unledgered.block.id));
    let now = |path: &Path| match snapshot.get(path) {
        Some(Look::Text { text, .. }) => Some(text.clone()),
        Some(Look::Missing { .. } | Look::Outside | Look::Unfit(_)) | None => None,
    };
    let limits =
        HarnessLimits { scope: desk.scope, places, ledger, snapshot: &snapshot, now: &now };
    for (asked, wanted) in asked.iter().zip(&all) {
        let book = asked.book();
        let short = limits.short(wanted).into_iter().map(|short| {
            let help = "shorten the prompt or the files; `lawful harnesses` lists other surfaces";
            Finding::new(&code::CUT_SHORT, Some(&short.path), short.message, help)
        });
        for finding in limits.warnings(&book, wanted).into_iter().chain(short) {
            if asked.installed.is_some() && !findings.contains(&finding) {
                findings.push(finding);
            }
        }
        let core = asked.prompts.map(|prompts| prompts.core.as_str());
        let at = Subject { snapshot: &snapshot, book: &book, core };
        let mut files: Vec<(FileStatus, bool)> = Vec::new();
        let is_partial = asked.installed.is_some_and(|installed| installed.partial);
        for target in wanted {
            let entry = ledger.find(&book, &target.shown, target.key());
            let entry = entry.filter(|entry| entry.book == book);
            let is_switch = target.is_switch();
            let mut file = at.of_target(target, entry);
            if file.state == FileState::Clean && !target.is_enabled(&now) {
                file.state = FileState::Inactive;
            }
            // What was uninstalled is not missing.
            if is_partial && (entry.is_none() || file.state == FileState::Missing) {
                continue;
            }
            // Ignore a switch that Lawful did not set.
            if !is_switch || entry.is_some() || file.state != FileState::Clean {
                files.push((file, is_switch));
            }
        }
        let is_old = |entry: &&Entry| {
            let held = entry.harnesses.iter().any(|known| known == asked.harness.id);
            let about = |target: &Target| entry.is_about(&book, &target.shown, target.key());
            held && entry.book == book && !wanted.iter().any(about)
        };
        for entry in ledger.files.iter().filter(is_old) {
            let file = at.of_old(asked.harness, entry, places, desk);
            if !is_partial || file.state != FileState::Missing {
                files.push((file, is_switch(asked.harness, entry)));
            }
        }
        pass_core_to_switches(&mut files);
        found.extend(files.into_iter().map(|(file, _)| file));
    }
    let is_told = |unledgered: &UnledgeredBlock, found: &[FileStatus]| {
        found.iter().any(|file| {
            file.path == unledgered.shown
                && asked.iter().any(|asked| {
                    asked.harness.id == file.harness && asked.book() == unledgered.block.id
                })
        })
    };
    for unledgered in unledgered_blocks
        .iter()
        .filter(|unledgered| !is_told(unledgered, &found))
        .collect::<Vec<&UnledgeredBlock>>()
    {
        found.push(FileStatus {
            harness: unledgered.harness.id.to_owned(),
            path: unledgered.shown.clone(),
            role: String::new(),
            state: FileState::Foreign,
            core: false,
            unread: false,
        });
    }
    (found, findings)
}

/// A switch enables a prompt: it keeps the core if the prompt does.
fn pass_core_to_switches(files: &mut [(FileStatus, bool)]) {
    let keeps = |(file, is_switch): &&(FileStatus, bool)| !is_switch && file.core;
    let kept: BTreeSet<String> =
        files.iter().filter(keeps).map(|(file, _)| file.role.clone()).collect();
    for (file, _) in files.iter_mut().filter(|(_, is_switch)| *is_switch) {
        file.core = file.core || kept.contains(&file.role);
    }
}

/// Whether an entry is about a key that enables something, not one that contains a prompt.
fn is_switch(harness: &Harness, entry: &Entry) -> bool {
    let holds = |key: &str| {
        harness.surfaces.iter().any(|surface| match surface.form {
            crate::Form::Setting(_, known) => known == key,
            crate::Form::Owned(_) | crate::Form::OwnedToml(_) | crate::Form::Block => false,
        })
    };
    entry.mode.key().is_some_and(|key| !holds(key))
}

struct Subject<'a> {
    snapshot: &'a DiskSnapshot,
    book: &'a str,
    core: Option<&'a str>,
}

/// What Lawful has in a file.
enum Found {
    Missing,
    Foreign,
    Ours {
        /// The prompt on disk.
        text: String,
        /// Whether it is what was written, by the ledger or else by its marker.
        as_written: bool,
        /// Whether it is what would be written now.
        as_wanted: bool,
        /// Whether the ledger says what was written.
        is_recorded: bool,
    },
}

impl Subject<'_> {
    fn of_target(&self, target: &Target, entry: Option<&Entry>) -> FileStatus {
        let (form, wanted) = match &target.what {
            What::Owned { file } => (Form::Owned, file),
            What::Block { text } => (Form::Block, text),
            What::Key { syntax, key, value, .. } => (Form::Key(*syntax, key), value),
        };
        let found = self.found(self.snapshot.get(&target.at.path), form, entry, Some(wanted));
        let stale = entry.is_none_or(|entry| entry.hash != hash(wanted));
        self.told(target.harness, &target.shown, &target.role, found, stale)
    }

    /// The state of something that would no longer be written.
    fn of_old(
        &self,
        harness: &'static Harness,
        entry: &Entry,
        places: &Places,
        desk: &Desk,
    ) -> FileStatus {
        let form = match &entry.mode {
            Mode::Owned { .. } => Form::Owned,
            Mode::Block(_) => Form::Block,
            Mode::Key { key, .. } => Form::Key(Syntax::of(&entry.path), key),
        };
        let look = self.snapshot.get(&places.kept(desk.scope, &entry.path).path);
        let found = self.found(look, form, Some(entry), None);
        self.told(harness, &entry.path, &entry.role, found, true)
    }

    fn told(
        &self,
        harness: &'static Harness,
        path: &str,
        role: &str,
        found: Found,
        stale: bool,
    ) -> FileStatus {
        let (state, core) = match found {
            Found::Missing => (FileState::Missing, false),
            Found::Foreign => (FileState::Foreign, false),
            Found::Ours { text, as_written, as_wanted, is_recorded } => {
                let state =
                    if as_wanted { FileState::Clean } else { FileState::of(!as_written, stale) };
                // The core of a stale text was checked when it was written. The lawbook may have
                // another one by now, which is why the text is stale.
                let is_old = state == FileState::Stale && is_recorded;
                let keeps = |core| is_old || holds_core(&text, core);
                (state, self.core.is_some_and(keeps))
            }
        };
        let (harness, path, role) = (harness.id.to_owned(), path.to_owned(), role.to_owned());
        FileStatus { harness, path, role, state, core, unread: self.core.is_none() }
    }

    fn found(
        &self,
        look: Option<&Look>,
        form: Form<'_>,
        entry: Option<&Entry>,
        wanted: Option<&String>,
    ) -> Found {
        let file = match look {
            None | Some(Look::Missing { .. }) => return Found::Missing,
            Some(Look::Outside | Look::Unfit(_)) => return Found::Foreign,
            Some(Look::Text { text, .. }) => text,
        };
        let is_recorded = entry.is_some_and(Entry::is_recorded);
        let is = |text: &str, other: &str| with_plain_lines(text) == with_plain_lines(other);
        // What the ledger says was written, and what would be written now.
        let written = entry.filter(|entry| entry.is_recorded()).map(|entry| entry.text.as_str());
        // Of what was edited in a clone, only the hash is known.
        let is_edited = entry.is_some_and(|entry| !entry.is_recorded());
        let compare = |text: &str, is_whole: bool| {
            let as_written = is_whole && !is_edited;
            let as_written = as_written && written.is_none_or(|written| is(text, written));
            let as_wanted = is_whole && wanted.is_some_and(|wanted| is(text, wanted));
            (as_written, as_wanted)
        };
        match form {
            Form::Owned => match owned::parse(file) {
                Some(found) if found.id == self.book => {
                    let (as_written, as_wanted) = compare(mark(file).1, found.is_whole);
                    Found::Ours { text: found.text, as_written, as_wanted, is_recorded }
                }
                Some(_) | None => Found::Foreign,
            },
            Form::Block => match block::blocks(file) {
                Ok(found) => match found.into_iter().find(|block| block.id == self.book) {
                    Some(block) => {
                        let (as_written, as_wanted) = compare(&block.text, block.is_whole());
                        Found::Ours { text: block.text, as_written, as_wanted, is_recorded }
                    }
                    None => Found::Missing,
                },
                Err(_) => Found::Foreign,
            },
            Form::Key(syntax, key) => match keys::get(syntax, file, key) {
                Ok(Some(held)) => {
                    let text = held.text.unwrap_or(held.raw);
                    let (as_written, as_wanted) = compare(&text, true);
                    if entry.is_none() && !as_wanted {
                        return Found::Foreign;
                    }
                    Found::Ours { text, as_written, as_wanted, is_recorded }
                }
                Ok(None) => Found::Missing,
                Err(_) => Found::Foreign,
            },
        }
    }
}

/// How Lawful uses a file.
#[derive(Clone, Copy)]
enum Form<'f> {
    Owned,
    Block,
    Key(Syntax, &'f str),
}
