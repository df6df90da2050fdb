//! Properties of every verdict.
//!
//! A predicate passes, fails, is skipped or is undecided. The printed program, parsed again, gives
//! the same results. Judging twice gives the same results. Only failed predicates have hints, and a
//! hint makes its predicate pass. All output is harmless.

use lawful::Limits;
use lawful::syntax::{Sources, render};
use lawful::verify::{
    Envelope, Facts, Findings, Judge, Judgement, Rulespec, apply, compiled_program,
    evaluation_report,
};
use lawful::view::{PredicateView, derivation_text};
use lawful_datalog::{Datum, Program, parse};

use crate::{check_harmless, check_json, check_problems};

/// Small, so that an input costs little.
pub fn limits() -> Limits {
    Limits {
        document: lawful::syntax::Limits { bytes: 65_536, depth: 128, aliases: 10_000 },
        condition_nodes: 2_000,
        condition_depth: 64,
        pattern_bytes: 1024 * 1024,
        predicates: 100,
        datalog: lawful_datalog::Limits { facts: 2_000, derivations: 50_000 },
        hints: 100_000,
        ..Limits::default()
    }
}

/// Judges an envelope and checks everything that is reported.
pub fn check_verdict(
    rulespec: &Rulespec,
    envelope: &Envelope,
    facts: Facts<'_>,
    sources: &Sources,
) {
    let mut judge = Judge::new(rulespec, &limits());
    let judgements = match judge.judge(facts) {
        Ok(judgements) => judgements.to_vec(),
        Err(problem) => {
            assert!(problem.is_error());
            assert!(!problem.message.contains("no verdict"), "{}", problem.message);
            check_problems(sources, &[*problem]);
            return;
        }
    };
    assert_eq!(judgements.len(), rulespec.predicates.len());
    check_program(&judge, &judgements);
    check_harmless(&evaluation_report(&judge));
    check_problems(sources, &judge.denials(facts));

    let findings = Findings::new(envelope, facts.seen.map(|seen| (seen, None)));
    let mut views = Vec::new();
    for (index, judgement) in judgements.iter().enumerate() {
        let finding = findings.finding(&judge, index, &limits(), true).expect("a finding for each");
        assert_eq!(finding.outcome, *judgement);
        assert!(!finding.reason.is_empty() && !finding.derivation.is_empty());
        assert!(!finding.vacuous || *judgement == Judgement::Pass);
        if let Some(hint) = &finding.hint {
            assert_eq!(*judgement, Judgement::Fail, "a hint for a predicate that did not fail");
            let mut changed = facts.said.clone();
            assert!(apply(hint, &mut changed), "{hint:?} does not fit");
            let changed = Facts { said: &changed, ..facts };
            let mut again = Judge::new(rulespec, &limits());
            // A hint for one predicate may make a relation too large, or give it two types.
            if let Ok(again) = again.judge(changed) {
                assert_eq!(again.get(index), Some(&Judgement::Pass), "{hint:?} does not help");
            }
        }
        let view = PredicateView::new(finding, rulespec, sources, sources).expect("it is there");
        check_harmless(&derivation_text(&view.derivation));
        views.push(view);
    }
    let json = render::to_json(&views).expect("a finding is JSON");
    check_harmless(&json);
    check_json(&json);
    assert_eq!(judge.judge(facts).expect("it was judged before"), judgements, "judged twice");
}

/// The printed program alone gives the same results.
fn check_program(judge: &Judge<'_>, judgements: &[Judgement]) {
    let written = compiled_program(judge);
    check_harmless(&written);
    let mut program = Program::default();
    let problems = parse(&written, &mut program);
    assert!(problems.is_empty(), "{written} does not parse: {problems:?}");
    let answers = ["pass", "fail", "skipped", "undecided"].map(|name| (name, program.find(name)));
    let compiled = program.compile().unwrap_or_else(|found| panic!("{written}: {found:?}"));
    let mut run = compiled.start();
    run.run(limits().datalog).expect("it ran before");
    let mut found = vec![Vec::new(); judgements.len()];
    for (name, relation) in answers {
        for row in run.rows(relation.expect("it is an output")) {
            let index = match row.first().map(|value| run.constants.datum(*value)) {
                Some(Datum::Number(index)) => usize::try_from(index).ok(),
                Some(Datum::Symbol(_) | Datum::Boolean(_)) | None => None,
            };
            let place = index.and_then(|index| found.get_mut(index));
            place.expect("the index of a predicate").push(name);
        }
    }
    let expected: Vec<Vec<&str>> = judgements.iter().map(|one| vec![one.name()]).collect();
    assert_eq!(found, expected, "the printed program disagrees: {written}");
}
