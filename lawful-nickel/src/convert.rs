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
    let said = one_line(&problem.message);
    let contract = contract(problem, &file, book);
    let message = match (&problem.role, contract) {
        (Some(role), Some(contract)) => {
            let (role, contract) = (escape::name(role), escape::name(&contract));
            format!("the role `{role}` breaks the contract `{contract}`: {said}")
        }
        (Some(role), None) => format!("in the role `{}`: {said}", escape::name(role)),
        (None, _) => said,
    };
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
        None => (stand_in(problem, &file, book).unwrap_or(place), None),
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
        ProblemKind::Shape => diagnostic.help("the core, every persona and every role is a string"),
        ProblemKind::Contract => {
            diagnostic.help("mend the prompt of this role, or the contract that it is held to")
        }
        ProblemKind::Nickel | ProblemKind::Breakdown => diagnostic,
    }
}

/// What the broken contract is called, where Nickel shows it.
fn contract(
    problem: &Problem,
    file: impl Fn(&str) -> Option<FileId>,
    book: &Book,
) -> Option<String> {
    let mark = problem.marks.iter().find(|mark| mark.message == "expected type")?;
    let text = book.sources.file(file(&mark.path)?)?.text();
    Some(one_line(text.get(mark.start..mark.end)?))
}

/// Where a problem without a place is shown: at the field of its role, or where its file starts.
fn stand_in(problem: &Problem, file: impl Fn(&str) -> Option<FileId>, book: &Book) -> Option<Span> {
    let file = file(&problem.file)?;
    let text = book.sources.file(file)?.text();
    let role = problem.role.as_deref();
    let at = role.and_then(|role| Some((field(text, role)?, role.len())));
    Some(at.map_or(Span::start_of(file), |(at, length)| Span::new(file, at, at + length)))
}

/// Where a field of this name is defined, as far as a look at the text can tell.
fn field(text: &str, name: &str) -> Option<usize> {
    let joins = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    text.match_indices(name).map(|(at, _)| at).find(|at| {
        let before = text.get(..*at).and_then(|before| before.chars().next_back());
        let after = text.get(at + name.len()..).unwrap_or_default();
        let after = after.strip_prefix('"').unwrap_or(after).trim_start();
        !before.is_some_and(joins) && after.starts_with(['=', '|', ':'])
    })
}

/// A label or note on one line, cut short.
fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    escape::shorten(&words.join(" "), LONGEST).into_owned()
}
