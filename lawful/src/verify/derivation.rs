//! How a verdict came about, down to the facts, in the words of the rulespec.

use lawful_datalog::{By, Constant, Datum, Derivation, Reason, RelationId};
use lawful_syntax::escape;

use super::finding::{Findings, Step};
use super::judge::{Judge, Judgement};
use super::rulespec::Subject;

/// How many facts an explanation goes into.
const MOST: usize = 200;

impl Findings<'_> {
    /// How the program came to the verdict on a predicate; and, for one that only counts the facts
    /// of a relation, to the first of them.
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
        };
        let number = *judge.indexes.get(index)?;
        let mut steps = vec![self.step(judge, &judge.run.why(relation, &[number], MOST)?)];
        if let Subject::Relation(name) = &judge.rulespec.predicates.get(index)?.subject
            && let Some(id) = law.compiled.program().find(name)
            && let Some(row) = judge.run.rows(id).next()
            && !steps.iter().any(|step| step.shows(&shorten(&judge.run.show(id, &row))))
        {
            steps.extend(judge.run.why(id, &row, MOST).map(|why| self.step(judge, &why)));
        }
        Some(steps)
    }

    fn step(&self, judge: &Judge<'_>, derivation: &Derivation) -> Step {
        let values: Vec<Option<Constant>> = derivation.values.iter().copied().map(Some).collect();
        let mut step = self.fact(judge, derivation.relation, &values);
        match &derivation.by {
            By::Given => {}
            By::Cut => step.says = Some("and so on".to_owned()),
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

    /// A fact with what it says, for those that say something of an envelope.
    fn fact(&self, judge: &Judge<'_>, relation: RelationId, form: &[Option<Constant>]) -> Step {
        let law = &judge.rulespec.law;
        let number = |at: usize| -> Option<usize> {
            match judge.run.constants.datum((*form.get(at)?)?) {
                Datum::Number(number) => usize::try_from(number).ok(),
                Datum::Symbol(_) => None,
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
        let places = watch.map(|watch| self.places(&watch.path)).unwrap_or_default();
        Step {
            fact: shorten(&judge.run.show_form(relation, form)),
            says,
            place: places.get(slot.unwrap_or(0)).copied(),
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
