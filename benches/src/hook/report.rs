//! The report of the hook.

use super::{Figures, GUARDS, RULES};
use crate::cli::spread_of;
use crate::goals::Goal;
use crate::machine;
use crate::measure::quartiles;
use crate::table::{figure, list, table};

/// How many milliseconds a call may take more than a program that does nothing.
const OVERHEAD: f64 = 4.0;
/// How many syncs a call that writes may take more.
const SYNCS: f64 = 2.0;
/// How many times faster than the script a call must be.
const FASTER: f64 = 4.0;

fn median(figures: &[f64]) -> f64 {
    let [_, middle, _] = quartiles(figures);
    middle
}

/// Every goal, and what came of it.
pub fn goals(figures: &Figures) -> Vec<Goal> {
    let nothing = median(&figures.nothing);
    let sync = median(&figures.sync);
    let mut goals = Vec::new();
    for (what, times) in
        [("a call that changes nothing", &figures.quiet), ("a denied call", &figures.denied)]
    {
        let more = median(times) - nothing;
        goals.push(Goal {
            aim: format!("{what}: at most {OVERHEAD} ms more than `true`"),
            found: format!("{} ms more", figure(more)),
            met: Some(more <= OVERHEAD),
        });
    }
    let more = median(&figures.written) - nothing;
    goals.push(Goal {
        aim: format!(
            "a call that writes: at most {OVERHEAD} ms and {SYNCS} syncs of the disk more than `true`"
        ),
        found: format!("{} ms more, and a sync takes {} ms", figure(more), figure(sync)),
        met: Some(more <= OVERHEAD + SYNCS * sync),
    });
    let times = median(&figures.script) / median(&figures.quiet);
    goals.push(Goal {
        aim: format!(
            "a call that changes nothing: at least {FASTER} times faster than a script that parses the event"
        ),
        found: format!("{} times", figure(times)),
        met: Some(times >= FASTER),
    });
    goals
}

/// The whole report.
pub fn render(figures: &Figures) -> String {
    let nothing = median(&figures.nothing);
    let row = |name: &str, times: &[f64]| {
        let [low, middle, high] = quartiles(times);
        vec![
            name.to_owned(),
            figure(middle),
            format!("{} to {}", figure(low), figure(high)),
            figure(spread_of(times.to_vec()).p99),
            figure(middle - nothing),
        ]
    };
    let rows = vec![
        row("`lawful hook`, a call that changes nothing", &figures.quiet),
        row("`lawful hook`, a denied call", &figures.denied),
        row("`lawful hook`, a call that writes", &figures.written),
        row(
            &format!("a script that parses the event (Python {})", figures.python),
            &figures.script,
        ),
        row("`true`", &figures.nothing),
    ];
    let head = ["process", "median", "quartiles", "p99", "more than `true`"].map(str::to_owned);
    let goals = goals(figures);
    let goals =
        goals.iter().map(|goal| format!("{}: {} ({})", goal.verdict(), goal.aim, goal.found));
    let notes = vec![
        format!("a book of {RULES} rules and {GUARDS} guards, trusted, in 26 files"),
        format!(
            "a sync: {} ms in the median, p99 {} ms; it appends a page to a file on the disk of the state folder and waits until it is there",
            figure(median(&figures.sync)),
            figure(spread_of(figures.sync.clone()).p99)
        ),
        "a denied call writes too: a line of the log, as every call does".to_owned(),
        "the script imports `json` and `sys` and parses its standard input; it decides nothing"
            .to_owned(),
        format!("wall clock over {} turns, each process once per turn", figures.quiet.len()),
    ];
    format!(
        "# Hook: one tool call\n\nWritten by `cargo xtask bench hook`. A run is void unless the denied call is denied, the others are\nnot, and every call that writes has written. Only figures of one run can be compared.\n\n{}\n\n## Goals\n\n{}\n\n## Milliseconds from start to exit\n\n{}\n\n{}\n\n## To reproduce\n\n```\ncargo xtask bench hook\n```\n",
        list(machine::describe()),
        list(goals.collect()),
        table(&head, &rows),
        list(notes),
    )
}
