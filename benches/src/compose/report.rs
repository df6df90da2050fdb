//! The report of compose: one Markdown text, printed and stored.

use super::book::{CONTEXTS, EVERYTHING, FRAGMENTS, PROMPT};
use super::judge::{self, find, middle};
use super::process;
use super::resolve::{Figure, Mode, SIZES};
use crate::goals::Goal;
use crate::machine;
use crate::measure::{Plan, quartiles};
use crate::report::Part;
use crate::table::{dash, figure, grouped, list, table};

/// Everything a run found.
#[derive(Debug)]
pub struct Report {
    /// How the library was timed.
    pub plan: Plan,
    /// The library.
    pub library: Vec<Figure>,
    /// The program and its peers.
    pub program: Part<process::Figures>,
}

impl Report {
    /// The whole text.
    pub fn render(&self) -> String {
        let mut parts = vec![
            "# Compose: resolving a prompt".to_owned(),
            INTRODUCTION.to_owned(),
            list(machine::describe()),
            "## Goals".to_owned(),
            self.goals(),
            "## The library: microseconds for one resolution".to_owned(),
            self.times(),
            self.timing(),
            "## The lawbooks".to_owned(),
            lawbooks(),
            self.workloads(),
            "## The program: milliseconds from start to exit".to_owned(),
        ];
        match &self.program {
            Part::Measured(figures) => parts.extend([programs(figures), about(figures)]),
            Part::Missing(why) => parts.push(format!("Not measured: {why}.")),
        }
        parts.push(REPRODUCE.to_owned());
        parts.join("\n\n") + "\n"
    }

    fn goals(&self) -> String {
        let mut goals = judge::library(&self.library);
        if let Part::Measured(figures) = &self.program {
            goals.extend(judge::program(figures));
        }
        let line = |goal: &Goal| format!("{}: {} ({})", goal.verdict(), goal.aim, goal.found);
        list(goals.iter().map(line).collect())
    }

    fn times(&self) -> String {
        let head = [
            "composition",
            "rules",
            "resolve",
            "with the list after each rule",
            "the same list, no rules",
        ];
        let mut rows = Vec::new();
        for shape in [PROMPT, EVERYTHING] {
            for rules in SIZES {
                let mut row = vec![shape.label.to_owned(), grouped(rules as u64)];
                for mode in [Mode::Plain, Mode::Lists, Mode::NoRules] {
                    let found = find(&self.library, shape.label, rules, mode);
                    row.push(found.map_or_else(dash, |found| figure(middle(&found.time))));
                }
                rows.push(row);
            }
        }
        table(&head.map(str::to_owned), &rows)
    }

    fn timing(&self) -> String {
        let Plan { batch, batches, .. } = self.plan;
        let spread = |found: &Figure| {
            let [low, median, high] = found.time;
            (high - low) / median * 100.0
        };
        let widest = self.library.iter().map(spread).fold(0.0, f64::max);
        list(vec![
            "resolving decides the rules, runs the cascade and renders the prompt; the last column resolves a composition whose base is the final list and that has no rules, so it is what rendering costs, and the rest is the rules".to_owned(),
            format!("each figure is the median of {batches} batches of about {} ms of processor time, one thread, the cases taking turns; the quartiles lie at most {widest:.0} % of the median apart", batch.as_millis()),
        ])
    }

    fn workloads(&self) -> String {
        let head = [
            "composition",
            "rules",
            "fire",
            "fragments in the prompt",
            "bytes of prompt",
            "warnings",
        ];
        let plain = self.library.iter().filter(|found| found.mode == Mode::Plain);
        let row = |found: &Figure| {
            vec![
                found.shape.to_owned(),
                grouped(found.rules as u64),
                format!("{:.0} %", found.firing * 100.0),
                figure(found.length),
                format!("{:.0}", found.bytes),
                format!("{:.1}", found.warnings),
            ]
        };
        table(&head.map(str::to_owned), &plain.map(row).collect::<Vec<_>>())
    }
}

fn lawbooks() -> String {
    format!(
        "Each book has {} fragments of about 200 bytes, a quarter of them with two placeholders, and one \
         composition whose rules mix `replace` (3 in 10), `add` (4), `forbid` (2) and `order` (1) under \
         conditions over eight axes. The composition *{}* has a base of {} ids and rules that name {} of the \
         fragments; *{}* has a base of {} and names all. The list keeps about its length at every number of \
         rules, so that what differs is the rules. The figures below are means over the {CONTEXTS} contexts \
         that every batch goes through.",
        grouped(FRAGMENTS as u64),
        PROMPT.label,
        PROMPT.base,
        PROMPT.base + PROMPT.variants + PROMPT.extras,
        EVERYTHING.label,
        EVERYTHING.base,
    )
}

fn programs(figures: &process::Figures) -> String {
    let head = ["command", "median", "quartiles", "times `lawful compose`"];
    let lawful = middle(&figures.lawful);
    let row = |label: String, times: Option<&Vec<f64>>| match times {
        Some(times) => {
            let [low, median, high] = quartiles(times);
            let quartiles = format!("{} to {}", figure(low), figure(high));
            vec![label, figure(median), quartiles, figure(median / lawful)]
        }
        None => vec![label, dash(), dash(), dash()],
    };
    let mut rows = vec![row("`lawful compose`".to_owned(), Some(&figures.lawful))];
    for (peer, times) in &figures.peers {
        let label = format!("`{}` ({} {})", peer.command, peer.package, peer.version);
        rows.push(row(label, times.as_ref().ok()));
    }
    rows.push(row("Node, with nothing to do".to_owned(), figures.node.as_ref()));
    rows.push(row("`true`".to_owned(), Some(&figures.nothing)));
    table(&head.map(str::to_owned), &rows)
}

fn about(figures: &process::Figures) -> String {
    let mut lines = vec![
        format!(
            "`lawful compose reply --book examples/support-desk --context tone=terse`, {} fragments; its output is compared with what the library composes",
            figures.fragments
        ),
        "each peer has a project of as many rule files with the same texts, writes for one harness, and starts from a clean project; after every run its output must contain each rule".to_owned(),
        format!(
            "wall clock over {} turns, each command once per turn (`lawful` and `true` five times, of which the median counts), with files in the page cache; Node {}",
            figures.lawful.len(),
            figures.node_version
        ),
        "the peers deliver files to a harness and have no conditions; `lawful compose` prints one prompt. Both read a folder of rules and combine them".to_owned(),
    ];
    lines.push(NODE.to_owned());
    for (peer, times) in &figures.peers {
        if let Err(why) = times {
            lines.push(format!("no time for `{}`: {why}", peer.command));
        }
    }
    list(lines)
}

const NODE: &str = "rulesync 17 asks for Node 22 or later; with an older one it warns on installation and still works";

const INTRODUCTION: &str = "\
Written by `cargo xtask bench compose`. Before anything is timed, every order, every prompt, every
fired rule and every list after a rule is compared with a naive second implementation of the semantics;
one difference makes the run void. Only ratios within one run can be compared.";

const REPRODUCE: &str = "\
## To reproduce

```
cargo xtask bench compose
```

It needs Node and npm for the peers, which it installs under `benches/target`. `--quick` takes fewer
and shorter batches, `--skip-program` leaves the program and its peers out. Such runs print and leave
this file alone, unless `--write` is given.";
