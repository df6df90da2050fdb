//! The report of reload: one Markdown text, printed and stored.

use super::book::FILES;
use super::{Figures, Measured, RELOADS};
use crate::goals::Goal;
use crate::machine;
use crate::measure::quartiles;
use crate::table::{figure, grouped, list, table};

/// So many times faster than a load afresh.
const FACTOR: f64 = 20.0;

/// How much faster, turn by turn.
fn factors(figures: &Figures) -> [f64; 3] {
    let ratios = figures.load.iter().zip(&figures.reload).map(|(load, reload)| load / reload);
    quartiles(&ratios.collect::<Vec<f64>>())
}

fn goal(figures: &Figures) -> Goal {
    let [low, middle, high] = factors(figures);
    Goal {
        aim: format!(
            "{} of {} files changed: reloading is at least {FACTOR} times faster than loading",
            figures.changed,
            grouped(FILES as u64)
        ),
        found: format!("{middle:.1} times; interquartile range {low:.1} to {high:.1}"),
        met: Some(middle >= FACTOR),
    }
}

/// The whole report.
pub fn render(measured: &Measured) -> String {
    let row = |figures: &Figures| {
        let [_, load, _] = quartiles(&figures.load);
        let [_, reload, _] = quartiles(&figures.reload);
        let [_, factor, _] = factors(figures);
        vec![figures.changed.to_owned(), figure(load), figure(reload), figure(factor)]
    };
    let rows: Vec<Vec<String>> = measured.changes.iter().map(row).collect();
    let head = ["changed", "load", "reload", "times faster"].map(str::to_owned);
    let goals = measured.changes.iter().map(goal);
    let goals = goals.map(|goal| format!("{}: {} ({})", goal.verdict(), goal.aim, goal.found));
    let turns = measured.changes.first().map_or(0, |figures| figures.load.len());
    let notes = vec![
        format!(
            "{} files, {} bytes: a manifest, fragments, compositions, rules and saved conditions",
            grouped(FILES as u64),
            grouped(measured.bytes as u64)
        ),
        "a load reads, parses and decodes every file; a reload looks at every file, and reads, parses and decodes what changed. Both open the folder first; neither compiles compositions or rules".to_owned(),
        "the files are in the page cache, and only the changed one was written within the last two seconds: a newer file is always read, because it may change again within the resolution of file times".to_owned(),
        format!("processor time of one thread, including system calls; medians over {turns} turns, in each of them a load, a reload that is not timed and {RELOADS} that are; \"times faster\" is the median of the turns"),
    ];
    format!(
        "# Reload: one file of a lawbook changed\n\nWritten by `cargo xtask bench reload`. A run is void unless reloading and loading return the same book: the\nsame documents, manifest, problems and fingerprint. Only ratios within one run can be compared.\n\n{}\n\n## Goals\n\n{}\n\n## Milliseconds for one book\n\n{}\n\n{}\n\n## To reproduce\n\n```\ncargo xtask bench reload\n```\n",
        list(machine::describe()),
        list(goals.collect()),
        table(&head, &rows),
        list(notes),
    )
}
