//! Applying a plan.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::desk::{Desk, Origin};
use crate::disk::{Disk, Kind, Mode};
use crate::journal::{self, Batch};
use crate::ledger::LARGEST;
use crate::place::Places;
use crate::plan::{Change, Plan};
use crate::project::ProjectState;
use crate::reach::Reach;
use crate::{Scope, in_project, project};

/// Writes every change of a plan, with its ledger and its lock, or nothing.
pub fn apply(disk: &impl Disk, desk: &Desk, places: &Places, plan: &Plan) -> io::Result<()> {
    if plan.is_done() {
        return Ok(());
    }
    let mut around = Vec::new();
    let done =
        open(disk, desk, &mut around).and_then(|()| write(disk, desk, places, plan, &around));
    // Report the first error.
    let closed = close(disk, desk).and_then(|()| {
        let inherited = desk.project().and_then(ProjectState::inherited);
        let folder = inherited.as_deref().and_then(Path::parent).map(Path::to_owned);
        folder.map_or(Ok(()), |folder| close(disk, &Desk { folder, ..desk.clone() }))
    });
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
    if desk.scope == Scope::User {
        ledger.around.extend(around.iter().cloned());
    }
    let mut changes = plan.changes.clone();
    let ledger_text = ledger.to_text()?;
    let is_last = ledger_text.is_none();
    let mut private = Vec::new();
    let mut keep = |path: PathBuf, after: Option<String>| -> io::Result<()> {
        let before = disk.read_up_to(&path, LARGEST)?;
        let before = before.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        private.push(path.clone());
        if before != after {
            changes.push(Change { path, before, after });
        }
        Ok(())
    };
    keep(desk.path(), ledger_text)?;
    if let Some(project) = desk.project().filter(|_| !is_last) {
        keep(project::record(&desk.folder), Some(project.to_text(disk, &desk.folder, around)?))?;
    }
    changes.extend(plan.retired.clone());
    // A project can be moved before this completes. Its lock says then which project it is, so it is
    // the first file to appear, and the last to go.
    match plan.lock.clone() {
        Some(lock) if lock.after.is_some() => changes.insert(0, lock),
        Some(lock) => changes.push(lock),
        None => {}
    }
    let around: &[PathBuf] = if is_last { &ledger.around } else { &[] };
    let reach = &Reach::of(desk.scope, places, &[&plan.ledger, &plan.ledger_before]);
    let (changes, private, made, left) = (&changes, &private, &plan.made, &plan.left);
    journal::run(disk, desk, &Batch { changes, private, made, left, around, reach, places })
}

/// Completes or reverts what an interrupted process had begun, and gives the records of a project
/// that was moved their new path. Returns whether there was anything to complete. The records can be
/// others after that, so the caller has to find them again.
pub fn recover(disk: &impl Disk, desk: &mut Desk, places: &Places) -> io::Result<bool> {
    let mut found = in_project::recover(disk, desk, places)?;
    for folder in folders(desk) {
        let desk = Desk { folder, ..desk.clone() };
        found |= journal::recover(disk, &desk, places)?;
        close(disk, &desk)?;
    }
    if let Origin::Project(project) = &mut desk.origin {
        project::settle(disk, &mut desk.folder, project)?;
    }
    Ok(found)
}

/// Whether an interrupted process left something to complete.
pub fn is_interrupted(disk: &impl Disk, desk: &Desk) -> io::Result<bool> {
    let mut pending = in_project::is_pending(disk, desk)?;
    for folder in folders(desk) {
        pending |= journal::is_pending(disk, &Desk { folder, ..desk.clone() })?;
    }
    Ok(pending)
}

/// The folders with records of the same files: those of a project can have several, of which an
/// interrupted process may have used any.
fn folders(desk: &Desk) -> Vec<PathBuf> {
    let siblings = desk.project().map(|project| project.siblings.clone()).unwrap_or_default();
    std::iter::once(desk.folder.clone()).chain(siblings).collect()
}

/// Creates the folder of the records and missing folders around it, outermost first.
fn open(disk: &impl Disk, desk: &Desk, around: &mut Vec<PathBuf>) -> io::Result<()> {
    /// How often another process may remove a folder in between.
    const ATTEMPTS: usize = 3;
    for attempt in 1..=ATTEMPTS {
        match create_folders(disk, desk, around) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && attempt < ATTEMPTS => {}
            done => {
                done?;
                break;
            }
        }
    }
    let Some(project) = desk.project() else { return Ok(()) };
    // The journal of a crash is found by this record.
    let record = project::record(&desk.folder);
    if disk.kind(&record)? == Kind::Missing {
        let text = project.to_text(disk, &desk.folder, around)?;
        disk.create_file(&record, text.as_bytes(), Mode::Private)?;
        disk.sync(&[&record, &desk.folder])?;
    }
    Ok(())
}

fn create_folders(disk: &impl Disk, desk: &Desk, around: &mut Vec<PathBuf>) -> io::Result<()> {
    let missing = |path: &Path| disk.kind(path).map(|kind| kind == Kind::Missing);
    let mut folders: Vec<PathBuf> = Vec::new();
    for folder in desk.folder.ancestors() {
        if folder == Path::new("") || !missing(folder)? {
            break;
        }
        folders.push(folder.to_owned());
    }
    for folder in folders.iter().rev() {
        match disk.create_folder(folder, Mode::Private) {
            // Another process writes for another project.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            done => done?,
        }
        if *folder != desk.folder && !around.contains(folder) {
            around.push(folder.clone());
        }
    }
    Ok(())
}

/// Removes the folder of the records if there are none.
fn close(disk: &impl Disk, desk: &Desk) -> io::Result<()> {
    in_project::close(disk, desk)?;
    if disk.kind(&desk.folder)? != Kind::Folder {
        return Ok(());
    }
    let mut around = Vec::new();
    match (desk.project(), disk.names(&desk.folder)?.as_slice()) {
        (_, []) => {}
        (Some(_), [name]) if name == project::RECORD => {
            around = project::around(disk, &desk.folder);
            disk.remove_file(&project::record(&desk.folder))?;
        }
        (Some(_) | None, _) => return Ok(()),
    }
    disk.remove_folder(&desk.folder)?;
    for folder in around.iter().rev() {
        // Another process may have put something in it.
        let _ = journal::remove_empty(disk, folder);
    }
    Ok(())
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
