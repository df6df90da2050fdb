//! The folder that envelopes and artifacts are written to.
//!
//! **Invariant:** a lawbook may be untrusted, and so may the links in its folder. Nothing is written
//! below `.git`, to a file that is a symbolic link, or outside the lawbook by way of a link in it.

use std::ffi::OsStr;
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf, absolute};

use lawful::book::is_in_git;
use lawful::code;
use lawful::syntax::{Code, Diagnostic};
use lawful_deliver::codes;

use super::Home;
use crate::failure::Failure;

/// A folder that may be written to.
#[derive(Debug)]
pub struct OutputFolder {
    /// Its path as given, for diagnostics.
    shown: PathBuf,
    /// Its path without links.
    real: PathBuf,
}

impl OutputFolder {
    /// A folder that the user named. It can be anywhere, but links in the lawbook do not lead out of
    /// the lawbook.
    pub fn named(folder: &Path, home: Option<&Home>) -> Result<Self, Failure> {
        let book = home.map(|home| &*home.folder).filter(|book| is_written_below(folder, book));
        Self::new(folder, book)
    }

    /// A folder that must be inside another one.
    pub(super) fn inside(root: &Path, folder: &Path) -> Result<Self, Failure> {
        Self::new(folder, Some(root))
    }

    fn new(folder: &Path, root: Option<&Path>) -> Result<Self, Failure> {
        let unusable = |error| cannot_write(folder, &error);
        let real = real_path(folder).map_err(unusable)?;
        let root = root.map(Path::canonicalize).transpose().map_err(unusable)?;
        let Some(real) = real.filter(|real| root.is_none_or(|root| real.starts_with(root))) else {
            let message = "this is a link that leads out of the lawbook, or to nothing";
            return Err(refused(folder, &codes::OUTSIDE_ROOT, message, "replace it with a folder"));
        };
        if is_in_git(&real) {
            let message = "this is below `.git`, where Lawful writes nothing";
            return Err(refused(folder, &codes::CANNOT_DELIVER, message, "use another folder"));
        }
        Ok(Self { shown: folder.to_owned(), real })
    }

    /// Refuses files that are links, before anything is written.
    pub(super) fn refuse_links(&self, names: &[&str]) -> Result<(), Failure> {
        for name in names {
            if self.real.join(name).is_symlink() {
                let message = "this is a symbolic link, and Lawful does not write through it";
                let shown = self.shown.join(name);
                return Err(refused(&shown, &codes::CANNOT_DELIVER, message, "remove it"));
            }
        }
        Ok(())
    }

    /// The real path of a file, and the path for diagnostics.
    pub(super) fn file(&self, name: &str) -> (PathBuf, PathBuf) {
        (self.real.join(name), self.shown.join(name))
    }

    /// Writes a file atomically, and creates the folder.
    pub(super) fn write(&self, name: &str, text: &str) -> Result<(), Failure> {
        self.refuse_links(&[name])?;
        let (real, shown) = self.file(name);
        std::fs::create_dir_all(&self.real)
            .and_then(|()| lawful_deliver::write_atomically(&real, text.as_bytes()))
            .map_err(|error| cannot_write(&shown, &error))
    }
}

/// The path of a folder without links; what does not exist has none. `None` if a link leads to
/// nothing, because creating the folder would follow it.
fn real_path(folder: &Path) -> io::Result<Option<PathBuf>> {
    let folder = absolute(folder)?;
    let mut missing: Vec<&OsStr> = Vec::new();
    let mut existing = &*folder;
    while let Err(error) = existing.symlink_metadata() {
        match (existing.parent(), existing.file_name()) {
            (Some(parent), Some(name)) if error.kind() == ErrorKind::NotFound => {
                missing.push(name);
                existing = parent;
            }
            _ => return Err(error),
        }
    }
    match existing.canonicalize() {
        Ok(mut real) => {
            real.extend(missing.iter().rev());
            Ok(Some(real))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether a path is below a folder as it is written, whatever its links lead to.
fn is_written_below(path: &Path, folder: &Path) -> bool {
    let Ok(path) = absolute(path) else { return false };
    [absolute(folder), folder.canonicalize()].iter().flatten().any(|folder| {
        path.strip_prefix(folder)
            .is_ok_and(|rest| !rest.components().any(|part| part == Component::ParentDir))
    })
}

fn refused(path: &Path, code: &'static Code, message: &str, help: &str) -> Failure {
    Failure::instead_of(path, |span| Diagnostic::new(code, span, message).help(help))
}

fn cannot_write(path: &Path, error: &io::Error) -> Failure {
    Failure::instead_of(path, |span| {
        let message = format!("cannot write the file: {error}");
        Diagnostic::new(&code::UNREADABLE, span, message)
    })
}
