//! The goals of verify, and whether a run met them.

use super::stream::middle;
use super::{small, stream, workload};
use crate::goals::Goal;
use crate::measure::quartiles;

/// From text to verdicts, how many times faster than mangle-driver.
const TIMES: f64 = 20.0;
/// Microseconds to judge an envelope by a compiled rulespec.
const MOST: f64 = 50.0;
/// Of the throughput of merely parsing.
const SHARE: f64 = 0.5;
/// Memory for ten times the lines is flat if it is at most so many times as much.
const FLAT: f64 = 1.1;

/// The goals of 100 predicates.
pub fn small(figures: &small::Figures) -> Vec<Goal> {
    let ratio = middle(&figures.mangle) / middle(&figures.lawful);
    let turns = figures.mangle.iter().zip(&figures.lawful).map(|(peer, own)| peer / own);
    let [low, _, high] = quartiles(&turns.collect::<Vec<_>>());
    let predicates = workload::PREDICATES;
    let text = Goal {
        aim: format!(
            "{predicates} predicates from text to verdicts: at least {TIMES:.0} times faster than mangle-driver"
        ),
        found: format!("{ratio:.1} times; interquartile range {low:.1} to {high:.1}"),
        met: Some(ratio >= TIMES),
    };
    let [low, median, high] = quartiles(&figures.judged);
    let judged = Goal {
        aim: format!("{predicates} predicates, compiled once, run only: at most {MOST:.0} µs"),
        found: format!("{median:.1} µs; half of the batches lie between {low:.1} and {high:.1}"),
        met: Some(median <= MOST),
    };
    vec![text, judged]
}

/// The goals of many envelopes.
pub fn stream(figures: &stream::Figures) -> Vec<Goal> {
    let shares = figures.parsed.iter().zip(&figures.lawful).map(|(peer, own)| peer / own);
    let shares: Vec<f64> = shares.collect();
    let share = middle(&shares);
    let [low, _, high] = quartiles(&shares);
    let throughput = Goal {
        aim: format!(
            "many envelopes, one thread each: no less than {SHARE} of the throughput of merely parsing them with serde_json"
        ),
        found: format!("{share:.2}; interquartile range {low:.2} to {high:.2}"),
        met: Some(share >= SHARE),
    };
    let mut goals = vec![throughput];
    if let [(few, one, all), (many, one_more, all_more)] = *figures.memory {
        #[expect(clippy::cast_precision_loss, reason = "kibibytes are far from the edge")]
        let grown = (one_more as f64 / one as f64).max(all_more as f64 / all as f64);
        goals.push(Goal {
            aim: format!(
                "memory flat, taken as at most {FLAT} times as much at ten times the lines"
            ),
            found: format!("{grown:.2} times from {few} to {many} lines"),
            met: Some(grown <= FLAT),
        });
    }
    goals
}
