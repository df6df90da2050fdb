//! `lawful compose`: the prompt, its sections and its trace.

use std::sync::Arc;

use lawful_syntax::{Sources, escape};
use serde::Serialize;

use super::react::InsertionView;
use crate::compose::{
    Composition, Compositions, Effect, FragmentId, Origin, Prompt, Resolution, Section,
};
use crate::cond::{Explanation, why};
use crate::diagnostics::Diagnostics;
use crate::insertion::Insertion;
use crate::tokens::Tokenizer;
use crate::value::Value;

/// A composed prompt:
/// `{"composition", "context", "order", "text", "sections", "insertions", "tokens", "trace"}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Composed {
    /// The name of the composition.
    pub composition: String,
    /// The context of the resolution.
    pub context: Value,
    /// The ids of the resolved fragments, in order.
    pub order: Vec<String>,
    /// The prompt.
    pub text: String,
    /// The text of each fragment and insertion.
    pub sections: Vec<SectionView>,
    /// What the session inserts into the prompt and the history.
    pub insertions: Vec<InsertionView>,
    /// The tokens of the whole prompt, and how they were counted.
    pub tokens: TokensView,
    /// Why the prompt is as it is.
    pub trace: ComposeTrace,
}

/// Tokens, and whether they were estimated or counted.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct TokensView {
    /// How many.
    pub total: usize,
    /// `estimate` or `o200k`.
    pub method: &'static str,
}

impl TokensView {
    /// The tokens of a text.
    pub(super) fn of(text: &str, tokenizer: Tokenizer<'_>) -> Self {
        Self { total: tokenizer.count(text), method: tokenizer.method() }
    }
}

/// The text of one fragment or insertion.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct SectionView {
    /// The id of the fragment or insertion; `core` or `persona` of a role.
    pub id: String,
    /// Its kind, if it is not a fragment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
    /// The file that contains it.
    pub file: Option<String>,
    /// Its text.
    pub text: String,
    /// How many tokens it has.
    pub tokens: usize,
}

impl SectionView {
    pub(super) fn new(
        compositions: &Compositions,
        (prompt, section): (&Prompt, &Section),
        insertions: &[Insertion],
        sources: &Sources,
        tokenizer: Tokenizer<'_>,
    ) -> Self {
        let (id, kind) = match section.origin {
            Origin::Core => ("core", Some("core")),
            Origin::Persona => ("persona", Some("persona")),
            Origin::Fragment(id) => (compositions.name(id), None),
            Origin::Insertion(at) => insertions
                .get(at)
                .map_or(("", None), |insertion| (&*insertion.id, Some(insertion.kind.name()))),
        };
        let file = section.file.and_then(|file| sources.file(file));
        let text = prompt.text_of(section);
        Self {
            id: id.to_owned(),
            kind,
            file: file.map(|file| file.name().to_owned()),
            text: text.to_owned(),
            tokens: tokenizer.count(text),
        }
    }
}

/// The trace of a resolution.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ComposeTrace {
    /// The list before any rule.
    pub base: Vec<String>,
    /// One row for each rule.
    pub rules: Vec<RuleView>,
    /// The fragments that were replaced.
    pub replaced: Vec<ReplacedView>,
    /// The fragments that were added.
    pub added: Vec<String>,
    /// The fragments that are forbidden.
    pub forbidden: Vec<String>,
    /// The context keys that rules name, but no rule that fired.
    pub unmatched: Vec<String>,
    /// Actions that did not apply.
    pub warnings: Diagnostics,
}

/// The result of one rule.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct RuleView {
    /// Its position, from 0.
    pub index: usize,
    /// Its id, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Its line.
    pub line: Option<usize>,
    /// `replace`, `add`, `forbid` or `order`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["replace", "add", "forbid", "order"])))]
    pub action: &'static str,
    /// Whether it fired.
    pub fired: bool,
    /// Why, in a sentence, with the actual values.
    pub why: String,
    /// What it did, in a sentence; empty if it did not fire.
    pub effect: String,
    /// The list if the rules ended here.
    pub after: Vec<String>,
    /// The full explanation.
    pub explanation: Option<Explanation>,
}

