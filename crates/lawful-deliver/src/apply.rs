//! Applying a plan.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::Scope;
use crate::disk::{Disk, Kind, Mode};
use crate::foreign;
use crate::journal::{self, Batch};
use crate::ledger::Desk;
use crate::place::Places;
use crate::plan::{Change, Plan};
use crate::reach::Reach;

/// The `.gitignore` that Lawful writes into a folder of its own. It lists exactly the files that
/// Lawful keeps there, so that it cannot hide anything else.
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

/// Writes every change of a plan, and its ledger, or nothing.
pub fn apply(disk: &impl Disk, desk: &Desk, places: &Places, plan: &Plan) -> io::Result<()> {
    if plan.is_done() {
        return Ok(());
    }
    desk.check(disk)?;
    let mut around = Vec::new();
    let done = open(disk, desk, &mut around)
        .and_then(|()| foreign::set_aside(disk, desk))
        .and_then(|()| write(disk, desk, places, plan, &around));
    // Report the first error.
    let closed = close(disk, desk);
    if done.is_err() {
        for folder in around.iter().rev() {
            let _ = journal::remove_empty(disk, folder);
        }
    }
    done.and(closed)
}

fn write(
    disk: &impl Disk,
    desk: &Desk,
    places: &Places,
    plan: &Plan,
    around: &[PathBuf],
) -> io::Result<()> {
    let mut ledger = plan.ledger.clone();
    ledger.around.extend(around.iter().cloned());
    let file = desk.path();
    let mut changes = plan.changes.clone();
    let before = disk.read(&file)?.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let change = Change { path: file.clone(), before, after: ledger.to_text(disk, desk)? };
    // In a project, no folder around the ledger was created for it.
    let is_last = change.after.is_none() && desk.scope == Scope::User;
    let around: &[PathBuf] = if is_last { &ledger.around } else { &[] };
    if change.before != change.after {
        changes.push(change);
    }
    let private = [file];
    let reach = &Reach::of(desk.scope, places, &[&plan.ledger, &plan.ledger_before]);
    let (changes, private, made, left) = (&changes, &private, &plan.made, &plan.left);
    journal::run(disk, desk, &Batch { changes, private, made, left, around, reach, places })
}

/// Completes or reverts what an interrupted process had begun. Returns whether there was anything.
pub fn recover(disk: &impl Disk, desk: &Desk, places: &Places) -> io::Result<bool> {
    desk.check(disk)?;
    let found = journal::recover(disk, desk, places)?;
    close(disk, desk)?;
    Ok(found)
}

/// Whether an interrupted process left something to complete.
pub fn is_interrupted(disk: &impl Disk, desk: &Desk) -> io::Result<bool> {
    desk.check(disk)?;
    journal::is_pending(disk, desk)
}

/// Creates the folder of the ledger and missing folders around it, outermost first.
fn open(disk: &impl Disk, desk: &Desk, around: &mut Vec<PathBuf>) -> io::Result<()> {
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
        if *folder != desk.folder {
            around.push(folder.clone());
        }
    }
    if desk.scope == Scope::User {
        return Ok(());
    }
    let ignore = desk.folder.join(".gitignore");
    match disk.read(&ignore)? {
        None => {}
        // A crash truncated it.
        Some(bytes) if bytes != IGNORE.as_bytes() && IGNORE.as_bytes().starts_with(&bytes) => {
            disk.remove_file(&ignore)?;
        }
        Some(_) => return Ok(()),
    }
    disk.create_file(&ignore, IGNORE.as_bytes(), Mode::Shared)?;
    disk.sync(&[&ignore])
}

/// Removes the folder of a ledger if it is empty.
fn close(disk: &impl Disk, desk: &Desk) -> io::Result<()> {
    if disk.kind(&desk.folder)? != Kind::Folder {
        return Ok(());
    }
    let ignore = desk.folder.join(".gitignore");
    let names = disk.names(&desk.folder)?;
    match (desk.scope, names.as_slice()) {
        (_, []) => {}
        (Scope::Project, [name]) if name == ".gitignore" => {
            let ours = |bytes: Vec<u8>| IGNORE.as_bytes().starts_with(&bytes);
            if !disk.read(&ignore)?.is_some_and(ours) {
                return Ok(());
            }
            disk.remove_file(&ignore)?;
        }
        (Scope::Project | Scope::User, _) => return Ok(()),
    }
    disk.remove_folder(&desk.folder)
}

/// Whether git would track the ledger of a project.
pub(crate) fn is_seen_by_git(disk: &impl Disk, desk: &Desk) -> bool {
    let ignore = desk.folder.join(".gitignore");
    let read = || disk.read(&ignore).ok().flatten();
    let Some(bytes) = (desk.scope == Scope::Project).then(read).flatten() else { return false };
    let text = String::from_utf8_lossy(&bytes);
    if IGNORE.starts_with(&*text) {
        return false;
    }
    let lines = || text.lines().map(str::trim);
    let all = ["*", "/*", "**", "*.json", "ledger.json", "/ledger.json"];
    !lines().any(|line| all.contains(&line)) || lines().any(|line| line.starts_with('!'))
}

/// Held by the one process that writes.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Lock {
    /// How long to wait for another process.
    const PATIENCE: Duration = Duration::from_secs(1);

    /// Takes the lock of a desk; `None` if another process keeps it. The lock is on the root, which
    /// exists before anything is written, so that two first installations exclude each other.
    pub fn take(desk: &Desk) -> io::Result<Option<Self>> {
        let file = match File::open(&desk.root) {
            Ok(folder) => match folder.try_lock() {
                // Not every system can lock folders.
                Err(TryLockError::Error(_)) => stand_in(&desk.root)?,
                Ok(()) => return Ok(Some(Self { _file: folder })),
                Err(TryLockError::WouldBlock) => folder,
            },
            // Not every system can open folders.
            Err(_) => stand_in(&desk.root)?,
        };
        let start = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Some(Self { _file: file })),
                Err(TryLockError::WouldBlock) if start.elapsed() < Self::PATIENCE => {
                    std::thread::sleep(Duration::from_millis(10));
                }
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
    }
}

/// A file that is locked instead of a folder.
fn stand_in(folder: &Path) -> io::Result<File> {
    let name = crate::text::short_hash(&folder.to_string_lossy());
    let path = std::env::temp_dir().join(format!("lawful-{name}.lock"));
    File::options().create(true).truncate(false).write(true).open(path)
}
