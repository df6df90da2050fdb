//! The goals, and whether a run met them.

use crate::engines::{DATALOGIC, LAWFUL, LAWFUL_EXPLAIN, LAWFUL_KEEP};
use crate::measure::{Column, quartiles};

/// One goal with what was measured.
#[derive(Clone, Debug)]
pub struct Goal {
    /// What was aimed at.
    pub aim: String,
    /// What came of it.
    pub found: String,
    /// Whether that is enough; `None` if it was not measured.
    pub met: Option<bool>,
}

/// The workloads on which the cost of a further rule is compared, smallest first.
const SIZES: [&str; 4] = ["mixed-10", "mixed", "mixed-1000", "mixed-10000"];

/// A further rule may cost so many times what it does in a smaller set.
pub(crate) const LINEAR: f64 = 1.5;

/// Explaining every rule in full may take so many times the time of deciding them.
const EXPLAINED: f64 = 25.0;

/// Every goal.
pub fn judge(columns: &[Column]) -> Vec<Goal> {
    let mut goals = vec![against_datalogic(columns, LAWFUL, "without explanation", 0.7, "mixed-10")];
    for (engine, what, most) in
        [(LAWFUL, "without explanation", 0.5), (LAWFUL_KEEP, "with explanation", 1.0)]
    {
        for workload in ["mixed", "true"] {
            goals.push(against_datalogic(columns, engine, what, most, workload));
        }
    }
    for workload in ["mixed", "true"] {
        goals.push(explained(columns, workload));
    }
    for (engine, what) in [(LAWFUL, "without explanation"), (LAWFUL_KEEP, "with explanation")] {
        goals.push(linear(columns, engine, what));
    }
    goals
}

fn find<'c>(columns: &'c [Column], workload: &str) -> Option<&'c Column> {
    columns.iter().find(|column| column.workload.name == workload)
}

fn against_datalogic(
    columns: &[Column],
    engine: &str,
    what: &str,
    most: f64,
    workload: &str,
) -> Goal {
    let column = find(columns, workload);
    let label = column.map_or(workload, |column| column.workload.label);
    let aim = format!("{what}, {label}: at most {most:.1} of datalogic-rs");
    let ratio = column.and_then(|column| Some(column.median(engine)? / column.median(DATALOGIC)?));
    let turns = column.and_then(|column| column.ratios(engine, DATALOGIC));
    match (ratio, turns) {
        (Some(ratio), Some(turns)) => {
            let [low, _, high] = quartiles(&turns);
            let found = format!("{ratio:.2}; interquartile range {low:.2} to {high:.2}");
            Goal { aim, found, met: Some(ratio <= most) }
        }
        (Some(_) | None, _) => Goal { aim, found: "not measured".to_owned(), met: None },
    }
}

fn explained(columns: &[Column], workload: &str) -> Goal {
    let column = find(columns, workload);
    let label = column.map_or(workload, |column| column.workload.label);
    let aim = format!(
        "every rule explained in full, {label}: at most {EXPLAINED:.0} times the time of deciding them"
    );
    match column.and_then(|column| column.ratios(LAWFUL_EXPLAIN, LAWFUL)) {
        Some(turns) => {
            let [low, ratio, high] = quartiles(&turns);
            let found = format!("{ratio:.1} times; interquartile range {low:.1} to {high:.1}");
            Goal { aim, found, met: Some(ratio <= EXPLAINED) }
        }
        None => Goal { aim, found: "not measured".to_owned(), met: None },
    }
}

/// Linear is a fixed cost and a cost for each rule: what a further rule costs must not grow with
/// the set it is added to. That it may fall, as sets grow and share more, is no fault.
fn linear(columns: &[Column], engine: &str, what: &str) -> Goal {
    let aim = format!(
        "{what}: a further rule costs at most {LINEAR} times what it does in a smaller set"
    );
    let mut times = Vec::new();
    for workload in SIZES {
        let column = find(columns, workload);
        let time = column.and_then(|column| {
            let rules = u32::try_from(column.workload.rules.len()).ok()?;
            Some((rules, column.median(engine)? * 1000.0))
        });
        times.extend(time);
    }
    if times.len() < SIZES.len() {
        return Goal { aim, found: "not measured".to_owned(), met: None };
    }
    let (worst, costs) = further_rule(&times);
    Goal { aim, found: format!("{costs}: at most {worst:.2} times"), met: Some(worst <= LINEAR) }
}

/// How many times more a further rule costs than it does in some smaller set, and what it costs from
/// each size to the next. The times are in nanoseconds, the smallest set first.
pub(crate) fn further_rule(times: &[(u32, f64)]) -> (f64, String) {
    let mut worst = 0.0_f64;
    let mut least = f64::INFINITY;
    let mut list = Vec::new();
    for ((few, short), (many, long)) in times.iter().zip(times.iter().skip(1)) {
        let cost = (long - short) / f64::from(many - few);
        worst = worst.max(cost / least);
        least = least.min(cost);
        list.push(format!("{cost:.1} ns from {few} to {many} rules"));
    }
    (worst, list.join(", "))
}

impl Goal {
    /// The verdict in words.
    pub fn verdict(&self) -> &'static str {
        match self.met {
            Some(true) => "goal met",
            Some(false) => "goal missed",
            None => "goal not measured",
        }
    }
}
