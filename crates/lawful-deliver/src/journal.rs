//! Changing many files atomically.
//!
//! First, a journal records which files will be created. Then every new text is written next to its
//! place. When all of them are durable, renaming the journal commits it, and each text is moved to
//! its place. After a crash before the commit, the created files are removed; after it, the rest is
//! completed. The journal has names and hashes, and no content. It is in the state folder of the
//! user, with the ledger.
//!
//! **Invariant:** recovery from a crash at any point leaves every file as before, or every file as
//! planned. A file that someone changed in between is left as they left it.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::Scope;
use crate::atomic::{beside, folder_of};
use crate::desk::{Desk, Origin};
use crate::disk::{Disk, Kind, Mode, inside};
use crate::place::Places;
use crate::plan::Change;
use crate::reach::Reach;
use crate::seal::Sealed;
use crate::text::hash_bytes;

/// Paths in a project are relative to its root, because it may be moved or copied before this
/// completes.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Journal {
    /// Folders that are created, outermost first.
    made: Vec<PathBuf>,
    steps: Vec<Step>,
    /// Folders that are removed at the end if empty, innermost first.
    left: Vec<PathBuf>,
    /// Folders around that of the journal, removed after it if empty, outermost first.
    #[serde(default)]
    around: Vec<PathBuf>,
    /// The roles in file names.
    #[serde(default)]
    roles: Vec<String>,
}

#[derive(Debug, Deserialize, Serialize)]
struct Step {
    path: PathBuf,
    /// The file that replaces it; `None` if it is removed.
    from: Option<PathBuf>,
    /// The hash of the replaced file; `None` for a new file.
    before: Option<String>,
}

/// Changes that belong together.
pub(crate) struct Batch<'b> {
    pub(crate) changes: &'b [Change],
    /// Files that only their owner can read.
    pub(crate) private: &'b [PathBuf],
    pub(crate) made: &'b [PathBuf],
    pub(crate) left: &'b [PathBuf],
    pub(crate) around: &'b [PathBuf],
    pub(crate) reach: &'b Reach<'b>,
    pub(crate) places: &'b Places,
}

const STAGED: &str = "journal.staged.json";
const COMMITTED: &str = "journal.json";

/// The journals that are found.
enum Found {
    Nothing,
    /// An incomplete one, from before anything else was written.
    CutShort,
    /// One in a project that this user did not write there.
    Foreign,
    Ours(Journal),
}

/// Whether something was interrupted.
pub(crate) fn is_pending(disk: &impl Disk, desk: &Desk) -> io::Result<bool> {
    let mut pending = false;
    for name in [COMMITTED, STAGED] {
        pending |= match find(disk, desk, name)? {
            Found::Nothing | Found::Foreign => false,
            Found::CutShort | Found::Ours(_) => true,
        };
    }
    Ok(pending)
}

/// The names of journals that this user did not write there.
pub(crate) fn foreign(disk: &impl Disk, desk: &Desk) -> io::Result<Vec<&'static str>> {
    let mut names = Vec::new();
    for name in [COMMITTED, STAGED] {
        if matches!(find(disk, desk, name)?, Found::Foreign) {
            names.push(name);
        }
    }
    Ok(names)
}

fn find(disk: &impl Disk, desk: &Desk, name: &str) -> io::Result<Found> {
    let path = desk.folder.join(name);
    if let Origin::InProject(seal) = &desk.origin {
        // What cannot be read is not this user's either.
        let bytes = match disk.read(&path) {
            Ok(None) => return Ok(Found::Nothing),
            Ok(Some(bytes)) => bytes,
            Err(_) => return Ok(Found::Foreign),
        };
        let found = serde_json::from_slice::<Sealed<Journal>>(&bytes).ok().zip(seal.as_ref());
        let ours = found.filter(|(found, seal)| seal.is_on(disk, &desk.root, "journal", found));
        return Ok(ours.map_or(Found::Foreign, |(found, _)| Found::Ours(found.record)));
    }
    let Some(bytes) = disk.read(&path)? else { return Ok(Found::Nothing) };
    let is_json = serde_json::from_slice::<serde::de::IgnoredAny>(&bytes).is_ok();
    match serde_json::from_slice::<Journal>(&bytes) {
        Ok(journal) => Ok(Found::Ours(journal)),
        Err(_) if name == STAGED && !is_json => Ok(Found::CutShort),
        Err(error) => Err(io::Error::other(error)),
    }
}

