//! A step that was taken: typed for whoever renders it, and as the texts that the store keeps.

use lawful::react::{Effect, Input, Rules, Session};
use lawful::syntax::Diagnostic;
use lawful::view::StepTrace;
use lawful::{Map, Value};
use lawful_store::{Json, NewEffect};

use super::{refused, stored};
use crate::failure::Failure;

/// What came of a step.
pub(super) struct StepRecord {
    /// The state after it.
    pub(super) session: Session,
    /// How it came about.
    pub(super) trace: StepTrace,
    /// What each effect asks for, in order: `{"type", …}`.
    pub(super) requests: Vec<Value>,
    /// The ids that the engine gave the effects, in the same order.
    ids: Vec<String>,
    /// What was wrong.
    pub(super) problems: Vec<Diagnostic>,
}

/// The texts of a step that the store keeps.
pub(super) struct StepTexts {
    pub(super) snapshot: Json,
    /// The waves of the trace.
    pub(super) events: Json,
    /// The rules of the trace that fired, with what each changed.
    pub(super) changes: Json,
    pub(super) effects: Vec<NewEffect>,
}

impl StepRecord {
    /// Takes a step.
    pub(super) fn new(rules: &Rules, before: Session, input: &Input) -> Self {
        let step = rules.step(before, input);
        Self {
            trace: StepTrace::new(rules, &step.trace, None),
            requests: step.effects.iter().map(request).collect(),
            ids: step.effects.into_iter().map(|effect| effect.id).collect(),
            session: step.session,
            problems: step.diagnostics,
        }
    }

    /// The texts to keep.
    pub(super) fn texts(&self) -> Result<StepTexts, Failure> {
        let effects = self.ids.iter().zip(&self.requests).map(|(id, request)| {
            let id = id.parse().map_err(|error| refused(&error, None))?;
            Ok(NewEffect { id, body: stored::json(request)? })
        });
        Ok(StepTexts {
            snapshot: stored::json(&self.session)?,
            events: stored::json(&self.trace.waves)?,
            changes: stored::json(&self.trace.fired)?,
            effects: effects.collect::<Result<_, Failure>>()?,
        })
    }
}

/// What an effect asks for, without its id.
fn request(effect: &Effect) -> Value {
    let mut body = Map::new();
    body.insert("type", effect.kind.name().into());
    for (key, field) in effect.fields.iter() {
        body.insert(key, field.clone());
    }
    Value::Map(body)
}
