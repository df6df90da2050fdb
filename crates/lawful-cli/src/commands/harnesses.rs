//! `lawful harnesses`

use std::fmt::Write as _;

use lawful_host::deliver::{HarnessView, harnesses};

use crate::args::{Format, Harnesses};
use crate::output::{Answer, print, print_json};

pub(crate) fn run(args: &Harnesses) -> Answer {
    match args.output.format {
        Format::Human => print(&table(harnesses().harnesses)),
        Format::Json => print_json(&harnesses()),
    }
    Answer::Yes
}

/// One line for each surface, under its harness.
fn table(harnesses: Vec<HarnessView>) -> String {
    let mut out = String::new();
    for one in harnesses {
        let _ = writeln!(out, "{} ({})", one.id, one.name);
        for row in one.surfaces {
            let mut notes: Vec<String> = vec![row.confirmed.to_owned(), row.used.to_owned()];
            notes.extend(row.setting);
            notes.extend(row.limit.map(|limit| format!("at most {limit}")));
            if !row.shadowed_by.is_empty() {
                notes.push(format!("shadowed by {}", row.shadowed_by.join(", ")));
            }
            notes.extend((!row.note.is_empty()).then(|| row.note.to_owned()));
            let (scope, audience, strength) = (row.scope, row.audience, row.strength);
            let (path, notes) = (row.path, notes.join("; "));
            let _ = writeln!(out, "  {scope:8}{audience:7}{strength:10}{path:46}  {notes}");
        }
    }
    out
}
