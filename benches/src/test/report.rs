//! The report of test: one Markdown text, printed and stored.

use super::Measured;
use crate::goals::Goal;
use crate::machine;
use crate::measure::quartiles;
use crate::table::{figure, grouped, list, table};

/// So many times faster than loading every mutant afresh.
const FACTOR: f64 = 5.0;

/// The whole report.
pub fn render(measured: &Measured) -> String {
    let figures = &measured.figures;
    let ratios = figures.afresh.iter().zip(&figures.touching).map(|(slow, fast)| slow / fast);
    let [low, middle, high] = quartiles(&ratios.collect::<Vec<f64>>());
    let goal = Goal {
        aim: format!(
            "a mutant is played at least {FACTOR} times faster than if it were loaded afresh"
        ),
        found: format!("{middle:.1} times; interquartile range {low:.1} to {high:.1}"),
        met: Some(middle >= FACTOR),
    };
    let row = |name: &str, figures: &[f64]| {
        let [_, took, _] = quartiles(figures);
        vec![name.to_owned(), figure(took), figure(1e3 / took)]
    };
    let rows = vec![
        row("shared, scenarios that touch the change", &figures.touching),
        row("shared, every scenario", &figures.every),
        row("loaded afresh, every scenario", &figures.afresh),
    ];
    let head = ["a mutant is", "milliseconds", "mutants per second"].map(str::to_owned);
    let turns = figures.touching.len();
    let notes = vec![
        format!(
            "{} mutants, of which {} were played and {} killed, by {} scenarios",
            grouped(measured.mutants as u64),
            grouped(measured.played as u64),
            grouped(measured.killed as u64),
            grouped(measured.scenarios as u64)
        ),
        "shared: one document is decoded again, and with it what is compiled from its kind of document; scenarios end with the first step that is not as expected".to_owned(),
        format!("processor time of one thread; medians over {turns} turns. `lawful test --mutate` uses all processors"),
    ];
    format!(
        "# Test: mutants of a lawbook\n\nWritten by `cargo xtask bench test`. A run is void unless every mutant has the same fate in all three ways.\nOnly ratios within one run can be compared.\n\n{}\n\n## Goals\n\n{}\n\n## One mutant\n\n{}\n\n{}\n\n## To reproduce\n\n```\ncargo xtask bench test\n```\n",
        list(machine::describe()),
        list(vec![format!("{}: {} ({})", goal.verdict(), goal.aim, goal.found)]),
        table(&head, &rows),
        list(notes),
    )
}
