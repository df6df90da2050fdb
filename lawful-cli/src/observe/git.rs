//! What changed since a commit, as git sees it.
//!
//! The repository may have been prepared by the one who is observed. So nothing that its
//! configuration names is run (no hooks, no monitor, no external diff, no filter that only this
//! repository has, no fetching), no environment variable steers git elsewhere, and what would hide
//! a change is not believed: lists of exclusions outside of the tree are not read, and a file that
//! git was told to overlook counts as changed.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

use lawful::syntax::{Diagnostic, escape};

use super::process::{self, Printed};
use super::{failed, name_of};

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
    let (overrides, tree) = both(|| local_filters(root), || tree(base, root))?;
    let git = Git { root, overrides };
    let (listed, differing) = both(|| git.listed(), || git.differing(&tree))?;
    let mut kinds = Kinds::default();
    kinds.differing(&differing);
    kinds.listed(&listed, root);
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
    let mut command = quiet(root, &[]);
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

struct Git<'r> {
    root: &'r Path,
    overrides: Vec<Setting>,
}

impl Git<'_> {
    /// Letters and paths of what differs from a tree: `M\0a\0D\0b\0`.
    fn differing(&self, tree: &str) -> Result<Vec<u8>, Diagnostic> {
        self.output(&[
            "diff",
            "--name-status",
            "-z",
            "--no-renames",
            "--no-ext-diff",
            "--no-textconv",
            "--no-color",
            "--no-relative",
            "-O/dev/null",
            "--submodule=short",
            "--ignore-submodules=dirty",
            tree,
            "--",
        ])
    }

    /// Every file of the index with a letter for how git treats it, and every untracked one.
    fn listed(&self) -> Result<Vec<u8>, Diagnostic> {
        self.output(&[
            "ls-files",
            "-v",
            "-z",
            "--cached",
            "--others",
            "--exclude-per-directory=.gitignore",
        ])
    }

    fn output(&self, words: &[&str]) -> Result<Vec<u8>, Diagnostic> {
        let printed = ask(self.command(words))?;
        match &printed.ended.status {
            Some(status) if status.success() => printed.output.ok_or_else(|| {
                let most = escape::bytes(BYTES);
                failed(format!("git lists more than {most} of changes"), "name a nearer commit")
            }),
            Some(_) | None => Err(refused(&printed)),
        }
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = quiet(self.root, &self.overrides);
        command.args(words);
        command
    }
}

/// A setting and its value.
type Setting = (OsString, &'static str);

/// Git without a person, without the programs that a configuration can name, and without an
/// environment that steers it.
fn quiet(root: &Path, overrides: &[Setting]) -> Command {
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
    // By the environment, because `-c` does not know where a name ends that holds `=`.
    let settings = SETTINGS.iter().map(|(key, value)| (OsStr::new(*key), *value));
    let all = settings.chain(overrides.iter().map(|(key, value)| (key.as_os_str(), *value)));
    let mut count = 0;
    for (key, value) in all {
        command.env(format!("GIT_CONFIG_KEY_{count}"), key);
        command.env(format!("GIT_CONFIG_VALUE_{count}"), value);
        count += 1;
    }
    command.env("GIT_CONFIG_COUNT", count.to_string());
    command
}

/// Settings that take the filters out of use that only this repository defines: comparing a file
/// would run them. Those of the user and of the system stay, because storage such as LFS needs them.
fn local_filters(root: &Path) -> Result<Vec<Setting>, Diagnostic> {
    /// An environment has room for so many.
    const MOST: usize = 1000;
    let mut command = quiet(root, &[]);
    command.args(["config", "--show-scope", "-z", "--name-only", "--get-regexp", "^filter\\."]);
    let printed = ask(command)?;
    let output = match &printed.ended.status {
        Some(status) if status.success() => printed.output.unwrap_or_default(),
        // There are none.
        Some(status) if status.code() == Some(1) => return Ok(Vec::new()),
        Some(_) | None => return Err(refused(&printed)),
    };
    let mut settings = BTreeSet::new();
    let mut fields = output.split(|byte| *byte == 0);
    while let (Some(scope), Some(key)) = (fields.next(), fields.next()) {
        let dot = key.iter().rposition(|byte| *byte == b'.');
        let filter = dot.and_then(|dot| key.get(..dot));
        if let (b"local" | b"worktree", Some(filter)) = (scope, filter) {
            for (name, value) in [(".clean", ""), (".process", ""), (".required", "false")] {
                let mut key = path_of(filter).as_os_str().to_owned();
                key.push(name);
                settings.insert((key, value));
            }
        }
    }
    if settings.len() > MOST {
        return Err(failed("this repository defines hundreds of filters", "leave `git` out"));
    }
    Ok(settings.into_iter().collect())
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
                Some(b'A') => self.added.insert(path.clone()),
                Some(b'D') => self.deleted.insert(path.clone()),
                // Modified, of another type, or in conflict.
                Some(_) | None => true,
            };
            self.changed.insert(path);
        }
    }

    /// Takes `H a\0? b\0` in.
    fn listed(&mut self, output: &[u8], root: &Path) {
        for entry in output.split(|byte| *byte == 0) {
            let [letter, b' ', path @ ..] = entry else { continue };
            let name = name_of(path);
            let there = || root.join(path_of(path)).symlink_metadata().is_ok();
            match letter {
                b'?' => {
                    self.changed.insert(name.clone());
                    // Deleted from the index and still there is not deleted.
                    if !self.deleted.remove(&name) {
                        self.added.insert(name);
                    }
                }
                // Not checked out, as it should be, unless it is there.
                b'S' if !there() => {}
                // Told to be overlooked.
                b'S' | b's' | b'h' | b'm' => {
                    if !there() {
                        self.deleted.insert(name.clone());
                    }
                    self.changed.insert(name);
                }
                _ => {}
            }
        }
    }

    fn finish(self) -> Changes {
        Changes {
            changed: self.changed.into_iter().collect(),
            added: self.added.into_iter().collect(),
            deleted: self.deleted.into_iter().collect(),
        }
    }
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
