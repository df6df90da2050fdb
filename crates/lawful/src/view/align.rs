//! `lawful align`.

use lawful_syntax::Sources;
use serde::Serialize;

use crate::align::{Alignment, Forbidden, Named, Teacher, Unknown, Untaught};
use crate::value::Value;

/// `{"untaught": […], "unknown": […], "forbidden": […]}`
#[derive(Debug, Serialize)]
pub struct AlignView<'v> {
    /// Predicates that nothing in some prompt teaches.
    pub untaught: Vec<UntaughtView<'v>>,
    /// Names that something teaches and no predicate has.
    pub unknown: Vec<UnknownView<'v>>,
    /// Predicates whose teaching fragment a rule forbids.
    pub forbidden: Vec<ForbiddenView<'v>>,
}

/// A predicate that nothing teaches: in no prompt, in no prompt of a role, or in some context.
#[derive(Debug, Serialize)]
pub struct UntaughtView<'v> {
    predicate: &'v str,
    #[serde(flatten)]
    prompt: PromptView<'v>,
    #[serde(skip_serializing_if = "Option::is_none")]
    witness: Option<&'v Value>,
}

/// A name that something teaches and no predicate has.
#[derive(Debug, Serialize)]
pub struct UnknownView<'v> {
    predicate: &'v str,
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'v str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fragment: Option<&'v str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    core: bool,
    file: Option<String>,
    line: Option<usize>,
    help: &'v str,
}

/// A predicate whose teaching fragment a rule forbids.
#[derive(Debug, Serialize)]
pub struct ForbiddenView<'v> {
    predicate: &'v str,
    fragment: &'v str,
    #[serde(flatten)]
    prompt: PromptView<'v>,
    rule: usize,
    file: Option<String>,
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    witness: Option<&'v Value>,
}

/// Whose prompt: a role, or in a book without roles a composition.
#[derive(Debug, Default, Serialize)]
struct PromptView<'v> {
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'v str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    composition: Option<&'v str>,
}

impl<'v> AlignView<'v> {
    /// The view of an alignment.
    pub fn new(alignment: &'v Alignment, sources: &Sources) -> Self {
        let place = |span| {
            let found = sources.locate(span);
            (found.map(|(file, _)| file.name().to_owned()), found.map(|(_, at)| at.line))
        };
        let untaught = |gap: &'v Untaught| UntaughtView {
            predicate: &gap.predicate,
            prompt: gap.prompt.as_ref().map(PromptView::from).unwrap_or_default(),
            witness: gap.witness.as_ref(),
        };
        let unknown = |gap: &'v Unknown| {
            let (role, fragment) = match &gap.teacher {
                Teacher::Core => (None, None),
                Teacher::Persona(role) => (Some(&**role), None),
                Teacher::Fragment(id) => (None, Some(&**id)),
            };
            let (file, line) = place(gap.span);
            UnknownView {
                predicate: &gap.predicate,
                role,
                fragment,
                core: gap.teacher == Teacher::Core,
                file,
                line,
                help: &gap.help,
            }
        };
        let forbidden = |gap: &'v Forbidden| {
            let (file, line) = place(gap.span);
            ForbiddenView {
                predicate: &gap.predicate,
                fragment: &gap.fragment,
                prompt: PromptView::from(&gap.prompt),
                rule: gap.rule,
                file,
                line,
                witness: gap.witness.as_ref(),
            }
        };
        Self {
            untaught: alignment.untaught.iter().map(untaught).collect(),
            unknown: alignment.unknown.iter().map(unknown).collect(),
            forbidden: alignment.forbidden.iter().map(forbidden).collect(),
        }
    }
}

impl<'v> From<&'v Named> for PromptView<'v> {
    fn from(named: &'v Named) -> Self {
        match named {
            Named::Role(role) => Self { role: Some(role), composition: None },
            Named::Composition(name) => Self { role: None, composition: Some(name) },
        }
    }
}
