//! The goals of compose, and whether a run met them.

use super::process;
use super::resolve::{Figure, Mode, SIZES};
use crate::goals::{Goal, LINEAR, further_rule};
use crate::measure::quartiles;

/// The goal is "well under 200 microseconds"; half of it is.
const MOST: f64 = 150.0;
/// The rules at which it counts.
const RULES: usize = 200;
/// How many times faster than a peer.
const TIMES: f64 = 20.0;

/// The goals of the library.
pub fn library(figures: &[Figure]) -> Vec<Goal> {
    let mut goals = Vec::new();
    for shape in ["prompt", "everything"] {
        let found = find(figures, shape, RULES, Mode::Plain);
        let aim =
            format!("{shape}, {RULES} rules: well under 200 µs, taken as at most {MOST:.0} µs");
        goals.push(match found {
            Some(figure) => {
                let [low, median, high] = figure.time;
                let found = format!(
                    "{median:.1} µs; half of the batches lie between {low:.1} and {high:.1}"
                );
                Goal { aim, found, met: Some(median <= MOST) }
            }
            None => Goal { aim, found: "not measured".to_owned(), met: None },
        });
    }
    for shape in ["prompt", "everything"] {
        for (mode, what) in [(Mode::Plain, "without lists"), (Mode::Lists, "with lists")] {
            goals.push(linear(figures, shape, mode, what));
        }
    }
    goals
}

/// The figure of a case.
pub fn find<'f>(
    figures: &'f [Figure],
    shape: &str,
    rules: usize,
    mode: Mode,
) -> Option<&'f Figure> {
    figures
        .iter()
        .find(|figure| figure.shape == shape && figure.rules == rules && figure.mode == mode)
}

fn linear(figures: &[Figure], shape: &str, mode: Mode, what: &str) -> Goal {
    let aim = format!(
        "{shape}, {what}: a further rule costs at most {LINEAR} times what it does in a smaller set"
    );
    let mut times = Vec::new();
    for size in SIZES {
        let figure = find(figures, shape, size, mode);
        times.extend(figure.and_then(|figure| {
            let [_, median, _] = figure.time;
            Some((u32::try_from(size).ok()?, median * 1000.0))
        }));
    }
    if times.len() < SIZES.len() {
        return Goal { aim, found: "not measured".to_owned(), met: None };
    }
    let (worst, costs) = further_rule(&times);
    Goal { aim, found: format!("{costs}: at most {worst:.2} times"), met: Some(worst <= LINEAR) }
}

/// The goals of the program.
pub fn program(figures: &process::Figures) -> Vec<Goal> {
    let mut goals = Vec::new();
    for (peer, times) in &figures.peers {
        let aim = format!("at least {TIMES:.0} times faster than `{}`", peer.command);
        goals.push(match times {
            Ok(times) => {
                let ratio = middle(times) / middle(&figures.lawful);
                let turns = times.iter().zip(&figures.lawful).map(|(one, two)| one / two);
                let [low, _, high] = quartiles(&turns.collect::<Vec<_>>());
                let found = format!(
                    "{ratio:.0} times; interquartile range {low:.0} to {high:.0}"
                );
                Goal { aim, found, met: Some(ratio >= TIMES) }
            }
            Err(why) => Goal { aim, found: why.clone(), met: None },
        });
    }
    goals
}

/// The median.
pub fn middle(times: &[f64]) -> f64 {
    let [_, median, _] = quartiles(times);
    median
}
