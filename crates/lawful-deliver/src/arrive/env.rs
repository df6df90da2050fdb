//! The `.env` files of a harness. A new one can hide another that has the keys of the user.

use std::path::{Path, PathBuf};

use super::Reader;
use crate::harness::{Switch, Syntax};
use crate::keys;
use crate::place::Places;
use crate::reading::EnvFiles;

/// The `.env` files that a harness looks for, in order. Those of the home come last.
pub(super) fn candidates(places: &Places, files: EnvFiles, switch: &Switch) -> Vec<PathBuf> {
    let own = Path::new(switch.place.path);
    let home = places.home();
    let mut found: Vec<PathBuf> = Vec::new();
    for folder in places.start().ancestors() {
        // Where the home is on the way, its files are those of the home.
        if files == EnvFiles::FirstAndHome && Some(folder) == home {
            break;
        }
        found.extend([folder.join(own), folder.join(".env")]);
    }
    found.extend(in_home(places, switch));
    found
}

fn in_home(places: &Places, switch: &Switch) -> Vec<PathBuf> {
    let own = Path::new(switch.place.path);
    places.home().map(|home| vec![home.join(own), home.join(".env")]).unwrap_or_default()
}

impl Reader<'_> {
    /// The files that the harness reads, in order, if `also` exists too.
    fn env_files(&self, files: EnvFiles, switch: &Switch, also: Option<&Path>) -> Vec<PathBuf> {
        let home = in_home(self.places, switch);
        let is_trusted = self.is_trusted();
        let is_own = |path: &Path| path.ends_with(switch.place.path);
        let exists = |path: &&PathBuf| {
            let is_there = (self.now)(path).is_some() || also == Some(path);
            let is_allowed = is_trusted || home.contains(path) || !is_own(path);
            is_there && is_allowed
        };
        let all = candidates(self.places, files, switch);
        let mut found: Vec<PathBuf> = all.iter().find(exists).cloned().into_iter().collect();
        if files == EnvFiles::FirstAndHome {
            found.extend(
                home.iter()
                    .filter(exists)
                    .filter(|path| !found.contains(path))
                    .cloned()
                    .collect::<Vec<_>>(),
            );
        }
        found
    }

    /// The value of a variable, and the file that has it.
    pub(super) fn env_value(&self, files: EnvFiles, switch: &Switch) -> Option<(PathBuf, String)> {
        self.env_files(files, switch, None).into_iter().find_map(|path| {
            let file = (self.now)(&path)?;
            let held = keys::get(Syntax::Env, &file, switch.key).ok()??;
            Some((path, held.text.unwrap_or(held.raw)))
        })
    }

    /// The file with keys that the harness reads now, and would not read if `new` existed.
    pub(super) fn hidden_env(
        &self,
        files: EnvFiles,
        switch: &Switch,
        new: &Path,
    ) -> Option<PathBuf> {
        if (self.now)(new).is_some() {
            return None;
        }
        let after = self.env_files(files, switch, Some(new));
        let before = self.env_files(files, switch, None);
        let has_keys = |path: &PathBuf| {
            let file = (self.now)(path).unwrap_or_default();
            let mut names =
                file.lines().filter_map(|line| line.split_once('=')).map(|(name, _)| name);
            names.any(|name| name.trim() != switch.key && !name.trim_start().starts_with('#'))
        };
        before.into_iter().find(|path| !after.contains(path) && has_keys(path))
    }

    /// The file that the harness would read instead of `new`, if that existed.
    pub(super) fn env_instead(
        &self,
        files: EnvFiles,
        switch: &Switch,
        new: &Path,
    ) -> Option<PathBuf> {
        let after = self.env_files(files, switch, Some(new));
        if after.iter().any(|path| path == new) { None } else { after.into_iter().next() }
    }
}
