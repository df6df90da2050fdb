//! What can go wrong inside, before it is known which file it went wrong with.

use std::fs::OpenOptions;
use std::path::Path;

use rusqlite::ErrorCode;

use crate::Error;

/// A failure of the database, or an answer that is already in the caller's words.
#[derive(Debug)]
pub(super) enum Fault {
    Database(rusqlite::Error),
    /// A row holds what no version of this program writes.
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
    /// The same, said of a file.
    pub(super) fn of(self, path: &Path) -> Error {
        let path = path.to_owned();
        match self {
            Self::Refused(error) => error,
            Self::Row(reason) => Error::Damaged { path, reason },
            Self::Database(rusqlite::Error::SqliteFailure(failure, said)) => {
                let reason = said.unwrap_or_else(|| failure.to_string());
                #[expect(
                    clippy::wildcard_enum_match_arm,
                    reason = "the list is SQLite's, not ours"
                )]
                match failure.code {
                    ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => Error::Busy { path },
                    ErrorCode::DiskFull => Error::Full { path },
                    ErrorCode::ReadOnly => Error::ReadOnly { path },
                    ErrorCode::NotADatabase => Error::NotADatabase { path },
                    ErrorCode::DatabaseCorrupt => Error::Damaged { path, reason },
                    ErrorCode::CannotOpen => {
                        let reason = why_not_opened(&path).unwrap_or(reason);
                        Error::CannotOpen { path, reason }
                    }
                    _ => Error::Failed { path, reason },
                }
            }
            Self::Database(
                error @ (rusqlite::Error::InvalidColumnType(..)
                | rusqlite::Error::FromSqlConversionFailure(..)
                | rusqlite::Error::IntegralValueOutOfRange(..)
                | rusqlite::Error::Utf8Error(..)),
            ) => Error::Damaged { path, reason: error.to_string() },
            Self::Database(error) => Error::Failed { path, reason: error.to_string() },
        }
    }
}

/// SQLite only says that it could not; the file system says why.
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
        // It could be created after all; then the reason is another, and no trace is left.
        Ok(_) => std::fs::remove_file(path).err().map(|error| error.to_string()),
    }
}
