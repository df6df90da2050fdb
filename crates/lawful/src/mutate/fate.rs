//! Whether the scenarios of a lawbook notice a mutant.

use super::{Mutant, Site};
use crate::lawbook::Lawbook;
use crate::scenario::{Collect, ConditionOf, Scenario, Surroundings, TestOutcome, Touched};

/// What became of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// A scenario fails, or cannot be played because of the change.
    Killed,
    /// Every scenario passes.
    Survived,
    /// It does not compile, or changes nothing, so it does not count.
    Discarded,
}

impl Lawbook {
    /// Plays a mutant of this lawbook with scenarios that pass on the lawbook itself, each with what
    /// it touches. Only those that touch the change are played, and no more after the first that
    /// does not pass.
    pub fn fate(
        &self,
        mutant: &Mutant,
        scenarios: &[(&Scenario, &Touched)],
        surroundings: &Surroundings<'_>,
    ) -> Fate {
        let Some(changed) = self.mutated(mutant) else { return Fate::Discarded };
        let mut touching =
            scenarios.iter().filter(|(_, touched)| mutant.site.is_touched_by(touched));
        let killed = touching.any(|(scenario, _)| {
            let played = changed.play(scenario, surroundings, Collect::FirstFailure);
            played.result() != TestOutcome::Pass
        });
        if killed { Fate::Killed } else { Fate::Survived }
    }
}

impl Site {
    /// Whether a scenario that touched these things can notice a change here.
    pub fn is_touched_by(&self, touched: &Touched) -> bool {
        match self {
            // A persona can be a composition.
            Self::CompositionRule(name, ..) => touched.roles || touched.compositions.contains(name),
            Self::Rule(id, _) => touched.asked_rules.contains(id),
            Self::Guard(id, _) => touched.asked_guards.contains(id),
            Self::Predicate(..) => touched.rulespec,
            Self::Condition(id) => touched.conditions.contains_key(&ConditionOf::Saved(id.clone())),
        }
    }
}
