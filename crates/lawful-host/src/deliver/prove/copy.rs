//! A copy of what a client reads, in a temporary folder with a home and a project.
//!
//! **Invariant:** nothing is copied but files that were named, from inside the folder that must
//! contain them, and settings only without what could run a program or hold a credential. What exists
//! and is not copied is listed.

use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::{fs, io};

use lawful_deliver::{Harness, NamedFile, Syntax};
use lawful_prove::{Client, harmless, harmless_text, strings};
use tempfile::TempDir;

use super::more::{self, Included};

/// The largest file that is copied.
const LARGEST: u64 = 1 << 20;

/// How many files are copied, and how deep they include each other.
const MOST: usize = 1024;
const INCLUDES: usize = 5;

/// The copy.
pub(super) struct Copied {
    /// The folder with `home` and `project`. It is removed in the end.
    pub(super) folder: TempDir,
    /// The shown path and the text of each file, and of each longer text in settings.
    pub(super) texts: Vec<(String, String)>,
    /// Files and settings that exist and were not copied, and why.
    pub(super) left_out: Vec<String>,
    /// Settings files among them: without these, nothing is proved.
    pub(super) settings_left_out: Vec<String>,
}

/// Where the originals are.
#[derive(Clone, Copy)]
pub(super) struct Original<'o> {
    pub(super) project: &'o Path,
    pub(super) home: Option<&'o Path>,
}

/// Copies files.
pub(super) fn copy(
    harness: &Harness,
    client: &Client,
    (files, folders): (Vec<NamedFile>, Vec<(NamedFile, &str)>),
    original: Original<'_>,
) -> io::Result<Copied> {
    // Resolve links, so that the folder has one name.
    let parent = std::env::temp_dir().canonicalize()?;
    let folder = tempfile::Builder::new().prefix("lawful-prove-").tempdir_in(parent)?;
    let (home, project) = (folder.path().join("home"), folder.path().join("project"));
    for made in [&home, &project, &folder.path().join("tmp")] {
        fs::create_dir(made)?;
    }
    if original.project.join(".git").exists() {
        empty_repository(&project)?;
    }
    let moves = moves(original, &home, &project);
    let variables = variables(harness);
    let mut copied =
        Copied { folder, texts: Vec::new(), left_out: Vec::new(), settings_left_out: Vec::new() };
    let mut waiting: VecDeque<(NamedFile, usize)> =
        files.into_iter().map(|file| (file, 0)).collect();
    for (folder, end) in folders {
        let (files, is_cut) = more::below(&folder, end);
        waiting.extend(files.into_iter().map(|file| (file, 0)));
        if is_cut {
            copied.left_out.push(format!("`{}`: some of its many files", folder.shown));
        }
    }
    let mut known: BTreeSet<(bool, PathBuf)> = BTreeSet::new();
    while let Some((file, depth)) = waiting.pop_front() {
        if !known.insert((file.in_project, file.below.clone())) {
            continue;
        }
        if known.len() > MOST {
            copied.left_out.push(format!("`{}` and what follows: too many files", file.shown));
            break;
        }
        let shown = &file.shown;
        let clean = |text: String| match file.settings {
            None => harmless_text(&text).ok_or("its front matter may run a program"),
            Some(syntax) => harmless(syntax, &moved(text, &moves), client.forbidden, &variables)
                .ok_or("it cannot be parsed"),
        };
        let text = read(&file).and_then(|text| text.map(clean).transpose().map_err(str::to_owned));
        let clean = match text {
            Ok(None) => continue,
            Ok(Some(clean)) => clean,
            Err(why) => {
                copied.left_out.push(format!("`{shown}`: {why}"));
                if file.settings.is_some() {
                    copied.settings_left_out.push(shown.clone());
                }
                continue;
            }
        };
        if !clean.removed.is_empty() {
            let names = clean.removed.join("`, `");
            copied.left_out.push(format!("`{shown}`: its settings `{names}`"));
        }
        if file.settings.is_none()
            && let Some(folder) = client.includes
        {
            for one in more::included(&file, &clean.text, folder, original) {
                match one {
                    Included::File(one) if depth < INCLUDES => waiting.push_back((one, depth + 1)),
                    Included::File(one) => {
                        copied.left_out.push(format!("`{}`: included too deep", one.shown));
                    }
                    Included::Not(path, why) => {
                        copied.left_out.push(format!("`{path}` in `{shown}`: {why}"));
                    }
                }
            }
        }
        let found = match file.settings {
            None => vec![clean.text.clone()],
            Some(syntax) => strings(syntax, &clean.text),
        };
        copied.texts.extend(found.into_iter().map(|text| (shown.clone(), text)));
        let to = if file.in_project { &project } else { &home }.join(&file.below);
        fs::create_dir_all(to.parent().unwrap_or(&project))?;
        fs::write(to, clean.text)?;
    }
    Ok(copied)
}

/// The text of a file; `None` if it does not exist.
fn read(file: &NamedFile) -> Result<Option<String>, String> {
    let Ok(real) = file.path.canonicalize() else { return Ok(None) };
    let root = file.root.canonicalize().map_err(|error| error.to_string())?;
    if !real.starts_with(root) {
        return Err("it is a link that leads outside".to_owned());
    }
    let kind = fs::metadata(&real).map_err(|error| error.to_string())?;
    if !kind.is_file() {
        return Err("it is not a file".to_owned());
    }
    if kind.len() > LARGEST {
        return Err("it is larger than 1 MiB".to_owned());
    }
    match fs::read(&real).map(String::from_utf8) {
        Ok(Ok(text)) => Ok(Some(text)),
        Ok(Err(_)) => Err("it is not UTF-8 text".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// The variables that the table sets in files of variables.
fn variables(harness: &Harness) -> Vec<&'static str> {
    let switches = harness.surfaces.iter().filter_map(|surface| surface.switch);
    switches.filter(|switch| switch.syntax == Syntax::Env).map(|switch| switch.key).collect()
}

/// Original folders and their copies, inner folders first.
fn moves(original: Original<'_>, home: &Path, project: &Path) -> Vec<(PathBuf, PathBuf)> {
    let mut moves = vec![(original.project.to_owned(), project.to_owned())];
    moves.extend(original.home.map(|from| (from.to_owned(), home.to_owned())));
    let real: Vec<(PathBuf, PathBuf)> = moves
        .iter()
        .filter_map(|(from, to)| Some((from.canonicalize().ok()?, to.clone())))
        .filter(|one| !moves.contains(one))
        .collect();
    moves.extend(real);
    moves.retain(|(from, _)| from.parent().is_some());
    moves.sort_by_key(|(from, _)| std::cmp::Reverse(from.as_os_str().len()));
    moves
}

/// A settings file with the paths of the copy, such as those of trusted projects.
fn moved(mut text: String, moves: &[(PathBuf, PathBuf)]) -> String {
    for (from, to) in moves {
        text = text.replace(&*from.to_string_lossy(), &to.to_string_lossy());
    }
    text
}

/// A repository without commits, because clients look for its root.
fn empty_repository(project: &Path) -> io::Result<()> {
    let git = project.join(".git");
    fs::create_dir_all(git.join("objects"))?;
    fs::create_dir_all(git.join("refs/heads"))?;
    fs::write(git.join("HEAD"), "ref: refs/heads/main\n")?;
    fs::write(git.join("config"), "[core]\n\trepositoryformatversion = 0\n\tbare = false\n")
}
