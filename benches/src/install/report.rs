//! The report of delivering to twelve harnesses.

use super::{Figures, HARNESSES};
use crate::goals::Goal;
use crate::machine;
use crate::measure::quartiles;
use crate::table::{figure, list, table};

fn median(figures: &[f64]) -> f64 {
    let [_, middle, _] = quartiles(figures);
    middle
}

/// The ratios of two rows, turn by turn.
fn ratios(above: &[f64], below: &[f64]) -> Vec<f64> {
    above.iter().zip(below).map(|(above, below)| above / below).collect()
}

fn spread(figures: &[f64]) -> String {
    let [low, _, high] = quartiles(figures);
    format!("interquartile range {} to {}", figure(low), figure(high))
}

/// Every goal, and what came of it.
pub fn goals(figures: &Figures) -> Vec<Goal> {
    let mut goals = Vec::new();
    for (peer, times) in &figures.peers {
        if peer.package != "rulesync" {
            continue;
        }
        for (what, ours, at) in
            [("first run", &figures.first, 0), ("second run", &figures.again, 1)]
        {
            let aim = format!("{what}: at least 20 times faster than `{}`", peer.command);
            goals.push(match times {
                Err(why) => Goal { aim, found: why.clone(), met: None },
                Ok(times) => {
                    let theirs = if at == 0 { &times.0 } else { &times.1 };
                    let ratios = ratios(theirs, ours);
                    let found = format!("{} times; {}", figure(median(&ratios)), spread(&ratios));
                    Goal { aim, found, met: Some(median(&ratios) >= 20.0) }
                }
            });
        }
    }
    let bare = ratios(&figures.first, &figures.bare);
    goals.push(Goal {
        aim: "first run: at most twice a bare loop that writes and syncs the same files".to_owned(),
        found: format!("{} times; {}", figure(median(&bare)), spread(&bare)),
        met: Some(median(&bare) <= 2.0),
    });
    for (what, times) in [("second run", &figures.again), ("check", &figures.check)] {
        goals.push(Goal {
            aim: format!("{what} that changes nothing: under 5 ms"),
            found: format!("{} ms; {}", figure(median(times)), spread(times)),
            met: Some(median(times) < 5.0),
        });
    }
    goals
}

/// The whole report.
pub fn render(figures: &Figures) -> String {
    let row = |name: &str, times: &[f64]| {
        let [low, middle, high] = quartiles(times);
        vec![
            name.to_owned(),
            figure(middle),
            format!("{} to {}", figure(low), figure(high)),
            figure(median(&ratios(times, &figures.bare))),
        ]
    };
    let mut rows = vec![
        row("`lawful install`, first run", &figures.first),
        row("`lawful install`, second run", &figures.again),
        row("`lawful status`", &figures.check),
        row("`lawful status`, the book in Nickel", &figures.nickel),
        row("a bare loop", &figures.bare),
        row("`true`", &figures.nothing),
    ];
    for (peer, times) in &figures.peers {
        if let Ok((first, again)) = times {
            let name = format!("`{}` ({} {})", peer.command, peer.package, peer.version);
            rows.push(row(&format!("{name}, first run"), first));
            rows.push(row(&format!("{name}, second run"), again));
        }
    }
    let head = ["command", "median", "quartiles", "times the bare loop"].map(str::to_owned);
    let goals = goals(figures);
    let goals =
        goals.iter().map(|goal| format!("{}: {} ({})", goal.verdict(), goal.aim, goal.found));
    let share: Vec<f64> =
        figures.nickel.iter().zip(&figures.check).map(|(nickel, check)| nickel - check).collect();
    let notes = vec![
        format!("the harnesses: {}", HARNESSES.join(", ")),
        format!(
            "{} files, {} bytes, with the ledger; three roles, in Markdown",
            figures.files, figures.bytes
        ),
        format!(
            "Nickel's share, a process of its own under limits: {} ms; {}",
            figure(median(&share)),
            spread(&share)
        ),
        "the bare loop is a process that, for every file, writes another one beside its place, waits for the disk and renames it, and then waits for every folder; it reads what it writes, and plans, checks and records nothing".to_owned(),
        "each peer has a project of as many rule files with the same texts and writes for twelve harnesses of its own; after every first run its output must contain each rule, and after every run of Lawful at least twelve files must contain the core".to_owned(),
        format!("wall clock over {} turns, each command once per turn; quick ones five times, of which the median counts", figures.first.len()),
    ];
    format!(
        "# Install: delivering to twelve harnesses\n\nWritten by `cargo xtask bench install`. A run is void unless every harness has the core and\na second run changes nothing. Only ratios within one run can be compared.\n\n{}\n\n## Goals\n\n{}\n\n## Milliseconds from start to exit\n\n{}\n\n{}\n\n## To reproduce\n\n```\ncargo xtask bench install\n```\n",
        list(machine::describe()),
        list(goals.collect()),
        table(&head, &rows),
        list(notes),
    )
}
