//! Writing a planned lawbook.
//!
//! **Invariant:** a file is only ever created. If one cannot be, everything that was created is
//! removed again.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use lawful::book::{self, BOOK_FOLDER};
use lawful::code;
use lawful::syntax::{Diagnostic, Sources, Span};

use super::plan::PlannedFile;
use crate::codes;
use crate::failure::Failure;

/// Fails if something exists that the lawbook would replace, or that would become part of it. The
/// problems list everything.
pub(super) fn conflicts(project: &Path, files: &[PlannedFile]) -> Result<(), Failure> {
    let book = project.join(BOOK_FOLDER);
    if let Some(known) = book::book_in(project) {
        let known = known.join(book::MANIFEST);
        return Err(Failure::instead_of(&known, |span| {
            Diagnostic::new(&codes::WOULD_OVERWRITE, span, "there is a lawbook already")
                .help("edit it, and run `lawful check`")
        }));
    }
    let mut found: Vec<PathBuf> = Vec::new();
    match fs::symlink_metadata(&book) {
        Ok(known) if known.is_dir() => {
            found.extend(
                files.iter().map(|file| book.join(&file.path)).filter(|path| is_there(path)),
            );
            // Documents of someone else would be read as rules.
            for folder in book::folders() {
                let inner = book.join(folder);
                match fs::symlink_metadata(&inner) {
                    Ok(known) if known.is_dir() => {
                        let entries = fs::read_dir(&inner).into_iter().flatten().flatten();
                        found.extend(entries.map(|entry| entry.path()));
                    }
                    // A file, or a link that could lead anywhere.
                    Ok(_) => found.push(inner),
                    Err(_) => {}
                }
            }
        }
        Ok(_) => found.push(book),
        Err(_) => {}
    }
    found.sort();
    found.dedup();
    if found.is_empty() {
        return Ok(());
    }
    let mut sources = Sources::default();
    let problem = |path: &PathBuf| {
        let file = sources.add_unread(path.display().to_string());
        let message = "the file exists, and the lawbook needs its place";
        Diagnostic::new(&codes::WOULD_OVERWRITE, Span::start_of(file), message)
            .help("move it away, or run `lawful init` in another folder; nothing was written")
    };
    let problems = found.iter().map(problem).collect();
    Err(Failure::new(sources, problems))
}

/// Whether there is anything at a path, also a link to nothing.
fn is_there(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Creates the files of a lawbook in a project, which is created as well.
pub(super) fn create(project: &Path, files: &[PlannedFile]) -> Result<(), Failure> {
    conflicts(project, files)?;
    let mut made = Made::default();
    for file in files {
        let path = project.join(BOOK_FOLDER).join(&file.path);
        if let Err(error) = made.file(&path, file.text.as_bytes()) {
            made.undo();
            return Err(Failure::instead_of(&path, |span| {
                let message = format!("cannot write the file: {error}");
                Diagnostic::new(&code::UNREADABLE, span, message)
                    .help("fix the cause, such as space or permissions; nothing was left behind")
            }));
        }
    }
    Ok(())
}

/// What was created, in order.
#[derive(Default)]
struct Made {
    files: Vec<PathBuf>,
    folders: Vec<PathBuf>,
}

impl Made {
    fn file(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        if let Some(folder) = path.parent() {
            self.folder(folder)?;
        }
        // Never follows a link, and never opens what is there.
        let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
        self.files.push(path.to_owned());
        file.write_all(bytes)
    }

    fn folder(&mut self, folder: &Path) -> io::Result<()> {
        if folder.is_dir() {
            return Ok(());
        }
        if let Some(parent) = folder.parent().filter(|parent| *parent != Path::new("")) {
            self.folder(parent)?;
        }
        match fs::create_dir(folder) {
            Ok(()) => {
                self.folders.push(folder.to_owned());
                Ok(())
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && folder.is_dir() => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Removes what was created. A folder that someone else put something into stays.
    fn undo(&self) {
        for file in self.files.iter().rev() {
            let _ = fs::remove_file(file);
        }
        for folder in self.folders.iter().rev() {
            let _ = fs::remove_dir(folder);
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
