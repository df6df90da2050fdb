//! Translates the facts of an envelope to ground facts of the program: every answer that only the
//! evaluator can give.

use std::ops::ControlFlow;

use lawful_datalog::{Constant, Constants, Kind, RelationId, Run};
use lawful_syntax::{Diagnostic, escape};

use super::codes;
use super::law::{Law, Watch, is_observed, scalar};
use super::relations::FactRelation;
use super::rulespec::Rulespec;
use super::types::{Types, kind_of, values_of};
use crate::cond::Outcome;
use crate::cond::parts::Patterns;
use crate::limits::Limits;
use crate::path::{Path, Segment, Slots};
use crate::value::{Map, Value};

/// What is judged: what the agent states, and what the host saw.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'f> {
    /// The facts of the envelope.
    pub said: &'f Value,
    /// The observation, which selectors under `observed` read.
    pub seen: Option<&'f Value>,
}

impl<'f> Facts<'f> {
    /// The slots of a path, in order.
    pub(super) fn visit<B>(
        &self,
        path: &Path,
        visit: &mut impl FnMut(Option<&'f Value>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        self.slots(path).visit(visit)
    }

    /// The slots of a path.
    pub(super) fn slots<'p>(&self, path: &'p Path) -> Slots<'p, 'f> {
        if is_observed(path) {
            Slots { start: self.seen, segments: path.segments().get(1..).unwrap_or_default() }
        } else {
            path.slots(self.said.present())
        }
    }

    /// The value after the first segment of a path, and the remaining segments. Claims about one
    /// thing are adjacent, so the last lookup is cached.
    fn after_first<'p>(&self, path: &'p Path, last: &mut Step<'p, 'f>) -> Slots<'p, 'f> {
        let Some((first @ Segment::Key(_), rest)) = path.segments().split_first() else {
            return self.slots(path);
        };
        let start = match *last {
            Some((segment, value)) if segment == first => value,
            Some(_) | None => {
                let value = if is_observed(path) {
                    self.seen
                } else {
                    self.said.present().and_then(|said| first.step(said))
                };
                *last = Some((first, value));
                value
            }
        };
        Slots { start, segments: rest }
    }

    /// Whether some slot of a path has a value.
    pub(super) fn is_present(&self, path: &Path) -> bool {
        let found = |slot: Option<&Value>| match slot {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        };
        self.visit(path, &mut |slot| found(slot)).is_break()
    }

    /// Everything merged into one document.
    pub(super) fn merged(&self) -> Value {
        let mut all = if let Value::Map(map) = self.said { map.clone() } else { Map::new() };
        if let Some(seen) = self.seen {
            all.insert("observed", seen.clone());
        }
        Value::Map(all)
    }
}

/// An answer of the evaluator: a ground fact about small numbers, which have the same constants in
/// every run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    relation: RelationId,
    about: Constant,
    slot: Option<Constant>,
}

impl Answer {
    fn add_to(self, run: &mut Run<'_>) {
        match self.slot {
            Some(slot) => run.add(self.relation, &[self.about, slot]),
            None => run.add(self.relation, &[self.about]),
        }
    }
}

/// The answers that the tests of a rulespec have on facts, in order.
pub(super) fn answers(
    law: &Law,
    patterns: &Patterns,
    facts: Facts<'_>,
    constants: &mut Constants,
    answers: &mut Vec<Answer>,
) {
    let mut last = None;
    for watch in &law.watches {
        self::watch(law, watch, facts, &mut last, (constants, answers), patterns);
    }
    for (at, key) in law.needs.keys.iter().enumerate() {
        if !key.is_in(facts.seen) {
            let about = constants.number(i64::try_from(at).unwrap_or(i64::MAX));
            answers.push(Answer { relation: law.names.unseen, about, slot: None });
        }
    }
}

/// Whether the [answers](answers) are all the ground facts.
pub(super) fn are_all(rulespec: &Rulespec) -> bool {
    rulespec.relations.is_empty() && rulespec.law.hosts.is_empty()
}

/// Adds the answers of tests and of host primitives to a run of a program.
pub(super) fn add_answers(
    law: &Law,
    rulespec: &Rulespec,
    facts: Facts<'_>,
    answers: &[Answer],
    run: &mut Run<'_>,
) {
    for answer in answers {
        answer.add_to(run);
    }
    if !law.hosts.is_empty() {
        ask_hosts(law, rulespec, facts, run);
    }
}

/// Adds the tuples of the relations that a rulespec selects from the facts.
pub(super) fn add_tuples(
    rulespec: &Rulespec,
    facts: Facts<'_>,
    run: &mut Run<'_>,
    limits: &Limits,
) -> Result<(), Unfit> {
    let mut types = Types::default();
    for (at, relation) in rulespec.relations.iter().enumerate() {
        tuples(&rulespec.law, relation, facts, run, &mut types, limits)
            .map_err(|(problem, slot)| Unfit { problem, slot: (at, slot) })?;
    }
    Ok(())
}

/// Facts that do not fit the program.
pub(super) struct Unfit {
    pub problem: Box<Diagnostic>,
    /// The relation and the slot of its selector that caused the problem.
    pub slot: (usize, usize),
}

/// The first segment of a path, and its value.
type Step<'p, 'f> = Option<(&'p Segment, Option<&'f Value>)>;

