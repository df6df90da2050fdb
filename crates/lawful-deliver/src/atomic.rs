//! Atomic replacement of one file.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::disk::{Disk, Kind, Mode, OsDisk};

/// Writes a file that a user named. If it is a link, its target is [replaced](replace) and the link
/// stays. Bytes for anything but a regular file, such as a pipe, are written directly.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match behind_links(path)? {
        Some(file) if OsDisk.kind(&file)? != Kind::Other => replace(&file, bytes),
        Some(_) | None => {
            OpenOptions::new().write(true).truncate(true).open(path)?.write_all(bytes)
        }
    }
}

/// Writes a file that only its owner can read, atomically and durably. Never follows a link: a link at
/// the path is replaced.
pub fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_on(&OsDisk, path, bytes, Mode::Private)
}

/// Writes a file atomically: to a temporary file next to it, synced, then renamed. An existing file
/// keeps its owner, group, mode and attributes, and a failure leaves it unchanged.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mode = if path.exists() { Mode::Like(path) } else { Mode::Shared };
    write_on(&OsDisk, path, bytes, mode)
}

/// The target of links, which need not exist. `None` if they lead through a system folder whose
/// names stand for open files, which cannot be replaced.
fn behind_links(path: &Path) -> io::Result<Option<PathBuf>> {
    /// The limit of the system.
    const MOST: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MOST {
        let folder = folder_of(&path);
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        if ["/proc", "/sys"].iter().any(|system| folder.starts_with(system)) {
            return Ok(None);
        }
        match fs::symlink_metadata(&path) {
            Ok(known) if known.is_symlink() => path = folder.join(fs::read_link(&path)?),
            Ok(_) | Err(_) => return Ok(Some(path)),
        }
    }
    Err(io::Error::other("too many levels of symbolic links"))
}

/// Like [`replace`] on any disk, for a file that need not exist.
pub(crate) fn write_on(
    disk: &impl Disk,
    path: &Path,
    bytes: &[u8],
    mode: Mode<'_>,
) -> io::Result<()> {
    let beside = create_beside(disk, path, bytes, mode)?;
    if let Err(error) = disk.sync(&[&beside]).and_then(|()| disk.rename(&beside, path)) {
        // Report the first error.
        let _ = disk.remove_file(&beside);
        return Err(error);
    }
    // The new name must survive a crash too.
    disk.sync(&[folder_of(path)])
}

/// Creates a file next to another one, with these bytes.
fn create_beside(
    disk: &impl Disk,
    path: &Path,
    bytes: &[u8],
    mode: Mode<'_>,
) -> io::Result<PathBuf> {
    /// Skips names that a crash left behind.
    const ATTEMPTS: u32 = 16;
    let mut last = io::Error::from(io::ErrorKind::AlreadyExists);
    for attempt in 0..ATTEMPTS {
        let beside = beside(path, &format!("{}.{attempt}", std::process::id()));
        match disk.create_file(&beside, bytes, mode) {
            Ok(()) => return Ok(beside),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => last = error,
            Err(error) => return Err(error),
        }
    }
    Err(last)
}

/// The name of a temporary file that will replace another.
pub(crate) fn beside(path: &Path, tag: &str) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    folder_of(path).join(format!(".{name}.{tag}.tmp"))
}

/// The folder of a file.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        Some(_) | None => Path::new("."),
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
