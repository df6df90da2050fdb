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
use crate::ledger::Desk;
use crate::plan::Change;
use crate::text::hash_bytes;

/// Paths in a project are from its root, which may be moved or copied before this is finished.
#[derive(Debug, Deserialize, Serialize)]
struct Journal {
    /// Folders that are made, the outermost first.
    made: Vec<PathBuf>,
    steps: Vec<Step>,
    /// Folders that are removed at the end if they are empty, the innermost first.
    left: Vec<PathBuf>,
    /// Folders around the one of the journal that are removed after it if they are empty, the outermost
    /// first.
    #[serde(default)]
    around: Vec<PathBuf>,
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
    pub(crate) around: &'b [PathBuf],
}

const STAGED: &str = "journal.staged.json";
const COMMITTED: &str = "journal.json";

/// Whether something was interrupted.
pub(crate) fn is_pending(disk: &impl Disk, folder: &Path) -> io::Result<bool> {
    let there = |name: &str| disk.kind(&folder.join(name)).map(|kind| kind != Kind::Missing);
    Ok(there(COMMITTED)? || there(STAGED)?)
}

/// Does everything or nothing. The folder of the journal must be there.
pub(crate) fn run(disk: &impl Disk, desk: &Desk, batch: &Batch<'_>) -> io::Result<()> {
    let tag = format!("lawful-{}", std::process::id());
    let steps = batch.changes.iter().map(|change| Step {
        path: change.path.clone(),
        from: change.after.as_ref().map(|_| beside(&change.path, &tag)),
        before: change.before.as_ref().map(|text| hash_bytes(text.as_bytes())),
    });
    let (made, left) = (batch.made.to_vec(), batch.left.to_vec());
    let around = batch.around.to_vec();
    let journal = Journal { made, steps: steps.collect(), left, around };
    if let Err(error) = stage(disk, desk, &journal, batch) {
        // What can be taken back now need not wait; the journal is there for the rest.
        let _ = recover(disk, desk);
        return Err(error);
    }
    finish(disk, desk, &journal)
}

impl Journal {
    /// The same with every path changed.
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

    /// Reads one back; it must name nothing outside of its project, for it may have come with it.
    fn from_bytes(disk: &impl Disk, desk: &Desk, bytes: &[u8]) -> io::Result<Self> {
        let journal: Self = serde_json::from_slice(bytes).map_err(io::Error::other)?;
        let Some(root) = desk.bounds() else { return Ok(journal) };
        let real = disk.resolve(root)?;
        let journal = journal.map(|path| real.join(path));
        confine(disk, &journal, root)?;
        Ok(journal)
    }
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

/// Every folder that is written to, and those that folders are made in.
fn folders<'j>(disk: &impl Disk, journal: &'j Journal) -> io::Result<Vec<&'j Path>> {
    let files = journal.steps.iter().map(|step| folder_of(&step.path));
    let made = journal.made.iter().map(|made| folder_of(made));
    let mut there = Vec::new();
    for folder in files.chain(made).collect::<BTreeSet<&Path>>() {
        // One that is gone was removed before the crash that this recovers from.
        if disk.kind(folder)? == Kind::Folder {
            there.push(folder);
        }
    }
    Ok(there)
}

/// Does what a committed journal says and was not done yet.
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

/// Removes the folders around the one of the journal, where it is the last to go.
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

/// Refuses a journal that names anything outside of a folder.
fn confine(disk: &impl Disk, journal: &Journal, root: &Path) -> io::Result<()> {
    let files = journal.steps.iter().flat_map(|step| step.from.iter().chain([&step.path]));
    for path in files.chain(&journal.made).chain(&journal.left).chain(&journal.around) {
        inside(disk, root, path)?;
    }
    Ok(())
}

/// Removes a folder, unless something is in it. A link to one is somebody else's.
pub(crate) fn remove_empty(disk: &impl Disk, folder: &Path) -> io::Result<()> {
    if disk.is_link(folder) {
        return Ok(());
    }
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

/// Finishes or takes back what was interrupted. Whether there was anything. Only who holds the lock of
/// the desk may call this: what another process is at is not interrupted.
pub(crate) fn recover(disk: &impl Disk, desk: &Desk) -> io::Result<bool> {
    if let Some(bytes) = disk.read(&desk.folder.join(COMMITTED))? {
        let journal = Journal::from_bytes(disk, desk, &bytes)?;
        finish(disk, desk, &journal)?;
        return Ok(true);
    }
    let staged = desk.folder.join(STAGED);
    let Some(bytes) = disk.read(&staged)? else { return Ok(false) };
    // One that was not written to its end is of a time when nothing else had been.
    if serde_json::from_slice::<Journal>(&bytes).is_ok() {
        let journal = Journal::from_bytes(disk, desk, &bytes)?;
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
