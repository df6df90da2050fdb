//! How the disk compares with what was written, and with what would be written now.

use std::path::Path;

use crate::arrive::{self, Arrival, Arrives, Own, Reader, text_of};
use crate::choose::Chooser;
use crate::desk::Desk;
use crate::disk::Disk;
use crate::disk_snapshot::{DiskSnapshot, Look};
use crate::finding::Finding;
use crate::harness_limits::HarnessLimits;
use crate::ledger::{Entry, Installed, Ledger, Mode};
use crate::place::Places;
use crate::plan::{arrival, look, twice};
use crate::target::{Ask, Target, What, targets};
use crate::text::{hash, mark, with_plain_lines};
use crate::undelivered::is_undelivered;
use crate::unledgered_blocks::{UnledgeredBlock, unledgered_blocks};
use crate::unledgered_files::{UnledgeredFile, unledgered_files};
use crate::{
    Audience, Harness, Prompts, Surface, Syntax, block, code, holds_core, keys, lockfile, owned,
};

/// The state of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileState {
    /// Equal to what would be written now.
    Clean,
    /// Equal to what would be written now, but nothing of it reaches the model.
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
    /// was written with. The file of an agent that gets the core with the main conversation has
    /// only the persona; then the core must be there.
    pub core: bool,
    /// Whether the lawbook could not be read, so that there was no core to compare with.
    pub unread: bool,
    /// How often its text reaches the model.
    pub arrives: Arrives,
    /// What to do about a text that does not arrive, or what is known of a file that no ledger lists.
    pub advice: Option<String>,
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
    let mut snapshot = DiskSnapshot::default();
    for asked in asked {
        let main = asked.prompts.map_or("", |prompts| &*prompts.main);
        let roles = asked.prompts.iter().flat_map(|prompts| &prompts.roles);
        let roles: Vec<&str> = roles.map(|prompt| &*prompt.role).collect();
        arrive::look(&mut snapshot, disk, asked.harness, places, main, &roles);
    }
    let mut all: Vec<Vec<Target>> = Vec::new();
    for asked in asked {
        all.push(wanted(asked, desk, places, ledger, &snapshot, &mut findings));
    }
    look(&mut snapshot, disk, all.iter_mut().flatten(), desk, places, ledger);
    let ledger = &ledger.followed(&snapshot, desk.scope, places);
    let mut unledgered_blocks =
        unledgered_blocks(harnesses, desk, places, ledger, &mut snapshot, disk);
    let mut unledgered_files =
        unledgered_files(harnesses, desk, places, ledger, &mut snapshot, disk);
    unledgered_files.retain(|unledgered| only.is_none_or(|only| only == unledgered.entry.book));
    unledgered_blocks.retain(|unledgered| only.is_none_or(|only| only == unledgered.block.id));
    let scene = Scene { desk, places, ledger, snapshot: &snapshot };
    for (asked, wanted) in asked.iter().zip(&all) {
        found.extend(scene.files(asked, wanted, &mut findings));
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
            arrives: Arrives::No,
            advice: None,
        });
    }
    for UnledgeredFile { harness, entry, settings, .. } in unledgered_files {
        let rows = std::iter::once((harness, entry.path)).chain(settings);
        for (harness, path) in rows.collect::<Vec<_>>() {
            if !found.iter().any(|file| file.path == path && file.harness == harness.id) {
                found.push(FileStatus {
                    harness: harness.id.to_owned(),
                    path,
                    role: entry.role.clone(),
                    state: FileState::Foreign,
                    core: false,
                    unread: false,
                    arrives: Arrives::No,
                    advice: Some("Lawful wrote this, and no ledger or lock lists it".to_owned()),
                });
            }
        }
    }
    (found, findings)
}

