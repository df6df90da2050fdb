//! The report of react: one Markdown text, printed and stored.

use super::keywords::{self, KEYWORDS};
use super::peer::{self, PACKAGE, RULES, VERSION};
use super::step::{self, SIZES};
use crate::goals::Goal;
use crate::machine;
use crate::measure::{Plan, quartiles};
use crate::report::Part;
use crate::table::{figure, grouped, list, table};

/// Steps at both sizes may differ by this factor.
const FACTOR: f64 = 2.0;
/// The share of the bare automaton that keywords must reach.
const LEAST: f64 = 0.5;

/// A part of the report that another module measures: its text, and its goals.
#[derive(Debug)]
pub struct Section {
    /// Its heading.
    pub title: &'static str,
    /// Its text.
    pub text: String,
    /// Its goals.
    pub goals: Vec<Goal>,
}

/// Everything a run found.
#[derive(Debug)]
pub struct Report {
    /// How it was timed.
    pub plan: Plan,
    /// Steps at both sizes.
    pub steps: Vec<step::Figure>,
    /// Keywords.
    pub keywords: Vec<keywords::Figure>,
    /// The peer.
    pub peer: Part<peer::Figures>,
    /// What else was measured.
    pub sections: Vec<Section>,
}

impl Report {
    /// The whole text.
    pub fn render(&self) -> String {
        let mut parts = vec![
            "# React: one step of a session".to_owned(),
            INTRODUCTION.to_owned(),
            list(machine::describe()),
            "## Goals".to_owned(),
            self.goals(),
            "## Steps: microseconds for one".to_owned(),
            self.step_table(),
            self.about_steps(),
            format!("## Keywords: megabytes for each second, {} keywords", grouped(KEYWORDS as u64)),
            self.keyword_table(),
            list(vec![
                "Lawful takes a whole step: it folds the message, looks for the keywords, maps what it found back to the original and fires the rules".to_owned(),
                "the bare automaton (aho-corasick, the same words) counts what it finds in text that was folded before".to_owned(),
            ]),
            format!("## Beside {PACKAGE} {VERSION}: microseconds for one run"),
        ];
        match &self.peer {
            Part::Measured(figures) => parts.extend([peer_table(figures), about_peer(figures)]),
            Part::Missing(why) => parts.push(format!("Not measured: {why}.")),
        }
        for section in &self.sections {
            parts.extend([format!("## {}", section.title), section.text.clone()]);
        }
        parts.push(REPRODUCE.to_owned());
        parts.join("\n\n") + "\n"
    }

    fn goals(&self) -> String {
        let mut goals = vec![self.same_matches()];
        for found in &self.keywords {
            let [low, ratio, high] = found.ratio();
            goals.push(Goal {
                aim: format!(
                    "{} keywords, {}: at least {LEAST} of a bare automaton",
                    grouped(KEYWORDS as u64),
                    found.message
                ),
                found: format!("{ratio:.2}; interquartile range {low:.2} to {high:.2}"),
                met: Some(ratio >= LEAST),
            });
        }
        goals.extend(self.sections.iter().flat_map(|section| section.goals.iter().cloned()));
        let line = |goal: &Goal| format!("{}: {} ({})", goal.verdict(), goal.aim, goal.found);
        list(goals.iter().map(line).collect())
    }

    fn same_matches(&self) -> Goal {
        let [few, many] = SIZES.map(|size| grouped(size as u64));
        let aim = format!(
            "steps at {few} and {many} rules with the same matches: less than a factor of {FACTOR:.0}"
        );
        let [Some(small), Some(large)] = [self.steps.first(), self.steps.get(1)] else {
            return Goal { aim, found: "not measured".to_owned(), met: None };
        };
        let turns = large.batches.iter().zip(&small.batches).map(|(large, small)| large / small);
        let [low, ratio, high] = quartiles(&turns.collect::<Vec<_>>());
        let found = format!("{ratio:.2}; interquartile range {low:.2} to {high:.2}");
        Goal { aim, found, met: Some(ratio < FACTOR) }
    }

    fn step_table(&self) -> String {
        let head = ["rules", "fire in two steps", "median", "quartiles"];
        let row = |found: &step::Figure| {
            let [low, median, high] = found.time();
            vec![
                grouped(found.rules as u64),
                grouped(found.fired as u64),
                figure(median),
                format!("{} to {}", figure(low), figure(high)),
            ]
        };
        table(&head.map(str::to_owned), &self.steps.iter().map(row).collect::<Vec<_>>())
    }

    fn about_steps(&self) -> String {
        let Plan { batch, batches, .. } = self.plan;
        list(vec![
            "two steps take turns, each from the same state: a turn that sets off a chain of seven rules in five waves, and an event that sets off one; the time includes copying the state".to_owned(),
            "the other rules wait for variables, actions, keywords, turns and events that do not occur, a sixth for each, every one with a condition over its own variable".to_owned(),
            format!("each figure is over {batches} batches of about {} ms of processor time, one thread, the sizes taking turns", batch.as_millis()),
        ])
    }

    fn keyword_table(&self) -> String {
        let head = ["message", "bytes", "rules that fire", "Lawful", "bare"];
        let row = |found: &keywords::Figure| {
            let middle = |speeds: &[f64]| {
                let [_, median, _] = quartiles(speeds);
                figure(median)
            };
            vec![
                found.message.to_owned(),
                grouped(found.bytes as u64),
                grouped(found.fired as u64),
                middle(&found.lawful),
                middle(&found.bare),
            ]
        };
        table(&head.map(str::to_owned), &self.keywords.iter().map(row).collect::<Vec<_>>())
    }
}

fn peer_table(figures: &peer::Figures) -> String {
    let head = ["engine", "median", "quartiles", "times Lawful"];
    let [_, ours, _] = figures.lawful;
    let row = |name: &str, [low, median, high]: [f64; 3]| {
        let quartiles = format!("{} to {}", figure(low), figure(high));
        vec![name.to_owned(), figure(median), quartiles, figure(median / ours)]
    };
    let rows = [row("Lawful", figures.lawful), row(PACKAGE, figures.peer)];
    table(&head.map(str::to_owned), &rows)
}

fn about_peer(figures: &peer::Figures) -> String {
    list(vec![
        format!(
            "{} rules, each asked on every turn, with two to four comparisons of numbers under `all` or `any`; {} fire, the same in both",
            grouped(RULES as u64),
            figures.fired
        ),
        format!("processor time of each in its own process; Node {}", figures.node),
        "the peer has no state, no events, no waves and no keywords; both have rules with conditions over facts, and return the list of those that fire".to_owned(),
    ])
}

const INTRODUCTION: &str = "\
Written by `cargo xtask bench react`. Before anything is timed, the answers are compared: of both sizes
of the book with each other, of the keywords with a bare automaton, and of the common subset with
json-rules-engine; one difference makes the run void. Only ratios within one run can be compared.";

const REPRODUCE: &str = "\
## To reproduce

```
cargo xtask bench react
```

It needs Node and npm for the peer, which it installs under `benches/target`. `--quick` takes fewer and
shorter batches, `--skip-peer` leaves the peer out. Such runs print and leave this file alone, unless
`--write` is given.";