/// Applies everything or nothing. The folder of the journal must exist.
pub(crate) fn run(disk: &impl Disk, desk: &Desk, batch: &Batch<'_>) -> io::Result<()> {
    let tag = format!("lawful-{}", std::process::id());
    let steps = batch.changes.iter().map(|change| Step {
        path: change.path.clone(),
        from: change.after.as_ref().map(|_| beside(&change.path, &tag)),
        before: change.before.as_ref().map(|text| hash_bytes(text.as_bytes())),
    });
    let (made, left) = (batch.made.to_vec(), batch.left.to_vec());
    let (around, roles) = (batch.around.to_vec(), batch.reach.roles());
    let journal = Journal { made, steps: steps.collect(), left, around, roles };
    journal.check(disk, desk, batch.reach)?;
    if let Err(error) = stage(disk, desk, &journal, batch) {
        // Revert what can be reverted now; the journal remains for the rest.
        let _ = recover(disk, desk, batch.places);
        return Err(error);
    }
    finish(disk, desk, &journal)
}

impl Journal {
    /// The journal with every path mapped.
    fn map(&self, change: impl Fn(&PathBuf) -> PathBuf) -> Self {
        let step = |step: &Step| Step {
            path: change(&step.path),
            from: step.from.as_ref().map(&change),
            before: step.before.clone(),
        };
        Self {
            steps: self.steps.iter().map(step).collect(),
            made: self.made.iter().map(&change).collect(),
            left: self.left.iter().map(&change).collect(),
            around: self.around.iter().map(&change).collect(),
            roles: self.roles.clone(),
        }
    }

    fn to_bytes(&self, disk: &impl Disk, desk: &Desk) -> io::Result<Vec<u8>> {
        let root = desk.bounds().map(|root| disk.resolve(root)).transpose()?;
        let kept = self.map(|path| {
            let inside = root.as_ref().and_then(|root| path.strip_prefix(root).ok());
            inside.unwrap_or(path).to_owned()
        });
        serde_json::to_vec(&kept).map_err(io::Error::other)
    }

    /// The journal with the current absolute paths.
    fn located(self, disk: &impl Disk, desk: &Desk) -> io::Result<Self> {
        let Some(root) = desk.bounds() else { return Ok(self) };
        let real = disk.resolve(root)?;
        Ok(self.map(|path| real.join(path)))
    }

    /// Rejects a journal with paths that Lawful must not write: before it starts, and again before
    /// another process completes it.
    fn check(&self, disk: &impl Disk, desk: &Desk, reach: &Reach<'_>) -> io::Result<()> {
        for step in &self.steps {
            confine(disk, desk, &step.path)?;
            let real = disk.resolve(&step.path)?;
            let is_record = desk.is_record(disk, &real, step.from.is_none());
            if !is_record && !reach.names_file(disk, &real) {
                return Err(unnamed(&step.path));
            }
            // A new text is next to its place, under a name of Lawful.
            if let Some(from) = &step.from {
                confine(disk, desk, from)?;
                if disk.is_link(from) || !is_beside(from, &step.path) {
                    return Err(unnamed(from));
                }
            }
        }
        for folder in self.made.iter().chain(&self.left) {
            confine(disk, desk, folder)?;
            if !reach.names_folder(disk, &disk.resolve(folder)?) {
                return Err(unnamed(folder));
            }
        }
        let is_around = |folder: &PathBuf| desk.folder.ancestors().skip(1).any(|f| f == folder);
        match self.around.iter().find(|folder| desk.scope == Scope::Project || !is_around(folder)) {
            Some(folder) => Err(unnamed(folder)),
            None => Ok(()),
        }
    }
}

/// Whether a file is the temporary file of another.
fn is_beside(from: &Path, path: &Path) -> bool {
    let (Some(name), Some(place)) = (from.file_name(), path.file_name()) else { return false };
    let (name, place) = (name.to_string_lossy(), place.to_string_lossy());
    let tag = name.strip_prefix(&format!(".{place}.lawful-")).and_then(|t| t.strip_suffix(".tmp"));
    let is_number = |tag: &str| !tag.is_empty() && tag.bytes().all(|byte| byte.is_ascii_digit());
    folder_of(from) == folder_of(path) && tag.is_some_and(is_number)
}

fn unnamed(path: &Path) -> io::Error {
    let message = format!("`{}` is not a file that a harness reads", path.display());
    io::Error::new(io::ErrorKind::PermissionDenied, message)
}

fn stage(disk: &impl Disk, desk: &Desk, journal: &Journal, batch: &Batch<'_>) -> io::Result<()> {
    let folder = &*desk.folder;
    let bytes = journal.to_bytes(disk, desk)?;
    let staged = folder.join(STAGED);
    disk.create_file(&staged, &bytes, Mode::Private)?;
    disk.sync(&[&staged, folder])?;
    for made in &journal.made {
        disk.create_folder(made, Mode::Shared)?;
    }
    for (step, change) in journal.steps.iter().zip(batch.changes) {
        let (Some(from), Some(text)) = (&step.from, &change.after) else { continue };
        let mode = if batch.private.contains(&step.path) {
            Mode::Private
        } else if change.before.is_some() {
            Mode::Like(&step.path)
        } else {
            Mode::Shared
        };
        disk.create_file(from, text.as_bytes(), mode)?;
    }
    let mut waiting = folders(disk, journal)?;
    waiting.extend(journal.steps.iter().filter_map(|step| step.from.as_deref()));
    disk.sync(&waiting)?;
    disk.rename(&staged, &folder.join(COMMITTED))?;
    disk.sync(&[folder])
}