/// What would be written now for a lawbook.
fn wanted(
    asked: &Asked<'_>,
    desk: &Desk,
    places: &Places,
    ledger: &Ledger,
    snapshot: &DiskSnapshot,
    findings: &mut Vec<Finding>,
) -> Vec<Target> {
    let ask = Ask {
        scope: desk.scope,
        roles: asked.installed.and_then(|installed| installed.roles.as_deref()),
        active: asked.installed.is_some_and(|installed| installed.active),
    };
    // Nothing would be written under the id of a lawbook that was renamed or cannot be read.
    let book = asked.book();
    let Some(prompts) = asked.prompts.filter(|prompts| prompts.id() == book) else {
        return Vec::new();
    };
    let chooser = Chooser {
        scope: desk.scope,
        places,
        snapshot,
        book: &book,
        ledger,
        may_hide: true,
        stays: true,
        planned: Vec::new(),
        jobs: Vec::new(),
    };
    let mut said = Vec::new();
    let wanted = targets(prompts, asked.harness, ask, &chooser, &mut said);
    let is_lost = |finding: &Finding| asked.installed.is_some() && is_undelivered(finding);
    findings.extend(said.into_iter().filter(is_lost));
    wanted
}

/// The disk and the ledger.
struct Scene<'a> {
    desk: &'a Desk,
    places: &'a Places,
    ledger: &'a Ledger,
    snapshot: &'a DiskSnapshot,
}

impl Scene<'_> {
    /// The files of one lawbook for one harness.
    fn files(
        &self,
        asked: &Asked<'_>,
        wanted: &[Target],
        findings: &mut Vec<Finding>,
    ) -> Vec<FileStatus> {
        let Scene { desk, places, ledger, snapshot } = *self;
        let book = asked.book();
        let now = |path: &Path| text_of(snapshot, path);
        let limits = HarnessLimits { scope: desk.scope, places, ledger, snapshot, now: &now };
        let short = limits.short(wanted);
        let mut warnings: Vec<Finding> = Vec::new();
        for short in &short {
            let help = "shorten the prompt or the files; `lawful harnesses` lists other surfaces";
            let message = short.message.clone();
            warnings.push(Finding::new(&code::CUT_SHORT, Some(&short.path), message, help));
        }
        let core = asked.prompts.map(|prompts| prompts.core.as_str());
        let at = Subject { snapshot, book: &book, core };
        let main = asked.prompts.map_or("", |prompts| &*prompts.main);
        let reader = Reader { harness: asked.harness, places, main, snapshot, now: &now };
        let mut files: Vec<(FileStatus, bool)> = Vec::new();
        let is_partial = asked.installed.is_some_and(|installed| installed.partial);
        for target in wanted {
            let entry = ledger.find(&book, &target.shown, target.key());
            let entry = entry.filter(|entry| entry.book == book);
            let is_switch = target.is_switch();
            let (mut file, text) = at.of_target(target, entry);
            if let (Some(prompts), Some(text), false) = (asked.prompts, text, is_switch) {
                let target = Target { text, ..target.clone() };
                let is_short = short.iter().any(|short| short.path == target.shown);
                let warning = self.receive(&mut file, &reader, prompts, &target, is_short);
                warnings.extend(warning);
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
        for finding in warnings {
            if asked.installed.is_some() && !findings.contains(&finding) {
                findings.push(finding);
            }
        }
        let is_old = |entry: &&Entry| {
            let held = entry.harnesses.iter().any(|known| known == asked.harness.id);
            let about = |target: &Target| entry.is_about(&book, &target.shown, target.key());
            held && entry.book == book && !wanted.iter().any(about)
        };
        for entry in ledger.files.iter().filter(is_old) {
            let (mut file, text) = at.of_old(asked.harness, entry, places, desk);
            let path = places.kept(desk.scope, &entry.path).path;
            let surface = surface_of(asked.harness, &path, entry, places);
            if let (Some(text), Some(surface)) = (text, surface) {
                let own = Own { surface, role: &entry.role, text: &text, core: &text };
                file.receive(&reader.of(&own));
            }
            if !is_partial || file.state != FileState::Missing {
                files.push((file, is_switch(asked.harness, entry)));
            }
        }
        pass_to_switches(&mut files);
        files.into_iter().map(|(file, _)| file).collect()
    }

    /// Adds what arrives of a target to its file, and warns if that is not once.
    fn receive(
        &self,
        file: &mut FileStatus,
        reader: &Reader<'_>,
        prompts: &Prompts,
        target: &Target,
        is_short: bool,
    ) -> Option<Finding> {
        let mut arrival = arrival(reader, prompts, target);
        if is_short {
            arrival.arrives = Arrives::Changed;
        }
        file.receive(&arrival);
        // The core of an agent may come with the main conversation.
        let is_agent = target.surface.audience == Audience::Agents;
        if is_agent && !target.text.contains(&prompts.core) {
            file.core = !arrival.from.is_empty();
        }
        let warning = || warning(reader, target, &arrival, self.desk, self.snapshot);
        if is_short { None } else { warning() }
    }
}

impl FileStatus {
    /// Takes over what arrives. A file that does not arrive is not clean.
    fn receive(&mut self, arrival: &Arrival) {
        self.arrives = arrival.arrives;
        if arrival.arrives == Arrives::No {
            self.advice = arrival.unread.as_ref().map(|unread| unread.help.clone());
            if self.state == FileState::Clean {
                self.state = FileState::Inactive;
            }
        }
    }
}

/// A warning about a text that does not arrive once.
fn warning(
    reader: &Reader<'_>,
    target: &Target,
    arrival: &Arrival,
    desk: &Desk,
    snapshot: &DiskSnapshot,
) -> Option<Finding> {
    match arrival.arrives {
        Arrives::Once => None,
        // What waits for `--activate` says so in its state.
        Arrives::No => {
            let unread = arrival.unread.as_ref()?;
            (!unread.is_off || unread.code == &code::OVERRULED_SETTING)
                .then(|| unread.finding(&target.shown))
        }
        Arrives::Changed => {
            let message =
                format!("{} changes this text, or drops a part of it", reader.harness.name);
            let help = "`lawful install --dry-run` says why";
            Some(Finding::new(&code::ARRIVES_CHANGED, Some(&target.shown), message, help))
        }
        Arrives::Twice => twice(reader, target, arrival, desk.scope, snapshot)
            .map(|finding| Finding { code: &code::DELIVERED_TWICE, ..finding }),
    }
}

/// The surface of a harness that an entry is on.
fn surface_of(
    harness: &'static Harness,
    path: &Path,
    entry: &Entry,
    places: &Places,
) -> Option<&'static Surface> {
    harness.surfaces.iter().find(|surface| {
        let at = places.locate(surface.place, &entry.role);
        let is_text = match (&surface.form, &entry.mode) {
            (crate::Form::Setting(_, key), Mode::Key { key: known, .. }) => key == known,
            (crate::Form::Block, Mode::Block(_))
            | (crate::Form::Owned(_) | crate::Form::OwnedToml(_), Mode::Owned { .. }) => true,
            _ => false,
        };
        is_text && at.is_some_and(|at| at.path == path)
    })
}

