//! Rules on what code can use: surfaces are independent, one file accesses the disk, libraries do
//! not print.
//!
//! Comments are ignored: a name in one is not a use.

use super::{Violation, is_identifier, is_rust, is_test, lines_with_word, parts};
use crate::workspace::TextFile;

/// The three surfaces of the library. Code that two of them share is outside of them.
const SURFACES: [&str; 3] = ["compose", "react", "verify"];

/// The only file of the library that can access the disk.
const DISK: &str = "crates/lawful/src/book/fs.rs";

/// No surface uses another.
pub(super) fn check_surfaces(file: &TextFile) -> Vec<Violation> {
    let parts = parts(&file.path);
    let ["crates", "lawful", "src", first, ..] = parts.as_slice() else { return Vec::new() };
    let surface = first.strip_suffix(".rs").unwrap_or(first);
    if !SURFACES.contains(&surface) || !is_rust(&file.path) {
        return Vec::new();
    }
    let code = without_comments(&file.text);
    let mut violations = Vec::new();
    for root in ["crate", "super"] {
        for (line, used) in used_from(&code, root) {
            if used != surface && SURFACES.contains(&used) {
                let message =
                    format!("`{surface}` must not use `{used}`; move what both need out of both");
                violations.push(Violation::new(file, line, message));
            }
        }
    }
    violations
}

/// Only one file of the library accesses the disk.
pub(super) fn check_disk(file: &TextFile) -> Vec<Violation> {
    if !file.path.starts_with("crates/lawful/src/") || !is_rust(&file.path) || file.path == DISK {
        return Vec::new();
    }
    let code = without_comments(&file.text);
    let uses = used_from(&code, "std").into_iter().filter(|(_, used)| *used == "fs");
    let message = format!("only `{DISK}` can use `std::fs`");
    uses.map(|(line, _)| Violation::new(file, line, message.clone())).collect()
}

/// Only the command line, the tools and the tests print.
pub(super) fn check_printing(file: &TextFile) -> Vec<Violation> {
    let may_print = match parts(&file.path).as_slice() {
        ["xtask" | "benches", ..] | ["crates", "lawful-cli", ..] => true,
        parts => parts.contains(&"examples") || is_test(&file.path),
    };
    if may_print || !is_rust(&file.path) {
        return Vec::new();
    }
    let code = without_comments(&file.text);
    let mut violations = Vec::new();
    for call in ["println!", "eprintln!"] {
        for line in lines_with_word(&code, call, is_identifier) {
            let message = format!("`{call}` outside of the command line; return the text instead");
            violations.push(Violation::new(file, line, message));
        }
    }
    violations
}

/// Only the command line knows its arguments, and only programs exit the process: code that front
/// ends share returns its answer.
pub(super) fn check_front_end(file: &TextFile) -> Vec<Violation> {
    let is_library = match parts(&file.path).as_slice() {
        ["crates", "lawful-cli" | "lawful-nickel", ..] => false,
        ["crates", _, "src", ..] => true,
        _ => false,
    };
    if !is_library || !is_rust(&file.path) || is_test(&file.path) {
        return Vec::new();
    }
    let code = without_comments(&file.text);
    let mut violations = Vec::new();
    for (call, message) in [
        ("clap", "`clap` outside of the command line; take a typed request instead"),
        ("process::exit", "a library must not exit the process; return an answer instead"),
    ] {
        for line in lines_with_word(&code, call, is_identifier) {
            violations.push(Violation::new(file, line, message));
        }
    }
    violations
}

/// The code with comment lines emptied, so that line numbers stay.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        if !line.trim_start().starts_with("//") {
            out.push_str(line);
        }
        out.push('\n');
    }
    out
}

/// Every name directly under `root::` in the code, alone or in braces, with its line.
fn used_from<'c>(code: &'c str, root: &str) -> Vec<(usize, &'c str)> {
    let mut used = Vec::new();
    for (at, found) in code.match_indices(&format!("{root}::")) {
        let (before, rest) = code.split_at(at);
        if before.chars().next_back().is_some_and(is_identifier) {
            continue;
        }
        let rest = rest.get(found.len()..).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        match rest.strip_prefix('{') {
            None => used.push((line, leading_name(rest))),
            Some(group) => used.extend(group_names(group, line)),
        }
    }
    used
}

/// The first names of the members of a `{…}` group, which can be nested.
fn group_names(group: &str, first_line: usize) -> Vec<(usize, &str)> {
    let mut names = Vec::new();
    let mut depth = 0_usize;
    let mut line = first_line;
    let mut at_start = true;
    for (at, c) in group.char_indices() {
        match c {
            '\n' => line += 1,
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => at_start = true,
            _ if at_start && depth == 0 && !c.is_whitespace() => {
                names.push((line, leading_name(group.get(at..).unwrap_or_default())));
                at_start = false;
            }
            _ => {}
        }
    }
    names
}

fn leading_name(text: &str) -> &str {
    let end = text.find(|c| !is_identifier(c)).unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}
