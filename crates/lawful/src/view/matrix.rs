//! `lawful matrix`.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::book::Book;
use crate::compose::{Composition, Compositions, FragmentId, Matrix, MatrixClass, Size, largest};
use crate::diff::UnifiedDiff;
use crate::tokens::Tokenizer;
use crate::value::Value;

/// Every distinct prompt of a composition: `{"composition", "classes", "neverFire",
/// "unusedFragments", "alwaysForbidden", "supersededOrders", "ruleIds"?, "largest", "tokens",
/// "changed"?, "coarse"?}`
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct MatrixReport {
    /// The name of the composition.
    pub composition: String,
    /// The prompts, in a stable order.
    pub classes: Vec<ClassView>,
    /// The rules that never fire.
    pub never_fire: Vec<usize>,
    /// The fragments of the lawbook that no prompt of this composition contains.
    pub unused_fragments: Vec<String>,
    /// The ids that rules add, and that are forbidden in every such context.
    pub always_forbidden: Vec<String>,
    /// The `order` rules that a later one always supersedes.
    pub superseded_orders: Vec<usize>,
    /// The ids of the rules that have one, by index.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub rule_ids: BTreeMap<usize, String>,
    /// The index of the class with the largest prompt; its `witness` is the context of that prompt.
    pub largest: Option<usize>,
    /// How tokens were counted.
    pub tokens: &'static str,
    /// The difference from a snapshot, if one was compared.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<String>,
    /// Whether that difference shows some blocks as replaced, because matching their lines would
    /// take too long.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub coarse: bool,
}

impl MatrixReport {
    /// Adds the difference from a snapshot.
    #[must_use]
    pub fn with_changes(mut self, changes: &UnifiedDiff) -> Self {
        self.changed = changes.lines().collect();
        self.coarse = changes.is_coarse();
        self
    }
}

/// Contexts with the same order of fragments.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ClassView {
    /// The order.
    pub order: Vec<String>,
    /// The number of combinations of axis values in this class; null if there are too many to
    /// count.
    pub contexts: Option<u128>,
    /// One such context, with the largest prompt; null if none could be constructed.
    pub witness: Option<Value>,
    /// The tokens of that prompt.
    pub tokens: usize,
}

impl MatrixReport {
    pub(crate) fn new(
        book: &Book,
        compositions: &Compositions,
        composition: &Composition,
        found: &Matrix,
        tokenizer: Tokenizer<'_>,
    ) -> Self {
        let name = |id: &FragmentId| compositions.name(*id).to_owned();
        let sizes = compositions.sizes(book, composition, found, tokenizer);
        let largest = largest(&sizes);
        let class = |(class, size): (&MatrixClass, Size)| ClassView {
            order: class.order.iter().map(name).collect(),
            contexts: class.contexts,
            witness: size.context,
            tokens: size.tokens,
        };
        let classes: Vec<ClassView> = found.classes.iter().zip(sizes).map(class).collect();
        Self {
            composition: composition.name.to_string(),
            never_fire: found.never_fire.clone(),
            unused_fragments: found.unused.iter().map(name).collect(),
            always_forbidden: found.always_forbidden.iter().map(name).collect(),
            superseded_orders: found.superseded.clone(),
            rule_ids: (0..composition.rules.len())
                .filter_map(|rule| Some((rule, composition.rule_id(rule)?.to_owned())))
                .collect(),
            largest,
            tokens: tokenizer.method(),
            changed: Vec::new(),
            coarse: false,
            classes,
        }
    }
}
