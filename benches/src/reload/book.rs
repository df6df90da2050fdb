//! A lawbook of 1,000 files, the same every time.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::Result;

const FRAGMENTS: usize = 599;
const COMPOSITIONS: usize = 50;
const RULES: usize = 150;
const CONDITIONS: usize = 200;
/// How many files the book has.
pub const FILES: usize = 1 + FRAGMENTS + COMPOSITIONS + RULES + CONDITIONS;

/// What is changed, each in its turn, and where.
pub const CHANGES: [(&str, &str); 5] = [
    ("a fragment", "fragments/topic-1/part-301.md"),
    ("a composition", "compositions/reply-25.yaml"),
    ("a file of rules", "rules/scene-075.yaml"),
    ("a file of conditions", "conditions/topic-100.yaml"),
    ("the manifest", "lawful.yaml"),
];

/// A text with one more line that every format takes for a remark, or for prose.
pub fn change(text: &str) -> String {
    format!("{text}# One more line.\n")
}

/// The paths of all files.
pub fn paths() -> Vec<String> {
    files().into_iter().map(|(path, _)| path).collect()
}

/// Writes the book and says how many bytes it has.
pub fn write(root: &Path) -> Result<usize> {
    let mut bytes = 0;
    for (path, text) in files() {
        let path = root.join(path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        bytes += text.len();
        fs::write(path, text)?;
    }
    Ok(bytes)
}

fn files() -> Vec<(String, String)> {
    let mut files = vec![("lawful.yaml".to_owned(), manifest())];
    files.extend(
        (0..FRAGMENTS)
            .map(|at| (format!("fragments/topic-{}/part-{at:03}.md", at % 10), fragment(at))),
    );
    files.extend(
        (0..COMPOSITIONS).map(|at| (format!("compositions/reply-{at:02}.yaml"), composition(at))),
    );
    files.extend((0..RULES).map(|at| (format!("rules/scene-{at:03}.yaml"), rules(at))));
    files.extend((0..CONDITIONS).map(|at| (format!("conditions/topic-{at:03}.yaml"), saved(at))));
    files
}

fn manifest() -> String {
    "name: generated\n\
     axes:\n  tone: [warm, terse, formal]\n  channel: [mail, chat, phone]\n\
     variables:\n  mood: {type: number, initial: 50, min: 0, max: 100}\n"
        .to_owned()
}

/// Prose of about a thousand bytes.
fn fragment(at: usize) -> String {
    let line = format!("Say what you saw in part {at}, where you saw it, and what you left out. ");
    format!(
        "---\nid: part-{at}\ntags: [topic-{}, draft]\n---\n# Part {at}\n\n{}\n",
        at % 10,
        line.repeat(12)
    )
}

/// A base list and a dozen rules over it.
fn composition(at: usize) -> String {
    let mut text = format!("name: reply-{at}\nbase:\n");
    for part in 0..20 {
        // Writing to a string does not fail.
        let _ = writeln!(text, "  - part-{}", (at * 7 + part * 11) % FRAGMENTS);
    }
    text.push_str("rules:\n");
    for part in 0..12 {
        let _ = writeln!(
            text,
            "  - id: rule-{part}\n    when: {{all: [{{tone: warm}}, {{ref: topic-{}.asked}}]}}\n    add: [part-{}]",
            (at + part) % CONDITIONS,
            (at * 13 + part) % FRAGMENTS
        );
    }
    text
}

/// Eight rules.
fn rules(at: usize) -> String {
    let mut text = "rules:\n".to_owned();
    for part in 0..8 {
        let _ = writeln!(
            text,
            "  - id: scene-{at}-{part}\n    trigger: {{type: keyword, keywords: [word-{at}-{part}, hello]}}\n    when: {{path: mood, op: at_least, value: {part}}}\n    actions:\n      - {{type: notify-player, message: 'Scene {at}, part {part}.'}}"
        );
    }
    text
}

/// Three saved conditions, the last over the others. One of them has no such id.
fn saved(at: usize) -> String {
    let odd = if at == 150 { "nobody" } else { "asked" };
    format!(
        "topic-{at}.asked:
  any:
    - {{path: message.tags, op: contains, value: topic-{at}}}
    - {{path: message.subject, op: starts_with, value: 'Topic {at}'}}
    - {{path: message.text, op: contains, value: 'topic no. {at}'}}
topic-{at}.large:
  {{path: order.total, op: greater_than, value: {at}}}
topic-{at}.escalate:
  all:
    - ref: topic-{at}.{odd}
    - ref: topic-{at}.large
    - {{user.tier: gold, status: open}}
    - not: {{path: session.stage, op: any_of, value: [closed, stage-{at}]}}
"
    )
}
