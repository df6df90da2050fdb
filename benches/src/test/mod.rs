//! Test: the mutants of a lawbook, played by its scenarios.
//!
//! A [book](book) in memory is loaded once, and its mutants are played in three ways: the changed book
//! shares what it did not change and only scenarios that touch the change are played; the same with
//! every scenario; and every mutant written as text, loaded afresh and played by every scenario.
//!
//! **Invariant:** a run is void unless all three give every mutant the same fate.

pub mod book;
pub mod report;

use lawful::Lawbook;
use lawful::book::MemorySource;
use lawful::live::Host;
use lawful::mutate::{Fate, Mutant};
use lawful::scenario::{Collect, Scenario, Surroundings, TestOutcome, Touched};

use crate::Result;
use crate::measure::thread_seconds;

/// How long each way took for one mutant, in milliseconds, one figure for each turn.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    /// Shared, with the scenarios that touch the change.
    pub touching: Vec<f64>,
    /// Shared, with every scenario.
    pub every: Vec<f64>,
    /// Loaded afresh, with every scenario.
    pub afresh: Vec<f64>,
}

/// Everything that was measured.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// How many mutants the book has.
    pub mutants: usize,
    /// How many of them were played, and how many of those were killed.
    pub played: usize,
    /// How many a scenario noticed.
    pub killed: usize,
    /// How many scenarios the book has.
    pub scenarios: usize,
    /// The times.
    pub figures: Figures,
}

/// Measures a sample of the mutants. With `spoil`, one fate is wrong, to see that the check works.
pub fn measure(turns: usize, sample: usize, spoil: bool) -> Result<Measured> {
    let files = book::files();
    let law = Lawbook::load(&source(&files, None))?;
    let host = Host { law: Some("".into()), ..Surroundings::plain_host() };
    let surroundings = Surroundings { host, ..Surroundings::default() };
    let mut touched = Vec::new();
    for scenario in law.scenarios() {
        let played = law.play(scenario, &surroundings, Collect::Touched);
        if played.result() != TestOutcome::Pass {
            return Err(format!("the scenario `{}` does not pass", scenario.name).into());
        }
        touched.push(played.touched);
    }
    let scenarios: Vec<(&Scenario, &Touched)> = law.scenarios().iter().zip(&touched).collect();
    let all: Vec<Mutant> = law.mutants();
    let every_nth = (all.len() / sample.max(1)).max(1);
    let chosen = all.iter().step_by(every_nth).filter(|mutant| law.mutated(mutant).is_some());
    let chosen: Vec<(&Mutant, (String, String))> =
        chosen.filter_map(|mutant| Some((mutant, written(&law, mutant)?))).collect();
    let everything = everything(&touched);
    let whole: Vec<(&Scenario, &Touched)> =
        law.scenarios().iter().map(|scenario| (scenario, &everything)).collect();
    let mut figures = Figures::default();
    let mut killed = 0;
    for _ in 0..turns {
        let count = f64::from(u32::try_from(chosen.len())?);
        let (one, took) =
            timed(&chosen, |(mutant, _)| Ok(law.fate(mutant, &scenarios, &surroundings)))?;
        figures.touching.push(took / count);
        let (two, took) =
            timed(&chosen, |(mutant, _)| Ok(law.fate(mutant, &whole, &surroundings)))?;
        figures.every.push(took / count);
        let (mut three, took) =
            timed(&chosen, |(_, changed)| afresh(&files, changed, &surroundings))?;
        figures.afresh.push(took / count);
        if spoil {
            three.reverse();
            three.pop();
        }
        if one != two || two != three {
            return Err("the three ways do not agree".into());
        }
        killed = one.iter().filter(|fate| **fate == Fate::Killed).count();
    }
    Ok(Measured {
        mutants: all.len(),
        played: chosen.len(),
        killed,
        scenarios: scenarios.len(),
        figures,
    })
}

fn source(files: &[(String, String)], changed: Option<&(String, String)>) -> MemorySource {
    let all = files.iter().chain(changed);
    all.fold(MemorySource::new(), |source, (path, text)| source.with(path, text.as_str()))
}

/// Everything that any scenario touches, so that every scenario is played.
fn everything(touched: &[Touched]) -> Touched {
    let mut all = Touched::default();
    touched.iter().for_each(|one| all.merge(one));
    all
}

/// The path of the document that a mutant changes, and its text. Trees are written as JSON, which is
/// YAML.
fn written(law: &Lawbook, mutant: &Mutant) -> Option<(String, String)> {
    let changed = law.mutated(mutant)?;
    let pairs = law.book().documents.iter().zip(&changed.book().documents);
    let (_, document) =
        pairs.into_iter().find(|(one, other)| !std::sync::Arc::ptr_eq(one, other))?;
    let tree = lawful::Value::from_node(document.node.as_ref()?);
    Some((document.path.clone(), tree.to_string()))
}

/// The fate of a mutant that is loaded as text.
fn afresh(
    files: &[(String, String)],
    changed: &(String, String),
    surroundings: &Surroundings<'_>,
) -> Result<Fate> {
    let law = Lawbook::load(&source(files, Some(changed)))?;
    let killed = law.scenarios().iter().any(|scenario| {
        let played = law.play(scenario, surroundings, Collect::FirstFailure);
        played.result() != TestOutcome::Pass
    });
    Ok(if killed { Fate::Killed } else { Fate::Survived })
}

/// The fate of each mutant, and the milliseconds that all of them took on the processor.
fn timed<T>(all: &[T], fate: impl Fn(&T) -> Result<Fate>) -> Result<(Vec<Fate>, f64)> {
    let start = thread_seconds();
    let fates = all.iter().map(fate).collect::<Result<Vec<Fate>>>()?;
    Ok((fates, (thread_seconds() - start) * 1e3))
}
