//! Which ids are in the list when a rule fires, and when all rules have run.
//!
//! Whether an id is in the list depends only on the rules that add it, replace it or replace
//! something with it. So ids that `replace` connects form a group, and each group is analysed with
//! the conditions of its own rules: never with the product of all of them.
//!
//! **Invariant:** no guesses. A context may lack any key. Past the cap, any of the rules of a group
//! may fire with any other, and only what is so in every such case is reported.

use std::collections::BTreeMap;

use lawful_syntax::{Code, Diagnostic, Span};

use super::{Action, Subject};
use crate::compose::{Composition, FragmentId};
use crate::cond::partition::{Caps, Domains, Partition, Skipped};
use crate::cond::{CondId, Outcome};

/// The maximum number of combinations of outcomes of the rules of a group.
const COMBINATIONS: usize = 5_000;

/// Whether an id was seen in the list, and whether it was seen not to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) present: bool,
    pub(super) absent: bool,
}

impl Seen {
    fn note(&mut self, present: bool) {
        self.present |= present;
        self.absent |= !present;
    }

    /// It was seen not to be in the list, and never to be in it.
    pub(super) fn is_never(self) -> bool {
        self.absent && !self.present
    }

    /// It was seen in the list, and never not to be.
    pub(super) fn is_always(self) -> bool {
        self.present && !self.absent
    }
}

/// What all contexts show of the list of a composition.
#[derive(Default)]
pub(super) struct Presence {
    before: BTreeMap<(usize, FragmentId), Seen>,
    at_end: BTreeMap<FragmentId, Seen>,
    groups: Vec<Group>,
    dead: Vec<usize>,
    /// Why a part was not analysed.
    pub(super) skipped: Option<Skipped>,
}

impl Presence {
    /// Analyses a composition, given the rules that never fire.
    pub(super) fn new(subject: &Subject<'_>, domains: &Domains, dead: Vec<usize>) -> Self {
        let mut found = Self { dead, ..Self::default() };
        let groups = groups(subject.composition);
        for group in &groups {
            match combinations(subject, domains, group) {
                Ok(all) => {
                    for outcomes in all {
                        found.run(subject.composition, group, &outcomes);
                    }
                }
                Err(skipped) => {
                    found.skipped = Some(skipped);
                    found.assume_any(subject.composition, group);
                }
            }
        }
        found.groups = groups;
        found
    }

    /// Whether an id is in the list just before a rule changes it, in the contexts in which the rule
    /// fires.
    pub(super) fn before(&self, rule: usize, id: FragmentId) -> Seen {
        self.before.get(&(rule, id)).copied().unwrap_or_default()
    }

    /// Whether the anchor of a rule is in the list just before the rule, in the contexts in which the
    /// rule fires.
    pub(super) fn at_anchor(
        &mut self,
        subject: &Subject<'_>,
        domains: &Domains,
        rule: usize,
        anchor: FragmentId,
    ) -> Seen {
        let composition = subject.composition;
        let Some(group) = self.groups.iter().find(|group| group.ids.contains(&anchor)) else {
            // No rule and no base list has it.
            return Seen { present: false, absent: self.fires(rule) };
        };
        let mut rules: Vec<usize> =
            group.rules.iter().filter(|earlier| **earlier < rule).copied().collect();
        let earlier = rules.iter().filter_map(|earlier| composition.rules.get(*earlier));
        let removed = earlier.clone().any(|earlier| earlier.action.removes(anchor));
        if in_base(composition, anchor) && !removed {
            return Seen { present: true, absent: false };
        }
        let brought = earlier.clone().any(|earlier| earlier.action.brings().contains(&anchor));
        rules.push(rule);
        let group = Group { ids: group.ids.clone(), rules };
        let all = match combinations(subject, domains, &group) {
            Ok(all) => all,
            Err(skipped) => {
                self.skipped = Some(skipped);
                let present = brought || in_base(composition, anchor);
                return Seen { present, absent: true };
            }
        };
        let mut seen = Seen::default();
        for outcomes in all.iter().filter(|outcomes| outcomes.last() == Some(&Outcome::True)) {
            let mut present = group.start(composition);
            for (earlier, outcome) in group.rules.iter().zip(outcomes) {
                let action = composition.rules.get(*earlier).map(|rule| &rule.action);
                let fires = *outcome == Outcome::True && *earlier != rule;
                if let Some(action) = action.filter(|_| fires) {
                    apply(action, &mut present);
                }
            }
            seen.note(present.get(&anchor) == Some(&true));
        }
        seen
    }

    /// Reports those of these ids that are in the list in no context when all rules have run, with
    /// this code and the name of the action.
    pub(super) fn never_at_end<'a>(
        &self,
        subject: &Subject<'_>,
        ids: impl Iterator<Item = &'a (FragmentId, Span)>,
        (code, action): (&'static Code, &str),
    ) -> Vec<Diagnostic> {
        ids.filter(|(id, _)| subject.knows(*id) && self.at_end(*id).is_never())
            .map(|(id, span)| {
                let message = format!("`{}` is never in the list", subject.name(*id));
                let help = format!("correct the id, or remove it from the `{action}`");
                Diagnostic::new(code, *span, message).help(help)
            })
            .collect()
    }

    /// Whether an id is in the list when all rules have run, in any context.
    fn at_end(&self, id: FragmentId) -> Seen {
        // No rule and no base list has it.
        self.at_end.get(&id).copied().unwrap_or(Seen { present: false, absent: true })
    }

