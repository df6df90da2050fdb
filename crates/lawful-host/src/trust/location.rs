//! Where a lawbook is: in a working tree of a repository, or in a folder.
//!
//! All working trees of a repository have one common git folder. It is found by reading the files of
//! git, because running git would run what the configuration of the repository names.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use lawful::book::{BOOK_FOLDER, repository};

/// Where a lawbook is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Location {
    /// The root of the working tree. Outside a repository, the lawbook folder, or the folder that has
    /// it as its folder `lawful`.
    pub(crate) root: PathBuf,
    /// The path from there to the lawbook, with `/`; empty if it is the same folder.
    pub(crate) inside: String,
    /// The common git folder.
    pub(crate) common: Option<PathBuf>,
}

impl Location {
    /// The location of a lawbook folder; `None` if its path is not UTF-8.
    pub(crate) fn of(book: &Path) -> Option<Self> {
        let real = resolved(book);
        real.to_str()?;
        let Some(root) = repository(&real) else {
            // By its name alone: a lawbook that was deleted still judges the folder above.
            let (root, inside) = match real.parent() {
                Some(parent) if real.ends_with(BOOK_FOLDER) => (parent.to_owned(), BOOK_FOLDER),
                Some(_) | None => (real, ""),
            };
            return Some(Self { root, inside: inside.to_owned(), common: None });
        };
        let parts: Option<Vec<&str>> =
            real.strip_prefix(&root).ok()?.iter().map(|part| part.to_str()).collect();
        let common = common_folder(&root);
        Some(Self { inside: parts?.join("/"), common, root })
    }

    /// The lawbook folder.
    pub(crate) fn folder(&self) -> PathBuf {
        below(&self.root, &self.inside)
    }
}

/// The part of a path that a lawbook there is for: what is before the folder `lawful`.
pub(crate) fn home_inside(inside: &str) -> &str {
    match inside.strip_suffix(BOOK_FOLDER) {
        Some("") => "",
        Some(before) => before.strip_suffix('/').unwrap_or(inside),
        None => inside,
    }
}

/// A folder below a root.
pub(crate) fn below(root: &Path, inside: &str) -> PathBuf {
    if inside.is_empty() { root.to_owned() } else { root.join(inside) }
}

/// The real path of a folder, or its absolute path if it is gone.
pub(crate) fn resolved(folder: &Path) -> PathBuf {
    folder
        .canonicalize()
        .or_else(|_| std::path::absolute(folder))
        .unwrap_or_else(|_| folder.to_owned())
}

/// The common git folder of a working tree; `None` if the folder is not the root of one.
pub(crate) fn common_folder(root: &Path) -> Option<PathBuf> {
    let entry = root.join(".git");
    let git = if fs::metadata(&entry).ok()?.is_dir() {
        entry
    } else {
        // A linked working tree or a submodule.
        root.join(first_line(&entry)?.strip_prefix("gitdir:")?.trim())
    };
    let common = match first_line(&git.join("commondir")) {
        Some(path) => git.join(path.trim()),
        None => git,
    };
    common.canonicalize().ok()
}

/// The first line of a small file.
fn first_line(path: &Path) -> Option<String> {
    /// The longest path of any system.
    const LONGEST: u64 = 8 * 1024;
    // Opening a pipe would wait for its writer.
    if !fs::metadata(path).ok()?.is_file() {
        return None;
    }
    let mut text = String::new();
    fs::File::open(path).ok()?.take(LONGEST).read_to_string(&mut text).ok()?;
    text.lines().next().map(ToOwned::to_owned)
}
