//! What the texts of a lawbook parse to, kept beside its trusted copy.
//!
//! ```text
//! $XDG_STATE_HOME/lawful/trust/trees/<sha256>.<program>
//! ```
//!
//! A hook is a process of its own, and parsing a large lawbook takes most of its time. So the first one
//! keeps the trees for the others. They belong to one lawbook and to one build of this program; if they
//! are missing, damaged or of another build, the texts are parsed.
//!
//! **Invariant:** the trees decide nothing that the texts would decide otherwise. They are read with the
//! same care as the copy itself.

use std::fs;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::time::{Duration, UNIX_EPOCH};

use lawful::book::{Book, Trees};
use lawful::syntax::Diagnostic;

use super::fingerprint::Fingerprint;
use super::vault::{Vault, create_new, create_private, is_private, largest_copy, read};

/// The kept trees of one lawbook.
pub(super) struct KeptTrees<'v> {
    vault: &'v Vault,
    fingerprint: &'v Fingerprint,
    program: String,
}

/// The folder of the trees.
const TREES: &str = "trees";

impl<'v> KeptTrees<'v> {
    /// The trees of a lawbook; `None` if it is unknown which build of the program this is.
    pub(super) fn of(vault: &'v Vault, fingerprint: &'v Fingerprint) -> Option<Self> {
        Some(Self { vault, fingerprint, program: program()? })
    }

    /// The trees, if they are there.
    pub(super) fn read(&self) -> Option<Trees> {
        let is_private = self.vault.is_there().ok()? && is_private(&self.folder()).ok()?;
        let bytes = is_private.then(|| read(&self.file(), LARGER * largest_copy()))?.ok()??;
        Trees::read(bytes, self.fingerprint.digits(), &self.program)
    }

    /// Keeps the trees of a loaded lawbook. What cannot be kept is parsed again.
    pub(super) fn keep(&self, book: &Book, problems: &[Diagnostic]) {
        let _ = self.write(&Trees::pack(book, problems, &self.program));
    }

    fn write(&self, bytes: &[u8]) -> io::Result<()> {
        let folder = self.folder();
        create_private(&folder)?;
        if !self.vault.is_there()? || !is_private(&folder)? {
            return Ok(());
        }
        self.forget_old();
        let beside = folder.join(format!("{}.tmp", std::process::id()));
        // Damaged trees are not used, so there is no need to wait for the disk.
        let written = create_new(&beside)
            .and_then(|mut file| file.write_all(bytes))
            .and_then(|()| fs::rename(&beside, self.file()));
        if written.is_err() {
            let _ = fs::remove_file(&beside);
        }
        written
    }

    /// Removes trees that were written long ago, most of them by other builds.
    fn forget_old(&self) {
        const MONTH: Duration = Duration::from_hours(30 * 24);
        for entry in fs::read_dir(self.folder()).into_iter().flatten().flatten() {
            let written = entry.metadata().and_then(|file| file.modified());
            if written.ok().and_then(|at| at.elapsed().ok()).is_some_and(|age| age > MONTH) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    fn folder(&self) -> PathBuf {
        self.vault.folder().join(TREES)
    }

    fn file(&self) -> PathBuf {
        self.folder().join(format!("{}.{}", self.fingerprint.digits(), self.program))
    }
}

/// Trees may be so many times larger than the texts.
const LARGER: usize = 4;

/// What identifies this build: its version, and the size and the time of its file.
fn program() -> Option<String> {
    let file = std::env::current_exe().and_then(fs::metadata).ok()?;
    let time = file.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    let version = env!("CARGO_PKG_VERSION");
    Some(format!("{version}-{:x}-{:x}", file.len(), time.as_nanos()))
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
