//! Rules on files as such: how long they are, how they open, what they are called.

use super::{Violation, is_rust, is_test, parts};
use crate::workspace::TextFile;

/// A file that is longer does not fit in the head.
const LONGEST: usize = 600;

/// Names that say nothing about what is inside.
const EMPTY_NAMES: [&str; 4] = ["utils", "helpers", "manager", "common"];

/// No source file is too long.
pub(super) fn check_length(file: &TextFile) -> Vec<Violation> {
    let ours =
        matches!(parts(&file.path).as_slice(), ["crates", _, "src", ..] | ["xtask", "src", ..]);
    let lines = file.text.lines().count();
    if !ours || !is_rust(&file.path) || lines <= LONGEST {
        return Vec::new();
    }
    let message = format!("the file has {lines} lines, and {LONGEST} are the most; split it");
    vec![Violation::new(file, LONGEST + 1, message)]
}

/// Every source file but tests opens by saying what it is.
pub(super) fn check_opening(file: &TextFile) -> Vec<Violation> {
    let is_source = match parts(&file.path).as_slice() {
        ["crates", _, "src", ..] | [_, "src", ..] => is_rust(&file.path),
        _ => false,
    };
    if !is_source || is_test(&file.path) || file.text.starts_with("//!") {
        return Vec::new();
    }
    vec![Violation::new(file, 1, "the file must open with a `//!` comment that says what it is")]
}

/// No module is called something that says nothing.
pub(super) fn check_name(file: &TextFile) -> Vec<Violation> {
    let Some(module) = file.path.strip_suffix(".rs") else { return Vec::new() };
    let bad = parts(module).into_iter().find(|part| EMPTY_NAMES.contains(part));
    let report = |name| {
        let message = format!("`{name}` says nothing about what is inside; name the concept");
        Violation::new(file, 1, message)
    };
    bad.map(report).into_iter().collect()
}
