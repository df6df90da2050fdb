//! `lawful diff` and `lawful blame`.

use std::sync::Arc;

use lawful_syntax::Sources;
use serde::Serialize;

use crate::compose::{Composition, Compositions, Origin, Resolution};
use crate::diagnostics::Diagnostics;
use crate::diff::UnifiedDiff;
use crate::insertion::Insertion;

/// Two prompts compared:
/// `{"entered", "left", "moved", "firstDifferentByte", "tokens", "diff", "coarse"?, "diagnostics"}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Diff {
    /// The fragments that only the second prompt has.
    pub entered: Vec<String>,
    /// The fragments that only the first prompt has.
    pub left: Vec<String>,
    /// The fragments in both whose relative order changed.
    pub moved: Vec<String>,
    /// The offset at which a prompt cache stops matching; null if the prompts are the same.
    pub first_different_byte: Option<usize>,
    /// The tokens of both prompts.
    pub tokens: DiffTokens,
    /// The unified diff of the texts; empty if they are equal.
    pub diff: UnifiedDiff,
    /// Whether the diff shows some blocks as replaced, because matching their lines would take too
    /// long.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub coarse: bool,
    /// The warnings of both prompts.
    pub diagnostics: Diagnostics,
}

impl Diff {
    /// Whether the prompts have the same text and the same fragments in the same order.
    pub fn is_same(&self) -> bool {
        self.first_different_byte.is_none()
            && self.entered.is_empty()
            && self.left.is_empty()
            && self.moved.is_empty()
    }
}

/// The tokens of two prompts.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct DiffTokens {
    /// The tokens of the first prompt.
    pub before: usize,
    /// The tokens of the second prompt.
    pub after: usize,
    /// How they were counted.
    pub method: &'static str,
}

/// Where the lines of a prompt come from: `{"lines": […], "diagnostics": […]}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Blame {
    /// Every line, in order.
    pub lines: Vec<LineView>,
    /// The warnings of the prompt.
    pub diagnostics: Diagnostics,
}

/// A line of the prompt. An empty line between two fragments has no fragment.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct LineView {
    /// Its number, from 1.
    pub line: usize,
    /// Its text.
    pub text: String,
    /// The fragment that contains it.
    pub fragment: Option<String>,
    /// The insertion of the session that contains it, such as `directive mood`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub insertion: Option<String>,
    /// The file that contains it.
    pub file: Option<String>,
    /// Its line there, from 1.
    pub file_line: Option<usize>,
    /// The index of the rule that added the fragment, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<usize>,
    /// The id of that rule, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule_id: Option<String>,
    /// For a line of an installed file: the role.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// For a line of an installed file: the layer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layer: Option<&'static str>,
    /// For a line of an installed file: `core` or `persona`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<&'static str>,
}

impl Blame {
    /// A blame of these lines.
    pub fn of(lines: Vec<LineView>, diagnostics: Diagnostics) -> Self {
        Self { lines, diagnostics }
    }

    /// The lines of a resolution.
    pub(crate) fn new(
        compositions: &Compositions,
        composition: &Composition,
        (resolution, insertions): (&Resolution, &[Insertion]),
        sources: &Arc<Sources>,
    ) -> Self {
        let brought = &resolution.trace.brought_by;
        let lines = resolution.prompt.lines().into_iter().enumerate().map(|(at, line)| {
            let (id, insertion) = match line.origin {
                None | Some(Origin::Core | Origin::Persona) => (None, None),
                Some(Origin::Fragment(id)) => (Some(id), None),
                Some(Origin::Insertion(at)) => (None, insertions.get(at)),
            };
            let rule = id.and_then(|id| {
                brought.iter().rev().find(|(known, _)| *known == id).map(|(_, rule)| *rule)
            });
            let file = line.place.and_then(|(file, _)| sources.file(file));
            LineView {
                line: at + 1,
                text: line.text.to_owned(),
                fragment: id.map(|id| compositions.name(id).to_owned()),
                insertion: insertion
                    .map(|insertion| format!("{} {}", insertion.kind.name(), insertion.id)),
                file: file.map(|file| file.name().to_owned()),
                file_line: line.place.map(|(_, number)| number),
                rule,
                rule_id: rule.and_then(|rule| composition.rule_id(rule)).map(str::to_owned),
                ..LineView::default()
            }
        });
        let lines = lines.collect();
        let warnings = resolution.trace.warnings.clone();
        Self { lines, diagnostics: Diagnostics::in_order(warnings, sources.clone()) }
    }
}
