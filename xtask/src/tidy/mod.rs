//! The rules of this repository that neither the compiler nor clippy checks.
//!
//! A rule is a pure function from files to violations, so each is tested on a few lines. All
//! violations are reported at once, sorted by place.

mod layout;
mod links;
mod source;
mod spec;
mod words;

use std::fmt;

use crate::workspace::{Failure, Result, TextFile, text_files};

/// Checks every rule on every file that git tracks or would track.
pub(crate) fn run() -> Result {
    let files = text_files()?;
    let violations = check(&files);
    for violation in &violations {
        println!("{violation}");
    }
    match violations.len() {
        0 => {
            println!("tidy: {} files are in order", files.len());
            Ok(())
        }
        1 => Err(Failure::Failed("tidy: one rule is broken".to_owned())),
        many => Err(Failure::Failed(format!("tidy: {many} rules are broken"))),
    }
}

/// A violation and its place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Violation {
    path: String,
    /// From 1.
    line: usize,
    message: String,
}

impl Violation {
    fn new(file: &TextFile, line: usize, message: impl Into<String>) -> Self {
        Self { path: file.path.clone(), line, message: message.into() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.message)
    }
}

/// Every violation of every rule, sorted by place.
fn check(files: &[TextFile]) -> Vec<Violation> {
    let rules = [
        layout::check_length,
        layout::check_opening,
        layout::check_name,
        words::check_emoji,
        words::check_leftovers,
        words::check_places,
        words::check_phrases,
        source::check_surfaces,
        source::check_disk,
        source::check_printing,
        source::check_front_end,
    ];
    let mut violations: Vec<Violation> =
        files.iter().flat_map(|file| rules.iter().flat_map(|rule| rule(file))).collect();
    violations.extend(links::check(files));
    violations.extend(spec::check_rules(files));
    violations.extend(spec::check_codes(files));
    violations.sort();
    violations.dedup();
    violations
}

fn is_rust(path: &str) -> bool {
    path.strip_suffix(".rs").is_some()
}

/// The parts of a path from the root.
fn parts(path: &str) -> Vec<&str> {
    path.split('/').collect()
}

/// Whether a path is a test: in a folder `tests`, or a file `tests.rs`.
fn is_test(path: &str) -> bool {
    parts(path).iter().any(|part| matches!(*part, "tests" | "tests.rs"))
}

/// The lines, from 1, in which a word stands alone: `joins` says which adjacent characters would
/// make it part of another word.
fn lines_with_word(text: &str, word: &str, joins: impl Fn(char) -> bool) -> Vec<usize> {
    let has = |line: &str| {
        line.match_indices(word).any(|(at, _)| {
            let before = line.get(..at).and_then(|before| before.chars().next_back());
            let after = line.get(at + word.len()..).and_then(|after| after.chars().next());
            !before.is_some_and(&joins) && !after.is_some_and(&joins)
        })
    };
    text.lines().enumerate().filter(|(_, line)| has(line)).map(|(at, _)| at + 1).collect()
}

fn is_identifier(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests;
