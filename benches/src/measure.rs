//! Time for one document, engine against engine in the same minutes.
//!
//! Every engine is warmed up and its batches are sized to take about the same time. Then the engines
//! take turns, one batch each, so that whatever else the machine does falls on all of them. What
//! counts is the time that the thread spent on a processor, not what it waited for one.

use std::hint::black_box;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

use crate::Result;
use crate::agree::{self, Wrong};
use crate::engines::{CONTENDERS, Contender, Engine};
use crate::workload::Workload;

/// How long and how often.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// About how long one batch takes.
    pub batch: Duration,
    /// How many batches each engine gets.
    pub batches: usize,
    /// How long each engine runs before it counts.
    pub warm_up: Duration,
    /// An engine that needs longer for one document is left out.
    pub patience: Duration,
}

impl Plan {
    /// The plan of a run whose figures are kept.
    pub const FULL: Self = Self {
        batch: Duration::from_millis(20),
        batches: 25,
        warm_up: Duration::from_millis(100),
        patience: Duration::from_secs(5),
    };
    /// A plan for a look in passing.
    pub const QUICK: Self = Self {
        batch: Duration::from_millis(10),
        batches: 5,
        warm_up: Duration::from_millis(20),
        patience: Duration::from_secs(5),
    };
}

/// Microseconds for one document.
#[derive(Clone, Debug)]
pub struct Timing {
    /// The median over the batches.
    pub median: f64,
    /// The lower quartile.
    pub low: f64,
    /// The upper quartile.
    pub high: f64,
    /// Every batch, in the order of the turns.
    pub batches: Vec<f64>,
}

/// The quartiles of some figures, the median in the middle.
pub fn quartiles(figures: &[f64]) -> [f64; 3] {
    let mut sorted = figures.to_vec();
    sorted.sort_by(f64::total_cmp);
    [1, 2, 3].map(|quarter| {
        sorted.get(sorted.len().saturating_sub(1) * quarter / 4).copied().unwrap_or(f64::NAN)
    })
}

/// What became of one engine on one workload.
#[derive(Clone, Debug)]
pub enum Cell {
    /// It was timed.
    Timed(Timing),
    /// It was not, and why.
    Left(String),
}

impl Cell {
    /// The median, if there is one.
    pub fn median(&self) -> Option<f64> {
        match self {
            Self::Timed(timing) => Some(timing.median),
            Self::Left(_) => None,
        }
    }
}

/// The engines on one workload.
#[derive(Clone, Debug)]
pub struct Column {
    /// The workload.
    pub workload: Workload,
    /// The name of each engine with what became of it.
    pub cells: Vec<(&'static str, Cell)>,
}

impl Column {
    /// What became of an engine.
    pub fn cell(&self, engine: &str) -> Option<&Cell> {
        self.cells.iter().find(|(name, _)| *name == engine).map(|(_, cell)| cell)
    }

    /// How one engine did against another, turn by turn.
    pub fn ratios(&self, engine: &str, other: &str) -> Option<Vec<f64>> {
        let batches = |name: &str| match self.cell(name)? {
            Cell::Timed(timing) => Some(&timing.batches),
            Cell::Left(_) => None,
        };
        Some(batches(engine)?.iter().zip(batches(other)?).map(|(one, two)| one / two).collect())
    }