fn watch<'p, 'f>(
    law: &Law,
    watch: &'p Watch,
    facts: Facts<'f>,
    last: &mut Step<'p, 'f>,
    (constants, answers): (&mut Constants, &mut Vec<Answer>),
    patterns: &Patterns,
) {
    let claim = watch.number;
    let mut add = |relation, about, slot| answers.push(Answer { relation, about, slot });
    let mut number: i64 = 0;
    let slots = facts.after_first(&watch.path, last);
    let _: ControlFlow<()> = slots.visit(&mut |slot: Option<&Value>| {
        let at = Some(constants.number(number));
        number += 1;
        if watch.slots {
            add(law.names.slot, claim, at);
        }
        if let Some(value) = slot {
            if watch.present {
                add(law.names.present, claim, at);
            }
            for (test, asked) in &watch.tests {
                if asked.on(value, patterns) {
                    add(law.names.yes, *test, at);
                }
            }
        }
        ControlFlow::Continue(())
    });
    for (test, leaf) in &watch.lists {
        if leaf.decide(slots, patterns).holds {
            add(law.names.listed, *test, None);
        }
    }
}

fn ask_hosts(law: &Law, rulespec: &Rulespec, facts: Facts<'_>, run: &mut Run<'_>) {
    let document = facts.merged();
    let mut asked = rulespec.set.run(&document);
    let names = &law.names;
    for (number, part) in &law.hosts {
        match asked.part(*part) {
            Outcome::True => run.add(names.said, &[*number]),
            Outcome::Error => run.add(names.failed, &[*number]),
            Outcome::False | Outcome::NotEvaluated => {}
        }
    }
}

/// One tuple for each present value of `from` and each combination of its columns' values. An error
/// includes the number of the slot.
fn tuples(
    law: &Law,
    relation: &FactRelation,
    facts: Facts<'_>,
    run: &mut Run<'_>,
    types: &mut Types,
    limits: &Limits,
) -> Result<(), (Box<Diagnostic>, usize)> {
    let mut number = 0;
    let flow = facts.visit(&relation.from, &mut |slot| {
        number += 1;
        // A tuple needs a value for each column. Without one, no value of the others is checked.
        let Some(values) = slot.and_then(|value| column_values(relation, value)) else {
            return ControlFlow::Continue(());
        };
        let mut columns: Vec<Vec<Constant>> = Vec::with_capacity(values.len());
        for (at, values) in values.into_iter().enumerate() {
            let class = law.compiled.kinds().class(relation.id, at);
            let declared = law.compiled.kinds().of(relation.id, at);
            let mut constants = Vec::with_capacity(values.len());
            for value in values {
                if let Err(problem) = check(relation, at, value, declared, class, types) {
                    return ControlFlow::Break(problem);
                }
                constants.extend(scalar(&mut run.constants, value));
            }
            columns.push(constants);
        }
        let many = columns.iter().fold(1_usize, |many, column| many.saturating_mul(column.len()));
        if many > limits.datalog.facts.saturating_sub(run.len(relation.id)) {
            let error = lawful_datalog::Exhausted::Facts(limits.datalog.facts);
            return ControlFlow::Break(out_of_fuel(error, relation));
        }
        for combination in 0..many {
            let mut rest = combination;
            let mut tuple = Vec::with_capacity(columns.len());
            for column in columns.iter().rev() {
                tuple.extend(column.get(rest % column.len()));
                rest /= column.len();
            }
            tuple.reverse();
            run.add(relation.id, &tuple);
        }
        ControlFlow::Continue(())
    });
    flow.break_value().map_or(Ok(()), |problem| Err((problem, number - 1)))
}

/// The present values of each column, or `None` if a column has none.
fn column_values<'v>(relation: &FactRelation, value: &'v Value) -> Option<Vec<Vec<&'v Value>>> {
    let values = |column: &Option<Path>| {
        let mut found = Vec::new();
        match column {
            None => found.push(value),
            Some(path) => {
                let _: ControlFlow<()> = path.visit(value, &mut |slot| {
                    found.extend(slot);
                    ControlFlow::Continue(())
                });
            }
        }
        (!found.is_empty()).then_some(found)
    };
    relation.columns.iter().map(values).collect()
}

fn check(
    relation: &FactRelation,
    column: usize,
    value: &Value,
    declared: Option<Kind>,
    class: usize,
    types: &mut Types,
) -> Result<(), Box<Diagnostic>> {
    let problem = |why: String| {
        let message = format!(
            "column {column} of the relation `{}` cannot contain {}: {why}",
            relation.name,
            escape::shorten(&value.to_string(), 80)
        );
        let help = "select a value inside it, or use one type in the facts; see `lawful explain unfit-column`";
        Box::new(Diagnostic::new(&codes::UNFIT_COLUMN, relation.span, message).help(help))
    };
    let Some(found) = kind_of(value) else {
        let why = match value {
            Value::Number(_) => "it is not a whole number".to_owned(),
            Value::Null | Value::Bool(_) | Value::Text(_) | Value::List(_) | Value::Map(_) => {
                format!("it is {}", value.kind_name())
            }
        };
        return Err(problem(why));
    };
    let given = match declared {
        Some(known) if known != found => Err(known),
        Some(_) => Ok(()),
        None => types.give(class, found),
    };
    given.map_err(|known| {
        problem(format!("its other values, or those compared with it, are {}", values_of(known)))
    })
}

fn out_of_fuel(error: lawful_datalog::Exhausted, relation: &FactRelation) -> Box<Diagnostic> {
    Box::new(
        Diagnostic::new(&codes::OUT_OF_FUEL, relation.span, error.to_string()).help(help_on(error)),
    )
}

/// What to do about a program that reached a limit.
pub(super) fn help_on(error: lawful_datalog::Exhausted) -> String {
    let help = "select less or write rules that derive less";
    match error {
        lawful_datalog::Exhausted::Facts(limit) => {
            Limits::help_on("datalog-facts", limit, help, |most| most.datalog.facts)
        }
        lawful_datalog::Exhausted::Derivations(limit) => {
            Limits::help_on("datalog-derivations", limit, help, |most| most.datalog.derivations)
        }
    }
}
