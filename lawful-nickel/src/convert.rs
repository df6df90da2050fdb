//! What the child found wrong, as our diagnostics.

use lawful::book::Book;
use lawful::code::{NICKEL_CONTRACT, NICKEL_ERROR, NICKEL_FAILED, NICKEL_SHAPE};
use lawful::syntax::{Diagnostic, FileId, Span, escape};

use crate::protocol::{Mark, Problem, ProblemKind};

/// How much of a message or note is shown; Nickel may quote any value in one.
const LONGEST: usize = 400;

/// The diagnostic of a problem. `place` stands in where Nickel names no place in the book.
pub(crate) fn diagnostic(
    problem: &Problem,
    place: Span,
    file: impl Fn(&str) -> Option<FileId>,
    book: &Book,
) -> Diagnostic {
    let said = escape::shorten(problem.message.trim(), LONGEST);
    let of_role = |role: &String| format!("in the role `{}`: {said}", escape::name(role));
    let message = problem.role.as_ref().map_or_else(|| said.clone().into_owned(), of_role);
    let code = match problem.kind {
        ProblemKind::Nickel => &NICKEL_ERROR,
        ProblemKind::Contract => &NICKEL_CONTRACT,
        ProblemKind::Shape => &NICKEL_SHAPE,
        ProblemKind::Breakdown => &NICKEL_FAILED,
    };
    let span = |mark: &Mark| {
        let file = file(&mark.path)?;
        let length = book.sources.file(file)?.text().len();
        let end = mark.end.min(length);
        Some(Span::new(file, mark.start.min(end), end))
    };
    let mut marks: Vec<&Mark> = problem.marks.iter().collect();
    marks.sort_by_key(|mark| !mark.primary);
    let mut placed = marks.iter().filter_map(|mark| Some((span(mark)?, *mark)));
    let (primary, named) = match placed.next() {
        Some((span, mark)) => (span, Some(mark)),
        None => (file(&problem.file).map_or(place, Span::start_of), None),
    };
    let mut diagnostic = Diagnostic::new(code, primary, message);
    // What Nickel writes at the place itself has no place of its own in ours.
    if let Some(mark) = named.filter(|mark| !mark.message.is_empty()) {
        diagnostic = diagnostic.note(one_line(&mark.message));
    }
    for (span, mark) in placed {
        diagnostic = diagnostic.label(span, one_line(&mark.message));
    }
    for note in &problem.notes {
        diagnostic = diagnostic.note(one_line(note));
    }
    match problem.kind {
        ProblemKind::Shape => diagnostic.help("make a string of it"),
        ProblemKind::Contract => {
            diagnostic.help("mend the prompt of this role, or the contract that it is held to")
        }
        ProblemKind::Nickel | ProblemKind::Breakdown => diagnostic,
    }
}

/// A label or note on one line, cut short.
fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    escape::shorten(&words.join(" "), LONGEST).into_owned()
}
