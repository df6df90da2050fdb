//! What changed since a commit, as git sees it.
//!
//! The repository may have been prepared by the one who is observed. So only two things of it are
//! believed: which tree a name stands for, and what git has stored as that tree. Everything else
//! that could hide a change or run a program (its configuration, index, attributes, lists of
//! exclusions, hooks) stays out of it: the comparison is made from a repository of our own, which
//! borrows the stored objects and has an index that was filled from the tree a moment ago, so that
//! git reads every file. No environment variable steers git elsewhere, and nothing is fetched.
//!
//! Untracked files are left out by a `.gitignore` alone, and every `.gitignore` counts itself.

mod shadow;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Duration;

use lawful::syntax::{Diagnostic, escape};

use super::process::{self, Printed};
use super::{failed, name_of};
use shadow::Shadow;

/// Paths from the root of the repository, sorted.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Changes {
    /// Every path that differs, the added and the deleted among them.
    pub(super) changed: Vec<String>,
    pub(super) added: Vec<String>,
    pub(super) deleted: Vec<String>,
}

/// Git may take so long.
const LIMIT: Duration = Duration::from_mins(2);
/// Git may print so much.
const BYTES: usize = 64 * 1024 * 1024;

/// What is different in the working tree from a commit. A renamed file is one that was deleted and
/// one that was added.
pub(super) fn changes(base: &str, root: &Path) -> Result<Changes, Diagnostic> {
    if !root.join(".git").exists() {
        let message = "there is no git repository here, and `--git` needs one";
        return Err(failed(message, "run `git init`, or leave `git` out"));
    }
    if base.is_empty() || base.starts_with('-') || base.contains(char::is_control) {
        return Err(no_commit(base));
    }
    let (stored, tree) = both(|| Stored::of(root), || tree(base, root))?;
    let shadow = Shadow::new(root, &stored)?;
    shadow.fill(&tree)?;
    let (differing, (untracked, staged)) =
        both(|| shadow.differing(), || both(|| shadow.untracked(), || staged(&tree, root)))?;
    let mut kinds = Kinds::default();
    kinds.differing(&differing);
    kinds.untracked(&untracked, root);
    kinds.staged(&staged, root);
    Ok(kinds.finish())
}

/// Two questions to git at once.
fn both<A: Send, B>(
    one: impl FnOnce() -> Result<A, Diagnostic> + Send,
    other: impl FnOnce() -> Result<B, Diagnostic>,
) -> Result<(A, B), Diagnostic> {
    thread::scope(|scope| {
        let one = scope.spawn(one);
        let other = other();
        let one = one.join().map_err(|_| failed("git cannot be watched", "try again"))?;
        Ok((one?, other?))
    })
}

/// The tree that a name stands for, by its number, which is no longer open to interpretation.
fn tree(base: &str, root: &Path) -> Result<String, Diagnostic> {
    let name = format!("{base}^{{tree}}");
    let mut command = quiet(root);
    command.args(["rev-parse", "--quiet", "--verify", "--end-of-options", &name]);
    let printed = ask(command)?;
    let number = printed.output.as_deref().map(String::from_utf8_lossy).unwrap_or_default();
    let number = number.trim();
    let found = printed.ended.status.is_some_and(|status| status.success())
        && !number.is_empty()
        && number.bytes().all(|byte| byte.is_ascii_hexdigit());
    match found {
        true => Ok(number.to_owned()),
        false if printed.error.is_empty() => Err(no_commit(base)),
        false => Err(refused(&printed)),
    }
}

fn no_commit(base: &str) -> Diagnostic {
    let message = format!("`{}` does not name a commit", escape::name(base));
    failed(message, "name a branch, a tag or a commit, such as `HEAD`")
}

/// Where a repository keeps what it has stored.
struct Stored {
    objects: PathBuf,
    /// How objects are named: `sha1` or `sha256`.
    format: String,
}

impl Stored {
    fn of(root: &Path) -> Result<Self, Diagnostic> {
        let mut command = quiet(root);
        command.args(["rev-parse", "--git-path", "objects", "--show-object-format"]);
        let printed = output(command)?;
        // The path comes first, and may hold anything.
        let mut lines = printed.trim_ascii_end().rsplitn(2, |byte| *byte == b'\n');
        let format = lines.next().map(String::from_utf8_lossy).unwrap_or_default().into_owned();
        let objects = root.join(path_of(lines.next().unwrap_or_default()));
        Ok(Self { objects, format })
    }
}

/// Paths that the index of the repository has and a tree has not. One that is ignored and was added
/// all the same is known from here alone.
fn staged(tree: &str, root: &Path) -> Result<Vec<u8>, Diagnostic> {
    let mut command = quiet(root);
    let words = ["diff-index", "--cached", "--name-only", "--diff-filter=A", "-z", "--no-renames"];
    command.args(words).args([tree, "--"]);
    output(command)
}

