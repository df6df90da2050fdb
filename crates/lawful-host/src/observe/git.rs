//! What changed since a commit, as git sees it.
//!
//! The observed agent may have prepared the repository. So only two things in it are trusted: which
//! tree a name refers to, and what git stored as that tree. Everything else that could hide a
//! change or run a program (configuration, index, attributes, exclude lists, hooks) is not used.
//! The comparison runs in a temporary repository of our own. It borrows the stored objects, and its
//! index was just filled from the tree, so that git reads every file. No environment variable
//! redirects git, and nothing is fetched.
//!
//! Only a `.gitignore` excludes untracked files, and no `.gitignore` excludes itself.

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

/// Paths relative to the root of the repository, sorted.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Changes {
    /// Every path that differs, including added and deleted ones.
    pub(super) changed: Vec<String>,
    pub(super) added: Vec<String>,
    pub(super) deleted: Vec<String>,
}

/// The time limit for git.
const LIMIT: Duration = Duration::from_mins(2);
/// The limit for the output of git.
const BYTES: usize = 64 * 1024 * 1024;

/// The differences between a commit and the working tree. A renamed file counts as one deleted and
/// one added.
pub(super) fn changes(base: &str, root: &Path) -> Result<Changes, Diagnostic> {
    if !root.join(".git").exists() {
        let message = "`--git` needs a git repository, and this folder is not in one";
        return Err(failed(message, "run `git init`, or omit `git`"));
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

/// Runs two git commands in parallel.
fn both<A: Send, B>(
    one: impl FnOnce() -> Result<A, Diagnostic> + Send,
    other: impl FnOnce() -> Result<B, Diagnostic>,
) -> Result<(A, B), Diagnostic> {
    thread::scope(|scope| {
        let one = scope.spawn(one);
        let other = other();
        let one = one.join().map_err(|_| failed("cannot wait for git", "try again"))?;
        Ok((one?, other?))
    })
}

/// The tree that a name refers to, by its hash, which is unambiguous.
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
    failed(message, "use a branch, a tag or a commit, such as `HEAD`")
}

/// Where a repository stores its objects.
struct Stored {
    objects: PathBuf,
    /// The object format: `sha1` or `sha256`.
    format: String,
}

impl Stored {
    fn of(root: &Path) -> Result<Self, Diagnostic> {
        let mut command = quiet(root);
        command.args(["rev-parse", "--git-path", "objects", "--show-object-format"]);
        let printed = output(command)?;
        // The path comes first, and can contain any byte.
        let mut lines = printed.trim_ascii_end().rsplitn(2, |byte| *byte == b'\n');
        let format = lines.next().map(String::from_utf8_lossy).unwrap_or_default().into_owned();
        let objects = root.join(path_of(lines.next().unwrap_or_default()));
        Ok(Self { objects, format })
    }
}

/// Paths in the index of the repository that are not in a tree. A file that is ignored but was
/// added is known only from here.
fn staged(tree: &str, root: &Path) -> Result<Vec<u8>, Diagnostic> {
    let mut command = quiet(root);
    let words = ["diff-index", "--cached", "--name-only", "--diff-filter=A", "-z", "--no-renames"];
    command.args(words).args([tree, "--"]);
    output(command)
}

/// The output of git, if it succeeds.
fn output(command: Command) -> Result<Vec<u8>, Diagnostic> {
    let printed = ask(command)?;
    match &printed.ended.status {
        Some(status) if status.success() => printed.output.ok_or_else(|| {
            let most = escape::bytes(BYTES);
            failed(format!("git lists more than {most} of changes"), "use a more recent commit")
        }),
        Some(_) | None => Err(refused(&printed)),
    }
}

/// Git without prompts, without programs that a configuration can name, and without an environment
/// that redirects it.
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
        // A configuration can set another work tree.
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
    process::print(command, LIMIT, BYTES)
        .map_err(|error| failed(format!("cannot start git: {error}"), "install git, or omit `git`"))
}

fn refused(printed: &Printed) -> Diagnostic {
    let said = printed.error.lines().next().unwrap_or_default();
    let said = escape::shorten(said.trim_start_matches("fatal: "), 200).into_owned();
    match printed.ended.status {
        Some(_) => failed(format!("git failed: {said}"), "run the same with git itself"),
        None => {
            let seconds = LIMIT.as_secs();
            failed(format!("git did not answer within {seconds} seconds"), "omit `git`")
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
    /// Parses `M\0a\0D\0b\0`.
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

    /// Parses `a\0b\0`: paths that are not in the tree.
    fn untracked(&mut self, output: &[u8], root: &Path) {
        for path in output.split(|byte| *byte == 0).filter(|path| !path.is_empty()) {
            if !is_own(path, root) {
                self.add(name_of(path));
            }
        }
    }

    /// Parses `a\0b\0`: paths that are in the index and not in the tree.
    fn staged(&mut self, output: &[u8], root: &Path) {
        for path in output.split(|byte| *byte == 0).filter(|path| !path.is_empty()) {
            if root.join(path_of(path)).symlink_metadata().is_ok() {
                let name = name_of(path);
                // A submodule that was not one before is not an untracked repository.
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

/// Whether this is the `.gitignore` of a folder that Lawful wrote. It excludes only files with
/// names that Lawful uses, so it hides nothing anywhere.
fn is_own(path: &[u8], root: &Path) -> bool {
    /// Those of Lawful are short.
    const LONGEST: u64 = 1024;
    let path = path_of(path);
    path.file_name().is_some_and(|name| name == ".gitignore")
        && std::fs::symlink_metadata(root.join(path))
            .is_ok_and(|found| found.is_file() && found.len() < LONGEST)
        && std::fs::read(root.join(path)).is_ok_and(|text| lawful_deliver::is_own_ignore(&text))
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
