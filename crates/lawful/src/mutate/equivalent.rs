//! Mutants that change nothing: their condition is true on the same contexts.

use super::{Aspect, Mutant, Site};
use crate::cond::partition::{Caps, Domains, Partition};
use crate::cond::{Condition, Registry, Surface};
use crate::guard::lint as guard;
use crate::lawbook::Lawbook;

/// Whether the condition that a mutant changes is proved to be true on the same contexts as the
/// original. The proof uses the declared axes and variables.
pub(crate) fn is_equivalent(original: &Lawbook, changed: &Lawbook, mutant: &Mutant) -> bool {
    let manifest = original.manifest();
    let registry = original.registry();
    match &mutant.site {
        Site::CompositionRule(name, index, Aspect::Condition) => {
            let when = |book: &Lawbook| -> Option<Condition> {
                let composition = book.compositions().get(name).ok()?;
                Some(composition.rules.get(*index)?.when.clone())
            };
            same(when(original), when(changed), registry, &Domains::of(manifest))
        }
        Site::Rule(id, Aspect::Condition) => {
            let when = |book: &Lawbook| Some(book.rules().get(id)?.when.clone());
            same(when(original), when(changed), registry, &Domains::of_variables(manifest))
        }
        Site::Guard(id, Aspect::Condition) => {
            let when = |book: &Lawbook| {
                let (_, found) = book.guards().all().find(|(_, guard)| guard.id == *id)?;
                Some(guard::whole(found))
            };
            same(when(original), when(changed), registry, &guard::domains(original.book()))
        }
        Site::Condition(id) => {
            let when = |book: &Lawbook| book.registry().saved_tree(id).cloned();
            same(when(original), when(changed), registry, &Domains::of(manifest))
        }
        Site::CompositionRule(_, _, Aspect::Whole | Aspect::Trigger | Aspect::Action)
        | Site::Rule(_, Aspect::Whole | Aspect::Trigger | Aspect::Action)
        | Site::Guard(_, Aspect::Whole | Aspect::Trigger | Aspect::Action)
        | Site::Predicate(..) => false,
    }
}

fn same(
    one: Option<Condition>,
    other: Option<Condition>,
    registry: &Registry,
    domains: &Domains,
) -> bool {
    // A proof is worth little: without one, the mutant is run.
    let caps = Caps { size: 50_000, ..Caps::default() };
    let mut set = registry.set();
    let mut add = |tree: Option<Condition>| set.add(&tree?, Surface::When).0;
    let (Some(one), Some(other)) = (add(one), add(other)) else { return false };
    let set = set.finish();
    let Ok(mut partition) = Partition::new(&set, &[one, other], domains, caps) else {
        return false;
    };
    matches!(partition.equal(one, other), Ok(Some(true)))
}
