//! What a test of the whole program starts from: a folder of its own, and the program run in it.

#![allow(
    dead_code,
    clippy::panic,
    clippy::unwrap_used,
    reason = "every test of the program uses a part of this"
)]

use std::fs;
use std::io::Write as _;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use lawful_host::Workspace;
use serde_json::Value;

/// A folder below the temporary folder, which is removed in the end.
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// An empty folder. Tests that run at the same time give it different names.
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("lawful-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path.canonicalize().unwrap())
    }

    /// A folder that something else makes, which is removed in the end as well.
    pub(crate) fn made_at(path: PathBuf) -> Self {
        Self(path)
    }

    /// Writes a file, and makes the folders above it.
    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// The text of a file.
    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.0.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Trusts the lawbook in a folder below this one, with `home` and `state` as those of the user.
    pub(crate) fn trust(&self, book: &str) {
        let (home, state) = (self.0.join("home"), self.0.join("state"));
        let workspace = Workspace::at(self.0.join(book)).with_variables(move |name| match name {
            "HOME" => Some(home.clone().into()),
            "XDG_STATE_HOME" => Some(state.clone().into()),
            _ => None,
        });
        let review = workspace.review().unwrap_or_else(|failure| panic!("{failure}"));
        workspace.trust(&review).unwrap();
    }

    /// `lawful` with these words, in this folder.
    pub(crate) fn lawful(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lawful"));
        command.args(words).current_dir(&self.0);
        command
    }

    /// What `lawful` says.
    pub(crate) fn output(&self, words: &[&str]) -> Output {
        self.lawful(words).output().unwrap()
    }

    /// What `lawful … --format json` says: the exit code, the one document of standard output, and
    /// standard error.
    pub(crate) fn json(&self, words: &[&str]) -> (i32, Value, String) {
        let output = self.output(&[words, &["--format", "json"]].concat());
        let stderr = String::from_utf8(output.stderr.clone()).unwrap();
        (exit(&output), document(&output), stderr)
    }
}

impl Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl AsRef<Path> for Folder {
    fn as_ref(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Trusts exactly the content that a lawbook folder has now, as the environment of a harness can.
pub(crate) fn pin(command: &mut Command, book: &Path) {
    let source = lawful::book::FolderSource::open(book).unwrap();
    if let Ok((book, _)) = lawful::book::load(&source, lawful::book::Options::default()) {
        command.env("LAWFUL_LAW", format!("sha256:{}", book.fingerprint()));
    }
}

/// The exit code.
pub(crate) fn exit(output: &Output) -> i32 {
    output.status.code().unwrap()
}

/// The one JSON document of standard output.
pub(crate) fn document(output: &Output) -> Value {
    let text = std::str::from_utf8(&output.stdout).unwrap();
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Everything that was said: standard output, then standard error.
pub(crate) fn said(output: &Output) -> String {
    String::from_utf8([&*output.stdout, &*output.stderr].concat()).unwrap()
}

/// What a command says to this input.
pub(crate) fn answer(command: &mut Command, input: impl AsRef<[u8]>) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // One that answers before it has read everything closes the pipe.
    let _ = child.stdin.take().unwrap().write_all(input.as_ref());
    child.wait_with_output().unwrap()
}