    /// Whether a rule can fire.
    pub(super) fn fires(&self, rule: usize) -> bool {
        !self.dead.contains(&rule)
    }

    /// Runs the rules of a group in a context with these outcomes.
    fn run(&mut self, composition: &Composition, group: &Group, outcomes: &[Outcome]) {
        let mut present = group.start(composition);
        for (rule, outcome) in group.rules.iter().zip(outcomes) {
            let action = composition.rules.get(*rule).map(|rule| &rule.action);
            let Some(action) = action.filter(|_| *outcome == Outcome::True) else { continue };
            for id in changes(action) {
                if let Some(present) = present.get(&id) {
                    self.before.entry((*rule, id)).or_default().note(*present);
                }
            }
            apply(action, &mut present);
        }
        for (id, present) in present {
            self.at_end.entry(id).or_default().note(present);
        }
    }

    /// Notes what is so whichever rules of a group fire.
    fn assume_any(&mut self, composition: &Composition, group: &Group) {
        for id in &group.ids {
            let certain = in_base(composition, *id);
            // What is certainly in the list, and what can be in it.
            let mut seen = Seen { present: certain, absent: !certain };
            for rule in &group.rules {
                let Some(action) = composition.rules.get(*rule).map(|rule| &rule.action) else {
                    continue;
                };
                if self.fires(*rule) && changes(action).contains(id) {
                    self.before.insert((*rule, *id), seen);
                }
                seen.present |= action.brings().contains(id);
                seen.absent |= action.removes(*id);
            }
            self.at_end.insert(*id, seen);
        }
    }
}

/// Ids that `replace` connects, and the rules that change whether they are in the list.
struct Group {
    ids: Vec<FragmentId>,
    rules: Vec<usize>,
}

impl Group {
    /// Which of its ids the base list has.
    fn start(&self, composition: &Composition) -> BTreeMap<FragmentId, bool> {
        self.ids.iter().map(|id| (*id, in_base(composition, *id))).collect()
    }
}

fn in_base(composition: &Composition, id: FragmentId) -> bool {
    composition.base.iter().any(|(base, _)| *base == id)
}

fn groups(composition: &Composition) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let base = composition.base.iter().map(|(id, _)| (vec![*id], None));
    let of_rules = composition.rules.iter().enumerate().flat_map(|(index, rule)| {
        let links: Vec<Vec<FragmentId>> = match &rule.action {
            Action::Replace(pairs) => pairs.iter().map(|(from, to, _)| vec![*from, *to]).collect(),
            Action::Add { ids, .. } => ids.iter().map(|(id, _)| vec![*id]).collect(),
            Action::Forbid(_) | Action::Order(_) => Vec::new(),
        };
        links.into_iter().map(move |ids| (ids, Some(index)))
    });
    // The group of each id; merged groups are left empty.
    let mut of_id: BTreeMap<FragmentId, usize> = BTreeMap::new();
    for (ids, rule) in base.chain(of_rules) {
        let mut merged = Group { ids: Vec::new(), rules: rule.into_iter().collect() };
        for id in ids {
            match of_id.get(&id).and_then(|at| groups.get_mut(*at)) {
                None if merged.ids.contains(&id) => {}
                None => merged.ids.push(id),
                Some(group) => {
                    merged.ids.append(&mut group.ids);
                    merged.rules.append(&mut group.rules);
                }
            }
        }
        for id in &merged.ids {
            of_id.insert(*id, groups.len());
        }
        groups.push(merged);
    }
    groups.retain(|group| !group.ids.is_empty());
    for group in &mut groups {
        group.rules.sort_unstable();
        group.rules.dedup();
    }
    groups
}

/// The combinations of outcomes of the rules of a group.
fn combinations(
    subject: &Subject<'_>,
    domains: &Domains,
    group: &Group,
) -> Result<Vec<Vec<Outcome>>, Skipped> {
    let rules = group.rules.iter().filter_map(|rule| subject.composition.rules.get(*rule));
    let conditions: Vec<CondId> = rules.map(|rule| rule.condition).collect();
    let set = subject.compositions.conditions();
    let caps = Caps { outcomes: COMBINATIONS, ..Caps::default() };
    Partition::new(set, &conditions, domains, caps)?.combinations(&conditions)
}

/// The ids whose presence decides whether an action does something.
fn changes(action: &Action) -> Vec<FragmentId> {
    match action {
        Action::Replace(pairs) => pairs.iter().map(|(from, ..)| *from).collect(),
        Action::Add { ids, .. } => ids.iter().map(|(id, _)| *id).collect(),
        Action::Forbid(_) | Action::Order(_) => Vec::new(),
    }
}

/// Applies an action to the ids of a group, as the cascade does.
fn apply(action: &Action, present: &mut BTreeMap<FragmentId, bool>) {
    match action {
        Action::Replace(pairs) => {
            // All pairs at once, based on the list before the rule.
            let live: Vec<_> =
                pairs.iter().filter(|(from, ..)| present.get(from) == Some(&true)).collect();
            for (from, ..) in &live {
                present.insert(*from, false);
            }
            for (_, to, _) in &live {
                present.insert(*to, true);
            }
        }
        Action::Add { ids, .. } => {
            for (id, _) in ids {
                present.entry(*id).and_modify(|present| *present = true);
            }
        }
        Action::Forbid(_) | Action::Order(_) => {}
    }
}

#[cfg(test)]
mod tests;
