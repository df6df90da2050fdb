//! Recursive programs: the closure of a chain, and what can be reached from one node.
//!
//! The expected result is computed without Datalog: how many facts, and the sum of their numbers.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Read as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use lawful_datalog::{Datum, Limits as Fuel, Program, parse};

use super::{clingo, mangle};
use crate::Result;
use crate::cli::Folder;
use crate::measure::{quartiles, thread_seconds};

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// The programs: what they are, and how many edges they have.
    pub cases: &'static [(Kind, usize)],
    /// How often lawful-datalog and clingo run each.
    pub times: usize,
    /// How long mangle-driver may take for one program.
    pub patience: Duration,
}

impl Effort {
    /// Everything.
    pub const FULL: Self = Self { cases: &CASES, times: 5, patience: Duration::from_secs(60) };
    /// The programs that every engine finishes at once.
    pub const QUICK: Self = Self {
        cases: &[(Kind::Closure, 100), (Kind::Reach, 1_000)],
        times: 1,
        patience: Duration::from_secs(3),
    };
}

/// The programs of a whole run: what they are, and how many edges they have. The smaller ones are there because
/// mangle-driver compares every new fact with all others, and takes too long for the last.
const CASES: [(Kind, usize); 5] = [
    (Kind::Closure, 100),
    (Kind::Closure, 1_000),
    (Kind::Reach, 1_000),
    (Kind::Reach, 10_000),
    (Kind::Reach, 100_000),
];

/// What a program works out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// All pairs of a chain.
    Closure,
    /// All nodes that can be reached from one, in a graph with half as many nodes as edges.
    Reach,
}

impl Kind {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Closure => "closure",
            Self::Reach => "reach",
        }
    }

    fn edges(self, count: usize) -> Vec<(usize, usize)> {
        match self {
            Self::Closure => (0..count).map(|at| (at, at + 1)).collect(),
            Self::Reach => {
                let mut state = 1_u64;
                let mut next = || {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    usize::try_from(state >> 33).unwrap_or_default() % (count / 2)
                };
                let mut edges = BTreeSet::new();
                while edges.len() < count {
                    edges.insert((next(), next()));
                }
                edges.into_iter().collect()
            }
        }
    }

    /// The program, which every engine here can read.
    fn text(self, edges: &[(usize, usize)]) -> String {
        let mut text = String::new();
        for (from, to) in edges {
            let _ = writeln!(text, "edge({from}, {to}).");
        }
        text.push_str(match self {
            Self::Closure => {
                "closure(X, Y) :- edge(X, Y).\nclosure(X, Z) :- closure(X, Y), edge(Y, Z).\n"
            }
            Self::Reach => "reach(Y) :- edge(0, Y).\nreach(Z) :- reach(Y), edge(Y, Z).\n",
        });
        text
    }

    /// What must come out.
    fn answer(self, edges: &[(usize, usize)]) -> Answer {
        let mut next: Vec<Vec<usize>> = Vec::new();
        for (from, to) in edges {
            let nodes = next.len().max(from + 1).max(to + 1);
            next.resize(nodes, Vec::new());
            if let Some(list) = next.get_mut(*from) {
                list.push(*to);
            }
        }
        let starts = match self {
            Self::Closure => 0..next.len(),
            Self::Reach => 0..1,
        };
        let mut answer = (0, 0);
        for start in starts {
            let mut seen = vec![false; next.len()];
            let mut open = vec![start];
            while let Some(node) = open.pop() {
                for to in next.get(node).into_iter().flatten() {
                    if let Some(seen) = seen.get_mut(*to)
                        && !std::mem::replace(seen, true)
                    {
                        open.push(*to);
                        let first = if self == Self::Closure { start } else { 0 };
                        answer.0 += 1;
                        answer.1 += i64::try_from(first + to).unwrap_or_default();
                    }
                }
            }
        }
        answer
    }
}

/// How many facts, and the sum of their numbers.
type Answer = (usize, i64);

/// What was measured of one program, in milliseconds on a processor; a reason where there is nothing.
#[derive(Clone, Debug)]
pub struct Figures {
    /// The program.
    pub kind: Kind,
    /// How many edges.
    pub edges: usize,
    /// How many facts come out.
    pub facts: usize,
    /// lawful-datalog.
    pub lawful: f64,
    /// mangle-driver.
    pub mangle: std::result::Result<f64, String>,
    /// clingo.
    pub clingo: std::result::Result<f64, String>,
}