    /// The median of an engine in microseconds.
    pub fn median(&self, engine: &str) -> Option<f64> {
        self.cell(engine)?.median()
    }
}

struct Runner {
    at: usize,
    engine: Box<dyn Engine>,
    hits: Vec<bool>,
    /// Documents in one batch.
    count: u32,
    times: Vec<f64>,
}

/// Checks that all engines agree on a workload, and then times them. `spoil` names an engine that is
/// made to give one wrong answer, to see that the check works.
pub fn column(workload: Workload, plan: &Plan, spoil: Option<&str>) -> Result<Column> {
    let mut cells = Vec::new();
    let mut runners = Vec::new();
    for (at, contender) in CONTENDERS.iter().enumerate() {
        let cell = match prepare(contender, &workload, plan, spoil)? {
            Ok(engine) => {
                let hits = vec![false; workload.rules.len()];
                runners.push(Runner { at, engine, hits, count: 1, times: Vec::new() });
                Cell::Left(String::new())
            }
            Err(why) => Cell::Left(why),
        };
        cells.push((contender.name, cell));
    }
    for runner in &mut runners {
        runner.warm_up(plan);
    }
    for _ in 0..plan.batches {
        for runner in &mut runners {
            let time = runner.batch();
            runner.times.push(time);
        }
    }
    for runner in runners {
        if let Some((_, cell)) = cells.get_mut(runner.at) {
            let [low, median, high] = quartiles(&runner.times);
            *cell = Cell::Timed(Timing { median, low, high, batches: runner.times });
        }
    }
    Ok(Column { workload, cells })
}

/// An engine that is ready and right, or the reason why it is left out.
fn prepare(
    contender: &Contender,
    workload: &Workload,
    plan: &Plan,
    spoil: Option<&str>,
) -> Result<std::result::Result<Box<dyn Engine>, String>> {
    if !contender.can_express(workload) {
        return Ok(Err("it has no regular expressions".to_owned()));
    }
    let mut engine = contender.prepare(workload)?;
    if spoil == Some(contender.name) {
        engine = Box::new(Wrong { inner: engine, rule: workload.rules.len() / 2 });
    }
    let start = Instant::now();
    agree::check(contender.name, &mut *engine, workload)?;
    // The check decides twice.
    let once = start.elapsed() / 2;
    if once > plan.patience {
        return Ok(Err(format!("one document took {:.1} s", once.as_secs_f64())));
    }
    Ok(Ok(engine))
}

/// Warms up, and tells how many rounds of some work make a batch.
pub(crate) fn rounds(plan: &Plan, mut work: impl FnMut()) -> u32 {
    let start = thread_seconds();
    let mut done = 0_u32;
    while done == 0 || thread_seconds() - start < plan.warm_up.as_secs_f64() {
        work();
        done += 1;
    }
    let once = (thread_seconds() - start) / f64::from(done);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to the range"
    )]
    let rounds = (plan.batch.as_secs_f64() / once).clamp(1.0, 1e9) as u32;
    rounds
}

/// Microseconds for one round of each piece of work, batch by batch, the pieces taking turns.
pub(crate) fn in_turns(plan: &Plan, works: &mut [&mut dyn FnMut()]) -> Vec<Vec<f64>> {
    let counts: Vec<u32> = works.iter_mut().map(|work| rounds(plan, work)).collect();
    let mut times = vec![Vec::new(); works.len()];
    for _ in 0..plan.batches {
        for ((work, count), times) in works.iter_mut().zip(&counts).zip(&mut times) {
            let start = thread_seconds();
            (0..*count).for_each(|_| work());
            times.push((thread_seconds() - start) * 1e6 / f64::from(*count));
        }
    }
    times
}

impl Runner {
    fn warm_up(&mut self, plan: &Plan) {
        self.count = rounds(plan, || self.engine.decide(black_box(&mut self.hits)));
    }

    /// Microseconds for one document, over one batch.
    fn batch(&mut self) -> f64 {
        let start = thread_seconds();
        for _ in 0..self.count {
            self.engine.decide(black_box(&mut self.hits));
        }
        (thread_seconds() - start) * 1e6 / f64::from(self.count)
    }
}

/// How long this thread has been on a processor.
pub(crate) fn thread_seconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    #[expect(clippy::cast_precision_loss, reason = "the seconds of a thread are few")]
    let seconds = time.tv_sec as f64;
    #[expect(clippy::cast_precision_loss, reason = "less than a billion")]
    let nanoseconds = time.tv_nsec as f64;
    seconds + nanoseconds / 1e9
}
