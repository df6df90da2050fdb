//! Problems of the child as diagnostics.

use lawful::book::Book;
use lawful::code::{NICKEL_CONTRACT, NICKEL_ERROR, NICKEL_FAILED, NICKEL_SHAPE};
use lawful::compose::RecordFields;
use lawful::syntax::{Diagnostic, FileId, Span, escape};

use crate::protocol::{Mark, Problem, ProblemKind};

/// The maximal length of a message or note, because Nickel can quote any value in one.
const LONGEST: usize = 400;

/// The diagnostic of a problem. If Nickel names no place in the lawbook, it points to the field of
/// its role, to the start of its file, or to `place`.
pub(crate) fn diagnostic(
    problem: &Problem,
    place: Span,
    fields: Option<&RecordFields<'_>>,
    file: impl Fn(&str) -> Option<FileId>,
    book: &Book,
) -> Diagnostic {
    let said = match problem.kind {
        // Nickel reports this as a broken contract of a value, but neither is the author's.
        ProblemKind::Abort => {
            let reason = problem.message.split_once('\n').map_or("", |(_, reason)| reason);
            format!("the program fails here: {}", one_line(reason))
        }
        ProblemKind::Nickel
        | ProblemKind::Contract
        | ProblemKind::Shape
        | ProblemKind::Breakdown => blocks(&problem.message),
    };
    let contract = contract(problem, &file, book);
    let contract = contract.as_deref().map(escape::name);
    let message = match (problem.role.as_deref().map(escape::name), contract) {
        (Some(role), Some(contract)) => {
            format!("the role `{role}` breaks the contract `{contract}`: {said}")
        }
        (Some(role), None) => format!("in the role `{role}`: {said}"),
        (None, Some(contract)) => format!("the contract `{contract}` is broken: {said}"),
        (None, None) => said,
    };
    let code = match problem.kind {
        ProblemKind::Nickel | ProblemKind::Abort => &NICKEL_ERROR,
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
    let mut placed = marks.iter().filter_map(|mark| Some((span(mark)?, *mark))).peekable();
    let field = problem.role.as_deref().and_then(|role| fields?.get(role));
    // Without a value to point at, Nickel points at the contract, which is not the problem.
    let at_mark = |(_, mark): &(Span, &Mark)| !is_contract(mark) || field.is_none();
    let (primary, named) = match placed.next_if(at_mark) {
        Some((span, mark)) => (span, Some(mark)),
        None => {
            let start = || file(&problem.file).map(Span::start_of);
            (field.or_else(start).unwrap_or(place), None)
        }
    };
    let mut diagnostic = Diagnostic::new(code, primary, message);
    // The label that Nickel puts at the place itself becomes a note.
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
        ProblemKind::Shape => {
            diagnostic.help("the core, every persona and every role must be a string")
        }
        ProblemKind::Contract => diagnostic.help("fix the prompt of this role, or its contract"),
        ProblemKind::Breakdown => {
            diagnostic.help("write `let name = import \"…\" in …` before it, and use the name here")
        }
        ProblemKind::Abort => {
            diagnostic.help("write what is missing, or remove the call of `std.fail_with`")
        }
        ProblemKind::Nickel => diagnostic,
    }
}

/// The name of the broken contract, if Nickel shows it.
fn contract(
    problem: &Problem,
    file: impl Fn(&str) -> Option<FileId>,
    book: &Book,
) -> Option<String> {
    if problem.kind != ProblemKind::Contract {
        return None;
    }
    let mark = problem.marks.iter().find(|mark| is_contract(mark))?;
    let text = book.sources.file(file(&mark.path)?)?.text();
    Some(one_line(text.get(mark.start..mark.end)?))
}

/// Whether Nickel shows a contract here: `expected type`, `expected dictionary field type`,
/// `expected return type` and so on.
fn is_contract(mark: &Mark) -> bool {
    mark.message.starts_with("expected ")
}

/// A message whose parts Nickel puts on separate lines.
fn blocks(text: &str) -> String {
    let parts: Vec<&str> = text.lines().map(str::trim).filter(|part| !part.is_empty()).collect();
    one_line(&parts.join(": "))
}

/// A label or note on one line, truncated.
fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    escape::shorten(&words.join(" "), LONGEST).into_owned()
}
