//! `lawful compose`: the prompt, its sections and its trace.

use lawful_syntax::render::{DiagnosticView, view};
use lawful_syntax::{Sources, escape};
use serde::Serialize;

use super::eval::why;
use super::react::InsertionView;
use crate::compose::{
    Composition, Compositions, Effect, FragmentId, Origin, Prompt, Resolution, Section,
};
use crate::cond::Explanation;
use crate::insertion::Insertion;
use crate::tokens::Counter;
use crate::value::Value;

/// `{"composition", "context", "order", "text", "sections", "insertions", "tokens", "trace"}`
#[derive(Debug, Serialize)]
pub struct ComposeView<'v> {
    /// The name of the composition.
    pub composition: &'v str,
    /// The context it was resolved in.
    pub context: &'v Value,
    /// The ids that are left, in order.
    pub order: Vec<&'v str>,
    /// The prompt.
    pub text: &'v str,
    /// What each fragment says.
    pub sections: Vec<SectionView<'v>>,
    /// What the session inserts, in the prompt and in the history.
    pub insertions: Vec<InsertionView<'v>>,
    /// The tokens of the whole prompt, and how they were counted.
    pub tokens: TokensView,
    /// Why.
    pub trace: TraceView<'v>,
}

/// Tokens, and whether they were estimated or counted.
#[derive(Debug, Serialize)]
pub struct TokensView {
    /// How many.
    pub total: usize,
    /// `estimate` or `o200k`.
    pub method: &'static str,
}

/// What one fragment or insertion says.
#[derive(Debug, Serialize)]
pub struct SectionView<'v> {
    id: &'v str,
    /// What it is, if it is no fragment.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    file: Option<String>,
    text: &'v str,
    tokens: usize,
}

impl<'v> SectionView<'v> {
    pub(super) fn new(
        compositions: &'v Compositions,
        (prompt, section): (&'v Prompt, &'v Section),
        insertions: &'v [Insertion],
        sources: &Sources,
        count: Counter<'_>,
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
        Self { id, kind, file: file.map(|file| file.name().to_owned()), text, tokens: count(text) }
    }
}

/// How a resolution came about.
#[derive(Debug, Serialize)]
pub struct TraceView<'v> {
    /// The list before any rule.
    pub base: Vec<&'v str>,
    /// One row for each rule.
    pub rules: Vec<RuleView<'v>>,
    replaced: Vec<ReplacedView<'v>>,
    added: Vec<&'v str>,
    forbidden: Vec<&'v str>,
    unmatched: &'v [String],
    warnings: Vec<DiagnosticView>,
}

impl TraceView<'_> {
    /// The context keys that rules name and no rule that fired does.
    pub fn unmatched(&self) -> &[String] {
        self.unmatched
    }
}

/// What became of one rule.
#[derive(Debug, Serialize)]
pub struct RuleView<'v> {
    /// Its position, from 0.
    pub index: usize,
    /// Where it is written.
    pub line: Option<usize>,
    /// `replace`, `add`, `forbid` or `order`.
    pub action: &'static str,
    /// Whether it fired.
    pub fired: bool,
    /// Why, in a sentence, with the actual values.
    pub why: String,
    /// What it did, in a sentence; empty if it did not fire.
    pub effect: String,
    /// The list as it would come out if the rules ended here.
    pub after: Vec<&'v str>,
    /// Why, in full.
    pub explanation: Option<Explanation>,
}

#[derive(Debug, Serialize)]
struct ReplacedView<'v> {
    from: &'v str,
    to: &'v str,
}

impl<'v> ComposeView<'v> {
    /// The view of a resolution that kept its lists.
    pub fn new(
        compositions: &'v Compositions,
        composition: &'v Composition,
        context: &'v Value,
        (resolution, insertions): (&'v Resolution, &'v [Insertion]),
        sources: &Sources,
        (count, method): (Counter<'_>, &'static str),
    ) -> Self {
        let names = |ids: &[FragmentId]| -> Vec<&'v str> {
            ids.iter().map(|id| compositions.name(*id)).collect()
        };
        let trace = &resolution.trace;
        let rules = trace.rows.iter().enumerate().map(|(index, row)| {
            let explanation = compositions.why(composition, index, context, trace);
            let place = composition.rules.get(index).and_then(|rule| sources.locate(rule.span));
            RuleView {
                index,
                line: place.map(|(_, position)| position.line),
                action: row.action.name(),
                fired: row.fired,
                why: explanation.as_ref().map(why).unwrap_or_default(),
                effect: effects(&row.effects, compositions),
                after: names(&row.after),
                explanation,
            }
        });
        let mut base: Vec<&str> = Vec::new();
        for (id, _) in &composition.base {
            let name = compositions.name(*id);
            if !base.contains(&name) {
                base.push(name);
            }
        }
        let mut replaced = Vec::new();
        let mut added = Vec::new();
        for effect in trace.rows.iter().flat_map(|row| &row.effects) {
            match effect {
                Effect::Replaced(from, to) => {
                    let (from, to) = (compositions.name(*from), compositions.name(*to));
                    replaced.push(ReplacedView { from, to });
                }
                Effect::Added(id) => added.push(compositions.name(*id)),
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
            SectionView::new(compositions, (prompt, section), insertions, sources, count)
        });
        Self {
            composition: &composition.name,
            context,
            order: names(&resolution.order),
            text: &resolution.prompt.text,
            sections: sections.collect(),
            insertions: insertions.iter().map(InsertionView::from).collect(),
            tokens: TokensView { total: count(&resolution.prompt.text), method },
            trace: TraceView {
                base,
                rules: rules.collect(),
                replaced,
                added,
                forbidden: names(&trace.forbidden),
                unmatched: &trace.unmatched,
                warnings: trace.warnings.iter().map(|warning| view(warning, sources)).collect(),
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
        Effect::AlreadyThere(id) => format!("{} is there already", name(id)),
        Effect::NoAnchor(id) => format!("the anchor {} is not in the list", name(id)),
        Effect::Forbade(id) => format!("-{} (forbidden)", name(id)),
        Effect::KeepsOut(id) => format!("keeps {} out", name(id)),
        Effect::Ordered => "sets the order".to_owned(),
        Effect::Superseded => "sets the order, and a later rule sets another".to_owned(),
    };
    effects.iter().map(phrase).collect::<Vec<_>>().join(", ")
}
