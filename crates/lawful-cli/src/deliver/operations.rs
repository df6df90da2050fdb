//! The operations of a plan, for people and for programs.

use std::fmt::Write as _;

use lawful::syntax::render::{DiagnosticView, view};
use lawful::syntax::{Diagnostic, Sources, escape};
use lawful_deliver::{Op, Operation};
use serde::Serialize;
use similar::TextDiff;

/// `{"operations": […], "diagnostics": […]}`
#[derive(Serialize)]
pub(crate) struct OperationsView {
    operations: Vec<OperationView>,
    diagnostics: Vec<DiagnosticView>,
}

#[derive(Serialize)]
struct OperationView {
    op: &'static str,
    harness: String,
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<String>,
}

impl OperationsView {
    pub(crate) fn new(
        operations: &[Operation],
        diffs: bool,
        problems: &[Diagnostic],
        sources: &Sources,
    ) -> Self {
        let shown = |operation: &Operation| OperationView {
            op: operation.op.name(),
            harness: operation.harness.clone(),
            path: operation.path.clone(),
            role: operation.role.clone(),
            diff: diffs.then(|| diff(operation)).flatten(),
        };
        Self {
            operations: operations.iter().map(shown).collect(),
            diagnostics: problems.iter().map(|problem| view(problem, sources)).collect(),
        }
    }
}

/// One line for each operation, and the differences where they are wanted.
pub(crate) fn text(operations: &[Operation], diffs: bool) -> String {
    let width = operations.iter().map(|operation| operation.harness.len()).max().unwrap_or(0);
    let mut out = String::new();
    for operation in operations {
        let (op, harness) = (operation.op.name(), &operation.harness);
        let path = escape::line(&operation.path);
        let _ = writeln!(out, "{op:13} {harness:width$} {path}");
        if let Some(diff) = diff(operation).filter(|_| diffs) {
            for line in diff.lines() {
                out.push_str(&escape::line(line));
                out.push('\n');
            }
        }
    }
    out
}

/// How many files are different, in words.
pub(crate) fn summary(operations: &[Operation], done: &str) -> String {
    let changed = |operation: &&Operation| match operation.op {
        Op::Create | Op::UpdateBlock | Op::ReplaceOwned | Op::SetKey | Op::Delete => true,
        Op::Skip | Op::Conflict => false,
    };
    match operations.iter().filter(changed).count() {
        0 if operations.iter().any(|operation| operation.op == Op::Conflict) => {
            format!("nothing {done}\n")
        }
        0 => "nothing to do\n".to_owned(),
        1 => format!("1 file {done}\n"),
        many => format!("{many} files {done}\n"),
    }
}

/// What an operation changes.
fn diff(operation: &Operation) -> Option<String> {
    if operation.before == operation.after {
        return None;
    }
    let path = &operation.path;
    let name = |there: bool, side: &str| {
        if there { format!("{side}/{path}") } else { "/dev/null".to_owned() }
    };
    let (before, after) = (operation.before.as_deref(), operation.after.as_deref());
    let (old, new) = (name(before.is_some(), "a"), name(after.is_some(), "b"));
    let difference = TextDiff::from_lines(before.unwrap_or_default(), after.unwrap_or_default());
    Some(difference.unified_diff().header(&old, &new).to_string())
}
