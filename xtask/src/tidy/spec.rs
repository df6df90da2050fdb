//! Rules on the specification: it shows every rule of the semantics and every diagnostic code.
//!
//! A section lists its rules at the end of its heading: `## A null is absent (1.3, 2.3)`.

use std::collections::BTreeSet;

use super::{Violation, is_rust, lines_with_word};
use crate::workspace::TextFile;

/// The number of rules in each section of the semantics, from section 1 on.
const SECTIONS: [usize; 10] = [6, 10, 12, 7, 22, 13, 8, 7, 3, 5];

/// The rules that the specification must show. Add a rule when it is implemented.
pub(super) const RULES: &[&str] = &[
    "1.1", "1.2", "1.3", "1.4", "1.5", "1.6", //
    "2.1", "2.2", "2.3", "2.4", "2.5", "2.6", "2.7", "2.8", "2.9", "2.10", //
    "3.1", "3.2", "3.3", "3.4", "3.5", "3.6", "3.7", "3.8", "3.9", "3.10", //
    "3.11", "3.12", //
    "4.1", "4.2", "4.3", "4.4", "4.5", "4.6", //
    "5.1", "5.2", "5.3", "5.4", "5.5", "5.6", "5.7", "5.8", "5.9", "5.10", //
    "5.11", "5.12", "5.13", "5.14", "5.15", "5.16", "5.17", "5.18", "5.19", "5.20", //
    "5.22", //
    "6.1", "6.2", "6.3", "6.4", "6.5", "6.6", "6.7", "6.8", "6.9", "6.10", //
    "6.11", "6.12", //
    "7.1", "7.2", "7.4", "7.5", "7.6", "7.7", //
    "8.1", "8.2", "8.3", "8.4", "8.5", "8.6", "8.7", //
    "10.1", "10.2", "10.3", "10.4", "10.5", //
];

/// A heading cites every rule on the list, and no heading cites a rule that does not exist.
pub(super) fn check_rules(files: &[TextFile]) -> Vec<Violation> {
    let mut cited = BTreeSet::new();
    let mut violations = Vec::new();
    for file in files.iter().filter(|file| is_spec_page(&file.path)) {
        for (line, rule) in cited_rules(&file.text) {
            if !is_rule(rule) {
                let message = format!("there is no rule {rule} in the semantics");
                violations.push(Violation::new(file, line, message));
            }
            cited.insert(rule);
        }
    }
    for rule in RULES.iter().filter(|rule| !cited.contains(**rule)) {
        let message = format!("no heading cites rule {rule}; write `## … ({rule})`");
        violations.push(Violation { path: "spec".to_owned(), line: 1, message });
    }
    violations
}

fn is_rule(tag: &str) -> bool {
    let Some((section, rule)) = tag.split_once('.') else { return false };
    let section = section.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    let rules = section.and_then(|at| SECTIONS.get(at));
    rules.is_some_and(|rules| rule.parse().is_ok_and(|rule| (1..=*rules).contains(&rule)))
}

/// The specification or a test shows every diagnostic code.
pub(super) fn check_codes(files: &[TextFile]) -> Vec<Violation> {
    let mut violations = Vec::new();
    let showing: Vec<&TextFile> = files.iter().filter(|file| shows_codes(&file.path)).collect();
    for file in files.iter().filter(|file| declares_codes(file)) {
        for (line, code) in declared_codes(&file.text) {
            let joins = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
            let shown = |text: &str| !lines_with_word(text, code, joins).is_empty();
            // The test of a lint is in its own file.
            let own_test =
                file.text.split_once("#[cfg(test)]").is_some_and(|(_, test)| shown(test));
            if !own_test && !showing.iter().any(|page| shown(&page.text)) {
                let message = format!("no page of the specification and no test shows `{code}`");
                violations.push(Violation::new(file, line, message));
            }
        }
    }
    violations
}

fn is_spec_page(path: &str) -> bool {
    path.starts_with("spec/") && path.strip_suffix(".md").is_some()
}

fn declares_codes(file: &TextFile) -> bool {
    let own = ["lawful-syntax", "lawful-deliver", "lawful-host"];
    own.iter().any(|name| file.path == format!("crates/{name}/src/codes.rs"))
        || (file.path.starts_with("crates/lawful/src/") && file.text.contains("declare_codes!"))
}

fn shows_codes(path: &str) -> bool {
    let shown = ["spec/", "crates/lawful-cli/tests/", "crates/lawful-nickel/tests/"];
    if shown.iter().any(|folder| path.starts_with(folder)) {
        return true;
    }
    if path.starts_with("crates/lawful-deliver/src/tests/") && is_rust(path) {
        return true;
    }
    let name = path.rsplit('/').next().unwrap_or_default();
    path.starts_with("crates/lawful/src/") && name.starts_with("tests") && is_rust(name)
}

/// The rules in the headings of a page, with their lines. Fenced blocks are not headings.
fn cited_rules(page: &str) -> Vec<(usize, &str)> {
    let mut cited = Vec::new();
    let mut fence: Option<usize> = None;
    for (at, line) in page.lines().enumerate() {
        let ticks = line.len() - line.trim_start_matches('`').len();
        match fence {
            Some(open) if ticks >= open && line.trim_end().len() == ticks => fence = None,
            None if ticks >= 3 => fence = Some(ticks),
            None if line.starts_with('#') => {
                cited.extend(tags(line).into_iter().map(|rule| (at + 1, rule)));
            }
            Some(_) | None => {}
        }
    }
    cited
}

/// The rule numbers in the parentheses that end a heading; empty if they contain anything else.
fn tags(heading: &str) -> Vec<&str> {
    let inside = heading.trim_end().strip_suffix(')').and_then(|heading| heading.rsplit_once('('));
    let Some((_, inside)) = inside else { return Vec::new() };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_tag =
        |tag: &&str| tag.split_once('.').is_some_and(|(a, b)| is_number(a) && is_number(b));
    let tags: Vec<&str> = inside.split(',').map(str::trim).collect();
    if tags.iter().all(is_tag) { tags } else { Vec::new() }
}

/// The names in lines such as `TOO_LARGE = "too-large", Error, …`, with their lines.
fn declared_codes(text: &str) -> Vec<(usize, &str)> {
    let lines = text.lines().enumerate();
    lines.filter_map(|(at, line)| Some((at + 1, declared_code(line)?))).collect()
}

fn declared_code(line: &str) -> Option<&str> {
    let (id, rest) = line.trim_start().split_once(" = \"")?;
    let (name, rest) = rest.split_once("\", ")?;
    let is_id = id.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    (is_id && (rest.starts_with("Error,") || rest.starts_with("Warning,"))).then_some(name)
}
