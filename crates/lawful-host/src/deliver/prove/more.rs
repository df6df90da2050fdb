//! Files that a client reads and the harness table does not name: those of its folders, and those that
//! a text includes.
//!
//! **Invariant:** only the endings of a folder, and of includes only prose, inside the project or the
//! folder of the client in the home. Depth and number are bounded.

use std::fs;
use std::path::{Component, Path, PathBuf};

use lawful_deliver::{NamedFile, Syntax};

use super::copy::Original;

/// How deep folders are searched.
const DEPTH: usize = 8;

/// How many files of one folder are taken.
const MOST: usize = 256;

/// The files below a folder that end so, and whether there are more than are taken.
pub(super) fn below(folder: &NamedFile, end: &str) -> (Vec<NamedFile>, bool) {
    let mut found = Vec::new();
    let is_cut = search(folder, end, DEPTH, &mut found);
    (found, is_cut)
}

fn search(folder: &NamedFile, end: &str, depth: usize, found: &mut Vec<NamedFile>) -> bool {
    let Ok(entries) = fs::read_dir(&folder.path) else { return false };
    let mut entries: Vec<fs::DirEntry> = entries.take(4 * MOST).flatten().collect();
    let mut is_cut = entries.len() == 4 * MOST;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let Ok(name) = entry.file_name().into_string() else { continue };
        let file = NamedFile {
            path: folder.path.join(&name),
            below: folder.below.join(&name),
            shown: format!("{}/{name}", folder.shown),
            settings: name.ends_with(".toml").then_some(Syntax::Toml),
            ..folder.clone()
        };
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            is_cut |= depth == 0 || search(&file, end, depth - 1, found);
        } else if name.ends_with(end) {
            if found.len() == MOST {
                return true;
            }
            found.push(file);
        }
    }
    is_cut
}

/// A file that a text includes.
pub(super) enum Included {
    /// It can be copied.
    File(NamedFile),
    /// It cannot: its path as written, and why.
    Not(String, &'static str),
}

/// The files that a text includes with `@path`.
pub(super) fn included(
    file: &NamedFile,
    text: &str,
    folder: &str,
    original: Original<'_>,
) -> Vec<Included> {
    let words = text.split_whitespace().filter_map(|word| word.strip_prefix('@'));
    words.take(MOST).filter_map(|word| one(file, word, folder, original)).collect()
}

fn one(file: &NamedFile, word: &str, folder: &str, original: Original<'_>) -> Option<Included> {
    let end = |c: char| matches!(c, '.' | ',' | ';' | ':' | ')');
    let words = [word, word.trim_end_matches(end)];
    let found = words.into_iter().find_map(|word| {
        let path = match word.strip_prefix("~/") {
            Some(rest) => original.home?.join(rest),
            None => file.path.parent()?.join(word),
        };
        path.is_file().then(|| (word, plain(&path)))
    });
    let (word, path) = found?;
    let not = |why| Some(Included::Not(format!("@{word}"), why));
    let is_prose = path.extension().and_then(|end| end.to_str());
    if !is_prose.is_some_and(|end| ["md", "markdown", "txt", "rst", "adoc"].contains(&end)) {
        return not("it is included, and is no prose by its name");
    }
    if Path::new(word).is_absolute() {
        return not("it is included by its absolute path");
    }
    let from_home = word.starts_with("~/");
    if !from_home && let Ok(below) = path.strip_prefix(original.project) {
        let (root, below) = (original.project.to_owned(), below.to_owned());
        let shown = below.to_string_lossy().into_owned();
        return Some(Included::File(NamedFile {
            path,
            root,
            in_project: true,
            below,
            shown,
            settings: None,
        }));
    }
    let root = original.home.map(|home| home.join(folder));
    match root.and_then(|root| Some((path.strip_prefix(&root).ok()?.to_owned(), root))) {
        Some((inner, root)) => {
            let below = Path::new(folder).join(inner);
            let shown = format!("~/{}", below.display());
            Some(Included::File(NamedFile {
                path,
                root,
                in_project: false,
                below,
                shown,
                settings: None,
            }))
        }
        None => not("it is included, and is outside of the project"),
    }
}

/// A path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => plain.push(part),
        }
    }
    plain
}
