//! Runs the printed program in an independent engine: clingo must derive the same verdicts, with
//! exactly one model for each program.
//!
//! `cargo xtask ci` installs clingo and runs this; `cargo xtask clingo` does only that.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use lawful_datalog::Program;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::{evaluated, generate, rulespec};
use crate::limits::Limits;
use crate::verify::{Facts, Judge, Subject, compiled_program};

const CASES: usize = 1_200;
const SEPARATOR: &str = "%% next";

/// The expected output of clingo for a program.
struct Case {
    text: String,
    expected: String,
}

fn case(spec: &str, facts: &crate::Value, seen: Option<&crate::Value>) -> Case {
    let rulespec = rulespec(spec);
    let mut judge = Judge::new(&rulespec, &Limits::default());
    let judged = judge.judge(Facts { said: facts, seen }).unwrap().to_vec();
    if rulespec.predicates.iter().all(|one| matches!(one.subject, Subject::Claim(..))) {
        assert_eq!(judged, evaluated(&rulespec, facts, seen));
    }
    let mut atoms: Vec<String> =
        judged.iter().zip(0..).map(|(one, at)| format!("r_{}({at})", one.name())).collect();
    atoms.sort();
    // Through the text form, because that is the input of another engine.
    let written = compiled_program(&judge);
    let mut program = Program::default();
    assert_eq!(lawful_datalog::parse(&written, &mut program), []);
    Case { text: program.to_clingo().unwrap(), expected: atoms.join(" ") }
}

#[test]
#[ignore = "needs clingo, which `cargo xtask ci` and `cargo xtask clingo` install"]
fn clingo_comes_to_the_same_verdicts() {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let mut cases = Vec::new();
    for _ in 0..CASES {
        let claims = (generate::rulespec(), generate::facts(), prop::option::of(generate::seen()));
        let (spec, facts, seen) = claims.new_tree(&mut runner).unwrap().current();
        cases.push(case(&spec, &facts, seen.as_ref()));
    }
    for _ in 0..CASES / 4 {
        let facts = generate::graph().new_tree(&mut runner).unwrap().current();
        cases.push(case(generate::GRAPH_RULESPEC, &facts, None));
        let keys = prop::sample::subsequence(generate::OBSERVED_KEYS.to_vec(), 0..=3);
        let keys = keys.new_tree(&mut runner).unwrap().current();
        let (said, seen) = generate::observe(&facts, &keys);
        cases.push(case(generate::OBSERVED_GRAPH_RULESPEC, &said, Some(&seen)));
    }
    let mut input = String::new();
    for case in &cases {
        let _ = writeln!(input, "{}{SEPARATOR}", case.text);
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/src/verify/tests/run_clingo.py");
    let mut python = Command::new("python3")
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // It reads all input before it answers.
    python.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = python.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success());
    let answers: Vec<&str> = said.lines().collect();
    assert_eq!(answers.len(), cases.len());
    for (case, answer) in cases.iter().zip(answers) {
        assert_eq!(answer, case.expected, "{}", case.text);
    }
}
