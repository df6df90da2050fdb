//! Diagnostics as text, as JSON, and in the formats of CI systems.

mod github;
mod human;
mod json;
mod junit;
mod sarif;

pub use github::github;
pub use human::{Style, human};
pub use json::{DiagnosticView, LabelView, push_json_line, to_json, view, write_json};
pub use junit::{SUITE_END, TestCase, TestResult, TestSuite};
pub use sarif::{SarifLog, SarifResult};

/// A message with its notes and its help, one per line, each escaped.
fn details(problem: &DiagnosticView) -> Vec<String> {
    let notes = problem.notes.iter().map(|note| format!("note: {note}"));
    let help = problem.help.iter().map(|help| format!("help: {help}"));
    let lines = std::iter::once(problem.message.clone()).chain(notes).chain(help);
    lines.map(|line| crate::escape::line(&line).into_owned()).collect()
}
