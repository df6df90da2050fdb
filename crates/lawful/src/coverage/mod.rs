//! Coverage: what the scenarios of a lawbook reach, and what would reach the rest.
//!
//! | counted | covered when |
//! |---|---|
//! | each rule and reaction, and each rule of a composition | it fired |
//! | each condition, twice | it was true; it was false |
//! | each fragment | it was in a prompt |
//! | each predicate of the rulespec, twice | it passed; it failed |
//! | each guard | it decided as it says: deny, ask or allow |
//!
//! A condition is a written `when` or `conditions`, or a saved condition. The side of a condition
//! that no context can have is not counted.
//!
//! **Invariant:** what is covered and what is missing add up to the total. A context is shown only if
//! the evaluator confirmed it.

mod missing;
mod witness;

use lawful_syntax::Span;

pub use self::missing::{Lack, Missing, Subject};
use crate::cond::Condition;
use crate::cond::partition::Answer;
use crate::lawbook::Lawbook;
use crate::scenario::{ConditionOf, Seen, Touched};

/// What scenarios cover of a lawbook.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// Rules, reactions and rules of compositions.
    pub rules: Covered,
    /// Conditions, each counted for true and for false.
    pub conditions: Covered,
    /// Fragments.
    pub fragments: Covered,
    /// Predicates, each counted for pass and for fail.
    pub predicates: Covered,
    /// Guards.
    pub guards: Covered,
}

/// How much of one kind is covered.
#[derive(Clone, Debug, Default)]
pub struct Covered {
    /// How many are covered.
    pub covered: usize,
    /// How many there are.
    pub total: usize,
    /// Those that are not covered, in the order of the lawbook.
    pub missing: Vec<Missing>,
}

impl Coverage {
    /// What these scenarios cover.
    pub(crate) fn of(book: &Lawbook, touched: &Touched) -> Self {
        let mut coverage = Self::default();
        coverage.rules(book, touched);
        coverage.conditions(book, touched);
        coverage.fragments(book, touched);
        coverage.predicates(book, touched);
        coverage.guards(book, touched);
        coverage
    }

    /// Each kind with its name.
    pub fn kinds(&self) -> [(&'static str, &Covered); 5] {
        [
            ("rules", &self.rules),
            ("conditions", &self.conditions),
            ("fragments", &self.fragments),
            ("predicates", &self.predicates),
            ("guards", &self.guards),
        ]
    }

    /// Whether nothing is missing.
    pub fn is_complete(&self) -> bool {
        self.kinds().iter().all(|(_, covered)| covered.missing.is_empty())
    }

    fn rules(&mut self, book: &Lawbook, touched: &Touched) {
        for composition in book.compositions().all() {
            for (index, rule) in composition.rules.iter().enumerate() {
                let name = composition.name.clone();
                let fired = touched.composition_rules.contains(&(name.clone(), index));
                let subject = Subject::CompositionRule(name, index);
                self.rules.count(fired, || Missing::new(book, subject, Lack::Fired, rule.span));
            }
        }
        for (_, rule) in book.rules().all() {
            let subject = Subject::Rule(rule.id.clone());
            let fired = touched.rules.contains(&rule.id);
            self.rules.count(fired, || Missing::new(book, subject, Lack::Fired, rule.span));
        }
    }

    fn conditions(&mut self, book: &Lawbook, touched: &Touched) {
        for (of, place) in conditions(book) {
            let seen = touched.conditions.get(&of).copied().unwrap_or_default();
            self.conditions.sides(book, &Subject::Condition(of), seen, place);
        }
    }

    fn fragments(&mut self, book: &Lawbook, touched: &Touched) {
        for (_, fragment) in book.compositions().fragments() {
            let subject = Subject::Fragment(fragment.id.clone());
            let used = touched.fragments.contains(&fragment.id);
            let missing = || Missing::new(book, subject, Lack::InPrompt, fragment.id_span);
            self.fragments.count(used, missing);
        }
    }

    fn predicates(&mut self, book: &Lawbook, touched: &Touched) {
        let Some(rulespec) = book.rulespec() else { return };
        for (index, predicate) in rulespec.predicates.iter().enumerate() {
            let seen = touched.predicates.get(&index).copied().unwrap_or_default();
            for (side, lack) in [(seen.yes, Lack::Pass), (seen.no, Lack::Fail)] {
                let subject = Subject::Predicate(index);
                let missing = || Missing::new(book, subject, lack, predicate.span);
                self.predicates.count(side, missing);
            }
        }
    }

    fn guards(&mut self, book: &Lawbook, touched: &Touched) {
        for (_, guard) in book.guards().all() {
            let decided = touched.guards.get(&guard.id);
            let acted = decided.is_some_and(|all| all.contains(guard.decision.name()));
            let subject = Subject::Guard(guard.id.clone());
            self.guards.count(acted, || Missing::new(book, subject, Lack::Decision, guard.span));
        }
    }
}

impl Covered {
    fn count(&mut self, is_covered: bool, missing: impl FnOnce() -> Missing) {
        self.total += 1;
        if is_covered {
            self.covered += 1;
        } else {
            self.missing.push(missing());
        }
    }

    /// Counts both sides of a condition, without a side that it cannot have.
    fn sides(&mut self, book: &Lawbook, subject: &Subject, seen: Seen, place: Span) {
        for (side, lack) in [(seen.yes, Lack::True), (seen.no, Lack::False)] {
            if side {
                self.total += 1;
                self.covered += 1;
                continue;
            }
            let missing = Missing::new(book, subject.clone(), lack, place);
            if missing.reach != Answer::No {
                self.total += 1;
                self.missing.push(missing);
            }
        }
    }
}

/// Every condition that is written, with its place.
fn conditions(book: &Lawbook) -> Vec<(ConditionOf, Span)> {
    let mut all = Vec::new();
    let written = |condition: &Condition| !condition.is_always();
    for saved in book.registry().saved().filter(|saved| written(&saved.tree)) {
        all.push((ConditionOf::Saved(saved.id.clone()), saved.id_span));
    }
    for composition in book.compositions().all() {
        for (index, rule) in composition.rules.iter().enumerate() {
            if written(&rule.when) {
                let of = ConditionOf::CompositionRule(composition.name.clone(), index);
                all.push((of, rule.when.span));
            }
        }
    }
    for (_, rule) in book.rules().all().filter(|(_, rule)| written(&rule.when)) {
        all.push((ConditionOf::Rule(rule.id.clone()), rule.when.span));
    }
    for (_, guard) in book.guards().all().filter(|(_, guard)| written(&guard.when)) {
        all.push((ConditionOf::Guard(guard.id.clone()), guard.when.span));
    }
    for (index, predicate) in
        book.rulespec().iter().flat_map(|spec| spec.predicates.iter().enumerate())
    {
        if predicate.is_conditional() {
            all.push((ConditionOf::Predicate(index), predicate.span));
        }
    }
    all
}

#[cfg(test)]
pub(crate) mod tests;
