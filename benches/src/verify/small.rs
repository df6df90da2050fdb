//! 100 predicates: from the text of a program to verdicts, and from facts to verdicts.

use std::hint::black_box;

use lawful::Limits;
use lawful::verify::{Facts, Judge, Judgement, compiled_program};
use lawful_datalog::{Limits as Fuel, Program, parse};

use super::{clingo, mangle, workload};
use crate::Result;
use crate::cli::Folder;
use crate::measure::{Plan, in_turns};
use crate::report::Part;

/// The answers of a program.
const ANSWERS: [(&str, Judgement); 3] =
    [("pass", Judgement::Pass), ("fail", Judgement::Fail), ("skipped", Judgement::Skipped)];

/// What was measured, in microseconds.
#[derive(Clone, Debug)]
pub struct Figures {
    /// How many facts the program has.
    pub facts: usize,
    /// How many rules.
    pub rules: usize,
    /// How many bytes.
    pub bytes: usize,
    /// From text to verdicts by lawful-datalog.
    pub lawful: Vec<f64>,
    /// The same by mangle-driver, in the same turns.
    pub mangle: Vec<f64>,
    /// From the facts of an envelope to verdicts, by a rulespec that was compiled before.
    pub judged: Vec<f64>,
    /// From text to a model by clingo.
    pub clingo: Part<Vec<f64>>,
}

/// Checks that all engines give the verdicts that the envelope was built to get, and times them.
/// `spoil` makes the expected verdicts wrong, to see that the check works.
pub fn measure(plan: &Plan, spoil: bool) -> Result<Figures> {
    let mut case = workload::modules();
    if spoil {
        case.expected.reverse();
    }
    let rulespec = workload::rulespec(&case.rulespec)?;
    let facts = workload::facts(&case.envelope)?;
    let mut judge = Judge::new(&rulespec, &Limits::default());
    let facts = Facts { said: &facts, seen: None };
    let judged = judge.judge(facts).map_err(|problem| problem.message.clone())?;
    agree("the judge", judged, &case.expected)?;
    let text = plain(&compiled_program(&judge));
    agree("lawful-datalog", &by_lawful(&text)?, &case.expected)?;
    let quiet = mangle::Quiet::new()?;
    let by_peer = by_mangle(&text);
    drop(quiet);
    agree("mangle-driver", &by_peer?, &case.expected)?;
    let clingo = by_clingo(&text, &case.expected, plan.batches)?;
    let rules = text.lines().filter(|line| line.contains(":-")).count();

    let quiet = mangle::Quiet::new()?;
    let times = in_turns(
        plan,
        &mut [
            &mut || drop(black_box(by_lawful(black_box(&text)))),
            &mut || drop(black_box(by_mangle(black_box(&text)))),
            &mut || {
                let _ = black_box(judge.judge(black_box(facts)).is_ok());
            },
        ],
    );
    drop(quiet);
    let [lawful, mangle, judged] =
        <[Vec<f64>; 3]>::try_from(times).map_err(|_| "three were timed")?;
    let facts = text.lines().count() - rules;
    Ok(Figures { facts, rules, bytes: text.len(), lawful, mangle, judged, clingo })
}

fn agree(who: &str, found: &[Judgement], expected: &[Judgement]) -> Result<()> {
    match found.iter().zip(expected).position(|(found, expected)| found != expected) {
        None if found.len() == expected.len() => Ok(()),
        None => Err(format!("void: {who} gives {} verdicts", found.len()).into()),
        Some(at) => Err(format!("void: {who} is wrong about predicate {at}").into()),
    }
}

/// The program as both engines read it: without comments and declarations, and with variables in
/// capitals, which mean nothing to one of them and everything to the other.
fn plain(program: &str) -> String {
    let clauses = program
        .lines()
        .filter(|line| !(line.is_empty() || line.starts_with("//") || line.starts_with('.')));
    clauses.map(|line| line.replace(", s)", ", S)") + "\n").collect()
}

fn by_lawful(text: &str) -> Result<Vec<Judgement>> {
    let mut program = Program::default();
    if let Some(problem) = parse(text, &mut program).first() {
        return Err(problem.message.clone().into());
    }
    let relations = ANSWERS.map(|(name, judgement)| (program.find(name), judgement));
    let compiled = program.compile().map_err(|_| "the program does not compile")?;
    let mut run = compiled.start();
    run.run(Fuel::default())?;
    let mut verdicts = vec![None; workload::PREDICATES];
    for (relation, judgement) in relations {
        for index in relation.into_iter().flat_map(|relation| run.counters(relation)) {
            if let Some(place) = verdicts.get_mut(index) {
                *place = Some(judgement);
            }
        }
    }
    Ok(verdicts.into_iter().flatten().collect())
}

fn by_mangle(text: &str) -> Result<Vec<Judgement>> {
    let mut verdicts = vec![None; workload::PREDICATES];
    let names = ANSWERS.map(|(name, _)| name);
    mangle::run(text, &names, |relation, row| {
        let index = row.first().and_then(|index| usize::try_from(*index).ok());
        let judgement = ANSWERS.get(relation).map(|(_, judgement)| *judgement);
        if let Some(place) = index.and_then(|index| verdicts.get_mut(index)) {
            *place = judgement;
        }
    })?;
    Ok(verdicts.into_iter().flatten().collect())
}

/// clingo's answers are compared by their number and their sum, relation by relation.
fn by_clingo(text: &str, expected: &[Judgement], times: usize) -> Result<Part<Vec<f64>>> {
    if let Err(why) = clingo::install() {
        return Ok(Part::Missing(why));
    }
    let folder = Folder::new()?;
    let mut took = Vec::new();
    for (name, judgement) in ANSWERS {
        let found = clingo::run(text, &[name], times, &folder.0)?;
        let wanted = (0..).zip(expected).filter(|(_, one)| **one == judgement);
        let sum = wanted.clone().map(|(index, _)| index).sum();
        if found.answer != (wanted.count(), sum) {
            return Err(format!("void: clingo is wrong about `{name}`").into());
        }
        took = found.times;
    }
    Ok(Part::Measured(took))
}
