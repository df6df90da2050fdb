//! A diagnostic in one line.

use std::fmt::Write as _;

use lawful::syntax::{Diagnostic, Sources, render};

/// The first error, with its place and help.
pub(crate) fn first(problems: &[Diagnostic], sources: &Sources) -> String {
    let first = problems.iter().find(|problem| problem.is_error());
    first.map_or_else(
        || "no answer, and no reason was given".to_owned(),
        |problem| line(problem, sources),
    )
}

/// Every error, up to the number of lines shown.
pub(super) fn all(problems: &[Diagnostic], sources: &Sources) -> Vec<String> {
    let errors = problems.iter().filter(|problem| problem.is_error());
    errors.map(|problem| line(problem, sources)).collect()
}

fn line(problem: &Diagnostic, sources: &Sources) -> String {
    let view = render::view(problem, sources);
    let mut text = match (&view.file, view.line) {
        (Some(file), Some(line)) => format!("{file}:{line}: {}", view.message),
        (_, _) => view.message,
    };
    if let Some(help) = view.help {
        let _ = write!(text, " ({help})");
    }
    text
}
