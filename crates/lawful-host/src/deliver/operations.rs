//! The operations of a plan in their JSON form.

use lawful::diff::UnifiedDiff;
use lawful::syntax::render::DiagnosticView;
use lawful_deliver::{Operation, RoleDelivery};
use serde::Serialize;

use crate::failure::Failure;

/// `{"operations": […], "roles"?: […], "diagnostics": […]}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OperationsView {
    /// The operations, done or planned.
    pub operations: Vec<OperationView>,
    /// Which role reaches which harness, for an installation without a conflict.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub roles: Vec<RoleView>,
    /// The diagnostics.
    pub diagnostics: Vec<DiagnosticView>,
}

/// `{"op", "harness", "path", "role"?, "diff"?, "coarse"?}`
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
    /// A unified diff, if requested; for a conflict, the edit that prevents the operation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff: Option<UnifiedDiff>,
    /// Whether the diff shows some blocks as replaced, because matching their lines would take too
    /// long.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub coarse: bool,
}

/// `{"harness", "role", "state", "path"?, "strength"?}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RoleView {
    /// The harness.
    pub harness: String,
    /// The role.
    pub role: String,
    /// `delivered`, `inactive`, `undelivered` or `unselected`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["delivered", "inactive", "undelivered", "unselected"])))]
    pub state: &'static str,
    /// The file or settings file that contains its prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// How strongly the harness follows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strength: Option<&'static str>,
}

impl RoleView {
    fn of(delivery: &RoleDelivery) -> Self {
        Self {
            harness: delivery.harness.clone(),
            role: delivery.role.clone(),
            state: delivery.state.name(),
            path: delivery.surface.as_ref().map(|(path, _)| path.clone()),
            strength: delivery.surface.as_ref().map(|(_, strength)| strength.name()),
        }
    }
}

impl OperationsView {
    pub(super) fn new(
        operations: &[Operation],
        roles: &[RoleDelivery],
        diffs: bool,
        diagnostics: Vec<DiagnosticView>,
    ) -> Self {
        let shown = |operation: &Operation| {
            let diff = diff(operation).filter(|_| diffs || operation.edit.is_some());
            OperationView {
                op: operation.op.name(),
                harness: operation.harness.clone(),
                path: operation.path.clone(),
                role: operation.role.clone(),
                coarse: diff.as_ref().is_some_and(UnifiedDiff::is_coarse),
                diff,
            }
        };
        Self {
            operations: operations.iter().map(shown).collect(),
            roles: roles.iter().map(RoleView::of).collect(),
            diagnostics,
        }
    }

    /// No operations, because of a failure.
    pub fn none(failure: &Failure) -> Self {
        Self { operations: Vec::new(), roles: Vec::new(), diagnostics: failure.views() }
    }
}

/// The change of an operation as a unified diff, or the edit that prevents it: from what Lawful
/// wrote to what is there.
pub fn diff(operation: &Operation) -> Option<UnifiedDiff> {
    if let Some(edit) = &operation.edit {
        let path = &operation.path;
        let (old, new) = (format!("{path} (as installed)"), format!("{path} (edited)"));
        return Some(UnifiedDiff::new((&old, &edit.written), (&new, &edit.now), 3));
    }
    if operation.before == operation.after {
        return None;
    }
    let path = &operation.path;
    let name = |there: bool, side: &str| {
        if there { format!("{side}/{path}") } else { "/dev/null".to_owned() }
    };
    let (before, after) = (operation.before.as_deref(), operation.after.as_deref());
    let (old, new) = (name(before.is_some(), "a"), name(after.is_some(), "b"));
    let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
    Some(UnifiedDiff::new((&old, before), (&new, after), 3))
}
