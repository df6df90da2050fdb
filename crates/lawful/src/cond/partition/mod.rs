//! The partition of contexts by conditions, and the queries on it.
//!
//! There are infinitely many contexts, but a set of conditions distinguishes only finitely many.
//! Each path has [classes] of values that no test distinguishes. An opaque test (a regular
//! expression on an unnamed string, a host primitive, anything under `[*]`) is a free variable.
//! Conditions become [decision diagrams](diagram) over these variables, and every query is a query
//! on a diagram.
//!
//! **Invariant:** no guesses. The answer is *no* only if no assignment of classes is left, and
//! classes cover all values. The answer is *yes* only with a context that the real evaluator
//! confirmed. Anything else is [`Answer::Unknown`], and past its caps the analysis is [`Skipped`].

mod build;
mod classes;
mod diagram;
mod domain;
mod outcomes;
mod reach;
mod regions;
mod slots;
mod variables;
mod witness;

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use super::outcome::Outcome;
use super::set::{CondId, ConditionSet, PathId};
use crate::index::Id as _;
use crate::path::Path;
use crate::value::Value;
use diagram::{Diagram, Diagrams, TooLarge};
use variables::{Variable, VariableKind, reachable, variables};

pub use domain::{Domain, Domains};
pub(crate) use reach::reach;
pub(crate) use regions::Regions;

/// The answer to a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Yes: this context shows it.
    Yes(Value),
    /// No context does.
    No,
    /// It depends on an opaque test.
    Unknown,
}

/// The analysis was skipped because something was too large.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Skipped(pub String);

/// Caps on an analysis.
#[derive(Clone, Copy, Debug)]
pub struct Caps {
    /// Classes of one path.
    pub classes: usize,
    /// Paths and opaque tests.
    pub variables: usize,
    /// The total size of all diagrams: the number of children of their nodes.
    pub size: usize,
    /// Outcomes that [`Partition::outcomes`] distinguishes.
    pub outcomes: usize,
    /// Steps to find them: diagrams to follow, for each class of a variable and each state before.
    pub work: usize,
}

impl Default for Caps {
    fn default() -> Self {
        Self { classes: 8_192, variables: 400, size: 1_000_000, outcomes: 40_000, work: 10_000_000 }
    }
}

/// Contexts with the same outcomes of a list of conditions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutcomeClass {
    /// The outcome of each condition.
    pub outcomes: Vec<Outcome>,
    /// The number of combinations of values in it: declared values, or classes for paths without a
    /// declaration. `None` if there are too many to count.
    pub contexts: Option<u128>,
    /// One of them.
    pub witness: Answer,
}

/// The partition of contexts by some conditions of a set.
pub struct Partition<'s> {
    set: &'s ConditionSet,
    caps: Caps,
    variables: Rc<[Variable]>,
    paths: BTreeMap<PathId, usize>,
    free: BTreeMap<String, usize>,
    /// The number of combinations of declared values that no condition reads.
    unread: Option<u128>,
    /// Which variables some diagram tests.
    asked: Vec<bool>,
    diagrams: Diagrams,
    of_node: HashMap<usize, Diagram>,
}

impl std::fmt::Debug for Partition<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Partition").finish_non_exhaustive()
    }
}

impl<'s> Partition<'s> {
    /// Builds the partition for these conditions.
    pub fn new(
        set: &'s ConditionSet,
        conditions: &[CondId],
        domains: &Domains,
        caps: Caps,
    ) -> Result<Self, Skipped> {
        let nodes = reachable(set, conditions);
        let variables = variables(set, &nodes, domains, caps)?;
        let diagrams = Diagrams::new(caps.size);
        let read = |path: &Path| {
            variables.iter().any(|variable| match &variable.kind {
                VariableKind::Path(id) => set.paths[*id].path == *path,
                VariableKind::Free(_) => false,
            })
        };
        let unread = domains.sizes_except(read);
        let (mut paths, mut free) = (BTreeMap::new(), BTreeMap::new());
        for (index, variable) in variables.iter().enumerate() {
            match &variable.kind {
                VariableKind::Path(path) => {
                    paths.insert(*path, index);
                }
                VariableKind::Free(key) => {
                    free.insert(key.clone(), index);
                }
            }
        }
        let (of_node, variables) = (HashMap::new(), variables.into());
        let asked = Vec::new();
        let mut partition =
            Self { set, caps, variables, paths, free, unread, asked, diagrams, of_node };
        for node in nodes {
            partition.build(node).map_err(|TooLarge| {
                Skipped(format!("its decision diagram is larger than {}", caps.size))
            })?;
        }
        let roots = conditions.iter().map(|condition| partition.diagram(*condition)).collect();
        partition.asked = partition.diagrams.asked(roots, partition.variables.len());
        Ok(partition)
    }

    /// Whether some context makes the condition true.
    pub fn can_hold(&self, condition: CondId) -> Answer {
        self.can_be(condition, Outcome::True)
    }

    /// Whether some context makes the condition false.
    pub fn can_fail(&self, condition: CondId) -> Answer {
        self.can_be(condition, Outcome::False)
    }

    /// Whether no context makes the condition true.
    pub fn is_never(&self, condition: CondId) -> bool {
        !self.diagrams.reaches(self.diagram(condition), Diagram::ALWAYS)
    }

