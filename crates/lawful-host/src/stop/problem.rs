//! A diagnostic for those who have one line for it.

use std::fmt::Write as _;

use lawful::syntax::{Diagnostic, Sources, render};

/// The first error, with its place and the way out.
pub(super) fn first(problems: &[Diagnostic], sources: &Sources) -> String {
    let first = problems.iter().find(|problem| problem.is_error());
    first.map_or_else(
        || "there is no answer, and no reason for it".to_owned(),
        |problem| line(problem, sources),
    )
}

/// Every error, as many as are shown.
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
