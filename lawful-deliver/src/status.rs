//! How what is on the disk compares with what was written, and with what would be written now.

use crate::disk::Disk;
use crate::ledger::{Desk, Entry, Installed, Ledger, Mode};
use crate::place::Places;
use crate::plan::look;
use crate::seen::{Look, Seen};
use crate::target::{Ask, KeyUse, Target, What, targets};
use crate::text::with_plain_lines;
use crate::{Harness, Prompts, block, holds_core, keys, owned};

/// How a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileState {
    /// As it was written, and as it would be written now.
    Clean,
    /// As it was written, and the lawbook has changed since.
    Stale,
    /// Edited since it was written.
    Drifted,
    /// Edited, and the lawbook has changed as well.
    Both,
    /// Not there.
    Missing,
    /// Not ours.
    Foreign,
}

impl FileState {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Clean => "clean",
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

/// How one file of one harness is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileStatus {
    /// The harness.
    pub harness: String,
    /// The file, as people are shown it.
    pub path: String,
    /// The role whose prompt it is.
    pub role: String,
    /// How it is.
    pub state: FileState,
    /// Whether what is there starts with the core and has it once.
    pub core: bool,
}

/// A book that is asked about, and the harness it was given to.
#[derive(Clone, Debug)]
pub struct Asked<'a> {
    /// The harness.
    pub harness: &'static Harness,
    /// What the book says now.
    pub prompts: &'a Prompts,
    /// How it was installed; `None` if it was not.
    pub installed: Option<&'a Installed>,
}

/// How everything is that a harness was given, or should have been.
pub fn status(
    asked: &[Asked<'_>],
    desk: &Desk,
    places: &Places,
    ledger: &Ledger,
    disk: &impl Disk,
) -> Vec<FileStatus> {
    let mut found = Vec::new();
    let mut all: Vec<Vec<Target>> = Vec::new();
    for asked in asked {
        let ask = Ask {
            scope: desk.scope,
            roles: asked.installed.and_then(|installed| installed.roles.as_deref()),
            active: asked.installed.is_some_and(|installed| installed.active),
        };
        all.push(targets(asked.prompts, asked.harness, ask, places, &mut Vec::new()));
    }
    let seen = look(disk, all.iter_mut().flatten(), desk, places, ledger);
    for (asked, wanted) in asked.iter().zip(&all) {
        let book = asked.prompts.id();
        let mut files: Vec<(FileStatus, bool)> = Vec::new();
        for target in wanted {
            let entry = ledger.find(&book, &target.shown, target.key());
            let is_switch = matches!(target.what, What::Key { use_of: KeyUse::Switch, .. });
            let at = Subject { seen: &seen, book: &book, prompts: asked.prompts };
            // A switch that was there before us is none of our business.
            if !is_switch || entry.is_some() {
                files.push((at.of_target(target, entry), is_switch));
            }
        }
        let is_old = |entry: &&Entry| {
            let held = entry.harnesses.iter().any(|known| known == asked.harness.id);
            let about = |target: &Target| entry.is_about(&book, &target.shown, target.key());
            held && entry.book == book && !wanted.iter().any(about)
        };
        for entry in ledger.files.iter().filter(is_old) {
            let at = Subject { seen: &seen, book: &book, prompts: asked.prompts };
            files.push((at.of_old(asked.harness, entry, places, desk), false));
        }
        // A switch leads to a prompt: it has the core where that does.
        let core_of = |role: &str, files: &[(FileStatus, bool)]| {
            files.iter().any(|(file, is_switch)| !is_switch && file.role == role && file.core)
        };
        for at in 0..files.len() {
            let core =
                files.get(at).is_some_and(|(file, switch)| *switch && core_of(&file.role, &files));
            if core && let Some((file, _)) = files.get_mut(at) {
                file.core = true;
            }
        }
        found.extend(files.into_iter().map(|(file, _)| file));
    }
    found
}

struct Subject<'a> {
    seen: &'a Seen,
    book: &'a str,
    prompts: &'a Prompts,
}

/// What of ours is in a file.
enum Found {
    Missing,
    Foreign,
    /// This text, as we wrote it or not.
    Ours {
        text: String,
        is_whole: bool,
    },
}

