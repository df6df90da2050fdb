//! Facts that a predicate passes or fails on.

use super::rulespec::{Rulespec, Subject};
use crate::cond::partition::{Answer, Caps, Domains, Partition, reach};
use crate::cond::{CondId, Outcome};

impl Rulespec {
    /// Whether some facts make a predicate on a claim pass, or fail. What is observed is under
    /// `observed`.
    pub(crate) fn reach_predicate(&self, index: usize, passes: bool) -> Answer {
        let Some(predicate) = self.predicates.get(index) else { return Answer::Unknown };
        let Subject::Claim(_, condition) = predicate.subject else { return Answer::Unknown };
        let conditions: Vec<CondId> = predicate.when.into_iter().chain([condition]).collect();
        let wanted = |outcomes: &[Outcome]| {
            let (last, when) = outcomes.split_last()?;
            let applies = when.iter().all(|outcome| *outcome == Outcome::True);
            (applies && *last == Outcome::of(passes)).then_some(())
        };
        let domains = Domains::default();
        let partition = Partition::new(&self.set, &conditions, &domains, Caps::default());
        let Ok(Ok(classes)) = partition.map(|partition| partition.outcomes(&conditions)) else {
            return Answer::Unknown;
        };
        let mut answer = Answer::No;
        for class in classes.into_iter().filter(|class| wanted(&class.outcomes).is_some()) {
            match class.witness {
                found @ Answer::Yes(_) => return found,
                Answer::No | Answer::Unknown => answer = Answer::Unknown,
            }
        }
        answer
    }

    /// Whether some facts make the `when` of a predicate true, or false.
    pub(crate) fn reach_when(&self, index: usize, wanted: bool) -> Answer {
        match self.predicates.get(index).and_then(|predicate| predicate.when) {
            Some(when) => reach(&self.set, when, wanted, &Domains::default()),
            None => Answer::Unknown,
        }
    }
}
