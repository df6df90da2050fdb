//! A diagnostic for those who have one line for it.

use std::fmt::Write as _;

use lawful::syntax::{Diagnostic, Sources, render};

/// The first error, with its place and the way out.
pub(super) fn first(problems: &[Diagnostic], sources: &Sources) -> String {
    let Some(problem) = problems.iter().find(|problem| problem.is_error()) else {
        return "there is no answer, and no reason for it".to_owned();
    };
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