/// Checks and times every program.
pub fn measure(effort: &Effort) -> Result<Vec<Figures>> {
    let Effort { cases, times, patience } = *effort;
    let folder = Folder::new()?;
    let installed = clingo::install();
    let mut all = Vec::new();
    for (kind, size) in cases.iter().copied() {
        eprintln!("{} of {size} edges", kind.name());
        let edges = kind.edges(size);
        let text = kind.text(&edges);
        let expected = kind.answer(&edges);
        let check = |who: &str, found: Answer| {
            if found == expected {
                Ok(())
            } else {
                Err(format!("void: {who} is wrong about the {} of {size}", kind.name()))
            }
        };
        let mut took = Vec::new();
        for _ in 0..times {
            let (time, found) = by_lawful(kind, &text)?;
            check("lawful-datalog", found)?;
            took.push(time);
        }
        let mangle = match by_mangle(kind, size, patience)? {
            Some((time, found)) => {
                check("mangle-driver", found)?;
                Ok(time)
            }
            None => Err(format!("over {} s", patience.as_secs())),
        };
        let clingo = match &installed {
            Ok(()) => {
                let found = clingo::run(&text, &[kind.name()], times, &folder.0)?;
                check("clingo", found.answer)?;
                Ok(middle(&found.times) / 1e3)
            }
            Err(why) => Err(why.clone()),
        };
        let lawful = middle(&took);
        all.push(Figures { kind, edges: size, facts: expected.0, lawful, mangle, clingo });
    }
    Ok(all)
}

fn middle(times: &[f64]) -> f64 {
    let [_, median, _] = quartiles(times);
    median
}

fn by_lawful(kind: Kind, text: &str) -> Result<(f64, Answer)> {
    let start = thread_seconds();
    let mut program = Program::default();
    if let Some(problem) = parse(text, &mut program).first() {
        return Err(problem.message.clone().into());
    }
    let relation = program.find(kind.name()).ok_or("the relation is missing")?;
    let compiled = program.compile().map_err(|_| "the program does not compile")?;
    let mut run = compiled.start();
    run.run(Fuel { facts: usize::MAX, derivations: usize::MAX })?;
    let took = (thread_seconds() - start) * 1e3;
    let number = |value| match run.constants.datum(value) {
        Datum::Number(number) => number,
        Datum::Symbol(_) | Datum::Boolean(_) => 0,
    };
    let sum = run.rows(relation).flatten().map(number).sum();
    Ok((took, (run.len(relation), sum)))
}

/// In a process of its own, which can be ended.
fn by_mangle(kind: Kind, size: usize, patience: Duration) -> Result<Option<(f64, Answer)>> {
    let mut child = Command::new(std::env::current_exe()?)
        .args(["--mangle", kind.name(), &size.to_string()])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let start = Instant::now();
    while child.try_wait()?.is_none() {
        if start.elapsed() > patience {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let mut text = String::new();
    child.stdout.take().ok_or("no output")?.read_to_string(&mut text)?;
    match text.split_whitespace().collect::<Vec<_>>().as_slice() {
        [time, count, sum] => Ok(Some((time.parse()?, (count.parse()?, sum.parse()?)))),
        _ => Err(format!("mangle-driver failed on the {} of {size}", kind.name()).into()),
    }
}

/// What that process does.
pub fn mangle_alone(kind: &str, size: &str) -> Result<()> {
    let known = [Kind::Closure, Kind::Reach];
    let kind = known.into_iter().find(|known| known.name() == kind).ok_or("no such program")?;
    let text = kind.text(&kind.edges(size.parse()?));
    let start = thread_seconds();
    let mut took = 0.0;
    let mut answer = (0_usize, 0_i64);
    mangle::run(&text, &[kind.name()], |_, row| {
        if answer.0 == 0 {
            took = (thread_seconds() - start) * 1e3;
        }
        answer = (answer.0 + 1, answer.1 + row.iter().sum::<i64>());
    })?;
    println!("{took} {} {}", answer.0, answer.1);
    Ok(())
}
