//! Internal errors, before the file is known.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use rusqlite::ErrorCode;

use super::open::beside;
use crate::{Error, Failure};

/// A failure of the database, or an error that is ready for the caller.
#[derive(Debug)]
pub(super) enum Fault {
    Database(rusqlite::Error),
    /// A row has content that no version of this program writes.
    Row(String),
    Refused(Error),
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        Self::Database(error)
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Refused(error)
    }
}

impl Fault {
    /// The error for a file.
    pub(super) fn of(self, path: &Path) -> Error {
        match self {
            Self::Refused(error) => error,
            Self::Row(reason) => Failure::Damaged { reason }.of(shown(path)),
            Self::Database(error) => failure(error, path).of(shown(path)),
        }
    }
}

/// The name of a file in an error.
pub(super) fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// The meaning of a database error.
#[expect(clippy::wildcard_enum_match_arm, reason = "SQLite defines the codes")]
fn failure(error: rusqlite::Error, path: &Path) -> Failure {
    match error {
        rusqlite::Error::SqliteFailure(failure, said) => {
            let reason = said.unwrap_or_else(|| failure.to_string());
            match failure.code {
                ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => Failure::Busy,
                ErrorCode::DiskFull => Failure::Full { reason: NO_ROOM.to_owned() },
                ErrorCode::ReadOnly => Failure::ReadOnly { reason: READ_ONLY.to_owned() },
                ErrorCode::NotADatabase => Failure::Foreign { found: "not a database".to_owned() },
                ErrorCode::DatabaseCorrupt => Failure::Damaged { reason },
                // A quota and a limit on the size of files are I/O errors to SQLite.
                ErrorCode::SystemIoFailure if is_full(path) => {
                    Failure::Full { reason: NO_ROOM.to_owned() }
                }
                ErrorCode::CannotOpen => {
                    Failure::CannotOpen { reason: why_not_opened(path).unwrap_or(reason) }
                }
                _ => Failure::Failed { reason },
            }
        }
        error @ (rusqlite::Error::InvalidColumnType(..)
        | rusqlite::Error::FromSqlConversionFailure(..)
        | rusqlite::Error::IntegralValueOutOfRange(..)
        | rusqlite::Error::Utf8Error(..)) => Failure::Damaged { reason: error.to_string() },
        error => Failure::Failed { reason: error.to_string() },
    }
}

const NO_ROOM: &str = "the disk is full, or the file has reached its limit";
pub(super) const READ_ONLY: &str = "the file or its folder is read-only";

/// SQLite only reports that writing failed; the file system says whether there is room to grow.
fn is_full(path: &Path) -> bool {
    let size = |suffix| beside(path, suffix).metadata().map_or(0, |file| file.len());
    let largest = ["", "-wal", "-shm"].map(size).into_iter().max().unwrap_or_default();
    let probe = beside(path, &format!("-probe-{}", std::process::id()));
    // What SQLite may need next, in a file that is as large as its largest.
    let written =
        OpenOptions::new().write(true).create_new(true).open(&probe).and_then(|mut file| {
            file.seek(SeekFrom::Start(largest))?;
            file.write_all(&vec![0; 1 << 16])?;
            file.sync_all()
        });
    let _ = std::fs::remove_file(&probe);
    matches!(
        written.map_err(|error| error.kind()),
        Err(ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge)
    )
}

/// SQLite only reports that opening failed; the file system says why.
fn why_not_opened(path: &Path) -> Option<String> {
    if path.is_dir() {
        return Some("it is a folder".to_owned());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    match folder.metadata() {
        Err(error) => return Some(format!("its folder: {error}")),
        Ok(found) if !found.is_dir() => return Some("its folder is a file".to_owned()),
        Ok(found) if found.permissions().readonly() => {
            return Some("its folder is read-only".to_owned());
        }
        Ok(_) => {}
    }
    let mut access = OpenOptions::new();
    if path.exists() {
        return access.write(true).open(path).err().map(|error| error.to_string());
    }
    match access.write(true).create_new(true).open(path) {
        Err(error) => Some(error.to_string()),
        // The file could be created after all, so the reason is another one; remove it again.
        Ok(_) => std::fs::remove_file(path).err().map(|error| error.to_string()),
    }
}
