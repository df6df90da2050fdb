//! The errors of Nickel as data.
//!
//! Nickel's stable API returns an error in two forms, and each lacks something. The JSON has every
//! label and byte offset, but identifies files by number. The text has the file names, but no byte
//! offsets. The text lists the files of a diagnostic in the order in which its labels first mention
//! them, so the two can be combined. A name that does not match its label is ignored.
//!
//! **Invariant:** the folder of the copies never appears in the output. It differs at every run,
//! and the files are those of the lawbook.

use std::path::Path;

use lawful_worker::protocol::{Mark, Problem, ProblemKind};
use serde::Deserialize;

use crate::evaluate::Texts;

#[derive(Deserialize)]
struct Report {
    diagnostics: Vec<Said>,
}

#[derive(Deserialize)]
struct Said {
    message: String,
    labels: Vec<Label>,
    notes: Vec<String>,
}

#[derive(Deserialize)]
struct Label {
    style: String,
    file_id: u32,
    range: Range,
    message: String,
}

#[derive(Clone, Copy, Deserialize)]
struct Range {
    start: usize,
    end: usize,
}

/// The place in a line of the text.
struct Header<'t> {
    name: &'t str,
    line: usize,
    column: usize,
}

/// The problems of an error, given in both forms.
pub(crate) fn problems(json: &str, text: &str, folder: &Path, texts: &Texts) -> Vec<Problem> {
    let report = serde_json::from_str::<Report>(json).ok();
    let report = report.filter(|report| !report.diagnostics.is_empty());
    let Some(report) = report else { return vec![Problem::of(in_book(text, folder))] };
    let headers: Vec<Header<'_>> = text.lines().filter_map(header).collect();
    let mut next = 0;
    let mut found = Vec::new();
    for said in report.diagnostics {
        let mut files: Vec<u32> = Vec::new();
        for label in &said.labels {
            if !files.contains(&label.file_id) {
                files.push(label.file_id);
            }
        }
        let named = headers.get(next..(next + files.len()).min(headers.len())).unwrap_or_default();
        next += files.len();
        found.push(problem(&said, &files, named, folder, texts));
    }
    found
}

fn problem(
    said: &Said,
    files: &[u32],
    headers: &[Header<'_>],
    folder: &Path,
    texts: &Texts,
) -> Problem {
    let relative = |said: &str| in_book(said, folder);
    let mut marks = Vec::new();
    let mut notes: Vec<String> = said.notes.iter().map(|note| relative(note)).collect();
    let kind = if notes.iter().any(|note| note.contains(FAIL_WITH)) {
        // They explain a broken contract, which this is not.
        notes.clear();
        ProblemKind::Abort
    } else if said.message.starts_with("contract broken") {
        ProblemKind::Contract
    } else {
        ProblemKind::Nickel
    };
    let mut unplaced = Vec::new();
    for label in &said.labels {
        let at = files.iter().position(|file| *file == label.file_id);
        let path = at.and_then(|at| headers.get(at)).and_then(|header| {
            let own = said.labels.iter().filter(|other| other.file_id == label.file_id);
            let starts: Vec<usize> = own.map(|label| label.range.start).collect();
            path(header, &starts, folder, texts)
        });
        match path {
            Some(path) => marks.push(Mark {
                path,
                start: label.range.start,
                end: label.range.end,
                message: relative(&label.message),
                primary: label.style == "Primary",
            }),
            // In Nickel's own library, or in a generated value: not in the lawbook.
            None => unplaced.push(relative(&label.message)),
        }
    }
    if marks.is_empty() {
        notes.extend(unplaced.into_iter().filter(|message| !message.is_empty()));
    }
    Problem { kind, marks, notes, ..Problem::of(relative(&said.message)) }
}

/// How Nickel marks a call of `std.fail_with`, which it reports as a broken contract.
const FAIL_WITH: &str = "comes from an explicit call to `std.fail_with`";

/// The message of Nickel, with the paths of the lawbook instead of those of the copies.
fn in_book(said: &str, folder: &Path) -> String {
    let folder = folder.to_string_lossy();
    said.replace(&format!("{folder}{}", std::path::MAIN_SEPARATOR), "").replace(&*folder, ".")
}

/// `   ┌─ NAME:LINE:COLUMN`
fn header(line: &str) -> Option<Header<'_>> {
    let place = line.trim_start().strip_prefix("┌─ ")?;
    let (rest, column) = place.rsplit_once(':')?;
    let (name, line) = rest.rsplit_once(':')?;
    Some(Header { name, line: line.parse().ok()?, column: column.parse().ok()? })
}

/// The path of a file in the lawbook, if it is one and one of its labels starts where the header
/// says.
fn path(header: &Header<'_>, starts: &[usize], folder: &Path, texts: &Texts) -> Option<String> {
    let path = Path::new(header.name).strip_prefix(folder).ok()?;
    let path = path.to_str()?.replace('\\', "/");
    let text = texts.get(&path)?;
    let fits = |start: &usize| {
        let before = text.get(..*start)?;
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next()?.chars().count() + 1;
        (line == header.line && column == header.column).then_some(())
    };
    starts.iter().find_map(fits)?;
    Some(path)
}
