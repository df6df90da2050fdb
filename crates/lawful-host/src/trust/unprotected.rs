//! Commands of a manifest that run files of the project which an agent may change.
//!
//! A trusted command such as `./check.sh` runs whatever that file contains by then. `protect.paths`
//! keeps agents from changing it.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use lawful::book::{Book, Observation, Run};
use lawful::syntax::{Diagnostic, escape};

use crate::codes;

/// Programs that run the file which their first argument names.
const INTERPRETERS: [&str; 16] = [
    "sh", "bash", "dash", "zsh", "fish", "source", ".", "python", "python3", "node", "deno", "bun",
    "ruby", "perl", "php", "lua",
];
/// Programs that run commands from a file with a fixed name.
const RUNNERS: [(&str, &[&str]); 9] = [
    ("make", &["GNUmakefile", "makefile", "Makefile"]),
    ("gmake", &["GNUmakefile", "makefile", "Makefile"]),
    ("just", &["justfile", "Justfile", ".justfile"]),
    ("task", &["Taskfile.yml", "Taskfile.yaml"]),
    ("rake", &["Rakefile", "rakefile"]),
    ("npm", &["package.json"]),
    ("pnpm", &["package.json"]),
    ("yarn", &["package.json"]),
    ("bun", &["package.json"]),
];

/// A warning for each command that runs a file of the project which `protect.paths` does not cover.
/// `root` is the root of the project.
pub(super) fn unprotected_commands(
    book: &Book,
    root: &Path,
    home: Option<&OsStr>,
) -> Vec<Diagnostic> {
    let protected = book.manifest.protect.compile(home.and_then(OsStr::to_str));
    let mut found = Vec::new();
    for command in &book.manifest.observe {
        for path in project_files(command, root) {
            if protected.covers(&path).is_some() {
                continue;
            }
            let path = escape::name(&path);
            let message = format!(
                "the command `{}` runs `{path}`, which an agent can change",
                escape::name(&command.name),
            );
            found.push(
                Diagnostic::new(&codes::UNPROTECTED_COMMAND, command.span, message)
                    .help(format!("add `{path}` to `protect.paths`")),
            );
        }
    }
    found
}

/// The files of the project that a command runs, as far as its words say, relative to the root.
fn project_files(command: &Observation, root: &Path) -> Vec<String> {
    let lines: Vec<Vec<&str>> = match &command.run {
        Run::Words(words) => vec![words.iter().map(|word| &**word).collect()],
        // The words of each command of a line. Quotes only hide words, so they separate them here.
        Run::Shell(line) => line
            .split([';', '&', '|', '(', ')', '\n', '`'])
            .map(|part| part.split([' ', '\t', '"', '\'', '<', '>']).filter(|w| !w.is_empty()))
            .map(Iterator::collect)
            .collect(),
    };
    let mut files: Vec<String> = Vec::new();
    let mut add = |path: Option<String>| {
        files.extend(path.filter(|path| !files.contains(path)));
    };
    for words in lines {
        for (at, word) in words.iter().enumerate() {
            let path = inside(word, &command.folder);
            let runs = at
                .checked_sub(1)
                .and_then(|at| words.get(at))
                .is_some_and(|before| INTERPRETERS.contains(&program(before)));
            // A program with a folder, the script of an interpreter, or anything executable.
            if (at == 0 && word.contains('/')) || word.starts_with("./") {
                add(path);
            } else {
                add(path.filter(|path| is_run(&root.join(path), runs)));
            }
            let fixed = RUNNERS.iter().find(|(name, _)| *name == program(word));
            for name in fixed.into_iter().flat_map(|(_, names)| *names) {
                add(inside(name, &command.folder).filter(|path| root.join(path).is_file()));
            }
        }
    }
    files
}

/// The name of a program without its folder.
fn program(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

/// Whether a file exists and is run: by the interpreter before it, or because it is executable.
fn is_run(file: &Path, by_interpreter: bool) -> bool {
    let Ok(metadata) = fs::metadata(file) else { return false };
    metadata.is_file() && (by_interpreter || is_executable(&metadata))
}

#[cfg(unix)]
fn is_executable(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    metadata.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(_metadata: &fs::Metadata) -> bool {
    true
}

/// The path from the root of the project to what a word names in a folder; `None` if it is outside.
fn inside(word: &str, folder: &str) -> Option<String> {
    if word.starts_with(['-', '/', '~', '$']) || word.contains('\0') {
        return None;
    }
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in word.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/")).filter(|path| !path.is_empty())
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
