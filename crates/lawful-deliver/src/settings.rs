//! The settings file of a harness: where it is, and adding and removing the hook.

mod snapshot;

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::disk::{Disk as _, OsDisk};
use crate::edit::Written;
use crate::empty_settings::EmptySettings;
use crate::hook::{Entry, Form};
use crate::kept::{KeptTexts, Part, ReplacedBy};
use crate::keys::{Held, json};
use crate::ledger::settings::{self as ledger, Change};
use crate::reach::is_in_git;
use crate::splice::Splice;
use crate::{EditError, Event, Hook, HookCommand, State, atomic, edit, plugin};

pub use snapshot::SettingsSnapshot;

/// Whose settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Of the user, for all their projects.
    User,
    /// Of the project, for everyone who works on it.
    Project,
}

/// Why settings were left unchanged.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// There is no home folder.
    #[error("there is no home folder")]
    NoHome,
    /// A link leads out of the folder.
    #[error("it is a link that leads out of `{}`", .0.display())]
    Outside(PathBuf),
    /// A link leads below `.git`.
    #[error("it is a link that leads below `.git`")]
    InGit,
    /// An I/O error.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// It is not text.
    #[error("it is not UTF-8 text")]
    NotText,
    /// A file that Lawful did not write is in the place of the plugin.
    #[error("Lawful did not write this file, so it does not replace it")]
    NotOurs,
    /// The plugin was edited.
    #[error("it was edited after the install; delete it if you do not need it")]
    Edited,
    /// The text could not be edited.
    #[error(transparent)]
    Edit(#[from] EditError),
}

/// The result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Done {
    /// Written.
    Changed,
    /// Already as requested.
    Unchanged,
}

/// The hooks in a settings file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookInSettings {
    /// The worst state of an event.
    pub state: HookState,
    /// The command that the harness runs when an agent stops, if the settings have one.
    pub command: Option<String>,
    /// Each event.
    pub events: Vec<EventInSettings>,
}

/// The hook of an event in a settings file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventInSettings {
    /// The event.
    pub event: Event,
    /// The name that the harness has for it.
    pub name: &'static str,
    /// Its state.
    pub state: HookState,
    /// The command that the harness runs, if the settings have one.
    pub command: Option<String>,
}

impl EventInSettings {
    fn new(entry: &Entry, state: HookState, command: Option<String>) -> Self {
        Self { event: entry.event, name: entry.name, state, command }
    }
}

impl HookInSettings {
    /// The hooks of events; `state` is that of a file with none.
    fn of(events: Vec<EventInSettings>, state: HookState) -> Self {
        let state = events.iter().map(|event| event.state).max().unwrap_or(state);
        let stop = events.iter().find(|event| event.event == Event::Stop);
        let command = stop.and_then(|stop| stop.command.clone());
        Self { state, command, events }
    }
}

/// The state of a hook in a settings file, the worst last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HookState {
    /// As it was installed.
    Clean,
    /// Another version of Lawful installed it.
    Outdated,
    /// Edited after the install, replaced by another command, or there more than once.
    Drifted,
    /// It was installed, and someone else removed it.
    Missing,
    /// It was installed, and the settings cannot be read any more.
    Foreign,
    /// It is there, and a setting of the harness turns all hooks off.
    Disabled,
}

impl HookState {
    /// The name in output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Clean => "clean",
            Self::Outdated => "outdated",
            Self::Drifted => "drifted",
            Self::Missing => "missing",
            Self::Foreign => "foreign",
            Self::Disabled => "disabled",
        }
    }
}

/// A settings file.
#[derive(Debug)]
pub struct Settings {
    /// The file, as the user knows it.
    pub path: PathBuf,
    /// The folder that must contain it.
    root: PathBuf,
}

impl Settings {
    /// The settings of a harness.
    pub fn locate(
        harness: &Hook,
        scope: Scope,
        project: &Path,
        variable: impl Fn(&str) -> Option<OsString>,
    ) -> Result<Self, SettingsError> {
        let place = &harness.place;
        let set = |name: &str| {
            let folder = variable(name).filter(|value| !value.is_empty()).map(PathBuf::from)?;
            // A harness resolves such a folder from its working directory, but a record must not.
            Some(std::path::absolute(&folder).unwrap_or(folder))
        };
        let (root, folder) = match scope {
            Scope::Project => (project.to_owned(), place.project),
            Scope::User => match place.moved_by.and_then(|(name, below)| Some((set(name)?, below)))
            {
                Some(moved) => moved,
                None => (set("HOME").ok_or(SettingsError::NoHome)?, place.user),
            },
        };
        Ok(Self { path: root.join(folder).join(place.file), root })
    }

