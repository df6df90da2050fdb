//! Predicates that contradict each other, so that no envelope can pass.
//!
//! Only predicates of severity `error` count. Predicates on claims are asked of the partition of
//! their conditions, in groups that read the same facts. Predicates on a relation bound the number
//! of its tuples. What cannot be proved is not reported.

use std::collections::BTreeMap;

use lawful_syntax::{Diagnostic, Severity};

use super::codes::NEVER_PASSES;
use super::rulespec::{Predicate, Rulespec, Subject};
use crate::cond::partition::{Caps, Domains, Partition};
use crate::cond::{CondId, Operator};
use crate::value::Value;

impl Rulespec {
    /// The error for a rulespec that no envelope can pass, if that can be proved.
    pub(crate) fn never_passes(&self) -> Option<Diagnostic> {
        let on_claims = self.claims_by_fact().into_values().find_map(|group| self.conflict(&group));
        let members = on_claims.or_else(|| self.relation_conflict())?;
        let spans = members.iter().filter_map(|at| Some(self.predicates.get(*at)?.span));
        let mut spans: Vec<_> = spans.collect();
        let place = spans.pop()?;
        let shown: Vec<String> = members.iter().map(|at| format!("{at}")).collect();
        let why = match shown.as_slice() {
            [one] => format!("predicate {one} never holds"),
            [rest @ .., last] => {
                format!("predicates {} and {last} contradict each other", rest.join(", "))
            }
            [] => return None,
        };
        let message = format!("no envelope can pass this rulespec: {why}");
        let help = "change one, give one a `when`, or set its `severity` to `warning`";
        let problem = Diagnostic::new(&NEVER_PASSES, place, message).help(help);
        Some(
            spans
                .into_iter()
                .fold(problem, |problem, span| problem.label(span, "conflicts with this")),
        )
    }

    /// The predicates that count, with their indexes.
    fn demands(&self) -> impl Iterator<Item = (usize, &Predicate)> {
        let all = self.predicates.iter().enumerate();
        all.filter(|(_, predicate)| predicate.severity == Severity::Error)
    }

    /// The predicates on claims, in groups that have no top-level fact in common. Two groups cannot
    /// contradict each other, and each is small.
    fn claims_by_fact(&self) -> BTreeMap<usize, Vec<(usize, Option<CondId>, CondId)>> {
        let mut group_of: BTreeMap<String, usize> = BTreeMap::new();
        let mut groups: BTreeMap<usize, Vec<(usize, Option<CondId>, CondId)>> = BTreeMap::new();
        for (at, predicate) in self.demands() {
            let Subject::Claim(_, condition) = predicate.subject else { continue };
            let reads = predicate.when.into_iter().chain([condition]);
            let paths = reads.flat_map(|condition| self.set.reads(condition));
            let facts: Vec<String> = paths
                .map(|path| path.segments().first().map(|first| format!("{first:?}")))
                .map(Option::unwrap_or_default)
                .collect();
            let mut group = vec![(at, predicate.when, condition)];
            for known in facts.iter().filter_map(|fact| group_of.get(fact)) {
                group.extend(groups.remove(known).unwrap_or_default());
            }
            group_of.extend(facts.into_iter().map(|fact| (fact, at)));
            let moved: Vec<usize> = group.iter().map(|(at, ..)| *at).collect();
            for known in group_of.values_mut().filter(|known| moved.contains(known)) {
                *known = at;
            }
            group.sort_unstable_by_key(|(at, ..)| *at);
            groups.insert(at, group);
        }
        groups
    }

    fn conflict(&self, group: &[(usize, Option<CondId>, CondId)]) -> Option<Vec<usize>> {
        let conditions: Vec<CondId> =
            group.iter().flat_map(|(_, when, then)| when.iter().chain([then])).copied().collect();
        let demands: Vec<_> = group.iter().map(|(_, when, then)| (*when, *then)).collect();
        // A group that is too large to analyse may have an envelope that passes.
        let mut partition =
            Partition::new(&self.set, &conditions, &Domains::default(), Caps::default()).ok()?;
        let members = partition.conflict(&demands).ok()?;
        let members: Vec<usize> =
            members.into_iter().filter_map(|at| Some(group.get(at)?.0)).collect();
        (!members.is_empty()).then_some(members)
    }

    /// Two unconditional predicates on one relation that require more tuples than are allowed.
    fn relation_conflict(&self) -> Option<Vec<usize>> {
        let mut bounds: BTreeMap<&str, Bounds> = BTreeMap::new();
        for (at, predicate) in self.demands().filter(|(_, predicate)| predicate.when.is_none()) {
            let Subject::Relation(name) = &predicate.subject else { continue };
            let count = match &predicate.value {
                Some(Value::Number(number)) => number.as_count(),
                _ => None,
            };
            let known = bounds.entry(name).or_default();
            match (predicate.rule, count) {
                (Operator::Exists | Operator::Contains, _) => known.at_least(1, at),
                (Operator::NotExists, _) => known.at_most(0, at),
                (Operator::MinLength, Some(count)) => known.at_least(count, at),
                (Operator::MaxLength, Some(count)) => known.at_most(count, at),
                (_, _) => {}
            }
            if let (Some((least, low)), Some((most, high))) = (known.least, known.most)
                && least > most
            {
                return Some(vec![low.min(high), low.max(high)]);
            }
        }
        None
    }
}

/// The bounds on the number of tuples of a relation, each with the predicate that requires it.
#[derive(Default)]
struct Bounds {
    least: Option<(u64, usize)>,
    most: Option<(u64, usize)>,
}

impl Bounds {
    fn at_least(&mut self, count: u64, by: usize) {
        if self.least.is_none_or(|(known, _)| count > known) {
            self.least = Some((count, by));
        }
    }

    fn at_most(&mut self, count: u64, by: usize) {
        if self.most.is_none_or(|(known, _)| count < known) {
            self.most = Some((count, by));
        }
    }
}
