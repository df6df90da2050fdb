//! The settings file of a harness: where it is, and adding and removing the hook.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::disk::{Disk as _, OsDisk};
use crate::keys::json;
use crate::ledger::settings as ledger;
use crate::reach::is_in_git;
use crate::{EditError, Hook, State, atomic, edit};

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

/// The hook in a settings file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookInSettings {
    /// Its state.
    pub state: HookState,
    /// The command that the harness runs, if the settings have one.
    pub command: Option<String>,
}

/// The state of the hook in a settings file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HookState {
    /// As it was installed.
    Clean,
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

    /// Adds the hook. `made` says whether a file or folder was created for prompts.
    pub fn install(
        &self,
        harness: &Hook,
        command: &str,
        state: &State,
        made: impl Fn(&Path) -> bool,
    ) -> Result<Done, SettingsError> {
        let real = self.real_path()?;
        let before = read(&real)?;
        let now = before.clone().unwrap_or_default();
        if edit::put_in(&now, harness, command)?.is_none() {
            return Ok(Done::Unchanged);
        }
        // On reinstallation, keep what was there before the first one. If that is unknown, the text
        // has an entry of Lawful and cannot be restored to.
        let known = ledger::find(state, &real)?;
        let first = known.as_ref().and_then(|known| known.undo(&now));
        let is_known = first.is_some();
        let first = first.unwrap_or(now);
        let Some((written, separators)) = edit::put_in(&first, harness, command)? else {
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
                None => {
                    let above = real.ancestors().skip(1).filter(|folder| made(folder));
                    let mut folders: Vec<PathBuf> = above.map(Path::to_owned).collect();
                    folders.reverse();
                    folders.extend(missing);
                    (before.is_some() && !made(&real), folders)
                }
            };
            let change = ledger::Change::of(&first, &written, separators);
            ledger::keep(state, &ledger::Record::new(&real, existed, folders, change))?;
        }
        if let Some(folder) = real.parent() {
            fs::create_dir_all(folder)?;
        }
        atomic::replace(&real, written.as_bytes())?;
        Ok(Done::Changed)
    }

    /// Removes the hook. A file that Lawful created is deleted, and its folder too if Lawful
    /// created it and it is empty.
    pub fn uninstall(&self, harness: &Hook, state: &State) -> Result<Done, SettingsError> {
        let real = self.real_path()?;
        let now = read(&real)?;
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
        match known {
            Some(known) if !known.existed && json::is_bare(&left) => {
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

    /// The hook in the file; `None` if it has none and no installation is recorded. A project can
    /// come with a hook that someone else installed, so a record is not required.
    pub fn hook(&self, harness: &Hook, state: Option<&State>) -> Option<HookInSettings> {
        let real = self.real_path().ok();
        let record = || ledger::find(state?, real.as_deref()?).ok().flatten();
        let absent = |state| record().map(|_| HookInSettings { state, command: None });
        let text = match real.as_deref().map(read) {
            Some(Ok(Some(text))) => text,
            Some(Ok(None)) => return absent(HookState::Missing),
            Some(Err(_)) | None => return absent(HookState::Foreign),
        };
        let Ok(found) = edit::found(&text, harness) else { return absent(HookState::Foreign) };
        let Some(first) = found.first() else {
            let other = record().and_then(|record| record.replacement(&text));
            let replaced =
                |command| HookInSettings { state: HookState::Drifted, command: Some(command) };
            return other.map(replaced).or_else(|| absent(HookState::Missing));
        };
        let as_recorded = record()
            .is_none_or(|record| record.wrote(&first.command) || record.undo(&text).is_some());
        let is_clean = found.len() == 1 && first.is_whole && as_recorded;
        let state = if is_clean { HookState::Clean } else { HookState::Drifted };
        Some(HookInSettings { state, command: Some(first.command.clone()) })
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
