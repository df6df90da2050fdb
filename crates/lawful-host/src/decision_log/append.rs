//! Appending a line.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use lawful::syntax::render::push_json_line;

use super::{DecisionLog, LoggedDecision};

/// The size at which a file is full.
const FULL: u64 = 4 << 20;
/// The maximal number of files that are full.
const OLD_FILES: usize = 7;
/// The name of the file that lines are appended to.
const CURRENT: &str = "decisions.jsonl";
/// The name of the lock.
const LOCK: &str = "lock";

impl DecisionLog {
    /// Appends a decision. The line is not synced: a hook runs before every tool call, and a sync
    /// would take far longer than everything else.
    pub(crate) fn append(&self, decision: &LoggedDecision) -> io::Result<()> {
        let mut line = Vec::with_capacity(512);
        push_json_line(decision, &mut line).map_err(io::Error::other)?;
        let mut file = self.current()?;
        if file.metadata()?.len() >= FULL && self.rotate()? {
            file = self.current()?;
        }
        // One write: other processes append to the same file.
        let written = file.write(&line)?;
        if written < line.len() {
            // The disk is full. End the line, so that the next one is whole.
            let _ = file.write(b"\n");
            return Err(io::ErrorKind::WriteZero.into());
        }
        Ok(())
    }

    /// The file that lines are appended to.
    fn current(&self) -> io::Result<File> {
        let path = self.folder.join(CURRENT);
        match open_private(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                create_private(&self.folder)?;
                open_private(&path)
            }
            opened => opened,
        }
    }

    /// Renames the full file and deletes the oldest ones; false if another process is doing so.
    fn rotate(&self) -> io::Result<bool> {
        let lock = open_private(&self.folder.join(LOCK))?;
        if lock.try_lock().is_err() {
            return Ok(false);
        }
        let current = self.folder.join(CURRENT);
        // Another process may have renamed it before this one had the lock.
        if fs::metadata(&current).is_ok_and(|file| file.len() >= FULL) {
            let old = self.old_files()?;
            let next = old.last().map_or(1, |(number, _)| number + 1);
            fs::rename(&current, self.folder.join(format!("decisions.{next}.jsonl")))?;
            let gone = (old.len() + 1).saturating_sub(OLD_FILES);
            for (_, path) in old.iter().take(gone) {
                fs::remove_file(path)?;
            }
        }
        Ok(true)
    }

    /// The full files with their numbers, oldest first.
    fn old_files(&self) -> io::Result<Vec<(u64, PathBuf)>> {
        let mut found = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let number = name.strip_prefix("decisions.").and_then(|n| n.strip_suffix(".jsonl"));
            if let Some(number) = number.and_then(|number| number.parse().ok()) {
                found.push((number, path));
            }
        }
        found.sort();
        Ok(found)
    }

    /// Every file of the log, oldest first. A lock keeps them from being renamed meanwhile.
    pub(super) fn files(&self) -> io::Result<Vec<File>> {
        let lock = match File::open(self.folder.join(LOCK)) {
            Ok(lock) => Some(lock),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        if let Some(lock) = &lock {
            lock.lock_shared()?;
        }
        let old = match self.old_files() {
            Ok(old) => old,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let current = self.folder.join(CURRENT);
        let mut files = Vec::new();
        for path in old.iter().map(|(_, path)| path).chain([&current]) {
            match File::open(path) {
                Ok(file) => files.push(file),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(files)
    }
}

/// Opens a file for appending that only its owner can read. Creates it if it does not exist.
#[cfg(unix)]
pub(crate) fn open_private(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt as _;
    File::options().append(true).create(true).mode(0o600).open(path)
}

#[cfg(not(unix))]
pub(crate) fn open_private(path: &Path) -> io::Result<File> {
    File::options().append(true).create(true).open(path)
}

/// Creates a folder that only its owner can read.
#[cfg(unix)]
pub(crate) fn create_private(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

#[cfg(not(unix))]
pub(crate) fn create_private(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}
