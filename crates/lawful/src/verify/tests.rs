//! Tests of verify as a whole: the program compared with the evaluator, hints, and removed rules.

mod clingo;
mod contradiction;
mod generate;
mod hints;

use lawful_datalog::{Limits as Fuel, Program};
use lawful_syntax::{Format, Sources, parse, text};
use proptest::prelude::*;

use super::artifacts::program;
use super::*;
use crate::cond::{Outcome, Registry};
use crate::limits::Limits;
use crate::testing::{messages, value};
use crate::value::Value;

fn rulespec(yaml: &str) -> Rulespec {
    let mut sources = Sources::default();
    let (file, _) = text::add(&mut sources, "rulespec.yaml", yaml.as_bytes());
    let (node, problems) = parse(&sources, file, Format::Yaml, &Limits::default().document);
    assert!(problems.is_empty(), "{}\n{yaml}", messages(&problems));
    let (rulespec, problems) =
        Rulespec::decode(&node.unwrap(), &sources, &Registry::default(), &Limits::default());
    rulespec.unwrap_or_else(|| panic!("{}\n{yaml}", messages(&problems)))
}

fn judgements(rulespec: &Rulespec, facts: &Value, seen: Option<&Value>) -> Vec<Judgement> {
    let mut judge = Judge::new(rulespec, &Limits::default());
    judge.judge(Facts { said: facts, seen }).unwrap().to_vec()
}

/// Whether a selector of the generated rulespecs reads something that was not observed.
fn is_unobserved(selector: &str, seen: Option<&Value>) -> bool {
    let steps: &[&str] = match selector {
        "observed.a" => &["a"],
        "observed.l[*]" => &["l"],
        "observed.runs" => &["runs"],
        "observed.runs.t.exit" => &["runs", "t"],
        "observed[*]" => return true,
        selector => {
            assert!(selector == "observed" || !selector.starts_with("observed"), "{selector}");
            return false;
        }
    };
    let mut value = seen;
    for step in steps {
        let Some(Value::Map(map)) = value else { return true };
        value = map.get(step).and_then(Value::present);
    }
    value.is_none()
}

/// The results of the condition evaluator, without any program.
fn evaluated(rulespec: &Rulespec, facts: &Value, seen: Option<&Value>) -> Vec<Judgement> {
    let document = Facts { said: facts, seen }.merged();
    let judgement = |predicate: &Predicate| {
        let mut run = rulespec.set.run(&document);
        let Subject::Claim(_, condition) = &predicate.subject else { panic!("a claim") };
        let mut read = rulespec.set.reads(*condition);
        read.extend(predicate.when.map(|when| rulespec.set.reads(when)).unwrap_or_default());
        if read.iter().any(|path| is_unobserved(&path.to_string(), seen)) {
            return Judgement::Undecided;
        }
        let applies = predicate.when.map_or(Outcome::True, |when| run.outcome(when));
        match (applies, run.outcome(*condition)) {
            (Outcome::False, _) => Judgement::Skipped,
            (Outcome::True, Outcome::True) => Judgement::Pass,
            (_, _) => Judgement::Fail,
        }
    };
    rulespec.predicates.iter().map(judgement).collect()
}

