//! A step that was taken, as the texts that the store keeps.

use lawful::react::{Input, Rules, Session};
use lawful::syntax::Diagnostic;
use lawful::view::{ReactTraceView, StateView};
use lawful::{Map, Value};
use lawful_store::{Json, NewEffect};

use super::{refused, stored};
use crate::lawbook::Failure;

/// What came of a step.
pub(crate) struct Taken {
    pub(crate) session: Session,
    pub(crate) snapshot: Json,
    /// The waves of the trace.
    pub(crate) events: Json,
    /// The rules of the trace that fired, with what each changed.
    pub(crate) changes: Json,
    pub(crate) effects: Vec<NewEffect>,
    pub(crate) problems: Vec<Diagnostic>,
}

impl Taken {
    /// Takes a step.
    pub(crate) fn new(rules: &Rules, before: Session, input: &Input) -> Result<Self, Failure> {
        let step = rules.step(before, input);
        let trace = ReactTraceView::new(rules, &step.trace, None);
        let effects = step.effects.iter().map(|effect| {
            let mut body = Map::new();
            body.insert("type", effect.kind.name().into());
            for (key, field) in effect.fields.iter() {
                body.insert(key, field.clone());
            }
            let id = effect.id.parse().map_err(|error| refused(&error, None))?;
            Ok(NewEffect { id, body: stored::json(&Value::Map(body))? })
        });
        Ok(Self {
            snapshot: stored::json(&StateView::new(&step.session))?,
            events: stored::json(&trace.waves)?,
            changes: stored::json(&trace.fired)?,
            effects: effects.collect::<Result<_, Failure>>()?,
            session: step.session,
            problems: step.diagnostics,
        })
    }
}
