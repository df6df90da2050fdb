//! Cycles of rules: one for every strongly connected set of rules.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::Graph;
use crate::react::rules::RuleId;

impl Graph<'_> {
    /// One cycle for every strongly connected set of rules: the shortest through its first rule.
    /// They are in the order of these first rules.
    pub(crate) fn cycles(&self) -> Vec<Vec<RuleId>> {
        let mut cycles: Vec<Vec<RuleId>> =
            self.components().iter().filter_map(|component| self.cycle(component)).collect();
        cycles.sort();
        cycles
    }

    /// The strongly connected components (Tarjan), without recursion: a long chain of rules must
    /// not exhaust the stack.
    fn components(&self) -> Vec<BTreeSet<RuleId>> {
        /// A rule whose edges are being walked.
        struct Open<'g> {
            rule: RuleId,
            next: Box<dyn Iterator<Item = RuleId> + 'g>,
        }
        let open = |rule: RuleId| Open {
            rule,
            next: Box::new(self.edges.get(&rule).into_iter().flat_map(|e| e.keys().copied())),
        };
        // When each rule was visited, and the earliest open rule that it reaches.
        let mut met: BTreeMap<RuleId, usize> = BTreeMap::new();
        let mut low: BTreeMap<RuleId, usize> = BTreeMap::new();
        let mut waiting: Vec<RuleId> = Vec::new();
        let mut is_waiting: BTreeSet<RuleId> = BTreeSet::new();
        let mut components = Vec::new();
        for start in self.edges.keys().copied() {
            if met.contains_key(&start) {
                continue;
            }
            let mut walk = vec![open(start)];
            while let Some(current) = walk.last_mut() {
                let rule = current.rule;
                if !met.contains_key(&rule) {
                    let now = met.len();
                    met.insert(rule, now);
                    low.insert(rule, now);
                    waiting.push(rule);
                    is_waiting.insert(rule);
                }
                if let Some(next) = current.next.next() {
                    if !met.contains_key(&next) {
                        walk.push(open(next));
                    } else if is_waiting.contains(&next) {
                        lower(&mut low, rule, met.get(&next).copied());
                    }
                    continue;
                }
                walk.pop();
                let reached = low.get(&rule).copied();
                if let Some(before) = walk.last() {
                    lower(&mut low, before.rule, reached);
                }
                if reached == met.get(&rule).copied() {
                    let from = waiting.iter().rposition(|open| *open == rule).unwrap_or(0);
                    let component: BTreeSet<RuleId> = waiting.split_off(from).into_iter().collect();
                    for done in &component {
                        is_waiting.remove(done);
                    }
                    components.push(component);
                }
            }
        }
        components
    }

    /// The shortest path from the first rule of a set back to itself.
    fn cycle(&self, component: &BTreeSet<RuleId>) -> Option<Vec<RuleId>> {
        let start = *component.first()?;
        let mut came_from: BTreeMap<RuleId, RuleId> = BTreeMap::new();
        let mut open = VecDeque::from([start]);
        while let Some(rule) = open.pop_front() {
            let edges = self.edges.get(&rule).into_iter().flat_map(BTreeMap::keys);
            for next in edges.filter(|next| component.contains(next)) {
                if *next == start {
                    let mut cycle = vec![rule];
                    while let Some(before) = cycle.last().and_then(|last| came_from.get(last)) {
                        cycle.push(*before);
                    }
                    cycle.reverse();
                    return Some(cycle);
                }
                if !came_from.contains_key(next) {
                    came_from.insert(*next, rule);
                    open.push_back(*next);
                }
            }
        }
        None
    }
}

fn lower(low: &mut BTreeMap<RuleId, usize>, rule: RuleId, to: Option<usize>) {
    if let (Some(low), Some(to)) = (low.get_mut(&rule), to) {
        *low = to.min(*low);
    }
}
