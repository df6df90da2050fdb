//! Saved conditions in groups, each checked by itself.
//!
//! Two conditions are in one group if one refers to the other. All that have regular expressions
//! are in one group too, because these share a budget. So the problems of a group depend on its own
//! conditions, and a group that did not change is not checked again.
//!
//! **Invariant:** checking group by group finds what checking all conditions together finds.

use std::collections::BTreeMap;
use std::sync::Arc;

use lawful_syntax::Diagnostic;

use super::operator::{Operand, Operator};
use super::registry::{Registry, SavedCondition};
use crate::code;

/// The groups of a registry.
#[derive(Clone, Debug, Default)]
pub(crate) struct Groups(Vec<Arc<Group>>);

#[derive(Debug)]
struct Group {
    /// By id.
    conditions: Vec<Arc<SavedCondition>>,
    problems: Vec<Diagnostic>,
    has_patterns: bool,
    /// Whether it refers to something unknown. What is suggested then depends on all ids.
    open: bool,
}

/// What conditions have in common if they are in one group.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Link<'r> {
    Condition(&'r str),
    Patterns,
    /// In common with nobody.
    Unknown,
}

/// A condition that is checked, with its links.
type Linked<'r> = (&'r Arc<SavedCondition>, Vec<Link<'r>>);

impl Groups {
    /// Checks the saved conditions of a registry, except for groups that the registry before it has
    /// as well. Both must have the same primitives and limits.
    pub(crate) fn of(registry: &Registry, before: Option<(&Registry, &Self)>) -> Self {
        let same_ids =
            before.is_some_and(|(known, _)| known.saved.keys().eq(registry.saved.keys()));
        let before = before.iter().flat_map(|(_, groups)| &groups.0);
        let mut now: Vec<_> = registry.saved.values().map(Arc::as_ptr).collect();
        now.sort_unstable();
        let is_here = |one: &Arc<SavedCondition>| now.binary_search(&Arc::as_ptr(one)).is_ok();
        let same =
            |group: &&Arc<Group>| (same_ids || !group.open) && group.conditions.iter().all(is_here);
        let mut kept: Vec<Option<&Arc<Group>>> = before.filter(same).map(Some).collect();
        let mut owners: Vec<_> = (0..)
            .zip(kept.iter().flatten())
            .flat_map(|(at, group)| group.conditions.iter().map(move |one| (Arc::as_ptr(one), at)))
            .collect();
        owners.sort_unstable();
        let owner = |one: &Arc<SavedCondition>| -> Option<usize> {
            let at = owners.binary_search_by_key(&Arc::as_ptr(one), |(known, _)| *known).ok()?;
            owners.get(at).map(|(_, group)| *group)
        };
        let mut waiting: Vec<_> =
            registry.saved.values().filter(|one| owner(one).is_none()).collect();
        let mut checked: Vec<Linked<'_>> = Vec::new();
        while let Some(one) = waiting.pop() {
            let links = links(one, registry);
            for link in &links {
                // A changed condition changes the groups that it is linked to.
                let group = match link {
                    Link::Condition(id) => registry.saved.get(*id).and_then(owner),
                    Link::Patterns => {
                        kept.iter().position(|group| group.is_some_and(|group| group.has_patterns))
                    }
                    Link::Unknown => None,
                };
                let group = group.and_then(|at| kept.get_mut(at)).and_then(Option::take);
                let found = group.iter().flat_map(|group| &group.conditions);
                waiting.extend(found.filter_map(|one| registry.saved.get(&one.id)));
            }
            checked.push((one, links));
        }
        checked.sort_unstable_by_key(|(one, _)| &one.id);
        let mut groups: Vec<Arc<Group>> = kept.into_iter().flatten().cloned().collect();
        groups.extend(together(checked).into_values().map(|all| Arc::new(check(&all, registry))));
        Self(groups)
    }

    /// All problems.
    pub(crate) fn problems(&self) -> impl Iterator<Item = &Diagnostic> {
        self.0.iter().flat_map(|group| &group.problems)
    }
}

fn links<'r>(one: &'r SavedCondition, registry: &'r Registry) -> Vec<Link<'r>> {
    let mut links = vec![Link::Condition(&one.id)];
    for (id, _) in one.tree.refs() {
        match Operator::with_id(id) {
            Some(operator) if operator.operand() == Operand::Pattern => links.push(Link::Patterns),
            Some(_) => {}
            None if registry.primitives.contains_key(id) => {}
            None if registry.saved.contains_key(id) => links.push(Link::Condition(id)),
            None => links.push(Link::Unknown),
        }
    }
    links
}

