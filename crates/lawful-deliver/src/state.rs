//! State between calls: how often in a row an agent was blocked, and other small notes.
//!
//! There is one small file per session, in a folder that only its owner can read. The id of a
//! session comes from outside, so it is never part of a path: the file name is a hash of it, and
//! the id is stored inside and compared.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use crate::atomic;
use crate::disk::{Mode, OsDisk};
use crate::seal::Seal;
use crate::text;

/// The state folder of a user.
#[derive(Clone, Debug)]
pub struct State {
    folder: PathBuf,
    home: Option<PathBuf>,
}

#[derive(Deserialize, Serialize)]
struct Blocks {
    session: String,
    blocks: u64,
}

impl State {
    /// `$XDG_STATE_HOME/lawful`, or `~/.local/state/lawful`.
    pub fn of_user(variable: impl Fn(&str) -> Option<OsString>) -> io::Result<Self> {
        let absolute = |name: &str| variable(name).map(PathBuf::from).filter(|p| p.is_absolute());
        let folder = absolute("XDG_STATE_HOME")
            .or_else(|| absolute("HOME").map(|home| home.join(".local/state")))
            .map(|folder| folder.join("lawful"))
            .ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "there is no home folder"))?;
        Ok(Self { folder, home: absolute("HOME") })
    }

    /// The folder itself.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The home of the user.
    pub(crate) fn home(&self) -> Option<&Path> {
        self.home.as_deref()
    }

    /// The seal of records that earlier versions wrote in projects; `None` if there is no key that
    /// only the user can read.
    pub(crate) fn seal(&self) -> Option<Seal> {
        let path = self.folder.join(KEY);
        let bytes = read(&path).ok()??;
        let is_private = is_private(&path).ok()?;
        is_private.then(|| decode(&bytes)).flatten().map(Seal::new)
    }

    /// How often in a row a session was blocked.
    pub fn blocks(&self, harness: &str, session: &str) -> io::Result<u64> {
        let path = self.file("hooks", &[harness, session])?;
        let Some(bytes) = read(&path)? else { return Ok(0) };
        // A file of someone else, or of another session, is ignored.
        let known: Option<Blocks> = serde_json::from_slice(&bytes).ok();
        Ok(known.filter(|known| known.session == session).map_or(0, |known| known.blocks))
    }

    /// Stores the number; 0 removes the session.
    pub fn set_blocks(&self, harness: &str, session: &str, blocks: u64) -> io::Result<()> {
        let path = self.file("hooks", &[harness, session])?;
        if blocks == 0 {
            return forget(&path);
        }
        forget_old(path.parent().unwrap_or(&self.folder));
        let bytes = serde_json::to_vec(&Blocks { session: session.to_owned(), blocks });
        write_unsynced(&path, &bytes.map_err(io::Error::other)?)
    }

    /// The note of this kind with this key, if it exists. It can be lost at any time.
    pub fn note(&self, kind: &str, key: &[&str]) -> io::Result<Option<Vec<u8>>> {
        read(&self.path(kind, key))
    }

    /// Stores a note. Notes older than a month are removed.
    pub fn set_note(&self, kind: &str, key: &[&str], note: &[u8]) -> io::Result<()> {
        let path = self.file(kind, key)?;
        forget_old(path.parent().unwrap_or(&self.folder));
        write_unsynced(&path, note)
    }

    /// The file of a record, with its folder created.
    pub(crate) fn file(&self, kind: &str, key: &[&str]) -> io::Result<PathBuf> {
        create_private(&self.folder.join(kind))?;
        Ok(self.path(kind, key))
    }

    /// The path of a record.
    pub(crate) fn path(&self, kind: &str, key: &[&str]) -> PathBuf {
        self.folder.join(kind).join(format!("{}.json", name(key)))
    }
}

/// The file of the key.
const KEY: &str = "key";

fn decode(text: &[u8]) -> Option<[u8; Seal::LENGTH]> {
    let text = std::str::from_utf8(text).ok()?.trim_end();
    let mut key = [0; Seal::LENGTH];
    if text.len() != 2 * key.len() {
        return None;
    }
    for (at, byte) in key.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(2 * at..2 * at + 2)?, 16).ok()?;
    }
    Some(key)
}

/// The bytes of a record; `None` if it does not exist.
pub(crate) fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Writes a record that only the owner can read.
pub(crate) fn keep<T: Serialize>(path: &Path, record: &T) -> io::Result<()> {
    let bytes = serde_json::to_vec(record).map_err(io::Error::other)?;
    atomic::write_on(&OsDisk, path, &bytes, Mode::Private)
}

/// Writes a file that only the owner can read. The write is atomic but not synced: an agent waits for
/// it at every stop, and a sync would take far longer.
fn write_unsynced(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let beside = atomic::beside(path, &std::process::id().to_string());
    let written = create_private_file(&beside)
        .and_then(|mut file| file.write_all(bytes))
        .and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}

/// Removes a record.
pub(crate) fn forget(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Sessions end without notice, so files older than a month are removed. A file that cannot be read
/// stays.
fn forget_old(folder: &Path) {
    const MONTH: Duration = Duration::from_hours(30 * 24);
    let now = SystemTime::now();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let changed = entry.metadata().and_then(|metadata| metadata.modified());
        let age = changed.ok().and_then(|changed| now.duration_since(changed).ok());
        if age.is_some_and(|age| age > MONTH) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// 32 hexadecimal digits, independent of the compiler. Only the last part can contain a NUL.
fn name(key: &[&str]) -> String {
    let mut name = text::hash(&key.join("\0"));
    name.truncate(32);
    name
}

#[cfg(unix)]
fn create_private(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Whether only its owner can read a file.
#[cfg(unix)]
fn is_private(path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = fs::metadata(path)?.permissions().mode();
    Ok(mode & 0o777 == mode & 0o700)
}

#[cfg(not(unix))]
fn is_private(_path: &Path) -> io::Result<bool> {
    Ok(true)
}

#[cfg(unix)]
fn create_private_file(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt as _;
    File::options().write(true).create(true).truncate(true).mode(0o600).open(path)
}

#[cfg(not(unix))]
fn create_private_file(path: &Path) -> io::Result<File> {
    File::create(path)
}

#[cfg(not(unix))]
fn create_private(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}

#[cfg(test)]
pub(crate) mod tests;
