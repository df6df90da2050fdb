//! Replacing a file whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// What a file is, which says who may read it and what it must outlive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// For whoever the system lets read it by default; outlives a crash.
    Document,
    /// For the owner alone; outlives a crash.
    Record,
    /// For the owner alone, and only until it is written again. Waiting for the disk would cost more
    /// than it is worth.
    Count,
}

/// Writes a file: to another one beside it, down to the disk, then in its place. A file that was
/// there keeps its mode, and after a failure it is as it was.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_as(path, bytes, Purpose::Document)
}

pub(crate) fn write_as(path: &Path, bytes: &[u8], purpose: Purpose) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        Some(_) | None => Path::new("."),
    };
    let (mut file, beside) = create_beside(folder, path, purpose)?;
    let written = fill(&mut file, bytes, path)
        .and_then(|()| if purpose == Purpose::Count { Ok(()) } else { file.sync_all() })
        .and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // The first failure is the one to tell of.
        let _ = fs::remove_file(&beside);
        return written;
    }
    if purpose != Purpose::Count {
        // The name must outlive a crash as well; not every system can promise that for folders.
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
    Ok(())
}

fn fill(file: &mut File, bytes: &[u8], path: &Path) -> io::Result<()> {
    file.write_all(bytes)?;
    if let Ok(known) = fs::metadata(path) {
        file.set_permissions(known.permissions())?;
    }
    Ok(())
}

/// A new file that nobody else has opened.
fn create_beside(folder: &Path, path: &Path, purpose: Purpose) -> io::Result<(File, PathBuf)> {
    /// Names that a crash left behind are passed over.
    const ATTEMPTS: u32 = 16;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    restrict(&mut options, purpose);
    let mut last = io::Error::from(io::ErrorKind::AlreadyExists);
    for attempt in 0..ATTEMPTS {
        let beside = folder.join(format!(".{name}.{}.{attempt}.tmp", std::process::id()));
        match options.open(&beside) {
            Ok(file) => return Ok((file, beside)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => last = error,
            Err(error) => return Err(error),
        }
    }
    Err(last)
}

#[cfg(unix)]
fn restrict(options: &mut OpenOptions, purpose: Purpose) {
    use std::os::unix::fs::OpenOptionsExt as _;
    options.mode(match purpose {
        Purpose::Document => 0o666,
        Purpose::Record | Purpose::Count => 0o600,
    });
}

#[cfg(not(unix))]
fn restrict(_options: &mut OpenOptions, _purpose: Purpose) {}
