//! Derivations: explain a verdict down to the facts, in the terms of the rulespec.

use std::ops::ControlFlow;

use lawful_datalog::{By, Constant, Datum, Derivation, Reason, RelationId};
use lawful_syntax::escape;

use lawful_syntax::Span;

use super::finding::{Findings, Step};
use super::judge::{Judge, Judgement};
use super::rulespec::Subject;
use super::symbol::encode;
use crate::cond::Operator;
use crate::value::Value;

/// How many facts an explanation expands.
const MOST: usize = 200;

impl Findings<'_> {
    /// The derivation of the verdict on a predicate. If the predicate only counts the facts of a
    /// relation, the derivation of the first fact is added.
    pub(super) fn derivation(
        &self,
        judge: &Judge<'_>,
        index: usize,
        outcome: Judgement,
    ) -> Option<Vec<Step>> {
        let law = &judge.rulespec.law;
        let relation = match outcome {
            Judgement::Pass => law.names.pass,
            Judgement::Fail => law.names.fail,
            Judgement::Skipped => law.names.skipped,
            Judgement::Undecided => law.names.undecided,
        };
        let number = *judge.indexes.get(index)?;
        let mut steps = vec![self.step(judge, &judge.run.why(relation, &[number], MOST)?)];
        // A count does not show where its facts come from.
        let predicate = judge.rulespec.predicates.get(index)?;
        if let Subject::Relation(name) = &predicate.subject
            && matches!(predicate.rule, Operator::MinLength | Operator::MaxLength)
            && let Some(id) = law.compiled.program().find(name)
            && let Some(row) = judge.run.rows(id).next()
            && !steps.iter().any(|step| step.shows(&shorten(&judge.run.show(id, &row))))
        {
            steps.extend(judge.run.why(id, &row, MOST).map(|why| self.step(judge, &why)));
        }
        Some(steps)
    }

    /// The derivation of the first fact of a relation.
    pub(super) fn relation_place(&self, judge: &Judge<'_>, name: &str) -> Option<Span> {
        fn first(step: &Step) -> Option<Span> {
            step.place.or_else(|| step.from.iter().find_map(first))
        }
        let id = judge.rulespec.law.compiled.program().find(name)?;
        let row = judge.run.rows(id).next()?;
        first(&self.step(judge, &judge.run.why(id, &row, MOST)?))
    }

    fn step(&self, judge: &Judge<'_>, derivation: &Derivation) -> Step {
        let values: Vec<Option<Constant>> = derivation.values.iter().copied().map(Some).collect();
        let mut step = self.fact(judge, derivation.relation, &values);
        match &derivation.by {
            By::Given => {
                let own = self.tuple_place(judge, derivation.relation, &derivation.values);
                step.place = step.place.or(own);
            }
            By::Cut => step.says = Some("more not shown".to_owned()),
            By::Rule(_, reasons) => {
                step.from = reasons.iter().map(|reason| self.reason(judge, reason)).collect();
            }
        }
        step
    }

    fn reason(&self, judge: &Judge<'_>, reason: &Reason) -> Step {
        match reason {
            Reason::Fact(fact) => self.step(judge, fact),
            Reason::Absent(relation, form, obstacles) => {
                let step = self.fact(judge, *relation, form);
                let from = obstacles.iter().map(|reason| self.reason(judge, reason)).collect();
                let says = step.says.map(|says| format!("not: {says}"));
                Step { fact: format!("no {}", step.fact), says, from, ..step }
            }
            Reason::Compared(left, comparison, right) => {
                let shown = |value: &Constant| match judge.run.constants.datum(*value) {
                    Datum::Number(number) => number.to_string(),
                    Datum::Symbol(text) => shorten(&format!("\"{text}\"")),
                    Datum::Boolean(boolean) => boolean.to_string(),
                };
                let fact = format!("{} {} {}", shown(left), comparison.sign(), shown(right));
                Step { fact, says: None, place: None, from: Vec::new() }
            }
            Reason::Counted(relation, form, count) => {
                let step = self.fact(judge, *relation, form);
                Step { fact: format!("{count} of {}", step.fact), ..step }
            }
        }
    }

    /// The place of the value that a tuple of a relation comes from.
    fn tuple_place(
        &self,
        judge: &Judge<'_>,
        relation: RelationId,
        tuple: &[Constant],
    ) -> Option<Span> {
        let relation = judge.rulespec.relations.iter().find(|one| one.id == relation)?;
        let is = |value: &Value, constant: &Constant| match (
            value,
            judge.run.constants.datum(*constant),
        ) {
            (Value::Number(number), Datum::Number(other)) => number.as_i64() == Some(other),
            (Value::Text(text), Datum::Symbol(symbol)) => encode((&**text).into()) == symbol,
            (Value::Bool(value), Datum::Boolean(other)) => *value == other,
            (_, _) => false,
        };
        let mut at = 0;
        let found = self.facts().visit(&relation.from, &mut |slot| {
            let fits = slot.is_some_and(|value| {
                relation.columns.iter().zip(tuple).all(|(column, constant)| match column {
                    None => is(value, constant),
                    Some(path) => path
                        .visit(value, &mut |slot| match slot {
                            Some(value) if is(value, constant) => ControlFlow::Break(()),
                            Some(_) | None => ControlFlow::Continue(()),
                        })
                        .is_break(),
                })
            });
            at += 1;
            if fits { ControlFlow::Break(at - 1) } else { ControlFlow::Continue(()) }
        });
        self.place_of(&relation.from, found.break_value()?)
    }

    /// A fact, and its meaning if it is about the envelope.
    fn fact(&self, judge: &Judge<'_>, relation: RelationId, form: &[Option<Constant>]) -> Step {
        let law = &judge.rulespec.law;
        let number = |at: usize| -> Option<usize> {
            match judge.run.constants.datum((*form.get(at)?)?) {
                Datum::Number(number) => usize::try_from(number).ok(),
                Datum::Symbol(_) | Datum::Boolean(_) => None,
            }
        };
        let names = &law.names;
        let (watch, asked) = if [names.yes, names.listed].contains(&relation) {
            match number(0).and_then(|test| law.tests.get(test)) {
                Some((watch, asked)) => (Some(*watch), asked.as_str()),
                None => (None, ""),
            }
        } else if relation == names.present {
            (number(0), "exists")
        } else if relation == names.slot {
            (number(0), "is a slot")
        } else {
            (None, "")
        };
        let watch = watch.and_then(|watch| law.watches.get(watch));
        let slot = number(1);
        let says = watch.map(|watch| match slot.filter(|_| watch.path.is_wild()) {
            Some(slot) => format!("slot {slot} of {} {asked}", watch.path),
            None => format!("{} {asked}", watch.path),
        });
        let key = number(0).filter(|_| relation == names.unseen);
        let unseen = key.and_then(|key| law.needs.keys.get(key));
        let says = says.or_else(|| unseen.map(|key| format!("{key} was not observed")));
        Step {
            fact: shorten(&judge.run.show_form(relation, form)),
            says,
            place: watch.and_then(|watch| self.place_of(&watch.path, slot.unwrap_or(0))),
            from: Vec::new(),
        }
    }
}

fn shorten(fact: &str) -> String {
    escape::shorten(fact, 200).into_owned()
}

impl Step {
    fn shows(&self, fact: &str) -> bool {
        self.fact == fact || self.from.iter().any(|step| step.shows(fact))
    }
}