impl Subject<'_> {
    fn of_target(&self, target: &Target, entry: Option<&Entry>) -> FileStatus {
        let wanted = match &target.what {
            What::Owned { file } => file,
            What::Block { text } => text,
            What::Key { value, .. } => value,
        };
        let found = self.found(self.seen.get(&target.at.path), target, entry);
        let (state, core) = match &found {
            Found::Missing => (FileState::Missing, false),
            Found::Foreign => (FileState::Foreign, false),
            Found::Ours { text, is_whole } => {
                let stale = match entry {
                    Some(entry) => entry.text != *wanted,
                    None => *is_whole && *text != *prompt_of(wanted, &target.what),
                };
                let core = holds_core(text, &self.prompts.core);
                (FileState::of(!is_whole, stale), core)
            }
        };
        FileStatus {
            harness: target.harness.id.to_owned(),
            path: target.shown.clone(),
            role: target.role.clone(),
            state,
            core,
        }
    }

    fn found(&self, look: Option<&Look>, target: &Target, entry: Option<&Entry>) -> Found {
        let file = match look {
            None | Some(Look::Missing { .. }) => return Found::Missing,
            Some(Look::Outside | Look::Unfit(_)) => return Found::Foreign,
            Some(Look::Text { text, .. }) => text,
        };
        match &target.what {
            What::Owned { .. } => self.owned(file, entry),
            What::Block { .. } => self.block(file),
            What::Key { syntax, key, value, .. } => match keys::get(*syntax, file, key) {
                Ok(Some(held)) => {
                    let text = held.text.unwrap_or(held.raw);
                    let is_whole = match entry {
                        Some(entry) => text == entry.text,
                        None => text == *value,
                    };
                    Found::Ours { text, is_whole }
                }
                Ok(None) => Found::Missing,
                Err(_) => Found::Foreign,
            },
        }
    }

    fn owned(&self, file: &str, entry: Option<&Entry>) -> Found {
        match owned::parse(file) {
            Some(found) if found.id == self.book => {
                let as_written = entry.is_none_or(|entry| with_plain_lines(file) == entry.text);
                Found::Ours { text: found.text, is_whole: found.is_whole && as_written }
            }
            Some(_) | None => Found::Foreign,
        }
    }

    fn block(&self, file: &str) -> Found {
        match block::blocks(file) {
            Ok(found) => match found.into_iter().find(|block| block.id == self.book) {
                Some(block) => Found::Ours { is_whole: block.is_whole(), text: block.text },
                None => Found::Missing,
            },
            Err(_) => Found::Foreign,
        }
    }

    /// Something that would not be written any more.
    fn of_old(
        &self,
        harness: &'static Harness,
        entry: &Entry,
        places: &Places,
        desk: &Desk,
    ) -> FileStatus {
        let look = self.seen.get(&places.kept(desk.scope, &entry.path).path);
        let found = match (look, &entry.mode) {
            (None | Some(Look::Missing { .. }), _) => Found::Missing,
            (Some(Look::Outside | Look::Unfit(_)), _) => Found::Foreign,
            (Some(Look::Text { text, .. }), Mode::Owned { .. }) => self.owned(text, Some(entry)),
            (Some(Look::Text { text, .. }), Mode::Block(_)) => self.block(text),
            (Some(Look::Text { .. }), Mode::Key { .. }) => {
                Found::Ours { text: entry.text.clone(), is_whole: true }
            }
        };
        let (state, core) = match found {
            Found::Missing => (FileState::Missing, false),
            Found::Foreign => (FileState::Foreign, false),
            Found::Ours { text, is_whole } => {
                (FileState::of(!is_whole, true), holds_core(&text, &self.prompts.core))
            }
        };
        FileStatus {
            harness: harness.id.to_owned(),
            path: entry.path.clone(),
            role: entry.role.clone(),
            state,
            core,
        }
    }
}

/// The prompt in what would be written.
fn prompt_of<'w>(wanted: &'w str, what: &What) -> std::borrow::Cow<'w, str> {
    match what {
        What::Owned { .. } => owned::parse(wanted).map_or(wanted.into(), |owned| owned.text.into()),
        What::Block { .. } | What::Key { .. } => wanted.into(),
    }
}
