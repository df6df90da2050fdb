//! The report of verify: one Markdown text, printed and stored.

use super::large::{self, Effort};
use super::process::Start;
use super::stream::middle;
use super::{clingo, goals, small, stream, workload};
use crate::goals::Goal;
use crate::machine::{self, version};
use crate::measure::{Plan, quartiles};
use crate::report::Part;
use crate::table::{figure, grouped, list, table};

/// Everything a run found.
#[derive(Debug)]
pub struct Report {
    /// How the library was timed.
    pub plan: Plan,
    /// 100 predicates.
    pub small: small::Figures,
    /// How much of the recursive programs was measured.
    pub effort: Effort,
    /// Recursive programs.
    pub large: Vec<large::Figures>,
    /// Many envelopes.
    pub stream: Part<stream::Figures>,
    /// How often each command was started.
    pub times_started: usize,
    /// Commands, from start to exit.
    pub starts: Part<Vec<Start>>,
}

impl Report {
    /// The whole text.
    pub fn render(&self) -> String {
        let mut parts = vec![
            "# Verify: judging envelopes".to_owned(),
            INTRODUCTION.to_owned(),
            list(machine::describe()),
            list(vec![
                format!("mangle-driver: {}", version("mangle-driver")),
                format!("clingo: {}", clingo::VERSION),
                format!("serde_json: {}", version("serde_json")),
            ]),
            "## Goals".to_owned(),
            self.goals(),
            "## 100 predicates: microseconds".to_owned(),
            self.predicates(),
            self.about_predicates(),
            "## Recursive programs: milliseconds from text to facts".to_owned(),
            self.recursion(),
            RECURSION.replace("PATIENCE", &self.effort.patience.as_secs().to_string()),
            "## Many envelopes".to_owned(),
        ];
        match &self.stream {
            Part::Measured(figures) => parts.extend([many(figures), about_many(figures)]),
            Part::Missing(why) => parts.push(format!("Not measured: {why}.")),
        }
        parts.push("## The program: milliseconds from start to exit".to_owned());
        match &self.starts {
            Part::Measured(starts) => parts.extend([programs(starts), about_programs(self.times_started)]),
            Part::Missing(why) => parts.push(format!("Not measured: {why}.")),
        }
        parts.push(REPRODUCE.to_owned());
        parts.join("\n\n") + "\n"
    }

    fn goals(&self) -> String {
        let mut all = goals::small(&self.small);
        if let Part::Measured(figures) = &self.stream {
            all.extend(goals::stream(figures));
        }
        let line = |goal: &Goal| format!("{}: {} ({})", goal.verdict(), goal.aim, goal.found);
        list(all.iter().map(line).collect())
    }

    fn predicates(&self) -> String {
        let small::Figures { lawful, mangle, judged, clingo, .. } = &self.small;
        let own = middle(lawful);
        let row = |label: &str, times: &[f64]| {
            let [low, median, high] = quartiles(times);
            let quartiles = format!("{} to {}", figure(low), figure(high));
            vec![label.to_owned(), figure(median), quartiles, figure(median / own)]
        };
        let mut rows = vec![
            row("lawful-datalog, from text to verdicts", lawful),
            row("mangle-driver, from text to verdicts", mangle),
        ];
        if let Part::Measured(times) = clingo {
            rows.push(row("clingo, from text to model", times));
        }
        rows.push(row("`Judge`, compiled once, from facts to verdicts", judged));
        table(&["what", "median", "quartiles", "times lawful-datalog"].map(str::to_owned), &rows)
    }

    fn about_predicates(&self) -> String {
        let small::Figures { facts, rules, bytes, clingo, .. } = &self.small;
        let Plan { batch, batches, .. } = self.plan;
        let mut lines = vec![
            format!(
                "the rulespec has {} predicates over 20 modules (`matches`, `less_than`, `equals`, `contains` under a `when`, `any_of` over all of a list, `not_equals`); with the facts of one envelope it becomes a program of {facts} facts and {rules} rules with stratified negation, {} bytes without comments and declarations, which both engines read as it is",
                workload::PREDICATES,
                grouped(*bytes as u64),
            ),
            "from text to verdicts is to parse, compile and run the program and to read the result of each predicate; the last row judges the envelope by the rulespec itself, which was compiled before: its leaves are evaluated, its program is run".to_owned(),
            format!("medians of {batches} batches of about {} ms of processor time, one thread, taking turns; clingo by itself, in Python, by its processor time, its answers compared by their number and sum", batch.as_millis()),
            "mangle-driver writes a line to standard error for each relation of each run, here less than a dozen; it is redirected to `/dev/null`".to_owned(),
        ];
        if let Part::Missing(why) = clingo {
            lines.push(format!("no time for clingo: {why}"));
        }
        list(lines)
    }

