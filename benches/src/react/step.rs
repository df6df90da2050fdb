//! One step at two sizes of the book, with the same rules that match.

use std::hint::black_box;

use lawful::react::{Input, Rules, Session};

use super::book::{inputs, rules, source};
use crate::Result;
use crate::measure::{Plan, quartiles, rounds, thread_seconds};

/// How many rules.
pub const SIZES: [usize; 2] = [100, 10_000];

/// One size.
#[derive(Clone, Debug)]
pub struct Figure {
    /// How many rules the book has.
    pub rules: usize,
    /// How many of them fire in one round of the inputs.
    pub fired: usize,
    /// Microseconds for one step, one figure for each batch.
    pub batches: Vec<f64>,
}

impl Figure {
    /// The quartiles of the batches.
    pub fn time(&self) -> [f64; 3] {
        quartiles(&self.batches)
    }
}

struct Runner {
    rules: Rules,
    session: Session,
    inputs: Vec<Input>,
    rounds: u32,
    figure: Figure,
}

/// Checks that both sizes answer the same, and then times them in turns.
pub fn measure(plan: &Plan, spoil: bool) -> Result<Vec<Figure>> {
    let mut runners = Vec::new();
    let mut answers = Vec::new();
    for size in SIZES {
        eprintln!("checking steps at {size} rules");
        let rules = rules(&source(size))?;
        let session = rules.start();
        let inputs = inputs()?;
        let mut answer = Vec::new();
        let mut fired = 0;
        for input in &inputs {
            let step = rules.step(session.clone(), input);
            fired += step.trace.fired.len();
            let ids: Vec<String> = step
                .trace
                .fired
                .iter()
                .map(|firing| rules.rule(firing.rule).id.to_string())
                .collect();
            answer.push((ids, step.session.to_json(), step.effects.len()));
        }
        if spoil && size == SIZES[1] {
            answer.reverse();
        }
        answers.push(answer);
        let figure = Figure { rules: rules.all().count(), fired, batches: Vec::new() };
        runners.push(Runner { rules, session, inputs, rounds: 1, figure });
    }
    if answers.windows(2).any(|pair| pair.first() != pair.last()) {
        return Err("void: a step differs with rules that do not match".into());
    }
    for runner in &mut runners {
        runner.rounds = rounds(plan, || runner.round());
    }
    eprintln!("timing steps");
    for _ in 0..plan.batches {
        for runner in &mut runners {
            let time = runner.batch();
            runner.figure.batches.push(time);
        }
    }
    Ok(runners.into_iter().map(|runner| runner.figure).collect())
}

impl Runner {
    fn round(&self) {
        for input in &self.inputs {
            black_box(self.rules.step(self.session.clone(), black_box(input)));
        }
    }

    /// Microseconds for one step, over one batch.
    fn batch(&self) -> f64 {
        let start = thread_seconds();
        for _ in 0..self.rounds {
            self.round();
        }
        let took = (thread_seconds() - start) * 1e6;
        #[expect(clippy::cast_precision_loss, reason = "a handful of inputs")]
        let inputs = self.inputs.len() as f64;
        took / f64::from(self.rounds) / inputs
    }
}