/// Which of `pass`, `fail`, `skipped` and `undecided` a program derives for each predicate.
fn answers(program: Program) -> Vec<(String, i64)> {
    let names =
        ["pass", "fail", "skipped", "undecided"].map(|name| (name, program.find(name).unwrap()));
    let compiled = program.compile().unwrap();
    let mut run = compiled.start();
    run.run(Fuel::default()).unwrap();
    let mut out = Vec::new();
    for (name, id) in names {
        for row in run.rows(id) {
            let lawful_datalog::Datum::Number(index) = run.constants.datum(row[0]) else {
                panic!()
            };
            out.push((name.to_owned(), index));
        }
    }
    out.sort();
    out
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn the_program_agrees_with_the_evaluator(spec in generate::rulespec(), facts in generate::facts(), seen in prop::option::of(generate::seen())) {
        let rulespec = rulespec(&spec);
        prop_assert_eq!(
            judgements(&rulespec, &facts, seen.as_ref()),
            evaluated(&rulespec, &facts, seen.as_ref()),
            "{}\n{}", spec, facts
        );
    }

    #[test]
    fn the_written_program_gives_the_same_verdicts(spec in generate::rulespec(), facts in generate::facts(), seen in prop::option::of(generate::seen())) {
        let rulespec = rulespec(&spec);
        let mut judge = Judge::new(&rulespec, &Limits::default());
        let expected: Vec<(String, i64)> = {
            let judged = judge.judge(Facts { said: &facts, seen: seen.as_ref() }).unwrap();
            let mut all: Vec<(String, i64)> =
                judged.iter().zip(0..).map(|(one, at)| (one.name().to_owned(), at)).collect();
            all.sort();
            all
        };
        let mut read = Program::default();
        let problems = lawful_datalog::parse(&compiled_program(&judge), &mut read);
        prop_assert!(problems.is_empty(), "{:?}", problems);
        prop_assert_eq!(answers(read), expected);
    }

    #[test]
    fn a_hint_makes_its_predicate_pass(spec in generate::rulespec(), facts in generate::facts(), seen in prop::option::of(generate::seen())) {
        let rulespec = rulespec(&spec);
        let mut judge = Judge::new(&rulespec, &Limits::default());
        let envelope = Envelope::of(facts.clone());
        let judged = judge.judge(Facts { said: &facts, seen: seen.as_ref() }).unwrap().to_vec();
        let findings = Findings::new(&envelope, seen.as_ref().map(|seen| (seen, None)));
        for (index, outcome) in judged.iter().enumerate() {
            let finding = findings.finding(&judge, index, &Limits::default(), true).unwrap();
            // Exactly the undecided predicates report unobserved keys.
            prop_assert_eq!(*outcome == Judgement::Undecided, !finding.unobserved.is_empty());
            prop_assert!(!finding.derivation.is_empty());
            if let Some(hint) = finding.hint {
                prop_assert_eq!(*outcome, Judgement::Fail);
                let mut changed = facts.clone();
                prop_assert!(apply(&hint, &mut changed));
                prop_assert_eq!(judgements(&rulespec, &changed, seen.as_ref())[index], Judgement::Pass, "{:?}", hint);
            }
        }
    }

    #[test]
    fn a_judge_keeps_nothing_of_the_last_envelope(spec in generate::rulespec(), first in generate::facts(), second in generate::facts(), seen in generate::seen()) {
        let rulespec = rulespec(&spec);
        let mut judge = Judge::new(&rulespec, &Limits::default());
        judge.judge(Facts { said: &first, seen: Some(&seen) }).unwrap();
        let again = judge.judge(Facts { said: &second, seen: None }).unwrap().to_vec();
        prop_assert_eq!(again, judgements(&rulespec, &second, None));
    }

    /// Answers that were judged before, among others or too long ago, have the same results.
    #[test]
    fn judging_many_is_judging_each(spec in generate::rulespec(), all in prop::collection::vec((generate::facts(), prop::option::of(generate::seen())), 1..24), order in prop::collection::vec(any::<prop::sample::Index>(), 1..48)) {
        let rulespec = rulespec(&spec);
        let mut judge = Judge::new(&rulespec, &Limits::default());
        for at in order {
            let (facts, seen) = at.get(&all);
            let many = judge.judge_many(Facts { said: facts, seen: seen.as_ref() }).unwrap().to_vec();
            prop_assert_eq!(many, judgements(&rulespec, facts, seen.as_ref()), "{}\n{}", spec, facts);
        }
    }

    /// A predicate is undecided exactly if it depends on an unobserved relation, through any number
    /// of rules, negations and counts.
    #[test]
    fn a_predicate_on_an_unobserved_relation_is_undecided(facts in generate::graph(), keys in prop::sample::subsequence(generate::OBSERVED_KEYS.to_vec(), 0..=3)) {
        let rulespec = rulespec(generate::OBSERVED_GRAPH_RULESPEC);
        let (said, seen) = generate::observe(&facts, &keys);
        let judged = judgements(&rulespec, &said, Some(&seen));
        let whole = generate::observe(&facts, &generate::OBSERVED_KEYS).1;
        let decided = judgements(&rulespec, &said, Some(&whole));
        for ((judgement, decided), (relation, needs)) in judged.iter().zip(&decided).zip(generate::OBSERVED_GRAPH_NEEDS) {
            let unobserved = needs.iter().any(|key| !keys.contains(key));
            let expected = if unobserved { Judgement::Undecided } else { *decided };
            prop_assert_eq!(*judgement, expected, "{} with {:?}", relation, keys);
            prop_assert_ne!(*decided, Judgement::Undecided);
        }
    }
}

/// The facts and the observation of a document.
fn split(document: &Value) -> (Value, Option<Value>) {
    let Value::Map(mut facts) = document.clone() else { panic!("a mapping") };
    let seen = facts.remove("observed");
    (Value::Map(facts), seen)
}

/// Every rule of a program is needed: there is an envelope for which removing it changes a verdict.
#[test]
fn removing_a_rule_changes_a_verdict() {
    let rulespec = rulespec(include_str!("tests/every-rule.yaml"));
    let envelopes: Vec<Value> =
        include_str!("tests/every-rule-envelopes.yaml").split("---\n").map(value).collect();
    let mut judge = Judge::new(&rulespec, &Limits::default());
    let programs: Vec<Program> = envelopes
        .iter()
        .map(|document| {
            let (facts, seen) = split(document);
            judge.judge(Facts { said: &facts, seen: seen.as_ref() }).unwrap();
            program(&judge)
        })
        .collect();
    let whole: Vec<_> = programs.iter().cloned().map(answers).collect();
    let rules: Vec<_> = programs[0].rules().map(|(id, _)| id).collect();
    for rule in rules {
        let changed = programs.iter().zip(&whole).any(|(program, whole)| {
            let mut without = program.clone();
            without.remove_rule(rule);
            // Printed and parsed again, every relation is declared, even one that has no rules now.
            let mut read = Program::default();
            assert!(lawful_datalog::parse(&without.to_string(), &mut read).is_empty());
            answers(read) != *whole
        });
        let shown = programs[0].show_rule(programs[0].get_rule(rule)).to_string();
        assert!(changed, "nothing depends on the rule {shown}");
    }
}

#[test]
fn no_verdict_is_never_a_pass() {
    let rulespec =
        rulespec("claims: [{name: a, selector: a}]\npredicates: [{claim: a, rule: exists}]");
    let mut law = rulespec;
    let mut program = law.law.compiled.program().clone();
    let first = program.rules().next().map(|(id, _)| id).unwrap();
    program.remove_rule(first);
    program.remove_rule(first);
    program.remove_rule(first);
    law.law.compiled = program.compile().unwrap();
    let mut judge = Judge::new(&law, &Limits::default());
    let facts = value("{a: 1}");
    let problem = judge.judge(Facts { said: &facts, seen: None }).unwrap_err();
    assert_eq!(problem.code.name, "no-verdict");
}
