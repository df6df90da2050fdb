//! The library: resolving a composition of a book that is loaded once.

use std::hint::black_box;

use lawful::Value;
use lawful::book::{Book, Options, load};
use lawful::compose::{Composition, Compositions, FragmentId};
use lawful::syntax::Diagnostic;
use crate::read::{messages, value};

use super::book::{EVERYTHING, NAME, PROMPT, Plan as Generated, Shape};
use super::naive;
use crate::Result;
use crate::measure::{Plan, quartiles, rounds, thread_seconds};

/// The sets of rules, by size.
pub const SIZES: [usize; 3] = [20, 200, 2000];

/// What is timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Everything that a prompt needs.
    Plain,
    /// With the list after each rule.
    Lists,
    /// The same final list as a base without rules: what is left is rendering.
    NoRules,
}

/// One figure.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The shape of the composition.
    pub shape: &'static str,
    /// How many rules it has.
    pub rules: usize,
    /// What was timed.
    pub mode: Mode,
    /// The share of rules that fire, over all contexts.
    pub firing: f64,
    /// The mean length of the final list.
    pub length: f64,
    /// The mean length of the prompt in bytes.
    pub bytes: f64,
    /// The mean number of warnings.
    pub warnings: f64,
    /// Microseconds for one resolution: lower quartile, median, upper quartile.
    pub time: [f64; 3],
}

/// A loaded book with the contexts to resolve in.
struct Case {
    shape: Shape,
    rules: usize,
    book: Book,
    compositions: Compositions,
    contexts: Vec<Value>,
    firing: f64,
    length: f64,
    bytes: f64,
    warnings: f64,
}

/// The composition in the same book that has the final list as its base and no rules, for a context.
fn ruleless(at: usize) -> String {
    format!("still-{at}")
}

/// A composition by its name.
pub(super) fn named<'c>(compositions: &'c Compositions, name: &str) -> Result<&'c Composition> {
    let found = compositions.all().iter().find(|composition| &*composition.name == name);
    found.ok_or_else(|| format!("there is no composition `{name}`").into())
}

/// Checks every answer, and then times every case in turns. `spoil` makes the naive answer wrong, to
/// see that the check works.
pub fn measure(plan: &Plan, spoil: bool) -> Result<Vec<Figure>> {
    let mut cases = Vec::new();
    for shape in [PROMPT, EVERYTHING] {
        for rules in SIZES {
            eprintln!("checking {} at {rules} rules", shape.label);
            cases.push(Case::new(shape, rules, spoil)?);
        }
    }
    let mut runners = Vec::new();
    for case in &cases {
        for mode in [Mode::Plain, Mode::Lists, Mode::NoRules] {
            runners.push(Runner::new(case, mode, plan)?);
        }
    }
    eprintln!("timing");
    for _ in 0..plan.batches {
        for runner in &mut runners {
            let time = runner.batch();
            runner.times.push(time);
        }
    }
    Ok(runners.iter().map(Runner::figure).collect())
}

impl Case {
    fn new(shape: Shape, rules: usize, spoil: bool) -> Result<Self> {
        let generated = Generated::new(shape, rules);
        let mut source = generated.source();
        let mut answers = Vec::new();
        for (at, facts) in generated.contexts.iter().enumerate() {
            let mut answer = naive::resolve(&generated, facts);
            if spoil {
                answer.order.reverse();
            }
            let name = ruleless(at);
            let text = format!("name: {name}\nbase: [{}]\n", answer.order.join(", "));
            source = source.with(&format!("compositions/{name}.yaml"), text);
            answers.push(answer);
        }
        let (book, mut problems) =
            load(&source, Options::default()).map_err(|error| error.to_string())?;
        let (compositions, more) = Compositions::decode(&book);
        problems.extend(more);
        if problems.iter().any(Diagnostic::is_error) {
            return Err(messages(&problems).into());
        }
        let contexts = generated.contexts.iter().map(|facts| value(&facts.yaml())).collect();
        let mut case = Self {
            shape,
            rules,
            book,
            compositions,
            contexts,
            firing: 0.0,
            length: 0.0,
            bytes: 0.0,
            warnings: 0.0,
        };
        case.check(&answers)?;
        Ok(case)
    }

