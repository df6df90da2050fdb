//! Doing what a plan says.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use crate::Scope;
use crate::disk::{Disk, Kind, Mode};
use crate::journal::{self, Batch};
use crate::ledger::Desk;
use crate::plan::{Change, Plan};

/// What Lawful writes to the `.gitignore` of a folder of its own. It names every file that Lawful
/// keeps in one and no others, so that nothing else can be hidden there.
pub const IGNORE: &str = "\
# Written by Lawful: these are for this machine alone.
/.gitignore
/ledger.json
/journal.json
/journal.staged.json
/envelope.yaml
/rulespec.compiled.dl
/datalog_evaluation.txt
";

/// Writes everything that a plan changes, and its ledger, or nothing.
pub fn apply(disk: &impl Disk, desk: &Desk, plan: &Plan) -> io::Result<()> {
    if plan.is_done() {
        return Ok(());
    }
    desk.check(disk)?;
    open(disk, desk)?;
    let file = desk.path();
    let mut changes = plan.changes.clone();
    let before = disk.read(&file)?.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let change = Change { path: file.clone(), before, after: plan.ledger.to_text() };
    if change.before != change.after {
        changes.push(change);
    }
    let private = [file];
    let batch = Batch { changes: &changes, private: &private, made: &plan.made, left: &plan.left };
    journal::run(disk, &desk.folder, &batch)?;
    close(disk, desk)
}

/// Finishes or takes back what an interrupted process was at. Whether there was anything.
pub fn recover(disk: &impl Disk, desk: &Desk) -> io::Result<bool> {
    desk.check(disk)?;
    let found = journal::recover(disk, &desk.folder, desk.bounds())?;
    close(disk, desk)?;
    Ok(found)
}

/// Whether an interrupted process left something to be finished.
pub fn is_interrupted(disk: &impl Disk, desk: &Desk) -> io::Result<bool> {
    desk.check(disk)?;
    journal::is_pending(disk, &desk.folder)
}

/// Makes the folder of the ledger.
fn open(disk: &impl Disk, desk: &Desk) -> io::Result<()> {
    let missing = |path: &Path| disk.kind(path).map(|kind| kind == Kind::Missing);
    let mut folders: Vec<PathBuf> = Vec::new();
    for folder in desk.folder.ancestors() {
        if folder == Path::new("") || !missing(folder)? {
            break;
        }
        folders.push(folder.to_owned());
    }
    for folder in folders.iter().rev() {
        disk.create_folder(folder, Mode::Private)?;
    }
    if desk.scope == Scope::User {
        return Ok(());
    }
    let ignore = desk.folder.join(".gitignore");
    match disk.read(&ignore)? {
        None => disk.create_file(&ignore, IGNORE.as_bytes(), Mode::Shared),
        // A crash cut it short.
        Some(bytes) if bytes != IGNORE.as_bytes() && IGNORE.as_bytes().starts_with(&bytes) => {
            disk.remove_file(&ignore)?;
            disk.create_file(&ignore, IGNORE.as_bytes(), Mode::Shared)
        }
        Some(_) => Ok(()),
    }
}

/// Removes the folder of a project's ledger when there is nothing left in it.
fn close(disk: &impl Disk, desk: &Desk) -> io::Result<()> {
    if desk.scope == Scope::User || disk.kind(&desk.folder)? != Kind::Folder {
        return Ok(());
    }
    let ignore = desk.folder.join(".gitignore");
    let names = disk.names(&desk.folder)?;
    match names.as_slice() {
        [] => {}
        [name] if name == ".gitignore" => {
            let ours = |bytes: Vec<u8>| IGNORE.as_bytes().starts_with(&bytes);
            if !disk.read(&ignore)?.is_some_and(ours) {
                return Ok(());
            }
            disk.remove_file(&ignore)?;
        }
        _ => return Ok(()),
    }
    disk.remove_folder(&desk.folder)
}

/// Held by the one process that writes.
#[derive(Debug)]
pub struct Lock {
    _file: Option<File>,
}

impl Lock {
    /// Takes the lock of a desk; `None` if another process has it. Where there is no folder yet there
    /// is nothing to write over.
    pub fn take(desk: &Desk) -> io::Result<Option<Self>> {
        // Not every system opens folders.
        let Ok(file) = File::open(&desk.folder) else { return Ok(Some(Self { _file: None })) };
        match file.try_lock() {
            Ok(()) => Ok(Some(Self { _file: Some(file) })),
            Err(std::fs::TryLockError::WouldBlock) => Ok(None),
            Err(std::fs::TryLockError::Error(error)) => Err(error),
        }
    }
}