    /// Adds the hooks. `made` says whether a file or folder was created for prompts.
    pub fn install(
        &self,
        harness: &Hook,
        events: &[Event],
        command: &HookCommand,
        state: &State,
        made: impl Fn(&Path) -> bool,
    ) -> Result<Done, SettingsError> {
        let real = self.real_path()?;
        let before = read(&real)?;
        let now = before.clone().unwrap_or_default();
        if harness.form == Form::Plugin {
            let options = plugin::Options::new(harness, events, command);
            let written = options.text().map_err(io::Error::other)?;
            return install_plugin(&real, before.as_deref(), &written, state, made);
        }
        let entries = harness.entries(events, command);
        if edit::put_in(&now, harness, &entries)?.is_none() {
            return Ok(Done::Unchanged);
        }
        // On reinstallation, keep what was there before the first one. If that is unknown, the text
        // has an entry of Lawful and cannot be restored to.
        let known = ledger::find(state, &real)?;
        let first = known.as_ref().and_then(|known| known.undo(&now));
        let is_known = first.is_some();
        let edited = if is_known { None } else { edited_hooks(&now, harness)? };
        let first = first.unwrap_or(now);
        let Some(Written { text: written, change }) = edit::put_in(&first, harness, &entries)?
        else {
            return Ok(Done::Unchanged);
        };
        let had_ours = edit::uninstall(&first, harness)?.is_some();
        let missing = missing(&real);
        // Write the record first: a record of a text that was never written is harmless, but a text
        // without its record could not be restored.
        if had_ours {
            ledger::forget(state, &real)?;
        } else {
            let (existed, folders) = match known.filter(|_| is_known) {
                Some(known) => (known.existed, known.folders),
                None => (before.is_some() && !made(&real), folders_of(&real, missing, &made)),
            };
            ledger::keep(state, &ledger::Record::new(&real, existed, folders, change))?;
        }
        if let Some(before) = &before {
            EmptySettings::of(state).note_file(&real, before)?;
        }
        if let Some(part) = edited {
            KeptTexts::of(state).add(&real, &part, ReplacedBy::HookInstall)?;
        }
        if let Some(folder) = real.parent() {
            fs::create_dir_all(folder)?;
        }
        atomic::replace(&real, written.as_bytes())?;
        Ok(Done::Changed)
    }

    /// What a replacement of the file would not keep, in words.
    pub fn unkept(&self) -> Vec<String> {
        self.real_path().map(|real| OsDisk.unkept(&real)).unwrap_or_default()
    }

    /// Removes the hooks. A file that Lawful created is deleted, and its folder too if Lawful
    /// created it and it is empty.
    pub fn uninstall(&self, harness: &Hook, state: &State) -> Result<Done, SettingsError> {
        let real = self.real_path()?;
        let now = read(&real)?;
        if harness.form == Form::Plugin {
            return uninstall_plugin(&real, now, state);
        }
        let without = match &now {
            Some(now) => edit::uninstall(now, harness)?,
            None => None,
        };
        let known = ledger::find(state, &real)?;
        let (Some(now), Some(without)) = (now, without) else {
            // Someone else removed the hook. Without its record, it is no longer missing.
            if known.is_some() {
                ledger::forget(state, &real)?;
            }
            return Ok(Done::Unchanged);
        };
        let left = known.as_ref().and_then(|known| known.undo(&now)).unwrap_or(without);
        let empty = EmptySettings::of(state);
        let original = empty.original(&real, &left)?;
        if original.is_some() {
            empty.forget(&real)?;
        }
        let left = original.unwrap_or(left);
        match known {
            Some(known) if !known.existed && edit::is_bare_file(&left, harness) => {
                fs::remove_file(&real)?;
                for folder in known.folders.iter().rev() {
                    // Keep it if it is not empty.
                    let _ = fs::remove_dir(folder);
                }
            }
            Some(_) | None => atomic::replace(&real, left.as_bytes())?,
        }
        ledger::forget(state, &real)?;
        Ok(Done::Changed)
    }

