//! The registered lawbooks of a user, and which of them judges in a folder.
//!
//! An entry is found by the real path of a folder, or by the common git folder of a repository. A real
//! path takes precedence at every level, because an agent can write a `.git` that points elsewhere.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::fingerprint::Fingerprint;
use super::location::{Location, below, common_folder, home_inside};

/// The registered lawbooks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Registry {
    version: Version,
    books: Vec<Entry>,
}

/// The version of the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
enum Version {
    #[default]
    #[serde(rename = "1")]
    One,
}

/// A registered lawbook.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Entry {
    /// The roots of the working trees in which a person trusted it, or the lawbook folder outside a
    /// repository.
    pub(crate) roots: Vec<PathBuf>,
    /// The path from a root to the lawbook; empty if it is the same folder.
    pub(crate) inside: String,
    /// The common git folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) common: Option<PathBuf>,
    /// The fingerprint of the trusted copy, without `sha256:`.
    fingerprint: String,
    /// Whether the trusted content says `hooks: {law: follow}`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) follow: bool,
    /// The fingerprints that were trusted before, latest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    earlier: Vec<String>,
}

/// Which registered lawbook judges in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Found<'r> {
    /// This one, in the working tree with this root.
    One(&'r Entry, PathBuf),
    /// One of several lawbooks of the project, none of which is above the folder.
    Several(Vec<PathBuf>),
    /// None.
    Nothing,
}

impl Entry {
    /// The fingerprint of the trusted copy.
    pub(crate) fn fingerprint(&self) -> Option<Fingerprint> {
        Fingerprint::parse(&self.fingerprint)
    }

    /// The lawbook folder in which it was trusted first.
    pub(crate) fn folder(&self) -> Option<PathBuf> {
        self.roots.first().map(|root| below(root, &self.inside))
    }

    /// Whether a fingerprint was trusted here before the current one.
    pub(crate) fn was(&self, fingerprint: &Fingerprint) -> bool {
        self.fingerprint != fingerprint.digits()
            && self.earlier.iter().any(|earlier| earlier == fingerprint.digits())
    }
}

impl Registry {
    /// Every entry.
    pub(crate) fn entries(&self) -> &[Entry] {
        &self.books
    }

    /// The entry of a lawbook folder.
    pub(crate) fn of_book(&self, book: &Location) -> Option<&Entry> {
        self.index_of(book).and_then(|at| self.books.get(at))
    }

    fn index_of(&self, book: &Location) -> Option<usize> {
        let folder = book.folder();
        let is_there =
            |entry: &Entry| entry.roots.iter().any(|root| below(root, &entry.inside) == folder);
        let is_tree = |entry: &Entry| {
            entry.common.is_some() && entry.common == book.common && entry.inside == book.inside
        };
        let position = |matches: &dyn Fn(&Entry) -> bool| self.books.iter().position(matches);
        position(&is_there).or_else(|| position(&is_tree))
    }

    /// The lawbook that judges in a folder: the nearest registered one above it, otherwise the only
    /// one of the nearest project above it that has one.
    pub(crate) fn find(&self, folder: &Path) -> Found<'_> {
        if self.books.is_empty() {
            return Found::Nothing;
        }
        for root in folder.ancestors() {
            let here = |entry: &&Entry| entry.roots.iter().any(|known| known == root);
            match choose(&self.books.iter().filter(here).collect::<Vec<_>>(), root, folder) {
                Found::Nothing => {}
                // The folder can be in a linked working tree that is inside the main one.
                Found::One(entry, root) => return Found::One(entry, tree(entry, folder, root)),
                several @ Found::Several(_) => return several,
            }
        }
        for root in folder.ancestors() {
            let Some(common) = common_folder(root) else { continue };
            let here = |entry: &&Entry| entry.common.as_ref() == Some(&common);
            match choose(&self.books.iter().filter(here).collect::<Vec<_>>(), root, folder) {
                Found::Nothing => {}
                found @ (Found::One(..) | Found::Several(_)) => return found,
            }
        }
        Found::Nothing
    }

    /// Registers a lawbook, in place of what was registered for it.
    pub(crate) fn register(&mut self, book: Location, fingerprint: &Fingerprint, follow: bool) {
        /// How many earlier fingerprints are remembered.
        const EARLIER: usize = 64;
        /// How many working trees are remembered after they are gone.
        const ROOTS: usize = 64;
        let digits = fingerprint.digits().to_owned();
        let at = self.index_of(&book);
        let taken = self.books.iter().enumerate().any(|(other, entry)| {
            Some(other) != at && entry.common == book.common && entry.inside == book.inside
        });
        // A `.git` that points to the repository of another entry identifies nothing here.
        let common = book.common.filter(|_| !taken);
        if let Some(entry) = at.and_then(|at| self.books.get_mut(at)) {
            if entry.fingerprint != digits {
                let before = std::mem::replace(&mut entry.fingerprint, digits.clone());
                entry.earlier.retain(|earlier| *earlier != digits && *earlier != before);
                entry.earlier.insert(0, before);
                entry.earlier.truncate(EARLIER);
            }
            // The project has another root by now, such as that of a new repository.
            if entry.inside != book.inside {
                entry.roots.clear();
                entry.inside = book.inside;
            }
            if !entry.roots.contains(&book.root) {
                entry.roots.push(book.root);
            }
            // Working trees come and go; the path of one that is gone still protects it.
            if entry.roots.len() > ROOTS {
                entry.roots.retain(|root| root.exists());
            }
            entry.common = common;
            entry.follow = follow;
            return;
        }
        self.books.push(Entry {
            roots: vec![book.root],
            inside: book.inside,
            common,
            fingerprint: digits,
            follow,
            earlier: Vec::new(),
        });
    }

    /// Removes what is registered for a lawbook; says whether anything was.
    pub(crate) fn revoke(&mut self, book: &Location) -> bool {
        let mut any = false;
        while let Some(at) = self.index_of(book) {
            self.books.remove(at);
            any = true;
        }
        any
    }
}

/// Which lawbook of a working tree judges in a folder.
fn choose<'r>(entries: &[&'r Entry], root: &Path, folder: &Path) -> Found<'r> {
    // How near a lawbook is; of two that are for the same folder, its own manifest takes precedence.
    let nearness = |entry: &&Entry| {
        let home = home_inside(&entry.inside);
        let is_within = |inside: &str| folder.starts_with(below(root, inside));
        match (is_within(&entry.inside), is_within(home)) {
            (true, _) => Some((entry.inside.len(), true)),
            (false, true) => Some((home.len(), false)),
            (false, false) => None,
        }
    };
    let near = entries.iter().filter_map(|entry| Some((nearness(entry)?, entry)));
    if let Some((_, entry)) = near.max_by_key(|(nearness, _)| *nearness) {
        return Found::One(entry, root.to_owned());
    }
    match entries {
        [] => Found::Nothing,
        [only] => Found::One(only, root.to_owned()),
        [..] => Found::Several(entries.iter().map(|entry| below(root, &entry.inside)).collect()),
    }
}

/// The nearest working tree of an entry that contains a folder.
fn tree(entry: &Entry, folder: &Path, root: PathBuf) -> PathBuf {
    let Some(common) = &entry.common else { return root };
    let nearer = folder.ancestors().take_while(|above| *above != root);
    nearer
        .filter(|above| common_folder(above).as_ref() == Some(common))
        .map(Path::to_owned)
        .next()
        .unwrap_or(root)
}

#[cfg(test)]
mod tests;
