//! The disk, as the delivery code sees it.
//!
//! All plans, ledgers and journals read and write through [`Disk`], so that a test can replace it
//! and make any call fail. Each writing call is one step that happens or does not; the journal
//! makes several of them atomic.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::preserve;
use crate::reach::is_in_git;

#[cfg(test)]
pub(crate) mod memory;

/// What is at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nothing.
    Missing,
    /// An ordinary file.
    File,
    /// A folder.
    Folder,
    /// A socket, a pipe, a device.
    Other,
}

/// Who can read a new file or folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode<'p> {
    /// The default of the system.
    Shared,
    /// The owner only.
    Private,
    /// Like this file, which it will replace: owner, group, mode and extended attributes.
    Like(&'p Path),
}

/// Operations on a disk. All follow links, except [`Disk::resolve`], which returns where they lead.
pub trait Disk {
    /// What is at a path.
    fn kind(&self, path: &Path) -> io::Result<Kind>;
    /// The real path of a path, which need not exist. A dangling link is an error, because it could
    /// later lead anywhere.
    fn resolve(&self, path: &Path) -> io::Result<PathBuf>;
    /// An identity of a folder that survives a move but not a copy; `None` if unknown.
    fn identity(&self, folder: &Path) -> Option<String>;
    /// Whether a path is a link.
    fn is_link(&self, path: &Path) -> bool;
    /// The bytes of a file of at most this size; `None` if it does not exist.
    fn read_up_to(&self, path: &Path, most: u64) -> io::Result<Option<Vec<u8>>>;
    /// The bytes of a file within the usual limit; `None` if it does not exist.
    fn read(&self, path: &Path) -> io::Result<Option<Vec<u8>>> {
        self.read_up_to(path, LARGEST)
    }
    /// The names in a folder, sorted.
    fn names(&self, path: &Path) -> io::Result<Vec<OsString>>;
    /// Creates one folder.
    fn create_folder(&self, path: &Path, mode: Mode<'_>) -> io::Result<()>;
    /// Creates a new file. A crash before `sync` can truncate it.
    fn create_file(&self, path: &Path, bytes: &[u8], mode: Mode<'_>) -> io::Result<()>;
    /// Renames a file over another, or a folder.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Removes a file.
    fn remove_file(&self, path: &Path) -> io::Result<()>;
    /// Removes an empty folder.
    fn remove_folder(&self, path: &Path) -> io::Result<()>;
    /// Waits until the bytes of files and the names in folders are durable.
    fn sync(&self, paths: &[&Path]) -> io::Result<()>;
    /// Whether files in a folder can be created and removed.
    fn is_open(&self, folder: &Path) -> bool;
    /// What a replacement of a file would not keep, in words.
    fn unkept(&self, path: &Path) -> Vec<String>;
}

/// The maximal size of a file to read.
pub(crate) const LARGEST: u64 = 4 * 1024 * 1024;

/// The disk of this machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct OsDisk;

impl Disk for OsDisk {
    fn kind(&self, path: &Path) -> io::Result<Kind> {
        match fs::metadata(path) {
            Ok(known) if known.is_file() => Ok(Kind::File),
            Ok(known) if known.is_dir() => Ok(Kind::Folder),
            Ok(_) => Ok(Kind::Other),
            Err(error) if is_nothing(&error) => Ok(Kind::Missing),
            Err(error) => Err(error),
        }
    }

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        if fs::symlink_metadata(path).is_ok() {
            return path.canonicalize();
        }
        // The nearest existing folder decides.
        for above in path.ancestors().skip(1) {
            let above = if above == Path::new("") { Path::new(".") } else { above };
            if fs::symlink_metadata(above).is_ok() {
                let rest = path.strip_prefix(above).unwrap_or(path);
                return Ok(above.canonicalize()?.join(rest));
            }
        }
        Err(io::ErrorKind::NotFound.into())
    }

    #[cfg(unix)]
    fn identity(&self, folder: &Path) -> Option<String> {
        use std::os::unix::fs::MetadataExt as _;
        let known = fs::metadata(folder).ok()?;
        // A new folder can reuse the inode number of a removed one, but has a later creation time.
        let born = known.created().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
        Some(format!("{} {}", known.ino(), born.as_nanos()))
    }

    #[cfg(not(unix))]
    fn identity(&self, _folder: &Path) -> Option<String> {
        None
    }

    fn is_link(&self, path: &Path) -> bool {
        fs::symlink_metadata(path).is_ok_and(|known| known.is_symlink())
    }

    fn read_up_to(&self, path: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
        match fs::metadata(path) {
            Ok(known) if !known.is_file() => {
                return Err(io::Error::new(
                    io::ErrorKind::InvalidInput,
                    "it is not a regular file",
                ));
            }
            Ok(known) if known.len() > most => {
                let message = format!("it is larger than {} MiB", most / (1024 * 1024));
                return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
            }
            Ok(_) => {}
            Err(error) if is_nothing(&error) => return Ok(None),
            Err(error) => return Err(error),
        }
        fs::read(path).map(Some)
    }

    fn names(&self, path: &Path) -> io::Result<Vec<OsString>> {
        let names = fs::read_dir(path)?.map(|entry| entry.map(|entry| entry.file_name()));
        let mut names = names.collect::<io::Result<Vec<OsString>>>()?;
        names.sort();
        Ok(names)
    }

    fn create_folder(&self, path: &Path, mode: Mode<'_>) -> io::Result<()> {
        let mut builder = fs::DirBuilder::new();
        restrict_folder(&mut builder, mode);
        builder.create(path)
    }

    fn create_file(&self, path: &Path, bytes: &[u8], mode: Mode<'_>) -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        restrict_file(&mut options, mode);
        let mut file = options.open(path)?;
        let filled = fill(&mut file, bytes, mode);
        if filled.is_err() {
            // Report the first error.
            let _ = fs::remove_file(path);
        }
        filled
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn remove_folder(&self, path: &Path) -> io::Result<()> {
        fs::remove_dir(path)
    }

    fn sync(&self, paths: &[&Path]) -> io::Result<()> {
        /// How many to sync in parallel: a disk writes concurrent requests together.
        const TOGETHER: usize = 16;
        let next = AtomicUsize::new(0);
        let work = || -> io::Result<()> {
            while let Some(path) = paths.get(next.fetch_add(1, Ordering::Relaxed)) {
                sync_one(path)?;
            }
            Ok(())
        };
        thread::scope(|scope| {
            // The first is on this thread; if a thread cannot start, the others take its share.
            let others = 1..paths.len().min(TOGETHER);
            let others: Vec<_> = others
                .map_while(|_| thread::Builder::new().spawn_scoped(scope, work).ok())
                .collect();
            let own = work();
            let done = others.into_iter().map(|other| {
                other.join().unwrap_or_else(|_| Err(io::Error::other("a thread panicked")))
            });
            done.fold(own, io::Result::and)
        })
    }

    #[cfg(unix)]
    fn is_open(&self, folder: &Path) -> bool {
        use rustix::fs::{Access, access};
        access(folder, Access::WRITE_OK | Access::EXEC_OK).is_ok()
    }

    #[cfg(not(unix))]
    fn is_open(&self, _folder: &Path) -> bool {
        // Unknown before the attempt.
        true
    }

    fn unkept(&self, path: &Path) -> Vec<String> {
        preserve::lost(path)
    }
}

/// Rejects a path that is really outside a folder, or below a `.git` in it.
pub(crate) fn inside(disk: &impl Disk, root: &Path, path: &Path) -> io::Result<()> {
    let below = match (disk.resolve(root), disk.resolve(path)) {
        (Ok(root), Ok(real)) => {
            let climbs = real.components().any(|part| part == std::path::Component::ParentDir);
            real.strip_prefix(root).ok().filter(|_| !climbs).map(Path::to_owned)
        }
        (Ok(_) | Err(_), _) => None,
    };
    let message = match below {
        Some(below) if is_in_git(&below) => format!("`{}` is below `.git`", path.display()),
        Some(_) => return Ok(()),
        None => format!("`{}` leads out of `{}`", path.display(), root.display()),
    };
    Err(io::Error::new(io::ErrorKind::PermissionDenied, message))
}

/// Whether an error means that nothing is at a path; a file in place of a parent folder counts too.
fn is_nothing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Syncs a file or a folder.
fn sync_one(path: &Path) -> io::Result<()> {
    match File::open(path).and_then(|file| file.sync_all()) {
        // Not every system can sync folders.
        Err(error) if !path.is_dir() => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

fn fill(file: &mut File, bytes: &[u8], mode: Mode<'_>) -> io::Result<()> {
    file.write_all(bytes)?;
    match mode {
        Mode::Like(other) => preserve::copy(other, file),
        Mode::Shared | Mode::Private => Ok(()),
    }
}

#[cfg(unix)]
fn restrict_file(options: &mut OpenOptions, mode: Mode<'_>) {
    use std::os::unix::fs::OpenOptionsExt as _;
    options.mode(match mode {
        Mode::Shared => 0o666,
        // The replaced file may be private; until the mode is set, so is this one.
        Mode::Private | Mode::Like(_) => 0o600,
    });
}

#[cfg(unix)]
fn restrict_folder(builder: &mut fs::DirBuilder, mode: Mode<'_>) {
    use std::os::unix::fs::DirBuilderExt as _;
    match mode {
        Mode::Shared | Mode::Like(_) => {}
        Mode::Private => {
            builder.mode(0o700);
        }
    }
}

#[cfg(not(unix))]
fn restrict_file(_options: &mut OpenOptions, _mode: Mode<'_>) {}

#[cfg(not(unix))]
fn restrict_folder(_builder: &mut fs::DirBuilder, _mode: Mode<'_>) {}
