//! Witnesses: contexts built from classes, and returned only after evaluation confirms them.

use super::diagram::Diagram;
use super::variables::VariableKind;
use super::{Answer, Partition};
use crate::cond::Outcome;
use crate::cond::set::{CondId, Step};
use crate::value::{Map, Value};

/// How many assignments to try before returning "unknown".
const TRIES: usize = 256;

/// A class for each tested variable.
pub(super) type Assignment = Vec<(usize, usize)>;

impl Partition<'_> {
    /// Searches for a context that leads a diagram to a leaf and passes the check.
    pub(super) fn search(
        &self,
        diagram: Diagram,
        leaf: Diagram,
        check: &dyn Fn(&Value) -> bool,
    ) -> Answer {
        if !self.diagrams.reaches(diagram, leaf) {
            return Answer::No;
        }
        let mut tries = TRIES;
        let mut steps = TRIES * 64;
        let found = self.walk(&[diagram], &[leaf], &mut Vec::new(), &mut tries, &mut steps, check);
        found.map_or(Answer::Unknown, Answer::Yes)
    }

    /// A context in which these conditions have these leaves and outcomes: that of the first
    /// assignment that leads there, or of another one, as long as steps are left.
    pub(super) fn witness_of(
        &self,
        conditions: &[CondId],
        (leaves, outcomes): (&[Diagram], &[Outcome]),
        first: &Assignment,
        steps_left: &mut usize,
    ) -> Option<Value> {
        let check = |document: &Value| {
            let mut run = self.set.run(document);
            conditions.iter().zip(outcomes).all(|(id, outcome)| run.outcome(*id) == *outcome)
        };
        if let Some(context) = self.context(first).filter(check) {
            return Some(context);
        }
        let state: Vec<Diagram> = conditions.iter().map(|id| self.diagram(*id)).collect();
        let mut tries = TRIES;
        // Each step follows every condition.
        let cost = conditions.len().max(1);
        let granted = (TRIES * 64).min(*steps_left / cost);
        let mut steps = granted;
        let found = self.walk(&state, leaves, &mut Vec::new(), &mut tries, &mut steps, &check);
        *steps_left = steps_left.saturating_sub((granted - steps).saturating_mul(cost));
        found
    }

    /// Tries assignments one by one, following every diagram to its leaf.
    fn walk(
        &self,
        state: &[Diagram],
        leaves: &[Diagram],
        assignment: &mut Assignment,
        tries: &mut usize,
        steps: &mut usize,
        check: &dyn Fn(&Value) -> bool,
    ) -> Option<Value> {
        if *tries == 0 || *steps == 0 {
            return None;
        }
        *steps -= 1;
        let reachable =
            |(diagram, leaf): (&Diagram, &Diagram)| self.diagrams.reaches(*diagram, *leaf);
        if !state.iter().zip(leaves).all(reachable) {
            return None;
        }
        let variable = state.iter().map(|diagram| self.diagrams.variable(*diagram)).min();
        let variable = variable.unwrap_or(usize::MAX);
        let Some(asked) = self.variables.get(variable) else {
            *tries -= 1;
            return self.context(assignment).filter(|document| check(document));
        };
        for class in 0..asked.classes.len() {
            let below: Vec<Diagram> =
                state.iter().map(|d| self.diagrams.restrict(*d, variable, class)).collect();
            assignment.push((variable, class));
            let found = self.walk(&below, leaves, assignment, tries, steps, check);
            assignment.pop();
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// The context of an assignment; `None` if two paths conflict.
    fn context(&self, assignment: &Assignment) -> Option<Value> {
        let mut document = Value::Map(Map::new());
        for (index, variable) in self.variables.iter().enumerate() {
            let VariableKind::Path(path) = &variable.kind else { continue };
            let assigned = assignment.iter().find(|(asked, _)| *asked == index);
            // An untested variable may be anything: a declared value or absent.
            let class = match assigned {
                Some((_, class)) => variable.classes.get(*class),
                None => variable.classes.first(),
            };
            let Some(value) = class.and_then(|class| class.representative.as_ref()) else {
                continue;
            };
            if matches!(self.set.paths[*path].step, Step::One(_)) {
                let fits = self.set.paths[*path].path.put(&mut document, value.clone());
                if !fits && assigned.is_some() {
                    return None;
                }
            }
        }
        Some(document)
    }
}