    /// The hooks in the file, one row for each of the events; `None` if it has none and no
    /// installation is recorded. A project can come with hooks that someone else installed, so a
    /// record is not required.
    pub fn hook(
        &self,
        harness: &Hook,
        events: &[Event],
        state: Option<&State>,
    ) -> Option<HookInSettings> {
        let real = self.real_path().ok();
        let record = || ledger::find(state?, real.as_deref()?).ok().flatten();
        let expected = harness.entries(events, &HookCommand::default());
        let every = |state: HookState| {
            let row = |entry: &Entry| EventInSettings::new(entry, state, None);
            HookInSettings::of(expected.iter().map(row).collect(), state)
        };
        let absent = |state: HookState| record().map(|_| every(state));
        let text = match real.as_deref().map(read) {
            Some(Ok(Some(text))) => text,
            Some(Ok(None)) => return absent(HookState::Missing),
            Some(Err(_)) | None => return absent(HookState::Foreign),
        };
        if harness.form == Form::Plugin {
            let is_ours = plugin::is_ours(&text);
            let found = match (plugin::options(&text), is_ours) {
                (None, false) => return absent(HookState::Missing),
                (None, true) => return Some(every(HookState::Drifted)),
                (Some(options), _) => options,
            };
            let row = |entry: &Entry| {
                let name = entry.event.name();
                if !found.events.iter().any(|event| event == name) {
                    return EventInSettings::new(entry, HookState::Outdated, None);
                }
                let mut command = format!("lawful hook --harness {} {name}", harness.id);
                for word in &found.arguments {
                    command.push(' ');
                    command.push_str(word);
                }
                EventInSettings::new(entry, HookState::Clean, Some(command))
            };
            return Some(HookInSettings::of(expected.iter().map(row).collect(), HookState::Clean));
        }
        let Ok(found) = edit::found(&text, harness) else { return absent(HookState::Foreign) };
        if found.is_empty() {
            let other = record().and_then(|record| record.replacement(&text));
            return match other {
                Some(command) => {
                    Some(HookInSettings { command: Some(command), ..every(HookState::Drifted) })
                }
                None => absent(HookState::Missing),
            };
        }
        let record = record();
        let is_whole = record.as_ref().is_none_or(|record| record.undo(&text).is_some());
        let row = |entry: &Entry| {
            let mut same = found.iter().filter(|found| found.event == entry.event);
            let wrote = |literal: &str| record.as_ref().is_some_and(|record| record.wrote(literal));
            let (state, command) = match (same.next(), same.next()) {
                (None, _) if wrote(&format!("--harness {} {}", harness.id, entry.event.name())) => {
                    (HookState::Missing, None)
                }
                // The version that was installed did not have this event.
                (None, _) => (HookState::Outdated, None),
                (Some(one), None) if one.is_whole && (is_whole || wrote(&one.literal)) => {
                    (HookState::Clean, Some(&one.command))
                }
                (Some(one), None) if one.is_outdated && (is_whole || wrote(&one.literal)) => {
                    (HookState::Outdated, Some(&one.command))
                }
                (Some(one), _) => (HookState::Drifted, Some(&one.command)),
            };
            EventInSettings::new(entry, state, command.cloned())
        };
        Some(HookInSettings::of(expected.iter().map(row).collect(), HookState::Clean))
    }

    /// The file, and its folders, that exist because of a hook.
    pub fn made(&self, state: &State) -> Vec<PathBuf> {
        let known =
            self.real_path().ok().and_then(|real| Some((ledger::find(state, &real).ok()??, real)));
        match known {
            Some((record, real)) if !record.existed => {
                record.folders.into_iter().chain([real]).collect()
            }
            Some((record, _)) => record.folders,
            None => Vec::new(),
        }
    }

    /// Keeps the record of an installation if the project was moved from another path.
    pub fn relocate(&self, from: &Path, state: &State) -> Result<(), SettingsError> {
        let Ok(root) = self.root.canonicalize() else { return Ok(()) };
        Ok(ledger::relocate(state, from, &root, &self.real_path()?)?)
    }