/// What git prints, if it does as it is told.
fn output(command: Command) -> Result<Vec<u8>, Diagnostic> {
    let printed = ask(command)?;
    match &printed.ended.status {
        Some(status) if status.success() => printed.output.ok_or_else(|| {
            let most = escape::bytes(BYTES);
            failed(format!("git lists more than {most} of changes"), "name a nearer commit")
        }),
        Some(_) | None => Err(refused(&printed)),
    }
}

/// Git without a person, without the programs that a configuration can name, and without an
/// environment that steers it.
fn quiet(root: &Path) -> Command {
    const SETTINGS: [(&str, &str); 4] = [
        ("core.fsmonitor", "false"),
        ("core.untrackedCache", "false"),
        ("core.hooksPath", "/dev/null"),
        ("protocol.allow", "never"),
    ];
    let mut command = Command::new("git");
    let steering: Vec<OsString> = std::env::vars_os()
        .map(|(name, _)| name)
        .filter(|name| name.to_string_lossy().starts_with("GIT_"))
        .collect();
    for name in steering {
        command.env_remove(name);
    }
    command
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_NO_REPLACE_OBJECTS", "1")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_LITERAL_PATHSPECS", "1")
        // A configuration can say that the files are elsewhere.
        .env("GIT_WORK_TREE", root)
        .env("LC_ALL", "C")
        .current_dir(root)
        .arg("--no-pager");
    for (at, (key, value)) in SETTINGS.iter().enumerate() {
        command.env(format!("GIT_CONFIG_KEY_{at}"), key);
        command.env(format!("GIT_CONFIG_VALUE_{at}"), value);
    }
    command.env("GIT_CONFIG_COUNT", SETTINGS.len().to_string());
    command
}

fn ask(command: Command) -> Result<Printed, Diagnostic> {
    process::print(command, LIMIT, BYTES).map_err(|error| {
        failed(format!("git cannot be started: {error}"), "install git, or leave `git` out")
    })
}

fn refused(printed: &Printed) -> Diagnostic {
    let said = printed.error.lines().next().unwrap_or_default();
    let said = escape::shorten(said.trim_start_matches("fatal: "), 200).into_owned();
    match printed.ended.status {
        Some(_) => failed(format!("git refuses: {said}"), "try the same with git itself"),
        None => {
            let seconds = LIMIT.as_secs();
            failed(format!("git did not answer within {seconds} seconds"), "leave `git` out")
        }
    }
}

#[derive(Default)]
struct Kinds {
    changed: BTreeSet<String>,
    added: BTreeSet<String>,
    deleted: BTreeSet<String>,
}

impl Kinds {
    /// Takes `M\0a\0D\0b\0` in.
    fn differing(&mut self, output: &[u8]) {
        let mut fields = output.split(|byte| *byte == 0);
        while let (Some(letter), Some(path)) = (fields.next(), fields.next()) {
            let path = name_of(path);
            match letter.first() {
                Some(b'D') => self.deleted.insert(path.clone()),
                // Modified, or of another type.
                Some(_) | None => true,
            };
            self.changed.insert(path);
        }
    }

    /// Takes `a\0b\0` in, which is not in the tree.
    fn untracked(&mut self, output: &[u8], root: &Path) {
        for path in output.split(|byte| *byte == 0).filter(|path| !path.is_empty()) {
            if !is_own(path, root) {
                self.add(name_of(path));
            }
        }
    }

    /// Takes `a\0b\0` in, which is in the index and not in the tree.
    fn staged(&mut self, output: &[u8], root: &Path) {
        for path in output.split(|byte| *byte == 0).filter(|path| !path.is_empty()) {
            if root.join(path_of(path)).symlink_metadata().is_ok() {
                let name = name_of(path);
                // A submodule that was not one before is no stray repository.
                let stray = format!("{name}/");
                self.changed.remove(&stray);
                self.added.remove(&stray);
                self.add(name);
            }
        }
    }

    fn add(&mut self, name: String) {
        self.changed.insert(name.clone());
        self.added.insert(name);
    }

    fn finish(self) -> Changes {
        Changes {
            changed: self.changed.into_iter().collect(),
            added: self.added.into_iter().collect(),
            deleted: self.deleted.into_iter().collect(),
        }
    }
}

/// Whether this is the `.gitignore` of a folder of ours. It leaves out nothing but files that are
/// ours by name, so that it hides nothing wherever it stands.
fn is_own(path: &[u8], root: &Path) -> bool {
    let path = path_of(path);
    path.file_name().is_some_and(|name| name == ".gitignore")
        && std::fs::symlink_metadata(root.join(path)).is_ok_and(|found| {
            found.is_file() && found.len() == lawful_deliver::IGNORE.len() as u64
        })
        && std::fs::read(root.join(path))
            .is_ok_and(|text| text == lawful_deliver::IGNORE.as_bytes())
}

#[cfg(unix)]
fn path_of(bytes: &[u8]) -> &Path {
    use std::os::unix::ffi::OsStrExt as _;
    Path::new(std::ffi::OsStr::from_bytes(bytes))
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> &Path {
    Path::new(std::str::from_utf8(bytes).unwrap_or_default())
}
