//! Replacing a file whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Who may read a new file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Privacy {
    /// Whoever the system lets by default.
    Shared,
    /// The owner alone.
    Private,
}

/// Writes a file: to another one beside it, down to the disk, then in its place. A file that was
/// there keeps its mode, and after a failure it is as it was.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_as(path, bytes, Privacy::Shared)
}

pub(crate) fn write_as(path: &Path, bytes: &[u8], privacy: Privacy) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        Some(_) | None => Path::new("."),
    };
    let (mut file, beside) = create_beside(folder, path, privacy)?;
    let written = fill(&mut file, bytes, path).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // The first failure is the one to tell of.
        let _ = fs::remove_file(&beside);
        return written;
    }
    // The name must outlive a crash as well; not every system can promise that for folders.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

fn fill(file: &mut File, bytes: &[u8], path: &Path) -> io::Result<()> {
    file.write_all(bytes)?;
    if let Ok(known) = fs::metadata(path) {
        file.set_permissions(known.permissions())?;
    }
    file.sync_all()
}

/// A new file that nobody else has opened.
fn create_beside(folder: &Path, path: &Path, privacy: Privacy) -> io::Result<(File, PathBuf)> {
    /// Names that a crash left behind are passed over.
    const ATTEMPTS: u32 = 16;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    restrict(&mut options, privacy);
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
fn restrict(options: &mut OpenOptions, privacy: Privacy) {
    use std::os::unix::fs::OpenOptionsExt as _;
    options.mode(match privacy {
        Privacy::Shared => 0o666,
        Privacy::Private => 0o600,
    });
}

#[cfg(not(unix))]
fn restrict(_options: &mut OpenOptions, _privacy: Privacy) {}
