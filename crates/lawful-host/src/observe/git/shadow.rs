//! A temporary repository next to the observed one: the same stored objects and the same files, and
//! nothing else of it.

use std::fs::DirBuilder;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use lawful::syntax::Diagnostic;

use super::{Stored, ask, output, quiet, refused};
use crate::observe::failed;

/// Removed on drop.
pub(super) struct Shadow<'s> {
    root: &'s Path,
    stored: &'s Stored,
    folder: PathBuf,
}

impl<'s> Shadow<'s> {
    pub(super) fn new(root: &'s Path, stored: &'s Stored) -> Result<Self, Diagnostic> {
        let unwritten = |error: io::Error| {
            let message = format!("cannot create a folder for git: {error}");
            failed(message, "check the space for temporary files")
        };
        let folder = fresh().map_err(unwritten)?;
        let shadow = Self { root, stored, folder };
        shadow.write().map_err(unwritten)?;
        Ok(shadow)
    }

    fn write(&self) -> io::Result<()> {
        std::fs::create_dir(self.folder.join("refs"))?;
        std::fs::write(self.folder.join("HEAD"), "ref: refs/heads/none\n")?;
        let (version, format) = match &*self.stored.format {
            "" | "sha1" => (0, String::new()),
            format => (1, format!("[extensions]\n\tobjectFormat = {format}\n")),
        };
        // File modes and links depend on the system, not on the repository.
        let unix = cfg!(unix);
        let folded = cfg!(any(target_os = "macos", windows));
        let mac = cfg!(target_os = "macos");
        let config = format!(
            "[core]\n\trepositoryFormatVersion = {version}\n\tbare = false\n\
             \tfileMode = {unix}\n\tsymlinks = {unix}\n\
             \tignoreCase = {folded}\n\tprecomposeUnicode = {mac}\n{format}"
        );
        std::fs::write(self.folder.join("config"), config)
    }

    fn command(&self) -> Command {
        let mut command = quiet(self.root);
        command.env("GIT_DIR", &self.folder).env("GIT_OBJECT_DIRECTORY", &self.stored.objects);
        command
    }

    /// Fills the index from a tree. The index then has no file metadata, so git must read every
    /// file.
    pub(super) fn fill(&self, tree: &str) -> Result<(), Diagnostic> {
        let mut command = self.command();
        command.args(["read-tree", tree]);
        output(command).map(|_| ())
    }

    /// Letters and paths of the differences from the tree: `M\0a\0D\0b\0`.
    pub(super) fn differing(&self) -> Result<Vec<u8>, Diagnostic> {
        let mut command = self.command();
        // Reads every file.
        command.args(["update-index", "-q", "--refresh"]);
        let printed = ask(command)?;
        // Exit code 1 means that something differs.
        if !printed.ended.status.is_some_and(|status| matches!(status.code(), Some(0 | 1))) {
            return Err(refused(&printed));
        }
        let mut command = self.command();
        command.args([
            "diff-files",
            "--name-status",
            "-z",
            "--no-renames",
            "--no-ext-diff",
            "--no-textconv",
            "--no-relative",
            "-O/dev/null",
            "--ignore-submodules=dirty",
        ]);
        output(command)
    }

    /// Every file that is not in the tree: `a\0b\0`. A `.gitignore` cannot exclude itself. One in a
    /// folder that is excluded as a whole excludes nothing more.
    pub(super) fn untracked(&self) -> Result<Vec<u8>, Diagnostic> {
        let mut command = self.command();
        command.args([
            "ls-files",
            "-z",
            "--others",
            "--exclude=!.gitignore",
            "--exclude-per-directory=.gitignore",
        ]);
        output(command)
    }
}

impl Drop for Shadow<'_> {
    fn drop(&mut self) {
        // A failure leaves only a few temporary files.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// A new folder that only this user can read.
fn fresh() -> io::Result<PathBuf> {
    /// Skips names that others left behind.
    const ATTEMPTS: u32 = 1000;
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    for _ in 0..ATTEMPTS {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("lawful-git-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        match builder.create(&folder) {
            Ok(()) => return Ok(folder),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}
