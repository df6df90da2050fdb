//! Rules on the text of every file: no emoji, no leftovers, no places of one machine, no phrases
//! that paraphrase a term of the field.
//!
//! The forbidden words are put together from pieces, so that this file does not hold them.

use super::links::without_fences;
use super::{Violation, is_identifier, lines_with_word};
use crate::workspace::TextFile;

/// Notes to oneself that must not be committed.
const LEFTOVERS: [&str; 3] = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("X", "XX")];

/// A default that silences a lint where an error belongs.
const DODGE: &str = concat!("unwrap_or_default() /", "/ lint");

/// Folders at the root of the file system that only some machine has.
const MACHINE_FOLDERS: [&str; 3] =
    [concat!("/ho", "me/"), concat!("/ro", "ot/"), concat!("/wo", "rk/")];

/// Where packages are fetched from; a setting of the machine, not of the repository.
const REGISTRIES: [&str; 4] = [
    concat!("crates", ".io/"),
    concat!("static.crates", ".io"),
    concat!("pypi", ".org"),
    concat!("registry.npmjs", ".org"),
];

/// Phrases that stand for a plain term, and the term.
const PHRASES: [(&str, &str); 25] = [
    (concat!("comes", " to"), "evaluates to, returns or results in"),
    (concat!("come", " to"), "evaluate to, return or result in"),
    (concat!("came", " to"), "evaluated to, returned or resulted in"),
    (concat!("told", " of"), "reported"),
    (concat!("me", "nd"), "fix"),
    (concat!("me", "nds"), "fixes"),
    (concat!("me", "nded"), "fixed"),
    (concat!("for", " ever"), "forever"),
    (concat!("turn", " round"), "loop"),
    (concat!("another", " house"), "an independent engine"),
    (concat!("in the", " way"), "say what it blocks"),
    (concat!("in nobody's", " way"), "is ignored"),
    (concat!("see for", " yourself"), "record what the host sees"),
    (concat!("that is", " none"), "that is invalid or absent"),
    (concat!("null is", " none"), "null is absent"),
    (concat!("hold", " what"), "compare what"),
    (concat!("holds", " what"), "compares what"),
    (concat!("held", " against"), "compared with"),
    (concat!("cannot be", " told"), "could not be evaluated"),
    (concat!("owed only", " to"), "only because of"),
    (concat!("if need", " be"), "optionally"),
    (concat!("all the", " same"), "still"),
    (concat!("is let", " go"), "is allowed to stop"),
    (concat!("sent", " again"), "repeated; a repeated request returns the stored result"),
    (concat!("1", " times"), "once"),
];

/// Where phrases are checked: paths, and starts of paths. Add a folder to check it too.
const PHRASES_CHECKED: [&str; 12] = [
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "README.md",
    "crates/lawful-datalog/",
    "crates/lawful/src/react/",
    "crates/lawful/src/verify/",
    "crates/lawful/src/view/",
    "docs/",
    "examples/",
    "fuzz/",
    "spec/",
];

/// Published diagnostic codes that contain such a phrase. Codes do not change.
const CODES: [&str; 1] = [concat!("me", "nded-variable")];

/// What the program prints, which is written in its sources.
const GENERATED: &str = "docs/cli.md";

/// No text paraphrases a term of the field. In Markdown, fenced blocks are input and output, and
/// their words are not the page's own.
pub(super) fn check_phrases(file: &TextFile) -> Vec<Violation> {
    let checked = PHRASES_CHECKED.iter().any(|start| file.path.starts_with(start));
    if !checked || file.path == GENERATED {
        return Vec::new();
    }
    let mut text = match file.path.strip_suffix(".md") {
        Some(_) => without_fences(&file.text),
        None => file.text.clone(),
    }
    .to_lowercase();
    for code in CODES {
        text = text.replace(code, "");
    }
    let mut violations = Vec::new();
    for (phrase, better) in PHRASES {
        for line in lines_with_word(&text, phrase, is_identifier) {
            let message = format!("`{phrase}`; write instead: {better}");
            violations.push(Violation::new(file, line, message));
        }
    }
    violations
}

