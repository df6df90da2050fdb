//! `lawful list`: what a lawbook contains.

use std::sync::Arc;

use lawful_syntax::{Diagnostic, Sources};
use serde::Serialize;

use crate::diagnostics::Diagnostics;
use crate::value::Value;

/// What a lawbook contains:
/// `{"compositions"?, "fragments"?, "rules"?, "roles"?, "conditions"?, "guards"?,
/// "diagnostics"?}`
///
/// A kind that was not requested is absent. What has errors is not listed.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ListView {
    /// The compositions, in the order of their files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compositions: Option<Vec<ListedComposition>>,
    /// The fragments, sorted by id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fragments: Option<Vec<ListedFragment>>,
    /// The rules of compositions, then the rules and reactions of `rules/`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<Vec<ListedRule>>,
    /// The roles, in the order they are written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub roles: Option<Vec<ListedRole>>,
    /// The saved conditions, sorted by id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conditions: Option<Vec<ListedCondition>>,
    /// The guards, in the order of their files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guards: Option<Vec<ListedGuard>>,
    /// The errors of what is not listed.
    #[serde(skip_serializing_if = "is_empty")]
    pub diagnostics: Diagnostics,
}

impl ListView {
    /// Adds errors that a host found in what is not listed.
    pub fn add_problems(&mut self, found: Vec<Diagnostic>, sources: &Arc<Sources>) {
        let (mut problems, _) = std::mem::take(&mut self.diagnostics).into_parts();
        problems.extend(found);
        self.diagnostics = Diagnostics::new(problems, sources.clone());
    }

    /// Whether everything that was requested is listed.
    pub fn is_complete(&self) -> bool {
        self.diagnostics.is_empty()
    }
}

fn is_empty(diagnostics: &Diagnostics) -> bool {
    diagnostics.is_empty()
}

/// A composition and the context it reads.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ListedComposition {
    /// Its name.
    pub name: String,
    /// The declared axes that its rules or its placeholders read.
    pub axes: Vec<AxisView>,
    /// The other context paths that its rules read.
    pub reads: Vec<String>,
    /// The placeholders of the fragments that its prompts can contain.
    pub placeholders: Vec<PlaceholderView>,
    /// The number of its rules.
    pub rules: usize,
    /// Its file.
    pub file: Option<String>,
    /// The line of its name.
    pub line: Option<usize>,
}

/// A declared context axis.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct AxisView {
    /// Its path in the context.
    pub path: String,
    /// Its values.
    pub values: Vec<Value>,
}

/// A placeholder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct PlaceholderView {
    /// Its path in the context.
    pub path: String,
    /// The fragment that contains it; absent if it is in the text of a persona.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fragment: Option<String>,
}

/// A fragment.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ListedFragment {
    /// Its id.
    pub id: String,
    /// Its title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Its kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Its tags.
    pub tags: Vec<String>,
    /// `system`, `project` or `task`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layer: Option<&'static str>,
    /// The predicates that it teaches.
    pub teaches: Vec<String>,
    /// The paths of its placeholders.
    pub placeholders: Vec<String>,
    /// The compositions that name it.
    pub compositions: Vec<String>,
    /// Its file.
    pub file: Option<String>,
}

/// A rule of a composition, or a rule or reaction of `rules/`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ListedRule {
    /// Its id. A rule of a composition may have none.
    pub id: Option<String>,
    /// Its position, from 0: in its composition, or among all rules and reactions.
    pub index: usize,
    /// The composition that it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub composition: Option<String>,
    /// `replace`, `add`, `forbid` or `order` in a composition; otherwise `rule` or `reaction`.
    pub kind: &'static str,
    /// Its file.
    pub file: Option<String>,
    /// Its line.
    pub line: Option<usize>,
}

/// A role and the context that its persona reads.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ListedRole {
    /// Its name.
    pub name: String,
    /// Whether it is the role of the main conversation.
    pub main: bool,
    /// The composition that is its persona.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub composition: Option<String>,
    /// The file that contains its persona.
    pub file: Option<String>,
    /// The declared axes that its persona reads.
    pub axes: Vec<AxisView>,
    /// The other context paths that its rules read.
    pub reads: Vec<String>,
    /// The placeholders of its persona.
    pub placeholders: Vec<PlaceholderView>,
}

/// A saved condition.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ListedCondition {
    /// Its id.
    pub id: String,
    /// The paths that it reads.
    pub reads: Vec<String>,
    /// The condition in its stored form.
    pub condition: Value,
    /// Its file.
    pub file: Option<String>,
    /// The line of its id.
    pub line: Option<usize>,
}

/// A guard.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ListedGuard {
    /// Its id.
    pub id: String,
    /// The event that it decides on.
    pub event: &'static str,
    /// The kinds of tools that it decides on; empty for all.
    pub actions: Vec<&'static str>,
    /// `deny`, `ask` or `allow`.
    pub decision: &'static str,
    /// Its reason, with placeholders.
    pub reason: String,
    /// Its file.
    pub file: Option<String>,
    /// The line of its id.
    pub line: Option<usize>,
}