/// A fragment that was replaced by another.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ReplacedView {
    /// The fragment before.
    pub from: String,
    /// The fragment after.
    pub to: String,
}

impl Composed {
    /// The view of a resolution that kept its lists.
    pub(crate) fn new(
        compositions: &Compositions,
        composition: &Composition,
        context: Value,
        (resolution, insertions): (Resolution, &[Insertion]),
        sources: &Arc<Sources>,
        tokenizer: Tokenizer<'_>,
    ) -> Self {
        let names = |ids: &[FragmentId]| -> Vec<String> {
            ids.iter().map(|id| compositions.name(*id).to_owned()).collect()
        };
        let trace = &resolution.trace;
        let rules = trace.rows.iter().enumerate().map(|(index, row)| {
            let explanation = compositions.why(composition, index, &context, trace);
            let place = composition.rules.get(index).and_then(|rule| sources.locate(rule.span));
            RuleView {
                index,
                id: composition.rule_id(index).map(str::to_owned),
                line: place.map(|(_, position)| position.line),
                action: row.action.name(),
                fired: row.fired,
                why: explanation.as_ref().map(why).unwrap_or_default(),
                effect: effects(trace.effects_of(row), compositions),
                after: names(&row.after),
                explanation,
            }
        });
        let rules = rules.collect();
        let mut base: Vec<String> = Vec::new();
        for (id, _) in &composition.base {
            let name = compositions.name(*id);
            if !base.iter().any(|known| known == name) {
                base.push(name.to_owned());
            }
        }
        let mut replaced = Vec::new();
        let mut added = Vec::new();
        for effect in &trace.effects {
            match effect {
                Effect::Replaced(from, to) => {
                    let (from, to) = (compositions.name(*from), compositions.name(*to));
                    replaced.push(ReplacedView { from: from.to_owned(), to: to.to_owned() });
                }
                Effect::Added(id) => added.push(compositions.name(*id).to_owned()),
                Effect::NothingToReplace(_)
                | Effect::AlreadyThere(_)
                | Effect::NoAnchor(_)
                | Effect::Forbade(_)
                | Effect::KeepsOut(_)
                | Effect::Ordered
                | Effect::Superseded => {}
            }
        }
        let prompt = &resolution.prompt;
        let sections = prompt.sections.iter().map(|section| {
            SectionView::new(compositions, (prompt, section), insertions, sources, tokenizer)
        });
        let sections = sections.collect();
        let tokens = TokensView::of(&prompt.text, tokenizer);
        let forbidden = names(&trace.forbidden);
        let order = names(&resolution.order);
        Self {
            composition: composition.name.to_string(),
            context,
            order,
            text: resolution.prompt.text,
            sections,
            insertions: insertions.iter().map(InsertionView::from).collect(),
            tokens,
            trace: ComposeTrace {
                base,
                rules,
                replaced,
                added,
                forbidden,
                unmatched: resolution.trace.unmatched,
                warnings: Diagnostics::in_order(resolution.trace.warnings, sources.clone()),
            },
        }
    }
}

/// What a rule did, in a sentence.
fn effects(effects: &[Effect], compositions: &Compositions) -> String {
    let name =
        |id: &FragmentId| escape::line(escape::name(compositions.name(*id)).as_ref()).into_owned();
    let phrase = |effect: &Effect| match effect {
        Effect::Replaced(from, to) => format!("-{} +{}", name(from), name(to)),
        Effect::NothingToReplace(id) => format!("{} is not in the list", name(id)),
        Effect::Added(id) => format!("+{}", name(id)),
        Effect::AlreadyThere(id) => format!("{} is already in the list", name(id)),
        Effect::NoAnchor(id) => format!("the anchor {} is not in the list", name(id)),
        Effect::Forbade(id) => format!("-{} (forbidden)", name(id)),
        Effect::KeepsOut(id) => format!("keeps {} out", name(id)),
        Effect::Ordered => "sets the order".to_owned(),
        Effect::Superseded => "sets the order, but a later rule sets another".to_owned(),
    };
    effects.iter().map(phrase).collect::<Vec<_>>().join(", ")
}
