//! One thing that no scenario covers.

use lawful_syntax::{Span, escape};

use super::witness::witness;
use crate::cond::partition::Answer;
use crate::lawbook::Lawbook;
use crate::scenario::ConditionOf;

/// Something that is not covered.
#[derive(Clone, Debug)]
pub struct Missing {
    /// What it is.
    pub subject: Subject,
    /// What was not seen of it.
    pub lacks: Lack,
    /// Where it is written.
    pub place: Span,
    /// A context that would reach it, or that no context does. Contexts are as [`Subject`] says.
    pub reach: Answer,
}

/// What is covered or not.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// A rule of a composition, by name and index. Its witness is a context.
    CompositionRule(Box<str>, usize),
    /// A rule or reaction. Its witness has the variables.
    Rule(Box<str>),
    /// A condition. Its witness is what the condition reads.
    Condition(ConditionOf),
    /// A fragment. Its witness is a context.
    Fragment(Box<str>),
    /// A predicate, by index. Its witness has the facts, and under `observed` the observation.
    Predicate(usize),
    /// A guard. Its witness has `event` and `state`.
    Guard(Box<str>),
}

/// What was not seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lack {
    /// A rule never fired.
    Fired,
    /// A condition was never true.
    True,
    /// A condition was never false.
    False,
    /// A fragment was in no prompt.
    InPrompt,
    /// A predicate never passed.
    Pass,
    /// A predicate never failed.
    Fail,
    /// A guard never decided.
    Decision,
}

impl Lack {
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fired => "fired",
            Self::True => "true",
            Self::False => "false",
            Self::InPrompt => "in-prompt",
            Self::Pass => "pass",
            Self::Fail => "fail",
            Self::Decision => "decision",
        }
    }

    fn said(self) -> &'static str {
        match self {
            Self::Fired => "never fired",
            Self::True => "was never true",
            Self::False => "was never false",
            Self::InPrompt => "was in no prompt",
            Self::Pass => "never passed",
            Self::Fail => "never failed",
            Self::Decision => "never decided",
        }
    }
}

impl Missing {
    pub(super) fn new(book: &Lawbook, subject: Subject, lacks: Lack, place: Span) -> Self {
        let reach = witness(book, &subject, lacks);
        Self { subject, lacks, place, reach }
    }

    /// What is missing, in one line.
    pub fn what(&self, book: &Lawbook) -> String {
        format!("{} {}", self.subject.described(book), self.lacks.said())
    }
}

impl Subject {
    /// Its name: an id, or `NAME#INDEX` for a rule of a composition.
    pub fn name(&self, book: &Lawbook) -> String {
        match self {
            Self::CompositionRule(name, index) => {
                let composition = book.compositions().get(name).ok();
                let id = composition.and_then(|composition| composition.rule_id(*index));
                format!("{name}#{}", id.map_or_else(|| index.to_string(), str::to_owned))
            }
            Self::Rule(id) | Self::Fragment(id) | Self::Guard(id) => id.to_string(),
            Self::Predicate(index) => predicate(book, *index),
            Self::Condition(of) => of_condition(of).name(book),
        }
    }

    /// As a sentence names it: "rule `greet`".
    fn described(&self, book: &Lawbook) -> String {
        let name = self.name(book);
        let name = escape::name(&name);
        match self {
            Self::CompositionRule(..) | Self::Rule(_) => format!("rule `{name}`"),
            Self::Fragment(_) => format!("fragment `{name}`"),
            Self::Guard(_) => format!("guard `{name}`"),
            Self::Predicate(_) => format!("predicate `{name}`"),
            Self::Condition(ConditionOf::Saved(_)) => format!("condition `{name}`"),
            Self::Condition(of) => {
                format!("the condition of {}", of_condition(of).described(book))
            }
        }
    }
}

/// What a condition belongs to. A saved condition is named like a rule.
fn of_condition(of: &ConditionOf) -> Subject {
    match of {
        ConditionOf::Saved(id) | ConditionOf::Rule(id) => Subject::Rule(id.clone()),
        ConditionOf::CompositionRule(name, index) => Subject::CompositionRule(name.clone(), *index),
        ConditionOf::Guard(id) => Subject::Guard(id.clone()),
        ConditionOf::Predicate(index) => Subject::Predicate(*index),
    }
}

/// The name of a predicate, or its index.
fn predicate(book: &Lawbook, index: usize) -> String {
    let predicate = book.rulespec().and_then(|rulespec| rulespec.predicates.get(index));
    let name = predicate.and_then(|predicate| predicate.name.as_deref());
    name.map_or_else(|| index.to_string(), str::to_owned)
}
