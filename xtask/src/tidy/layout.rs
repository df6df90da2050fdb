//! Rules on files: their length, their opening and their names.

use super::{Violation, is_rust, is_test, parts};
use crate::workspace::TextFile;

/// The maximal length of a source file in lines.
const LONGEST: usize = 600;

/// Names that do not describe the content.
const EMPTY_NAMES: [&str; 4] = ["utils", "helpers", "manager", "common"];

/// No source file is too long.
pub(super) fn check_length(file: &TextFile) -> Vec<Violation> {
    let ours =
        matches!(parts(&file.path).as_slice(), ["crates", _, "src", ..] | ["xtask", "src", ..]);
    let lines = file.text.lines().count();
    if !ours || !is_rust(&file.path) || lines <= LONGEST {
        return Vec::new();
    }
    let message = format!("the file has {lines} lines, at most {LONGEST} are allowed; split it");
    vec![Violation::new(file, LONGEST + 1, message)]
}

/// Every source file except tests opens with a description.
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

/// No module has a meaningless name.
pub(super) fn check_name(file: &TextFile) -> Vec<Violation> {
    let Some(module) = file.path.strip_suffix(".rs") else { return Vec::new() };
    let bad = parts(module).into_iter().find(|part| EMPTY_NAMES.contains(part));
    let report = |name| {
        let message = format!("`{name}` does not describe the content; name the concept");
        Violation::new(file, 1, message)
    };
    bad.map(report).into_iter().collect()
}
