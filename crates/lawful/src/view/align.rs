//! `lawful align`.

use std::sync::Arc;

use lawful_syntax::Sources;
use serde::Serialize;

use crate::align::{Alignment, Forbidden, Named, Teacher, Unknown, Untaught};
use crate::diagnostics::Diagnostics;
use crate::value::Value;

/// `{"untaught": […], "unknown": […], "forbidden": […]}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AlignReport {
    /// Predicates that some prompt does not teach.
    pub untaught: Vec<UntaughtView>,
    /// Taught names that no predicate has.
    pub unknown: Vec<UnknownView>,
    /// Predicates that are taught by a fragment that a rule forbids.
    pub forbidden: Vec<ForbiddenView>,
    /// The number of predicates that were checked.
    #[serde(skip)]
    pub predicates: usize,
    /// The number of prompts that were checked.
    #[serde(skip)]
    pub prompts: usize,
    /// The gaps as diagnostics, for people.
    #[serde(skip)]
    pub diagnostics: Diagnostics,
}

impl AlignReport {
    /// The number of gaps.
    pub fn gaps(&self) -> usize {
        self.untaught.len() + self.unknown.len() + self.forbidden.len()
    }
}

/// A predicate that is not taught: in any prompt, in the prompt of a role, or in some context.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UntaughtView {
    /// Its name.
    pub predicate: String,
    /// The prompt.
    #[serde(flatten)]
    pub prompt: PromptView,
    /// A context with such a prompt; absent if every context has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<Value>,
}

/// A taught name that no predicate has.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UnknownView {
    /// Its name.
    pub predicate: String,
    /// The role whose persona teaches it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// The fragment that teaches it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fragment: Option<String>,
    /// Whether the core teaches it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub core: bool,
    /// The file that teaches it.
    pub file: Option<String>,
    /// The line in that file.
    pub line: Option<usize>,
    /// The probable name.
    pub help: String,
}

/// A predicate that is taught by a fragment that a rule forbids.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ForbiddenView {
    /// Its name.
    pub predicate: String,
    /// The fragment.
    pub fragment: String,
    /// The prompt.
    #[serde(flatten)]
    pub prompt: PromptView,
    /// The index of the rule, from 0.
    pub rule: usize,
    /// The id of the rule, if it has one.
    #[serde(rename = "ruleId", skip_serializing_if = "Option::is_none")]
    pub rule_id: Option<String>,
    /// The file of the rule.
    pub file: Option<String>,
    /// The line in that file.
    pub line: Option<usize>,
    /// A context with such a prompt; absent if every context has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<Value>,
}

/// The prompt: of a role, or, in a lawbook without roles, of a composition.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PromptView {
    /// The role.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// The composition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub composition: Option<String>,
}

impl AlignReport {
    /// The view of an alignment.
    pub(crate) fn new(alignment: &Alignment, sources: &Arc<Sources>) -> Self {
        let place = |span| {
            let found = sources.locate(span);
            (found.map(|(file, _)| file.name().to_owned()), found.map(|(_, at)| at.line))
        };
        let untaught = |gap: &Untaught| UntaughtView {
            predicate: gap.predicate.to_string(),
            prompt: gap.prompt.as_ref().map(PromptView::from).unwrap_or_default(),
            witness: gap.witness.clone(),
        };
        let unknown = |gap: &Unknown| {
            let (role, fragment) = match &gap.teacher {
                Teacher::Core => (None, None),
                Teacher::Persona(role) => (Some(role.to_string()), None),
                Teacher::Fragment(id) => (None, Some(id.to_string())),
            };
            let (file, line) = place(gap.span);
            UnknownView {
                predicate: gap.predicate.to_string(),
                role,
                fragment,
                core: gap.teacher == Teacher::Core,
                file,
                line,
                help: gap.help.clone(),
            }
        };
        let forbidden = |gap: &Forbidden| {
            let (file, line) = place(gap.span);
            ForbiddenView {
                predicate: gap.predicate.to_string(),
                fragment: gap.fragment.to_string(),
                prompt: PromptView::from(&gap.prompt),
                rule: gap.rule,
                rule_id: gap.rule_id.as_deref().map(str::to_owned),
                file,
                line,
                witness: gap.witness.clone(),
            }
        };
        Self {
            untaught: alignment.untaught.iter().map(untaught).collect(),
            unknown: alignment.unknown.iter().map(unknown).collect(),
            forbidden: alignment.forbidden.iter().map(forbidden).collect(),
            predicates: alignment.predicates,
            prompts: alignment.prompts,
            diagnostics: Diagnostics::new(alignment.diagnostics(), sources.clone()),
        }
    }
}

impl From<&Named> for PromptView {
    fn from(named: &Named) -> Self {
        match named {
            Named::Role(role) => Self { role: Some(role.to_string()), composition: None },
            Named::Composition(name) => Self { role: None, composition: Some(name.to_string()) },
        }
    }
}
