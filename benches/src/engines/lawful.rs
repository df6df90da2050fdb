//! Lawful: all rules in one set.

use std::hint::black_box;

use lawful::Value;
use lawful::cond::{
    CondId, Condition, ConditionSet, Operator, Outcome, Outcomes, Registry, Surface,
};

use super::Engine;
use crate::Result;
use crate::vocabulary::DOCUMENT;
use crate::workload::{Kind, Test, Workload};

struct Compiled {
    set: ConditionSet,
    rules: Vec<CondId>,
    document: Value,
}

/// Outcomes only.
pub(super) fn decide_only(workload: &Workload) -> Result<Box<dyn Engine>> {
    struct DecideOnly(Compiled);
    impl Engine for DecideOnly {
        fn decide(&mut self, hits: &mut [bool]) {
            let Compiled { set, rules, document } = &self.0;
            let mut run = set.run(document);
            for (hit, rule) in hits.iter_mut().zip(rules) {
                *hit = run.outcome(*rule) == Outcome::True;
            }
        }
    }
    Ok(Box::new(DecideOnly(compile(workload)?)))
}

/// Outcomes, and what is needed to explain any of them later.
pub(super) fn keep_outcomes(workload: &Workload) -> Result<Box<dyn Engine>> {
    struct KeepOutcomes(Compiled, Option<Outcomes>);
    impl Engine for KeepOutcomes {
        fn decide(&mut self, hits: &mut [bool]) {
            let Compiled { set, rules, document } = &self.0;
            let mut run = set.run(document);
            for (hit, rule) in hits.iter_mut().zip(rules) {
                *hit = run.outcome(*rule) == Outcome::True;
            }
            // Kept until the next document, as a trace is until it is read or dropped.
            self.1 = Some(run.finish());
        }
    }
    Ok(Box::new(KeepOutcomes(compile(workload)?, None)))
}

/// Outcomes, and the whole explanation of every rule.
pub(super) fn explain_all(workload: &Workload) -> Result<Box<dyn Engine>> {
    struct ExplainAll(Compiled);
    impl Engine for ExplainAll {
        fn decide(&mut self, hits: &mut [bool]) {
            let Compiled { set, rules, document } = &self.0;
            let mut run = set.run(document);
            for rule in rules {
                black_box(run.outcome(*rule));
            }
            let outcomes = run.finish();
            for (hit, rule) in hits.iter_mut().zip(rules) {
                let explanation = black_box(set.explain(*rule, document, &outcomes));
                *hit = explanation.result == Outcome::True;
            }
        }
    }
    Ok(Box::new(ExplainAll(compile(workload)?)))
}

fn compile(workload: &Workload) -> Result<Compiled> {
    let registry = Registry::default();
    let mut builder = registry.set();
    let mut rules = Vec::new();
    for rule in &workload.rules {
        let any = Condition::any(rule.any.iter().map(test));
        let condition = Condition::all(rule.all.iter().map(test).chain([any]));
        let (id, problems) = builder.add(&condition, Surface::When);
        rules.push(id.ok_or_else(|| crate::read::messages(&problems))?);
    }
    Ok(Compiled { set: builder.finish(), rules, document: crate::read::value(DOCUMENT) })
}

fn test(test: &Test) -> Condition {
    let operator = match test.kind {
        Kind::Equals => Operator::Equals,
        Kind::Greater => Operator::GreaterThan,
        Kind::Contains => Operator::Contains,
        Kind::StartsWith => Operator::StartsWith,
        Kind::Matches => Operator::Matches,
    };
    // JSON is YAML, so the constant reads itself.
    Condition::test(test.path, operator, Some(crate::read::value(&test.value.to_string())))
}
