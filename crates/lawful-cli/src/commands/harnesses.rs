//! `lawful harnesses`

use std::fmt::Write as _;

use lawful_host::deliver::{HarnessView, SurfaceView, harnesses};

use crate::args::{Format, Harnesses};
use crate::output::{Answer, Report as _, print, print_json};

/// The maximal width of a line.
const WIDTH: usize = 100;

pub(crate) fn run(args: &Harnesses) -> Answer {
    match (harnesses(&args.harness), args.output.format) {
        (Ok(found), Format::Human) => print(&table(&found.harnesses)),
        (Ok(found), Format::Json) => print_json(&found),
        (Err(failure), format) => return failure.report(format.is_json()),
    }
    Answer::Yes
}

/// The surfaces of each harness, one line each, with further notes below it.
fn table(harnesses: &[HarnessView]) -> String {
    let mut out = String::new();
    for one in harnesses {
        let _ = writeln!(out, "{} ({})", one.id, one.name);
        for row in &one.surfaces {
            let (scope, audience, strength) = (row.scope, row.audience, row.strength);
            let confirmed = row.confirmed.unwrap_or("unconfirmed");
            let path = &row.path;
            let _ = writeln!(out, "  {scope:8}{audience:7}{strength:10}{confirmed:12} {path}");
            for line in wrapped(&notes(row), WIDTH - INDENT.len()) {
                let _ = writeln!(out, "{INDENT}{line}");
            }
        }
    }
    out
}

const INDENT: &str = "                                        ";

/// What else there is to know; nothing of a surface that every installation uses as it is.
fn notes(row: &SurfaceView) -> String {
    let mut notes: Vec<String> = Vec::new();
    notes.extend((row.used != "install").then(|| row.used.to_owned()));
    notes.extend(row.setting.clone());
    notes.extend(row.limit.as_ref().map(|limit| format!("at most {limit}")));
    if !row.shadowed_by.is_empty() {
        notes.push(format!("shadowed by {}", row.shadowed_by.join(", ")));
    }
    notes.extend((!row.note.is_empty()).then(|| row.note.to_owned()));
    notes.join("; ")
}

/// The words of a text on lines of at most so many characters.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            Some(_) | None => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_fits_into_a_terminal() {
        let table = table(&harnesses(&[]).ok().unwrap().harnesses);
        for line in table.lines() {
            assert!(line.chars().count() <= WIDTH, "{line}");
        }
    }
}
