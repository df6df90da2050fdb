//! The goals, and whether a run met them.

use crate::engines::{DATALOGIC, LAWFUL, LAWFUL_KEEP};
use crate::measure::Column;

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

/// The workloads on which the cost of a rule is compared.
const SIZES: [&str; 4] = ["mixed-10", "mixed", "mixed-1000", "mixed-10000"];

/// The greatest cost of a rule may be so many times the least.
const LINEAR: f64 = 1.5;

/// Every goal.
pub fn judge(columns: &[Column]) -> Vec<Goal> {
    let mut goals = Vec::new();
    for (engine, what, most) in
        [(LAWFUL, "without explanation", 0.5), (LAWFUL_KEEP, "with explanation", 1.0)]
    {
        for workload in ["mixed", "true"] {
            goals.push(against_datalogic(columns, engine, what, most, workload));
        }
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
    match ratio {
        Some(ratio) => Goal { aim, found: format!("{ratio:.2}"), met: Some(ratio <= most) },
        None => Goal { aim, found: "not measured".to_owned(), met: None },
    }
}

fn linear(columns: &[Column], engine: &str, what: &str) -> Goal {
    let aim = format!("{what}: the cost of a rule from 10 to 10,000 within a factor of {LINEAR}");
    let mut costs = Vec::new();
    for workload in SIZES {
        let column = find(columns, workload);
        let cost = column.and_then(|column| {
            let rules = u32::try_from(column.workload.rules.len()).ok()?;
            Some((rules, column.median(engine)? * 1000.0 / f64::from(rules)))
        });
        costs.extend(cost);
    }
    if costs.len() < SIZES.len() {
        return Goal { aim, found: "not measured".to_owned(), met: None };
    }
    let least = costs.iter().map(|(_, cost)| *cost).fold(f64::INFINITY, f64::min);
    let greatest = costs.iter().map(|(_, cost)| *cost).fold(0.0, f64::max);
    let factor = greatest / least;
    let list: Vec<String> =
        costs.iter().map(|(rules, cost)| format!("{cost:.1} ns at {rules}")).collect();
    Goal {
        aim,
        found: format!("{}: a factor of {factor:.2}", list.join(", ")),
        met: Some(factor <= LINEAR),
    }
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
