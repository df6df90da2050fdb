//! The files that Lawful can write: those that the table of harnesses names for a scope, and
//! nothing below a `.git`.
//!
//! Plans, journals that are completed after a crash, and files that a ledger restores are all
//! checked here. In a project, a link can lead from a file of the table to another file of the
//! project, which then counts as that file.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

pub(crate) use lawful::book::is_in_git;

use crate::disk::Disk;
use crate::harness::{Place, Used};
use crate::ledger::Ledger;
use crate::place::Places;
use crate::prompts::is_plain_role;
use crate::{HARNESSES, Scope};

/// What can be written.
pub(crate) struct Reach<'a> {
    scope: Scope,
    places: &'a Places,
    /// The roles in file names.
    roles: BTreeSet<&'a str>,
}

impl<'a> Reach<'a> {
    pub(crate) fn new(
        scope: Scope,
        places: &'a Places,
        roles: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let roles = roles.into_iter().filter(|role| is_plain_role(role)).collect();
        Self { scope, places, roles }
    }

    /// The same for everything in these ledgers.
    pub(crate) fn of(scope: Scope, places: &'a Places, ledgers: &[&'a Ledger]) -> Self {
        let entries = ledgers.iter().flat_map(|ledger| &ledger.files);
        Self::new(scope, places, entries.map(|entry| &*entry.role))
    }

    /// The roles, to store in a journal.
    pub(crate) fn roles(&self) -> Vec<String> {
        self.roles.iter().map(|role| (*role).to_owned()).collect()
    }

    /// Whether the table names a file, by its real path, or a link to it.
    pub(crate) fn names_file(&self, disk: &impl Disk, real: &Path) -> bool {
        let Some(inside) = self.inside(disk, real) else { return false };
        if is_in_git(&inside) {
            return false;
        }
        self.names(&inside) || self.behind_links(disk).any(|path| path == real)
    }

    /// Whether the table names a file itself, by its path in the folder that must contain it.
    pub(crate) fn names(&self, inside: &Path) -> bool {
        let words = words(inside);
        let is_named = |(_, pattern): &(Place, String)| match self.scope {
            Scope::Project => fits(&words, pattern),
            // A variable may have moved the folder then, and not now.
            Scope::User => (0..words.len())
                .any(|from| words.get(from..).is_some_and(|rest| fits(rest, pattern))),
        };
        self.files().iter().any(is_named)
    }

    /// Whether a folder, by its real path, contains such files.
    pub(crate) fn names_folder(&self, disk: &impl Disk, real: &Path) -> bool {
        let Some(inside) = self.inside(disk, real) else { return false };
        if is_in_git(&inside) || inside == Path::new("") {
            return false;
        }
        // Folders of a user come from the user's own ledger, and are removed only if empty.
        if self.scope == Scope::User {
            return true;
        }
        let words = words(&inside);
        let is_around = |(_, pattern): &(Place, String)| {
            let parts: Vec<&str> = pattern.split('/').collect();
            let above = parts.get(..words.len()).filter(|above| above.len() < parts.len());
            above.is_some_and(|above| fits(&words, &above.join("/")))
        };
        self.files().iter().any(is_around)
            || self
                .behind_links(disk)
                .any(|path| path.ancestors().skip(1).any(|above| above == real))
    }

    /// A path relative to the folder that must contain it.
    fn inside(&self, disk: &impl Disk, real: &Path) -> Option<PathBuf> {
        if real.components().any(|part| part == Component::ParentDir) {
            return None;
        }
        let from = |root: &Path| {
            let root = disk.resolve(root).ok()?;
            real.strip_prefix(root).ok().map(Path::to_owned)
        };
        match self.scope {
            Scope::Project => from(self.places.project()),
            Scope::User => {
                let home = self.places.home().and_then(from);
                Some(home.unwrap_or_else(|| real.to_owned()))
            }
        }
    }

    /// Every file that the table names for the scope.
    fn files(&self) -> Vec<(Place, String)> {
        let mut found = Vec::new();
        for surface in HARNESSES.iter().flat_map(|harness| harness.surfaces) {
            if surface.scope != self.scope || surface.used == Used::ByHand {
                continue;
            }
            found.push((surface.place, surface.place.path.to_owned()));
            if let Some(switch) = surface.switch {
                found.push((switch.place, switch.place.path.to_owned()));
                if switch.or_jsonc {
                    let other = Path::new(switch.place.path).with_extension("jsonc");
                    found.push((switch.place, other.to_string_lossy().into_owned()));
                }
            }
        }
        found
    }

    /// The real paths of the files in the table.
    fn behind_links(&self, disk: &impl Disk) -> impl Iterator<Item = PathBuf> {
        let mut found = Vec::new();
        for (place, pattern) in self.files() {
            let of_role = |role: &str| {
                let at = self.places.locate_path(place.base, &pattern, role)?;
                disk.resolve(&at.path).ok()
            };
            if pattern.contains("{role}") {
                found.extend(self.roles.iter().filter_map(|role| of_role(role)));
            } else {
                found.extend(of_role(""));
            }
        }
        found.into_iter()
    }
}

/// The parts of a path. A part that is not UTF-8 matches nothing.
fn words(path: &Path) -> Vec<String> {
    path.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect()
}

/// Whether the parts of a path match a pattern, in which `{role}` stands for any role.
fn fits(words: &[String], pattern: &str) -> bool {
    let parts: Vec<&str> = pattern.split('/').collect();
    parts.len() == words.len()
        && parts.iter().zip(words).all(|(part, word)| match part.split_once("{role}") {
            None => part == word,
            Some((before, after)) => word
                .strip_prefix(before)
                .and_then(|rest| rest.strip_suffix(after))
                .is_some_and(is_plain_role),
        })
}
