//! Replacing one file whole or not at all.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::disk::{Disk, Kind, Mode, OsDisk};

/// Writes what a user named: the file that a link leads to is [replaced](replace) and the link stays,
/// and into what is no ordinary file, such as a pipe, the bytes go straight.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match behind_links(path)? {
        Some(file) if OsDisk.kind(&file)? != Kind::Other => replace(&file, bytes),
        Some(_) | None => {
            OpenOptions::new().write(true).truncate(true).open(path)?.write_all(bytes)
        }
    }
}

/// Writes a file: to another one beside it, down to the disk, then in its place. A file that was
/// there keeps its mode, and after a failure it is as it was.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mode = if path.exists() { Mode::Like(path) } else { Mode::Shared };
    write_on(&OsDisk, path, bytes, mode)
}

/// The file that links lead to; it need not be there. `None` where they lead through a folder of the
/// system, whose names stand for what is open and not for files that could be replaced.
fn behind_links(path: &Path) -> io::Result<Option<PathBuf>> {
    /// As many as the system follows.
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
    Err(io::Error::other("too many links lead on from it"))
}

/// The same on any disk, for a file that need not be there.
pub(crate) fn write_on(
    disk: &impl Disk,
    path: &Path,
    bytes: &[u8],
    mode: Mode<'_>,
) -> io::Result<()> {
    let beside = create_beside(disk, path, bytes, mode)?;
    if let Err(error) = disk.sync(&[&beside]).and_then(|()| disk.rename(&beside, path)) {
        // The first failure is the one to tell of.
        let _ = disk.remove_file(&beside);
        return Err(error);
    }
    // The name must outlive a crash as well.
    disk.sync(&[folder_of(path)])
}

/// A new file beside another one, with these bytes.
fn create_beside(
    disk: &impl Disk,
    path: &Path,
    bytes: &[u8],
    mode: Mode<'_>,
) -> io::Result<PathBuf> {
    /// Names that a crash left behind are passed over.
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

/// The name of a file that will take the place of another.
pub(crate) fn beside(path: &Path, tag: &str) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    folder_of(path).join(format!(".{name}.{tag}.tmp"))
}

/// The folder that a file is in.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        Some(_) | None => Path::new("."),
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
