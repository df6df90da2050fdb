//! Checks the readings in `lines.md`. `UPDATE_LINES=1` rewrites them.

#![allow(clippy::expect_used, clippy::panic, clippy::print_stdout, reason = "this is a test")]

use std::fmt::Write as _;
use std::{env, fs};

use lawful_shell::{Folder, Reading, read};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/lines.md");

#[test]
fn readings_are_as_written() {
    let before = fs::read_to_string(FILE).expect("the cases");
    let (after, cases) = rewritten(&before);
    if env::var_os("UPDATE_LINES").is_some() {
        fs::write(FILE, &after).expect("the cases can be written");
        return;
    }
    assert!(cases >= 200, "only {cases} cases");
    if before != after {
        let expected: Vec<&str> = before.lines().collect();
        let found: Vec<&str> = after.lines().collect();
        let at = expected.iter().zip(&found).position(|(left, right)| left != right);
        let from = at.unwrap_or(0).saturating_sub(6);
        let excerpt = |lines: &[&str]| {
            lines.iter().skip(from).take(16).copied().collect::<Vec<_>>().join("\n")
        };
        panic!("expected:\n{}\n\nfound:\n{}", excerpt(&expected), excerpt(&found));
    }
}

/// The file with the readings of now, and the number of cases.
fn rewritten(text: &str) -> (String, usize) {
    let mut out = String::new();
    let mut cases = 0;
    let mut inside = false;
    let mut line = Vec::new();
    for text in text.lines() {
        if text.starts_with("```") {
            inside = text == "```cases";
        }
        if !inside || text == "```cases" {
            flush(&mut out, &mut line, &mut cases);
            let _ = writeln!(out, "{text}");
        } else if text.is_empty() {
            flush(&mut out, &mut line, &mut cases);
            out.push('\n');
        } else if !text.starts_with("    ") {
            line.push(text);
        }
    }
    (out, cases)
}

fn flush(out: &mut String, line: &mut Vec<&str>, cases: &mut usize) {
    if !line.is_empty() {
        *cases += 1;
        let line = std::mem::take(line).join("\n");
        // So that the file can show characters that an editor hides.
        let read_line = line.replace("␍", "\r").replace("␉", "\t").replace("␤", "\n");
        let _ = writeln!(out, "{line}\n{}", shown(&read(&read_line)));
    }
}

/// Each command with what is particular about it.
fn shown(reading: &Reading) -> String {
    let one_line = |text: &str| text.replace('\n', "␤").replace('\r', "␍").replace('\t', "␉");
    let mut lines = Vec::new();
    for command in &reading.commands {
        lines.push(one_line(&command.line()).trim_end().to_owned());
        if command.words.is_empty() {
            lines.pop();
            lines.push("(no program)".to_owned());
        }
        for spelling in command.lines().iter().skip(1) {
            lines.push(format!("  = {}", one_line(spelling)));
        }
        if command.folders != [Folder::Start] {
            let folders: Vec<String> = command.folders.iter().map(folder).collect();
            lines.push(format!("  in {}", folders.join(" or ")));
        }
        for write in &command.writes {
            let tree = if write.tree { " and below" } else { "" };
            let known = if write.known { "" } else { " (not known)" };
            lines.push(format!("  writes {}{tree}{known}", one_line(&write.path)));
        }
        for link in &command.links {
            let from = if link.from_name { " from its folder" } else { "" };
            let known = if link.known { "" } else { " (not known)" };
            let (name, target) = (one_line(&link.name), one_line(&link.target));
            lines.push(format!("  names {name} for {target}{from}{known}"));
        }
        for read in &command.reads {
            let known = if read.known { "" } else { " (not known)" };
            lines.push(format!("  reads {}{known}", one_line(&read.path)));
        }
        for suspect in &command.suspects {
            lines.push(format!("  perhaps {}", one_line(&suspect.join(" "))));
        }
    }
    for opaque in &reading.opaque {
        lines.push(format!("opaque: {}: {}", opaque.reason, one_line(&opaque.text)));
    }
    if lines.is_empty() {
        lines.push("(nothing)".to_owned());
    }
    lines.iter().map(|line| format!("    {line}")).collect::<Vec<_>>().join("\n")
}

fn folder(folder: &Folder) -> String {
    match folder {
        Folder::Start => "the start".to_owned(),
        Folder::Relative(path) => path.clone(),
        Folder::Absolute(path) => path.clone(),
        Folder::Unknown => "an unknown folder".to_owned(),
    }
}
