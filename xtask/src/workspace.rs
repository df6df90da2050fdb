//! The repository: its root, its files, and running commands in it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The result of a command of this tool.
pub(crate) type Result<T = ()> = std::result::Result<T, Failure>;

/// Why a command failed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// Invalid arguments; an empty message shows only the usage.
    Usage(String),
    /// The answer is no, or the command could not run.
    Failed(String),
}

/// The failure of an attempt, with the reason.
pub(crate) fn failed(what: impl std::fmt::Display, why: impl std::fmt::Display) -> Failure {
    Failure::Failed(format!("{what}: {why}"))
}

/// The root of the repository, from any working directory.
pub(crate) fn root() -> PathBuf {
    let here = env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    here.parent().map_or_else(|| here.clone(), Path::to_path_buf)
}

/// The folder for builds of the repository.
pub(crate) fn target_folder() -> PathBuf {
    let root = root();
    match env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => root.join(folder),
        None => root.join("target"),
    }
}

/// The cargo that runs this tool, in the root.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(root());
    command
}

/// Builds the installed programs: `lawful`, and `lawful-nickel` next to it. Separately, as they are
/// installed: together, each would get the features that the other needs of shared crates.
pub(crate) fn build_programs() -> Result {
    run(cargo(&["build", "--locked", "--package", "lawful-nickel"]))?;
    run(cargo(&["build", "--locked", "--package", "lawful-cli"]))
}

/// Installs a package with pip into its own folder.
pub(crate) fn pip_install(folder: &Path, package: &str) -> Result {
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    pip.args(["--root-user-action", "ignore", "--target"]).arg(folder).arg(package);
    run(pip)
}

/// Runs a command with our input and output, and fails if it fails.
pub(crate) fn run(mut command: Command) -> Result {
    let name = spell(&command);
    let status = command.status().map_err(|error| failed(format!("`{name}`"), error))?;
    if status.success() { Ok(()) } else { Err(failed(format!("`{name}`"), status)) }
}

/// The command as a user would type it.
pub(crate) fn spell(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or_default();
    let words = std::iter::once(program).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// A text file of the repository.
#[derive(Debug)]
pub(crate) struct TextFile {
    /// Its path relative to the root, with `/` between the parts.
    pub(crate) path: String,
    /// Its text.
    pub(crate) text: String,
}

/// Every text file that git tracks or would track. Files that are not UTF-8 are ignored.
pub(crate) fn text_files() -> Result<Vec<TextFile>> {
    let root = root();
    let mut git = Command::new("git");
    git.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]).current_dir(&root);
    let output = git.output().map_err(|error| failed("`git ls-files`", error))?;
    if !output.status.success() {
        return Err(failed("`git ls-files`", String::from_utf8_lossy(&output.stderr).trim()));
    }
    let names = String::from_utf8_lossy(&output.stdout);
    let mut paths: Vec<&str> = names.split('\0').filter(|path| !path.is_empty()).collect();
    paths.sort_unstable();
    paths.dedup();
    // A file that is tracked and deleted is still listed, but has no text.
    let read = |path: &str| {
        let text = fs::read_to_string(root.join(path)).ok()?;
        Some(TextFile { path: path.to_owned(), text })
    };
    Ok(paths.into_iter().filter_map(read).collect())
}

/// The names, without `.rs`, of the Rust files in a folder, in order; empty if it does not exist.
pub(crate) fn rust_files_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let rust = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == "rs"));
    let mut names: Vec<String> =
        rust.filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned())).collect();
    names.sort();
    names
}