    /// Whether every context makes the condition true, and none an error.
    pub fn is_always(&self, condition: CondId) -> bool {
        self.diagram(condition) == Diagram::ALWAYS
    }

    fn can_be(&self, condition: CondId, wanted: Outcome) -> Answer {
        self.search(self.diagram(condition), Diagram::of(wanted), &|document| {
            self.set.run(document).outcome(condition) == wanted
        })
    }

    /// Whether `b` is true wherever `a` is; `None` if that depends on an opaque test.
    pub fn implies(&mut self, a: CondId, b: CondId) -> Result<Option<bool>, Skipped> {
        let only_a = self.only_first(a, b)?;
        let counterexample = self.search(only_a, Diagram::ALWAYS, &|document| {
            let mut run = self.set.run(document);
            run.outcome(a) == Outcome::True && run.outcome(b) != Outcome::True
        });
        Ok(match counterexample {
            Answer::Yes(_) => Some(false),
            Answer::No => Some(true),
            Answer::Unknown => None,
        })
    }

    /// Whether `b` is certainly true wherever `a` is. Cheaper, because it does not search for a
    /// counterexample.
    pub fn surely_implies(&mut self, a: CondId, b: CondId) -> Result<bool, Skipped> {
        let only_a = self.only_first(a, b)?;
        Ok(!self.diagrams.reaches(only_a, Diagram::ALWAYS))
    }

    /// Whether two conditions are true on the same contexts.
    pub fn equal(&mut self, a: CondId, b: CondId) -> Result<Option<bool>, Skipped> {
        Ok(match (self.implies(a, b)?, self.implies(b, a)?) {
            (Some(true), Some(true)) => Some(true),
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true) | None, _) => None,
        })
    }

    /// The first few of these demands that no context meets together, in ascending order; empty if
    /// some context may meet all of them. A demand is met where its second condition is true, and
    /// where its first, if it has one, is false.
    ///
    /// The last member is the first demand that conflicts with those before it. Each other member
    /// is the first one that completes a conflict with the members found so far, so none of them
    /// can be left out.
    pub fn conflict(
        &mut self,
        demands: &[(Option<CondId>, CondId)],
    ) -> Result<Vec<usize>, Skipped> {
        let cap = self.caps.size;
        let skipped = |TooLarge| Skipped(format!("its decision diagram is larger than {cap}"));
        let mut diagrams = Vec::with_capacity(demands.len());
        for (when, then) in demands {
            let then = self.diagram(*then);
            diagrams.push(match when {
                None => then,
                Some(when) => {
                    let skips = self.diagrams.not(self.diagram(*when)).map_err(skipped)?;
                    self.diagrams.or(skips, then).map_err(skipped)?
                }
            });
        }
        let found = self.core(Diagram::ALWAYS, &diagrams).map_err(skipped)?;
        if !found.is_empty() {
            return Ok(found);
        }
        let possible = self.possible_slots().map_err(skipped)?;
        if possible == Diagram::ALWAYS {
            return Ok(found);
        }
        self.core(possible, &diagrams).map_err(skipped)
    }

    /// The first few of these diagrams that are never true together where another one is.
    fn core(&mut self, start: Diagram, diagrams: &[Diagram]) -> Result<Vec<usize>, TooLarge> {
        let mut members: Vec<usize> = Vec::new();
        let mut together = start;
        while self.diagrams.reaches(together, Diagram::ALWAYS) {
            let mut all = together;
            let mut last = None;
            for (at, diagram) in diagrams.iter().enumerate() {
                all = self.diagrams.and(all, *diagram)?;
                if !self.diagrams.reaches(all, Diagram::ALWAYS) {
                    last = Some((at, *diagram));
                    break;
                }
            }
            let Some((at, diagram)) = last else { return Ok(Vec::new()) };
            members.push(at);
            together = self.diagrams.and(together, diagram)?;
        }
        members.sort_unstable();
        Ok(members)
    }

    /// The size of the analysis, in the unit of [`Caps::size`].
    pub fn size(&self) -> usize {
        self.diagrams.size()
    }

    fn diagram(&self, condition: CondId) -> Diagram {
        let node = self.set.root_of(condition);
        node.and_then(|node| self.of_node.get(&node.index()).copied()).unwrap_or(Diagram::ERROR)
    }

    /// A diagram that is true where `a` is true and `b` is not.
    fn only_first(&mut self, a: CondId, b: CondId) -> Result<Diagram, Skipped> {
        let (a, b) = (self.diagram(a), self.diagram(b));
        let cap = self.caps.size;
        let skipped = |TooLarge| Skipped(format!("its decision diagram is larger than {cap}"));
        let b = self.diagrams.certainly(b).map_err(skipped)?;
        let not_b = self.diagrams.not(b).map_err(skipped)?;
        self.diagrams.and(a, not_b).map_err(skipped)
    }
}

fn times(a: Option<u128>, b: Option<u128>) -> Option<u128> {
    a.zip(b).and_then(|(a, b)| a.checked_mul(b))
}

fn plus(a: Option<u128>, b: Option<u128>) -> Option<u128> {
    a.zip(b).and_then(|(a, b)| a.checked_add(b))
}

#[cfg(test)]
mod tests;
