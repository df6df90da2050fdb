//! Every prompt of a book, with what it teaches and what rules forbid in it.

use std::collections::BTreeSet;

use lawful_syntax::{Diagnostic, Span, escape};

use super::Named;
use crate::book::{Book, Predicates};
use crate::compose::{Composition, Compositions, Effect, FragmentId, Roles};
use crate::value::Value;

/// A prompt and what it teaches.
pub(super) struct Taught {
    pub(super) named: Named,
    pub(super) teaches: BTreeSet<Box<str>>,
    /// A context that leads to it; `None` if every context does.
    pub(super) witness: Option<Value>,
    /// Fragments with a `teaches` that a rule forbids here.
    pub(super) forbidden: Vec<TakenOut>,
}

/// A fragment that a rule forbids.
pub(super) struct TakenOut {
    pub(super) fragment: Box<str>,
    pub(super) teaches: BTreeSet<Box<str>>,
    pub(super) rule: usize,
    pub(super) rule_id: Option<Box<str>>,
    pub(super) span: Span,
}

/// What teaches a predicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Teacher {
    /// The core.
    Core,
    /// A fragment.
    Fragment(Box<str>),
    /// The persona of a role.
    Persona(Box<str>),
}

impl std::fmt::Display for Teacher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Core => f.write_str("the core"),
            Self::Fragment(id) => write!(f, "the fragment `{}`", escape::name(id)),
            Self::Persona(role) => write!(f, "the persona of `{}`", escape::name(role)),
        }
    }
}

/// Every prompt of every role, or of every composition in a book without roles.
pub(super) fn prompts(
    book: &Book,
    compositions: &Compositions,
    roles: Option<&Roles>,
) -> Result<Vec<Taught>, Vec<Diagnostic>> {
    let mut out = Vec::new();
    let mut problems = Vec::new();
    let mut classes =
        |named: Named, composition: &Composition, always: &BTreeSet<Box<str>>| match classes(
            book,
            compositions,
            composition,
            &named,
            always,
        ) {
            Ok(found) => out.extend(found),
            Err(problem) => problems.push(*problem),
        };
    let Some(roles) = roles else {
        for composition in compositions.all() {
            let named = Named::Composition(composition.name.clone());
            classes(named, composition, &BTreeSet::new());
        }
        return if problems.is_empty() { Ok(out) } else { Err(problems) };
    };
    let mut texts = Vec::new();
    for prompt in &roles.prompts {
        let named = Named::Role(prompt.role.clone());
        let mut teaches = names(&roles.core.teaches);
        teaches.extend(names(&prompt.teaches));
        let composition = prompt.composition.as_deref();
        match composition.and_then(|name| compositions.get(name).ok()) {
            Some(composition) => classes(named, composition, &teaches),
            None => texts.push(Taught { named, teaches, witness: None, forbidden: Vec::new() }),
        }
    }
    out.extend(texts);
    if problems.is_empty() { Ok(out) } else { Err(problems) }
}

/// The prompts of a composition, one for each class of its matrix.
fn classes(
    book: &Book,
    compositions: &Compositions,
    composition: &Composition,
    named: &Named,
    always: &BTreeSet<Box<str>>,
) -> Result<Vec<Taught>, Box<Diagnostic>> {
    let matrix = compositions.matrix(composition, &book.manifest)?;
    let many = matrix.classes.len() > 1;
    let classes = matrix.classes.into_iter().map(|class| {
        let mut teaches = always.clone();
        for fragment in class.order.iter().filter_map(|id| compositions.fragment(*id)) {
            teaches.extend(names(&fragment.teaches));
        }
        let witness = class.witness;
        let forbidden = taken_out(book, compositions, composition, witness.as_ref());
        Taught { named: named.clone(), teaches, witness: witness.filter(|_| many), forbidden }
    });
    Ok(classes.collect())
}

/// The fragments that rules forbid in a context.
fn taken_out(
    book: &Book,
    compositions: &Compositions,
    composition: &Composition,
    context: Option<&Value>,
) -> Vec<TakenOut> {
    let Some(context) = context else { return Vec::new() };
    let found = compositions.resolve(composition, context, &book.sources, false);
    let rule_of = |id: FragmentId| {
        found.trace.rows.iter().position(|row| {
            let effects = found.trace.effects_of(row);
            effects.contains(&Effect::Forbade(id)) || effects.contains(&Effect::KeepsOut(id))
        })
    };
    let taken = found.trace.forbidden.iter().filter_map(|id| {
        let fragment = compositions.fragment(*id).filter(|known| !known.teaches.is_empty())?;
        let rule = rule_of(*id)?;
        let span = composition.rules.get(rule)?.span;
        let teaches = names(&fragment.teaches);
        let rule_id = composition.rule_id(rule).map(Box::from);
        Some(TakenOut { fragment: fragment.id.clone(), teaches, rule, rule_id, span })
    });
    taken.collect()
}

fn names(taught: &Predicates) -> BTreeSet<Box<str>> {
    taught.iter().map(|(name, _)| name.clone()).collect()
}
