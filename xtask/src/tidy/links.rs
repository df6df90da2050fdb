//! Rules on links in Markdown: a relative link leads to a file, and its anchor to a heading.

use std::collections::{BTreeMap, BTreeSet};

use super::{Violation, is_identifier, parts};
use crate::workspace::TextFile;

/// Every relative link of a page leads to something.
pub(super) fn check(files: &[TextFile]) -> Vec<Violation> {
    let mut known: BTreeSet<String> = BTreeSet::new();
    let mut anchors: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for file in files {
        let parts = parts(&file.path);
        known.extend((1..=parts.len()).filter_map(|end| Some(parts.get(..end)?.join("/"))));
        if file.path.strip_suffix(".md").is_some() {
            anchors.insert(&file.path, headings(&file.text));
        }
    }
    let mut violations = Vec::new();
    for file in files.iter().filter(|file| anchors.contains_key(&*file.path)) {
        for (line, link) in links(&without_fences(&file.text)) {
            let (path, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = resolve(&file.path, path);
            let headings = target.as_deref().and_then(|target| anchors.get(target));
            let message = if !target.as_ref().is_some_and(|target| known.contains(target)) {
                format!("the link `{link}` leads to no file")
            } else if !anchor.is_empty() && !headings.is_some_and(|all| all.contains(anchor)) {
                format!("the link `{link}` leads to no heading")
            } else {
                continue;
            };
            violations.push(Violation::new(file, line, message));
        }
    }
    violations
}

/// The relative links of a page, with their lines.
fn links(page: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (at, line) in page.lines().enumerate() {
        for (_, rest) in line.match_indices("](").map(|(at, mark)| line.split_at(at + mark.len())) {
            let link = rest.split(')').next().unwrap_or_default();
            let elsewhere = link.contains("://") || link.starts_with("mailto:");
            // A target with a space is code that looks like a link.
            if !link.is_empty() && !elsewhere && !link.contains(' ') {
                found.push((at + 1, link.to_owned()));
            }
        }
    }
    found
}

/// The path relative to the root that a link leads to; `None` if it leaves the repository.
fn resolve(page: &str, link: &str) -> Option<String> {
    if link.is_empty() {
        return Some(page.to_owned());
    }
    let mut folder = parts(page);
    folder.pop();
    for part in link.trim_end_matches('/').split('/') {
        match part {
            "." => {}
            ".." => drop(folder.pop()?),
            part => folder.push(part),
        }
    }
    Some(folder.join("/"))
}

/// The anchors of the headings of a page, as GitHub makes them.
fn headings(page: &str) -> BTreeSet<String> {
    let page = without_fences(page);
    let titles = page.lines().filter(|line| line.starts_with('#'));
    titles.map(|line| anchor(line.trim_start_matches('#').trim())).collect()
}

fn anchor(title: &str) -> String {
    let kept = title.to_lowercase();
    let kept = kept.chars().filter(|c| is_identifier(*c) || matches!(c, ' ' | '-'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// The page with its fenced blocks emptied, so that line numbers stay.
pub(super) fn without_fences(page: &str) -> String {
    let mut out = String::with_capacity(page.len());
    let mut open: Option<usize> = None;
    for line in page.lines() {
        let text = line.trim_start();
        let ticks = text.len() - text.trim_start_matches('`').len();
        match open {
            Some(length) if ticks >= length && text.trim_end().len() == ticks => open = None,
            Some(_) => {}
            None if ticks >= 3 => open = Some(ticks),
            None => out.push_str(line),
        }
        out.push('\n');
    }
    out
}
