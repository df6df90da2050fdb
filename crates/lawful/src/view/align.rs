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
    /// Predicates that nothing in some prompt teaches.
    pub untaught: Vec<UntaughtView>,
    /// Names that something teaches and no predicate has.
    pub unknown: Vec<UnknownView>,
    /// Predicates whose teaching fragment a rule forbids.
    pub forbidden: Vec<ForbiddenView>,
    /// How many predicates were looked for.
    #[serde(skip)]
    pub predicates: usize,
    /// How many prompts they were looked for in.
    #[serde(skip)]
    pub prompts: usize,
    /// The gaps as diagnostics, for people.
    #[serde(skip)]
    pub diagnostics: Diagnostics,
}

impl AlignReport {
    /// How many gaps there are.
    pub fn gaps(&self) -> usize {
        self.untaught.len() + self.unknown.len() + self.forbidden.len()
    }
}

/// A predicate that nothing teaches: in no prompt, in no prompt of a role, or in some context.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UntaughtView {
    /// Its name.
    pub predicate: String,
    /// Whose prompt.
    #[serde(flatten)]
    pub prompt: PromptView,
    /// A context that leads to such a prompt; none if every context does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<Value>,
}

/// A name that something teaches and no predicate has.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UnknownView {
    /// Its name.
    pub predicate: String,
    /// The role.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// The fragment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fragment: Option<String>,
    /// Whether the core teaches it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub core: bool,
    /// The file that says so.
    pub file: Option<String>,
    /// The line there.
    pub line: Option<usize>,
    /// What was probably meant.
    pub help: String,
}

/// A predicate whose teaching fragment a rule forbids.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ForbiddenView {
    /// Its name.
    pub predicate: String,
    /// The fragment.
    pub fragment: String,
    /// Whose prompt.
    #[serde(flatten)]
    pub prompt: PromptView,
    /// The rule, from 0.
    pub rule: usize,
    /// The file that says so.
    pub file: Option<String>,
    /// The line there.
    pub line: Option<usize>,
    /// A context that leads to such a prompt; none if every context does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<Value>,
}

/// Whose prompt: a role, or in a book without roles a composition.
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
