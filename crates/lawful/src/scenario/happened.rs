//! What happened in a step: everything that an expectation can ask about.

use lawful_syntax::Diagnostic;

use super::document::{PromptOf, StepKind};
use super::expect::Decided;
use crate::live;
use crate::react::{Input, Session};
use crate::value::{Map, Value};
use crate::verify::Verdict;
use crate::view::{RuleView, SectionView, Verification};

/// What happened in a step.
#[derive(Clone, Debug)]
pub struct Happened {
    /// The kind of the step.
    pub kind: StepKind,
    /// The rules that fired, in order: of `rules/`, or of the composition that was resolved.
    pub fired: Vec<Box<str>>,
    /// The variables after the step.
    pub variables: Value,
    /// The variables that changed, with their values after the step; null if a variable is gone.
    pub changed: Map,
    /// The directives in force after the step, by id.
    pub directives: Vec<Box<str>>,
    /// What was requested from the host.
    pub effects: Vec<Value>,
    /// The decision, if guards decide on such a step.
    pub decision: Option<Decided>,
    /// What made the decision.
    pub by: Vec<Box<str>>,
    /// The verdict, if an envelope was judged.
    pub verdict: Option<Verdict>,
    /// The predicates that failed, by name, or by index if they have none.
    pub failed: Vec<Box<str>>,
    /// The predicates that were skipped.
    pub skipped: Vec<Box<str>>,
    /// The predicates that were undecided.
    pub undecided: Vec<Box<str>>,
    /// The diagnostics of the step.
    pub diagnostics: Vec<Diagnostic>,
    /// The prompt, if the step composed one.
    pub prompt: Option<Prompted>,
    /// The steps of the session that were taken, each from the session before it.
    pub(super) taken: Vec<(Session, Input)>,
    /// The event that guards decided on, the session before it, and what they knew of the host.
    pub(super) decided: Option<Box<(live::Event, Session, live::Host)>>,
    /// Why the decision is what it is, if no guard made it.
    pub(super) reason: Option<String>,
    /// The findings on the envelope.
    pub(super) verification: Option<Verification>,
}

/// A prompt that was composed.
#[derive(Clone, Debug)]
pub struct Prompted {
    /// Which one.
    pub of: PromptOf,
    /// Its text.
    pub text: String,
    /// Its parts, in order.
    pub sections: Vec<SectionView>,
    /// What the session inserts into the history instead.
    pub history: Vec<String>,
    /// The rules of its composition, if it has one.
    pub rules: Vec<RuleView>,
    /// The composition that was resolved, if there was one, and its context.
    pub(super) composition: Option<(Box<str>, Value)>,
    /// The warnings.
    pub(super) warnings: Vec<Diagnostic>,
}

impl Prompted {
    /// The ids of its parts, in order: fragments and insertions.
    pub fn order(&self) -> impl Iterator<Item = &str> {
        self.sections.iter().map(|section| section.id.as_str())
    }

    /// Everything that reaches the model: the prompt, and what is inserted into the history.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.text.as_str()).chain(self.history.iter().map(String::as_str))
    }
}

impl Happened {
    pub(super) fn new(kind: StepKind) -> Self {
        Self {
            kind,
            fired: Vec::new(),
            variables: Value::Null,
            changed: Map::new(),
            directives: Vec::new(),
            effects: Vec::new(),
            decision: None,
            by: Vec::new(),
            verdict: None,
            failed: Vec::new(),
            skipped: Vec::new(),
            undecided: Vec::new(),
            diagnostics: Vec::new(),
            prompt: None,
            taken: Vec::new(),
            decided: None,
            reason: None,
            verification: None,
        }
    }

    /// Records the session after the step.
    pub(super) fn end(&mut self, before: &Session, after: &Session) {
        self.variables = after.variables.clone();
        self.directives = after.directives.iter().map(|one| one.id.clone()).collect();
        let none = Map::new();
        let of = |session: &Session| match &session.variables {
            Value::Map(map) => map.clone(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::List(_) => {
                none.clone()
            }
        };
        let (before, after) = (of(before), of(after));
        for (name, value) in after.iter() {
            if before.get(name) != Some(value) {
                self.changed.insert(name, value.clone());
            }
        }
        for (name, _) in before.iter().filter(|(name, _)| after.get(name).is_none()) {
            self.changed.insert(name, Value::Null);
        }
    }

    /// Records the findings on an envelope.
    pub(super) fn judged(&mut self, verification: Verification) {
        self.verdict = Some(verification.verdict);
        for predicate in &verification.predicates {
            let label = || match &predicate.name {
                Some(name) => name.as_str().into(),
                None => predicate.index.to_string().into(),
            };
            match predicate.outcome {
                "fail" => self.failed.push(label()),
                "skipped" => self.skipped.push(label()),
                "undecided" => self.undecided.push(label()),
                _ => {}
            }
        }
        self.diagnostics.extend(verification.diagnostics.iter().cloned());
        self.verification = Some(verification);
    }
}
