//! The report: one Markdown text, printed and stored.

use crate::cli::{self, Figures};
use crate::count::{Counts, WORKLOADS};
use crate::engines::{CONTENDERS, DATALOGIC};
use crate::goals::{Goal, judge};
use crate::machine;
use crate::measure::{Cell, Column, Plan};
use crate::table::{dash, figure, grouped, list, table};
use crate::workload::Workload;

/// A part of a run that can be left out.
#[derive(Clone, Debug)]
pub enum Part<T> {
    /// What was measured.
    Measured(T),
    /// Why it was not.
    Missing(String),
}

/// Everything a run found.
#[derive(Debug)]
pub struct Report {
    /// How it was timed.
    pub plan: Plan,
    /// The times.
    pub columns: Vec<Column>,
    /// The instructions.
    pub counts: Part<Counts>,
    /// The program.
    pub figures: Part<Figures>,
}

const AT_100: [&str; 5] = ["mixed", "true", "mixed-regex", "true-regex", "mixed-own"];
const BY_SIZE: [&str; 5] = ["mixed-10", "mixed", "mixed-1000", "mixed-10000", "sparse-10000"];

impl Report {
    /// The whole text.
    pub fn render(&self) -> String {
        let mut parts = vec![
            "# Conditions, side by side".to_owned(),
            INTRODUCTION.to_owned(),
            list(machine::describe()),
            list(versions()),
            "## Goals".to_owned(),
            self.goals(),
            "## Microseconds for one document, 100 rules".to_owned(),
            self.times(&AT_100),
            "## Microseconds for one document, by number of rules".to_owned(),
            self.times(&BY_SIZE),
            self.notes(),
            "## Ratio to datalogic-rs".to_owned(),
            self.ratios(),
            "## The rules".to_owned(),
            RULES.to_owned(),
            self.workloads(),
            "## Instructions for one document, 100 rules".to_owned(),
            self.instructions(),
            "## Also measured".to_owned(),
            self.program(),
        ];
        parts.push(REPRODUCE.to_owned());
        parts.retain(|part| !part.is_empty());
        parts.join("\n\n") + "\n"
    }

    fn goals(&self) -> String {
        let line = |goal: &Goal| format!("{}: {} ({})", goal.verdict(), goal.aim, goal.found);
        list(judge(&self.columns).iter().map(line).collect())
    }

    fn pick(&self, names: &[&str]) -> Vec<&Column> {
        let find = |name: &&str| self.columns.iter().find(|column| column.workload.name == *name);
        names.iter().filter_map(find).collect()
    }

    fn times(&self, names: &[&str]) -> String {
        engine_table(&self.pick(names), |column, engine| {
            column.cell(engine).map_or_else(dash, |cell| match cell {
                Cell::Timed(timing) => figure(timing.median),
                Cell::Left(_) => dash(),
            })
        })
    }

    fn ratios(&self) -> String {
        let timed = |column: &&Column| column.median(DATALOGIC).is_some();
        let columns: Vec<&Column> = self.columns.iter().filter(timed).collect();
        engine_table(&columns, |column, engine| {
            let ratio =
                column.median(engine).zip(column.median(DATALOGIC)).map(|(one, other)| one / other);
            ratio.map_or_else(dash, |ratio| format!("{ratio:.2}"))
        })
    }

    /// Why there are dashes, and how much the times spread.
    fn notes(&self) -> String {
        let mut notes = Vec::new();
        let mut widest: Option<(f64, &str, &str)> = None;
        for column in &self.columns {
            for (engine, cell) in &column.cells {
                match cell {
                    Cell::Left(why) => {
                        notes.push(format!(
                            "no time for {engine}, {}: {why}",
                            column.workload.label
                        ));
                    }
                    Cell::Timed(timing) => {
                        let spread = (timing.high - timing.low) / timing.median;
                        if widest.is_none_or(|(most, _, _)| spread > most) {
                            widest = Some((spread, engine, column.workload.label));
                        }
                    }
                }
            }
        }
        if let Some((spread, engine, label)) = widest {
            let percent = spread * 100.0;
            notes.push(format!(
                "the quartiles of a cell lie at most {percent:.0} % of its median apart ({engine}, {label})"
            ));
        }
        let Plan { batch, batches, .. } = self.plan;
        notes.push(format!(
            "each figure is the median of {batches} batches of about {} ms of processor time, the engines taking turns",
            batch.as_millis()
        ));
        list(notes)
    }

    fn workloads(&self) -> String {
        let head = ["workload", "rules", "hold", "tests", "distinct tests", "paths"];
        let row = |workload: &Workload| {
            let (tests, distinct) = workload.tests();
            let holding = workload.rules.iter().filter(|rule| rule.holds).count();
            vec![
                workload.label.to_owned(),
                grouped(workload.rules.len() as u64),
                grouped(holding as u64),
                grouped(tests as u64),
                grouped(distinct as u64),
                workload.paths().to_string(),
            ]
        };
        let rows: Vec<Vec<String>> =
            self.columns.iter().map(|column| row(&column.workload)).collect();
        table(&head.map(str::to_owned), &rows)
    }