    fn recursion(&self) -> String {
        let head = ["program", "edges", "facts", "lawful-datalog", "mangle-driver", "clingo"];
        let cell = |time: &Result<f64, String>| match time {
            Ok(time) => figure(*time),
            Err(why) => why.clone(),
        };
        let row = |found: &large::Figures| {
            vec![
                found.kind.name().to_owned(),
                grouped(found.edges as u64),
                grouped(found.facts as u64),
                figure(found.lawful),
                cell(&found.mangle),
                cell(&found.clingo),
            ]
        };
        table(&head.map(str::to_owned), &self.large.iter().map(row).collect::<Vec<_>>())
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts that are far from the edge")]
fn many(figures: &stream::Figures) -> String {
    let head = ["what", "seconds", "envelopes a second", "MB a second"];
    let row = |label: &str, times: &[f64]| {
        let seconds = middle(times);
        vec![
            label.to_owned(),
            figure(seconds),
            figure(figures.lines as f64 / seconds),
            figure(figures.bytes as f64 / seconds / 1e6),
        ]
    };
    let rows = [
        row("serde_json, every line to a `Value`, on a processor", &figures.parsed),
        row("`lawful verify --jobs 1`, on a processor", &figures.lawful),
        row("`lawful verify --jobs 1`, start to exit", &figures.one_core),
        row("`lawful verify`, all cores, start to exit", &figures.all_cores),
    ];
    let memory = figures.memory.iter().map(|(lines, one, all)| {
        vec![grouped(*lines as u64), figure(*one as f64 / 1024.0), figure(*all as f64 / 1024.0)]
    });
    let head_of_memory = ["envelopes", "MiB at most, one core", "MiB at most, all cores"];
    [
        table(&head.map(str::to_owned), &rows),
        table(&head_of_memory.map(str::to_owned), &memory.collect::<Vec<_>>()),
    ]
    .join("\n\n")
}

fn about_many(figures: &stream::Figures) -> String {
    list(vec![
        format!(
            "a `.jsonl` of {} envelopes of {} bytes, 10 predicates, of which every thousandth envelope fails one, a warning; the counts of every predicate that can differ are checked first",
            grouped(figures.lines as u64),
            workload::LINE,
        ),
        format!(
            "whole processes, both of the release profile, by their time on a processor in user and system mode; medians of {} turns",
            figures.lawful.len()
        ),
    ])
}

fn programs(starts: &[Start]) -> String {
    let row = |start: &Start| {
        vec![start.command.clone(), figure(start.took.median), figure(start.took.p99)]
    };
    let rows: Vec<Vec<String>> = starts.iter().map(row).collect();
    table(&["command", "p50", "p99"].map(str::to_owned), &rows)
}

fn about_programs(times: usize) -> String {
    list(vec![format!(
        "wall clock over {times} starts of each, files in the page cache; the rulespec of 10 predicates and one of its envelopes"
    )])
}

const INTRODUCTION: &str = "\
Written by `cargo xtask bench verify`. Before anything is timed, every verdict is compared with what the
envelopes were built to get, and every recursive program with a search through its graph; one difference,
in any engine, makes the run void. Only ratios within one run can be compared.";

const RECURSION: &str = "\
- *closure* is every pair of a chain, *reach* every node that can be reached from one, in a graph with half as many nodes as edges
- the answers are compared by their number and the sum of all their columns
- processor time; reading the answers and starting Python are left out, and so is what mangle-driver did not finish in PATIENCE seconds: it compares every new fact with all others of its relation";

const REPRODUCE: &str = "\
## To reproduce

```
cargo xtask bench verify
```

It needs Python with pip for clingo, which it installs under `benches/target`, and GNU time. `--quick` takes
fewer and shorter batches and a tenth of the envelopes, `--skip-program` leaves the program out. Such runs
print and leave this file alone, unless `--write` is given.";