    fn composition(&self, name: &str) -> Result<&Composition> {
        named(&self.compositions, name)
    }

    /// Every answer against the naive one, with lists and without, and the same list without rules.
    fn check(&mut self, answers: &[naive::Answer]) -> Result<()> {
        let (mut fired, mut length, mut bytes, mut warnings) = (0, 0, 0, 0);
        for (at, (context, answer)) in self.contexts.iter().zip(answers).enumerate() {
            let resolve = |name: &str, with_lists: bool| -> Result<_> {
                let composition = self.composition(name)?;
                Ok(self.compositions.resolve(composition, context, &self.book.sources, with_lists))
            };
            let plain = resolve(NAME, false)?;
            let lists = resolve(NAME, true)?;
            let still = resolve(&ruleless(at), false)?;
            for resolution in [&plain, &lists, &still] {
                let order = self.same(&resolution.order, &answer.order);
                if !order || resolution.prompt.text != answer.text {
                    return Err(self.void(at, "the order or the prompt"));
                }
            }
            for resolution in [&plain, &lists] {
                let found = resolution.trace.rows.iter().map(|row| row.fired);
                if !found.eq(answer.fired.iter().copied()) {
                    return Err(self.void(at, "which rules fire"));
                }
            }
            let mut rows = lists.trace.rows.iter().zip(&answer.after);
            if !rows.all(|(row, after)| self.same(&row.after, after)) {
                return Err(self.void(at, "the list after a rule"));
            }
            fired += answer.fired.iter().filter(|fired| **fired).count();
            length += answer.order.len();
            bytes += answer.text.len();
            warnings += plain.trace.warnings.len();
        }
        let all = answers.len();
        self.firing = mean(fired, all * self.rules);
        self.length = mean(length, all);
        self.bytes = mean(bytes, all);
        self.warnings = mean(warnings, all);
        Ok(())
    }

    fn same(&self, found: &[FragmentId], expected: &[String]) -> bool {
        let names = found.iter().map(|id| self.compositions.name(*id));
        names.eq(expected.iter().map(String::as_str))
    }

    fn void(&self, context: usize, what: &str) -> Box<dyn std::error::Error> {
        let label = self.shape.label;
        let rules = self.rules;
        format!(
            "void: {label} at {rules} rules, context {context}: Lawful and the naive implementation differ in {what}"
        )
        .into()
    }
}

struct Runner<'c> {
    case: &'c Case,
    mode: Mode,
    /// What is resolved in each context, and whether lists are kept.
    work: Vec<(&'c Composition, &'c Value)>,
    /// How many times a batch goes through the contexts.
    rounds: u32,
    times: Vec<f64>,
}

impl<'c> Runner<'c> {
    fn new(case: &'c Case, mode: Mode, plan: &Plan) -> Result<Self> {
        let mut work = Vec::new();
        for (at, context) in case.contexts.iter().enumerate() {
            let name = if mode == Mode::NoRules { ruleless(at) } else { NAME.to_owned() };
            work.push((case.composition(&name)?, context));
        }
        let mut runner = Self { case, mode, work, rounds: 1, times: Vec::new() };
        runner.rounds = rounds(plan, || runner.round());
        Ok(runner)
    }

    fn round(&self) {
        let Case { compositions, book, .. } = self.case;
        for (composition, context) in &self.work {
            let with_lists = self.mode == Mode::Lists;
            let context = black_box(*context);
            black_box(compositions.resolve(composition, context, &book.sources, with_lists));
        }
    }

    /// Microseconds for one resolution, over one batch.
    fn batch(&self) -> f64 {
        let start = thread_seconds();
        for _ in 0..self.rounds {
            self.round();
        }
        let took = (thread_seconds() - start) * 1e6;
        took / f64::from(self.rounds) / mean(self.work.len(), 1)
    }

    fn figure(&self) -> Figure {
        let Case { shape, rules, firing, length, bytes, warnings, .. } = *self.case;
        let time = quartiles(&self.times);
        Figure { shape: shape.label, rules, mode: self.mode, firing, length, bytes, warnings, time }
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts that are far from the edge")]
fn mean(sum: usize, count: usize) -> f64 {
    sum as f64 / count as f64
}