/// No text has an emoji.
pub(super) fn check_emoji(file: &TextFile) -> Vec<Violation> {
    let mut violations = Vec::new();
    for (at, line) in file.text.lines().enumerate() {
        if let Some(emoji) = line.chars().find(|c| is_emoji(*c)) {
            let message = format!("emoji U+{:04X}; say it in words", u32::from(emoji));
            violations.push(Violation::new(file, at + 1, message));
        }
    }
    violations
}

/// Nothing is left to do later.
pub(super) fn check_leftovers(file: &TextFile) -> Vec<Violation> {
    let mut violations = Vec::new();
    for word in LEFTOVERS {
        for line in lines_with_word(&file.text, word, is_identifier) {
            let message = format!("`{word}`: do it, or write it down where work is planned");
            violations.push(Violation::new(file, line, message));
        }
    }
    for line in lines_with_word(&file.text, DODGE, |_| false) {
        let message = "a default that only silences a lint hides an error";
        violations.push(Violation::new(file, line, message));
    }
    violations
}

/// Nothing depends on where the files of one machine are, or on where it fetches packages.
pub(super) fn check_places(file: &TextFile) -> Vec<Violation> {
    if file.path == "Cargo.lock" || file.path.ends_with("/Cargo.lock") {
        return Vec::new();
    }
    let mut violations = Vec::new();
    for (at, line) in file.text.lines().enumerate() {
        if let Some(folder) = MACHINE_FOLDERS.into_iter().find(|folder| has_absolute(line, folder))
        {
            let message = format!("`{folder}…` is a path of one machine; use a relative one");
            violations.push(Violation::new(file, at + 1, message));
        }
        if let Some(host) = REGISTRIES.into_iter().find(|host| line.contains(host)) {
            let message = format!("`{host}` is a registry; cargo knows where packages are");
            violations.push(Violation::new(file, at + 1, message));
        }
    }
    violations
}

/// Whether a folder stands in a line as the start of a path, and not within one.
fn has_absolute(line: &str, folder: &str) -> bool {
    line.match_indices(folder).any(|(at, _)| {
        let before = line.get(..at).and_then(|before| before.chars().next_back());
        !before.is_some_and(|c| is_identifier(c) || matches!(c, '.' | '-' | '~' | '}' | '>' | '*'))
    })
}

/// Characters that are drawn as pictures by default, the sign that turns others into pictures, and
/// the few others that are used as decoration.
fn is_emoji(c: char) -> bool {
    matches!(c,
        '\u{1f000}'..='\u{1faff}'
        | '\u{fe0f}' | '\u{20e3}'
        | '\u{231a}' | '\u{231b}' | '\u{23e9}'..='\u{23ec}' | '\u{23f0}' | '\u{23f3}'
        | '\u{25fd}' | '\u{25fe}' | '\u{2614}' | '\u{2615}' | '\u{2648}'..='\u{2653}'
        | '\u{267f}' | '\u{2693}' | '\u{26a0}' | '\u{26a1}' | '\u{26aa}' | '\u{26ab}'
        | '\u{26bd}' | '\u{26be}' | '\u{26c4}' | '\u{26c5}' | '\u{26ce}' | '\u{26d4}'
        | '\u{26ea}' | '\u{26f2}' | '\u{26f3}' | '\u{26f5}' | '\u{26fa}' | '\u{26fd}'
        | '\u{2705}' | '\u{270a}' | '\u{270b}' | '\u{2714}' | '\u{2716}' | '\u{2728}'
        | '\u{274c}' | '\u{274e}' | '\u{2753}'..='\u{2755}' | '\u{2757}' | '\u{2764}'
        | '\u{2795}'..='\u{2797}' | '\u{27a1}' | '\u{27b0}' | '\u{27bf}'
        | '\u{2b1b}' | '\u{2b1c}' | '\u{2b50}' | '\u{2b55}'
    )
}