/// Puts conditions that have a link in common together, and keeps their order.
fn together(checked: Vec<Linked<'_>>) -> BTreeMap<usize, Vec<Linked<'_>>> {
    // Each condition points to an earlier one of its group, the first to itself.
    let mut firsts: Vec<usize> = (0..checked.len()).collect();
    let first = |firsts: &[usize], mut at: usize| {
        while let Some(before) = firsts.get(at).filter(|before| **before < at) {
            at = *before;
        }
        at
    };
    let mut known: BTreeMap<Link<'_>, usize> = BTreeMap::new();
    for (at, (_, links)) in checked.iter().enumerate() {
        for link in links.iter().filter(|link| **link != Link::Unknown) {
            let other = *known.entry(*link).or_insert(at);
            let (one, other) = (first(&firsts, at), first(&firsts, other));
            for end in [one, other, at] {
                if let Some(place) = firsts.get_mut(end) {
                    *place = one.min(other);
                }
            }
        }
    }
    let mut groups: BTreeMap<usize, Vec<Linked<'_>>> = BTreeMap::new();
    for (at, linked) in checked.into_iter().enumerate() {
        groups.entry(first(&firsts, at)).or_default().push(linked);
    }
    groups
}

fn check(all: &[Linked<'_>], registry: &Registry) -> Group {
    let has = |link: Link<'_>| all.iter().any(|(_, links)| links.contains(&link));
    let mut problems = registry.set().add_saved(all.iter().map(|(one, _)| &***one));
    // Within one file, only the cause is reported; a reference from another file is reported too.
    problems.retain(|problem| {
        let here = problem.span.file;
        problem.code != &code::BROKEN_CONDITION
            || problem.labels.iter().any(|label| label.span.file != here)
    });
    Group {
        conditions: all.iter().map(|(one, _)| Arc::clone(one)).collect(),
        problems,
        has_patterns: has(Link::Patterns),
        open: has(Link::Unknown),
    }
}

#[cfg(test)]
mod tests {
    use lawful_syntax::Span;

    use super::*;
    use crate::cond::Condition;

    /// A registry of conditions, each with the ids that it refers to; `/x` is an expression.
    fn registry(conditions: &[(&str, &[&str])]) -> Registry {
        let mut builder = Registry::builder();
        for (id, refs) in conditions {
            let part = |name: &&str| match name.strip_prefix('/') {
                Some(text) => Condition::test("a", Operator::Matches, Some(text.into())),
                None => Condition::reference(name),
            };
            let tree = Condition::all(refs.iter().map(part));
            builder.saved(SavedCondition { id: (*id).into(), id_span: Span::NONE, tree }).unwrap();
        }
        builder.build()
    }

    fn sorted(problems: impl Iterator<Item = Diagnostic>) -> Vec<String> {
        let mut problems: Vec<String> = problems.map(|problem| format!("{problem:?}")).collect();
        problems.sort();
        problems
    }

    const BOOKS: [&[(&str, &[&str])]; 5] = [
        &[("a", &["c"]), ("b", &["c"]), ("c", &["b"]), ("d", &["/x", "/("]), ("e", &["/y"])],
        &[("b", &["c"]), ("c", &["b"]), ("d", &["e", "nobody"]), ("e", &[])],
        &[("a", &["b"]), ("b", &["c"]), ("c", &[]), ("d", &["a", "bb"])],
        &[("bb", &["d"]), ("d", &["bb"]), ("e", &["/("])],
        &[],
    ];

    #[test]
    fn groups_find_what_is_found_together() {
        for book in BOOKS {
            let registry = registry(book);
            let together = registry.set().add_saved(registry.saved.values().map(|one| &**one));
            let together = together.into_iter().filter(|one| one.code != &code::BROKEN_CONDITION);
            let groups = Groups::of(&registry, None);
            assert_eq!(sorted(groups.problems().cloned()), sorted(together), "{book:?}");
        }
    }

    #[test]
    fn what_is_kept_is_what_is_found_afresh() {
        for first in BOOKS {
            let before = registry(first);
            let groups = Groups::of(&before, None);
            for second in BOOKS {
                // Conditions that are written the same are the same, as after a reload.
                let mut now = registry(second);
                for (id, one) in Arc::make_mut(&mut now.saved) {
                    let known = before.saved.get(id).filter(|known| known.tree == one.tree);
                    *one = known.map_or_else(|| Arc::clone(one), Arc::clone);
                }
                let kept = Groups::of(&now, Some((&before, &groups)));
                let afresh = Groups::of(&now, None);
                let sorted = |groups: &Groups| sorted(groups.problems().cloned());
                assert_eq!(sorted(&kept), sorted(&afresh), "{first:?} {second:?}");
            }
        }
    }
}