/// Every folder that is written to, and those in which folders are created.
fn folders<'j>(disk: &impl Disk, journal: &'j Journal) -> io::Result<Vec<&'j Path>> {
    let files = journal.steps.iter().map(|step| folder_of(&step.path));
    let made = journal.made.iter().map(|made| folder_of(made));
    let mut there = Vec::new();
    for folder in files.chain(made).collect::<BTreeSet<&Path>>() {
        // A missing one was removed before the crash.
        if disk.kind(folder)? == Kind::Folder {
            there.push(folder);
        }
    }
    Ok(there)
}

/// Completes a committed journal.
fn finish(disk: &impl Disk, desk: &Desk, journal: &Journal) -> io::Result<()> {
    for step in &journal.steps {
        let is_as_it_was = as_it_was(disk, step);
        match &step.from {
            Some(from) if disk.kind(from)? == Kind::Missing => {}
            Some(from) if is_as_it_was => disk.rename(from, &step.path)?,
            Some(from) => disk.remove_file(from)?,
            None if is_as_it_was && step.before.is_some() => disk.remove_file(&step.path)?,
            None => {}
        }
    }
    disk.sync(&folders(disk, journal)?)?;
    for left in &journal.left {
        remove_empty(disk, left)?;
    }
    disk.remove_file(&desk.folder.join(COMMITTED))?;
    leave(disk, desk, journal)
}

/// Removes the folders around that of the journal, at the very end.
fn leave(disk: &impl Disk, desk: &Desk, journal: &Journal) -> io::Result<()> {
    if journal.around.is_empty() {
        return Ok(());
    }
    remove_empty(disk, &desk.folder)?;
    for around in journal.around.iter().rev() {
        remove_empty(disk, around)?;
    }
    Ok(())
}

/// Rejects a path outside the project and its records.
fn confine(disk: &impl Disk, desk: &Desk, path: &Path) -> io::Result<()> {
    let is_record = path.parent() == Some(&desk.folder) || desk.is_of_other(path);
    let is_record = is_record && desk.project().is_some();
    desk.bounds().filter(|_| !is_record).map_or(Ok(()), |root| inside(disk, root, path))
}

/// Removes a folder if it is empty. A link to a folder belongs to someone else.
pub(crate) fn remove_empty(disk: &impl Disk, folder: &Path) -> io::Result<()> {
    if disk.is_link(folder) {
        return Ok(());
    }
    if disk.kind(folder)? == Kind::Folder && disk.names(folder)?.is_empty() {
        disk.remove_folder(folder)?;
    }
    Ok(())
}

/// Whether a file is unchanged since it was read.
fn as_it_was(disk: &impl Disk, step: &Step) -> bool {
    match disk.read(&step.path) {
        Ok(bytes) => bytes.map(|bytes| hash_bytes(&bytes)) == step.before,
        Err(_) => false,
    }
}

/// Completes or reverts what was interrupted. Returns whether there was anything. The caller must
/// hold the lock of the desk, because the work of a running process is not interrupted.
pub(crate) fn recover(disk: &impl Disk, desk: &Desk, places: &Places) -> io::Result<bool> {
    for name in [COMMITTED, STAGED] {
        let journal = match find(disk, desk, name)? {
            Found::Nothing | Found::Foreign => continue,
            Found::CutShort => {
                disk.remove_file(&desk.folder.join(name))?;
                return Ok(true);
            }
            Found::Ours(journal) => journal.located(disk, desk)?,
        };
        let reach = Reach::new(desk.scope, places, journal.roles.iter().map(|role| &**role));
        journal.check(disk, desk, &reach)?;
        if name == COMMITTED {
            finish(disk, desk, &journal)?;
        } else {
            undo(disk, desk, &journal)?;
        }
        return Ok(true);
    }
    Ok(false)
}

/// Reverts a journal that was never committed.
fn undo(disk: &impl Disk, desk: &Desk, journal: &Journal) -> io::Result<()> {
    for from in journal.steps.iter().filter_map(|step| step.from.as_ref()) {
        if disk.kind(from)? != Kind::Missing {
            disk.remove_file(from)?;
        }
    }
    for made in journal.made.iter().rev() {
        remove_empty(disk, made)?;
    }
    disk.remove_file(&desk.folder.join(STAGED))
}
