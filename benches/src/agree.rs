//! The check that validates a run: every engine gives the right answer for every rule.

use std::fmt;

use crate::engines::Engine;
use crate::workload::Workload;

/// An engine and a rule on which it is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The engine.
    pub engine: String,
    /// The workload.
    pub workload: &'static str,
    /// The number of the rule, from 0.
    pub rule: usize,
    /// What the engine said.
    pub said: bool,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { engine, workload, rule, said } = self;
        let right = !said;
        write!(
            f,
            "the run is void: in workload `{workload}`, `{engine}` says {said} of rule {rule}, which was built to be {right}"
        )
    }
}

impl std::error::Error for Disagreement {}

/// Asks an engine for every rule and compares, twice: an engine that keeps something from one
/// document to the next must not answer differently for it.
pub fn check(name: &str, engine: &mut dyn Engine, workload: &Workload) -> Result<(), Disagreement> {
    for _ in 0..2 {
        // The wrong answers, so that a rule left out is noticed.
        let mut hits: Vec<bool> = workload.rules.iter().map(|rule| !rule.holds).collect();
        engine.decide(&mut hits);
        let wrong = hits.iter().zip(&workload.rules).position(|(hit, rule)| *hit != rule.holds);
        if let Some(rule) = wrong {
            let said = hits.get(rule).copied().unwrap_or_default();
            return Err(Disagreement {
                engine: name.to_owned(),
                workload: workload.name,
                rule,
                said,
            });
        }
    }
    Ok(())
}

/// An engine that is right but for one rule, to see that the check catches it.
pub struct Wrong {
    /// The engine that is right.
    pub inner: Box<dyn Engine>,
    /// The rule whose answer is turned round.
    pub rule: usize,
}

impl Engine for Wrong {
    fn decide(&mut self, hits: &mut [bool]) {
        self.inner.decide(hits);
        if let Some(hit) = hits.get_mut(self.rule) {
            *hit = !*hit;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::CONTENDERS;

    #[test]
    fn every_engine_agrees_on_every_small_workload() {
        for name in Workload::names().filter(|name| !name.ends_with("000")) {
            let workload = Workload::named(name).unwrap();
            for contender in CONTENDERS.iter().filter(|one| one.can_express(&workload)) {
                let mut engine = contender.prepare(&workload).unwrap();
                check(contender.name, &mut *engine, &workload).unwrap();
            }
        }
    }

    #[test]
    fn one_wrong_answer_of_any_engine_is_found() {
        let workload = Workload::named("mixed").unwrap();
        for contender in CONTENDERS {
            for rule in [0, 37, 99] {
                let inner = contender.prepare(&workload).unwrap();
                let found = check(contender.name, &mut Wrong { inner, rule }, &workload);
                let said = !workload.rules[rule].holds;
                let engine = contender.name.to_owned();
                assert_eq!(found, Err(Disagreement { engine, workload: "mixed", rule, said }));
            }
        }
    }
}