    fn instructions(&self) -> String {
        let counts = match &self.counts {
            Part::Measured(counts) => counts,
            Part::Missing(why) => return format!("Not counted: {why}."),
        };
        let label = |name: &&str| Workload::named(name).map_or_else(dash, |one| one.label.into());
        let mut head = vec!["engine".to_owned()];
        head.extend(WORKLOADS.iter().map(label));
        let rows: Vec<Vec<String>> = counts
            .iter()
            .map(|(contender, row)| {
                let cells = row.iter().map(|count| count.map_or_else(dash, grouped));
                [contender.label.to_owned()].into_iter().chain(cells).collect()
            })
            .collect();
        table(&head, &rows)
    }

    fn program(&self) -> String {
        let figures = match &self.figures {
            Part::Measured(figures) => figures,
            Part::Missing(why) => return format!("Not measured: {why}."),
        };
        let spread =
            |one: &cli::Spread| format!("{} ms, p99 {} ms", figure(one.median), figure(one.p99));
        let lines = vec![
            format!(
                "`lawful check` on a lawbook of {} files: median {} ms from start to exit, {} ms on a processor ({} runs)",
                grouped(cli::FILES as u64),
                figure(figures.check.median),
                figures.check_on_processor.map_or_else(dash, figure),
                cli::CHECKS
            ),
            format!(
                "`lawful eval` on a small condition, start to exit: median {} ({} runs)",
                spread(&figures.start),
                cli::STARTS
            ),
            format!(
                "a program that does nothing, start to exit: median {}",
                spread(&figures.nothing)
            ),
            format!("the release binary: {} MiB", figure(mebibytes(figures.size))),
        ];
        let memory = match &figures.memory {
            None => "Peak memory was not measured: there is no GNU time.".to_owned(),
            Some(peaks) => memory_table(peaks),
        };
        format!("{}\n\n{memory}", list(lines))
    }
}

const INTRODUCTION: &str = "\
Written by `cargo xtask bench conditions`. Every engine decides the same rules over the same document,
which is parsed before anything is timed; rules are compiled once; one thread. The run would be void
if any engine had given any rule another answer. Only ratios within one run can be compared.";

const RULES: &str = "\
Each rule is `all[equals, greater, contains, any[starts-with or matches, equals]]`. Where rules are
mixed, one in ten holds, half fail at their first test, and the others at the second, third or fourth
part; where they are sparse, one in a hundred holds and the others fail at their first test. Half of
the tests take their constant from a small stock that other rules draw on too. The other half have
their own, unless the test must hold: what equals a value of the document leaves no choice. Where
nothing is shared on purpose, all that can have their own do. Lawful decides a test once, however many
rules share it; the peers decide it for each rule.";

const REPRODUCE: &str = "\
## To reproduce

```
cargo xtask bench conditions
```

`--quick` takes fewer and shorter batches, `--skip-cli` and `--skip-count` leave parts out, `--only
NAME` times one workload. Such runs print and leave this file alone, unless `--write` is given.";

fn versions() -> Vec<String> {
    let mut lines = Vec::new();
    for package in CONTENDERS.iter().filter_map(|contender| contender.package) {
        lines.push(format!("{package} {}", machine::version(package)));
    }
    lines
}

fn memory_table(peaks: &[cli::Peak]) -> String {
    let head = ["`lawful eval` on", "data", "start to exit", "peak memory", "for each MiB of data"];
    let row = |peak: &cli::Peak| {
        let data = mebibytes(peak.data as u64);
        let more = peak.resident.saturating_sub(peak.resident_at_rest);
        vec![
            peak.format.to_owned(),
            format!("{data:.1} MiB"),
            format!("{} ms", figure(peak.took)),
            format!("{:.1} MiB", mebibytes(peak.resident << 10)),
            format!("{:.1} MiB", mebibytes(more << 10) / data),
        ]
    };
    table(&head.map(str::to_owned), &peaks.iter().map(row).collect::<Vec<_>>())
}

#[expect(clippy::cast_precision_loss, reason = "for people to read")]
fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

fn engine_table(columns: &[&Column], cell: impl Fn(&Column, &str) -> String) -> String {
    if columns.is_empty() {
        return String::new();
    }
    let mut head = vec!["engine".to_owned()];
    head.extend(columns.iter().map(|column| column.workload.label.to_owned()));
    let mut rows = Vec::new();
    for contender in CONTENDERS {
        let cells = columns.iter().map(|column| cell(column, contender.name));
        rows.push([contender.label.to_owned()].into_iter().chain(cells).collect());
    }
    table(&head, &rows)
}
