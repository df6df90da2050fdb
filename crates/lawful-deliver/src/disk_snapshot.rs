//! A snapshot of the disk, so that a plan is a pure function of it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use crate::atomic::folder_of;
use crate::disk::{Disk, Kind};
use crate::place::Located;
use crate::reach::{Reach, is_in_git};

/// What was found at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// Nothing; with the folders to create for it, outermost first.
    Missing { real: PathBuf, kept: PathBuf, folders: Vec<PathBuf> },
    /// A text.
    Text { real: PathBuf, kept: PathBuf, text: String },
    /// A link that leads out of the folder that must contain it.
    Outside,
    /// Something that cannot be written, and why.
    Unfit(String),
}

/// Everything that was read, by requested path.
#[derive(Clone, Debug, Default)]
pub(crate) struct DiskSnapshot {
    looks: BTreeMap<PathBuf, Look>,
    /// The real paths of folders, which most files share.
    folders: BTreeMap<PathBuf, Option<PathBuf>>,
    /// Real paths of files and folders that the table of harnesses does not name.
    unnamed: BTreeSet<PathBuf>,
}

impl DiskSnapshot {
    /// Reads a path, unless already done. A file has one path, whatever links lead to it.
    pub(crate) fn add(&mut self, disk: &impl Disk, at: &Located) {
        if !self.looks.contains_key(&at.path) {
            let look = self.look(disk, at);
            if let Look::Missing { kept, .. } | Look::Text { kept, .. } = &look
                && *kept != at.path
            {
                self.looks.insert(kept.clone(), look.clone());
            }
            self.looks.insert(at.path.clone(), look);
        }
    }

    /// Like [`add`](Self::add), for a file that will be written.
    pub(crate) fn add_named(&mut self, disk: &impl Disk, at: &Located, reach: &Reach<'_>) {
        self.add(disk, at);
        if let Some(Look::Missing { real, .. } | Look::Text { real, .. }) = self.get(&at.path)
            && !reach.names_file(disk, real)
        {
            self.unnamed.insert(real.clone());
        }
    }

    /// Whether the table does not name a file, by its real path.
    pub(crate) fn is_unnamed(&self, real: &Path) -> bool {
        self.unnamed.contains(real)
    }

    /// The canonical path of a file: relative to the folder that must contain it, with every link
    /// resolved.
    pub(crate) fn kept(&self, path: &Path) -> Option<&Path> {
        match self.get(path)? {
            Look::Missing { kept, .. } | Look::Text { kept, .. } => Some(kept),
            Look::Outside | Look::Unfit(_) => None,
        }
    }

    fn look(&mut self, disk: &impl Disk, at: &Located) -> Look {
        let Some(root) = self.root(disk, &at.root) else { return Look::Outside };
        let Some(real) = self.resolve(disk, &at.path) else { return Look::Outside };
        match real.strip_prefix(&root) {
            Ok(inside) if is_in_git(inside) => Look::Unfit("it is below `.git`".to_owned()),
            Ok(inside) if is_plain(inside) => {
                let kept = at.root.join(inside);
                look(disk, real, kept)
            }
            Ok(_) | Err(_) => Look::Outside,
        }
    }

    /// Whether a folder is really inside another, and contains files that the table names.
    pub(crate) fn is_folder_inside(&self, at: &Located) -> bool {
        let known = |path: &Path| self.folders.get(path).cloned().flatten();
        match (known(&at.root), known(&at.path)) {
            (Some(root), Some(real)) => {
                real.strip_prefix(root).is_ok_and(is_plain) && !self.is_unnamed(&real)
            }
            (Some(_) | None, _) => false,
        }
    }

    /// Resolves a folder.
    pub(crate) fn add_folder(&mut self, disk: &impl Disk, at: &Located, reach: &Reach<'_>) {
        self.root(disk, &at.root);
        if let Some(real) = self.folder(disk, &at.path)
            && !reach.names_folder(disk, &real)
        {
            self.unnamed.insert(real);
        }
    }

    fn resolve(&mut self, disk: &impl Disk, path: &Path) -> Option<PathBuf> {
        let real = self.folder(disk, folder_of(path))?.join(path.file_name()?);
        if disk.is_link(&real) { disk.resolve(&real).ok() } else { Some(real) }
    }

    /// The real path of a folder: below that of its parent, unless it is a link itself.
    fn folder(&mut self, disk: &impl Disk, folder: &Path) -> Option<PathBuf> {
        if let Some(known) = self.folders.get(folder) {
            return known.clone();
        }
        let real = match (folder.parent(), folder.file_name()) {
            (Some(above), Some(_)) if above != Path::new("") => self.resolve(disk, folder),
            (Some(_) | None, _) => disk.resolve(folder).ok(),
        };
        self.folders.insert(folder.to_owned(), real.clone());
        real
    }

    /// Like [`folder`](Self::folder), for a root; its parents are not read.
    fn root(&mut self, disk: &impl Disk, root: &Path) -> Option<PathBuf> {
        if !self.folders.contains_key(root) {
            self.folders.insert(root.to_owned(), disk.resolve(root).ok());
        }
        self.folders.get(root).cloned().flatten()
    }

    pub(crate) fn get(&self, path: &Path) -> Option<&Look> {
        self.looks.get(path)
    }

    /// What was found at a real path.
    pub(crate) fn by_real(&self, path: &Path) -> Option<&Look> {
        self.looks.values().find(|look| match look {
            Look::Missing { real, .. } | Look::Text { real, .. } => real == path,
            Look::Outside | Look::Unfit(_) => false,
        })
    }

    /// Whether there is a file at a path.
    pub(crate) fn is_file(&self, path: &Path) -> bool {
        matches!(self.get(path), Some(Look::Text { .. }))
    }
}

/// Whether a path only goes down.
pub(crate) fn is_plain(path: &Path) -> bool {
    path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

fn look(disk: &impl Disk, real: PathBuf, kept: PathBuf) -> Look {
    match disk.read(&real) {
        Ok(Some(bytes)) => match String::from_utf8(bytes) {
            Ok(text) => Look::Text { real, kept, text },
            Err(_) => Look::Unfit("it is not UTF-8 text".to_owned()),
        },
        Ok(None) => missing(disk, real, kept),
        Err(error) => match disk.kind(&real) {
            Ok(Kind::Folder) => Look::Unfit("it is a folder".to_owned()),
            Ok(Kind::Missing | Kind::File | Kind::Other) | Err(_) => Look::Unfit(error.to_string()),
        },
    }
}

fn missing(disk: &impl Disk, real: PathBuf, kept: PathBuf) -> Look {
    let mut folders = Vec::new();
    // The missing part is the end of both paths, so folders are shown as the user writes them.
    for (above, shown) in real.ancestors().zip(kept.ancestors()).skip(1) {
        match disk.kind(above) {
            Ok(Kind::Folder) => break,
            Ok(Kind::Missing) => folders.push(shown.to_owned()),
            Ok(Kind::File | Kind::Other) => {
                return Look::Unfit(format!("`{}` is not a folder", shown.display()));
            }
            Err(error) => return Look::Unfit(error.to_string()),
        }
    }
    folders.reverse();
    Look::Missing { real, kept, folders }
}
