//! `lawful compose --role`: the system prompt of a role, and its layers.

use std::sync::Arc;

use lawful_syntax::Sources;
use serde::Serialize;

use super::compose::{SectionView, TokensView};
use super::react::InsertionView;
use crate::compose::{Compositions, RolePrompt, Roles};
use crate::diagnostics::Diagnostics;
use crate::insertion::Insertion;
use crate::tokens::Tokenizer;
use crate::value::Value;

/// The system prompt of a role: `{"role", "main", "context", "text", "core", "sections",
/// "insertions", "tokens", "warnings", "layers"?}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ComposedRole {
    /// The role.
    pub role: String,
    /// Whether it is the role of the main conversation.
    pub main: bool,
    /// The context of the composition.
    pub context: Value,
    /// The prompt.
    pub text: String,
    /// The core that it starts with.
    pub core: String,
    /// The text of the core, the persona and each fragment.
    pub sections: Vec<SectionView>,
    /// What the session inserts.
    pub insertions: Vec<InsertionView>,
    /// The tokens of the whole prompt, and how they were counted.
    pub tokens: TokensView,
    /// Every warning.
    pub warnings: Diagnostics,
    /// The three layers, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layers: Option<LayersView>,
}

/// The three layers, separately.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct LayersView {
    /// The core and the persona, for every step.
    pub system: LayerView,
    /// The records of the repository, for the project.
    pub project: LayerView,
    /// The text of one assignment.
    pub task: LayerView,
}

/// One layer.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct LayerView {
    /// Its text.
    pub text: String,
    /// Its approximate number of tokens.
    pub tokens: usize,
}

impl LayerView {
    fn new(text: String, tokenizer: Tokenizer<'_>) -> Self {
        let tokens = tokenizer.count(&text);
        Self { text, tokens }
    }
}

impl ComposedRole {
    /// The view of a role.
    pub(crate) fn new(
        compositions: &Compositions,
        context: Value,
        (roles, prompt): (&Roles, &RolePrompt),
        insertions: &[Insertion],
        sources: &Arc<Sources>,
        tokenizer: Tokenizer<'_>,
    ) -> Self {
        let sections = prompt.prompt.sections.iter().map(|section| {
            let section = (&prompt.prompt, section);
            SectionView::new(compositions, section, insertions, sources, tokenizer)
        });
        Self {
            role: prompt.role.to_string(),
            main: prompt.role == roles.main,
            context,
            text: prompt.text().to_owned(),
            core: roles.core.text().to_owned(),
            sections: sections.collect(),
            insertions: insertions.iter().map(InsertionView::from).collect(),
            tokens: TokensView::of(prompt.text(), tokenizer),
            warnings: Diagnostics::in_order(prompt.warnings.clone(), sources.clone()),
            layers: None,
        }
    }

    /// Adds the three layers: the texts of the project and the task besides the prompt.
    pub(crate) fn set_layers(&mut self, project: String, task: String, tokenizer: Tokenizer<'_>) {
        self.layers = Some(LayersView {
            system: LayerView::new(self.text.clone(), tokenizer),
            project: LayerView::new(project, tokenizer),
            task: LayerView::new(task, tokenizer),
        });
    }
}
