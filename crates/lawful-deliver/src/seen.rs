//! What is on the disk, looked at once, so that a plan is a pure function of it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use crate::atomic::folder_of;
use crate::disk::{Disk, Kind};
use crate::place::Located;
use crate::reach::{Reach, is_in_git};

/// What was found at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// Nothing; the folders that would have to be made for it, the outermost first.
    Missing { real: PathBuf, kept: PathBuf, folders: Vec<PathBuf> },
    /// A text.
    Text { real: PathBuf, kept: PathBuf, text: String },
    /// A link that leads out of the folder it must stay in.
    Outside,
    /// Something that cannot be written to, and why.
    Unfit(String),
}

/// Everything that was looked at, by the path that was asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    looks: BTreeMap<PathBuf, Look>,
    /// Where folders really are; most files share a few of them.
    folders: BTreeMap<PathBuf, Option<PathBuf>>,
    /// Real paths that the table of harnesses does not name, of files and folders.
    unnamed: BTreeSet<PathBuf>,
}

impl Seen {
    /// Looks at a path, unless that was done. A file is known by one path, whatever links lead to it.
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

    /// The same for a file that would be written to.
    pub(crate) fn add_named(&mut self, disk: &impl Disk, at: &Located, reach: &Reach<'_>) {
        self.add(disk, at);
        if let Some(Look::Missing { real, .. } | Look::Text { real, .. }) = self.get(&at.path)
            && !reach.names_file(disk, real)
        {
            self.unnamed.insert(real.clone());
        }
    }

    /// Whether a file, by its real path, is none of those that the table names.
    pub(crate) fn is_unnamed(&self, real: &Path) -> bool {
        self.unnamed.contains(real)
    }

    /// The one path of a file: from the folder that it must be in, with every link in it followed.
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

    /// Whether a folder really is inside of another, and around files that the table names.
    pub(crate) fn is_folder_inside(&self, at: &Located) -> bool {
        let known = |path: &Path| self.folders.get(path).cloned().flatten();
        match (known(&at.root), known(&at.path)) {
            (Some(root), Some(real)) => {
                real.strip_prefix(root).is_ok_and(is_plain) && !self.is_unnamed(&real)
            }
            (Some(_) | None, _) => false,
        }
    }

    /// Looks where a folder really is.
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

    /// Where a folder really is: where the one that it is in is, unless it is a link itself.
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

    /// The same for a folder that others are in; what is above it is not looked at.
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

/// Whether a path leads nowhere but down.
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
    // What is missing is the end of both, so folders are named as people name them.
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
