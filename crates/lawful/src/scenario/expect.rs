//! What a step is expected to do.

use std::sync::Arc;

use lawful_syntax::Span;

use super::document::{PromptOf, StepKind};
use crate::cond::{CondId, Condition, ConditionSet};
use crate::value::{Map, Value};
use crate::verify::Verdict;

/// The expectations of one step. Each must hold.
#[derive(Clone, Debug)]
pub struct Expect {
    /// Where the mapping is written.
    pub span: Span,
    /// A condition on the variables after the step.
    pub state: Option<StateTest>,
    /// The rules that fire.
    pub fired: Option<Listed>,
    /// The rules that do not fire.
    pub not_fired: Option<Listed>,
    /// The guards that make the decision.
    pub by: Option<Listed>,
    /// The directives that are in force after the step.
    pub directives: Option<Listed>,
    /// What is requested from the host: fields with their values.
    pub effects: Option<Listed<Map>>,
    /// The decision of the guards.
    pub decision: Option<(Decided, Span)>,
    /// The verdict on the envelope.
    pub verdict: Option<(Verdict, Span)>,
    /// The predicates that fail.
    pub failed: Option<Listed>,
    /// The predicates that are skipped.
    pub skipped: Option<Listed>,
    /// The predicates that are undecided.
    pub undecided: Option<Listed>,
    /// The codes of the diagnostics.
    pub diagnostics: Option<Listed>,
    /// The prompt after the step.
    pub prompt: Option<PromptTest>,
}

impl Expect {
    /// The keys of an expectation.
    pub(crate) const KEYS: [&'static str; 13] = [
        "state",
        "fired",
        "not-fired",
        "by",
        "directives",
        "effects",
        "decision",
        "verdict",
        "failed",
        "skipped",
        "undecided",
        "diagnostics",
        "prompt",
    ];

    /// No expectation.
    pub(super) fn none(span: Span) -> Self {
        Self {
            span,
            state: None,
            fired: None,
            not_fired: None,
            by: None,
            directives: None,
            effects: None,
            decision: None,
            verdict: None,
            failed: None,
            skipped: None,
            undecided: None,
            diagnostics: None,
            prompt: None,
        }
    }

    /// Whether it expects nothing: `expect: {}`.
    pub fn is_empty(&self) -> bool {
        let Self { span: _, state, fired, not_fired, by, directives, effects, .. } = self;
        let Self { decision, verdict, failed, skipped, undecided, diagnostics, prompt, .. } = self;
        let lists = [fired, not_fired, by, directives, failed, skipped, undecided, diagnostics];
        lists.into_iter().all(Option::is_none)
            && (state.is_none() && effects.is_none() && decision.is_none())
            && (verdict.is_none() && prompt.is_none())
    }

    /// Whether a step of this kind can meet an expectation; else why it cannot.
    pub(super) fn fits(key: &str, kind: StepKind) -> Result<(), &'static str> {
        match key {
            "decision" | "by" if !kind.is_decided() => {
                Err("guards decide only on `prompt`, `tool` and `stop`")
            }
            "verdict" | "failed" | "skipped" | "undecided" if !kind.is_judged() => {
                Err("only `envelope` and `stop` judge an envelope")
            }
            "effects" if !kind.is_step() => Err("it is not a step of the session"),
            "fired" | "not-fired" if !kind.is_step() && kind != StepKind::Compose => {
                Err("it is not a step of the session")
            }
            "diagnostics" if kind == StepKind::Rewind => Err("it only goes back"),
            _ => Ok(()),
        }
    }
}

/// A list of what is expected: these among others, or exactly these. The order does not matter.
#[derive(Clone, Debug)]
pub struct Listed<T = Box<str>> {
    /// The items.
    pub items: Vec<(T, Span)>,
    /// Whether there must be no others.
    pub exactly: bool,
    /// Where it is written.
    pub span: Span,
}

/// The decision on an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decided {
    /// It is denied, or the agent may not stop.
    Deny,
    /// A person is asked.
    Ask,
    /// It is allowed.
    Allow,
    /// No guard acts.
    None,
}

impl Decided {
    /// Every decision with its name.
    pub const NAMES: [(&'static str, Self); 4] =
        [("deny", Self::Deny), ("ask", Self::Ask), ("allow", Self::Allow), ("none", Self::None)];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Deny => "deny",
            Self::Ask => "ask",
            Self::Allow => "allow",
            Self::None => "none",
        }
    }
}

/// A condition on the variables.
#[derive(Clone, Debug)]
pub struct StateTest {
    /// The condition, as written.
    pub condition: Condition,
    /// The same as data.
    pub(super) written: Value,
    /// Where it is written.
    pub span: Span,
    pub(super) compiled: Arc<(ConditionSet, CondId)>,
}

/// An expectation on a prompt.
#[derive(Clone, Debug)]
pub struct PromptTest {
    /// Where it is written.
    pub span: Span,
    /// Which prompt; `None` for the one that the step composes.
    pub of: Option<(PromptOf, Span)>,
    /// Texts that it contains.
    pub contains: Vec<(Box<str>, Span)>,
    /// Texts that it does not contain.
    pub lacks: Vec<(Box<str>, Span)>,
    /// Ids of its parts in this order; others may stand between them.
    pub order: Vec<(Box<str>, Span)>,
}
