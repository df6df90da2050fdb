//! Running a part of a test as a process of its own: the test binary starts itself.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const FILE: &str = "LAWFUL_STORE_TEST_FILE";
const SEED: &str = "LAWFUL_STORE_TEST_SEED";
/// Starts each line that a child says, so that the words of the test harness are told apart.
const MARK: &str = "> ";

/// A command that runs one ignored test of a program on a file.
pub(crate) fn command(program: &Path, test: &str, file: &Path) -> Command {
    let mut command = Command::new(program);
    command.args(["--ignored", "--exact", "--nocapture", test]).env(FILE, file);
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    command
}

pub(crate) fn seeded(mut command: Command, seed: u64) -> Command {
    command.env(SEED, seed.to_string());
    command
}

/// The file, in a child.
pub(crate) fn file() -> Option<PathBuf> {
    std::env::var_os(FILE).map(PathBuf::from)
}

pub(crate) fn seed() -> u64 {
    std::env::var(SEED).ok().and_then(|seed| seed.parse().ok()).unwrap_or(0)
}

/// Says a line to the parent, at once.
pub(crate) fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(format!("{MARK}{line}\n").as_bytes());
    let _ = out.flush();
}

/// The whole lines that a child said.
pub(crate) fn lines(output: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(output);
    let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
    // The harness may have begun a line of its own before the mark.
    whole.lines().filter_map(|line| Some(line.split_once(MARK)?.1.to_owned())).collect()
}
