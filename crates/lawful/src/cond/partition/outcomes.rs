//! The combinations of outcomes that a list of conditions can have.
//!
//! The variables are taken in order. After each one, contexts that leave the same diagrams to follow
//! form one state, so the product of all classes is never enumerated.
//!
//! **Invariant:** the work is limited by [`Caps::work`], not by time, so the same conditions are
//! always analysed or always skipped.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use super::diagram::Diagram;
use super::variables::Variable;
use super::witness::Assignment;
use super::{Answer, Caps, OutcomeClass, Partition, Skipped, plus, times};
use crate::cond::outcome::Outcome;
use crate::cond::set::CondId;

impl Partition<'_> {
    /// The combinations of outcomes that these conditions can have, without contexts. A combination
    /// that depends on opaque tests may have none.
    pub fn combinations(&self, conditions: &[CondId]) -> Result<Vec<Vec<Outcome>>, Skipped> {
        let positions = Positions::of(self, conditions);
        let mut found: Vec<Vec<Diagram>> =
            self.split(&positions)?.iter().map(|state| positions.spread(&state.open)).collect();
        found.sort_unstable();
        Ok(found.iter().map(|leaves| outcomes_of(leaves)).collect())
    }

    /// The combinations of outcomes that these conditions can have, in a stable order, without
    /// enumerating the product of all classes.
    pub fn outcomes(&self, conditions: &[CondId]) -> Result<Vec<OutcomeClass>, Skipped> {
        let positions = Positions::of(self, conditions);
        let mut found: Vec<(Vec<Diagram>, State)> = self
            .split(&positions)?
            .into_iter()
            .map(|state| (positions.spread(&state.open), state))
            .collect();
        found.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        let mut steps = self.caps.work;
        let mut classes = Vec::with_capacity(found.len());
        for (leaves, state) in found {
            let outcomes = outcomes_of(&leaves);
            let first = Way::assignment(state.way.as_deref());
            let witness = self.witness_of(conditions, (&leaves, &outcomes), &first, &mut steps);
            let contexts = times(state.contexts, self.unread);
            classes.push(OutcomeClass { outcomes, contexts, witness: Answer::of(witness) });
        }
        Ok(classes)
    }

    /// The contexts, split by the leaf that each diagram reaches, in the order of their first
    /// assignments.
    fn split(&self, positions: &Positions) -> Result<Vec<State>, Skipped> {
        let Caps { work, outcomes, .. } = self.caps;
        let mut fuel = Fuel { left: work, all: work };
        let start = State { open: positions.diagrams.clone(), contexts: Some(1), way: None };
        let mut states = vec![start];
        for (index, variable) in self.variables.iter().enumerate() {
            let is_asked = |state: &State| {
                state.open.iter().any(|diagram| self.diagrams.variable(*diagram) == index)
            };
            let asked = self.asked.get(index).copied().unwrap_or(false);
            let weight = Some(variable.weight(asked).into());
            if !asked {
                for state in &mut states {
                    state.contexts = times(state.contexts, weight);
                }
                continue;
            }
            let mut next = Frontier::default();
            for mut state in states {
                if is_asked(&state) {
                    fuel.take(state.open.len().saturating_mul(variable.classes.len()))?;
                    for (class, below) in self.follow(&state, index, variable) {
                        next.add(below, class);
                    }
                } else {
                    fuel.take(state.open.len())?;
                    state.contexts = times(state.contexts, weight);
                    next.add(state, None);
                }
            }
            states = next.states;
            if states.len() > outcomes && positions.decided(&states, index) > outcomes {
                return Err(too_many(outcomes));
            }
        }
        if states.len() > outcomes {
            return Err(too_many(outcomes));
        }
        Ok(states)
    }

    /// The states after a variable is fixed to each of its classes.
    fn follow<'p>(
        &'p self,
        state: &'p State,
        index: usize,
        variable: &'p Variable,
    ) -> impl Iterator<Item = (Option<(usize, usize)>, State)> + 'p {
        variable.classes.iter().enumerate().map(move |(at, class)| {
            let open = state.open.iter().map(|one| self.diagrams.restrict(*one, index, at));
            let contexts = times(state.contexts, Some(class.weight.into()));
            let below = State { open: open.collect(), contexts, way: state.way.clone() };
            (Some((index, at)), below)
        })
    }
}

