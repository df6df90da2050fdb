//! Many files changed as one.
//!
//! First a journal says which files will be made, then every new text is written beside its place,
//! and only when all of them are on the disk is the journal renamed, which commits it. Then each text
//! is put in its place. After a crash before the commit what was made is removed; after it, what is
//! left to do is done. The journal holds names and hashes, and no text of anybody.
//!
//! **Invariant:** recovering from a crash at any point leaves every file as it was before, or every
//! file as it was to be; a file that somebody changed in between is left as they left it.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::atomic::{beside, folder_of};
use crate::disk::{Disk, Kind, Mode, inside};
use crate::plan::Change;
use crate::text::hash_bytes;

#[derive(Debug, Deserialize, Serialize)]
struct Journal {
    /// Folders that are made, the outermost first.
    made: Vec<PathBuf>,
    steps: Vec<Step>,
    /// Folders that are removed at the end if they are empty, the innermost first.
    left: Vec<PathBuf>,
}

#[derive(Debug, Deserialize, Serialize)]
struct Step {
    path: PathBuf,
    /// The file that takes its place; `None` if it is removed.
    from: Option<PathBuf>,
    /// The hash of what is replaced; `None` if there is nothing.
    before: Option<String>,
}

/// Changes that belong together.
pub(crate) struct Batch<'b> {
    pub(crate) changes: &'b [Change],
    /// Files that only their owner may read.
    pub(crate) private: &'b [PathBuf],
    pub(crate) made: &'b [PathBuf],
    pub(crate) left: &'b [PathBuf],
}

const STAGED: &str = "journal.staged.json";
const COMMITTED: &str = "journal.json";

/// Whether something was interrupted.
pub(crate) fn is_pending(disk: &impl Disk, folder: &Path) -> io::Result<bool> {
    let there = |name: &str| disk.kind(&folder.join(name)).map(|kind| kind != Kind::Missing);
    Ok(there(COMMITTED)? || there(STAGED)?)
}

/// Does everything or nothing. The folder of the journal must be there.
pub(crate) fn run(disk: &impl Disk, folder: &Path, batch: &Batch<'_>) -> io::Result<()> {
    let tag = format!("lawful-{}", std::process::id());
    let steps = batch.changes.iter().map(|change| Step {
        path: change.path.clone(),
        from: change.after.as_ref().map(|_| beside(&change.path, &tag)),
        before: change.before.as_ref().map(|text| hash_bytes(text.as_bytes())),
    });
    let (made, left) = (batch.made.to_vec(), batch.left.to_vec());
    let journal = Journal { made, steps: steps.collect(), left };
    if let Err(error) = stage(disk, folder, &journal, batch) {
        // What can be taken back now need not wait; the journal is there for the rest.
        let _ = recover(disk, folder, None);
        return Err(error);
    }
    finish(disk, folder, &journal)
}

fn stage(disk: &impl Disk, folder: &Path, journal: &Journal, batch: &Batch<'_>) -> io::Result<()> {
    let bytes = serde_json::to_vec(journal).map_err(io::Error::other)?;
    disk.create_file(&folder.join(STAGED), &bytes, Mode::Private)?;
    disk.sync_folder(folder)?;
    for made in &journal.made {
        disk.create_folder(made, Mode::Shared)?;
    }
    for (step, change) in journal.steps.iter().zip(batch.changes) {
        let (Some(from), Some(text)) = (&step.from, &change.after) else { continue };
        let mode = if change.before.is_some() {
            Mode::Like(&step.path)
        } else if batch.private.contains(&step.path) {
            Mode::Private
        } else {
            Mode::Shared
        };
        disk.create_file(from, text.as_bytes(), mode)?;
    }
    sync(disk, journal)?;
    disk.rename(&folder.join(STAGED), &folder.join(COMMITTED))?;
    disk.sync_folder(folder)
}

/// Waits for the names in every folder that is written to, and of folders that are made.
fn sync(disk: &impl Disk, journal: &Journal) -> io::Result<()> {
    let files = journal.steps.iter().map(|step| folder_of(&step.path));
    let folders = journal.made.iter().map(|made| folder_of(made));
    for folder in files.chain(folders).collect::<BTreeSet<&Path>>() {
        // One that is gone was removed before the crash that this recovers from.
        if disk.kind(folder)? == Kind::Folder {
            disk.sync_folder(folder)?;
        }
    }
    Ok(())
}

/// Does what a committed journal says and was not done yet.
fn finish(disk: &impl Disk, folder: &Path, journal: &Journal) -> io::Result<()> {
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
    sync(disk, journal)?;
    for left in &journal.left {
        remove_empty(disk, left)?;
    }
    disk.remove_file(&folder.join(COMMITTED))
}

/// Refuses a journal that names anything outside of a folder.
fn confine(disk: &impl Disk, journal: &Journal, bounds: Option<&Path>) -> io::Result<()> {
    let Some(root) = bounds else { return Ok(()) };
    let files = journal.steps.iter().flat_map(|step| step.from.iter().chain([&step.path]));
    for path in files.chain(&journal.made).chain(&journal.left) {
        inside(disk, root, path)?;
    }
    Ok(())
}

/// Removes a folder, unless something is in it.
fn remove_empty(disk: &impl Disk, folder: &Path) -> io::Result<()> {
    if disk.kind(folder)? == Kind::Folder && disk.names(folder)?.is_empty() {
        disk.remove_folder(folder)?;
    }
    Ok(())
}

/// Whether nobody changed a file since it was looked at.
fn as_it_was(disk: &impl Disk, step: &Step) -> bool {
    match disk.read(&step.path) {
        Ok(bytes) => bytes.map(|bytes| hash_bytes(&bytes)) == step.before,
        Err(_) => false,
    }
}

/// Finishes or takes back what was interrupted. Whether there was anything.
///
/// Every path must be within `bounds`: a journal may have come with the project.
pub(crate) fn recover(disk: &impl Disk, folder: &Path, bounds: Option<&Path>) -> io::Result<bool> {
    if let Some(bytes) = disk.read(&folder.join(COMMITTED))? {
        let journal = serde_json::from_slice(&bytes).map_err(io::Error::other)?;
        confine(disk, &journal, bounds)?;
        finish(disk, folder, &journal)?;
        return Ok(true);
    }
    let staged = folder.join(STAGED);
    let Some(bytes) = disk.read(&staged)? else { return Ok(false) };
    // One that was not written to its end is of a time when nothing else had been.
    if let Ok(journal) = serde_json::from_slice::<Journal>(&bytes) {
        confine(disk, &journal, bounds)?;
        for from in journal.steps.iter().filter_map(|step| step.from.as_ref()) {
            if disk.kind(from)? != Kind::Missing {
                disk.remove_file(from)?;
            }
        }
        for made in journal.made.iter().rev() {
            remove_empty(disk, made)?;
        }
    }
    disk.remove_file(&staged)?;
    Ok(true)
}
