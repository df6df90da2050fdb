//! The record of a step: typed for rendering, and as the texts that the store keeps.

use lawful::book::{Manifest, Repetition};
use lawful::react::{Effect, EffectKind, Input, NotFired, Rules, Session, Step};
use lawful::syntax::Diagnostic;
use lawful::view::StepTrace;
use lawful::{Map, Value};
use lawful_store::{Json, NewEffect, Repeat};

use super::{refused, stored};
use crate::failure::Failure;

/// The result of a step.
pub(crate) struct StepRecord {
    /// The state after the step.
    pub(crate) session: Session,
    /// Its trace.
    pub(crate) trace: StepTrace,
    /// The request of each effect, in order: `{"type", …}`.
    pub(crate) requests: Vec<Value>,
    /// The ids that the engine assigned to the effects, and their kinds, in the same order.
    ids: Vec<(String, EffectKind)>,
    /// Its problems.
    pub(crate) problems: Vec<Diagnostic>,
}

/// How much of a step is explained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    /// The rules that fired.
    Fired,
    /// Also why the others did not.
    WhyNot,
}

/// The stored texts of a step.
pub(crate) struct StepTexts {
    pub(crate) snapshot: Json,
    /// The waves of the trace.
    pub(crate) events: Json,
    /// The fired rules of the trace, with their changes.
    pub(crate) changes: Json,
    pub(crate) effects: Vec<NewEffect>,
}

impl StepRecord {
    /// Runs a step.
    pub(crate) fn new(rules: &Rules, before: Session, input: &Input) -> Self {
        Self::with(rules, before, input, Detail::Fired)
    }

    /// Runs a step, and explains as much of it as requested.
    pub(crate) fn with(rules: &Rules, before: Session, input: &Input, detail: Detail) -> Self {
        let not_fired = match detail {
            Detail::Fired => None,
            Detail::WhyNot => Some(rules.why_not(before.clone(), input)),
        };
        Self::of(rules, rules.step(before, input), not_fired.as_deref())
    }

    /// The record of a step that some rules took.
    pub(crate) fn of(rules: &Rules, step: Step, not_fired: Option<&[NotFired]>) -> Self {
        Self {
            trace: StepTrace::new(rules, &step.trace, not_fired),
            requests: step.effects.iter().map(request).collect(),
            ids: step.effects.into_iter().map(|effect| (effect.id, effect.kind)).collect(),
            session: step.session,
            problems: step.diagnostics,
        }
    }

    /// The texts to store.
    pub(crate) fn texts(&self, manifest: &Manifest) -> Result<StepTexts, Failure> {
        let effects = self.ids.iter().zip(&self.requests).map(|((id, kind), request)| {
            let id = id.parse().map_err(|error| refused(&error, None))?;
            let repeat = match manifest.repetition(*kind) {
                Repetition::Once => Repeat::Once,
                Repetition::Again => Repeat::Again,
            };
            Ok(NewEffect { id, body: stored::json(request)?, repeat })
        });
        Ok(StepTexts {
            snapshot: stored::json(&self.session)?,
            events: stored::json(&self.trace.waves)?,
            changes: stored::json(&self.trace.fired)?,
            effects: effects.collect::<Result<_, Failure>>()?,
        })
    }
}

/// The request of an effect, without its id.
fn request(effect: &Effect) -> Value {
    let mut body = Map::new();
    body.insert("type", effect.kind.name().into());
    for (key, field) in effect.fields.iter() {
        body.insert(key, field.clone());
    }
    Value::Map(body)
}