/// A switch enables a prompt: it keeps the core if the prompt does, and arrives as that does.
fn pass_to_switches(files: &mut [(FileStatus, bool)]) {
    let prompts: Vec<(String, bool, Arrives)> = files
        .iter()
        .filter(|(_, is_switch)| !is_switch)
        .map(|(file, _)| (file.role.clone(), file.core, file.arrives))
        .collect();
    for (file, _) in files.iter_mut().filter(|(_, is_switch)| *is_switch) {
        for (_, core, arrives) in prompts.iter().filter(|(role, ..)| *role == file.role) {
            file.core = file.core || *core;
            file.arrives = *arrives;
        }
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
    fn of_target(&self, target: &Target, entry: Option<&Entry>) -> (FileStatus, Option<String>) {
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
    ) -> (FileStatus, Option<String>) {
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
    ) -> (FileStatus, Option<String>) {
        let (state, core, text) = match found {
            Found::Missing => (FileState::Missing, false, None),
            Found::Foreign => (FileState::Foreign, false, None),
            Found::Ours { text, as_written, as_wanted, is_recorded } => {
                let state =
                    if as_wanted { FileState::Clean } else { FileState::of(!as_written, stale) };
                // The core of a stale text was checked when it was written. The lawbook may have
                // another one by now, which is why the text is stale.
                let is_old = state == FileState::Stale && is_recorded;
                let keeps = |core| is_old || holds_core(&text, core);
                (state, self.core.is_some_and(keeps), Some(text))
            }
        };
        let (harness, path, role) = (harness.id.to_owned(), path.to_owned(), role.to_owned());
        let unread = self.core.is_none();
        let (arrives, advice) = (Arrives::No, None);
        (FileStatus { harness, path, role, state, core, unread, arrives, advice }, text)
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
