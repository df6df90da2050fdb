//! The disk, as everything that delivers sees it.
//!
//! All reading and writing of plans, ledgers and journals goes through [`Disk`], so that a test can
//! put another one in its place and make any call fail. Each writing call is one step that either
//! happens or does not; what many of them come to is the business of the journal.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

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

/// Who may read a new file or folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode<'p> {
    /// Whoever the system lets by default.
    Shared,
    /// The owner alone.
    Private,
    /// Whoever may read this file, which it will replace.
    Like(&'p Path),
}

/// What is done to a disk. Links are followed, except by [`Disk::resolve`], which says where they
/// lead.
pub trait Disk {
    /// What is at a path.
    fn kind(&self, path: &Path) -> io::Result<Kind>;
    /// Where a path really is; it need not exist. A link to nowhere is an error, because it could be
    /// made to lead anywhere.
    fn resolve(&self, path: &Path) -> io::Result<PathBuf>;
    /// What a folder is known by wherever it is moved to, and no copy of it; `None` where there is no
    /// telling.
    fn identity(&self, folder: &Path) -> Option<String>;
    /// Whether there is a link at a path, wherever it leads.
    fn is_link(&self, path: &Path) -> bool;
    /// The bytes of a file that is not too large; `None` if there is none.
    fn read(&self, path: &Path) -> io::Result<Option<Vec<u8>>>;
    /// The names in a folder, sorted.
    fn names(&self, path: &Path) -> io::Result<Vec<OsString>>;
    /// Creates one folder.
    fn create_folder(&self, path: &Path, mode: Mode<'_>) -> io::Result<()>;
    /// Creates a file that is not there yet. Until it is waited for, a crash may cut it short.
    fn create_file(&self, path: &Path, bytes: &[u8], mode: Mode<'_>) -> io::Result<()>;
    /// Puts a file in the place of another.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Removes a file.
    fn remove_file(&self, path: &Path) -> io::Result<()>;
    /// Removes a folder that is empty.
    fn remove_folder(&self, path: &Path) -> io::Result<()>;
    /// Waits until the bytes of files and the names in folders are on the disk.
    fn sync(&self, paths: &[&Path]) -> io::Result<()>;
    /// Whether files in a folder can be made and removed.
    fn is_open(&self, folder: &Path) -> bool;
}

/// So large a file may be that is looked into.
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
        // The nearest folder that is there decides.
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
        // The number of a folder that was removed may be given to another one, which is younger.
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

    fn read(&self, path: &Path) -> io::Result<Option<Vec<u8>>> {
        match fs::metadata(path) {
            Ok(known) if !known.is_file() => {
                return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a file"));
            }
            Ok(known) if known.len() > LARGEST => {
                return Err(io::Error::new(io::ErrorKind::FileTooLarge, "it is larger than 4 MiB"));
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
            // The first failure is the one to tell of.
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
        /// So many are waited for at once: a disk writes what is asked for together in one go.
        const TOGETHER: usize = 16;
        let next = AtomicUsize::new(0);
        let work = || -> io::Result<()> {
            while let Some(path) = paths.get(next.fetch_add(1, Ordering::Relaxed)) {
                sync_one(path)?;
            }
            Ok(())
        };
        thread::scope(|scope| {
            // The first one is ours; a thread that cannot be had leaves its share to the others.
            let others = 1..paths.len().min(TOGETHER);
            let others: Vec<_> = others
                .map_while(|_| thread::Builder::new().spawn_scoped(scope, work).ok())
                .collect();
            let own = work();
            let done = others.into_iter().map(|other| {
                other.join().unwrap_or_else(|_| Err(io::Error::other("a thread ended early")))
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
        // There is no telling before it is tried.
        true
    }
}

/// Refuses a path that really is outside of a folder, or below a `.git` in it.
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

/// Whether there is nothing at a path; a file in place of a folder above it is no less nothing.
fn is_nothing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Waits for a file or a folder.
fn sync_one(path: &Path) -> io::Result<()> {
    match File::open(path).and_then(|file| file.sync_all()) {
        // Not every system can promise this for folders.
        Err(error) if !path.is_dir() => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

fn fill(file: &mut File, bytes: &[u8], mode: Mode<'_>) -> io::Result<()> {
    file.write_all(bytes)?;
    if let Mode::Like(other) = mode
        && let Ok(known) = fs::metadata(other)
    {
        file.set_permissions(known.permissions())?;
    }
    Ok(())
}

#[cfg(unix)]
fn restrict_file(options: &mut OpenOptions, mode: Mode<'_>) {
    use std::os::unix::fs::OpenOptionsExt as _;
    options.mode(match mode {
        Mode::Shared => 0o666,
        // What it will replace may be private; until it has its mode, so is this.
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
