//! The operations of a plan in their JSON form.

use lawful::syntax::render::DiagnosticView;
use lawful_deliver::Operation;
use serde::Serialize;
use similar::TextDiff;

use crate::failure::Failure;

/// `{"operations": […], "diagnostics": […]}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OperationsView {
    /// The operations, done or planned.
    pub operations: Vec<OperationView>,
    /// The diagnostics.
    pub diagnostics: Vec<DiagnosticView>,
}

/// `{"op", "harness", "path", "role"?, "diff"?}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OperationView {
    /// The kind of operation.
    pub op: &'static str,
    /// The harness.
    pub harness: String,
    /// The file.
    pub path: String,
    /// The role whose prompt it contains.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// A unified diff, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
}

impl OperationsView {
    pub(super) fn new(
        operations: &[Operation],
        diffs: bool,
        diagnostics: Vec<DiagnosticView>,
    ) -> Self {
        let shown = |operation: &Operation| OperationView {
            op: operation.op.name(),
            harness: operation.harness.clone(),
            path: operation.path.clone(),
            role: operation.role.clone(),
            diff: diffs.then(|| diff(operation)).flatten(),
        };
        Self { operations: operations.iter().map(shown).collect(), diagnostics }
    }

    /// No operations, because of a failure.
    pub fn none(failure: &Failure) -> Self {
        Self { operations: Vec::new(), diagnostics: failure.views() }
    }
}

/// The change of an operation, as a unified diff.
pub fn diff(operation: &Operation) -> Option<String> {
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
