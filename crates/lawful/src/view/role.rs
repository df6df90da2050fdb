//! `lawful compose --role`: the system prompt of a role, and its layers.

use lawful_syntax::Sources;
use lawful_syntax::render::{DiagnosticView, view};
use serde::Serialize;

use super::compose::{SectionView, TokensView};
use super::react::InsertionView;
use crate::compose::{Compositions, RolePrompt, Roles};
use crate::insertion::Insertion;
use crate::tokens::Counter;
use crate::value::Value;

/// `{"role", "main", "context", "text", "core", "sections", "insertions", "tokens", "warnings",
/// "layers"?}`
#[derive(Debug, Serialize)]
pub struct RoleView<'v> {
    /// The role.
    pub role: &'v str,
    /// Whether it is the role of the main conversation.
    pub main: bool,
    /// The context it was composed in.
    pub context: &'v Value,
    /// The prompt.
    pub text: &'v str,
    /// The core that it starts with.
    pub core: &'v str,
    /// What the core, the persona and each fragment say.
    pub sections: Vec<SectionView<'v>>,
    /// What the session inserts.
    pub insertions: Vec<InsertionView<'v>>,
    /// The tokens of the whole prompt, and how they were counted.
    pub tokens: TokensView,
    /// What did not fit.
    pub warnings: Vec<DiagnosticView>,
    /// The three layers, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layers: Option<LayersView<'v>>,
}

/// The three layers, apart.
#[derive(Debug, Serialize)]
pub struct LayersView<'v> {
    /// The core and the persona, at every step.
    pub system: LayerView<'v>,
    /// What the repository records, as long as it lasts.
    pub project: LayerView<'v>,
    /// One assignment.
    pub task: LayerView<'v>,
}

/// One layer.
#[derive(Debug, Serialize)]
pub struct LayerView<'v> {
    /// What it says.
    pub text: &'v str,
    /// About how much that is.
    pub tokens: usize,
}

impl<'v> RoleView<'v> {
    /// The view of a role.
    pub fn new(
        compositions: &'v Compositions,
        context: &'v Value,
        (roles, prompt): (&'v Roles, &'v RolePrompt),
        insertions: &'v [Insertion],
        sources: &Sources,
        (count, method): (Counter<'_>, &'static str),
    ) -> Self {
        let sections = prompt.prompt.sections.iter().map(|section| {
            SectionView::new(compositions, (&prompt.prompt, section), insertions, sources, count)
        });
        Self {
            role: &prompt.role,
            main: prompt.role == roles.main,
            context,
            text: prompt.text(),
            core: roles.core.text(),
            sections: sections.collect(),
            insertions: insertions.iter().map(InsertionView::from).collect(),
            tokens: TokensView { total: count(prompt.text()), method },
            warnings: prompt.warnings.iter().map(|warning| view(warning, sources)).collect(),
            layers: None,
        }
    }
}
