//! How often a hint is found when one exists.

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

use super::{generate, judgements, rulespec};
use crate::limits::Limits;
use crate::value::{Map, Value};
use crate::verify::{Envelope, Facts, Findings, Judge, Judgement};

/// Facts with one changed key.
fn changed(facts: &Value, other: &Value, key: &str) -> Value {
    let Value::Map(facts) = facts else { panic!("facts are an object") };
    let mut changed: Map = facts.clone();
    match other.get(key) {
        Some(value) => changed.insert(key, value.clone()),
        None => drop(changed.remove(key)),
    }
    Value::Map(changed)
}

/// A predicate passes, one key of the facts is changed, and it fails. Setting that key back is one
/// change that makes it pass. A hint is found for at least 91 of 100 such failures.
#[test]
fn a_hint_is_found_for_91_of_100_failures_that_one_change_fixes() {
    let mut runner = TestRunner::deterministic();
    let pair = (generate::facts(), generate::facts(), prop::sample::select(&["a", "b", "l", "m"]));
    let cases = (generate::rulespec(), prop::collection::vec(pair, 20));
    let (mut failures, mut found) = (0, 0);
    let mut without = Vec::new();
    while failures < 600 {
        let (spec, pairs) = cases.new_tree(&mut runner).unwrap().current();
        let law = rulespec(&spec);
        for (good, other, key) in pairs {
            let bad = changed(&good, &other, key);
            let before = judgements(&law, &good, None);
            let mut judge = Judge::new(&law, &Limits::default());
            let after = judge.judge(Facts { said: &bad, seen: None }).unwrap().to_vec();
            let envelope = Envelope::of(bad.clone());
            let findings = Findings::new(&envelope, None);
            for (index, both) in before.iter().zip(&after).enumerate() {
                if both != (&Judgement::Pass, &Judgement::Fail) {
                    continue;
                }
                failures += 1;
                let finding = findings.finding(&judge, index, &Limits::default(), false).unwrap();
                if finding.hint.is_some() {
                    found += 1;
                } else {
                    let line = spec.lines().filter(|line| line.contains("rule:")).nth(index);
                    let line = line.unwrap_or_default();
                    without.push(format!("{line} on {bad}, fixed by {good}"));
                }
            }
        }
    }
    assert!(found * 100 >= failures * 91, "{found} of {failures}: {without:#?}");
}