fn too_many(outcomes: usize) -> Skipped {
    Skipped(format!("there are more than {outcomes} combinations of outcomes of its conditions"))
}

fn outcomes_of(leaves: &[Diagram]) -> Vec<Outcome> {
    leaves.iter().map(|leaf| leaf.outcome().unwrap_or(Outcome::Error)).collect()
}

impl Answer {
    fn of(witness: Option<crate::value::Value>) -> Self {
        witness.map_or(Self::Unknown, Self::Yes)
    }
}

/// What is left of [`Caps::work`].
struct Fuel {
    left: usize,
    all: usize,
}

impl Fuel {
    fn take(&mut self, cost: usize) -> Result<(), Skipped> {
        let all = self.all;
        let skipped = || Skipped(format!("to combine its conditions takes more than {all} steps"));
        self.left = self.left.checked_sub(cost).ok_or_else(skipped)?;
        Ok(())
    }
}

/// Contexts that have the same diagrams left to follow.
struct State {
    /// What is left of each distinct diagram.
    open: Vec<Diagram>,
    /// The number of contexts; `None` if there are too many to count.
    contexts: Option<u128>,
    /// The first assignment that leads here.
    way: Option<Rc<Way>>,
}

/// An assignment, the last variable first.
struct Way {
    assigned: (usize, usize),
    before: Option<Rc<Way>>,
}

impl Way {
    fn assignment(mut way: Option<&Self>) -> Assignment {
        let mut all = Vec::new();
        while let Some(one) = way {
            all.push(one.assigned);
            way = one.before.as_deref();
        }
        all.reverse();
        all
    }
}

/// Distinct states, in the order of their first assignments.
#[derive(Default)]
struct Frontier {
    states: Vec<State>,
    known: HashMap<Vec<Diagram>, usize>,
}

impl Frontier {
    fn add(&mut self, mut state: State, assigned: Option<(usize, usize)>) {
        if let Some(known) = self.known.get(&state.open).and_then(|at| self.states.get_mut(*at)) {
            known.contexts = plus(known.contexts, state.contexts);
            return;
        }
        if let Some(assigned) = assigned {
            state.way = Some(Rc::new(Way { assigned, before: state.way }));
        }
        self.known.insert(state.open.clone(), self.states.len());
        self.states.push(state);
    }
}

/// The distinct diagrams of a list of conditions, and which of them each condition has.
struct Positions {
    diagrams: Vec<Diagram>,
    of_condition: Vec<usize>,
    /// For each diagram, the last variable that it tests; `None` for a leaf.
    last: Vec<Option<usize>>,
}

impl Positions {
    fn of(partition: &Partition<'_>, conditions: &[CondId]) -> Self {
        let mut known: HashMap<Diagram, usize> = HashMap::new();
        let mut diagrams = Vec::new();
        let mut of_condition = Vec::with_capacity(conditions.len());
        for condition in conditions {
            let diagram = partition.diagram(*condition);
            let at = *known.entry(diagram).or_insert(diagrams.len());
            if at == diagrams.len() {
                diagrams.push(diagram);
            }
            of_condition.push(at);
        }
        let last = |diagram: &Diagram| {
            let asked = partition.diagrams.asked(vec![*diagram], partition.variables.len());
            asked.iter().rposition(|asked| *asked)
        };
        let last = diagrams.iter().map(last).collect();
        Self { diagrams, of_condition, last }
    }

    /// The leaf of each condition.
    fn spread(&self, leaves: &[Diagram]) -> Vec<Diagram> {
        let leaf = |at: &usize| leaves.get(*at).copied().unwrap_or(Diagram::ERROR);
        self.of_condition.iter().map(leaf).collect()
    }

    /// How many combinations there are of the diagrams that test no variable after this one. There
    /// are at least as many of all diagrams.
    fn decided(&self, states: &[State], index: usize) -> usize {
        let is_decided = |at: &usize| self.last.get(*at).copied().flatten() <= Some(index);
        let decided: Vec<usize> = (0..self.diagrams.len()).filter(is_decided).collect();
        let leaves = |state: &State| -> Vec<Option<Diagram>> {
            decided.iter().map(|at| state.open.get(*at).copied()).collect()
        };
        states.iter().map(leaves).collect::<BTreeSet<_>>().len()
    }
}