    /// The real path of the file. Links inside the folder are allowed, for users who keep their
    /// settings in a repository.
    fn real_path(&self) -> Result<PathBuf, SettingsError> {
        let outside = || SettingsError::Outside(self.root.clone());
        let Ok(root) = self.root.canonicalize() else { return Ok(self.path.clone()) };
        let real = OsDisk.resolve(&self.path).map_err(|_| outside())?;
        match real.strip_prefix(&root) {
            Ok(inside) if is_in_git(inside) => Err(SettingsError::InGit),
            Ok(_) => Ok(real),
            Err(_) => Err(outside()),
        }
    }
}

/// The hooks of a file in which someone edited those of Lawful.
fn edited_hooks(text: &str, harness: &Hook) -> Result<Option<Part>, EditError> {
    if text.trim().is_empty() {
        return Ok(None);
    }
    let found = edit::found(text, harness)?;
    if found.iter().all(|hook| hook.is_whole || hook.is_outdated) {
        return Ok(None);
    }
    let held = json::get(text, "hooks")?;
    let part = |held: Held| Part::Key { key: "hooks".to_owned(), value: Some(held.raw) };
    Ok(held.map(part))
}

/// Writes the plugin, unless another file is in its place.
fn install_plugin(
    real: &Path,
    before: Option<&str>,
    written: &str,
    state: &State,
    made: impl Fn(&Path) -> bool,
) -> Result<Done, SettingsError> {
    match before {
        Some(before) if before == written => return Ok(Done::Unchanged),
        Some(before) if plugin::options(before).is_none() && !is_recorded(real, before, state)? => {
            return Err(SettingsError::NotOurs);
        }
        Some(_) | None => {}
    }
    let known = ledger::find(state, real)?;
    let folders = match known {
        Some(known) => known.folders,
        None => folders_of(real, missing(real), &made),
    };
    let change = Change::Splices(vec![Splice::between("", written)]);
    ledger::keep(state, &ledger::Record::new(real, false, folders, change))?;
    if let Some(folder) = real.parent() {
        fs::create_dir_all(folder)?;
    }
    atomic::replace(real, written.as_bytes())?;
    Ok(Done::Changed)
}

/// Whether an installation wrote exactly this text; another version of Lawful may have.
fn is_recorded(real: &Path, text: &str, state: &State) -> Result<bool, SettingsError> {
    let known = ledger::find(state, real)?;
    Ok(known.and_then(|known| known.undo(text)).is_some_and(|left| left.is_empty()))
}

/// Removes the plugin, if nobody edited it.
fn uninstall_plugin(
    real: &Path,
    now: Option<String>,
    state: &State,
) -> Result<Done, SettingsError> {
    let known = ledger::find(state, real)?;
    let is_there = now.as_deref().is_some_and(plugin::is_ours);
    if let Some(now) = now.filter(|_| is_there) {
        if plugin::options(&now).is_none() && !is_recorded(real, &now, state)? {
            return Err(SettingsError::Edited);
        }
        fs::remove_file(real)?;
        for folder in known.iter().flat_map(|known| known.folders.iter().rev()) {
            // Keep it if it is not empty.
            let _ = fs::remove_dir(folder);
        }
    }
    if known.is_some() {
        ledger::forget(state, real)?;
    }
    Ok(if is_there { Done::Changed } else { Done::Unchanged })
}

/// The folders that exist because of a file: those made for prompts, and those to create.
fn folders_of(real: &Path, missing: Vec<PathBuf>, made: &impl Fn(&Path) -> bool) -> Vec<PathBuf> {
    let above = real.ancestors().skip(1).filter(|folder| made(folder));
    let mut folders: Vec<PathBuf> = above.map(Path::to_owned).collect();
    folders.reverse();
    folders.extend(missing);
    folders
}

/// The folders to create for a file, outermost first.
fn missing(path: &Path) -> Vec<PathBuf> {
    let above = path.ancestors().skip(1).take_while(|folder| !folder.exists());
    let mut folders: Vec<PathBuf> = above.map(Path::to_owned).collect();
    folders.reverse();
    folders
}

/// The text of a file; `None` if it does not exist.
fn read(path: &Path) -> Result<Option<String>, SettingsError> {
    let Some(bytes) = OsDisk.read(path)? else { return Ok(None) };
    String::from_utf8(bytes).map(Some).map_err(|_| SettingsError::NotText)
}

#[cfg(test)]
mod tests;
